package fuse

import (
	"math"
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// carried returns the array of which a is a version, if the loops carry it.
func (n *nest) carried(a ir.Atom) *ir.Stmt {
	v, _ := a.(*ir.Var)
	array := n.allocs[v]
	if array != nil && slices.ContainsFunc(n.loop.Params, func(p *ir.Var) bool { return n.allocs[p] == array }) {
		return array
	}
	return nil
}

// sum returns a value as a sum of products of what no addition, subtraction or multiplication yields.
func (n *nest) sum(a ir.Atom) analysis.Sum {
	form, _ := analysis.Form{Defs: n.defs, Known: func(a ir.Atom) (analysis.Affine, bool) {
		b, ok := n.defs[a].(*ir.Binary)
		switch {
		case ok && (b.Fn == ir.Add || b.Fn == ir.Sub || b.Fn == ir.Mul):
			return analysis.Affine{}, false
		case ok && b.Fn == ir.Min && ir.IsInt(b.Y, math.MaxInt64-1): // the last turn of a loop up to a value
			return analysis.Affine{Base: n.sum(b.X)}, true
		}
		return analysis.Outside(a), true
	}}.Affine(a)
	return form.Base
}

// equal reports whether two sums are known to be the same.
func equal(a, b analysis.Sum) bool { return len(a.Minus(b)) == 0 }

func number(i int64) analysis.Sum { return analysis.Outside(ir.IntConst(ir.Int, i)).Base }

// atMost reports whether a is known to be at most b.
func atMost(a, b analysis.Sum) bool {
	c, ok := b.Minus(a).Constant()
	return ok && c >= 0
}

// upTo reports whether a + by is known to be at most limit. What is the lesser one of two values is at most both.
func (n *nest) upTo(a ir.Atom, by, limit analysis.Sum) bool {
	if atMost(n.sum(a).Plus(by), limit) {
		return true
	}
	least, ok := n.defs[a].(*ir.Binary)
	return ok && least.Fn == ir.Min && (n.upTo(least.X, by, limit) || n.upTo(least.Y, by, limit))
}

// mostOf reports whether the turns from lo to hi are all of size but for a few, or else as many as an input says, from
// the first one on: then size is expected to be meant.
func (n *nest) mostOf(size, lo, hi analysis.Sum) bool {
	const few = 64
	if rest, ok := size.Minus(hi.Minus(lo)).Constant(); ok {
		return rest <= few
	}
	first, ok := lo.Constant()
	if _, isConst := hi.Constant(); !ok || isConst || first > few {
		return false
	}
	return !slices.ContainsFunc(hi, func(p analysis.Product) bool {
		return slices.ContainsFunc(p.Of, func(a ir.Atom) bool { return !n.given[a] })
	})
}

// expand puts what the function was called with into a sum.
func (n *nest) expand(s analysis.Sum) analysis.Sum {
	var all analysis.Sum
	for _, p := range s {
		f := analysis.Outside(ir.IntConst(ir.Int, p.C))
		for _, a := range p.Of {
			f = f.Times(n.sum(a))
		}
		all = all.Plus(f.Base)
	}
	return all
}

// fixed reports whether a value is the same in all turns of the outer loop.
func (n *nest) fixed(a ir.Atom) bool {
	return !changesIn(n.loop, a)
}

// changesIn reports whether a value may be another one in each turn of a loop.
func changesIn(loop *ir.Loop, a ir.Atom) bool {
	v, ok := a.(*ir.Var)
	if !ok {
		return false
	}
	found := v == loop.I || slices.Contains(loop.Params, v)
	for _, b := range ir.Blocks(loop) {
		ir.Walk(b, func(s *ir.Stmt) { found = found || slices.Contains(s.Dst, v) || slices.Contains(ir.Bound(s.Op), v) })
	}
	return found
}

// nonnegative reports whether a is known not to be negative: it is the length of something, or a constant, or a check
// before the loop says so.
func (n *nest) nonnegative(a ir.Atom) bool {
	if c, ok := a.(ir.Const); ok {
		return c.Int() >= 0
	}
	_, ok := n.defs[a].(*ir.Len)
	return ok || n.sizes[a]
}

// bounds are the first element of a row that a loop along it updates, and the one behind the last.
func (n *nest) bounds(p *place, along *ir.Loop) (left, over analysis.Sum) {
	return n.sum(along.Lo).Plus(number(p.along)), n.sum(along.Hi).Plus(number(p.along))
}

// onlySize is the number that is positive where there are turns, if every row is one then, and [nest.whole] may check
// it: that of the turns of a loop that has become one with the loop around it. It is nil for other places.
func (p *place) onlySize(defs analysis.Defs) ir.Atom {
	some, ok := defs[p.only].(*ir.Binary)
	if !ok || some.Fn != ir.Lt || !ir.IsInt(some.X, 0) || p.low || p.high || p.up != 0 || p.rows == nil {
		return nil
	}
	return some.Y
}
