package gen

import (
	"fmt"
	"strings"
)

// narrow describes integers that are computed in lanes of another type, the container: those of 8 and 16 bits in
// lanes of int32, which hold their values, and unsigned ones of 32 and 64 bits in signed lanes, which hold their bits.
type narrow struct {
	Kind  string // "U", "I"
	Bits  int    // bits of an element in memory
	Lanes int
}

// narrows are the kinds of less than 32 bits.
func narrows() []narrow {
	var all []narrow
	for _, bits := range []int{8, 16} {
		for _, kind := range []string{"U", "I"} {
			for _, lanes := range []int{4, 8, 16} {
				all = append(all, narrow{kind, bits, lanes})
			}
		}
	}
	return all
}

// unsigneds are the unsigned kinds of 32 and 64 bits.
var unsigneds = []narrow{{"U", 32, 4}, {"U", 32, 8}, {"U", 32, 16}, {"U", 64, 4}, {"U", 64, 8}}

// Name is what ends the names of functions, e.g. U8x16.
func (n narrow) Name() string { return fmt.Sprintf("%s%dx%d", n.Kind, n.Bits, n.Lanes) }

// Elem is the Go type of an element.
func (n narrow) Elem() string {
	if n.Unsigned() {
		return fmt.Sprintf("uint%d", n.Bits)
	}
	return fmt.Sprintf("int%d", n.Bits)
}

// Unsigned tells whether the elements are unsigned.
func (n narrow) Unsigned() bool { return n.Kind == "U" }

// Size is the size of an element in bytes.
func (n narrow) Size() int { return n.Bits / 8 }

// Container is the vector that holds the elements.
func (n narrow) Container() vector { return vector{"I", max(n.Bits, 32), n.Lanes} }

// Shift is by how many bits a lane is wider than an element.
func (n narrow) Shift() int { return 32 - n.Bits }

// Bytes is how many bytes the elements of a vector have in memory.
func (n narrow) Bytes() int { return n.Size() * n.Lanes }

// Extend is the method of simd/archsimd that widens the elements in the lower lanes of a vector to the container's.
func (n narrow) Extend() string {
	to := "Int32"
	if n.Unsigned() {
		to = "Uint32"
	}
	if n.Bytes() == 16 || n.Bytes() == 32 {
		return "ExtendTo" + to
	}
	return fmt.Sprintf("ExtendLo%dTo%s", n.Lanes, to)
}

// AS is the type of simd/archsimd whose elements are widened: of 128 bits, or of 256 where there are more.
func (n narrow) AS() string {
	kind := "Int"
	if n.Unsigned() {
		kind = "Uint"
	}
	return fmt.Sprintf("%s%dx%d", kind, n.Bits, max(16, n.Bytes())/n.Size())
}

// Part is the type of simd/archsimd of 128 bits with such elements.
func (n narrow) Part() string {
	kind := "Int"
	if n.Unsigned() {
		kind = "Uint"
	}
	return fmt.Sprintf("%s%dx%d", kind, n.Bits, 128/n.Bits)
}

// Parts lists the numbers of the parts of 128 bits that the elements fill.
func (n narrow) Parts() []int { return []int{0, 1}[:max(1, n.Bytes()/16)] }

// PartLanes is how many elements are in each part.
func (n narrow) PartLanes() int { return n.Lanes / len(n.Parts()) }

// Chunk loads as many elements as a part has, from an index on, as a vector of bytes. What else it has does not matter.
func (n narrow) Chunk(i string) string {
	at := fmt.Sprintf("unsafe.Add(unsafe.Pointer(p), (%s)*%d)", i, n.Size())
	switch n.PartLanes() * n.Size() {
	case 4:
		return fmt.Sprintf("archsimd.BroadcastInt32x4(*(*int32)(%s)).AsInt8x16()", at)
	case 8:
		return fmt.Sprintf("archsimd.BroadcastInt64x2(*(*int64)(%s)).AsInt8x16()", at)
	}
	return fmt.Sprintf("archsimd.LoadInt8x16((*[16]int8)(%s))", at)
}

// ExtendPart are the calls that widen the elements of a part, a vector of bytes, to lanes of int32.
func (n narrow) ExtendPart() string {
	part := narrow{n.Kind, n.Bits, n.PartLanes()}
	call := "." + part.Extend() + "()"
	if n.Part() != "Int8x16" {
		call = ".As" + n.Part() + "()" + call
	}
	if n.Unsigned() {
		call += fmt.Sprintf(".AsInt32x%d()", part.Lanes)
	}
	return call
}

// Picks are the indexes of a shuffle of bytes within 128 bits that puts the lower bytes of four lanes at the front, and
// zeros behind.
func (n narrow) Picks() string {
	var at []string
	for k := range 16 {
		index := "-1"
		if lane, b := k/n.Size(), k%n.Size(); lane < 4 {
			index = fmt.Sprint(4*lane + b)
		}
		at = append(at, index)
	}
	return strings.Join(append(at, at...), ", ")
}
