package fuse

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// planeFills makes Maps of Maps of the two loops in an element of a Map that fill an array which the element has made,
// and which is rows of one length then:
//
//	p = alloc rows·width
//	p' = loop (q) init p for y = 0 to rows {
//	  …
//	  r' = loop (r) init q for x = 0 to width { …; s = update r (y·width + x) v; yield s }
//	  yield r'
//	}
//	z = grid p' rows width
//
// becomes
//
//	z = map y < rows { …; r' = map x < width { …; yield v }; yield r' }
//
// so that out[c] = plane, with two loops over plane[y][x], is a nest of three levels. As for rows, what conditions
// assign is what they choose, and zero where they assign nothing.
func planeFills(f *ir.Func, names *ir.Namer) {
	g := f.Clone()
	lengths(g)
	simplify(g)
	p := &planes{names: names, defs: analysis.Of(g.Body)}
	ir.Walk(g.Body, func(s *ir.Stmt) {
		if m, ok := s.Op.(*ir.Map); ok {
			p.block(m.Body)
		}
	})
	if p.changed {
		*f = *g
	}
}

type planes struct {
	names   *ir.Namer
	defs    analysis.Defs
	changed bool
}

// block does so in the body of a Map.
func (p *planes) block(b *ir.Block) {
	for _, s := range slices.Clone(b.Stmts) {
		grid, ok := s.Op.(*ir.View)
		if !ok || grid.Fn != ir.Grid || usesIn(b, grid.Args[0]) != 1 {
			continue
		}
		filled, k := madeIn(b, grid.Args[0])
		if filled == nil || k != 0 {
			continue
		}
		loop, ok := filled.Op.(*ir.Loop)
		if !ok || len(loop.Params) != 1 || loop.Independent || loop.I == nil || !ir.IsInt(loop.Lo, 0) || loop.Hi != grid.Args[1] {
			continue
		}
		array, _ := madeIn(b, loop.Init[0])
		if array == nil || usesIn(b, loop.Init[0]) != 1 || !p.holds(array, grid.Args[1], grid.Args[2]) {
			continue
		}
		if slices.ContainsFunc(ir.Free(loop.Body), func(v *ir.Var) bool { return !onlyConsumedBy(b, v, map[*ir.Stmt]bool{filled: true}) }) {
			continue // what an operator reads is not updated behind it
		}
		if p.rows(loop, grid.Args[2]) {
			s.Op, s.Pos = &ir.Map{N: loop.Hi, I: loop.I, Body: loop.Body}, filled.Pos
			b.Stmts = slices.DeleteFunc(b.Stmts, func(t *ir.Stmt) bool { return t == filled || t == array })
			p.changed = true
		}
	}
}

// holds reports whether a statement makes an array of rows of one width.
func (p *planes) holds(array *ir.Stmt, rows, width ir.Atom) bool {
	alloc, ok := array.Op.(*ir.Alloc)
	if !ok || alloc.Grows || !sized(array) {
		return false
	}
	n, ok := p.defs[alloc.N].(*ir.Binary)
	return ok && n.Fn == ir.Mul && (n.X == rows && n.Y == width || n.X == width && n.Y == rows)
}

// rows makes the body of a loop over the rows of a plane yield each of them, as a Map of its elements, if its turns do
// nothing with the plane but fill the row of the turn, in a loop over that.
func (p *planes) rows(loop *ir.Loop, width ir.Atom) bool {
	fill, k := madeIn(loop.Body, loop.Body.Results[0])
	if fill == nil || k != 0 || usesIn(loop.Body, loop.Params[0]) != 1 || usesIn(loop.Body, fill.Dst[0]) != 1 {
		return false
	}
	inner, ok := fill.Op.(*ir.Loop)
	if !ok || len(inner.Params) != 1 || inner.Independent || inner.I == nil || inner.Init[0] != ir.Atom(loop.Params[0]) || !ir.IsInt(inner.Lo, 0) || inner.Hi != width {
		return false
	}
	places := map[*ir.Update]ir.Atom{}
	ir.Walk(inner.Body, func(s *ir.Stmt) {
		if update, ok := s.Op.(*ir.Update); ok && update.X == ir.Atom(inner.Params[0]) && p.at(update.I, loop.I, width, inner.I) {
			places[update] = update.I
			update.I = inner.I
		}
	})
	row := &rowOf{inner, inner.Params[0], p.names, zero(inner.Params[0].T.Kind)}
	if uses, ok := row.assigned(inner.Body, inner.Body.Results[0]); !ok || inner.Body.Results[0] == ir.Atom(row.p) || usesIn(inner.Body, row.p) != uses {
		for update, i := range places {
			update.I = i
		}
		return false
	}
	inner.Body.Results[0] = row.value(inner.Body, inner.Body.Results[0])
	fill.Op = &ir.Map{N: inner.Hi, I: inner.I, Body: inner.Body}
	return true
}

// at reports whether a place is y·width + x.
func (p *planes) at(place, y, width, x ir.Atom) bool {
	row := analysis.Affine{Base: expanded(p.defs, width)}.Times(analysis.Sum{{C: 1, Of: []ir.Atom{y}}})
	return len(expanded(p.defs, place).Minus(row.Base.Plus(analysis.Sum{{C: 1, Of: []ir.Atom{x}}}))) == 0
}
