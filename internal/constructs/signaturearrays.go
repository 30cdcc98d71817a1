// Arrays

package constructs

import (
	"github.com/surge-ndp/surge/ops"
)

// Twisted turns vectors by a matrix.
//
// Construct: arrays, and slices of arrays, as parameters and results
//
//surge:kernel
func Twisted(by [2][2]float64, p [2]float64, ps [][2]float64) ([2]float64, [][2]float64) {
	turn := func(q [2]float64) [2]float64 {
		return [2]float64{by[0][0]*q[0] + by[0][1]*q[1], by[1][0]*q[0] + by[1][1]*q[1]}
	}
	return turn(p), ops.Map(turn, ps)
}
