//go:build cgo

package fit

/*
#include <stdlib.h>
*/
import "C"

import (
	"fmt"
	"io"
	"runtime"
	"unsafe"

	"github.com/sjwhitworth/golearn/base"
	"github.com/sjwhitworth/golearn/linear_models"
)

func init() { base.SetLoggerOut(io.Discard) } // the solver tells every step

// solver reports why there is none in this build; nil if there is.
func solver() error { return nil }

// hard is the penalty that stands for a hard margin.
const hard = 1e9

// The structs of liblinear that golearn's hold and do not show.
type (
	liblinearProblem struct {
		l, n int32
		y    *float64
		x    **liblinearNode
		bias float64
	}
	liblinearNode struct {
		index int32
		value float64
	}
	liblinearModel struct {
		solver   int32
		eps, c   float64
		weights  int32
		label    *int32
		weight   *float64
		p        float64
		classes  int32
		features int32
		w        *float64
		labels   *int32
		bias     float64
	}
)

// solve returns the weights of the hyperplane through the origin that separates the rows by sign, with the widest
// margin. Both signs have to occur.
func solve(rows [][]float64, sign []float64) ([]float64, error) {
	problem := linear_models.NewProblem(rows, sign, -1)
	parameter := linear_models.NewParameter(linear_models.L2R_L2LOSS_SVC_DUAL, hard, 1e-4)

	// What the problem points to is memory of Go, which C may only see while it is pinned.
	inner := (*liblinearProblem)(unsafe.Pointer(problem))
	var pin runtime.Pinner
	defer pin.Unpin()
	pin.Pin(inner)
	pin.Pin(inner.y)
	pin.Pin(inner.x)
	for _, x := range unsafe.Slice(inner.x, len(rows)) {
		pin.Pin(x)
	}
	C.srand(1) // the solver visits rows in random order: the same one every time
	trained := linear_models.Train(problem, parameter)
	runtime.KeepAlive(problem)
	model := *(**liblinearModel)(unsafe.Pointer(trained))
	if model == nil || model.classes != 2 || int(model.features) < len(rows[0]) {
		return nil, fmt.Errorf("the solver gave no model for %d inputs", len(rows))
	}
	w := make([]float64, len(rows[0]))
	copy(w, unsafe.Slice(model.w, len(w)))
	if *model.labels < 0 { // the first label is the positive side
		for i := range w {
			w[i] = -w[i]
		}
	}
	C.free(unsafe.Pointer(model.w))
	C.free(unsafe.Pointer(model.labels))
	C.free(unsafe.Pointer(model))
	return w, nil
}
