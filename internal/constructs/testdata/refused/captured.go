// Section: Input, output and concurrency
// Construct: a function literal that assigns a variable around it
// Code: captured-write
// Instead: Summed

package refused

import (
	"github.com/surge-ndp/surge/ops"
)

//surge:kernel
func Captured(x []float64) float64 {
	sum := 0.0
	ops.Map(func(v float64) float64 {
		sum += v
		return v
	}, x)
	return sum
}
