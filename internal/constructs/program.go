// Input, output and concurrency

package constructs

import "github.com/surge-ndp/surge/ops"

// Scaled computes what several goroutines would.
//
// Construct: ops.Map in place of goroutines, channels and locks
//
//surge:kernel
func Scaled(x []float64, by float64) []float64 {
	return ops.Map(func(v float64) float64 { return v * by }, x)
}

// Summed adds numbers up.
//
// Construct: ops.Reduce in place of a variable that a function literal adds to
//
//surge:kernel
func Summed(x []float64) float64 {
	return ops.Reduce(func(a, b float64) float64 { return a + b }, x, 0)
}
