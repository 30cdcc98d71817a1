// Package inrow has kernels that read, or return, flat what rows of one length are, which are computed where they are
// read then. The comment of each kernel says which computations are left.
package inrow

// Inside leaves the border as it is copied.
// Sequences: map ▷ map
//
//surge:kernel
func Inside(x []float64, h, w int) [][]float64 {
	h, w = h%7, w%5
	out := make([][]float64, h)
	for i := range out {
		out[i] = make([]float64, w)
		for j := range out[i] {
			out[i][j] = float64(i) - x[j]
		}
	}
	for i := 1; i < h-1; i++ {
		for j := 1; j < w-1; j++ {
			out[i][j] = x[j-1] + x[j+1]
		}
	}
	return out
}

// Less changes what it has just made.
// Sequences: map ▷ map
//
//surge:kernel
func Less(a, b []float64) [][]float64 {
	t := make([][]float64, len(a))
	for i := range a {
		t[i] = make([]float64, len(b))
		for j := range b {
			t[i][j] = a[i] * b[j]
		}
	}
	for i := range t {
		for j := range t[i] {
			t[i][j] -= a[i]
		}
	}
	return t
}

// Scaled needs something of its row for each element.
// Sequences: map ▷ reduce+map
//
//surge:kernel
func Scaled(a, b []float64) [][]float64 {
	t := make([][]float64, len(a))
	for i := range a {
		t[i] = make([]float64, len(b))
		by := 0.0
		for _, v := range b {
			by = max(by, v*a[i])
		}
		for j := range b {
			t[i][j] = by * b[j]
		}
	}
	for i := range t {
		for j := range t[i] {
			t[i][j] += a[i]
		}
	}
	return t
}

// Shifted reads the row before, so that rows are stored.
// Sequences: map ▷ map; map ▷ map
//
//surge:kernel
func Shifted(a, b []float64) [][]float64 {
	t := make([][]float64, len(a))
	for i := range a {
		t[i] = make([]float64, len(b))
		for j := range b {
			t[i][j] = a[i] / b[j]
		}
	}
	u := make([][]float64, len(a))
	for i := range u {
		u[i] = make([]float64, len(b))
		for j := range u[i] {
			u[i][j] = t[max(i-1, 0)][j] - t[i][j]
		}
	}
	return u
}

// Few has other rows, and fewer ones.
// Sequences: map ▷ map; map ▷ map
//
//surge:kernel
func Few(a, b []float64, n int) [][]float64 {
	t := make([][]float64, len(a))
	for i := range a {
		t[i] = make([]float64, len(b))
		for j := range b {
			t[i][j] = a[i] / b[j]
		}
	}
	t[0][0] = 1
	u := make([][]float64, n%5)
	for i := range u {
		u[i] = make([]float64, len(b))
		for j := range u[i] {
			u[i][j] = t[i][j]
		}
	}
	return u
}
