package fuse

import "github.com/surge-ndp/surge/ops/ir"

// A magnitude is an m with |a| ≤ 2^m for an integer a.
const (
	unknownBits = 64
	memoryBits  = 40 // of lengths: a sequence that exists has at most 2^40 elements
)

// magnitude returns the magnitude of what an operation yields, if operands have those that of says. A result of more
// than unknownBits says that it may have overflowed.
func magnitude(op ir.Op, of func(ir.Atom) int) int {
	switch op := op.(type) {
	case *ir.Len:
		return memoryBits
	case *ir.Convert:
		if k := op.X.Type().Kind; k.IsInteger() && k.Bytes() <= 4 {
			return 32
		}
	case *ir.Binary:
		switch op.Fn {
		case ir.Add, ir.Sub:
			return max(of(op.X), of(op.Y)) + 1
		case ir.Min, ir.Max:
			if c, ok := op.Y.(ir.Const); ok && op.Fn == ir.Min && c.Int() >= 0 { // which is chosen if the other one is larger
				return of(op.X)
			}
			return max(of(op.X), of(op.Y))
		case ir.Div:
			return of(op.X)
		case ir.Rem:
			return min(of(op.X), of(op.Y))
		}
	}
	return unknownBits
}
