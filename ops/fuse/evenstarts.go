package fuse

import (
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// evenStarts finds the sequences that say where the rows begin that a kernel made of one length, one behind the other:
// element i is i times that length. It returns the lengths.
func evenStarts(f *ir.Func, defs analysis.Defs) map[ir.Atom]ir.Atom {
	found := map[ir.Atom]ir.Atom{}
	for _, s := range f.Body.Stmts {
		m, ok := s.Op.(*ir.Map)
		if !ok || len(m.Body.Results) != 1 || s.Dst[0].T != ir.Seq(ir.Int) {
			continue
		}
		choice, ok := defs[m.Body.Results[0]].(*ir.If)
		if !ok || len(choice.Then.Results) != 1 || !ir.IsInt(choice.Then.Results[0], 0) {
			continue
		}
		first, ok := defs[choice.Cond].(*ir.Binary)
		if !ok || first.Fn != ir.Eq || first.X != ir.Atom(m.I) || !ir.IsInt(first.Y, 0) {
			continue
		}
		end, ok := defs[choice.Else.Results[0]].(*ir.Index)
		if !ok {
			continue
		}
		before, ok := defs[end.I].(*ir.Binary)
		if !ok || before.Fn != ir.Sub || before.X != ir.Atom(m.I) || !ir.IsInt(before.Y, 1) {
			continue
		}
		if n := evenEnds(end.X, defs); n != nil {
			found[s.Dst[0]] = n
		}
	}
	return found
}

// evenEnds returns the length of rows if a sequence says where each of them ends, and all have that length; else nil.
func evenEnds(a ir.Atom, defs analysis.Defs) ir.Atom {
	ends, ok := defs[a].(*ir.Scan)
	if !ok || !ends.Inclusive || len(ends.Init) != 1 || !ir.IsInt(ends.Init[0], 0) {
		return nil
	}
	sum, ok := defs[ends.Comb.Body.Results[0]].(*ir.Binary)
	p := ends.Comb.Params
	if !ok || sum.Fn != ir.Add || sum.X != ir.Atom(p[0]) || sum.Y != ir.Atom(p[1]) {
		return nil
	}
	if each := ends.Body.Results[0]; each != ir.Atom(ends.I) && len(ends.Body.Stmts) == 0 { // known outside
		return each
	}
	n, ok := defs[ends.Body.Results[0]].(*ir.Len)
	if !ok {
		return nil
	}
	row, ok := defs[n.X].(*ir.Index)
	if !ok || row.I != ir.Atom(ends.I) {
		return nil
	}
	rows, ok := row.X.(*ir.Var)
	if !ok {
		return nil
	}
	if m, ok := defs[rows].(*ir.Map); ok && len(m.Body.Results) == 1 && rows.T.Rank == 2 {
		if n := EvenRows(m, 0); len(n) == 1 {
			return n[0]
		}
	}
	return nil
}
