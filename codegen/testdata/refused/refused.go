// Package refused has kernels that are valid Go and that loading refuses; the table in docs/operators.md tells of each.
package refused

import "github.com/surge-ndp/surge/ops"

func add(a, b float64) float64 { return a + b }

//surge:kernel
func ScanOfRows(x []float64, n int) [][]float64 {
	return ops.Scan(func(a, b []float64) []float64 { return ops.Reverse(b) }, ops.Split(x, n), x)
}

//surge:kernel
func ReduceOfRows(x []float64, n int) []float64 {
	return ops.Reduce(func(a, b []float64) []float64 { return ops.Reverse(b) }, ops.Split(x, n), x)
}

//surge:kernel
func ReduceByKeyOfRows(x []float64, k []int32, n int) [][]float64 {
	_, y := ops.ReduceByKey(func(a, b []float64) []float64 { return ops.Reverse(b) }, ops.Split(x, n), k, x)
	return y
}

//surge:kernel
func HistogramOfRows(x []float64, k []int32, n int) [][]float64 {
	return ops.Histogram(func(a, b []float64) []float64 { return ops.Map2(add, a, b) }, n, k, ops.Split(x, n), x)
}

//surge:kernel
func Append(x []float64, v float64) []float64 { return append(x, v) }

//surge:kernel
func ScanOfRowsOfRows(x []float64, n int) []float64 {
	tiles := ops.Split(ops.Split(x, n), 2)
	sums := ops.Scan(func(a, b [][]float64) [][]float64 { return b }, tiles, ops.Split(x, n))
	return ops.Map(func(t [][]float64) float64 { return t[0][0] }, sums)
}

//surge:kernel
func SequenceFromLoop(x []float64, n int) []float64 {
	for i := range n {
		if x[i] > 0 {
			return ops.Reverse(x)
		}
	}
	return x
}
