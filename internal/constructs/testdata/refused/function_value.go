// Section: Functions
// Construct: functions chosen while the kernel runs
// Code: func-value
// Instead: Kind

package refused

import (
	"github.com/surge-ndp/surge/ops"
	"math"
)

//surge:kernel
func FunctionValue(x []float64, k int) []float64 {
	fs := []func(float64) float64{math.Sqrt, math.Abs}
	f := fs[k]
	return ops.Map(func(v float64) float64 { return f(v) }, x)
}
