// Errors

package constructs

import "github.com/surge-ndp/surge/ops"

// Checked fails by an index when it is given a bad number.
//
// Construct: a panic of Go itself, which becomes an error
//
//surge:kernel
func Checked(x []int32, by int32) []int32 {
	return ops.Map(func(v int32) int32 { return v / by }, x)
}

// Status returns a number in place of an error.
//
// Construct: a number as a result in place of an error with a text of its own
//
//surge:kernel
func Status(x []float64) (float64, int) {
	if len(x) == 0 {
		return 0, 1
	}
	return ops.Reduce(func(a, b float64) float64 { return a + b }, x, 0), 0
}

// Root fails with a text of its own.
//
// Construct: panic under a condition, which becomes an error with its text
//
//surge:kernel
func Root(x []float64, limit int) []float64 {
	if limit < -90 {
		panic("the limit is too low")
	}
	return ops.Map(func(v float64) float64 {
		switch {
		case v > 1000:
			panic("the number is too large")
		case v < 0:
			return 0
		}
		r := v
		for i := 0; i < 4; i++ {
			r = (r + v/(r+1)) / 2
		}
		if r != r {
			panic("no root")
		}
		return r
	}, x)
}
