// Package lacks has a kernel that there is no OpenCL code for.
package lacks

import "github.com/surge-ndp/surge/ops"

// Product multiplies matrices of a batch.
//
//surge:kernel
func Product(a, b [][]float64, n int) [][]float64 {
	return ops.Map2(func(x, y []float64) []float64 {
		columns := ops.Transpose(ops.Split(y, n))
		return ops.Flatten(ops.Map(func(row []float64) []float64 {
			return ops.Map(func(column []float64) float64 {
				return ops.Reduce(func(p, q float64) float64 { return p + q }, ops.Map2(func(p, q float64) float64 { return p * q }, row, column), 0)
			}, columns)
		}, ops.Split(x, n)))
	}, a, b)
}
