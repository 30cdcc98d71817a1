package input

import (
	"fmt"
	"strings"
)

// Kind is the element type of a [Value].
type Kind uint8

// The kinds are the scalar types a kernel's parameters may have, by their Go
// names. Int and Uint are 64 bits wide.
const (
	Invalid Kind = iota
	Bool
	Int
	Int8
	Int16
	Int32
	Int64
	Uint
	Uint8
	Uint16
	Uint32
	Uint64
	Float32
	Float64
)

var kindNames = [...]string{
	Invalid: "invalid", Bool: "bool",
	Int: "int", Int8: "int8", Int16: "int16", Int32: "int32", Int64: "int64",
	Uint: "uint", Uint8: "uint8", Uint16: "uint16", Uint32: "uint32", Uint64: "uint64",
	Float32: "float32", Float64: "float64",
}

// String gives the Go name of the kind.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// Size is the number of bytes of one element in memory and in a raw file.
func (k Kind) Size() int {
	switch k {
	case Bool, Int8, Uint8:
		return 1
	case Int16, Uint16:
		return 2
	case Int32, Uint32, Float32:
		return 4
	case Invalid:
		return 0
	}
	return 8
}

// IsFloat says whether the kind is float32 or float64.
func (k Kind) IsFloat() bool { return k == Float32 || k == Float64 }

// IsInteger says whether the kind is a signed or unsigned integer.
func (k Kind) IsInteger() bool { return k >= Int && k <= Uint64 }

// ParseKind is the inverse of [Kind.String] for valid kinds.
func ParseKind(name string) (Kind, error) {
	for k, n := range kindNames {
		if n == name && Kind(k) != Invalid {
			return Kind(k), nil
		}
	}
	valid := kindNames[Bool:]
	return Invalid, &Error{
		File: name, What: "this is not an element type", Code: "unknown-type",
		Why: "arrays hold " + strings.Join(valid, ", "),
		Do:  "use one of these" + nearestHint(name, valid),
	}
}

// Type is the type of a kernel parameter: T (Rank 0), []T (Rank 1), [][]T
// (Rank 2) and so on. The zero Type, Kind Invalid, stands for "whatever it is".
type Type struct {
	Kind Kind
	Rank int
}

// String gives the Go type.
func (t Type) String() string {
	if t.Kind == Invalid {
		return "any"
	}
	return strings.Repeat("[]", t.Rank) + t.Kind.String()
}

// ParseType reads a Go type such as float64, []int32 or [][]float32.
func ParseType(text string) (Type, error) {
	elem := strings.TrimSpace(text)
	rank := 0
	for strings.HasPrefix(elem, "[]") {
		elem, rank = elem[2:], rank+1
	}
	kind, err := ParseKind(elem)
	if err != nil {
		return Type{}, err
	}
	return Type{Kind: kind, Rank: rank}, nil
}

// kindOf gives the kind that stands for T.
func kindOf[T element]() Kind {
	switch any(*new(T)).(type) {
	case bool:
		return Bool
	case int:
		return Int
	case int8:
		return Int8
	case int16:
		return Int16
	case int32:
		return Int32
	case int64:
		return Int64
	case uint:
		return Uint
	case uint8:
		return Uint8
	case uint16:
		return Uint16
	case uint32:
		return Uint32
	case uint64:
		return Uint64
	case float32:
		return Float32
	}
	return Float64
}

// makeData allocates n elements of a kind.
func makeData(k Kind, n int) any {
	switch k {
	case Bool:
		return make([]bool, n)
	case Int:
		return make([]int, n)
	case Int8:
		return make([]int8, n)
	case Int16:
		return make([]int16, n)
	case Int32:
		return make([]int32, n)
	case Int64:
		return make([]int64, n)
	case Uint:
		return make([]uint, n)
	case Uint8:
		return make([]uint8, n)
	case Uint16:
		return make([]uint16, n)
	case Uint32:
		return make([]uint32, n)
	case Uint64:
		return make([]uint64, n)
	case Float32:
		return make([]float32, n)
	}
	return make([]float64, n)
}
