// Package helpers holds functions that the kernels beside it call.
package helpers

// Cube is x³, by way of a function that is not exported.
func Cube(x float64) float64 { return square(x) * x }

func square(x float64) float64 { return x * x }

// Limit is exported to be read as a constant.
const Limit = 3
