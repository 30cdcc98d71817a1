//go:build !cgo

package fit

import "errors"

// errNoSolver is the error of [Learn] in a build without cgo, where it is to learn support vector machines.
var errNoSolver = errors.New("it was built without cgo, and the solver of support vector machines is C++, which needs a C compiler")

// solver reports why there is none in this build; nil if there is.
func solver() error { return errNoSolver }

func solve([][]float64, []float64) ([]float64, error) { return nil, errNoSolver }
