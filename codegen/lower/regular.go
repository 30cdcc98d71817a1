package lower

import (
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
)

// Rows is how the rows at one level of a nested result lie.
type Rows struct {
	// Length is that of all rows but for the last one, which may be shorter, if it is known before the computation runs;
	// nil if rows differ in length.
	Length ir.Atom
	// Total is how many elements all of them have; nil if the last row is as long as the others.
	Total ir.Atom
	// Offsets are, where rows differ in length, the statements that fill the offsets of the level from the second one on;
	// the first one is 0. Those of the levels around are filled before.
	Offsets []kir.Stmt
}

// RowsOf returns how the rows of result i of a computation lie, one for each level of rows, the outermost one first:
// none for a flat result.
func RowsOf(k *fuse.Kernel, c *fuse.Computation, i int) (all []Rows, err error) {
	m, ok := c.Stmt.Op.(*ir.Map)
	if !ok || c.Stmt.Dst[i].T.Rank < 2 {
		return nil, nil
	}
	defer refused(&err)
	levels := rowLevels(m, i)
	for d := range levels {
		r := regularRows(levels, d)
		if r == nil {
			r = &Rows{Offsets: rowOffsetsOf(k, levels[:d+1], RowOffsetsNames(c.Stmt.Dst[i])[d])}
		}
		all = append(all, *r)
	}
	return all, nil
}

// rowLevels returns how the rows of result i of a Map are computed, which yields nested sequences.
func rowLevels(m *ir.Map, i int) []fuse.RowLevel {
	levels := fuse.RowLevels(m, i)
	if levels == nil {
		veto("rows that are not computed by an operator are not stored yet")
	}
	return levels
}

// regularRows returns how the rows of level d lie if they have one length: one that is known outside of all Maps, or,
// of the outermost level, that of the parts of something, as ops.Split makes them, which is min(i·length + length,
// total) - i·length. It returns nil if they differ in length.
func regularRows(levels []fuse.RowLevel, d int) *Rows {
	m, n := levels[0].Map, levels[d].Length
	if fuse.Outside(m, n) {
		return &Rows{Length: n}
	}
	if d > 0 {
		return nil
	}
	inside := map[ir.Atom]ir.Op{}
	for _, s := range m.Body.Stmts {
		for _, d := range s.Dst {
			inside[d] = s.Op
		}
	}
	// beside returns the other operand of a = fn(x, one).
	beside := func(a ir.Atom, fn ir.BinaryFn, one ir.Atom) ir.Atom {
		op, ok := inside[a].(*ir.Binary)
		switch {
		case !ok || op.Fn != fn:
			return nil
		case op.X == one:
			return op.Y
		case op.Y == one:
			return op.X
		}
		return nil
	}
	diff, ok := inside[n].(*ir.Binary)
	if !ok || diff.Fn != ir.Sub {
		return nil
	}
	width := beside(diff.Y, ir.Mul, m.I)
	least, ok := inside[diff.X].(*ir.Binary)
	if !ok || least.Fn != ir.Min || width == nil || !fuse.Outside(m, width) {
		return nil
	}
	for _, q := range [][2]ir.Atom{{least.X, least.Y}, {least.Y, least.X}} {
		if end, total := q[0], q[1]; beside(end, ir.Add, diff.Y) == width && fuse.Outside(m, total) {
			return &Rows{Length: width, Total: total}
		}
	}
	return nil
}

// rowOffsetsOf lowers the computation of where the rows of the last one of the levels begin: it fills offsets[1:],
// given offsets[0] = 0. Lengths of rows that take a loop each, as where an element has to be computed to know how much
// it yields, are computed in parallel, and added up then.
func rowOffsetsOf(k *fuse.Kernel, levels []fuse.RowLevel, name string) []kir.Stmt {
	l := newLowerer(k, scalarLevels(len(levels)+3))
	l.hoisted = k.HoistedChecks()
	off := l.global(name, ir.Int)
	if m := levels[0].Map; len(levels) == 1 {
		if length := fuse.Slice(m.Body, []ir.Atom{levels[0].Length}, l.hoisted); holdsLoops(length) {
			l.rowLengths(m, length, off)
			return kir.Prune(l.body)
		}
	}
	sum := l.fresh("sum", kir.Int)
	l.emit(&kir.Let{V: sum, X: intConst(0)})
	var at *kir.Var // the number of the row, which is the index of the loop where there is one
	if len(levels) > 1 {
		at = l.fresh("at", kir.Int)
		l.emit(&kir.Let{V: at, X: intConst(0)})
	}
	var rows func(d int, e *env)
	rows = func(d int, e *env) {
		m := levels[d].Map
		i := l.fresh(m.I.Name, kir.Int)
		loop := &kir.For{V: i, Lo: intConst(0), Hi: l.atom(m.N, e).x, Step: 1}
		l.inside(&loop.Body, func() {
			e := e.child()
			e.m[m.I] = scalar(&kir.Ref{V: i})
			if d+1 < len(levels) {
				turn := fuse.Slice(m.Body, needed(levels[d+1:], l.hoisted), l.hoisted)
				l.scoped(func() {
					l.block(turn, e, d+1)
					rows(d+1, e)
				}, turn)
				return
			}
			turn := fuse.Slice(m.Body, []ir.Atom{levels[d].Length}, l.hoisted)
			l.scoped(func() {
				r := l.block(turn, e, d+1)
				l.emit(&kir.Set{V: sum, X: add(&kir.Ref{V: sum}, r[0].x)})
			}, turn)
			if at == nil {
				l.emit(&kir.Store{A: off, I: add(&kir.Ref{V: i}, intConst(1)), X: &kir.Ref{V: sum}})
				return
			}
			l.emit(&kir.Set{V: at, X: add(&kir.Ref{V: at}, intConst(1))})
			l.emit(&kir.Store{A: off, I: &kir.Ref{V: at}, X: &kir.Ref{V: sum}})
		})
		l.emit(loop)
	}
	rows(0, l.env)
	return kir.Prune(l.body)
}

// rowLengths computes the lengths of rows in parallel, and adds them up to where rows begin.
func (l *lowerer) rowLengths(m *ir.Map, length *ir.Block, off *kir.Array) {
	n := l.atom(m.N, l.env).x
	p := l.par(n, 0, ir.Pos{}, "the lengths of rows", func(p *kir.Par) {
		i := l.fresh(m.I.Name, kir.Int)
		loop := &kir.For{V: i, Lo: &kir.Ref{V: p.Lo}, Hi: &kir.Ref{V: p.Hi}, Step: 1}
		l.inside(&loop.Body, func() {
			e := l.env.child()
			e.m[m.I] = scalar(&kir.Ref{V: i})
			l.scoped(func() {
				r := l.block(length, e, 1)
				l.emit(&kir.Store{A: off, I: add(&kir.Ref{V: i}, intConst(1)), X: r[0].x})
			}, length)
		})
		l.emit(loop)
	})
	p.Work = times(n, l.operations(length, 0, l.env))
	i := l.fresh("row", kir.Int)
	add1 := add(&kir.Ref{V: i}, intConst(1))
	sum := &kir.Bin{Fn: ir.Add, X: &kir.Load{A: off, I: &kir.Ref{V: i}, T: kir.Int}, Y: &kir.Load{A: off, I: add1, T: kir.Int}, T: kir.Int}
	l.emit(&kir.For{V: i, Lo: intConst(0), Hi: n, Step: 1, Body: []kir.Stmt{&kir.Store{A: off, I: add1, X: sum}}})
}

// holdsLoops reports whether there is a loop or an operator in a block.
func holdsLoops(b *ir.Block) bool {
	found := false
	ir.Walk(b, func(s *ir.Stmt) {
		_, loop := s.Op.(*ir.Loop)
		found = found || loop || ir.OperatorIndex(s.Op) != nil
	})
	return found
}

// needed are the values from around that the Maps of some levels need to say how long the rows of the last one are.
func needed(levels []fuse.RowLevel, hoisted map[*ir.Check]bool) []ir.Atom {
	m := levels[0].Map
	results := []ir.Atom{levels[0].Length}
	if len(levels) > 1 {
		results = needed(levels[1:], hoisted)
	}
	all := []ir.Atom{m.N}
	for _, v := range ir.Free(fuse.Slice(m.Body, results, hoisted)) {
		if v != m.I {
			all = append(all, v)
		}
	}
	return all
}

// scalarLevels are n levels that run on one thread, an element at a time.
func scalarLevels(n int) []level {
	all := make([]level, n)
	for i := range all {
		all[i] = level{width: 1, unroll: 1}
	}
	return all
}

// SameRows reports whether the rows of two nested results of a Map are of the same lengths at a level, by what stands
// there.
func SameRows(c *fuse.Computation, result, other, level int) bool {
	m, ok := c.Stmt.Op.(*ir.Map)
	if !ok {
		return false
	}
	a, b := fuse.RowLevels(m, result), fuse.RowLevels(m, other)
	if level >= len(a) || level >= len(b) {
		return false
	}
	for d := range level + 1 {
		if a[d] != b[d] {
			return false
		}
	}
	return true
}
