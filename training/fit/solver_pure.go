//go:build !cgo

package fit

import "errors"

// errNoSolver is the error of [Learn] in a build without cgo.
var errNoSolver = errors.New("it was built without cgo, and the solver of support vector machines is C++, which needs a C compiler")

// Available reports why [Learn] cannot work in this build; nil if it can.
func Available() error { return errNoSolver }

func solve([][]float64, []float64) ([]float64, error) { return nil, errNoSolver }
