// Types

package constructs

import "github.com/surge-ndp/surge/ops"

// Celsius is a temperature.
type Celsius float64

// Warmest computes with a named number.
//
// Construct: a named type over a number, inside a kernel
//
//surge:kernel
func Warmest(x []float64) float64 {
	return float64(ops.Reduce(func(a, b Celsius) Celsius { return max(a, b) }, ops.Map(func(v float64) Celsius { return Celsius(v) }, x), -300))
}
