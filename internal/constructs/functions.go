// Functions

package constructs

import "github.com/surge-ndp/surge/ops"

// Squares calls a function of the package.
//
// Construct: functions of the package, or of another package of the module
//
//surge:kernel
func Squares(x []float64) []float64 { return ops.Map(square, x) }

func square(v float64) float64 { return v * v }

// QuotientSum takes what a function returns apart.
//
// Construct: several results
//
//surge:kernel
func QuotientSum(x []int64) ([]int64, int64) {
	y := ops.Map(func(v int64) int64 {
		q, r := divided(v, 7)
		return q + r
	}, x)
	return y, ops.Reduce(func(a, b int64) int64 { return a + b }, y, 0)
}

func divided(a, b int64) (int64, int64) { return a / b, a % b }

// Extent names its results.
//
// Construct: named results, and return without values
//
//surge:kernel
func Extent(x []float64) (low, high float64) {
	if len(x) == 0 {
		return
	}
	low, high = x[0], x[0]
	for _, v := range x {
		if v < low {
			low = v
		}
		if v > high {
			high = v
		}
	}
	return
}

// Shifted uses a literal that reads what is around it.
//
// Construct: function literals that read variables around them
//
//surge:kernel
func Shifted(x []float64, by float64) []float64 {
	scale := 2 * by
	shift := func(v float64) float64 { return scale*v + by }
	return ops.Map(shift, x)
}

// Twice passes a function on.
//
// Construct: functions as parameters of functions
//
//surge:kernel
func Twice(x []int32) []int32 {
	return ops.Map(func(v int32) int32 { return apply(func(a int32) int32 { return 3*a + 1 }, v) }, x)
}

func apply(f func(int32) int32, v int32) int32 { return f(f(v)) }

// Mean has a parameter that it does not use.
//
// Construct: parameters that are not used
//
//surge:kernel
func Mean(x []float64, unused bool) float64 {
	return ops.Reduce(func(a, b float64) float64 { return a + b }, x, 0) / float64(max(len(x), 1))
}

// MeanOfFour passes a slice in place of several arguments.
//
// Construct: a slice in place of a variable number of arguments
//
//surge:kernel
func MeanOfFour(x []float64) []float64 {
	return ops.Map(func(part []float64) float64 { return averageOf(part) }, ops.Split(x, 4))
}

func averageOf(x []float64) float64 {
	s := 0.0
	for _, v := range x {
		s += v
	}
	return s / float64(len(x))
}

// Kind chooses between functions by a switch.
//
// Construct: a switch in place of a slice of functions
//
//surge:kernel
func Kind(x []float64, kind []uint8) []float64 {
	return ops.Map2(func(v float64, k uint8) float64 {
		switch k % 3 {
		case 0:
			return square(v)
		case 1:
			return -v
		}
		return v + 1
	}, x, kind)
}
