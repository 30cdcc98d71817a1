// Slices

package constructs

import "slices"

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
