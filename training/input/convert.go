package input

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
)

// Convert gives v with elements of another kind. Nothing is lost silently:
// a fraction, a value outside the range or a NaN made an integer is an [*Error]
// that names the element. Rounding to a float kind is not an error, becoming
// infinite is. Booleans and numbers convert as 0 and 1. The result shares the
// array when the kind is already the right one.
func Convert(v Value, kind Kind) (Value, error) {
	if v.Kind == kind {
		return v, nil
	}
	data, bad, ok := convertData(v.Data, kind)
	if !ok {
		return Value{}, conversionError(v, bad, kind)
	}
	v.Data, v.Kind = data, kind
	return v, nil
}

func conversionError(v Value, bad int, kind Kind) error {
	f := v.Float64(bad)
	x := strconv.FormatFloat(f, 'g', -1, 64)
	if f == math.Trunc(f) && math.Abs(f) < 1e20 { // an integer of any kind, in full
		x = fmt.Sprint(reflect.ValueOf(v.Data).Index(bad))
		if v.Kind.IsFloat() {
			x = strconv.FormatFloat(f, 'f', 0, 64)
		}
	}
	e := &Error{What: fmt.Sprintf("%s does not fit %s", x, kind), Code: "out-of-range"}
	if len(v.Dims) > 0 {
		e.What = fmt.Sprintf("element %d, %s, does not fit %s", bad, x, kind)
	}
	switch {
	case kind == Bool:
		e.Why, e.Do = "a bool is made from 0 or 1", "change the input to hold 0 and 1"
	case kind == Float32:
		e.Why, e.Do = "its magnitude is beyond the largest float32", "scale the input, or make the parameter a float64"
	case f != math.Trunc(f) || math.IsNaN(f):
		e.Why, e.Do = "an integer has no fraction", "round the input, make it with integers(n, …), or make the parameter a float"
	default:
		e.Why, e.Do = "it is outside the range of "+kind.String(), "scale the input, or make the parameter wider"
	}
	return e
}

// convertData converts a []T to a slice of another kind; when ok is false, bad
// is the first element that cannot be represented.
func convertData(data any, kind Kind) (out any, bad int, ok bool) {
	switch from := data.(type) {
	case []bool:
		bits := make([]uint8, len(from))
		for i, b := range from {
			if b {
				bits[i] = 1
			}
		}
		return convertNumbers(bits, kind)
	case []int:
		return convertNumbers(from, kind)
	case []int8:
		return convertNumbers(from, kind)
	case []int16:
		return convertNumbers(from, kind)
	case []int32:
		return convertNumbers(from, kind)
	case []int64:
		return convertNumbers(from, kind)
	case []uint:
		return convertNumbers(from, kind)
	case []uint8:
		return convertNumbers(from, kind)
	case []uint16:
		return convertNumbers(from, kind)
	case []uint32:
		return convertNumbers(from, kind)
	case []uint64:
		return convertNumbers(from, kind)
	case []float32:
		return convertNumbers(from, kind)
	case []float64:
		return convertNumbers(from, kind)
	}
	return nil, 0, false
}

func convertNumbers[From number](from []From, kind Kind) (any, int, bool) {
	switch kind {
	case Bool:
		out := make([]bool, len(from))
		for i, x := range from {
			if x != 0 && x != 1 {
				return nil, i, false
			}
			out[i] = x == 1
		}
		return out, 0, true
	case Int:
		return toInteger[From, int](from)
	case Int8:
		return toInteger[From, int8](from)
	case Int16:
		return toInteger[From, int16](from)
	case Int32:
		return toInteger[From, int32](from)
	case Int64:
		return toInteger[From, int64](from)
	case Uint:
		return toInteger[From, uint](from)
	case Uint8:
		return toInteger[From, uint8](from)
	case Uint16:
		return toInteger[From, uint16](from)
	case Uint32:
		return toInteger[From, uint32](from)
	case Uint64:
		return toInteger[From, uint64](from)
	case Float32:
		out := make([]float32, len(from))
		for i, x := range from {
			out[i] = float32(x)
			if math.IsInf(float64(out[i]), 0) && !math.IsInf(float64(x), 0) {
				return nil, i, false
			}
		}
		return out, 0, true
	case Float64:
		out := make([]float64, len(from))
		for i, x := range from {
			out[i] = float64(x)
		}
		return out, 0, true
	}
	return nil, 0, false
}

// toInteger checks each element by range before converting, because Go leaves
// the conversion of a float outside the range to the machine.
func toInteger[From, To number](from []From) (any, int, bool) {
	var zero To
	signed := zero-1 < zero
	bits := kindOf[To]().Size() * 8
	low, high := 0.0, math.Ldexp(1, bits) // [low, high) as doubles, both exact
	if signed {
		low, high = -math.Ldexp(1, bits-1), math.Ldexp(1, bits-1)
	}
	float := kindOf[From]().IsFloat()
	out := make([]To, len(from))
	for i, x := range from {
		if float {
			f := float64(x)
			if !(f >= low && f < high) || f != math.Trunc(f) {
				return nil, i, false
			}
			out[i] = To(f)
			continue
		}
		y := To(x)
		if From(y) != x || (y < 0) != (x < 0) {
			return nil, i, false
		}
		out[i] = y
	}
	return out, 0, true
}
