package fuse

import "github.com/surge-ndp/surge/ops/ir"

// evenRows returns the sequences of rows that Maps of a block, and of the blocks inside, compute and of which all rows
// have one length, and that length: it is known outside of the Map, so that they lie one behind the other.
func evenRows(b *ir.Block) map[*ir.Var]ir.Atom {
	even := map[*ir.Var]ir.Atom{}
	ir.Walk(b, func(s *ir.Stmt) {
		m, ok := s.Op.(*ir.Map)
		if !ok {
			return
		}
		for i, d := range s.Dst {
			if n := EvenRows(m, i); d.T.Rank == 2 && n != nil {
				even[d] = n
			}
		}
	})
	return even
}

// EvenRows returns the length that all rows have that a Map computes as result i, nil if they may differ.
func EvenRows(m *ir.Map, i int) ir.Atom {
	n := RowLength(m, i)
	v, isVar := n.(*ir.Var)
	if n == nil || isVar && (v == m.I || definedIn(m.Body, v)) {
		return nil
	}
	return n
}

// RowLength returns the length of the rows that a Map computes as result i, as one element of it sees it; nil if no
// operator computes them, and no array is updated to them.
func RowLength(m *ir.Map, i int) ir.Atom {
	v, ok := m.Body.Results[i].(*ir.Var)
	if !ok {
		return nil
	}
	if made := ir.Allocs(m.Body)[v]; made != nil {
		return made.Op.(*ir.Alloc).N
	}
	for _, s := range m.Body.Stmts {
		for _, d := range s.Dst {
			if d == v {
				return ir.ResultLength(s.Op)
			}
		}
	}
	return nil
}
