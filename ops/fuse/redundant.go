package fuse

import (
	"math"

	"github.com/surge-ndp/surge/ops/ir"
)

// undone returns what a sum is without one of its terms again, as (a+b)-a, and what an index is that a loop up to it
// keeps from being the greatest int, which none is; nil for all else: ints wrap around both times. It notes what is
// such a sum.
func (s *simplifier) undone(dst *ir.Var, op *ir.Binary) ir.Atom {
	switch {
	case dst.T != tInt:
	case op.Fn == ir.Add:
		s.sums[dst] = op
	case op.Fn == ir.Min:
		x, _ := op.X.(*ir.Var)
		if most, ok := op.Y.(ir.Const); ok && most.Int() >= math.MaxInt64-1 && s.counts[x] {
			return x
		}
	case op.Fn == ir.Sub:
		x, _ := op.X.(*ir.Var)
		switch sum := s.sums[x]; {
		case sum == nil:
		case sum.X == op.Y:
			return sum.Y
		case sum.Y == op.Y:
			return sum.X
		}
	}
	return nil
}

// repeated returns a condition that asks once more what it has asked, as (a && b) && a, without that, nil for all else.
// It notes what such conditions are made of.
func (s *simplifier) repeated(dst *ir.Var, op *ir.Binary) ir.Atom {
	if dst.T.Kind != ir.Bool || op.Fn != ir.And && op.Fn != ir.Or {
		return nil
	}
	var has func(a ir.Atom) bool
	has = func(a ir.Atom) bool {
		v, _ := a.(*ir.Var)
		of := s.sums[v]
		return a == op.Y || of != nil && of.Fn == op.Fn && (has(of.X) || has(of.Y))
	}
	if has(op.X) {
		return op.X
	}
	s.sums[dst] = op
	return nil
}
