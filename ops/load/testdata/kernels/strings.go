package kernels

import "github.com/surge-ndp/surge/ops"

// keyword names a row of bytes.
func keyword(b []uint8) int {
	switch s := string(b); s {
	case "", "\x02":
		return 1
	case "\x00\x01", "ab":
		return 2
	case "a constant that is longer than sixteen bytes":
		return 3
	default:
		if s > "\x80" && s < "\xf0\x01" || s == "\x01"+"\x02" {
			return 4
		}
		return len(s) + 10
	}
}

// Keywords switches on strings.
//
//surge:kernel
func Keywords(rows [][]uint8) []int {
	return ops.Map(keyword, rows)
}

// Orders compares strings, and takes parts of them.
//
//surge:kernel
func Orders(x, y []uint8, k int) ([]bool, int, int) {
	a, b := string(x), string(y)
	rest := a[k:]
	if len(b) > 2 && b[1] > 100 {
		rest = b[:2] + "-" + rest
	}
	sum := 0
	for i, c := range []byte(rest) {
		sum += i * int(c)
	}
	first := min(a, b, "m")
	last := max(a, rest)
	return ops.Map(func(i int) bool {
		switch i {
		case 0:
			return a == b
		case 1:
			return a != b[:len(a)]
		case 2:
			return a < b
		case 3:
			return a <= rest
		case 4:
			return a > "\x40x"
		}
		return a >= b
	}, ops.Range(0, 6, 1)), sum + len(last)*1000, len(first) + int(rest[0])
}

// Characters decodes UTF-8, and leaves the loop in every way.
//
//surge:kernel
func Characters(b []uint8, sharp []bool, stop int32) ([]int32, int, int) {
	// Random bytes are rarely more than one character: most of them come from here.
	tails := "héllo, 世界 \u07ff\u0800\uffff\U00010000\U0010ffff \xed\xa0\x80 \xf4\x90\x80\x80 \xe0\x80\x80 \xc0\x80 \xf0\x8f\xbf\xbf \xf8 \xe4\xb8"
	s := string(b) + tails[len(b):]
	total, spaces := 0, 0
	for i, r := range s {
		if r == stop {
			break
		}
		if r == ' ' {
			spaces++
			continue
		}
		total += i*31 + int(r)
	}
	starts := ops.Map(func(k int) int32 {
		n := 0
		for at, r := range s {
			if n == k {
				return r + int32(at)<<21
			}
			n++
		}
		return -1
	}, ops.Range(0, 3*len(sharp), 1))
	for range tails {
		total++
	}
	return starts, total, spaces
}

// Letters counts in a copy of a string's bytes.
//
//surge:kernel
func Letters(b []uint8, k int) ([]uint8, mark, int) {
	s := string(b)
	own := []byte(s)
	for i := range own {
		own[i] ^= s[len(s)-1-i]
	}
	kept := string(own)
	own[k]++
	names := [3]string{"zero", "one", s}
	n := 0
	for _, name := range names {
		n += len(name)
	}
	return own, mark(kept[k]), n + int(names[k%3][0])
}

// mark is a byte.
type mark = uint8
