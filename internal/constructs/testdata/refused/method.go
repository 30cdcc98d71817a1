// Section: Functions
// Construct: methods
// Code: method-call
// Instead: Squares

package refused

import (
	"github.com/surge-ndp/surge/ops"
)

type meters float64

func (m meters) double() meters { return 2 * m }

//surge:kernel
func Method(x []float64) []float64 {
	return ops.Map(func(v float64) float64 { return float64(meters(v).double()) }, x)
}
