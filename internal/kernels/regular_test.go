package kernels_test

import (
	"errors"
	"strings"
	"unicode"

	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/training/input"
)

// uneven reports whether a variant was asked for that is for rows of one length, with others.
func uneven(err error) bool {
	var e *exec.Error
	return errors.As(err, &e) && e.Code == exec.CodeUneven
}

// inputsOf are the inputs of a kernel, or of that which it is a way of for rows of one length.
func inputsOf(name string) [][]input.Value {
	if of, ok := strings.CutSuffix(strings.TrimSuffix(name, "Whole"), "Regular"); ok {
		return inputs[string(unicode.ToUpper(rune(of[0])))+of[1:]]
	}
	return inputs[name]
}

func init() {
	cell := func(in, back, x, h []int, units int) []input.Value {
		return []input.Value{lengths[float32](in...), lengths[float32](back...), float32s(units, -1, 1), lengths[float32](x...), lengths[float32](h...)}
	}
	inputs["Activate"] = [][]input.Value{
		cell(alike(37, 11), alike(37, 6), alike(19, 11), alike(19, 6), 37), cell(alike(5, 1), alike(5, 40), alike(18, 2), alike(18, 41), 5),
		cell(stretches(), stretches()[1:], alike(3, 9), alike(3, 9), 90), cell(alike(8, 3), append(alike(7, 4), 2), alike(2, 3), alike(2, 4), 8),
		cell(alike(1, 5), alike(1, 5), alike(1, 5), alike(1, 5), 1), cell(alike(4, 0), alike(4, 0), alike(2, 0), alike(2, 0), 4),
		cell(nil, nil, alike(3, 4), nil, 0), cell(alike(3, 4), alike(3, 4), nil, nil, 3)}
	grid := func(ns ...int) []input.Value {
		v := ints[uint8](sum(ns), 0, 2)
		return []input.Value{volume(v, ns)}
	}
	inputs["Generation"] = [][]input.Value{grid(alike(13, 37)...), grid(alike(1, 9)...), grid(alike(9, 1)...), grid(5, 3, 0, 8), grid(alike(4, 0)...), grid()}
	inputs["Smear"] = [][]input.Value{
		{lengths[float64](alike(7, 33)...), lengths[float64](alike(7, 33)...), scalar(3)}, {lengths[float64](4, 0, 9), lengths[float64](5, 1, 9), scalar(2)},
		{lengths[float64](alike(5, 4)...), lengths[float64](alike(6, 7)...), scalar(0)}, {lengths[float64](), lengths[float64](), scalar(4)},
		{lengths[float64](alike(3, 0)...), lengths[float64](alike(3, 0)...), scalar(2)}, {lengths[float64](1), lengths[float64](1), scalar(1)}}
}

func sum(ns []int) (all int) {
	for _, n := range ns {
		all += n
	}
	return all
}
