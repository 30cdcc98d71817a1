package lower

import "github.com/surge-ndp/surge/ops/ir"

// counters finds what a loop with a condition counts its turns by, from the same number in all lanes: it is the same in
// all lanes that have not stopped, and those that have do not need it. So it stays a scalar, and what is read by it
// lies one behind the other where it is added to the index of a lane.
//
// The condition of a lane that has stopped must stay false while its counters go on: it is that a counter is less than
// a bound, and that flags, which do not go on, are set or not. No counter wraps around, as long as there is a lane in
// which it is less than something.
func (l *lowerer) counters(s *ir.Stmt, op *ir.Loop, e *env) []bool {
	found := make([]bool, len(op.Params))
	if op.I != nil || l.width == 1 {
		return found
	}
	if same := l.sameInLanes(op, e); same != nil {
		return same
	}
	param := func(a ir.Atom) int {
		for i, p := range op.Params {
			if a == ir.Atom(p) {
				return i
			}
		}
		return -1
	}
	init := l.atoms(op.Init, e)
	bounded := make([]bool, len(op.Params))
	var holds func(a ir.Atom) bool // whether a condition is of that form
	holds = func(a ir.Atom) bool {
		if i := param(a); i >= 0 {
			return op.Params[i].T.Kind == ir.Bool
		}
		switch c := l.defs[a].(type) {
		case *ir.Unary:
			return c.Fn == ir.Not && param(c.X) >= 0
		case *ir.Binary:
			if c.Fn == ir.And {
				return holds(c.X) && holds(c.Y)
			}
			i := param(c.X)
			bound, known := e.getAtom(c.Y)
			if c.Fn != ir.Lt || i < 0 || !known || bound.arr != nil {
				return false
			}
			bounded[i] = true
			return true
		}
		return false
	}
	if !holds(op.Cond.Results[0]) {
		return found
	}
	for i, p := range op.Params {
		next, ok := l.defs[op.Body.Results[i]].(*ir.Binary)
		if !ok || next.Fn != ir.Add || p.T.Rank > 0 || p.T.Kind != ir.Int || init[i].form != uniform {
			continue // it does not go on in a lane that has stopped
		}
		by, other := next.Y, next.X
		if param(by) == i {
			by, other = other, by
		}
		c, ok := by.(ir.Const)
		found[i] = bounded[i] && ok && c.Int() == 1 && param(other) == i && !l.isUsed(s.Dst[i])
	}
	return found
}

// sameInLanes finds what a loop with a condition carries that is the same in all lanes, if the condition depends on
// nothing else: then all lanes make the same turns, and none of them stops before the others. It returns nil for other
// loops.
//
//	for step := n / 2; step > 0; step /= 2
func (l *lowerer) sameInLanes(op *ir.Loop, e *env) []bool {
	same := make([]bool, len(op.Params))
	params := map[ir.Atom]int{}
	for i, init := range l.atoms(op.Init, e) {
		params[op.Params[i]] = i
		same[i] = init.form == uniform && init.arr == nil && op.Params[i].T.IsScalar() && op.Params[i].T.Kind.IsInteger()
	}
	var is func(a ir.Atom) bool
	is = func(a ir.Atom) bool {
		if i, ok := params[a]; ok {
			return same[i]
		}
		if v, known := e.getAtom(a); known {
			return v.form == uniform && v.arr == nil
		}
		switch op := l.defs[a].(type) {
		case *ir.Unary:
			return is(op.X)
		case *ir.Convert:
			return is(op.X)
		case *ir.Select:
			return is(op.Cond) && is(op.X) && is(op.Y)
		case *ir.Binary:
			_, known := op.Y.(ir.Const)
			return (known || op.Fn != ir.Div && op.Fn != ir.Rem) && is(op.X) && is(op.Y)
		}
		return false
	}
	for again := true; again; {
		again = false
		for i, a := range op.Body.Results {
			if same[i] && !is(a) {
				same[i], again = false, true
			}
		}
	}
	if !is(op.Cond.Results[0]) {
		return nil
	}
	return same
}

// isUsed reports whether anything in the kernel reads v.
func (l *lowerer) isUsed(v *ir.Var) bool {
	used := false
	ir.Walk(l.k.Func.Body, func(s *ir.Stmt) {
		for _, a := range ir.Operands(s.Op) {
			used = used || *a == ir.Atom(v)
		}
		for _, b := range ir.Blocks(s.Op) {
			for _, a := range b.Results {
				used = used || a == ir.Atom(v)
			}
		}
	})
	for _, a := range l.k.Func.Body.Results {
		used = used || a == ir.Atom(v)
	}
	return used
}
