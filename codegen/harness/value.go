package harness

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"github.com/surge-ndp/surge/codegen/exec"
)

// Note [Leaves]
//
// A parameter or a result has a Go type, and users of the command bind scalars, vectors and nested vectors. What
// they bind, and what they see of results, are the leaves of the type: its numbers, named by the path to them, with a
// dimension for each slice and array around. A struct has a leaf for each of its fields' (m.Data, m.Rows), a slice of
// structs a vector for each (bodies.At.X), a complex number z.real and z.imag, a string one vector of bytes, and an
// array of arrays one dimension. An array that would be a third dimension, or a later one, has a leaf for each element:
// x[0], x[1].
//
// Going from leaves to values and back follows the type and carries spots: where in memory the numbers of one leaf
// lie, in order.

// Value is a parameter or a result of the Go function.
type Value struct {
	Name string
	Type string // as Go writes it

	typ  reflect.Type
	into func(at unsafe.Pointer, n int) exec.Option // nil if no destination can be given
}

// Of describes a parameter, or a result that goes to new memory in each run.
func Of[T any](name string) Value {
	return Value{Name: name, Type: reflect.TypeFor[T]().String(), typ: reflect.TypeFor[T]()}
}

// Into describes a result of type T, a slice of E or of rows of E, that goes where the harness wants it.
func Into[T, E any](name string) Value {
	v := Of[T](name)
	v.into = func(at unsafe.Pointer, n int) exec.Option { return exec.Into(unsafe.Slice((*E)(at), n)) }
	return v
}

// ErrorText is the value of a result of type error.
func ErrorText(err error) string {
	if err == nil {
		return "<nil>"
	}
	return err.Error()
}

// Own reports whether err is one of the errors that a kernel itself returns: one of a list, or, where the kernel makes
// others, one that is not about the run.
func Own(err error, own []error, makes bool) bool {
	for _, e := range own {
		if reflect.TypeOf(e) == reflect.TypeOf(err) && reflect.TypeOf(e).Comparable() && e == err {
			return true
		}
	}
	var input *exec.Error
	var device *exec.DeviceError
	var fault *Fault
	return makes && !errors.As(err, &input) && !errors.As(err, &device) && !errors.As(err, &fault) &&
		!errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded)
}

// Leaves lists what is bound to the parameter, or what there is of the result. See Note [Leaves].
func (v Value) Leaves() ([]Param, error) {
	l := &leafList{}
	l.add(v.typ, v.Name, 0, 0)
	return l.leaves, l.err
}

type leafList struct {
	leaves []Param
	err    error
}

// add lists the leaves of a type, in rank dimensions of which the innermost may be an array's, of so many elements.
func (l *leafList) add(t reflect.Type, name string, rank, array int) {
	number := func(t reflect.Kind, name string) {
		l.leaves = append(l.leaves, Param{name, strings.Repeat("[]", rank) + t.String(), array})
	}
	switch t.Kind() {
	case reflect.Pointer:
		l.add(t.Elem(), name, rank, array)
	case reflect.Struct:
		for i := range t.NumField() {
			l.add(t.Field(i).Type, name+"."+t.Field(i).Name, rank, array)
		}
	case reflect.Array:
		if array == 0 && rank >= 2 {
			for i := range t.Len() {
				l.add(t.Elem(), name+"["+strconv.Itoa(i)+"]", rank, 0)
			}
			return
		}
		if array == 0 {
			rank, array = rank+1, 1
		}
		l.add(t.Elem(), name, rank, array*t.Len())
	case reflect.Slice:
		l.add(t.Elem(), name, rank+1, 0)
	case reflect.String:
		rank, array = rank+1, 0
		number(reflect.Uint8, name)
	case reflect.Complex128:
		number(reflect.Float64, name+".real")
		number(reflect.Float64, name+".imag")
	case reflect.Complex64:
		number(reflect.Float32, name+".real")
		number(reflect.Float32, name+".imag")
	default:
		if _, ok := kinds[t.Kind()]; !ok {
			l.err = fmt.Errorf("%s is a %s", name, t)
		}
		number(t.Kind(), name)
	}
}

// assemble makes the arguments of a kernel from the leaves of all of them.
func assemble(params []Value, leaves []array) ([]any, error) {
	args := make([]any, len(params))
	for i, p := range params {
		own, err := p.Leaves()
		if err != nil {
			return nil, err
		}
		if len(leaves) < len(own) {
			return nil, fmt.Errorf("%s needs %d values", p.Name, len(own))
		}
		if len(own) == 1 && own[0].Type == p.Type { // as it was sent
			args[i], leaves = leaves[0].value(), leaves[1:]
			continue
		}
		value := reflect.New(p.typ)
		b := &builder{leaves: leaves[:len(own)], names: own}
		b.place(p.typ, []unsafe.Pointer{value.UnsafePointer()}, 0, nil)
		if b.err != nil {
			return nil, b.err
		}
		args[i], leaves = value.Elem().Interface(), leaves[len(own):]
	}
	return args, nil
}

// builder puts leaves where a value has them.
type builder struct {
	leaves []array
	names  []Param
	at     int // the next leaf
	err    error
}

func (b *builder) fail(err error) {
	if b.err == nil {
		b.err = err
	}
}

// place fills the spots, which are of type t, in rank dimensions; rows has the offsets of all but the innermost one.
func (b *builder) place(t reflect.Type, spots []unsafe.Pointer, rank int, rows [][]int64) {
	if b.err != nil {
		return
	}
	switch t.Kind() {
	case reflect.Pointer:
		for _, s := range spots {
			to := reflect.New(t.Elem())
			reflect.NewAt(t, s).Elem().Set(to)
			b.place(t.Elem(), []unsafe.Pointer{to.UnsafePointer()}, rank, rows)
		}
	case reflect.Struct:
		for i := range t.NumField() {
			b.place(t.Field(i).Type, shifted(spots, t.Field(i).Offset), rank, rows)
		}
	case reflect.Array:
		b.array(t, spots, rank, rows)
	case reflect.Slice:
		b.slice(t, spots, rank, rows)
	case reflect.String:
		leaf := b.next()
		if rank == 0 {
			setString(t, spots[0], string(leaf.raw()))
			return
		}
		offsets := b.level(leaf, b.at-1, rank, len(spots), rows)
		if b.err != nil {
			return
		}
		text := string(leaf.raw())
		for i, s := range spots {
			setString(t, s, text[offsets[i]:offsets[i+1]])
		}
	case reflect.Complex64:
		b.number(spots, rank, rows)
		b.number(shifted(spots, 4), rank, rows)
	case reflect.Complex128:
		b.number(spots, rank, rows)
		b.number(shifted(spots, 8), rank, rows)
	default:
		b.number(spots, rank, rows)
	}
}

func setString(t reflect.Type, at unsafe.Pointer, text string) {
	reflect.NewAt(t, at).Elem().SetString(text)
}

func shifted(spots []unsafe.Pointer, by uintptr) []unsafe.Pointer {
	out := make([]unsafe.Pointer, len(spots))
	for i, s := range spots {
		out[i] = unsafe.Add(s, by)
	}
	return out
}

// flattened returns the type of the elements of an array, those of an array of arrays in one row, and how many there
// are.
func flattened(t reflect.Type) (reflect.Type, int) {
	n := 1
	for ; t.Kind() == reflect.Array; t = t.Elem() {
		n *= t.Len()
	}
	return t, n
}

// spread returns the spots of the n elements of each array.
func spread(spots []unsafe.Pointer, size uintptr, n int) []unsafe.Pointer {
	out := make([]unsafe.Pointer, 0, len(spots)*n)
	for _, s := range spots {
		for i := range n {
			out = append(out, unsafe.Add(s, uintptr(i)*size))
		}
	}
	return out
}

// scaled are the offsets of rows whose elements are arrays of n, in place of elements.
func scaled(rows [][]int64, n int) [][]int64 {
	inner := slices.Clone(rows[len(rows)-1])
	for i := range inner {
		inner[i] *= int64(n)
	}
	return append(slices.Clone(rows[:len(rows)-1]), inner)
}

// even returns the offsets of rows of n elements.
func even(rows, n int) []int64 {
	offsets := make([]int64, rows+1)
	for i := range offsets {
		offsets[i] = int64(i * n)
	}
	return offsets
}

// level returns the offsets of the rows of a leaf in which there is one for each of so many spots, in rank dimensions.
func (b *builder) level(leaf array, at, rank, spots int, rows [][]int64) []int64 {
	all := leaf.offsets()
	if len(all) < rank {
		b.fail(fmt.Errorf("%s has %d dimensions", b.names[at].Name, len(all)+1))
		return nil
	}
	b.sameRows(all[:rank-1], rows, at)
	b.sized(at, len(all[rank-1])-1, spots)
	return all[rank-1]
}

// sameRows reports a leaf whose rows are not as long as they have to be.
func (b *builder) sameRows(got, want [][]int64, at int) {
	if !slices.EqualFunc(got, want, slices.Equal) {
		b.fail(&exec.Error{Code: "length", Detail: fmt.Sprintf("the rows of %s differ in length from those of the other parts of the same slice, or from the array that they are",
			b.names[at].Name)})
	}
}

func (b *builder) array(t reflect.Type, spots []unsafe.Pointer, rank int, rows [][]int64) {
	if rank >= 2 {
		for i := range t.Len() {
			b.place(t.Elem(), shifted(spots, uintptr(i)*t.Elem().Size()), rank, rows)
		}
		return
	}
	elem, n := flattened(t)
	if rank == 1 {
		rows = [][]int64{even(len(spots), n)}
	}
	b.inArray(elem, spread(spots, elem.Size(), n), rank+1, rows)
}

// inArray is place for elements of an array, where further arrays are no further dimension.
func (b *builder) inArray(t reflect.Type, spots []unsafe.Pointer, rank int, rows [][]int64) {
	switch t.Kind() {
	case reflect.Array:
		elem, n := flattened(t)
		if rows != nil {
			rows = scaled(rows, n)
		}
		b.inArray(elem, spread(spots, elem.Size(), n), rank, rows)
	case reflect.Struct:
		for i := range t.NumField() {
			b.inArray(t.Field(i).Type, shifted(spots, t.Field(i).Offset), rank, rows)
		}
	default:
		b.place(t, spots, rank, rows)
	}
}

// slice makes slices: one, or one for each spot.
func (b *builder) slice(t reflect.Type, spots []unsafe.Pointer, rank int, rows [][]int64) {
	if b.at >= len(b.leaves) {
		b.fail(fmt.Errorf("a %s without a value", t))
		return
	}
	first := b.leaves[b.at]
	n := first.argument().Count
	if levels := first.offsets(); len(levels) > rank {
		n = len(levels[rank]) - 1
	}
	elem := t.Elem()
	var made reflect.Value
	if rank == 0 {
		made = reflect.MakeSlice(t, n, n)
		reflect.NewAt(t, spots[0]).Elem().Set(made)
	} else { // rows: one slice of all elements, cut
		offsets := b.level(first, b.at, rank, len(spots), rows)
		if b.err != nil {
			return
		}
		rows = first.offsets()[:rank]
		made = reflect.MakeSlice(reflect.SliceOf(elem), n, n)
		for i, s := range spots {
			reflect.NewAt(t, s).Elem().Set(made.Slice3(int(offsets[i]), int(offsets[i+1]), int(offsets[i+1])))
		}
	}
	b.place(elem, spread([]unsafe.Pointer{made.UnsafePointer()}, elem.Size(), n), rank+1, rows)
}

func (b *builder) next() array {
	b.at++
	return b.leaves[b.at-1]
}

// sized reports a leaf of which another number of elements, or rows, is needed.
func (b *builder) sized(leaf, got, want int) {
	if got != want {
		b.fail(&exec.Error{Code: "length", Detail: fmt.Sprintf("%s has %d elements, and %d are needed: the length of an array, or of the other parts of the same slice",
			b.names[leaf].Name, got, want)})
	}
}

func (b *builder) number(spots []unsafe.Pointer, rank int, rows [][]int64) {
	if b.err != nil {
		return
	}
	leaf := b.next()
	if b.sized(b.at-1, leaf.argument().Count, len(spots)); b.err != nil {
		return
	}
	if b.sameRows(leaf.offsets(), rows, b.at-1); b.err != nil {
		return
	}
	leaf.put(spots)
}

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
