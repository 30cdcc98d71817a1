package fuse

import (
	"github.com/surge-ndp/surge/ops/ir"
)

// rowFills makes Maps of the loops inside elements of Maps that fill a row which the element has made: of a counted
// loop that does nothing with the row but assign one element in each turn, that of the turn,
//
//	r = alloc n
//	r' = loop (p) init r for j = 0 to n { …; q = update p j x; yield q }
//
// becomes
//
//	r' = map j < n { …; yield x }
//
// so that out[i] = make([]float64, n) with a loop over out[i][j] is a nest of two levels. Rows of a constant length
// stay, they are registers, and so do rows that are updated further.
func rowFills(f *ir.Func, names *ir.Namer) {
	g := f.Clone()
	lengths(g)
	simplify(g)
	changed := false
	ir.Walk(g.Body, func(s *ir.Stmt) {
		if m, ok := s.Op.(*ir.Map); ok && fillRows(m.Body) {
			changed = true
		}
	})
	if changed {
		*f = *g
	}
}

// fillRows does so in the body of a Map, and reports whether there was such a loop.
func fillRows(b *ir.Block) bool {
	made := map[ir.Atom]*ir.Stmt{}
	for _, s := range b.Stmts {
		if alloc, ok := s.Op.(*ir.Alloc); ok && sized(s) && !alloc.Grows {
			made[s.Dst[0]] = s
		}
	}
	if len(made) == 0 {
		return false
	}
	consumed := consumes(b)
	gone := map[*ir.Stmt]bool{}
	for _, s := range b.Stmts {
		loop, ok := s.Op.(*ir.Loop)
		if !ok || loop.I == nil || loop.Independent || len(loop.Params) == 0 || !ir.IsInt(loop.Lo, 0) {
			continue
		}
		updates, ok := rowUpdates(loop)
		for _, init := range loop.Init {
			alloc := made[init]
			ok = ok && alloc != nil && alloc.Op.(*ir.Alloc).N == loop.Hi && usesIn(b, init) == 1
		}
		for _, d := range s.Dst {
			ok = ok && !consumed[d]
		}
		if !ok {
			continue
		}
		body := &ir.Block{}
		for _, t := range loop.Body.Stmts {
			if updates[t] == nil {
				body.Stmts = append(body.Stmts, t)
			}
		}
		for _, a := range loop.Body.Results {
			for t := range updates {
				if ir.Atom(t.Dst[0]) == a {
					body.Results = append(body.Results, updates[t].Value)
				}
			}
		}
		for _, init := range loop.Init {
			gone[made[init]] = true
		}
		s.Op = &ir.Map{N: loop.Hi, I: loop.I, Body: body}
	}
	if len(gone) == 0 {
		return false
	}
	var left []*ir.Stmt
	for _, s := range b.Stmts {
		if !gone[s] {
			left = append(left, s)
		}
	}
	b.Stmts = left
	return true
}

// rowUpdates returns the statements of a loop's body that assign the element of the turn to what the loop carries, one
// for each, and false if the body does anything else with it.
func rowUpdates(loop *ir.Loop) (map[*ir.Stmt]*ir.Update, bool) {
	updates := map[*ir.Stmt]*ir.Update{}
	for k, p := range loop.Params {
		var of *ir.Stmt
		for _, s := range loop.Body.Stmts {
			if u, ok := s.Op.(*ir.Update); ok && u.X == ir.Atom(p) && u.I == ir.Atom(loop.I) {
				of = s
			}
		}
		if of == nil || p.T.Rank != 1 || loop.Body.Results[k] != ir.Atom(of.Dst[0]) || usesIn(loop.Body, p) != 1 || usesIn(loop.Body, of.Dst[0]) != 1 {
			return nil, false
		}
		updates[of] = of.Op.(*ir.Update)
	}
	return updates, true
}

// usesIn is how often an atom is used in a block.
func usesIn(b *ir.Block, a ir.Atom) int {
	n := 0
	var block func(b *ir.Block)
	block = func(b *ir.Block) {
		for _, s := range b.Stmts {
			for _, o := range ir.Operands(s.Op) {
				if *o == a {
					n++
				}
			}
			for _, c := range ir.Blocks(s.Op) {
				block(c)
			}
		}
		for _, r := range b.Results {
			if r == a {
				n++
			}
		}
	}
	block(b)
	return n
}
