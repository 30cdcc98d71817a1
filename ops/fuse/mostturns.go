package fuse

import (
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// MostTurns returns a value that a loop with an index does not make more turns than, and that is known; nil if there is
// none, as the sums that the number of turns is computed by show it. It assumes that loops begin at 0 or above.
func MostTurns(defs analysis.Defs, loop *ir.Loop, known func(ir.Atom) bool) ir.Atom {
	if n := beyond(defs, loop.Lo, loop.Hi, known); n != nil {
		return n
	}
	return most(defs, loop.Hi, known)
}

// beyond returns a known value that a is at most beyond lo, where a is lo and something, or the lesser of that and
// something else.
func beyond(defs analysis.Defs, lo, a ir.Atom, known func(ir.Atom) bool) ir.Atom {
	op, ok := defs[a].(*ir.Binary)
	switch {
	case ok && op.Fn == ir.Min:
		if n := beyond(defs, lo, op.X, known); n != nil {
			return n
		}
		return beyond(defs, lo, op.Y, known)
	case ok && op.Fn == ir.Add && op.X == lo:
		return most(defs, op.Y, known)
	}
	return nil
}

func most(defs analysis.Defs, a ir.Atom, known func(ir.Atom) bool) ir.Atom {
	if _, constant := a.(ir.Const); constant || known(a) {
		return a
	}
	switch op := defs[a].(type) {
	case *ir.Select: // of the parts of a loop, the last one ends where the loop does; or there is none
		if _, constant := op.Y.(ir.Const); constant {
			return most(defs, op.X, known)
		}
		return most(defs, op.Y, known)
	case *ir.Binary:
		switch op.Fn {
		case ir.Max: // with 0
			if _, constant := op.X.(ir.Const); constant {
				return most(defs, op.Y, known)
			}
			return most(defs, op.X, known)
		case ir.Add, ir.Sub, ir.Div:
			return most(defs, op.X, known)
		case ir.Min:
			if x := most(defs, op.X, known); x != nil {
				return x
			}
			return most(defs, op.Y, known)
		}
	}
	return nil
}
