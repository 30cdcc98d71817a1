// Package loops has kernels of which a part is not cut.
package loops

import "github.com/surge-ndp/surge/ops"

// Once scales the sums of rows by the greatest weight.
//
//surge:kernel
func Once(x, weights []float64, d int) []float64 {
	m := ops.Reduce(func(a, b float64) float64 { return max(a, b) }, weights, 0)
	return ops.Map(func(row []float64) float64 {
		return m * ops.Reduce(func(a, b float64) float64 { return a + b }, row, 0)
	}, ops.Split(x, d))
}

// Behind smooths squares.
//
//surge:kernel
func Behind(x []float64, n int) []float64 {
	a := ops.Map(func(v float64) float64 { return v * v }, x)
	// The loop needs all elements of the turn before.
	//
	for range n {
		b := make([]float64, len(a))
		for i := range b {
			b[i] = a[max(i-1, 0)] + a[min(i+1, len(a)-1)]
		}
		a = b
	}
	return a
}

// Ordered sorts
// values
// by
// keys.
//
//surge:kernel
func Ordered(keys []int32, values []float64) ([]int32, []float64) {
	return ops.SortByKey(keys, values)
}

// Turns is nothing but turns.
//
//surge:kernel
func Turns(x []float64, n int) []float64 {
	y := make([]float64, len(x))
	copy(y, x)
	for range n {
		for i := range y {
			y[i] = y[i]*0.5 + 1
		}
	}
	return y
}

// Running follows each element
// from the one before it.
//
//surge:kernel
func Running(x []float64) []float64 {
	y := make([]float64, len(x))
	last := 0.0
	for i, v := range x {
		last = 0.5*last + v
		y[i] = last
	}
	return y
}

// Either has two ways.
//
//surge:kernel
func Either(x, y []float64, first bool) float64 {
	s := 0.0
	if first {
		s = ops.Reduce(func(a, b float64) float64 { return a + b }, x, 0)
	} else {
		s = ops.Reduce(func(a, b float64) float64 { return a + b }, y, 0)
	}
	return s
}

// Only is nothing but a level.
//
//surge:kernel
func Only(x []float64) []float64 { return ops.Map(func(v float64) float64 { return v + 1 }, x) }
