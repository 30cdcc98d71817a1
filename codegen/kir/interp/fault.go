package interp

import (
	"fmt"
	"math"
	"strings"

	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// FaultKind says what is wrong with code.
type FaultKind string

// The kinds of faults.
const (
	Race      FaultKind = "race"      // uses of an element that nothing orders
	Diverging FaultKind = "diverging" // a barrier or an operation of a subgroup that not all come to
	Bounds    FaultKind = "bounds"    // an element outside of its array
	Unset     FaultKind = "unset"     // a value that nothing was written to, or that depends on one
	Overflow  FaultKind = "overflow"  // arithmetic of the lowering that leaves the range of its type
	Invalid   FaultKind = "invalid"   // what no code may do: dividing by zero, using what the frame does not have
	Endless   FaultKind = "endless"   // more steps than [Options] allows
)

// Fault is an error of the code, not of its inputs.
type Fault struct {
	Kind FaultKind
	What string
	Line int    // in the text of the code, from 1; 0 if unknown
	Text string // of that line
}

// Error returns what is wrong, and the line of the kernel IR.
func (f *Fault) Error() string {
	if f.Line == 0 {
		return fmt.Sprintf("%s: %s", f.Kind, f.What)
	}
	return fmt.Sprintf("%s: %s, in line %d: %s", f.Kind, f.What, f.Line, f.Text)
}

// at adds the place of a statement in a text.
func (f *Fault) at(text string, line int) {
	if lines := strings.Split(text, "\n"); line > 0 && line <= len(lines) {
		f.Line, f.Text = line, strings.TrimSpace(lines[line-1])
	}
}

// Failure is the error of a check of the kernel that failed.
type Failure struct {
	Check    *kir.Check // of a CheckAll, one with its terms
	Position int        // where the checked value stands in its array, -1 if unknown
	Args     []ir.Const
}

// Error returns the error that a run of compiled code ends with.
func (f *Failure) Error() string { return f.Err("kernel").Error() }

// Err returns the error that a run of the compiled kernel of that name ends with.
func (f *Failure) Err(kernel string) error {
	s := exec.Site{Kernel: kernel, Op: f.Check.Op, Arg: f.Check.Arg}
	if f.Check.Pos.IsValid() {
		s.Pos = f.Check.Pos.String()
	}
	n := func(i int) int { return int(f.Args[i].Int()) }
	switch f.Check.Kind {
	case ir.CheckIndex:
		return s.Index(f.Position, n(0), n(1))
	case ir.CheckLength:
		return s.Length(n(0), n(1))
	case ir.CheckBounds:
		return s.Bounds(f.Position, n(0), n(1), n(2))
	case ir.CheckSize:
		return s.Size(n(0))
	case ir.CheckNonneg:
		return s.Nonneg(n(0))
	case ir.CheckCount:
		return s.Count(n(0), n(1))
	case ir.CheckUnique:
		return s.Unique(n(0), n(1), n(2))
	case ir.CheckPanic:
		return s.Panic()
	case ir.CheckFinite:
		return s.Finite(math.Float64frombits(f.Args[0].Bits))
	}
	return s.Nonzero()
}
