package lower

import (
	"slices"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// A border is what conditions on the index of a Map keep apart at the ends of its range: the elements of a grid that
// have no neighbour on one side. As with clamps, the elements at the ends are computed one by one, and in the vectors
// between them the conditions are known, so that nothing is read under a mask.
type border struct {
	known map[*ir.Stmt]bool // what the conditions of Ifs are from element from on, and up to element to
	from  int
	to    kir.Expr // nil for all
}

// mostBorder is how many elements at an end are a border: of more, vectors are worth it.
const mostBorder = 64

// borderOf finds such conditions in the body of a Map, also under conditions that are the same for all of its elements.
// It returns nil if there are none.
func (l *lowerer) borderOf(r rangeLoop, e *env) *border {
	inside := map[ir.Atom]bool{r.i: true}
	ir.Walk(r.body, func(s *ir.Stmt) {
		for _, v := range slices.Concat(s.Dst, ir.Bound(s.Op)) {
			inside[v] = true
		}
	})
	all := &border{known: map[*ir.Stmt]bool{}}
	var find func(b *ir.Block)
	find = func(b *ir.Block) {
		for _, s := range b.Stmts {
			op, ok := s.Op.(*ir.If)
			if !ok || l.skip[s] {
				continue
			}
			if !inside[op.Cond] {
				find(op.Then)
				find(op.Else)
				continue
			}
			for _, holds := range []bool{true, false} {
				narrowed := *all
				if l.bounds(&narrowed, op.Cond, holds, r, e) {
					*all = narrowed
					all.known[s] = holds
					break
				}
			}
		}
	}
	if find(r.body); len(all.known) == 0 {
		return nil
	}
	return all
}

// bounds narrows the range of a border to where cond is as holds says, and reports whether it can.
func (l *lowerer) bounds(b *border, cond ir.Atom, holds bool, r rangeLoop, e *env) bool {
	switch op := l.defs[cond].(type) {
	case *ir.Unary:
		return op.Fn == ir.Not && l.bounds(b, op.X, !holds, r, e)
	case *ir.Binary:
		if op.X.Type() == ir.Scalar(ir.Bool) {
			both := op.Fn == ir.And && holds || op.Fn == ir.Or && !holds
			return both && l.bounds(b, op.X, holds, r, e) && l.bounds(b, op.Y, holds, r, e)
		}
		fn := op.Fn
		if !holds {
			fn = contrary[fn]
		}
		switch {
		case op.X == ir.Atom(r.i):
			return l.bound(b, fn, op.Y, r, e)
		case op.Y == ir.Atom(r.i):
			return l.bound(b, mirrored[fn], op.X, r, e)
		}
	}
	return false
}

var (
	contrary = map[ir.BinaryFn]ir.BinaryFn{ir.Lt: ir.Ge, ir.Ge: ir.Lt, ir.Le: ir.Gt, ir.Gt: ir.Le, ir.Eq: ir.Ne, ir.Ne: ir.Eq}
	mirrored = map[ir.BinaryFn]ir.BinaryFn{ir.Lt: ir.Gt, ir.Gt: ir.Lt, ir.Le: ir.Ge, ir.Ge: ir.Le, ir.Eq: ir.Eq, ir.Ne: ir.Ne}
)

// bound narrows the range of a border to where i fn limit holds for the index i of the loop, which is not negative and
// below the bound of its range, and reports whether what it leaves out is close to an end.
func (l *lowerer) bound(b *border, fn ir.BinaryFn, limit ir.Atom, r rangeLoop, e *env) bool {
	c, constant := limit.(ir.Const)
	close := constant && c.Int() >= 0 && c.Int() <= mostBorder
	if fn == ir.Ne { // of one of the ends
		if fn = ir.Lt; close {
			fn = ir.Gt
		}
	}
	v, ok := e.getAtom(limit)
	if !ok || v.form != uniform || v.arr != nil {
		return false
	}
	switch {
	case (fn == ir.Gt || fn == ir.Ge) && close:
		from := int(c.Int())
		if fn == ir.Gt {
			from++
		}
		b.from = max(b.from, from)
		return true
	case (fn == ir.Lt || fn == ir.Le) && l.nearEnd(limit, r.n):
		to := v.x
		if fn == ir.Le { // no index is r.hi or above, so that to + 1 does not overflow
			to = add(l.integer(ir.Min, to, sub(r.hi, intConst(1))), intConst(1))
		}
		if b.to != nil {
			to = l.integer(ir.Min, b.to, to)
		}
		b.to = to
		return true
	}
	return false
}

// nearEnd reports whether a limit is the length n of a range, or that without a few elements.
func (l *lowerer) nearEnd(limit, n ir.Atom) bool {
	if op, ok := l.defs[limit].(*ir.Binary); ok && op.Fn == ir.Sub {
		if c, ok := op.Y.(ir.Const); ok && c.Int() >= 0 && c.Int() <= mostBorder {
			limit = op.X
		}
	}
	if op, ok := l.defs[n].(*ir.Binary); ok && (op.Fn == ir.Max || op.Fn == ir.Min) {
		return n == limit || op.X == limit || op.Y == limit
	}
	return n == limit
}
