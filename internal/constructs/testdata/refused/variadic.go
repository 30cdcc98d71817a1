// Section: Functions
// Construct: a variable number of arguments
// Code: variadic
// Instead: MeanOfFour

package refused

import (
	"github.com/surge-ndp/surge/ops"
)

func average(x ...float64) float64 { return x[0] }

//surge:kernel
func Variadic(x []float64) []float64 {
	return ops.Map(func(v float64) float64 { return average(v, 1) }, x)
}
