package fuse

import "github.com/surge-ndp/surge/ops/ir"

// conditions makes the lesser or the greater one of two integers, and the conjunction or disjunction of two truths, of
// conditions that choose it.
func conditions(e emitter, b *ir.Block, defs map[ir.Atom]*ir.Binary) {
	stmts := b.Stmts
	b.Stmts = nil
	e = e.into(b)
	for _, s := range stmts {
		e.pos = s.Pos
		for _, c := range ir.Blocks(s.Op) {
			conditions(e, c, defs)
		}
		var cond, x, y ir.Atom
		switch op := s.Op.(type) {
		case *ir.Binary:
			defs[s.Dst[0]] = op
		case *ir.Select:
			cond, x, y = op.Cond, op.X, op.Y
		case *ir.If:
			if len(s.Dst) == 1 && len(op.Then.Stmts)+len(op.Else.Stmts) == 0 {
				cond, x, y = op.Cond, op.Then.Results[0], op.Else.Results[0]
			}
		}
		if cond != nil {
			if op := chosen(e, cond, x, y, defs); op != nil {
				s.Op = op
			}
		}
		b.Stmts = append(b.Stmts, s)
	}
}

// known computes what is chosen where a number is one that is known without the conditions that this decides: an
// element of a small array of which variables hold the elements is updated so.
//
//	e = select (k < 1) x y; t = add e 1; z = select (k == 0) t x   →   t = add x 1; z = select (k == 0) t x
func known(e emitter, b *ir.Block, defs map[ir.Atom]ir.Op) {
	stmts := b.Stmts
	b.Stmts = nil
	e = e.into(b)
	for _, s := range stmts {
		e.pos = s.Pos
		for _, c := range ir.Blocks(s.Op) {
			known(e, c, defs)
		}
		if op, ok := s.Op.(*ir.Select); ok {
			if c, _ := defs[op.Cond].(*ir.Binary); c != nil && c.Fn == ir.Eq && c.X.Type() == tInt {
				if is, ok := c.Y.(ir.Const); ok {
					op.X = e.where(op.X, c.X, is, defs)
				}
			}
		}
		for _, d := range s.Dst {
			defs[d] = s.Op
		}
		b.Stmts = append(b.Stmts, s)
	}
}

// where writes what a is where k is a constant.
func (e emitter) where(a, k ir.Atom, is ir.Const, defs map[ir.Atom]ir.Op) ir.Atom {
	switch op := defs[a].(type) {
	case *ir.Select:
		c, _ := defs[op.Cond].(*ir.Binary)
		if c == nil || c.X != k || c.Fn != ir.Lt && c.Fn != ir.Eq {
			return a
		}
		than, ok := c.Y.(ir.Const)
		switch {
		case !ok:
			return a
		case c.Fn == ir.Lt && is.Int() < than.Int() || c.Fn == ir.Eq && is.Int() == than.Int():
			return e.where(op.X, k, is, defs)
		}
		return e.where(op.Y, k, is, defs)
	case *ir.Binary:
		if op.Fn == ir.Div || op.Fn == ir.Rem {
			return a
		}
		x, y := e.where(op.X, k, is, defs), e.where(op.Y, k, is, defs)
		if x == op.X && y == op.Y {
			return a
		}
		v := e.let("t", a.Type(), &ir.Binary{Fn: op.Fn, X: x, Y: y})
		defs[v] = &ir.Binary{Fn: op.Fn, X: x, Y: y}
		return v
	}
	return a
}

// chosen returns what takes no condition and is x if cond holds, and y otherwise; nil if nothing is known.
func chosen(e emitter, cond, x, y ir.Atom, defs map[ir.Atom]*ir.Binary) ir.Op {
	yes, no := ir.Atom(ir.BoolConst(true)), ir.Atom(ir.BoolConst(false))
	not := func() ir.Atom { return e.let("t", ir.Scalar(ir.Bool), &ir.Unary{Fn: ir.Not, X: cond}) }
	switch {
	case x == yes:
		return &ir.Binary{Fn: ir.Or, X: y, Y: cond}
	case y == no:
		return &ir.Binary{Fn: ir.And, X: x, Y: cond}
	case x == no:
		return &ir.Binary{Fn: ir.And, X: y, Y: not()}
	case y == yes:
		return &ir.Binary{Fn: ir.Or, X: x, Y: not()}
	}
	c := defs[cond]
	if c == nil || !x.Type().Kind.IsInteger() {
		return nil
	}
	less := c.Fn == ir.Lt || c.Fn == ir.Le
	switch {
	case !less && c.Fn != ir.Gt && c.Fn != ir.Ge:
		return nil
	case c.X == x && c.Y == y && less || c.X == y && c.Y == x && !less:
		return &ir.Binary{Fn: ir.Min, X: x, Y: y}
	case c.X == x && c.Y == y || c.X == y && c.Y == x:
		return &ir.Binary{Fn: ir.Max, X: x, Y: y}
	}
	return nil
}
