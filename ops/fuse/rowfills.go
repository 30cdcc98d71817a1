package fuse

import (
	"maps"
	"slices"

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
// so that out[i] = make([]float64, n) with a loop over out[i][j] is a nest of two levels. What conditions assign is
// what they choose, and zero where they assign nothing. Rows of a constant length stay, they are registers, and so do
// rows that are updated further.
//
// Beside a Reduce, as that of the greatest element in a softmax, a loop that goes over such a row again, and makes each
// element another one by what it was, is a Map of that row: this is done behind the pass that makes Reduces. (In
// elements without operators loops that update a row where it lies become levels by themselves, see [updates], and take
// less memory.)
func rowFills(f *ir.Func, names *ir.Namer) {
	g := f.Clone()
	lengths(g)
	simplify(g)
	changed := false
	ir.Walk(g.Body, func(s *ir.Stmt) {
		if m, ok := s.Op.(*ir.Map); ok && fillRows(m.Body, names) {
			changed = true
		}
	})
	if changed {
		*f = *g
	}
}

// fillRows does so in the body of a Map, and reports whether there was such a loop.
func fillRows(b *ir.Block, names *ir.Namer) bool {
	made := map[ir.Atom]*ir.Stmt{}
	for _, s := range b.Stmts {
		if alloc, ok := s.Op.(*ir.Alloc); ok && sized(s) && !alloc.Grows {
			made[s.Dst[0]] = s
		}
	}
	if len(made) == 0 {
		return false
	}
	again := slices.ContainsFunc(b.Stmts, func(s *ir.Stmt) bool { _, ok := s.Op.(*ir.Reduce); return ok })
	fills := filling(b, made, again)
	gone := map[*ir.Stmt]bool{}
	for _, s := range b.Stmts {
		if !fills[s] {
			continue
		}
		loop := s.Op.(*ir.Loop)
		for k, p := range loop.Params {
			if made[loop.Init[k]] != nil {
				substitute(loop.Body, zeros(loop.Body, p))
			}
		}
		body := &ir.Block{Results: slices.Clone(loop.Body.Results)}
		for k, p := range loop.Params {
			row := &rowOf{loop, p, names, zero(p.T.Kind)}
			if alloc := made[loop.Init[k]]; alloc != nil {
				gone[alloc] = true
			} else {
				old := names.Var(elementName(p), p.T.Elem())
				body.Stmts = append(body.Stmts, &ir.Stmt{Dst: []*ir.Var{old}, Op: &ir.Index{X: loop.Init[k], I: loop.I}, Pos: s.Pos})
				row.old = old
				substituteReads(loop.Body, p, loop.Init[k])
			}
			body.Results[k] = row.value(loop.Body, body.Results[k])
		}
		body.Stmts = append(body.Stmts, loop.Body.Stmts...)
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

// filling returns the loops of a block that become Maps: each of the rows that they carry is one that the block has
// made, with nothing in it, or, if again is true, what another such loop has made of it.
func filling(b *ir.Block, made map[ir.Atom]*ir.Stmt, again bool) map[*ir.Stmt]bool {
	fills := map[*ir.Stmt]bool{}
	rows := map[ir.Atom]*ir.Stmt{} // what loops make of rows
	for _, s := range b.Stmts {
		loop, ok := s.Op.(*ir.Loop)
		if ok && loop.I != nil && !loop.Independent && len(loop.Params) > 0 && ir.IsInt(loop.Lo, 0) && assignsRows(loop, made) {
			fills[s] = true
			for _, d := range s.Dst {
				rows[d] = s
			}
		}
	}
	length := func(row ir.Atom) ir.Atom {
		if alloc := made[row]; alloc != nil && usesIn(b, row) == 1 {
			return alloc.Op.(*ir.Alloc).N
		}
		if by := rows[row]; again && fills[by] {
			return by.Op.(*ir.Loop).Hi
		}
		return nil
	}
	for changed := true; changed; {
		changed = false
		for s := range fills {
			loop := s.Op.(*ir.Loop)
			ok := !slices.ContainsFunc(loop.Init, func(row ir.Atom) bool { return length(row) != loop.Hi })
			for _, d := range slices.Concat(s.Dst, ir.Free(loop.Body)) { // what an operator reads is not updated behind it
				ok = ok && onlyConsumedBy(b, d, fills)
			}
			if !ok {
				delete(fills, s)
				changed = true
			}
		}
	}
	return fills
}

// onlyConsumedBy reports whether nothing in a block but some loops updates a version of a row, or carries it further.
func onlyConsumedBy(b *ir.Block, row *ir.Var, loops map[*ir.Stmt]bool) bool {
	rest := &ir.Block{}
	for _, s := range b.Stmts {
		if !loops[s] {
			rest.Stmts = append(rest.Stmts, s)
		}
	}
	return !consumes(rest)[row]
}

// zeros takes the reads of a row in which there is nothing out of a block, and says what stands for them.
func zeros(b *ir.Block, row *ir.Var) ir.Subst {
	sub := ir.Subst{}
	b.Stmts = slices.DeleteFunc(b.Stmts, func(s *ir.Stmt) bool {
		read, ok := s.Op.(*ir.Index)
		if ok = ok && read.X == ir.Atom(row); ok {
			sub[s.Dst[0]] = zero(row.T.Kind)
		}
		return ok
	})
	for _, s := range b.Stmts {
		for _, c := range ir.Blocks(s.Op) {
			maps.Copy(sub, zeros(c, row))
		}
	}
	return sub
}

// substituteReads has the elements that a block reads of a row read of another one.
func substituteReads(b *ir.Block, row *ir.Var, other ir.Atom) {
	ir.Walk(b, func(s *ir.Stmt) {
		if read, ok := s.Op.(*ir.Index); ok && read.X == ir.Atom(row) {
			read.X = other
		}
	})
}

// assignsRows reports whether the turns of a loop do nothing with the rows that it carries but assign the element of
// the turn to each, once or not at all, and read that element as it was before.
func assignsRows(loop *ir.Loop, made map[ir.Atom]*ir.Stmt) bool {
	for k, p := range loop.Params {
		row := &rowOf{loop: loop, p: p}
		uses, ok := row.assigned(loop.Body, loop.Body.Results[k])
		uses += readsOf(loop.Body, p, loop.I)
		if !ok || p.T.Rank != 1 || loop.Body.Results[k] == ir.Atom(p) || usesIn(loop.Body, p) != uses {
			return false
		}
	}
	return true
}

// readsOf is how often a block reads an element of a row.
func readsOf(b *ir.Block, row *ir.Var, i ir.Atom) (n int) {
	ir.Walk(b, func(s *ir.Stmt) {
		if read, ok := s.Op.(*ir.Index); ok && read.X == ir.Atom(row) && read.I == i {
			n++
		}
	})
	return n
}

// rowOf is a row that a loop carries, as the parameter p.
type rowOf struct {
	loop  *ir.Loop
	p     *ir.Var
	names *ir.Namer
	old   ir.Atom // the element of the turn before the loop
}

// assigned reports whether the version of the row that a block ends with is what it began with, but for at most one
// element, that of the turn; and how often the block uses what it began with to make it.
func (r *rowOf) assigned(b *ir.Block, version ir.Atom) (uses int, ok bool) {
	if version == ir.Atom(r.p) {
		return 1, true
	}
	s, k := madeIn(b, version)
	if s == nil || usesIn(r.loop.Body, version) != 1 {
		return 0, false
	}
	switch op := s.Op.(type) {
	case *ir.Update:
		return 1, op.X == ir.Atom(r.p) && op.I == ir.Atom(r.loop.I)
	case *ir.If:
		then, ok := r.assigned(op.Then, op.Then.Results[k])
		otherwise, also := r.assigned(op.Else, op.Else.Results[k])
		return then + otherwise, ok && also
	}
	return 0, false
}

// value takes the updates of the row out of a block that ends with a version of it, and returns what the element of the
// turn is in that.
func (r *rowOf) value(b *ir.Block, version ir.Atom) ir.Atom {
	if version == ir.Atom(r.p) {
		return r.old
	}
	s, k := madeIn(b, version)
	if op, ok := s.Op.(*ir.Update); ok {
		b.Stmts = slices.DeleteFunc(b.Stmts, func(t *ir.Stmt) bool { return t == s })
		return op.Value
	}
	op := s.Op.(*ir.If)
	op.Then.Results[k] = r.value(op.Then, op.Then.Results[k])
	op.Else.Results[k] = r.value(op.Else, op.Else.Results[k])
	s.Dst[k] = r.names.Var(r.p.Name, r.p.T.Elem())
	return s.Dst[k]
}

// madeIn returns the statement of a block that makes an atom, and as which of its results; nil if none does.
func madeIn(b *ir.Block, a ir.Atom) (*ir.Stmt, int) {
	for _, s := range b.Stmts {
		for k, d := range s.Dst {
			if ir.Atom(d) == a {
				return s, k
			}
		}
	}
	return nil, 0
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
