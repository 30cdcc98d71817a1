// Slices

package constructs

import (
	"errors"
	"slices"
)

// Descended smooths the rows of a matrix from top to bottom.
//
// Construct: row := m[i*w : (i+1)*w] of a slice that the function made: elements are assigned under either name, also
// by functions that get the part
//
//surge:kernel
func Descended(in []float64, w int) ([]float64, float64) {
	w = max(1, min(w, 7))
	h := len(in) / w
	m := slices.Clone(in[:h*w])
	row := func(i int) []float64 { return m[i*w : (i+1)*w] }
	total := 0.0
	for i := 1; i < h; i++ {
		prev, cur := row(i-1), row(i)
		for j := range cur {
			cur[j] += prev[j] / 2
		}
		halve(cur)
		total += firstOf(m[i*w : (i+1)*w])
		half := cur[w/2:]
		if len(half) > 1 {
			half[0], half[1] = half[1], half[0]
		}
	}
	return m, total
}

func halve(x []float64) {
	for i := range x {
		x[i] /= 2
	}
}

func firstOf(x []float64) float64 { return x[0] }

// Dense is a matrix by rows.
type Dense struct {
	Cols int
	Data []float64
}

// Row is a row of d.
func (d *Dense) Row(i int) []float64 { return d.Data[i*d.Cols : (i+1)*d.Cols] }

var errShapes = errors.New("the shapes differ")

func newDense(rows, cols int) *Dense { return &Dense{Cols: cols, Data: make([]float64, rows*cols)} }

// Plus adds matrices.
//
// Construct: a method that returns a pointer to a struct, and nil with an error
//
//surge:kernel
func (d *Dense) Plus(o *Dense) (*Dense, error) {
	if d.Cols != o.Cols || len(d.Data) != len(o.Data) || d.Cols < 1 {
		return nil, errShapes
	}
	sum := newDense(len(d.Data)/d.Cols, d.Cols)
	for i := range sum.Data {
		sum.Data[i] = d.Data[i] + o.Data[i]
	}
	return sum, nil
}

// Eliminated brings a matrix into the form of a triangle.
//
// Construct: methods that return a part of a slice of their receiver: m.Row(i), its elements assigned and copied to
//
//surge:kernel
func Eliminated(in []float64, n int) []float64 {
	n = max(1, min(n, 6, len(in)))
	n = min(n, len(in)/n)
	m := Dense{n, make([]float64, n*n)}
	for i := range n {
		copy(m.Row(i), in[i*n:])
		m.Row(i)[i] += 100
	}
	for k := range n {
		pivot := m.Row(k)
		for i := k + 1; i < n; i++ {
			row := m.Row(i)
			f := row[k] / pivot[k]
			for j := k; j < n; j++ {
				row[j] -= f * pivot[j]
			}
		}
	}
	return m.Data
}

// NearMedians is the median of what lies near each element.
//
// Construct: part := window[:n] of a local array, its elements assigned or sorted; found := memory[:0], which grows
//
//surge:kernel
func NearMedians(x []float64) (middles []float64, above []int) {
	middles, above = make([]float64, len(x)), make([]int, len(x))
	for i := range x {
		var window [5]float64
		n := 0
		for j := max(0, i-2); j <= min(len(x)-1, i+2); j++ {
			window[n] = x[j]
			n++
		}
		part := window[:n]
		insertionSort(part)
		middles[i] = part[n/2]

		var memory [len(window)]int
		found := memory[:0]
		for j, v := range window[:n] {
			if v > x[i] {
				found = append(found, j)
			}
		}
		above[i] = len(found)
		if len(found) > 0 {
			above[i] += 10 * found[0]
		}
	}
	return middles, above
}

// SixSorted are the three smallest of six elements, and the others behind them.
//
// Construct: a local array that a function gets as a slice, to update it: insertionSort(six[:])
//
//surge:kernel
func SixSorted(x []float64) []float64 {
	out := make([]float64, len(x)/6*6)
	for i := range len(x) / 6 {
		six := [...]float64{x[6*i], x[6*i+1], x[6*i+2], x[6*i+3], x[6*i+4], x[6*i+5]}
		insertionSort(six[:])
		insertionSort(six[1 : len(six)-1])
		for j := range six {
			out[6*i+j] = six[j]
		}
	}
	return out
}

func insertionSort(x []float64) {
	for i := 1; i < len(x); i++ {
		for j := i; j > 0 && x[j] < x[j-1]; j-- {
			x[j], x[j-1] = x[j-1], x[j]
		}
	}
}
