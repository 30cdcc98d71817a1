package cluster

import (
	"context"

	"github.com/surge-ndp/surge/codegen/exec"
)

// Value is what a step takes or yields: a scalar of one of the types bool, int, int8 … uint64, float32 and float64, a
// slice of one of these, or [Rows].
type Value = any

// Rows is a sequence of sequences as flat memory: row i is Data[Offsets[i]:Offsets[i+1]]. Offsets begin with 0.
type Rows struct {
	Data    Value // a slice
	Offsets []int
}

// Kernel describes a kernel that is cut into blocks of consecutive elements of its outermost level.
//
// A run keeps two lists of values. Whole values are the same for all blocks: first one for each parameter, in order,
// which is the parameter itself, or, if that is cut, its length, an int; then what steps compute. Block values belong
// to one block: first one for each of Cuts, in order, the part of the parameter that the block reads; then for each of
// these, in the same order, where that part begins in the parameter, an int; then what steps compute.
type Kernel struct {
	Name    string // as the source calls it
	Pos     string // file:line:col of its name
	Params  []Param
	Cuts    []Cut // of the parameters that are cut, in the order in which they are read
	Length  int   // the whole value that is the number of elements of the outermost level, an int; the first step yields it
	Wholes  int   // how many whole values there are
	Parts   int   // how many block values there are
	Stages  []Stage
	Results []Result
	// Hidden returns the values of the last parameters, which are package-level variables that the kernel reads: those of
	// the process that starts a run, for all workers. It is nil if there are none.
	Hidden func() Slices
	// Steps are the functions of all steps as kernels that choose variants.
	Steps []*exec.Kernel
}

// Param is a parameter, or a column of one where the source has structs.
type Param struct {
	Name string
	Kind string // of its elements, as Go calls it
	Rank int    // 0 for a scalar, 1 for a sequence, 2 for rows
	Cut  bool   // blocks hold parts of it; else each worker has all of it
	// Offsets says that the parameter holds where rows begin in another one.
	Offsets bool
}

// Cut says which elements [lo, hi) of a parameter a block of elements i reads: lo is the least Times·v(i+From)+Lo, hi
// the greatest Times·v(i+To)+Hi, both within the parameter. v(i) is i, or, if By is not negative, element i of the cut
// parameter of that number, which precedes this one.
type Cut struct {
	Param         int // its number
	By            int // the number of a parameter, or -1
	From, To      int
	Times, Lo, Hi Term
}

// Term is an int: the whole value Slot plus Const, or, if Slot is negative, Const.
type Term struct{ Slot, Const int }

// Stage is a step that runs once, and then one that runs for each block. The last stage may have no blocks.
type Stage struct {
	Whole *Step // nil if nothing is to be computed once
	Block *Step
	// Partials says what becomes of the last results of Block, in order. Those that are combined are by Combine, which
	// takes them twice, of the earlier and of the later blocks, and yields them once. Behind them, if the stage sorts,
	// are the samples.
	Partials []Partial
	Sort     *Sort // nil if elements stay in their blocks
	Combine  func(ctx context.Context, earlier, later []Value) ([]Value, error)
}

// Step is a part of a kernel, compiled.
type Step struct {
	Wholes []int // the whole values that it takes, in order
	Parts  []int // the block values that it takes behind them
	// Out are the places of its first results: among whole values for a step that runs once, among block values for one
	// of a block.
	Out []int
	Run func(ctx context.Context, at Place, wholes, parts []Value) ([]Value, error)
}

// Place is which block a step computes: elements [First, First+Count) of the outermost level, block number Block.
type Place struct{ First, Count, Block int }

// Partial is a value that each block yields and that becomes a whole value: combined of all blocks, or, if Listed, one
// behind the other in the order of blocks: a slice of their scalars, or of all elements of their slices.
type Partial struct {
	Whole  int
	Listed bool
}

// Result is a result of the kernel: a whole value, or the block values one after the other.
type Result struct {
	Name  string
	Kind  string
	Rank  int
	Block bool
	Slot  int
}

// Source has a run's inputs. Its methods may be called at once by several goroutines.
type Source interface {
	// Len returns how many elements a parameter has, rows for a sequence of rows.
	Len(ctx context.Context, param int) (int, error)
	// Read returns elements [lo, hi) of a parameter, or its value if it is a scalar. Nobody changes what it returns.
	Read(ctx context.Context, param, lo, hi int) (Value, error)
}
