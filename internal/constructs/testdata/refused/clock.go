// Section: Input, output and concurrency
// Construct: functions whose result is not said by their arguments: time.Now, rand.Float64
// Code: foreign-call
// Instead: Scaled

package refused

import (
	"github.com/surge-ndp/surge/ops"
	"math/rand"
)

//surge:kernel
func Clock(x []float64) []float64 {
	return ops.Map(func(v float64) float64 { return v * rand.Float64() }, x)
}
