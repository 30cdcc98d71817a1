package fuse

import "github.com/surge-ndp/surge/ops/ir"

// certain reports whether a condition always holds, or never does, where it is.
func (p *prover) certain(cond ir.Atom, is bool) bool {
	v, _ := cond.(*ir.Var)
	switch op := p.defs[v].op.(type) {
	case *ir.Unary:
		return op.Fn == ir.Not && p.certain(op.X, !is)
	case *ir.Binary:
		if op.X.Type() != tInt {
			return false
		}
		fn := op.Fn
		if !is {
			fn = contrary[fn]
		}
		switch fn {
		case ir.Lt:
			return p.proves(op.X, 1, op.Y)
		case ir.Le:
			return p.proves(op.X, 0, op.Y)
		case ir.Gt:
			return p.proves(op.Y, 1, op.X)
		case ir.Ge:
			return p.proves(op.Y, 0, op.X)
		case ir.Ne:
			return p.proves(op.X, 1, op.Y) || p.proves(op.Y, 1, op.X)
		}
	}
	return false
}

// among notes what constants say between which conditions choose v.
func (p *prover) among(v *ir.Var) {
	if least, most, ok := p.chosenFrom(v, maxNesting); ok {
		p.learn(ir.IntConst(ir.Int, least), 0, v)
		p.learn(v, 0, ir.IntConst(ir.Int, most))
	}
}

// chosenFrom returns the least and the greatest one of the constants that conditions choose a from, if they do.
func (p *prover) chosenFrom(a ir.Atom, nesting int) (least, most int64, ok bool) {
	if c, isConst := a.(ir.Const); isConst {
		return c.Int(), c.Int(), true
	}
	v, _ := a.(*ir.Var)
	var x, y ir.Atom
	switch op := p.defs[v].op.(type) {
	case *ir.If:
		x, y = op.Then.Results[p.defs[v].i], op.Else.Results[p.defs[v].i]
	case *ir.Select:
		x, y = op.X, op.Y
	}
	if x == nil || nesting == 0 {
		return 0, 0, false
	}
	least, most, ok = p.chosenFrom(x, nesting-1)
	least2, most2, ok2 := p.chosenFrom(y, nesting-1)
	return min(least, least2), max(most, most2), ok && ok2
}
