package drive

import (
	"fmt"
	"math"
	"reflect"

	"github.com/surge-ndp/surge/codegen/exec"
)

// inexact says where got differs from want by more units in the last place than allowed, or in the sign of a zero.
func inexact(got, want any, ulps int) string {
	g, w := reflect.ValueOf(got), reflect.ValueOf(want)
	if w.Kind() == reflect.Slice && g.Len() == w.Len() && w.Type().Elem().Kind() == reflect.Slice {
		for i := range w.Len() {
			if text := inexact(g.Index(i).Interface(), w.Index(i).Interface(), ulps); text != "" {
				return fmt.Sprintf("row %d: %s", i, text)
			}
		}
		return ""
	}
	if w.Kind() != reflect.Slice || g.Len() != w.Len() {
		return ""
	}
	for i := range w.Len() {
		switch w := w.Index(i); w.Kind() {
		case reflect.Float64:
			if x, y := g.Index(i).Float(), w.Float(); (x == x || y == y) && !within(int64(math.Float64bits(x)), int64(math.Float64bits(y)), ulps) {
				return fmt.Sprintf("element %d is %v, want %v, to %d units in the last place", i, x, y, ulps)
			}
		case reflect.Float32:
			x, y := float32(g.Index(i).Float()), float32(w.Float())
			if (x == x || y == y) && !within(int64(int32(math.Float32bits(x))), int64(int32(math.Float32bits(y))), ulps) {
				return fmt.Sprintf("element %d is %v, want %v, to %d units in the last place", i, x, y, ulps)
			}
		}
	}
	return ""
}

// within compares floats by their bits, which count units in the last place where the sign is the same.
func within(x, y int64, ulps int) bool {
	return x == y || x^y >= 0 && max(x, y)-min(x, y) <= int64(ulps)
}

const guardLength = 20

// guard makes a destination for a result, inside a larger buffer whose other elements must not change.
func guard(want any) (exec.Option, func(any) string) {
	switch w := want.(type) {
	case []float64:
		return guarded(len(w), math.NaN())
	case []float32:
		return guarded(len(w), float32(math.NaN()))
	case []int:
		return guarded(len(w), int(0x5a))
	case []int64:
		return guarded(len(w), int64(0x5a))
	case []int32:
		return guarded(len(w), int32(0x5a))
	case []int16:
		return guarded(len(w), int16(0x5a))
	case []int8:
		return guarded(len(w), int8(0x5a))
	case []uint8:
		return guarded(len(w), uint8(0x5a))
	case []uint16:
		return guarded(len(w), uint16(0x5a))
	case []uint32:
		return guarded(len(w), uint32(0x5a))
	case []uint64:
		return guarded(len(w), uint64(0x5a))
	case []uint:
		return guarded(len(w), uint(0x5a))
	case []bool:
		return guarded(len(w), len(w)%2 == 0)
	case [][]float64:
		return guarded(count(w), math.NaN())
	case [][]float32:
		return guarded(count(w), float32(math.NaN()))
	case [][]int:
		return guarded(count(w), int(0x5a))
	case [][]int64:
		return guarded(count(w), int64(0x5a))
	case [][]int32:
		return guarded(count(w), int32(0x5a))
	case [][]int16:
		return guarded(count(w), int16(0x5a))
	case [][]int8:
		return guarded(count(w), int8(0x5a))
	case [][]uint8:
		return guarded(count(w), uint8(0x5a))
	case [][]uint16:
		return guarded(count(w), uint16(0x5a))
	case [][]uint32:
		return guarded(count(w), uint32(0x5a))
	case [][]uint64:
		return guarded(count(w), uint64(0x5a))
	case [][]uint:
		return guarded(count(w), uint(0x5a))
	case [][]bool:
		return guarded(count(w), count(w)%2 == 0)
	}
	return exec.Into[float64](nil), nil
}

func guarded[T number](n int, poison T) (exec.Option, func(any) string) {
	buf := make([]T, n+2*guardLength)
	for i := range buf {
		buf[i] = poison
	}
	return exec.Into(buf[guardLength : guardLength+n : guardLength+n]), func(got any) string {
		if y, ok := got.([]T); ok && n > 0 && &y[0] != &buf[guardLength] {
			return "the result is not in its destination"
		}
		for i, x := range buf {
			if inside := i >= guardLength && i < guardLength+n; !inside && x != poison && poison == poison || !inside && poison != poison && x == x {
				return fmt.Sprintf("element %d of a result of %d was written: %v", i-guardLength, n, x)
			}
		}
		return ""
	}
}

// count is the number of elements of an argument.
func count(a any) int {
	v := reflect.ValueOf(a)
	if v.Kind() != reflect.Slice {
		return 1
	}
	if v.Type().Elem().Kind() != reflect.Slice {
		return v.Len()
	}
	n := 0
	for i := range v.Len() {
		n += v.Index(i).Len()
	}
	return n
}

func deepCopy(args []any) []any {
	out := make([]any, len(args))
	for i, a := range args {
		out[i] = copyOf(reflect.ValueOf(a)).Interface()
	}
	return out
}

func copyOf(v reflect.Value) reflect.Value {
	if v.Kind() != reflect.Slice {
		return v
	}
	c := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
	for i := range v.Len() {
		c.Index(i).Set(copyOf(v.Index(i)))
	}
	return c
}
