// Functions

package constructs

import (
	"math/rand/v2"

	"github.com/surge-ndp/surge/ops"
)

// Trace adds the diagonal of a matrix up.
//
// Construct: a method with a pointer receiver as the kernel
//
//surge:kernel
func (m *DenseMatrix) Trace() float64 {
	s := 0.0
	for i := range min(m.Rows, m.Cols) {
		s += m.Data[i*m.Cols+i]
	}
	return s
}

// InputsDenseMatrixTrace makes matrices.
func InputsDenseMatrixTrace(n int, r *rand.Rand) []any {
	m := matrix(n, r)
	return []any{&m}
}

func matrix(n int, r *rand.Rand) DenseMatrix {
	cols := 1 + n%7
	m := DenseMatrix{make([]float64, n/cols*cols), n / cols, cols}
	for i := range m.Data {
		m.Data[i] = r.Float64()
	}
	return m
}

// Add adds a vector to a vector.
//
// Construct: a method with a value receiver as the kernel
//
//surge:kernel
func (v Recording) Add(w Recording) Recording {
	return ops.Map2(func(a, b float64) float64 { return a + b }, v, w)
}

// Most takes any number of arguments.
//
// Construct: a variable number of arguments of the kernel: RunMost takes a slice
//
//surge:kernel
func Most(x ...float64) float64 {
	return ops.Reduce(func(a, b float64) float64 { return max(a, b) }, x, 0)
}
