// Package spmv multiplies a sparse matrix by a dense vector: Listing 1 of the Surge paper.
package spmv

import "github.com/surge-ndp/surge/ops"

// SpMV multiplies a matrix in compressed sparse row form by a dense vector.
//
//surge:kernel
func SpMV(values []float64, columns, rowOffsets []int32, x []float64) []float64 {
	rows, cols := ops.Nest(values, rowOffsets), ops.Nest(columns, rowOffsets)
	return ops.Map2(func(row []float64, col []int32) float64 {
		products := ops.Map2(func(a, b float64) float64 { return a * b }, row, ops.Gather(x, col))
		return ops.Reduce(func(a, b float64) float64 { return a + b }, products, 0)
	}, rows, cols)
}
