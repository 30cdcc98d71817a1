// Package extremes has nests that read at sums and products of indices. The comment of each kernel says how many
// levels its inspection has left where the extremes of these say that all checks hold.
package extremes

// Levels: 0 of 3
//
//surge:kernel
func Product(a, b []int, rows, inner, cols int) []int {
	c := make([]int, rows*cols)
	for i := 0; i < rows; i++ {
		for j := 0; j < cols; j++ {
			s := 0
			for k := 0; k < inner; k++ {
				s += a[i*inner+k] * b[k*cols+j]
			}
			c[i*cols+j] = s
		}
	}
	return c
}

// Levels: 0 of 2
//
//surge:kernel
func Triangle(a []int, n int) []int {
	z := make([]int, max(n, 0))
	for i := range z {
		s := 0
		for k := 0; k <= i; k++ {
			s += a[i*n+k]
		}
		z[i] = s
	}
	return z
}

// Levels: 0 of 2
//
//surge:kernel
func Backwards(a []int, n, w int) []int {
	z := make([]int, max(n, 0))
	for i := range z {
		s := 0
		for k := i; k < n; k++ {
			s += a[(n-1-k)*w+i]
		}
		z[i] = s
	}
	return z
}

// Levels: 0 of 1
//
//surge:kernel
func Stride(a []int, n, step, from int) []int {
	z := make([]int, max(n, 0))
	for i := range z {
		z[i] = a[from+i*step] + a[i]
	}
	return z
}

// Levels: 0 of 1
//
//surge:kernel
func Taken(a, row, column []int, w int) []int {
	z := make([]int, len(a))
	for i := range z {
		z[i] = a[i] + row[i%w] + column[i/w]
	}
	return z
}

// Levels: 0 of 3
//
//surge:kernel
func Window(a, weights []int, w, h, r int) []int {
	z := make([]int, max(w-2*r, 0))
	for x := range z {
		s := 0
		for dy := -r; dy <= r; dy++ {
			for dx := -r; dx <= r; dx++ {
				s += a[(h+dy)*w+x+r+dx] * weights[(dy+r)*(2*r+1)+dx+r]
			}
		}
		z[x] = s
	}
	return z
}

// Levels: 1 of 2
//
//surge:kernel
func Gathered(a, at, x []int, w int) []int {
	z := make([]int, len(at))
	for i, p := range at {
		s := x[p]
		for k := 0; k < w; k++ {
			s += a[i*w+k]
		}
		z[i] = s
	}
	return z
}

// Levels: 2 of 2
//
//surge:kernel
func Sparse(at, x, first []int) []int {
	z := make([]int, max(len(first)-1, 0))
	for i := range z {
		s := 0
		for k := first[i]; k < first[i+1]; k++ {
			s += x[at[k]]
		}
		z[i] = s
	}
	return z
}

// Levels: 0 of 1
//
//surge:kernel
func Hashed(a []int, n, k int) []int {
	z := make([]int, max(n, 0))
	for i := range z {
		z[i] = a[i*4611686018427387904*k*8+i]
	}
	return z
}

// Levels: 0 of 1
//
//surge:kernel
func Between(a []int, n, from, to int) []int {
	z := make([]int, max(n, 0))
	for i := range z {
		z[i] = a[i+from-to]
	}
	return z
}

// Levels: 0 of 1
//
//surge:kernel
func Scaled(a []int, n, by, from, to int) []int {
	z := make([]int, max(n, 0))
	for i := range z {
		z[i] = a[by*(i+from)-by*(i+to)+i]
	}
	return z
}

// Levels: 0 of 2
//
//surge:kernel
func Clipped(a []int, n, w, r int) []int {
	z := make([]int, max(n, 0))
	for i := range z {
		s := 0
		for k := max(i-r, 0); k < min(i+r+1, w); k++ {
			s += a[k+i/4]
		}
		z[i] = s
	}
	return z
}

// Levels: 0 of 2
//
//surge:kernel
func Bordered(a []int, n, from, to, lag int) []int {
	z := make([]int, max(n, 0))
	for i := range z {
		s := 0
		if i >= from && i < to {
			for k := range lag {
				s += a[i-k]
			}
		}
		z[i] = s
	}
	return z
}

// Levels: 0 of 2
//
//surge:kernel
func Skipped(a []int, n, from, to, lag int) []int {
	z := make([]int, max(n, 0))
	for i := range z {
		before := i - from
		s := a[i]
		if !(before < 0 || i > to) {
			for k := range lag {
				s += a[before+k] - a[i/2]
			}
		}
		z[i] = s + a[i/2] - a[before+from]
	}
	return z
}

// Levels: 0 of 2
//
//surge:kernel
func Torus(a []int, w, h int) []int {
	z := make([]int, max(w, 0))
	for i := range z {
		s := 0
		for k := range h {
			left := i - 1
			if left < 0 {
				left += w
			}
			s += a[k*w+left] + a[k*w+(i+1)%w]
		}
		z[i] = s
	}
	return z
}

// Levels: 0 of 2
//
//surge:kernel
func Halved(a []int, n, to int) []int {
	z := make([]int, max(n, 0))
	for i := range z {
		half := i / 2
		s := 0
		if i < to {
			for k := range to {
				s += a[half+k]
			}
		}
		z[i] = s + a[half]
	}
	return z
}

// Levels: 0 of 1
//
//surge:kernel
func Either(a []int, n, to int) []int {
	z := make([]int, max(n, 0))
	for i := range z {
		half := i / 2
		at := 0
		if i < to {
			at = half
		}
		z[i] = a[at] + a[half]
	}
	return z
}
