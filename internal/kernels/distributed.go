package kernels

import "math"

// Loops that assign elements and accumulate in the same turns.

// Clipped bounds numbers, counts those that were outside, and finds the largest one that is left.
//
//surge:kernel
func Clipped(x []float64, most float64) (r []float64, n int, top float64) {
	r = make([]float64, len(x))
	for i, v := range x {
		d := math.Abs(v)
		if d > most {
			n++
			d = most
		}
		r[i] = d
		top = max(top, d)
	}
	return r, n, top
}

// Settled is a step on a grid of rows of w cells, how far it is from the grid at most, and how many cells rise.
//
//surge:kernel
func Settled(a []float64, h, w int) (b []float64, far float64, rise int) {
	b = make([]float64, h*w)
	copy(b, a)
	for i := 1; i < h-1; i++ {
		for j := 1; j < w-1; j++ {
			v := 0.25 * (a[(i-1)*w+j] + a[(i+1)*w+j] + a[i*w+j-1] + a[i*w+j+1])
			b[i*w+j] = v
			far = max(far, math.Abs(v-a[i*w+j]))
			if v > a[i*w+j] {
				rise++
			}
		}
	}
	return b, far, rise
}

// Damped adds, in their order, what it computes and stores.
//
//surge:kernel
func Damped(x []float64, at []int32) (r []float64, sum float64) {
	r = make([]float64, len(x))
	for i, v := range x {
		d := math.Exp(-v*v) / (1 + v*v)
		r[i] = d
		if d > 0.25 {
			sum += r[i] * x[at[i]]
		}
	}
	return r, sum
}
