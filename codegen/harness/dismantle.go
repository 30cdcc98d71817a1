package harness

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"unsafe"
)

// dismantle returns the leaves of values.
func dismantle(params []Value, values []any) ([]array, error) {
	var out []array
	for i, p := range params {
		v := reflect.ValueOf(values[i])
		if own, err := p.Leaves(); err == nil && len(own) == 1 && v.IsValid() && v.Kind() != reflect.Array && v.Kind() != reflect.String {
			if leaf, err := view(values[i]); err == nil { // where it lies
				out = append(out, leaf)
				continue
			}
		}
		if !v.IsValid() || v.Type() != p.typ {
			return nil, fmt.Errorf("%s is a %T, not a %s", p.Name, values[i], p.typ)
		}
		at := reflect.New(p.typ)
		at.Elem().Set(v)
		c := &collector{}
		c.take(p.typ, []unsafe.Pointer{at.UnsafePointer()}, 0, nil, false)
		if c.err != nil {
			return nil, c.err
		}
		out = append(out, c.leaves...)
	}
	return out, nil
}

// collector takes values apart.
type collector struct {
	leaves []array
	err    error
}

func (c *collector) number(k reflect.Kind, spots []unsafe.Pointer, rank int, rows [][]int64) {
	kind, ok := kinds[k]
	if !ok {
		c.err = errors.New("a value of " + k.String() + " cannot be handed over")
		return
	}
	c.leaves = append(c.leaves, kind.collect(spots, rank, rows))
}

func (c *collector) take(t reflect.Type, spots []unsafe.Pointer, rank int, rows [][]int64, array bool) {
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			c.take(t.Field(i).Type, shifted(spots, t.Field(i).Offset), rank, rows, array)
		}
	case reflect.Array:
		if rank >= 2 && !array {
			for i := range t.Len() {
				c.take(t.Elem(), shifted(spots, uintptr(i)*t.Elem().Size()), rank, rows, false)
			}
			return
		}
		elem, n := flattened(t)
		switch {
		case array && rows != nil:
			rows = scaled(rows, n)
		case !array && rank == 1:
			rows = [][]int64{even(len(spots), n)}
		}
		if !array {
			rank++
		}
		c.take(elem, spread(spots, elem.Size(), n), rank, rows, true)
	case reflect.Slice:
		var inner []unsafe.Pointer
		offsets := []int64{0}
		for _, s := range spots {
			v := reflect.NewAt(t, s).Elem()
			if v.Len() > 0 {
				inner = append(inner, spread([]unsafe.Pointer{v.UnsafePointer()}, t.Elem().Size(), v.Len())...)
			}
			offsets = append(offsets, int64(len(inner)))
		}
		if rank > 0 {
			rows = append(slices.Clone(rows), offsets)
		}
		c.take(t.Elem(), inner, rank+1, rows, false)
	case reflect.String:
		var bytes []byte
		offsets := []int64{0}
		for _, s := range spots {
			bytes = append(bytes, reflect.NewAt(t, s).Elem().String()...)
			offsets = append(offsets, int64(len(bytes)))
		}
		if rank > 0 {
			rows = append(slices.Clone(rows), offsets)
		}
		c.leaves = append(c.leaves, &typed[uint8]{data: bytes, rank: rank + 1, rows: rows})
	case reflect.Complex128:
		c.number(reflect.Float64, spots, rank, rows)
		c.number(reflect.Float64, shifted(spots, 8), rank, rows)
	case reflect.Complex64:
		c.number(reflect.Float32, spots, rank, rows)
		c.number(reflect.Float32, shifted(spots, 4), rank, rows)
	default:
		c.number(t.Kind(), spots, rank, rows)
	}
}
