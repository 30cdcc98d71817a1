package kernels

import "math"

// Descents has loops that count down: by one and by more, to what belongs to the range and what does not, in several
// kinds of integers and to their ends, with bounds and counters that turns change, and that are used behind the loop.
//
//surge:kernel
func Descents(x, y []int, bytes []uint8, a, b int) (down, open, closed, twos, threes, changed, own, behind, inner, narrow, bytewise, wide, least, pairs, left int, out, kept []int) {
	for i := len(x) - 1; i >= 0; i-- {
		if x[i] == 3 {
			continue
		}
		down = down*3 + x[i]
	}
	for i := a; i > b; i-- {
		open = open*5 ^ i
	}
	for i := a; b <= i; i -= 1 {
		closed = closed*7 + i
	}
	for i := len(y) - 1; i > 0; i -= 2 {
		twos = twos*2 + y[i] - y[i-1]
	}
	for i := a; 1-3 < i; i -= 3 {
		if threes = threes*5 + i; threes > 90 {
			break
		}
	}
	for i, n := a, b; i > n; i-- {
		changed = changed*3 + i
		n++
	}
	for i := a; i > 0; i-- {
		if i%3 == 0 {
			i--
		}
		own = own*3 + i
	}
	i := len(x) - 1
	for ; i >= 0; i-- {
		if x[i] < 0 {
			break
		}
	}
	behind = i
rows:
	for i := a; i >= 0; i-- {
		for j := i; j > b; j-- {
			if (i+j)%7 == 6 {
				continue rows
			}
			inner = inner*3 + i - j
		}
		inner++
	}
	n := 0
	for i := int8(a); i >= int8(b-126); i-- {
		if n++; n > 300 {
			break
		}
		narrow = narrow*3 + int(i)
	}
	for k := 0; k < len(bytes) && k < 2; k++ {
		for i := bytes[k]; i >= uint8(max(b+2, 0)); i-- {
			if n++; n > 900 {
				break
			}
			bytewise = bytewise*3 + int(i)
		}
	}
	for i := uint(len(x)); i > 0; i-- {
		wide = wide*3 + x[i-1]
	}
	for i := math.MinInt + a; i > math.MinInt+1; i-- {
		if least++; least > 9 {
			break
		}
	}
	for i := math.MinInt + a; i >= math.MinInt+1; i -= 2 {
		if least++; least > 30 {
			break
		}
	}
	for i, j := 0, len(x)-1; i < j; i, j = i+1, j-1 {
		pairs = pairs*3 + x[i] - x[j]
	}
	for i := a + 3; i > 0; i -= b {
		if left++; left > 12 {
			break
		}
		left += i
	}
	for i := len(x) - 1; i >= 0; i-- {
		out = append(out, x[i], i)
	}
	kept = make([]int, len(x))
	for i := len(x) - 2; i >= 0; i-- {
		kept[i] = kept[i+1]*3 + x[i]
	}
	return
}

// Strides has loops that count up by a variable: one that is positive, zero or negative, that leads beyond the greatest
// int, that a turn changes, and that cannot be known before the first turn.
//
//surge:kernel
func Strides(x, y []int, a, by int) (some, whole, closed, any, far, wrapped, changed, late, lengths, steps, back int, out []int) {
	w := by*by + 1
	for s := 0; s < len(x); s += w {
		some = some*3 + x[s]
	}
	for s := 0; s+w <= len(x); s += w {
		whole = whole*3 + x[s] - x[s+w-1]
	}
	for s := 2; s <= a; s += by*by + 1 {
		closed = closed*3 + s
	}
	n := 0
	for s := 0; s < len(x); s += by {
		if n++; n > 20 {
			break
		}
		if s >= 0 {
			any = any*3 + x[s]
		}
		any ^= s
	}
	for s := 1; s < len(x); s += math.MaxInt - by {
		if far = far*3 ^ s; far < 0 {
			break
		}
	}
	n, w = 0, math.MaxInt/3+a
	for s := 5; s < math.MaxInt-a; s += w {
		if n++; n > 8 {
			break
		}
		wrapped = wrapped*3 ^ s
	}
	w = 1
	for s := 0; s < len(x); s += w {
		changed = changed*3 + x[s]
		w++
	}
	for s := 0; s < len(x); s += y[5] + 3 {
		late = late*3 + x[s]
	}
	for s := 0; s < len(x); s += len(y) {
		if lengths++; lengths > 9 {
			break
		}
	}
	for s := int8(100); s < 120; s += int8(by*by + 1) {
		if steps = steps*3 + int(s); steps > 4000 {
			break
		}
	}
	w = by*by + 1
	for s := len(x) - 1; s >= 0; s -= w {
		back = back*3 + x[s]
	}
	for s := a; s > 1; s -= by {
		if n++; n > 20 {
			break
		}
		back ^= s
	}
	w = math.MaxInt/2 + by
	for s := math.MaxInt - a*a; s > 0; s -= w {
		if n++; n > 30 {
			break
		}
		back = back*3 ^ s
	}
	w = by*by + 1
	for s := 0; s < len(x); s += w {
		out = append(out, x[s], s)
	}
	return
}

// AheadOfLength has lengths under names of their own, and a number that is one of rows which only some runs make.
//
//surge:kernel
func AheadOfLength(x []int, a int) (s, k int) {
	h := len(x)
	for i := 0; i+1 < h; i++ {
		s += x[i] * x[i+1]
	}
	n := math.MinInt + a
	if a > 3 {
		rows := make([][]int, n)
		for r := range rows {
			rows[r] = make([]int, 2)
		}
		k = len(rows)
	}
	for i := 0; i+1 < n; i++ {
		s += x[i]
	}
	return s, k
}
