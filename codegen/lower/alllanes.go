package lower

import (
	"slices"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// A condition that compares an index which moves by one a lane with what is the same in all lanes, as those do that
// keep a window within a grid, differs from lane to lane only in the few vectors that have an end of the grid in them.
// All others take the branch that reads and computes without a mask, which reads what lies side by side: two scalar
// comparisons find that out for each vector.

// allLanes adds to terms what says, as scalars, that cond is as holds says in all lanes. ok is false if that is not
// known from their first and last one.
func (l *lowerer) allLanes(terms []kir.Expr, cond ir.Atom, holds bool, e *env) (_ []kir.Expr, ok bool) {
	if c := l.atom(cond, e); c.form == uniform {
		x := c.x
		if !holds {
			x = &kir.Un{Fn: ir.Not, X: x, T: x.Type()}
		}
		return with(terms, x), true
	}
	switch op := l.defs[cond].(type) {
	case *ir.Unary:
		if op.Fn == ir.Not {
			return l.allLanes(terms, op.X, !holds, e)
		}
	case *ir.Binary:
		switch {
		case op.X.Type() == ir.Scalar(ir.Bool):
			if op.Fn == ir.And && holds || op.Fn == ir.Or && !holds {
				if terms, ok = l.allLanes(terms, op.X, holds, e); ok {
					return l.allLanes(terms, op.Y, holds, e)
				}
			}
		case op.X.Type() == ir.Scalar(ir.Int) && op.Fn.IsComparison():
			fn, x, y := op.Fn, l.atom(op.X, e), l.atom(op.Y, e)
			if x.form == uniform {
				fn, x, y = mirrored[fn], y, x
			}
			if !holds {
				fn = contrary[fn]
			}
			if x.form == contig && y.form == uniform {
				return l.allCompare(terms, fn, x, y.x)
			}
		}
	}
	return nil, false
}

// allCompare is allLanes for the numbers of all lanes of x, which go up by one, and y.
func (l *lowerer) allCompare(terms []kir.Expr, fn ir.BinaryFn, x value, y kir.Expr) (_ []kir.Expr, ok bool) {
	last := add(x.x, intConst(l.width-1))
	if x.wraps {
		terms = with(terms, compare(ir.Lt, x.x, last))
	}
	switch fn {
	case ir.Lt, ir.Le:
		return with(terms, compare(fn, last, y)), true
	case ir.Gt, ir.Ge:
		return with(terms, compare(fn, x.x, y)), true
	}
	return nil, false
}

// with adds a term that is not there.
func with(terms []kir.Expr, x kir.Expr) []kir.Expr {
	if slices.ContainsFunc(terms, func(t kir.Expr) bool { return kir.Equal(t, x) }) {
		return terms
	}
	return append(terms, x)
}

// comparison computes cond, which allLanes looks at, once more: where lanes differ, and not before.
func (l *lowerer) comparison(cond ir.Atom, e *env) value {
	c := l.atom(cond, e)
	if c.form == uniform {
		return c
	}
	if op, ok := l.defs[cond].(*ir.Binary); ok {
		if op.X.Type() == ir.Scalar(ir.Bool) {
			return l.binary(op.Fn, l.comparison(op.X, e), l.comparison(op.Y, e))
		}
		return l.binary(op.Fn, l.atom(op.X, e), l.atom(op.Y, e))
	}
	return c
}

// ifAllLanes lowers a condition that differs from lane to lane, one branch of which is not for all lanes to run:
// without a mask where all lanes run that one. It reports false, having done nothing, where that cannot be asked.
func (l *lowerer) ifAllLanes(s *ir.Stmt, op *ir.If, e *env, depth int) bool {
	if l.split || l.width == 1 {
		return false
	}
	branch, holds := op.Then, true
	switch cheap := func(b *ir.Block) bool { return speculatable(b) && !costly(b) }; {
	case cheap(op.Then) == cheap(op.Else):
		return false
	case cheap(op.Then):
		branch, holds = op.Else, false
	}
	terms, ok := l.allLanes(nil, op.Cond, holds, e)
	if !ok {
		return false
	}
	all := terms[0]
	for _, t := range terms[1:] {
		all = compare(ir.And, all, t)
	}
	node := &kir.If{Cond: all}
	var then, els []value
	l.inside(&node.Then, func() { then = l.block(branch, e.child(), depth) })
	l.inside(&node.Else, func() {
		l.split = true
		defer func() { l.split = false }()
		inner := e.child()
		l.ifLanes(s, op, l.comparison(op.Cond, e), inner, depth)
		for _, d := range s.Dst {
			els = append(els, inner.m[d])
		}
	})
	l.merge(s, node, then, els, e)
	return true
}
