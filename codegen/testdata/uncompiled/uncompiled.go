// Package uncompiled has kernels that load and that fusion refuses; the table in docs/operators.md tells of each.
package uncompiled

import "github.com/surge-ndp/surge/ops"

func add(a, b float64) float64     { return a + b }
func total(s []float64) float64    { return ops.Reduce(add, s, 0) }
func totals(s [][]float64) float64 { return total(ops.Map(total, s)) }

//surge:kernel
func ConcatOfRowsOfRows(x []float64, n int) []float64 {
	tiles := ops.Split(ops.Split(x, n), 2)
	return ops.Map(totals, ops.Concat(tiles, tiles))
}
