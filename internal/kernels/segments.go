package kernels

import "math"

// Softened makes the scores of the edges of each node positive, and their sum one.
//
//surge:kernel
func Softened(offsets []int32, score []float32) []float32 {
	out := make([]float32, len(score))
	for v := 0; v < len(offsets)-1; v++ {
		lo, hi := offsets[v], offsets[v+1]
		top := float32(math.Inf(-1))
		for e := lo; e < hi; e++ {
			if score[e] > top {
				top = score[e]
			}
		}
		var sum float32
		for e := lo; e < hi; e++ {
			out[e] = float32(math.Exp(float64(score[e] - top)))
			sum += out[e]
		}
		for e := lo; e < hi; e++ {
			out[e] /= sum
		}
	}
	return out
}

// Scored compares the features of each row with those of the columns where a sparse matrix has elements.
//
//surge:kernel
//surge:reassociate
func Scored(offsets, col []int, val, left, right []float32, d int) []float32 {
	out := make([]float32, len(val))
	for r := 0; r+1 < len(offsets); r++ {
		for e := offsets[r]; e < offsets[r+1]; e++ {
			var s float32
			for k := 0; k < d; k++ {
				s += left[r*d+k] * right[col[e]*d+k]
			}
			out[e] = s * val[e]
		}
	}
	return out
}

// Placed gives the place of each number in its sorted segment, and how many of those before it are not greater.
//
//surge:kernel
func Placed(offsets []int, x []float64) (place, before []int) {
	place, before = make([]int, len(x)), make([]int, len(x))
	for s := 1; s < len(offsets); s++ {
		seg := x[offsets[s-1]:offsets[s]]
		for i, v := range seg {
			n, b := 0, 0
			for j, w := range seg {
				if w < v {
					n++
				}
				if w <= v && j < i {
					b++
				}
			}
			place[offsets[s-1]+i] = n
			before[offsets[s-1]+i] = b
		}
	}
	return place, before
}

// Restarted sums up anew in each segment.
//
//surge:kernel
func Restarted(offsets []int, x []float64) []float64 {
	out := make([]float64, len(x))
	for s := 0; s < len(offsets)-1; s++ {
		sum := 0.0
		for i := offsets[s]; i < offsets[s+1]; i++ {
			sum += x[i]
			out[i] = sum
		}
	}
	return out
}
