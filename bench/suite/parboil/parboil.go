// Package parboil has the programs of Parboil that the literature on nested data parallelism measures.
package parboil

import "math"

// Sample is a point of the scanner's path with the strength of its signal.
type Sample struct{ X, Y, Z, Phi float32 }

// MRIQ computes for each voxel the sum of waves of all samples: a matrix that reconstruction needs.
//
//surge:kernel
func MRIQ(x, y, z []float32, samples []Sample) (re, im []float32) {
	re = make([]float32, len(x))
	im = make([]float32, len(x))
	for i := range x {
		var r, q float32
		for _, s := range samples {
			angle := float64(2 * math.Pi * (s.X*x[i] + s.Y*y[i] + s.Z*z[i]))
			r += s.Phi * float32(math.Cos(angle))
			q += s.Phi * float32(math.Sin(angle))
		}
		re[i], im[i] = r, q
	}
	return re, im
}

// SGEMM is alpha·a·b + beta·c, for a of m by k and b of k by n in rows one behind the other.
//
//surge:kernel
func SGEMM(a, b, c []float32, m, n, k int, alpha, beta float32) []float32 {
	out := make([]float32, m*n)
	for i := 0; i < m; i++ {
		for j := 0; j < n; j++ {
			var sum float32
			for l := 0; l < k; l++ {
				sum += a[i*k+l] * b[l*n+j]
			}
			out[i*n+j] = alpha*sum + beta*c[i*n+j]
		}
	}
	return out
}

// Stencil is Jacobi's iteration for the heat equation in a box: points at its sides stay.
//
//surge:kernel
func Stencil(start []float32, nx, ny, nz, steps int) []float32 {
	const c0, c1 = 1.0 / 6, 1.0 / 6 / 6
	now := make([]float32, nx*ny*nz)
	copy(now, start)
	next := make([]float32, nx*ny*nz)
	copy(next, start)
	for range steps {
		for z := 1; z < nz-1; z++ {
			for y := 1; y < ny-1; y++ {
				for x := 1; x < nx-1; x++ {
					i := (z*ny+y)*nx + x
					next[i] = c1*(now[i-1]+now[i+1]+now[i-nx]+now[i+nx]+now[i-nx*ny]+now[i+nx*ny]) - c0*now[i]
				}
			}
		}
		now, next = next, now
	}
	return now
}

// Direction is a point on the sky.
type Direction struct{ X, Y, Z float32 }

// correlate counts the pairs of two sets by the bin that their angle falls into. Limits are the cosines that divide
// bins, falling.
func correlate(a, b []Direction, limits []float32) []int64 {
	bins := make([]int64, len(limits)+1)
	for _, p := range a {
		for _, q := range b {
			cos := p.X*q.X + p.Y*q.Y + p.Z*q.Z
			low, high := 0, len(limits)
			for low < high {
				mid := (low + high) / 2
				if cos >= limits[mid] {
					high = mid
				} else {
					low = mid + 1
				}
			}
			bins[low]++
		}
	}
	return bins
}

// TPACF counts the angles between all pairs of observed points, of random ones, and of one of each.
//
//surge:kernel
func TPACF(observed, random []Direction, limits []float32) (dd, rr, dr []int64) {
	return correlate(observed, observed, limits), correlate(random, random, limits), correlate(observed, random, limits)
}

// Histo counts pixels by their value; counts end at 255.
//
//surge:kernel
func Histo(pixels []uint32, bins int) []uint8 {
	counts := make([]uint32, bins)
	for _, p := range pixels {
		counts[p]++
	}
	out := make([]uint8, bins)
	for i, c := range counts {
		out[i] = uint8(min(c, 255))
	}
	return out
}

// SPMV multiplies a matrix in padded diagonal form by a vector: each row has as many entries.
//
//surge:kernel
func SPMV(values []float32, columns []int32, width int, x []float32) []float32 {
	y := make([]float32, len(values)/width)
	for i := range y {
		var sum float32
		for k := i * width; k < (i+1)*width; k++ {
			sum += values[k] * x[columns[k]]
		}
		y[i] = sum
	}
	return y
}
