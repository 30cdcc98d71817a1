// Package clibrary has kernels with parameters that programs in C can get wrong.
package clibrary

import "github.com/surge-ndp/surge/ops"

// Point is two columns in C.
type Point struct{ X, Y float64 }

// Norms reads two columns that have one length.
//
//surge:kernel
func Norms(ps []Point) []float64 {
	return ops.Map(func(p Point) float64 { return p.X*p.X + p.Y*p.Y }, ps)
}

// Dots reads rows of two columns, which are cut in the same way.
//
//surge:kernel
func Dots(rows [][]Point) []float64 {
	return ops.Map(func(r []Point) float64 {
		return ops.Reduce(func(a, b float64) float64 { return a + b }, ops.Map(func(p Point) float64 { return p.X * p.Y }, r), 0)
	}, rows)
}

// Scaled returns rows.
//
//surge:kernel
func Scaled(rows [][]float64, by float64) [][]float64 {
	return ops.Map(func(r []float64) []float64 { return ops.Map(func(x float64) float64 { return x * by }, r) }, rows)
}

// Series has rows of two kinds, which need not be equally long, and a number.
type Series struct {
	Name   string
	Values []float32
	From   float32
}

// Totals adds up each series and the length of its name.
//
//surge:kernel
func Totals(all []Series) []float32 {
	return ops.Map(func(s Series) float32 {
		return s.From + float32(len(s.Name)) + ops.Reduce(func(a, b float32) float32 { return a + b }, s.Values, 0)
	}, all)
}

// Twice returns what it computes twice, its argument, and a number.
//
//surge:kernel
func Twice(xs []int32) ([]int32, []int32, []int32, int) {
	ys := ops.Map(func(x int32) int32 { return 2 * x }, xs)
	return ys, ys, xs, len(xs)
}

// Picked fails where an index is outside.
//
//surge:kernel
func Picked(xs []float64, at []int32) []float64 { return ops.Gather(xs, at) }
