package cluster

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"unsafe"

	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/selector"
)

type optionsKey struct{}

// WithOptions returns a context whose steps run with options: platforms, threads, models.
func WithOptions(ctx context.Context, opts ...exec.Option) context.Context {
	return context.WithValue(ctx, optionsKey{}, opts)
}

// Options returns the options of a context, none without [WithOptions].
func Options(ctx context.Context) []exec.Option {
	opts, _ := ctx.Value(optionsKey{}).([]exec.Option)
	return opts
}

// InOrder returns a context whose steps compute each element in the order of the source, so that they give the same
// bits on every machine.
func InOrder(ctx context.Context) context.Context {
	return WithOptions(ctx, append(slices.Clone(Options(ctx)), exec.Select(selector.InOrder{}))...)
}

// Pack lays rows one after the other.
func Pack[T any](rows [][]T) Rows {
	offsets := make([]int, len(rows)+1)
	for i, row := range rows {
		offsets[i+1] = offsets[i] + len(row)
	}
	data := make([]T, 0, offsets[len(rows)])
	for _, row := range rows {
		data = append(data, row...)
	}
	return Rows{Data: data, Offsets: offsets}
}

// Unpack returns the rows of a [Rows], which are not copied; Row is their type.
func Unpack[Row ~[]T, T any](v Value) []Row {
	rows := v.(Rows)
	data := rows.Data.([]T)
	out := make([]Row, len(rows.Offsets)-1)
	for i := range out {
		lo, hi := rows.Offsets[i], rows.Offsets[i+1]
		out[i] = Row(data[lo:hi:hi])
	}
	return out
}

// Columns returns the arguments of a kernel as its values: a struct is one for each field, a complex number two, a
// string its bytes; a slice of these is a slice for each of them. Flat slices of numbers of Go's own types are not
// copied, nor is anything that they hold. It panics on types that no kernel has.
func Columns(args ...any) Slices {
	var all Slices
	for _, a := range args {
		for _, v := range columns(reflect.ValueOf(a)) {
			all = append(all, v.Interface())
		}
	}
	return all
}

// columns are the values of one argument.
func columns(v reflect.Value) []reflect.Value {
	if isNumber(v.Kind()) {
		return []reflect.Value{v.Convert(basic(v.Kind()))}
	}
	switch v.Kind() {
	case reflect.Complex64, reflect.Complex128:
		c := v.Complex()
		half := basic(reflect.Float64)
		if v.Kind() == reflect.Complex64 {
			half = basic(reflect.Float32)
		}
		return []reflect.Value{reflect.ValueOf(real(c)).Convert(half), reflect.ValueOf(imag(c)).Convert(half)}
	case reflect.String:
		return []reflect.Value{reflect.ValueOf([]byte(v.String()))}
	case reflect.Pointer:
		if v.IsNil() {
			v = reflect.New(v.Type().Elem())
		}
		return columns(v.Elem())
	case reflect.Struct:
		own := reflect.New(v.Type()).Elem() // its fields have addresses, and so can be read if they are not exported
		own.Set(v)
		var all []reflect.Value
		for i := range own.NumField() {
			f := own.Field(i)
			all = append(all, columns(reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem())...)
		}
		return all
	case reflect.Array:
		if all := arrayColumns(v); all != nil {
			return all
		}
		var all []reflect.Value
		for i := range v.Len() {
			all = append(all, columns(v.Index(i))...)
		}
		return all
	case reflect.Slice:
		if isNumber(v.Type().Elem().Kind()) {
			return []reflect.Value{reflect.SliceAt(basic(v.Type().Elem().Kind()), v.UnsafePointer(), v.Len())}
		}
		return sliceColumns(v)
	}
	panic(fmt.Sprintf("cluster: no kernel has a parameter of type %s", v.Type()))
}

// MostNumbers is how many numbers an array has at most that is a value for each of them. A longer one is a slice, or
// one for each number of an element.
const MostNumbers = 127

// arrayColumns are the slices that an array is that has many numbers, nil for others.
func arrayColumns(v reflect.Value) []reflect.Value {
	t, n := v.Type(), 1
	for ; t.Kind() == reflect.Array; t = t.Elem() {
		n *= t.Len()
	}
	if n == 0 || n*len(columns(reflect.Zero(t))) <= MostNumbers {
		return nil
	}
	flat := reflect.New(reflect.ArrayOf(n, t)) // arrays of arrays lie one behind the other
	reflect.NewAt(v.Type(), flat.UnsafePointer()).Elem().Set(v)
	return columns(flat.Elem().Slice(0, n))
}

// sliceColumns takes a slice apart whose elements are no numbers.
func sliceColumns(v reflect.Value) []reflect.Value {
	var all []reflect.Value
	for _, c := range columns(reflect.Zero(v.Type().Elem())) {
		if c.Kind() == reflect.Slice {
			all = append(all, reflect.ValueOf(Rows{Data: reflect.MakeSlice(c.Type(), 0, v.Len()).Interface(), Offsets: make([]int, 1, v.Len()+1)}))
		} else {
			all = append(all, reflect.MakeSlice(reflect.SliceOf(c.Type()), 0, v.Len()))
		}
	}
	for i := range v.Len() {
		for k, c := range columns(v.Index(i)) {
			if rows, ok := all[k].Interface().(Rows); ok {
				data := reflect.AppendSlice(reflect.ValueOf(rows.Data), c)
				all[k] = reflect.ValueOf(Rows{Data: data.Interface(), Offsets: append(rows.Offsets, data.Len())})
			} else {
				all[k] = reflect.Append(all[k], c)
			}
		}
	}
	return all
}

func isNumber(k reflect.Kind) bool {
	switch k {
	case reflect.Bool, reflect.Float32, reflect.Float64:
		return true
	}
	return k >= reflect.Int && k <= reflect.Uint64
}

// basic is Go's own type of a kind.
func basic(k reflect.Kind) reflect.Type {
	switch k {
	case reflect.Bool:
		return reflect.TypeFor[bool]()
	case reflect.Int:
		return reflect.TypeFor[int]()
	case reflect.Int8:
		return reflect.TypeFor[int8]()
	case reflect.Int16:
		return reflect.TypeFor[int16]()
	case reflect.Int32:
		return reflect.TypeFor[int32]()
	case reflect.Int64:
		return reflect.TypeFor[int64]()
	case reflect.Uint:
		return reflect.TypeFor[uint]()
	case reflect.Uint8:
		return reflect.TypeFor[uint8]()
	case reflect.Uint16:
		return reflect.TypeFor[uint16]()
	case reflect.Uint32:
		return reflect.TypeFor[uint32]()
	case reflect.Uint64:
		return reflect.TypeFor[uint64]()
	case reflect.Float32:
		return reflect.TypeFor[float32]()
	}
	return reflect.TypeFor[float64]()
}
