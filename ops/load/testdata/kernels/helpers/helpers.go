// Package helpers holds functions that the kernels beside it call.
package helpers

import "github.com/surge-ndp/surge/ops"

// Cube is x³, by way of a function that is not exported.
func Cube(x float64) float64 { return square(x) * x }

func square(x float64) float64 { return x * x }

// Limit is exported to be read as a constant.
const Limit = 3

// Limits are set at start.
var Limits = limits(2, 9)

func limits(a, b int) []int { return []int{a, b, a * b} }

var bound = 5

// Clipped reads a variable that only this package names.
func Clipped(x []int) []int { return ops.Map(func(v int) int { return min(v, bound) }, x) }
