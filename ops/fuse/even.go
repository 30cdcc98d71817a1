package fuse

import "github.com/surge-ndp/surge/ops/ir"

// evenRows returns the nested sequences that Maps of a block, and of the blocks inside, compute and of which all rows
// of a level have one length, which is known outside of the Map: they lie one behind the other.
func evenRows(b *ir.Block) map[*ir.Var]bool {
	even := map[*ir.Var]bool{}
	ir.Walk(b, func(s *ir.Stmt) {
		m, ok := s.Op.(*ir.Map)
		if !ok {
			return
		}
		for i, d := range s.Dst {
			even[d] = d.T.Rank > 1 && EvenRows(m, i) != nil
		}
	})
	return even
}

// EvenRows returns the lengths that all rows of each level have that a Map computes as result i, those of the outermost
// level first. It returns nil if rows of a level may differ.
func EvenRows(m *ir.Map, i int) []ir.Atom {
	var all []ir.Atom
	for _, level := range RowLevels(m, i) {
		if !Outside(m, level.Length) {
			return nil
		}
		all = append(all, level.Length)
	}
	return all
}

// Outside reports whether a is known outside of the Map m.
func Outside(m *ir.Map, a ir.Atom) bool {
	v, isVar := a.(*ir.Var)
	if !isVar {
		return true
	}
	inside := v == m.I
	ir.Walk(m.Body, func(s *ir.Stmt) {
		for _, d := range s.Dst {
			inside = inside || d == v
		}
		for _, b := range ir.Bound(s.Op) {
			inside = inside || b == v
		}
	})
	return !inside
}

// RowLevel is a level of the rows of a nested sequence: Map computes them, one in each turn.
type RowLevel struct {
	Map    *ir.Map
	Length ir.Atom // of a row, as one turn sees it
}

// RowLevels returns how the rows are computed of the nested sequence that is result i of a Map, the outermost level
// first: for a sequence of rank 2 there is one. It returns nil if rows of a level are not computed by an operator, and
// no array is updated to them.
func RowLevels(m *ir.Map, i int) []RowLevel {
	v, ok := m.Body.Results[i].(*ir.Var)
	if !ok || v.T.Rank == 0 {
		return nil
	}
	if made := ir.Allocs(m.Body)[v]; made != nil {
		return []RowLevel{{m, made.Op.(*ir.Alloc).N}}
	}
	for _, s := range m.Body.Stmts {
		for k, d := range s.Dst {
			n := ir.ResultLength(s.Op)
			if d != v || n == nil {
				continue
			}
			levels := []RowLevel{{m, n}}
			if v.T.Rank == 1 {
				return levels
			}
			inner, ok := s.Op.(*ir.Map)
			if !ok {
				return nil
			}
			below := RowLevels(inner, k)
			if below == nil {
				return nil
			}
			return append(levels, below...)
		}
	}
	return nil
}
