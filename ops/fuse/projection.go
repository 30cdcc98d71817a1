package fuse

import (
	"github.com/surge-ndp/surge/ops/ir"
)

// projection is a turn of a nest as one element sees it: the versions of the arrays are the values of that element.
type projection struct {
	*nest
	*standins
	j ir.Atom // where the element is in its row, as the loops along it count; nil if it has none
}

func newProjection(n *nest, i ir.Atom) *projection {
	pr := &projection{nest: n}
	pr.standins = &standins{names: n.names, sub: ir.Subst{n.loop.I: i}, now: map[ir.Atom]ir.Atom{}, stands: func(v *ir.Var) bool {
		return v.T.Rank > 0 && n.carried(v) != nil
	}, stmt: pr.stmt}
	return pr
}

// stmt writes what a statement is for the element, where it is not a copy of it.
func (pr *projection) stmt(e emitter, s *ir.Stmt) bool {
	switch op := s.Op.(type) {
	case *ir.Check:
		return pr.redundant[s]
	case *ir.Index:
		if pr.carried(op.X) != nil {
			pr.sub[s.Dst[0]] = pr.value(op.X)
			return true
		}
	case *ir.Update:
		if pr.carried(op.X) != nil {
			pr.now[s.Dst[0]] = pr.value(op.Value)
			return true
		}
	case *ir.Loop:
		if pr.alongRow(s) {
			pr.row(e, s, op)
			return true
		}
	}
	return false
}

// row writes the turn of a loop along a row that is the element's.
func (pr *projection) row(e emitter, s *ir.Stmt, op *ir.Loop) {
	before := pr.values(op.Init)
	if pr.j == nil {
		for i, d := range s.Dst {
			pr.now[d] = before[i]
		}
		return
	}
	p := pr.rowPlace()
	left, over := pr.bounds(p, op)
	turn := e.between(!atMost(left, nil), op.Lo, pr.j, op.Hi, !atMost(pr.sum(p.width), over))
	pr.sub[op.I] = pr.j
	for i, p := range op.Params {
		pr.now[p] = before[i]
	}
	then := pr.inner(e, op.Body)
	dst := pr.binds(s.Dst)
	for i, x := range e.under(turn, then, &ir.Block{Results: before}, dst) {
		pr.now[s.Dst[i]] = x
	}
}
