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

// adoptUpdated makes grids of rows of rows of which s assigns elements, before it: what comes behind has one, whatever
// arm or turn it comes from.
func (l *lowerer) adoptUpdated(s ast.Stmt) {
	for _, key := range l.env.keys {
		if x := l.env.vals[key]; x.rows != nil && gridRank(x.typ) > 2 && l.mayBecomeGrid(key) && l.updatesRows(s, key) {
			l.toGrid(key)
		}
	}
}

// adoptCalled is adoptUpdated for what the functions that s calls assign.
func (l *lowerer) adoptCalled(s *ast.AssignStmt) {
	if slices.ContainsFunc(s.Rhs, func(e ast.Expr) bool { return len(callsIn(l.unit.info, e)) > 0 }) {
		l.adoptUpdated(s)
	}
}

// regularGrid is a grid of n rows, with so many elements on each level below.
func (l *lowerer) regularGrid(n ir.Atom, sizes []ir.Atom) *grid {
	g := &grid{n: n, width: sizes[0]}
	if len(sizes) > 1 {
		g.row = l.regularGrid(sizes[0], sizes[1:])
		g.width = l.elementsOf(g.row)
	}
	return g
}

// regularRows are the rows of the grid v, which have one length on each level.
func (l *lowerer) regularRows(v value) []ir.Atom {
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

// checkedSizes are the lengths of what lies in a, on so many levels: those of the first rows. A run ends where another
// row has another length.
func (l *lowerer) checkedSizes(a ir.Atom, levels int) []ir.Atom {
	l.kernel.Exchanges = true
	var sizes []ir.Atom
	length := func(a ir.Atom) ir.Atom { return l.emit("n", intType, &ir.Len{X: a}) }
	some := l.bin("some", ir.Gt, length(a), zeroInt) // there are rows on all levels so far
	for depth := range levels {
		n := l.cond("n", intType, some, func() ir.Atom {
			row := a
			for range depth + 1 {
				row = l.at("row", row, zeroInt)
			}
			return length(row)
		}, func() ir.Atom { return zeroInt })
		sizes = append(sizes, n)
		some = l.bin("some", ir.And, some, l.bin("some", ir.Gt, n, zeroInt))
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
