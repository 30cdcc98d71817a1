package cut

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// lasts makes of what ops.Scatter has become a Scatter: a Hist that finds the last element of each place, by which
// operators over the places read elements. The elements themselves go to the blocks of their places then, as those of
// other Scatters do, but that there may be several for one place, or none: it is sparse.
func (d *divider) lasts(s *ir.Stmt) {
	op, ok := s.Op.(*ir.Hist)
	if !ok || !d.levels[op.N] || len(op.Init) != 1 || !ir.IsInt(op.Init[0], -1) || op.Body.Results[1] != ir.Atom(op.I) {
		return
	}
	if _, open := op.W.(*ir.Var); !open || !slices.Equal(analysis.Combining(op.Comb), []ir.BinaryFn{ir.Max}) || !d.readInOrder(s.Dst[0], op.W) {
		return
	}
	s.Op = &ir.Scatter{N: op.N, W: op.W, I: op.I, Body: op.Body}
	d.sparse[s] = true
}

// readInOrder reports whether an operator over w reads an element of v at its own place.
func (d *divider) readInOrder(v *ir.Var, w ir.Atom) (found bool) {
	for _, s := range d.f.Body.Stmts {
		if ir.OperatorLength(s.Op) != w {
			continue
		}
		ir.Walk(&ir.Block{Stmts: []*ir.Stmt{s}}, func(t *ir.Stmt) {
			read, ok := t.Op.(*ir.Index)
			found = found || ok && read.X == ir.Atom(v) && read.I == ir.Atom(ir.OperatorIndex(s.Op))
		})
	}
	return found
}
