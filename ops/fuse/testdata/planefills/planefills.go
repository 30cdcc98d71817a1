// Package planefills has loops that fill planes of what a kernel returns. The comment of each kernel says how many of
// its loops that carry arrays stay loops.
package planefills

// matrix makes rows of one length.
func matrix(h, w int) [][]float64 {
	m := make([][]float64, h)
	for y := range m {
		m[y] = make([]float64, w)
	}
	return m
}

// Loops: 0
//
//surge:kernel
func Scaled(a, x []float64, h int) [][][]float64 {
	out := make([][][]float64, len(a))
	for c := range a {
		plane := matrix(h%9, len(x))
		for y := range plane {
			for i := range plane[y] {
				plane[y][i] = a[c] * x[i] * float64(y)
			}
		}
		out[c] = plane
	}
	return out
}

// Loops: 0
//
//surge:kernel
func Chosen(a, x []float64, h, w int) [][][]float64 {
	out := make([][][]float64, len(a))
	for c := range a {
		plane := matrix(h%9, w%9)
		for y := range h % 9 {
			for i := range w % 9 {
				if i < len(x) && x[i] > a[c] {
					plane[y][i] = x[i] + float64(y)
				}
			}
		}
		out[c] = plane
	}
	return out
}

// Border leaves the first row and column as they were made.
// Loops: 2
//
//surge:kernel
func Border(a, x []float64, h int) [][][]float64 {
	out := make([][][]float64, len(a))
	for c := range a {
		plane := matrix(h%9, len(x))
		for y := 1; y < h%9; y++ {
			for i := 1; i < len(x); i++ {
				plane[y][i] = a[c] * x[i]
			}
		}
		out[c] = plane
	}
	return out
}

// Before reads the row before.
// Loops: 2
//
//surge:kernel
func Before(a, x []float64, h int) [][][]float64 {
	out := make([][][]float64, len(a))
	for c := range a {
		plane := matrix(h%9, len(x))
		for y := range plane {
			for i := range plane[y] {
				plane[y][i] = x[i]
				if y > 0 {
					plane[y][i] += plane[y-1][i] * a[c]
				}
			}
		}
		out[c] = plane
	}
	return out
}

// Turned fills columns.
// Loops: 2
//
//surge:kernel
func Turned(a, x []float64) [][][]float64 {
	out := make([][][]float64, len(a))
	for c := range a {
		plane := matrix(len(x)%9, len(x)%9)
		for y := range plane {
			for i := range plane[y] {
				plane[i][y] = a[c] * x[i]
			}
		}
		out[c] = plane
	}
	return out
}
