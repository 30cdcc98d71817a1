package lower

import (
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
)

// factor is an element a[base + lane + k*step] that the k-th product of a sum reads. lane is the position of the first
// lane of a vector, nil for an element that is the same in all lanes.
type factor struct {
	a                *kir.Array
	base, lane, step kir.Expr
}

// sumsTogether reports whether the reductions at a depth are those of a register tile whose sums a routine adds up:
// the tile is of rows around the level on lanes, or of what is computed inside it.
func (l *lowerer) sumsTogether(depth int) bool {
	switch {
	case l.width == 1 || depth < 2:
		return false
	case l.laneLevel == depth:
		return l.levels[depth-2].sums
	}
	return l.laneLevel == depth-1 && l.levels[depth-1].sums
}

// sumTile lowers the sums of products of a register tile to one routine. One factor has to be the same for all
// vectors of a row, the other one consecutive elements, the same for all rows; both move evenly from product to
// product. Where there is no routine of the tile's shape, as for a single row, it reports false.
func (l *lowerer) sumTile(s *ir.Stmt, op *ir.Reduce, n kir.Expr, es []*env, depth int) bool {
	no := func(why string) { veto("level %d has no routine for the sums of a tile: %s", depth+1, why) }
	x, y, ok := fuse.MatchProducts(op)
	if !ok {
		no("they are not of products of elements alone")
	}
	for _, t := range op.Body.Stmts {
		if c, check := t.Op.(*ir.Check); check && !l.hoisted[c] {
			no("each product is checked")
		}
	}
	t := l.vectorType(op.Init[0].Type().Kind, l.width)
	across, along := make([]factor, len(es)), make([]factor, len(es)) // the same in a row, the same in a column
	for u, e := range es {
		f, okF := l.factor(x, op.I, e)
		g, okG := l.factor(y, op.I, e)
		if !okF || !okG {
			no("a factor does not move evenly from product to product")
		}
		if f.lane != nil {
			f, g = g, f
		}
		if f.lane != nil || g.lane == nil {
			no("not one factor alone is the same in all lanes")
		}
		across[u], along[u] = f, g
	}
	// Vectors of one row read the same factor. They lie side by side, or one behind the other with all rows of a
	// vector between.
	vectors := 0
	for _, f := range across {
		if kir.Equal(f.base, across[0].base) {
			vectors++
		}
	}
	rows := len(es) / vectors
	if rows != 2 && rows != 4 && rows != 8 || vectors > 2 {
		return false
	}
	if vectors > 1 && !kir.Equal(across[1].base, across[0].base) {
		across, along, es = byRow(across, vectors), byRow(along, vectors), byRow(es, vectors)
	}
	for u := range es {
		f, g := across[u], along[u]
		first, top := across[u-u%vectors], along[u%vectors]
		if f.a != across[0].a || !kir.Equal(f.step, across[0].step) || !kir.Equal(f.base, first.base) {
			no("a factor differs from vector to vector")
		}
		if g.a != along[0].a || !kir.Equal(g.step, along[0].step) || !kir.Equal(g.base, top.base) || !kir.Equal(g.lane, top.lane) {
			no("a vector differs from row to row")
		}
	}
	begin := &kir.Array{Name: l.name("rows"), Kind: ir.Int, Space: kir.Strip, Size: rows}
	sums := &kir.Array{Name: l.name("sums"), Kind: t.Kind, Space: kir.Strip, Size: len(es) * l.width}
	for r := range rows {
		l.emit(&kir.Store{A: begin, I: intConst(r), X: orZero(across[r*vectors].base)})
	}
	g, next := along[0], intConst(0)
	if vectors > 1 {
		next = sub(orZero(add(along[1].base, along[1].lane)), orZero(add(g.base, g.lane)))
	}
	l.emit(&kir.Call{R: &kir.Routine{Name: kir.SumTile, T: t, Args: []kir.Arg{{A: sums, X: intConst(0)}, {A: across[0].a, X: intConst(0)},
		{A: begin, X: intConst(0)}, {X: orZero(across[0].step)}, {A: g.a, X: orZero(add(g.base, g.lane))}, {X: orZero(g.step)}, {X: next}, {X: n},
		{X: intConst(rows)}, {X: intConst(vectors)}}}})
	for u, e := range es {
		sum := kir.Expr(&kir.Load{A: sums, I: intConst(u * l.width), T: t})
		if c, zero := op.Init[0].(ir.Const); !zero || c.Bits != 0 {
			sum = &kir.Bin{Fn: ir.Add, X: l.vec(l.atom(op.Init[0], e)), Y: sum, T: t}
		}
		e.m[s.Dst[0]] = value{x: l.letExpr(s.Dst[0].Name, sum), form: vector}
	}
	return true
}

// byRow puts what is ordered by vectors first in order of rows.
func byRow[T any](xs []T, vectors int) []T {
	rows, out := len(xs)/vectors, make([]T, len(xs))
	for u := range xs {
		out[u%rows*vectors+u/rows] = xs[u]
	}
	return out
}

// factor finds where the element is that a reduction with index k reads.
func (l *lowerer) factor(read *ir.Index, k *ir.Var, e *env) (factor, bool) {
	var f factor
	for s, r := range l.packed {
		if s.Op == ir.Op(read) { // element j of all lanes is one vector
			arr, width := l.atom(r.array, e).arr, intConst(l.width)
			at, ok := l.evenly(r.j, k, e)
			return factor{a: arr.a, base: add(arr.off, times(at.base, width)), lane: intConst(0), step: times(at.step, width)}, ok && at.lane == nil && r.by == 0 && !r.down
		}
	}
	if v, ok := e.getAtom(read.X); ok {
		if v.arr == nil || v.arr.rows != nil || v.arr.private {
			return f, false
		}
		f.a, f.base = v.arr.a, v.arr.off
	} else { // a row that the reduction takes from a sequence of equally long ones
		row, ok := l.defs[read.X].(*ir.Index)
		if !ok {
			return f, false
		}
		outer, ok := e.getAtom(row.X)
		if !ok || outer.arr == nil || outer.arr.rows == nil || outer.arr.off != nil || outer.arr.rows.offsets != nil || outer.arr.rows.total != nil || outer.arr.rows.inner != nil {
			return f, false
		}
		at, ok := l.evenly(row.I, k, e)
		if !ok || at.lane != nil {
			return f, false
		}
		n := l.atom(outer.arr.rows.length, e).x
		f = factor{a: outer.arr.a, base: add(outer.arr.rows.base, times(at.base, n)), step: times(at.step, n)}
	}
	at, ok := l.evenly(read.I, k, e)
	if !ok {
		return f, false
	}
	f.base, f.lane, f.step = add(f.base, at.base), at.lane, add(f.step, at.step)
	return f, true
}

// evenly writes an index as base + lane + k*step, where no part depends on k.
func (l *lowerer) evenly(a ir.Atom, k *ir.Var, e *env) (factor, bool) {
	if a == ir.Atom(k) {
		return factor{step: intConst(1)}, true
	}
	if v, ok := e.getAtom(a); ok {
		switch {
		case v.arr != nil || v.x.Type().Kind != ir.Int:
			return factor{}, false
		case v.form == uniform:
			return factor{base: v.x}, true
		}
		return factor{lane: v.x}, v.form == contig && a == ir.Atom(l.laneIndex)
	}
	b, ok := l.defs[a].(*ir.Binary)
	if !ok {
		return factor{}, false
	}
	x, okX := l.evenly(b.X, k, e)
	y, okY := l.evenly(b.Y, k, e)
	if !okX || !okY {
		return factor{}, false
	}
	switch b.Fn {
	case ir.Add:
		if x.lane != nil && y.lane != nil {
			return factor{}, false
		}
		return factor{base: add(x.base, y.base), lane: add(x.lane, y.lane), step: add(x.step, y.step)}, true
	case ir.Mul:
		if x.lane == nil && x.step == nil {
			x, y = y, x
		}
		if x.lane != nil || y.lane != nil || y.step != nil {
			return factor{}, false
		}
		return factor{base: times(x.base, y.base), step: times(x.step, y.base)}, true
	}
	return factor{}, false
}

// times is x*y on ints; nil is 0.
func times(x, y kir.Expr) kir.Expr {
	one := func(e kir.Expr) bool { c, ok := e.(*kir.Const); return ok && c.C.Int() == 1 }
	switch {
	case x == nil || y == nil:
		return nil
	case one(x):
		return y
	case one(y):
		return x
	}
	return &kir.Bin{Fn: ir.Mul, X: x, Y: y, T: kir.Int}
}
