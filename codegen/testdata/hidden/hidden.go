// Package hidden declares the names of packages and built-in functions that generated code uses.
package hidden

import (
	gomath "math"

	"github.com/surge-ndp/surge/ops"
)

type vec struct{ X, Y float64 }

type rt int

var math, bits, exec, context, harness = 1, 2, 3, 4, 5

func min(a, b int) int {
	if a < b {
		return a
	}
	return b
}

func max(a, b float64) float64 {
	if a > b {
		return a
	}
	return b
}

// Lengths has lengths of at most a limit.
//
//surge:kernel
func Lengths(vs []vec, limit float64) []float64 {
	return ops.Map(func(v vec) float64 { return gomath.Min(gomath.Sqrt(v.X*v.X+v.Y*v.Y), limit) }, vs)
}

// Least is the smallest number, and the largest.
//
//surge:kernel
func Least(x []int, y []float64) (int, float64) {
	return ops.Reduce(min, x, 1<<62), ops.Reduce(func(a, b float64) float64 { return gomath.Max(a, b) }, y, gomath.Inf(-1))
}
