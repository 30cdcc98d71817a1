package kir

import "github.com/surge-ndp/surge/ops/ir"

// Type is the type of a value: Lanes elements of one kind. A scalar has one lane. A bool in several lanes is a mask and
// Bits says how wide the elements are that it selects (32 or 64).
type Type struct {
	Kind  ir.Kind
	Lanes int
	Bits  int
}

// ScalarType returns the type of a scalar of kind k.
func ScalarType(k ir.Kind) Type { return Type{Kind: k, Lanes: 1} }

// LaneBits is the width in bits of a lane that holds kind k. Numbers of less than 32 bits are computed in lanes of 32,
// and are narrow in memory only.
func LaneBits(k ir.Kind) int { return max(8*k.Bytes(), 32) }

// Int is the type of indices and lengths.
var Int = ScalarType(ir.Int)

// Space is where an array lives.
type Space uint8

// The memory spaces.
const (
	Global    Space = iota // inputs, results and intermediate sequences of the kernel: fields of the frame
	Partial                // one value a chunk of a parallel loop, combined in chunk order
	Scratch                // owned by one worker for the length of one iteration
	Strip                  // a small fixed buffer of the function, of Size elements
	Lines                  // the same, beginning where a cache line does
	Local                  // shared by a workgroup: Size elements for each of its work-items
	Private                // Size elements of one work-item
	Temporary              // a buffer of the device
	Own                    // the same, of which each work-item has as many elements for itself as its [Temp] says
)

// Array is a sequence of scalars in memory. The name is unique in its function.
type Array struct {
	Name  string
	Kind  ir.Kind
	Space Space
	Size  int    // elements: Strip, Lines, Local, Private
	Field *Field // where the elements of a Global array lie if that is in structs; nil for most
	// RowLength is the Host variable that is the length of its rows, if it has such and is read as rows only: a row that
	// is read begins at a multiple of it. Empty for most.
	RowLength string
}

// Field is a number of each struct of a sequence, the elements of an array that has no column of its own.
type Field struct {
	Structs string // the sequence of structs in the frame
	Path    string // from a struct to the number in Go: .pos.x
	GoType  string // of the number
	Apart   int    // how many numbers of its size a struct holds, if nothing else and few enough for [Every]; else 0
	Nth     int    // where Apart is not 0: how many of them lie before it
}

// Var is a variable of a function. Its name is unique in the function. A Host variable is a scalar of the frame,
// computed before the function runs and constant while it does. A vector with Memory is assigned to once and stays
// there, not in a register.
type Var struct {
	Name   string
	T      Type
	Host   bool
	Memory *Array // nil for most variables
	At     int    // the element of Memory that holds the first lane
	Saved  bool   // the vector is in a register too, up to the next call
}

// Func is one computation under one form, schedule and choice of code parameters, or one inspector.
type Func struct {
	Name string
	Doc  string
	Body []Stmt
}
