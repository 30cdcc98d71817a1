package harness

import (
	"fmt"
	"reflect"
	"slices"
	"unsafe"

	"github.com/surge-ndp/surge/codegen/exec"
)

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
