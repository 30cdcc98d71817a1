// Slices

package constructs

import "math"

// inner is the inner product of two slices of one length.
func inner(a, b []float64) float64 {
	s := 0.0
	for i, x := range a {
		s += x * b[i]
	}
	return s
}

// addTo adds s times x to y.
func addTo(y []float64, s float64, x []float64) {
	for i := range y {
		y[i] += s * x[i]
	}
}

// Lower is the lower triangle L with LLᵀ = a, for a symmetric positive definite matrix.
//
// Construct: parts of rows of a slice that is updated, as arguments: inner(l[i][:j], l[j][:j])
//
//surge:kernel
func Lower(a [][]float64) [][]float64 {
	l := make([][]float64, len(a))
	for i := range a {
		l[i] = make([]float64, len(a))
	}
	for i := range a {
		for j := range i + 1 {
			sum := a[i][j] - inner(l[i][:j], l[j][:j])
			if i == j {
				l[i][i] = math.Sqrt(sum)
			} else {
				l[i][j] = sum / l[j][j]
			}
		}
	}
	return l
}

// Panel is a matrix, row by row.
type Panel struct {
	Rows, Cols int
	Data       []float64
}

// Row is a part of the matrix.
func (p Panel) Row(i int) []float64 { return p.Data[i*p.Cols : (i+1)*p.Cols] }

// below takes row k from those below it, in the columns up to end.
func (p Panel) below(k, end int) {
	upper := p.Row(k)[k:end]
	for i := k + 1; i < p.Rows; i++ {
		row := p.Row(i)[k:end]
		row[0] /= upper[0]
		addTo(row[1:], -row[0], upper[1:])
	}
}

// Triangular is a matrix after so many steps of Gauss's algorithm, and what is left of its last row.
//
// Construct: parts of what a method returns, which is a part of a field: upper := p.Row(k)[k:end]
//
//surge:kernel
func Triangular(p Panel, steps int) (Panel, float64) {
	if p.Rows < 1 || p.Cols < p.Rows || len(p.Data) != p.Rows*p.Cols {
		return Panel{}, 0
	}
	out := Panel{p.Rows, p.Cols, make([]float64, len(p.Data))}
	copy(out.Data, p.Data)
	for k := range min(max(steps, 0), p.Rows) {
		if math.Abs(out.Row(k)[k]) < 1e-3 {
			return Panel{}, float64(k)
		}
		out.below(k, out.Cols)
		if k > 0 {
			addTo(out.Row(k)[:k], 0.5, out.Row(k - 1)[:k])
		}
	}
	return out, inner(out.Row(p.Rows - 1)[1:], out.Row(0)[1:])
}

// Ring is a matrix whose first and last columns and rows are those at the other side.
type Ring struct {
	side int
	at   []float64
}

func (r Ring) start(i int) int { return i * r.side }

func (r Ring) closed() {
	n, at := r.side, r.at
	for i := 1; i < n-1; i++ {
		row := r.start(i)
		at[row], at[row+n-1] = at[row+n-2], at[row+1]
	}
	copy(at[r.start(0):][:n], at[r.start(n-2):][:n])
	copy(at[(n-1)*n:], at[n:2*n])
}

// Ringed are numbers around which lie copies of those at the other side, moved by a few places.
//
// Construct: copy to parts of parts, also of fields of the caller: copy(r.at[lo:][:n], r.at[hi:][:n])
//
//surge:kernel
func Ringed(x []float64, side uint8, by int8) []float64 {
	n := int(side%6) + 2
	r := Ring{n, make([]float64, n*n)}
	for i, v := range x {
		r.at[i%(n*n)] += v
	}
	r.closed()
	copy(r.at[n:][int(by):][:n], x)
	clear(r.at[1:][:n-1][1:])
	return r.at
}
