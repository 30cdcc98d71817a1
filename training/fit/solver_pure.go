//go:build !cgo

package fit

import "errors"

// errNoSolver is the error of [Train] in a build without cgo.
var errNoSolver = errors.New("this surge was built without cgo, and the solver of its support vector machines is C++: build it with CGO_ENABLED=1 and a C compiler")

func solverAvailable() error { return errNoSolver }

func solve([][]float64, []float64) ([]float64, error) { return nil, errNoSolver }
