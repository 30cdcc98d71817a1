package fuse

import "github.com/surge-ndp/surge/ops/ir"

// outerRows moves rows that are read at the top level to where their elements are read: a row is a view of the
// sequence that holds it, and what computations take from outside is scalars and whole sequences. What checks that
// there is such a row stays where it is.
//
//	r = index rows k                 y = map i < n {
//	y = map i < n { index r i }  →     r = index rows k
//	                                   index r i }
func outerRows(f *ir.Func, names *ir.Namer) {
	var rows []*ir.Stmt
	var out []*ir.Stmt
	for _, s := range f.Body.Stmts {
		if _, ok := s.Op.(*ir.Index); ok && s.Dst[0].T.Rank > 0 {
			rows = append(rows, s)
			continue
		}
		for _, b := range ir.Blocks(s.Op) {
			moved, sub := rowsFor(rows, ir.Free(b), names)
			substitute(b, sub)
			b.Stmts = append(moved, b.Stmts...)
		}
		var direct []*ir.Var
		for _, a := range ir.Operands(s.Op) {
			if v, ok := (*a).(*ir.Var); ok {
				direct = append(direct, v)
			}
		}
		moved, sub := rowsFor(rows, direct, names)
		for _, a := range ir.Operands(s.Op) {
			*a = sub.Atom(*a)
		}
		out = append(append(out, moved...), s)
	}
	f.Body.Stmts = out
}

// rowsFor are copies of those rows that are used, and of what they are rows of, with the variables that stand for them.
func rowsFor(rows []*ir.Stmt, used []*ir.Var, names *ir.Namer) ([]*ir.Stmt, ir.Subst) {
	wanted := map[ir.Atom]bool{}
	for _, v := range used {
		wanted[v] = true
	}
	for i := len(rows) - 1; i >= 0; i-- {
		if wanted[rows[i].Dst[0]] {
			wanted[rows[i].Op.(*ir.Index).X] = true
		}
	}
	sub := ir.Subst{}
	var copies []*ir.Stmt
	for _, r := range rows {
		if wanted[r.Dst[0]] {
			copies = append(copies, r.Clone(sub, names))
		}
	}
	return copies, sub
}
