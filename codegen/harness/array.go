package harness

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"
	"unsafe"
)

// scalar is any element type of an argument or a result.
type scalar interface {
	bool | int | int8 | int16 | int32 | int64 | uint | uint8 | uint16 | uint32 | uint64 | float32 | float64
}

// array is a scalar, a vector or a nested vector with its elements in one slice.
type array interface {
	argument() Argument
	value() any         // T, []T, [][]T and so on
	offsets() [][]int64 // of the rows of each level, the outermost one first
	raw() []byte        // of the elements, in memory order
	checksum() float64
	compare(want array, param Param, n int) Comparison
	// fresh returns new memory of the same shape.
	fresh() array
	// first is where the elements lie, rows one behind the other.
	first() unsafe.Pointer
	// put copies the elements to spots in memory, one each.
	put(spots []unsafe.Pointer)
	// spoil overwrites each element with something else than the right one, NaN where it can be.
	spoil(right array)
}

// kind builds arrays of one element type.
type kind struct {
	make func(count int) array
	view func(v reflect.Value, rank int) array
	// collect copies the elements at spots in memory.
	collect func(spots []unsafe.Pointer, rank int, rows [][]int64) array
}

// kinds is indexed by the element types that may occur.
var kinds = map[reflect.Kind]kind{
	reflect.Bool: kindOf[bool](), reflect.Int: kindOf[int](), reflect.Int8: kindOf[int8](), reflect.Int16: kindOf[int16](),
	reflect.Int32: kindOf[int32](), reflect.Int64: kindOf[int64](), reflect.Uint: kindOf[uint](), reflect.Uint8: kindOf[uint8](),
	reflect.Uint16: kindOf[uint16](), reflect.Uint32: kindOf[uint32](), reflect.Uint64: kindOf[uint64](),
	reflect.Float32: kindOf[float32](), reflect.Float64: kindOf[float64](),
}

func kindOf[T scalar]() kind {
	return kind{
		make: func(count int) array { return &typed[T]{data: huge(make([]T, count))} },
		view: func(v reflect.Value, rank int) array { return viewOf[T](v, rank) },
		collect: func(spots []unsafe.Pointer, rank int, rows [][]int64) array {
			x := &typed[T]{data: make([]T, len(spots)), rank: rank, rows: rows}
			for i, s := range spots {
				x.data[i] = *(*T)(s)
			}
			return x
		},
	}
}

// typed is the array of element type T. rows has the offsets of the rows of each level, one more than there are rows.
type typed[T scalar] struct {
	data []T
	rank int
	rows [][]int64
}

// parseType splits a Go type into its element kind and its rank.
func parseType(text string) (reflect.Kind, int, error) {
	elem := strings.TrimLeft(text, "[]")
	for k := range kinds {
		if rank := (len(text) - len(elem)) / 2; k.String() == elem && text == strings.Repeat("[]", rank)+elem {
			return k, rank, nil
		}
	}
	return 0, 0, fmt.Errorf("no argument or result can have the type %q", text)
}

// readArray reads what [Argument] describes.
func readArray(r io.Reader, a Argument) (array, error) {
	k, rank, err := parseType(a.Type)
	if err != nil {
		return nil, err
	}
	if a.Count < 0 || len(a.Rows) != max(rank-1, 0) || slices.ContainsFunc(a.Rows, func(n int) bool { return n < 0 }) || rank == 0 && a.Count != 1 {
		return nil, fmt.Errorf("a %s of %d elements", a.Type, a.Count)
	}
	var rows [][]int64
	for k, n := range a.Rows {
		level := make([]int64, n+1)
		if err := readRaw(r, bytesOf(level), 8); err != nil {
			return nil, err
		}
		below := a.Count
		if k+1 < len(a.Rows) {
			below = a.Rows[k+1]
		}
		for i, o := range level {
			if o < 0 || o > int64(below) || i > 0 && o < level[i-1] {
				return nil, fmt.Errorf("row offset %d is %d", i, o)
			}
		}
		rows = append(rows, level)
	}
	x := kinds[k].make(a.Count)
	x.(interface{ shape(int, [][]int64) }).shape(rank, rows)
	if a.Count == 0 {
		return x, nil
	}
	return x, readRaw(r, x.raw(), len(x.raw())/a.Count)
}

func (x *typed[T]) shape(rank int, rows [][]int64) { x.rank, x.rows = rank, rows }

// view returns the elements of a value without copying them, except those of rows.
func view(v any) (array, error) {
	rv := reflect.ValueOf(v)
	if !rv.IsValid() {
		return nil, fmt.Errorf("a result is nil")
	}
	t, rank := rv.Type(), 0
	for ; t.Kind() == reflect.Slice; rank++ {
		t = t.Elem()
	}
	k, ok := kinds[t.Kind()]
	if !ok {
		return nil, fmt.Errorf("results of type %T cannot be handed over", v)
	}
	return k.view(rv, rank), nil
}

// viewOf works for named types too, whose memory is that of T.
func viewOf[T scalar](v reflect.Value, rank int) array {
	elements := func(v reflect.Value) []T { return unsafe.Slice((*T)(v.UnsafePointer()), v.Len()) }
	x := &typed[T]{rank: rank}
	switch rank {
	case 0:
		x.data = []T{v.Convert(reflect.TypeFor[T]()).Interface().(T)}
	case 1:
		x.data = elements(v)
	default:
		rows := []reflect.Value{v}
		for range rank - 1 {
			level := []int64{0}
			var next []reflect.Value
			for _, r := range rows {
				for i := range r.Len() {
					next = append(next, r.Index(i))
				}
				level = append(level, int64(len(next)))
			}
			x.rows, rows = append(x.rows, level), next
		}
		x.rows = x.rows[1:] // of the whole there is one
		level, total := []int64{0}, 0
		for _, r := range rows {
			total += r.Len()
			level = append(level, int64(total))
		}
		x.rows = append(x.rows, level)
		x.data = make([]T, 0, total)
		for _, r := range rows {
			x.data = append(x.data, elements(r)...)
		}
	}
	return x
}

func (x *typed[T]) argument() Argument {
	return Argument{Type: strings.Repeat("[]", x.rank) + reflect.TypeFor[T]().String(), Count: len(x.data), Rows: x.counts()}
}

// counts are how many rows each level has.
func (x *typed[T]) counts() (rows []int) {
	for _, level := range x.rows {
		rows = append(rows, len(level)-1)
	}
	return rows
}

func (x *typed[T]) value() any {
	switch x.rank {
	case 0:
		return x.data[0]
	case 1:
		return x.data
	}
	inner := x.rows[len(x.rows)-1]
	rows := make([][]T, len(inner)-1)
	for i := range rows {
		rows[i] = x.data[inner[i]:inner[i+1]:inner[i+1]]
	}
	if x.rank == 2 {
		return rows
	}
	below := reflect.ValueOf(rows)
	for _, level := range slices.Backward(x.rows[:len(x.rows)-1]) {
		n := len(level) - 1
		made := reflect.MakeSlice(reflect.SliceOf(below.Type()), n, n)
		for i := range n {
			made.Index(i).Set(below.Slice3(int(level[i]), int(level[i+1]), int(level[i+1])))
		}
		below = made
	}
	return below.Interface()
}

func (x *typed[T]) fresh() array {
	return &typed[T]{data: huge(make([]T, len(x.data))), rank: x.rank, rows: x.rows}
}

func (x *typed[T]) first() unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(x.data)) }

func (x *typed[T]) put(spots []unsafe.Pointer) {
	for i, s := range spots {
		*(*T)(s) = x.data[i]
	}
}

func (x *typed[T]) spoil(right array) {
	switch data := any(x.data).(type) {
	case []bool:
		for i, b := range any(right.(*typed[T]).data).([]bool) {
			data[i] = !b
		}
	case []float32:
		spoilFloats(data, any(right.(*typed[T]).data).([]float32))
	case []float64:
		spoilFloats(data, any(right.(*typed[T]).data).([]float64))
	default:
		memory := bytesOf(x.data)
		for i, b := range right.raw() {
			memory[i] = ^b
		}
	}
}

func spoilFloats[T float32 | float64](data, right []T) {
	for i, r := range right {
		data[i] = 0
		if r == r {
			data[i] = T(math.NaN())
		}
	}
}

func (x *typed[T]) offsets() [][]int64 { return x.rows }
func (x *typed[T]) raw() []byte        { return bytesOf(x.data) }

func bytesOf[T scalar](data []T) []byte {
	var zero T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(data))), len(data)*int(unsafe.Sizeof(zero)))
}

// readRaw fills memory with little-endian elements of size bytes.
func readRaw(r io.Reader, memory []byte, size int) error {
	if _, err := io.ReadFull(r, memory); err != nil {
		return err
	}
	swap(memory, size)
	return nil
}

// swap turns little-endian elements into native ones, or back.
func swap(memory []byte, size int) {
	if binary.NativeEndian.Uint16([]byte{1, 0}) == 1 {
		return
	}
	for ; len(memory) > 0; memory = memory[size:] {
		for i, j := 0, size-1; i < j; i, j = i+1, j-1 {
			memory[i], memory[j] = memory[j], memory[i]
		}
	}
}

// writeArray writes what readArray reads. Where memory is big-endian it leaves x swapped, so x must not be used again.
func writeArray(w io.Writer, x array) error {
	for _, level := range x.offsets() {
		rows := bytesOf(level)
		swap(rows, 8)
		if _, err := w.Write(rows); err != nil {
			return err
		}
	}
	memory := x.raw()
	if n := x.argument().Count; n > 0 {
		swap(memory, len(memory)/n)
	}
	_, err := w.Write(memory)
	return err
}

// checksum is the [Checksum] of all elements, true as 1.
func (x *typed[T]) checksum() float64 {
	switch data := any(x.data).(type) {
	case []bool:
		return Checksum(unsafe.Slice((*uint8)(unsafe.Pointer(unsafe.SliceData(data))), len(data)))
	case []int:
		return Checksum(data)
	case []int8:
		return Checksum(data)
	case []int16:
		return Checksum(data)
	case []int32:
		return Checksum(data)
	case []int64:
		return Checksum(data)
	case []uint:
		return Checksum(data)
	case []uint8:
		return Checksum(data)
	case []uint16:
		return Checksum(data)
	case []uint32:
		return Checksum(data)
	case []uint64:
		return Checksum(data)
	case []float32:
		return Checksum(data)
	case []float64:
		return Checksum(data)
	}
	panic("unreachable")
}

// Number is what a [Checksum] is made of: every scalar type of Go but complex ones.
type Number interface {
	int | int8 | int16 | int32 | int64 | uint | uint8 | uint16 | uint32 | uint64 | float32 | float64
}

// Checksum is the sum over i of v[i] * (1 + (i mod 7)/8) in double precision. It notices a wrong, missing or moved
// element, and two programs that sum in this order agree to the last bits.
func Checksum[T Number](v []T) float64 {
	sum, weight := 0.0, 0
	for _, x := range v {
		// The conversion keeps the compiler from fusing multiply and add.
		sum += float64(float64(x) * (1 + float64(weight)/8))
		if weight++; weight == 7 {
			weight = 0
		}
	}
	return sum
}
