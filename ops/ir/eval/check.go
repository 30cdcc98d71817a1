package eval

import (
	"fmt"

	"github.com/surge-ndp/surge/ops/ir"
)

// CheckError is the error of a check that failed, or of a view that would read outside of an array.
type CheckError struct {
	Check *ir.Check // nil if no check stands before what went wrong
	Pos   ir.Pos
	Args  []ir.Const
	What  string // what went wrong if Check is nil
}

// Error returns the check and its arguments.
func (e *CheckError) Error() string {
	if e.Check == nil {
		return fmt.Sprintf("%s: %s", e.Pos, e.What)
	}
	return fmt.Sprintf("%s: check %s %q %q of %v fails", e.Pos, e.Check.Kind, e.Check.Op, e.Check.Arg, e.Args)
}

// Holds reports whether the condition that a check of this kind states holds for its arguments.
func Holds(kind ir.CheckKind, x []ir.Const) bool {
	switch kind {
	case ir.CheckIndex:
		return 0 <= x[0].Int() && x[0].Int() < x[1].Int()
	case ir.CheckLength, ir.CheckUnique:
		return x[0].Int() == x[1].Int()
	case ir.CheckBounds:
		return 0 <= x[0].Int() && x[0].Int() <= x[1].Int() && x[1].Int() <= x[2].Int()
	case ir.CheckSize:
		return x[0].Int() > 0
	case ir.CheckNonneg:
		return x[0].Int() >= 0
	case ir.CheckCount:
		return x[0].Bits <= x[1].Bits
	case ir.CheckFinite:
		return x[0].Float()-x[0].Float() == 0
	case ir.CheckNonzero:
		if x[0].Kind.IsFloat() {
			return x[0].Float() != 0
		}
		return x[0].Bits != 0
	case ir.CheckPanic:
		return x[0].Bits != 0
	}
	panic(fmt.Sprintf("eval: no check %s", kind))
}
