package cluster

import (
	"fmt"
	"reflect"
	"slices"
)

// kinds are the types of elements, in the order of the numbers that [AppendValues] writes, which begin with 1.
var kinds = []reflect.Type{
	reflect.TypeFor[bool](),
	reflect.TypeFor[int](), reflect.TypeFor[int8](), reflect.TypeFor[int16](), reflect.TypeFor[int32](), reflect.TypeFor[int64](),
	reflect.TypeFor[uint](), reflect.TypeFor[uint8](), reflect.TypeFor[uint16](), reflect.TypeFor[uint32](), reflect.TypeFor[uint64](),
	reflect.TypeFor[float32](), reflect.TypeFor[float64](),
}

// TypeOf returns the type of a value's elements, as Go calls it, and its rank: 0 for a scalar, 1 for a slice and 2 for
// [Rows]. The type is "" for what is no [Value].
func TypeOf(v Value) (kind string, rank int) {
	if rows, ok := v.(Rows); ok {
		if kind, rank := TypeOf(rows.Data); rank == 1 {
			return kind, 2
		}
		return "", 2
	}
	t := reflect.TypeOf(v)
	if t == nil {
		return "", 0
	}
	if t.Kind() == reflect.Slice && t.Name() == "" {
		t, rank = t.Elem(), 1
	}
	if !slices.Contains(kinds, t) {
		return "", rank
	}
	return t.Name(), rank
}

// ElementType returns the type of elements that Go calls by a name, nil if there is none.
func ElementType(kind string) reflect.Type {
	for _, t := range kinds {
		if t.Name() == kind {
			return t
		}
	}
	return nil
}

// Len returns the number of elements of a slice, of rows for [Rows], and 0 for a scalar.
func Len(v Value) int {
	if rows, ok := v.(Rows); ok {
		return max(0, len(rows.Offsets)-1)
	}
	if r := reflect.ValueOf(v); r.Kind() == reflect.Slice {
		return r.Len()
	}
	return 0
}

// Size returns how many bytes the elements of values take.
func Size(values ...Value) (bytes int) {
	for _, v := range values {
		if rows, ok := v.(Rows); ok {
			bytes += Size(rows.Data) + 8*len(rows.Offsets)
			continue
		}
		r := reflect.ValueOf(v)
		switch {
		case v == nil:
		case r.Kind() == reflect.Slice:
			bytes += r.Len() * int(r.Type().Elem().Size())
		default:
			bytes += int(r.Type().Size())
		}
	}
	return bytes
}

// Slice returns elements [lo, hi) of a slice, or these rows of [Rows], which share memory with it. The bounds must be
// ascending and within it.
func Slice(v Value, lo, hi int) Value {
	rows, ok := v.(Rows)
	if !ok {
		return reflect.ValueOf(v).Slice3(lo, hi, hi).Interface()
	}
	if len(rows.Offsets) == 0 {
		return Rows{Data: rows.Data, Offsets: []int{0}}
	}
	offsets := slices.Clone(rows.Offsets[lo : hi+1])
	first := offsets[0]
	for i := range offsets {
		offsets[i] -= first
	}
	return Rows{Data: Slice(rows.Data, first, first+offsets[len(offsets)-1]), Offsets: offsets}
}

// Concat puts slices of one type behind each other, or rows, into memory of its own. There is at least one.
func Concat(parts []Value) (Value, error) {
	kind, rank := TypeOf(parts[0])
	if kind == "" || rank == 0 {
		return nil, fmt.Errorf("a value of type %T is no sequence", parts[0])
	}
	total := 0
	for _, p := range parts {
		if k, r := TypeOf(p); k != kind || r != rank {
			return nil, fmt.Errorf("parts of types %T and %T do not fit behind each other", parts[0], p)
		}
		total += Len(p)
	}
	if rank == 2 {
		data := make([]Value, len(parts))
		offsets := append(make([]int, 0, total+1), 0)
		for i, p := range parts {
			rows := p.(Rows)
			if err := checkRows(rows); err != nil {
				return nil, err
			}
			data[i] = rows.Data
			base := offsets[len(offsets)-1]
			for _, at := range rows.Offsets[min(1, len(rows.Offsets)):] {
				offsets = append(offsets, base+at)
			}
		}
		all, err := Concat(data)
		return Rows{Data: all, Offsets: offsets}, err
	}
	all := reflect.MakeSlice(reflect.TypeOf(parts[0]), 0, total)
	for _, p := range parts {
		all = reflect.AppendSlice(all, reflect.ValueOf(p))
	}
	return all.Interface(), nil
}

// checkRows says what is wrong with the offsets of rows: they begin with 0, ascend and end with the length of the data.
func checkRows(rows Rows) error {
	n := Len(rows.Data)
	if len(rows.Offsets) == 0 && n == 0 {
		return nil
	}
	if len(rows.Offsets) == 0 || rows.Offsets[0] != 0 || !slices.IsSorted(rows.Offsets) || rows.Offsets[len(rows.Offsets)-1] != n {
		return fmt.Errorf("the offsets of rows do not ascend from 0 to their %d elements", n)
	}
	return nil
}

// Single makes a slice of one scalar.
func Single(v Value) Value {
	s := reflect.MakeSlice(reflect.SliceOf(reflect.TypeOf(v)), 1, 1)
	s.Index(0).Set(reflect.ValueOf(v))
	return s.Interface()
}
