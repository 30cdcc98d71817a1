package fuse

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// outsideLengths moves what asks for the length of an array out of the computation that has it inside, where a level of
// the computation goes over so many elements: it stays in a branch of a loop where passes that come late make a level
// of one. So the features of the computation say how long its rows are.
func outsideLengths(b *ir.Block) {
	var stmts []*ir.Stmt
	for _, s := range b.Stmts {
		if indexOf(s.Op) != nil {
			stmts = append(stmts, lengthsInside(s)...)
		} else {
			for _, c := range ir.Blocks(s.Op) {
				outsideLengths(c)
			}
		}
		stmts = append(stmts, s)
	}
	b.Stmts = stmts
}

// lengthsInside takes out of a computation the statements that ask for such lengths, and returns them.
func lengthsInside(s *ir.Stmt) (out []*ir.Stmt) {
	from := map[ir.Atom]*ir.Stmt{} // what is computed inside → its statement
	bound, defs := map[ir.Atom]bool{}, map[ir.Atom]ir.Op{}
	enter := func(t *ir.Stmt) {
		for _, v := range ir.Bound(t.Op) {
			bound[v] = true
		}
	}
	enter(s)
	for _, b := range ir.Blocks(s.Op) {
		ir.Walk(b, func(t *ir.Stmt) {
			for _, d := range t.Dst {
				from[d], bound[d], defs[d] = t, true, t.Op
			}
			enter(t)
		})
	}
	moved := map[*ir.Stmt]bool{}
	asks := func(a ir.Atom) bool {
		n, ok := defs[a].(*ir.Len)
		return ok && !bound[n.X]
	}
	for _, b := range ir.Blocks(s.Op) {
		ir.Walk(b, func(t *ir.Stmt) {
			if indexOf(t.Op) == nil {
				return
			}
			n := most(defs, lengthOf(t.Op), func(a ir.Atom) bool { return !bound[a] || asks(a) })
			if n != nil && asks(n) && !moved[from[n]] {
				moved[from[n]] = true
				out = append(out, from[n])
			}
		})
	}
	if len(out) == 0 {
		return nil
	}
	for _, b := range ir.Blocks(s.Op) {
		leave(b, moved)
	}
	return out
}

// leave removes statements from a block, and from those inside of it.
func leave(b *ir.Block, moved map[*ir.Stmt]bool) {
	b.Stmts = slices.DeleteFunc(b.Stmts, func(s *ir.Stmt) bool { return moved[s] })
	for _, s := range b.Stmts {
		for _, c := range ir.Blocks(s.Op) {
			leave(c, moved)
		}
	}
}
