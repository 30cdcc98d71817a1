package fuse

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// twiceCost is what a turn may cost, in additions, that two loops make.
const twiceCost = powerCost

// rowwise divides the loops over a row in the loop that is statement at of a block, where they assign elements of the
// row and accumulate in the same turns, as a softmax does. The sums come first: the rows become a Map then, whose
// elements read them.
//
//	z' = loop (z1) init z for i = 0 to m {
//	  z4, s' = loop (z2, s) init z1 0 for j = 0 to n { x = …; z3 = update z2 (i·n + j) x; t = add s x; yield z3 t }
//	  …
//	}
//
// becomes
//
//	z' = loop (z1) init z for i = 0 to m {
//	  s' = loop (s) init 0 for j = 0 to n { x = …; t = add s x; yield t }
//	  z4 = loop (z2) init z1 for j = 0 to n { x = …; z3 = update z2 (i·n + j) x; yield z3 }
//	  …
//	}
//
// Both loops compute x, each of them in lanes. That is worth it where sums may be taken in any order, which their lanes
// need, and where x is not a loop of its own. The first loop makes all checks, in their order.
func (d *distributor) rowwise(b *ir.Block, at int) bool {
	s := b.Stmts[at]
	loop := s.Op.(*ir.Loop)
	divides := func(s *ir.Stmt) bool {
		inner, ok := s.Op.(*ir.Loop)
		return ok && mixes(inner) && !hasLoop(inner.Body)
	}
	if !carriesArrays(loop, isArray) || holdsOperators(loop) || !slices.ContainsFunc(loop.Body.Stmts, divides) {
		return false
	}
	c := s.Clone(ir.Subst{}, d.names)
	c.Dst = s.Dst
	b.Stmts[at] = c
	body := c.Op.(*ir.Loop).Body
	var out []*ir.Stmt
	for _, t := range body.Stmts {
		if !divides(t) {
			out = append(out, t)
			continue
		}
		p := &parting{distributor: d, s: t, allocs: versions(d.f.Body)}
		if !p.accumulates() || p.ordered || p.work > twiceCost {
			b.Stmts[at] = s
			return false
		}
		sums, fill := p.part(isScalar), p.part(isArray)
		if slices.ContainsFunc(sums.Dst, isArray) || slices.ContainsFunc(fill.Dst, isScalar) { // one needs the other
			b.Stmts[at] = s
			return false
		}
		out = append(out, sums, fill)
	}
	body.Stmts = out
	if n, filled := d.filled(c); filled && n.rowPlace() != nil {
		return true
	}
	b.Stmts[at] = s
	return false
}
