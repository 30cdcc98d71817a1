package fuse

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// outerRows moves rows that are read in the host program to where their elements are read: a row is a view of the
// sequence that holds it, and what computations take from outside is scalars and whole sequences. What checks that
// there is such a row stays where it is.
//
//	r = index rows k                 y = map i < n {
//	y = map i < n { index r i }  →     r = index rows k
//	                                   index r i }
func outerRows(f *ir.Func, names *ir.Namer) { moveRows(f.Body, nil, names) }

// moveRows is outerRows for a block of the host program, around which rows are read.
func moveRows(b *ir.Block, rows []*ir.Stmt, names *ir.Namer) {
	rows = slices.Clip(rows)
	var out []*ir.Stmt
	move := func(atoms []*ir.Atom) {
		var used []*ir.Var
		for _, a := range atoms {
			if v, ok := (*a).(*ir.Var); ok {
				used = append(used, v)
			}
		}
		moved, sub := rowsFor(rows, used, names)
		for _, a := range atoms {
			*a = sub.Atom(*a)
		}
		out = append(out, moved...)
	}
	for _, s := range b.Stmts {
		if _, ok := s.Op.(*ir.Index); ok && s.Dst[0].T.Rank > 0 {
			rows = append(rows, s)
			continue
		}
		for _, inner := range ir.Blocks(s.Op) {
			if Controls(s) {
				moveRows(inner, rows, names)
				continue
			}
			moved, sub := rowsFor(rows, ir.Free(inner), names)
			substitute(inner, sub)
			inner.Stmts = append(moved, inner.Stmts...)
		}
		move(ir.Operands(s.Op))
		out = append(out, s)
	}
	var results []*ir.Atom
	for i := range b.Results {
		results = append(results, &b.Results[i])
	}
	move(results)
	b.Stmts = out
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
