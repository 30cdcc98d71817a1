package fuse

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// MayHang reports whether a turn behind an exit may not end where plain Go would not have begun it: a loop in it goes
// on as long as something else holds than that a number is not reached which each turn counts to.
func MayHang(s *ir.Stmt) bool {
	hangs := false
	for _, b := range ir.Blocks(s.Op) {
		ir.Walk(b, func(t *ir.Stmt) {
			loop, ok := t.Op.(*ir.Loop)
			hangs = hangs || ok && loop.I == nil && !countsTo(loop)
		})
	}
	return hangs && HasExits(s)
}

// countsTo reports whether a loop goes on only as long as an int is less than another one that no turn changes, and
// each turn adds a constant to the former; or as long as it is greater, and each turn takes one away.
func countsTo(loop *ir.Loop) bool {
	cond, body := analysis.Of(loop.Cond), analysis.Of(loop.Body)
	fixed := func(a ir.Atom) bool {
		if n, ok := cond[a].(*ir.Len); ok {
			a = n.X
		}
		v, ok := a.(*ir.Var)
		return !ok || cond[a] == nil && body[a] == nil && !slices.Contains(loop.Params, v)
	}
	var goesOn func(a ir.Atom) bool
	goesOn = func(a ir.Atom) bool {
		switch op := cond[a].(type) {
		case *ir.If:
			return len(op.Then.Results) == 1 && op.Else.Results[0] == ir.Atom(ir.BoolConst(false)) && (goesOn(op.Cond) || goesOn(op.Then.Results[0]))
		case *ir.Binary:
			if op.Fn == ir.And {
				return goesOn(op.X) || goesOn(op.Y)
			}
			i := slices.IndexFunc(loop.Params, func(p *ir.Var) bool { return op.X == ir.Atom(p) && p.T == tInt })
			if i < 0 || !fixed(op.Y) {
				return false
			}
			up, counts := goesUp(body, loop.Body.Results[i], op.X)
			return counts && (up && (op.Fn == ir.Lt || op.Fn == ir.Le) || !up && (op.Fn == ir.Gt || op.Fn == ir.Ge))
		}
		return false
	}
	return len(loop.Cond.Results) == 1 && goesOn(loop.Cond.Results[0])
}

// goesUp reports whether next is an int and a number that is not 0, and whether it is greater than that int.
func goesUp(defs analysis.Defs, next, of ir.Atom) (up, counts bool) {
	op, ok := defs[next].(*ir.Binary)
	if !ok || op.X != of || op.Fn != ir.Add && op.Fn != ir.Sub {
		return false, false
	}
	if by, ok := op.Y.(ir.Const); ok {
		return (by.Int() > 0) == (op.Fn == ir.Add), by.Int() != 0
	}
	return op.Fn == ir.Add, isPositive(defs, op.Y)
}

// isPositive reports whether a number is one of several constants, which all are positive: of the bytes of a letter.
func isPositive(defs analysis.Defs, a ir.Atom) bool {
	if c, ok := a.(ir.Const); ok {
		return c.Int() > 0
	}
	switch op := defs[a].(type) {
	case *ir.If:
		return len(op.Then.Results) == 1 && isPositive(defs, op.Then.Results[0]) && isPositive(defs, op.Else.Results[0])
	case *ir.Select:
		return isPositive(defs, op.X) && isPositive(defs, op.Y)
	}
	return false
}
