// Loops that fill slices

package constructs

import "math"

// What is returned here is bits, so that tests compare the signs of zeros as well.

// Swing finds the least and the greatest number: NaN is neither, unless it is the first one, and of the zeros it is the
// first one, or the last one.
//
// Construct: extremes of floats by conditions, with Go's meaning of NaN and of the signs of zeros, which runs in
// parallel
//
//surge:kernel
func Swing(x []float64, from float64) (low, high, last uint64) {
	if len(x) == 0 {
		return 1, 2, 3
	}
	lo, hi, end := x[0], from, from
	for i, v := range x {
		if v < lo {
			lo = v
		}
		if v <= 0 && v > hi {
			hi = v
		}
		if w := min(v, 0); i%3 != 1 && w >= end {
			end = w
		}
	}
	return math.Float64bits(lo), math.Float64bits(hi), math.Float64bits(end)
}

// Crests finds the greatest number of each row that is not positive, and the greatest sum of numbers of three rows.
//
// Construct: extremes of floats by conditions in each row of a slice of slices
//
//surge:kernel
func Crests(rows [][]float32) (crests []uint32, most uint32) {
	crests = make([]uint32, len(rows))
	for r, row := range rows {
		m := float32(math.Inf(-1))
		for _, v := range row {
			if v = -v * v; v > m {
				m = v
			}
		}
		crests[r] = math.Float32bits(m)
	}
	top := float32(-1)
	for r := range rows {
		for _, v := range rows[r] {
			if v *= 0; v > top {
				top = v
			}
		}
	}
	return crests, math.Float32bits(top)
}

// Shade finds the least product in each row of a flat slice, from the second number on.
//
// Construct: extremes of floats by conditions in rows of a flat slice, from the second element on
//
//surge:kernel
func Shade(x []float64, width uint8, sign float64) []uint64 {
	w := int(width)%200 + 1
	out := make([]uint64, len(x)/w)
	for r := range out {
		row := x[r*w : (r+1)*w]
		m := row[0] * sign
		for i := 1; i < len(row); i++ {
			if v := max(row[i], 0) * sign; v < m {
				m = v
			}
		}
		out[r] = math.Float64bits(m)
	}
	return out
}
