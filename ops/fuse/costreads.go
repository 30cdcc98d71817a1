package fuse

import "github.com/surge-ndp/surge/ops/ir"

// read counts a read, which lanes of a level whose rows are packed make at once.
func (m *meter) read(s *ir.Stmt, op *ir.Index, depth int, times float64) {
	scalarised := m.levels[depth].Scalarised
	p, packed := m.reads[s]
	if packed && p.level > 0 && p.level == depth && m.move(op.I, p.level-1) == still {
		p.once = false // but for all elements of the level around
	}
	if x, ok := op.X.(*ir.Var); ok && !packed {
		p, packed = m.packed[x]
	}
	var before float64
	if packed {
		before = scalarised[p.level]
	}
	m.touch(op.X, op.I, depth, times, m.inPlace(op.X))
	if packed {
		scalarised[p.level] = before
		if p.once {
			scalarised[p.level] += times * packCost(op.X.Type().Kind)
		}
	}
}

// updatedArrays are the versions of arrays that something in an operator updates.
func updatedArrays(s *ir.Stmt) map[ir.Atom]bool {
	all := map[ir.Atom]bool{}
	for _, b := range ir.Blocks(s.Op) {
		ir.Walk(b, func(s *ir.Stmt) {
			if op, ok := s.Op.(*ir.Update); ok {
				all[op.X] = true
			}
		})
	}
	return all
}

// inRow reports whether an index is that of an element of a row, of which there is one for each element of a level:
// where the row begins and an index of a level or a loop further in.
func (m *meter) inRow(index ir.Atom, level int) bool {
	isRow := func(a ir.Atom) bool {
		begin, ok := m.defs[a].(*ir.Binary)
		return ok && begin.Fn == ir.Mul && (begin.X == ir.Atom(m.index[level]) || begin.Y == ir.Atom(m.index[level]))
	}
	sum, ok := m.defs[index].(*ir.Binary)
	return ok && sum.Fn == ir.Add && (isRow(sum.X) || isRow(sum.Y))
}

// rowOfEach reports whether x is a row of a nested sequence, another one for each element of a level.
func (m *meter) rowOfEach(x ir.Atom, level int) bool {
	_, isRow := m.defs[x].(*ir.Index)
	return isRow && m.move(x, level) != still
}

// touch counts a read or a write of x at an index; place is that of a number of a struct, else nil.
func (m *meter) touch(x, index ir.Atom, depth int, times float64, place *Place) {
	first := 0 // level
	if m.once {
		first = 1
	}
	for l := range m.levels[depth].Scalarised {
		move, count := m.move(index, l), times
		if m.masked[l] > 0 { // lane by lane, where it takes part
			count *= maskedCost
		}
		switch {
		case m.rowOfEach(x, l): // and neither packed nor of one length: read one by one
			m.levels[depth].Scalarised[l] += count
		case place != nil && move == next && m.masked[l] == 0:
			m.levels[depth].Scalarised[l] += count * fieldCost(place)
		case (move == back || next < move && move < distant) && place == nil:
			if m.masked[l] == 0 {
				count *= apartCost * float64(max(move-1, 1))
			}
			m.levels[depth].Scalarised[l] += count
		case move == unknown || move == distant && (l == depth || m.updated[x] || depth > l+1 && !m.inRow(index, l)) || place != nil && move != still:
			m.levels[depth].Scalarised[l] += count
		case move == distant && !(l > first && m.move(index, l-1) == still) && depth == l+1 && times > 0:
			// Elements of rows of one length are packed where the rows lie on lanes, if that pays: if they are read
			// several times, here, in levels further in, or by all elements of the level around, where it has some.
			switch before, again := m.rows[row{x, l}]; {
			case !again:
				m.levels[depth].Scalarised[l] += count
				m.rows[row{x, l}] = &count
			case before != nil:
				m.levels[depth].Scalarised[l] -= *before
				m.rows[row{x, l}] = nil
			}
		}
	}
}
