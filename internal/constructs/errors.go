// Errors

package constructs

import (
	"errors"
	"fmt"

	"github.com/surge-ndp/surge/ops"
)

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

// The errors of Solved.
var (
	ErrSingular = errors.New("singular")
	errSize     = errors.New("not two by two")
)

func inverse(m []float64) (a, b, c, d float64, err error) {
	if len(m) < 4 {
		return 0, 0, 0, 0, errSize
	}
	det := m[0]*m[3] - m[1]*m[2]
	if det == 0 {
		return 0, 0, 0, 0, ErrSingular
	}
	return m[3] / det, -m[1] / det, -m[2] / det, m[0] / det, nil
}

// Solved returns errors, its own and those of a function that it calls.
//
// Construct: results of type error: nil, package-level errors, and errors.New with a constant text
//
//surge:kernel
func Solved(m, x []float64, steps int) (float64, float64, error) {
	if steps < -50 {
		return 0, 0, errors.New("too few steps")
	}
	a, b, c, d, err := inverse(m)
	if err != nil {
		return 0, 0, err
	}
	s := ops.Reduce(func(p, q float64) float64 { return p + q }, x, 0)
	return a*s + b, c*s + d, nil
}

// Ratio returns errors that wrap others.
//
// Construct: fmt.Errorf with %w, and errors.Join, of constants and of errors that the kernel knows
//
//surge:kernel
func Ratio(x, y []float64) (float64, error) {
	sum := func(v []float64) float64 { return ops.Reduce(func(a, b float64) float64 { return a + b }, v, 0) }
	switch d := sum(y); {
	case len(x) == 0 && len(y) == 0:
		return 0, errors.Join(ErrSingular, errSize)
	case d == 0:
		return 0, fmt.Errorf("ratio of %d sums: %w", 2, ErrSingular)
	default:
		return sum(x) / d, nil
	}
}
