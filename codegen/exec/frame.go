package exec

import (
	"slices"
	"unsafe"
)

// Frame describes the generated struct that holds the inputs of a kernel, its results and what passes between its
// computations, for code that is not Go and reaches the fields by number.
type Frame struct {
	// Names are the fields: arrays (also the row offsets of ragged ones) and scalars.
	Names []string
	// Inputs is the number of fields, the first ones, that are the kernel's parameters.
	Inputs int
	// Outputs are the arrays that the kernel returns: when a run is over they are in the frame's memory.
	Outputs []int
	// Fixed are the inputs whose values do not change while bound either: index and offset sequences. A device
	// keeps them; the others are copied again in every run.
	Fixed []int
	// Get returns field i of a frame.
	Get func(frame any, i int) Value
	// Set sets scalar field i of a frame to the value with these bits, of which the low ones count.
	Set func(frame any, i int, bits uint64)
}

// IsFixed reports whether the values of field i do not change while the kernel is bound.
func (f *Frame) IsFixed(i int) bool { return slices.Contains(f.Fixed, i) }

// Number is a type that arrays and scalars of a kernel have.
type Number interface {
	~bool | ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64
}

// Value is an array or a scalar of a frame. An array's memory belongs to the frame.
type Value struct {
	Data    unsafe.Pointer // of an array; nil if it is empty or a scalar
	Len     int            // elements of an array, -1 for a scalar
	Elem    int            // bytes of an element or of the scalar
	Bits    uint64         // of a scalar: the low ones count
	IsArray bool
}

// Array returns a slice as a value.
func Array[T Number](s []T) Value {
	var zero T
	v := Value{Len: len(s), Elem: int(unsafe.Sizeof(zero)), IsArray: true}
	if len(s) > 0 {
		v.Data = unsafe.Pointer(unsafe.SliceData(s))
	}
	return v
}

// Scalar returns a number as a value.
func Scalar[T Number](x T) Value {
	v := Value{Len: -1, Elem: int(unsafe.Sizeof(x))}
	// A number's bytes, the low ones first: code that is not Go runs where the byte order is little-endian.
	copy((*[8]byte)(unsafe.Pointer(&v.Bits))[:v.Elem], unsafe.Slice((*byte)(unsafe.Pointer(&x)), v.Elem))
	return v
}

// Bits returns the number of type T with these bits: what [Frame.Set] is given.
func Bits[T Number](bits uint64) T {
	var x T
	copy(unsafe.Slice((*byte)(unsafe.Pointer(&x)), unsafe.Sizeof(x)), (*[8]byte)(unsafe.Pointer(&bits))[:])
	return x
}
