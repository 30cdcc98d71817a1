// Package kernels has kernels that rules of package form apply to. The last line of a comment names the forms that
// there are besides the nest.
package kernels

import "github.com/surge-ndp/surge/ops"

// addRow reads the remainder only.
//
// Forms: delinearise.w
//
//surge:kernel
func addRow(a, row []int, w int) []int {
	out := make([]int, len(a))
	for i := range out {
		out[i] = a[i] + row[i%w]
	}
	return out
}

// repeated reads the quotient only, and has a check of it.
//
// Forms: delinearise.times
//
//surge:kernel
func repeated(a []int, n, times int) []int {
	return ops.Map(func(i int) int { return a[i/times] }, ops.Range(0, n, 1))
}

// blur reads the neighbours of a cell.
//
// Forms: delinearise.w
//
//surge:kernel
func blur(a []int, h, w int) []int {
	out := make([]int, h*w)
	for i := range out {
		y, x := i/w, i%w
		if y == 0 || x == 0 || y == h-1 || x == w-1 {
			out[i] = a[i]
		} else {
			out[i] = a[(y-1)*w+x] + a[(y+1)*w+x] + a[y*w+x-1] + a[w*y+x+1]
		}
	}
	return out
}

// byLength divides by the length of a row, which is not negative.
//
// Forms: delinearise.len_row
//
//surge:kernel
func byLength(a, row []int) []int {
	out := make([]int, len(a))
	for i := range out {
		out[i] = a[i]*(i/len(row)) + row[i%len(row)]
	}
	return out
}

// eighths divides by a constant.
//
// Forms: delinearise.4
//
//surge:kernel
func eighths(a []int) []int {
	return ops.Map(func(i int) int { return a[i]<<(i%4) + i/4 }, ops.Range(0, len(a), 1))
}

// two takes its index apart in two ways.
//
// Forms: delinearise.w delinearise.v
//
//surge:kernel
func two(a []int, w, v int) []int {
	out := make([]int, len(a))
	for i := range out {
		out[i] = a[i]%5 + i/w - i%v
	}
	return out
}

// guarded divides in a branch only, and fails in another one.
//
// Forms: delinearise.w
//
//surge:kernel
func guarded(a []int, w int) []int {
	out := make([]int, len(a))
	for i := range out {
		switch {
		case w != 0:
			out[i] = a[i%w] - i/w
		case a[i] > 3:
			panic("too large")
		}
	}
	return out
}

// product is a product of matrices.
//
// Forms: delinearise.m
//
//surge:kernel
func product(a, b []int, n, k, m int) []int {
	out := make([]int, n*m)
	for i := range out {
		y, x := i/m, i%m
		for j := range k {
			out[i] += a[y*k+j] * b[j*m+x]
		}
	}
	return out
}

// both has two results.
//
// Forms: delinearise.w
//
//surge:kernel
func both(a []int, w int) ([]int, []bool) {
	sums, edges := make([]int, len(a)), make([]bool, len(a))
	for i := range a {
		x := i % w
		sums[i], edges[i] = a[i]+x, x == 0
	}
	return sums, edges
}

// variant divides by another number for each element.
//
// Forms:
//
//surge:kernel
func variant(a []int) []int {
	out := make([]int, len(a))
	for i := range out {
		out[i] = i % (a[i] | 1)
	}
	return out
}

// sum is a Reduce.
//
// Forms:
//
//surge:kernel
func sum(a []int, w int) int {
	s := 0
	for i := range a {
		s += a[i] * (i % w)
	}
	return s
}

// clamped are the sums of rows between offsets that are kept inside: nothing says before how long these are.
//
// Forms:
//
//surge:kernel
func clamped(values []int, offsets []int) []int {
	n := max(len(offsets)-1, 0)
	return ops.Map(func(i int) int {
		lo := min(max(offsets[i], 0), len(values))
		hi := min(max(offsets[i+1], lo), len(values))
		return ops.Reduce(func(a, b int) int { return a + b }, values[lo:hi], 0)
	}, ops.Range(0, n, 1))
}

// nested has several operators in a row, and rows for results.
//
// Forms: flat
//
//surge:kernel
func nested(values []int, offsets []int) [][]int {
	return ops.Map(func(row []int) []int {
		s := ops.Reduce(func(a, b int) int { return a + b }, row, 0)
		return ops.Map(func(x int) int { return x * s }, row)
	}, ops.Nest(values, offsets))
}

// reciprocals may divide by 0 in any row.
//
// Forms:
//
//surge:kernel
func reciprocals(values []int, offsets []int) []int {
	return ops.Map(func(row []int) int {
		return 100 / ops.Reduce(func(a, b int) int { return a + b }, row, 0)
	}, ops.Nest(values, offsets))
}

// planes has rows in two loops.
//
// Forms: delinearise.rows
//
//surge:kernel
func planes(a []int, d, h, w int) []int {
	z := make([]int, d*h*w)
	for c := 0; c < d; c++ {
		for y := 0; y < h; y++ {
			for x := 0; x < w; x++ {
				z[(c*h+y)*w+x] = c - 3*y
				for k := 0; k < len(a); k++ {
					z[(c*h+y)*w+x] += a[k] * (x + k)
				}
			}
		}
	}
	return z
}

// windows adds up sums over windows, in the order of the source.
//
// Forms: strips
//
//surge:kernel
func windows(a []float64, lags, taps int) []float64 {
	out := make([]float64, max(lags, 0))
	for l := range out {
		s := 1.0
		for t := 0; t < len(a)-lags; t++ {
			d := 0.0
			for k := 0; k < taps; k++ {
				e := a[t+k+l]
				d += e / (1 + e*e)
			}
			s = s/2 + d
		}
		out[l] = s
	}
	return out
}
