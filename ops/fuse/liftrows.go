package fuse

import "github.com/surge-ndp/surge/ops/ir"

// liftRows has elements of a Map read the row of another Map that they need, the one of their index, before the
// operators inside, which read its elements. What computes the row can then take the place of the read, and does so
// once for each row. Both Maps have one length, so that there is such a row.
func liftRows(f *ir.Func) {
	lengths := map[ir.Atom]ir.Atom{} // of what Maps compute that has rows
	ir.Walk(f.Body, func(s *ir.Stmt) {
		m, ok := s.Op.(*ir.Map)
		if !ok {
			return
		}
		var stmts []*ir.Stmt
		for _, inner := range m.Body.Stmts {
			if indexOf(inner.Op) != nil {
				own := map[ir.Atom]bool{}
				ir.Walk(&ir.Block{Stmts: []*ir.Stmt{inner}}, func(t *ir.Stmt) {
					for _, d := range t.Dst {
						own[d] = true
					}
				})
				for _, b := range ir.Blocks(inner.Op) {
					takeRows(b, m, lengths, own, &stmts)
				}
			}
			stmts = append(stmts, inner)
		}
		m.Body.Stmts = stmts
		for _, d := range s.Dst {
			if d.T.Rank > 1 {
				lengths[d] = m.N
			}
		}
	})
}

// takeRows moves the reads of rows with the index of m out of a block, but for rows of its own.
func takeRows(b *ir.Block, m *ir.Map, lengths map[ir.Atom]ir.Atom, own map[ir.Atom]bool, to *[]*ir.Stmt) {
	var left []*ir.Stmt
	for _, s := range b.Stmts {
		if read, ok := s.Op.(*ir.Index); ok && read.I == ir.Atom(m.I) && lengths[read.X] == m.N && !own[read.X] {
			*to = append(*to, s)
			continue
		}
		for _, inner := range ir.Blocks(s.Op) {
			takeRows(inner, m, lengths, own, to)
		}
		left = append(left, s)
	}
	b.Stmts = left
}
