// Package distribute has loops that assign elements and accumulate in the same turns. The comment of each kernel says
// how many of its loops still do.
package distribute

import "math"

// Loops: 0
//
//surge:kernel
func FillCount(x []float64, t float64) ([]float64, int, float64) {
	r := make([]float64, len(x))
	n, most := 0, 0.0
	for i, v := range x {
		d := math.Abs(v)
		if d > t {
			n++
			d = t
		}
		r[i] = d
		most = max(most, d)
	}
	return r, n, most
}

// Cheap is little work for a sum in order.
//
// Loops: 1
//
//surge:kernel
func Cheap(x, y []float64) ([]float64, float64) {
	r := make([]float64, len(x))
	s := 0.0
	for i := range x {
		r[i] = x[i] * y[i]
		s += r[i]
	}
	return r, s
}

// Ordered is much work, and a sum in order.
//
// Loops: 0
//
//surge:kernel
func Ordered(x, y []float64) ([]float64, float64) {
	r := make([]float64, len(x))
	s := 0.5
	for i := range x {
		d := math.Exp(x[i]) * y[i]
		r[i] = d
		if d > 1 {
			s -= d
		}
	}
	return r, s
}

// Loops: 0
//
//surge:kernel
//surge:reassociate
func AnyOrder(x, y []float64) ([]float64, float64) {
	r := make([]float64, len(x))
	s := 0.0
	for i := range x {
		d := x[i] * y[i]
		s += d * d
		r[i] = d
	}
	return r, s
}

// Before counts elements that change: what they were before is stored.
//
// Loops: 0
//
//surge:kernel
func Before(x []int) ([]int, int) {
	z := make([]int, len(x))
	for i, v := range x {
		z[i] = v / 2
	}
	changed := 0
	for i, v := range x {
		if z[i] != v {
			z[i] = v
			changed++
		}
	}
	return z, changed
}

// Twice counts what an element is on the way.
//
// Loops: 0
//
//surge:kernel
func Twice(x []int) ([]int, int) {
	z := make([]int, len(x))
	n := 0
	for i, v := range x {
		if v > 1 {
			z[i] = v
		}
		if v < 4 {
			n += z[i]
		}
		if v > 2 {
			z[i] += 7
		}
	}
	return z, n
}

// Grid has rows, and the largest change of its cells.
//
// Loops: 0
//
//surge:kernel
func Grid(a []int, h, w int) ([]int, int) {
	if h < 0 || w < 0 {
		return nil, 0
	}
	b := make([]int, h*w)
	most := 0
	for i := 0; i < h; i++ {
		for j := 0; j < w; j++ {
			v := a[i*w+j]
			if j > 0 {
				v -= a[i*w+j-1]
			}
			b[i*w+j] = v
			most = max(most, v)
		}
	}
	return b, most
}

// Inner accumulates into an element, and what it was on the way.
//
// Loops: 1
//
//surge:kernel
func Inner(x []int, w int) ([]int, int) {
	z := make([]int, len(x))
	n := 0
	for i, v := range x {
		for j := 0; j < w; j++ {
			z[i] += v + j
			n += z[i]
		}
	}
	return z, n
}

// Sums is the sum of what elements are in the end.
//
// Loops: 0
//
//surge:kernel
func Sums(x []int, w int) ([]int, int) {
	z := make([]int, w)
	total := 0
	for j := range z {
		for i := 0; i < len(x)-j; i++ {
			if x[i] > j {
				z[j] += x[i+j]
			}
		}
		total += z[j]
	}
	return z, total
}

// Carried needs what it has accumulated.
//
// Loops: 1
//
//surge:kernel
func Carried(x []int) ([]int, int) {
	z := make([]int, len(x))
	s := 0
	for i, v := range x {
		s += v
		z[i] = s
	}
	return z, s
}

// Fails does in some turns, before and behind what accumulates.
//
// Loops: 0
//
//surge:kernel
func Fails(x, at []int) ([]int, int) {
	z := make([]int, len(x))
	s := 0
	for i, v := range x {
		if v > 5 {
			panic("far")
		}
		s += 6 / (v + 1)
		z[i] = x[at[i]]
	}
	return z, s
}

// From begins behind the first element, and counts in the elements of one branch.
//
// Loops: 0
//
//surge:kernel
func From(x []int, from int) ([]int, int, int) {
	z := make([]int, len(x))
	n, m := 3, -1
	for i := max(from, 0); i < len(x); i++ {
		if x[i]%2 == 0 {
			z[i] = x[i] * x[i]
			n += z[i]
		} else {
			m ^= i
		}
	}
	return z, n, m
}

// Groups assigns groups until none changes, in arrays that the turns around carry.
//
// Loops: 1
//
//surge:kernel
func Groups(points, centers []int, most int) ([]int, int) {
	groups := make([]int, len(points))
	turns := 0
	for turns < most && turns < 5 {
		changed := 0
		for i, p := range points {
			best, least := 0, 100
			for c, at := range centers {
				if d := (p - at) * (p - at); d < least {
					best, least = c+turns/2, d
				}
			}
			if groups[i] != best {
				groups[i] = best
				changed++
			}
		}
		turns++
		if changed == 0 {
			break
		}
	}
	return groups, turns
}

// Numbered has as many turns as a number says, which fill an array of as many elements, and Behind fewer.
//
// Loops: 0
//
//surge:kernel
func Numbered(n int) ([]int, int) {
	z := make([]int, max(n, 0))
	s := 0
	for i := 0; i < n; i++ {
		z[i] = i * 3
		s += i
	}
	return z, s
}

// Loops: 0
//
//surge:kernel
func Behind(x []int, from, n int) ([]int, int) {
	z := make([]int, len(x))
	s := 0
	for i := 2; i < n; i++ {
		z[i-1] = x[i-2] + from
		if z[i-1] > 3 {
			s += i
		}
	}
	return z, s
}

// Outside accumulates in turns of rows without elements, too.
//
// Loops: 2
//
//surge:kernel
func Outside(h, w int) ([]int, int, int) {
	h, w = min(max(h, 0), 5), min(max(w, 0), 3)
	z := make([]int, h*w)
	s, n := 0, 0
	for i := 0; i < h; i++ {
		for j := 0; j < w; j++ {
			z[i*w+j] = i - j
			s += z[i*w+j] * i
		}
		n += i
	}
	return z, s, n
}

// Interior counts in all of a grid but its border.
//
// Loops: 0
//
//surge:kernel
//surge:reassociate
func Interior(a []float64, h, w int) ([]float64, float64, int) {
	h, w = min(max(h, 0), 5), min(max(w, 0), 6)
	if h*w > len(a) {
		return nil, 1, 2
	}
	b := make([]float64, h*w)
	sum, n := 0.0, 0
	for i := 1; i < h-1; i++ {
		for j := 1; j < w-1; j++ {
			v := a[i*w+j-1] - a[i*w+j+1]
			b[i*w+j] = v
			sum += v * v
			if v != 0 {
				n++
			}
		}
	}
	return b, sum, n
}

// Stepped makes a new array in each turn of a loop around, and how far it is from the one before.
//
// Loops: 1
//
//surge:kernel
func Stepped(x []int, most int) ([]int, int) {
	a := make([]int, len(x))
	b := make([]int, len(x))
	copy(a, x)
	far := 0
	for t := 0; t < min(most, 4); t++ {
		far = 0
		for i := range b {
			b[i] = a[i] / 2
			if i > 0 {
				b[i] += a[i-1]
			}
			far = max(far, b[i]-a[i])
		}
		a, b = b, a
	}
	return a, far
}

// Dense has sums that loops inside make, in each element's memory, and a sum of these.
//
// Loops: 0
//
//surge:kernel
func Dense(x []float64, w int) ([]float64, float64) {
	z := make([]float64, max(w, 0))
	sum := 0.0
	for j := range z {
		for i := range x {
			z[j] += x[(i+j)%len(x)] / x[i]
		}
		sum += z[j]
	}
	return z, sum
}

// Shares has rows that are divided by their sums.
//
// Loops: 0
//
//surge:kernel
//surge:reassociate
func Shares(a []float64, h, w int) []float64 {
	z := make([]float64, h*w)
	for i := 0; i < h; i++ {
		s, n := 0.5, 0
		for j := 0; j < w; j++ {
			x := a[i*w+j] * a[i*w+j]
			z[i*w+j] = x
			s += x
			if x > 1 {
				n++
			}
		}
		for j := 0; j < w; j++ {
			z[i*w+j] = z[i*w+j]/s + float64(n)
		}
	}
	return z
}

// Strict has such rows, and sums that stay in order.
//
// Loops: 1
//
//surge:kernel
func Strict(a []float64, h, w int) []float64 {
	z := make([]float64, h*w)
	for i := 0; i < h; i++ {
		s := 0.5
		for j := 0; j < w; j++ {
			z[i*w+j] = a[i*w+j] - 1
			s += a[i*w+j] - 1
		}
		for j := 0; j < w; j++ {
			z[i*w+j] /= s
		}
	}
	return z
}

// Running has elements that depend on the sum so far.
//
// Loops: 1
//
//surge:kernel
func Running(a []int, h, w int) []int {
	z := make([]int, h*w)
	for i := 0; i < h; i++ {
		s := 1
		for j := 0; j < w; j++ {
			z[i*w+j] = a[i*w+j] + s
			s += a[i*w+j]
		}
		for j := 0; j < w; j++ {
			z[i*w+j] *= s
		}
	}
	return z
}

// Again adds the elements that it has assigned: the sums do not come first.
//
// Loops: 1
//
//surge:kernel
func Again(a []int, h, w int) []int {
	z := make([]int, h*w)
	for i := 0; i < h; i++ {
		s := 1
		for j := 0; j < w; j++ {
			z[i*w+j] = a[i*w+j] - 3
			s += z[i*w+j]
		}
		for j := 0; j < w; j++ {
			z[i*w+j] *= s
		}
	}
	return z
}

// Softmax has sums in order inside of a loop, and elements that are much work.
//
// Loops: 0
//
//surge:kernel
func Softmax(x []float32, n, d int) []float32 {
	r := make([]float32, n*d)
	for i := 0; i < n; i++ {
		s := float32(0)
		for j := 0; j < d; j++ {
			e := float32(math.Exp(float64(x[i*d+j])))
			r[i*d+j] = e
			s += e
		}
		for j := 0; j < d; j++ {
			r[i*d+j] /= s
		}
	}
	return r
}

// Overlapping updates elements that later turns update again: the sums read what a turn has left for the next one.
//
// Loops: 1
//
//surge:kernel
func Overlapping(x []float32, n, d int) []float32 {
	r := make([]float32, n*d+1)
	for i := 0; i < n; i++ {
		s := float32(0)
		for j := 0; j < d; j++ {
			e := float32(math.Exp(float64(x[i*d+j])))
			r[i*d+j] = e
			r[i*d+j+1] = e / 2
			s += e
		}
		r[i] += s
	}
	return r
}

// SoftmaxRows is Softmax whose rows are elements of a Map.
//
// Loops: 0
//
//surge:kernel
func SoftmaxRows(x []float32, n, d int) [][]float32 {
	out := make([][]float32, n)
	for i := range out {
		e := make([]float32, d)
		var sum float32
		for j := range e {
			v := x[i*d+j]
			e[j] = float32(math.Exp(float64(v)))
			sum += e[j]
		}
		for j := range e {
			e[j] /= sum
		}
		out[i] = e
	}
	return out
}

// CheapRows has rows whose sums, in order, cost as much as the rest: a loop for them alone is not worth it.
//
// Loops: 1
//
//surge:kernel
func CheapRows(x []float32, n, d int) [][]float32 {
	out := make([][]float32, n)
	for i := range out {
		e := make([]float32, d)
		var sum float32
		for j := range e {
			v := x[i*d+j]
			e[j] = 2 * v
			sum += e[j]
		}
		for j := range e {
			e[j] /= sum
		}
		out[i] = e
	}
	return out
}

// SmoothedRows reads what the turn before has left: the row is no level.
//
// Loops: 1
//
//surge:kernel
func SmoothedRows(x []float64, n, d int) [][]float64 {
	out := make([][]float64, n)
	for i := range out {
		e := make([]float64, d)
		sum := 0.0
		for j := range e {
			v := x[i*d+j]
			e[j] = math.Exp(v)
			if j > 0 {
				e[j] += e[j-1] / 2
			}
			sum += e[j]
		}
		out[i] = append(e, sum)
	}
	return out
}

// Signed adds to a sum, or takes from it, under conditions, once a turn at most: the sum may be a negative zero all the
// time.
//
// Loops: 0
//
//surge:kernel
func Signed(x []float64, start float64) ([]float64, float64, float64) {
	y := make([]float64, len(x))
	sum, product := start*0, start
	for i, v := range x {
		e := math.Exp(v) / 3
		y[i] = e * v
		switch {
		case v > 1:
			sum += e
		case v > 0:
			sum -= v
			product *= e - v
		case v < -1:
			product *= v
		}
	}
	return y, sum, product
}

// SignedTwice adds two numbers in some turns: neither order nor grouping may change.
//
// Loops: 1
//
//surge:kernel
func SignedTwice(x []float64, start float64) ([]float64, float64) {
	y := make([]float64, len(x))
	sum := start
	for i, v := range x {
		e := math.Exp(v) / 3
		y[i] = e * v
		if v > 0 {
			sum += e
		}
		if v > 1 {
			sum += v * v
		}
	}
	return y, sum
}

// SignedRows does so row by row, where a turn of the loop around is not divided.
//
// Loops: 1
//
//surge:kernel
func SignedRows(x []float64, n, d int, start float64) ([]float64, float64) {
	y := make([]float64, len(x))
	sum := start
	for i := 0; i < n; i++ {
		for j := 0; j < d; j++ {
			v := x[i*d+j]
			e := math.Exp(v) / 3
			y[i*d+j] = e + v
			if v > 0.5 {
				sum += e
			} else if v < 0 {
				sum -= v
			}
		}
	}
	return y, sum
}
