package cut

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// ends is what a read of the last element of an inclusive Scan becomes: what all blocks' totals are together, for which
// nobody needs the elements.
type ends struct {
	n       ir.Atom // how many elements the Scan has
	compute func() []*ir.Var
	made    *[]*ir.Var
	i       int // of which this one is one
}

// noteEnds says what the last elements of sequences of one Scan are.
func (d *divider) noteEnds(seqs []*ir.Var, n ir.Atom, compute func() []*ir.Var) {
	made := new([]*ir.Var)
	for i, v := range seqs {
		d.last[v] = &ends{n, compute, made, i}
	}
}

// value is the scalar, which is computed once something reads it.
func (e *ends) value() *ir.Var {
	if *e.made == nil {
		*e.made = e.compute()
	}
	return (*e.made)[e.i]
}

// takeEnds replaces reads of last elements in a statement at the top, and reports whether it was one itself, of which
// nothing is left.
func (d *divider) takeEnds(number int) (gone bool) {
	as := ir.Subst{}
	read := func(s *ir.Stmt) bool {
		x, ok := s.Op.(*ir.Index)
		if !ok {
			return false
		}
		v, _ := x.X.(*ir.Var)
		if e := d.last[v]; e != nil && d.isLast(x.I, e.n) {
			as[s.Dst[0]] = e.value()
			return true
		}
		return false
	}
	s := d.f.Body.Stmts[number]
	if read(s) {
		substitute(&ir.Block{Stmts: d.f.Body.Stmts[number+1:]}, as)
		for i, r := range d.f.Body.Results {
			d.f.Body.Results[i] = as.Atom(r)
		}
		return true
	}
	var visit func(b *ir.Block)
	visit = func(b *ir.Block) {
		b.Stmts = slices.DeleteFunc(b.Stmts, read)
		for _, t := range b.Stmts {
			for _, c := range ir.Blocks(t.Op) {
				visit(c)
			}
		}
	}
	for _, b := range ir.Blocks(s.Op) {
		visit(b)
	}
	if len(as) > 0 {
		substitute(&ir.Block{Stmts: []*ir.Stmt{s}}, as)
	}
	return false
}

// isLast reports whether an index is n - 1.
func (d *divider) isLast(index, n ir.Atom) bool {
	a, ok := d.affine(index)
	b, okN := d.affine(n)
	if !ok || !okN {
		return false
	}
	difference := a.Plus(b.Times(analysis.Sum{{C: -1}}))
	c, ok := difference.Base.Constant()
	return ok && c == -1 && len(difference.Parts) == 0
}

// substitute replaces what statements and results of a block read.
func substitute(b *ir.Block, as ir.Subst) {
	for _, s := range b.Stmts {
		for _, a := range ir.Operands(s.Op) {
			*a = as.Atom(*a)
		}
		for _, c := range ir.Blocks(s.Op) {
			substitute(c, as)
		}
	}
	for i, r := range b.Results {
		b.Results[i] = as.Atom(r)
	}
}
