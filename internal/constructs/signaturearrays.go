// Arrays

package constructs

import (
	"github.com/surge-ndp/surge/ops"
)

// Twisted turns vectors by a matrix.
//
// Construct: arrays, and slices of arrays, as parameters and results
//
//surge:kernel
func Twisted(by [2][2]float64, p [2]float64, ps [][2]float64) ([2]float64, [][2]float64) {
	turn := func(q [2]float64) [2]float64 {
		return [2]float64{by[0][0]*q[0] + by[0][1]*q[1], by[1][0]*q[0] + by[1][1]*q[1]}
	}
	return turn(p), ops.Map(turn, ps)
}

// Seen is how often something was seen, and its sum.
type Seen struct {
	Times int
	Sum   float64
}

// Paged sorts bytes by a table of a page of memory, and counts which follow which.
//
// Construct: arrays of more than 127 numbers as parameters and results, behind a pointer, of arrays, and of structs
//
//surge:kernel
func Paged(order *[256]uint8, weights [256]float64, text []byte) (h [256]Seen, after [16][16]uint32) {
	for i, b := range text {
		k := order[b]
		h[k].Times++
		h[k].Sum += weights[b]
		if i > 0 {
			after[text[i-1]>>4][b>>4]++
		}
	}
	return h, after
}

// Equalized changes a copy of its argument, and returns what it was as well.
//
// Construct: an array of more than 127 numbers as a parameter that the kernel assigns
//
//surge:kernel
func Equalized(h [256]int, text []byte) (was, is [256]int, lut [256]uint8) {
	was = h
	for _, b := range text {
		h[b]++
	}
	n, sum := 1, 0
	for _, c := range h {
		n += c & 0xffff
	}
	for i, c := range h {
		sum += c & 0xffff
		lut[i] = uint8(sum * 255 / n)
	}
	return was, h, lut
}
