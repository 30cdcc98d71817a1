package load

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// Note [Volumes]
//
// A slice of slices of rows, such as a [][][]T, whose elements are assigned is a grid whose rows are grids: all
// elements lie in one flat sequence, in order, and a place in it is computed from the indices and the lengths. For that
// all rows of a level have one length. A loop that makes them mostly says so (see Note [Even rows]); where it does not,
// a run ends where two lengths differ, and the kernel is run once more, as plain Go.
//
// Loops make such a slice as they make others of rows (see Note [Loops that make rows]): it becomes a grid where its
// elements are assigned for the first time behind that.

// gridRank is how many levels a slice has that may be a grid, 0 for other types.
func gridRank(t types.Type) int {
	if t == nil || !isSlice(t) {
		return 0
	}
	if isGridType(t) {
		return 2
	}
	elem, _ := isSequence(t)
	row, ok := isSequence(elem)
	if n := gridRank(elem); ok && n > 0 && !isLarge(row) {
		return n + 1
	}
	return 0
}

// adoptUpdated makes grids of rows of rows that one arm of s updates: both arms have one then.
func (l *lowerer) adoptUpdated(s ast.Stmt) {
	for _, key := range l.env.keys {
		if x := l.env.vals[key]; x.rows != nil && gridRank(x.typ) > 2 && l.mayBecomeGrid(key) && l.updatesRows(s, key) {
			l.toGrid(key)
		}
	}
}

// volumeOfRows is a grid with the rows of x, which have rows themselves.
func (l *lowerer) volumeOfRows(x value) value {
	rank := gridRank(x.typ)
	sizes := l.evenSizes(x.atoms[0])
	if len(sizes) < rank-1 {
		sizes = l.checkedSizes(x.atoms[0], rank)
	}
	flat := value{atoms: slices.Clone(x.atoms)}
	for range rank - 1 {
		for i, a := range flat.atoms {
			flat.atoms[i] = l.emit("flat", a.Type().Elem(), &ir.View{Fn: ir.Flatten, Args: []ir.Atom{a}})
		}
	}
	g := l.volume(append([]ir.Atom{l.counter(l.length(x))}, sizes...))
	out := l.copiedOf(flat, l.elementsOf(g))
	out.typ, out.grid, out.own = x.typ, g, &owner{depth: l.ops, loops: l.loops, arms: l.arms}
	return out
}

// volume is a grid with so many elements on each level.
func (l *lowerer) volume(sizes []ir.Atom) *grid {
	g := &grid{n: sizes[0], width: sizes[1]}
	if len(sizes) > 2 {
		g.row = l.volume(sizes[1:])
		g.width = l.elementsOf(g.row)
	}
	return g
}

// volumeRows are the rows of the grid v, whose rows are grids.
func (l *lowerer) volumeRows(v value) []ir.Atom {
	g := v.grid
	if v.off != nil {
		v = l.settledPart(v, l.elementsOf(g))
	}
	var counts, widths []ir.Atom
	n := g.n
	for ; g.row != nil; g = g.row {
		counts, widths = append(counts, n), append(widths, g.row.n)
		n = l.arith(ir.Mul, n, g.row.n)
	}
	counts, widths = append(counts, n), append(widths, g.width)
	var rows []ir.Atom
	for _, a := range v.atoms {
		for i := len(counts) - 1; i >= 0; i-- {
			a = l.emit("rows", a.Type().Array(), &ir.View{Fn: ir.Grid, Args: []ir.Atom{a, counts[i], widths[i]}})
		}
		rows = append(rows, a)
	}
	return rows
}

// evenSizes are the lengths of what lies in a, a sequence of rows of rows, on each level, as far as all of a level have
// one that is known before they are made.
func (l *lowerer) evenSizes(a ir.Atom) []ir.Atom {
	v, ok := a.(*ir.Var)
	s := l.made[v]
	if !ok || s == nil || v.T.Rank < 2 {
		return nil
	}
	inner := func(row ir.Atom) []ir.Atom {
		n := l.lengthMade(row)
		if n == nil {
			return nil
		}
		return append([]ir.Atom{n}, l.evenSizes(row)...)
	}
	switch op := s.Op.(type) {
	case *ir.View:
		switch op.Fn {
		case ir.Grid:
			return append([]ir.Atom{op.Args[2]}, l.evenSizes(op.Args[0])...)
		case ir.Replicate:
			return inner(op.Args[0])
		}
	case *ir.Map:
		var out []ir.Atom
		for _, n := range inner(op.Body.Results[slices.Index(s.Dst, v)]) {
			if n = l.same(op, n); n == nil {
				break
			}
			out = append(out, n)
		}
		return out
	case *ir.Index:
		if sizes := l.evenSizes(op.X); len(sizes) > 0 {
			return sizes[1:]
		}
	}
	return nil
}

// checkedSizes are the lengths of what lies in a, which has so many levels, on each of them: those of the first rows. A
// run ends where another row has another length.
func (l *lowerer) checkedSizes(a ir.Atom, rank int) []ir.Atom {
	l.kernel.Exchanges = true
	var sizes []ir.Atom
	first := a
	length := func(a ir.Atom) ir.Atom { return l.emit("n", intType, &ir.Len{X: a}) }
	for n := length(a); len(sizes) < rank-1; {
		some := l.bin("some", ir.Gt, n, zeroInt)
		for _, m := range sizes {
			some = l.bin("some", ir.And, some, l.bin("some", ir.Gt, m, zeroInt))
		}
		depth := len(sizes)
		sizes = append(sizes, l.cond("n", intType, some, func() ir.Atom {
			row := first
			for range depth + 1 {
				row = l.at("row", row, zeroInt)
			}
			return length(row)
		}, func() ir.Atom { return zeroInt }))
	}
	l.checkSizes(a, sizes)
	return sizes
}

// checkSizes ends the run where what lies in a has other lengths than sizes.
func (l *lowerer) checkSizes(a ir.Atom, sizes []ir.Atom) {
	op := &ir.Loop{I: &ir.Var{Name: "i", T: intType}, Lo: zeroInt, Hi: l.emit("n", intType, &ir.Len{X: a})}
	op.Body = l.arm(func() {
		row := l.at("row", a, op.I)
		l.check(ir.CheckLength, "exchange", "the rows", sizes[0], l.emit("n", intType, &ir.Len{X: row}))
		if len(sizes) > 1 {
			l.checkSizes(row, sizes[1:])
		}
	}).blk
	l.append(&ir.Stmt{Op: op})
}
