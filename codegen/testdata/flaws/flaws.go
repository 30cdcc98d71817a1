// Package flaws has kernels that call functions of package math which are wrong for some numbers on some processors.
package flaws

import (
	"math"

	"github.com/surge-ndp/surge/ops"
)

// Both calls both of them for float64 numbers, and Log for float32 ones too.
//
//surge:kernel
func Both(x []float64, y []float32) ([]float64, []float32) {
	return ops.Map(func(v float64) float64 { return math.Log(v) + math.Exp(v) }, x),
		ops.Map(func(v float32) float32 { return float32(math.Log(float64(v))) }, y)
}

// Neither calls none of them.
//
//surge:kernel
func Neither(x []float64) []float64 {
	return ops.Map(func(v float64) float64 { return math.Sin(v) + math.Log2(v) }, x)
}
