package cut

import (
	"fmt"

	"github.com/surge-ndp/surge/ops/ir"
)

// Plan says how a kernel runs block by block. Whole values are the same for all blocks, block values belong to one;
// both are numbered, as the generated description of a kernel has them: first the parameters, or the lengths of those
// that are cut, and the parts of the cut ones, then where each of these begins, then what steps compute.
type Plan struct {
	Name   string
	Pos    ir.Pos // of the first operator of the level that is cut
	Params []Param
	Cuts   []Cut // in the order in which their extents can be computed
	Length int   // the whole value that is the number of elements of the level
	Wholes int
	Parts  int
	Stages []Stage
	// Results are those of the kernel, in order.
	Results []Result
	// Alone is what of the source one worker runs.
	Alone []Alone
}

// Alone is a part of a kernel that one worker runs, with all of what it reads, and why.
type Alone struct {
	Pos ir.Pos
	Why string
}

// Param is a parameter of the kernel.
type Param struct {
	Var *ir.Var
	Cut bool
	// Why says, of a sequence that is not cut, why each worker needs all of it.
	Why string
	// Offsets says that blocks of another parameter begin and end where this one says.
	Offsets bool
}

// Cut says which elements [lo, hi) of a parameter a block reads: lo is the least Times·v(k)+Lo and hi the greatest
// Times·v(k)+Hi, for k from the block's first element plus From to its last one plus To; v(k) is k, or element k of
// parameter By if that is not negative.
type Cut struct {
	Param, By     int
	From, To      int
	Times, Lo, Hi Term
}

// Term is the whole value Slot plus Const, or, if Slot is negative, Const.
type Term struct{ Slot, Const int }

// Step is a part of the kernel. The parameters of Func are, in a step of a block, the first element, the number of
// elements and the number of the block; then the whole values and the block values that it takes. Out are the places of
// its first results.
type Step struct {
	Func               *ir.Func
	Wholes, Parts, Out []int
}

// Stage is a step that runs once, and then one for each block. Either may be nil.
type Stage struct {
	Whole, Block *Step
	Partials     []Partial
	// Combine takes the combined ones of Partials of two blocks, or groups of such, and yields those of both.
	Combine *ir.Func
	// Sort, if it is not nil, moves elements to other blocks behind the step. The last two of Partials are its samples,
	// unless it is placed.
	Sort *Sort
}

// Functions are those of the stage, in order: what runs once, the blocks, what combines.
func (s *Stage) Functions() (fs []*ir.Func) {
	for _, step := range []*Step{s.Whole, s.Block} {
		if step != nil {
			fs = append(fs, step.Func)
		}
	}
	if s.Combine != nil {
		fs = append(fs, s.Combine)
	}
	return fs
}

// Partial is the place, among whole values, of what the blocks yield together: combined, or listed, one behind the
// other: a sequence of one scalar for each block, or of all elements of their sequences.
type Partial struct {
	Whole  int
	Listed bool
}

// Result is a result of the kernel: a whole value, or a block value, of which the parts are joined.
type Result struct {
	Type  ir.Type
	Block bool
	Slot  int
}

// Refused says why a kernel has no level that can be cut.
type Refused struct {
	Pos ir.Pos
	Why string
}

// Error returns the position and the reason.
func (r *Refused) Error() string { return fmt.Sprintf("%s: %s", r.Pos, r.Why) }
