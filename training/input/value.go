package input

import (
	"fmt"
	"reflect"
	"slices"
)

// element is any Go type that a kind stands for.
type element interface {
	bool | number
}

type number interface {
	int | int8 | int16 | int32 | int64 | uint | uint8 | uint16 | uint32 | uint64 | float32 | float64
}

// Value is a scalar or an array that can be given to a kernel.
//
// Data is always a slice of the kind's Go type: one element for a scalar, the
// elements in row-major order otherwise. Dims has no entry for a scalar, one
// for a vector, two and more for a dense array of rows × columns. Nested values
// ([][]T, [][][]T, …) have Offsets, for each level of rows from the outermost one
// on: row i is made of elements Offsets[k][i] to Offsets[k][i+1] of the next
// level, or of Data; Dims is the number of outermost rows alone. A Value that
// came from a [Source] shares its arrays: do not write.
type Value struct {
	Kind    Kind
	Dims    []int
	Data    any
	Offsets [][]int
}

// Vector makes a one-dimensional value that owns data.
func Vector[T element](data []T) Value {
	return Value{Kind: kindOf[T](), Dims: []int{len(data)}, Data: data}
}

// Scalar makes a value of rank 0.
func Scalar[T element](x T) Value {
	return Value{Kind: kindOf[T](), Data: []T{x}}
}

// Slice gives the elements as a []T; ok is false when they are of another kind.
func Slice[T element](v Value) (data []T, ok bool) {
	data, ok = v.Data.([]T)
	return data, ok
}

// Len is the number of elements; for a nested value the elements of all rows.
func (v Value) Len() int {
	if v.Data == nil {
		return 0
	}
	return reflect.ValueOf(v.Data).Len()
}

// Length is what Go's len gives for the parameter: the outermost dimension, and
// 1 for a scalar.
func (v Value) Length() int {
	if len(v.Dims) == 0 {
		return 1
	}
	return v.Dims[0]
}

// Type gives the Go type: T, []T, or [][]T and so on for nested values and those of several dimensions.
func (v Value) Type() Type {
	rank := len(v.Dims)
	if v.Offsets != nil {
		rank = len(v.Offsets) + 1
	}
	return Type{Kind: v.Kind, Rank: rank}
}

// Bytes is the size of the elements in a raw file.
func (v Value) Bytes() int64 { return int64(v.Len()) * int64(v.Kind.Size()) }

// Float64 gives element i as a double (true is 1), for printing single elements.
func (v Value) Float64(i int) float64 {
	one, _, _ := convertData(reflect.ValueOf(v.Data).Slice(i, i+1).Interface(), Float64)
	return one.([]float64)[0]
}

// RowOffsets gives the rows+1 offsets of each level of a nested value, or one of several dimensions, as a vector of
// int64, so that they can be handed over like any other array. The outermost level is the first.
func (v Value) RowOffsets() ([]Value, error) {
	nested, err := v.nest(max(v.Type().Rank, 2))
	if err != nil {
		return nil, err
	}
	var all []Value
	for _, level := range nested.Offsets {
		offsets := make([]int64, len(level))
		for i, o := range level {
			offsets[i] = int64(o)
		}
		all = append(all, Vector(offsets))
	}
	return all, nil
}

// String describes the value without its elements: float64[1000], int = 5.
func (v Value) String() string {
	switch {
	case v.Data == nil:
		return "nothing"
	case v.Offsets != nil:
		s := fmt.Sprintf("%s[%d", v.Kind, v.Dims[0])
		for _, level := range v.Offsets[1:] {
			s += fmt.Sprintf(" and %d", len(level)-1)
		}
		return fmt.Sprintf("%s rows, %d elements]", s, v.Len())
	case len(v.Dims) == 0:
		return fmt.Sprintf("%s = %v", v.Kind, v.Float64(0))
	}
	s := v.Kind.String()
	for _, d := range v.Dims {
		s += fmt.Sprintf("[%d]", d)
	}
	return s
}

// nest gives the value as rows in so many dimensions: nested as it is, dense with equal rows.
func (v Value) nest(rank int) (Value, error) {
	switch {
	case v.Offsets != nil && len(v.Offsets)+1 == rank:
		return v, nil
	case v.Offsets == nil && len(v.Dims) == rank && rank > 1:
		rows := 1
		for k, n := range v.Dims[:rank-1] {
			rows *= n
			offsets := make([]int, rows+1)
			for i := range offsets {
				offsets[i] = i * v.Dims[k+1]
			}
			v.Offsets = append(v.Offsets, offsets)
		}
		v.Dims = v.Dims[:1:1]
		return v, nil
	case v.Type().Rank > 1:
		return v, &Error{
			What: fmt.Sprintf("%s has %d dimensions", v, v.Type().Rank), Code: "type-mismatch",
			Why: fmt.Sprintf("the parameter has %d", rank), Do: "write nest(x, offsets) or matrix(x, rows, cols)",
		}
	}
	return v, &Error{
		What: fmt.Sprintf("%s has no rows", v), Code: "type-mismatch",
		Why: "a [][]T is made of rows, and a flat array does not say where they start",
		Do:  "write nest(x, offsets) or matrix(x, rows, cols)",
	}
}

// nestBy makes rows of a value's elements, or of its rows; offsets must rise from 0 to their number.
func (v Value) nestBy(offsets []int) (Value, error) {
	if v.Offsets == nil && len(v.Dims) > 1 {
		v, _ = v.nest(len(v.Dims))
	}
	bad := func(i int, why string) error {
		return &Error{
			What: fmt.Sprintf("offset %d is %d", i, offsets[i]), Code: "bad-offsets",
			Why: why, Do: "give the start of each row and, last, the number of elements",
		}
	}
	n := v.Len()
	if v.Offsets != nil {
		n = v.Dims[0]
	}
	if len(offsets) == 0 {
		return v, &Error{What: "there are no offsets", Code: "bad-offsets",
			Why: "offsets have one element more than there are rows", Do: "give at least the offset 0"}
	}
	for i, o := range offsets {
		switch {
		case i == 0 && o != 0:
			return v, bad(i, "the first row starts at 0")
		case i > 0 && o < offsets[i-1]:
			return v, bad(i, fmt.Sprintf("offsets never decrease, and the one before is %d", offsets[i-1]))
		case o > n:
			return v, bad(i, fmt.Sprintf("there are only %d elements", n))
		}
	}
	if last := len(offsets) - 1; offsets[last] != n {
		return v, bad(last, fmt.Sprintf("the last row must end at the last of %d elements", n))
	}
	v.Dims, v.Offsets = []int{len(offsets) - 1}, append([][]int{slices.Clone(offsets)}, v.Offsets...)
	return v, nil
}
