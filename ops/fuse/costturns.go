package fuse

import "github.com/surge-ndp/surge/ops/ir"

// turns returns how often a loop turns, and whether that is known.
func (m *meter) turns(l *ir.Loop) (float64, bool) {
	if l.I == nil {
		return guessedTurns, false
	}
	if lo, ok := l.Lo.(ir.Const); ok {
		if hi, ok := l.Hi.(ir.Const); ok {
			return max(float64(hi.Int()-lo.Int()), 0), true
		}
	}
	if hi, ok := m.defs[l.Hi].(*ir.Binary); ok && hi.Fn == ir.Add { // lo + n
		for _, a := range [][2]ir.Atom{{hi.X, hi.Y}, {hi.Y, hi.X}} {
			if n, ok := a[1].(ir.Const); ok && a[0] == l.Lo {
				return max(float64(n.Int()), 0), true
			}
		}
	}
	return guessedTurns, false
}

// triangle reports whether the turns of a loop begin or end alike in neighbouring elements of a level, and each has one
// more, or less, than the one before: lanes make nearly all of them together.
func (m *meter) triangle(op *ir.Loop, level int) bool {
	if op.I == nil {
		return false
	}
	begin, end := m.move(op.Lo, level), m.move(op.Hi, level)
	return begin == still && (end == next || end == back) || begin == next && end == still
}

// loopsBeside returns the loops of independent turns in sequential code that count as loops in order do. What a level
// costs is told for one length of it: features tell the turns of those loops that are the most work. How many turns the
// others have nothing tells, as those over a few centers beside the one over all points.
func loopsBeside(top *ir.Stmt) map[*ir.Stmt]bool {
	m, ok := top.Op.(*ir.Map)
	if !ok || !ir.IsInt(m.N, 1) {
		return nil
	}
	defs, known := knownBefore(m.Body)
	lengths := map[*ir.Stmt]ir.Atom{}
	var length ir.Atom
	heaviest := 0.0
	outermost(m.Body, func(s *ir.Stmt, loop *ir.Loop) {
		lengths[s] = most(defs, loop.Hi, known)
		if work := weigh(loop.Body); work > heaviest {
			length, heaviest = lengths[s], work
		}
	})
	if length == nil {
		return nil
	}
	beside := map[*ir.Stmt]bool{}
	for s, n := range lengths {
		if n != length {
			ir.Walk(&ir.Block{Stmts: []*ir.Stmt{s}}, func(s *ir.Stmt) { beside[s] = isUpdate(s) })
		}
	}
	return beside
}

func isUpdate(s *ir.Stmt) bool {
	loop, ok := s.Op.(*ir.Loop)
	return ok && loop.Independent
}

// outermost visits the loops of independent turns of a block that no other one is around.
func outermost(b *ir.Block, visit func(*ir.Stmt, *ir.Loop)) {
	for _, s := range b.Stmts {
		if isUpdate(s) {
			visit(s, s.Op.(*ir.Loop))
			continue
		}
		for _, c := range ir.Blocks(s.Op) {
			outermost(c, visit)
		}
	}
}

// knownBefore returns what a block defines, and whether a value is known before it.
func knownBefore(b *ir.Block) (defs map[ir.Atom]ir.Op, known func(ir.Atom) bool) {
	defs, bound := map[ir.Atom]ir.Op{}, map[ir.Atom]bool{}
	ir.Walk(b, func(s *ir.Stmt) {
		for _, d := range s.Dst {
			defs[d] = s.Op
		}
		for _, v := range ir.Bound(s.Op) {
			bound[v] = true
		}
	})
	return defs, func(a ir.Atom) bool { _, local := defs[a]; return !local && !bound[a] }
}
