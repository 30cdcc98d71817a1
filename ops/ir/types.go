package ir

import "fmt"

// Kind is the type of one element.
type Kind uint8

// The element kinds, named after Go's types.
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
	Invalid: "invalid", Bool: "bool", Int: "int", Int8: "int8", Int16: "int16", Int32: "int32", Int64: "int64",
	Uint: "uint", Uint8: "uint8", Uint16: "uint16", Uint32: "uint32", Uint64: "uint64", Float32: "float32", Float64: "float64",
}

// String returns the Go name of the kind.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// ParseKind returns the kind with the Go name s.
func ParseKind(s string) (Kind, bool) {
	for k := Bool; int(k) < len(kindNames); k++ {
		if kindNames[k] == s {
			return k, true
		}
	}
	return Invalid, false
}

// IsFloat reports whether k is float32 or float64.
func (k Kind) IsFloat() bool { return k == Float32 || k == Float64 }

// IsInteger reports whether k is a signed or unsigned integer kind.
func (k Kind) IsInteger() bool { return k >= Int && k <= Uint64 }

// IsUnsigned reports whether k is an unsigned integer kind.
func (k Kind) IsUnsigned() bool { return k >= Uint && k <= Uint64 }

// IsNumeric reports whether k is an integer or floating-point kind.
func (k Kind) IsNumeric() bool { return k.IsInteger() || k.IsFloat() }

// Bytes returns the size of one element in bytes; int and uint count as 8.
func (k Kind) Bytes() int {
	switch k {
	case Bool, Int8, Uint8:
		return 1
	case Int16, Uint16:
		return 2
	case Int32, Uint32, Float32:
		return 4
	}
	return 8
}

// Holds reports whether k and o are kinds of integers, and all of kind o are of kind k as well.
func (k Kind) Holds(o Kind) bool {
	switch {
	case !k.IsInteger() || !o.IsInteger():
		return false
	case k.IsUnsigned() == o.IsUnsigned():
		return k.Bytes() >= o.Bytes()
	}
	return o.IsUnsigned() && k.Bytes() > o.Bytes()
}

// Type is the type of a value: a scalar (rank 0), a sequence (rank 1) or a nested sequence (rank 2 and more).
type Type struct {
	Kind Kind
	Rank int
}

// Scalar returns the scalar type of kind k.
func Scalar(k Kind) Type { return Type{Kind: k} }

// Seq returns the type of a sequence of k.
func Seq(k Kind) Type { return Type{Kind: k, Rank: 1} }

// Elem returns the type of an element of t, which must have rank 1 or more.
func (t Type) Elem() Type { return Type{t.Kind, t.Rank - 1} }

// Array returns the type of a sequence of t.
func (t Type) Array() Type { return Type{t.Kind, t.Rank + 1} }

// IsScalar reports whether t has rank 0.
func (t Type) IsScalar() bool { return t.Rank == 0 }

// String returns the type in Go syntax.
func (t Type) String() string {
	s := ""
	for range t.Rank {
		s += "[]"
	}
	return s + t.Kind.String()
}
