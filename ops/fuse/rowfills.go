package fuse

import (
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
	consumed := consumes(b)
	gone := map[*ir.Stmt]bool{}
	for _, s := range b.Stmts {
		loop, ok := s.Op.(*ir.Loop)
		if !ok || loop.I == nil || loop.Independent || len(loop.Params) == 0 || !ir.IsInt(loop.Lo, 0) {
			continue
		}
		ok = assignsRows(loop)
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
		for k, p := range loop.Params {
			row := &rowOf{loop, p, names}
			loop.Body.Results[k] = row.value(loop.Body, loop.Body.Results[k])
		}
		for _, init := range loop.Init {
			gone[made[init]] = true
		}
		s.Op = &ir.Map{N: loop.Hi, I: loop.I, Body: loop.Body}
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

// assignsRows reports whether the turns of a loop do nothing with the rows that it carries but assign the element of
// the turn to each, once or not at all.
func assignsRows(loop *ir.Loop) bool {
	for k, p := range loop.Params {
		row := &rowOf{loop: loop, p: p}
		uses, ok := row.assigned(loop.Body, loop.Body.Results[k])
		if !ok || p.T.Rank != 1 || loop.Body.Results[k] == ir.Atom(p) || usesIn(loop.Body, p) != uses {
			return false
		}
	}
	return true
}

// rowOf is a row that a loop carries, as the parameter p.
type rowOf struct {
	loop  *ir.Loop
	p     *ir.Var
	names *ir.Namer
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
		return zero(r.p.T.Kind)
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
