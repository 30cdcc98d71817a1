package lower

import (
	"slices"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// tileLoop runs a Map over the range r as many elements at a time as the level's tile has rows. The Maps in its body
// are computed together, with what they need: those of fewer rows one by one, as are rows of less than a vector. Then
// comes the rest, row by row in a loop: functions that are too long are compiled badly.
func (l *lowerer) tileLoop(r rangeLoop, op *ir.Map, lv level, e *env, single func(i value, e *env)) {
	depth := r.depth
	if names := ir.Calls(op.Body); len(names) > 0 {
		veto("level %d is not computed in tiles: %s is called as it is", depth+1, names[0])
	}
	maps, first := tileMaps(op.Body)
	t := &rowTile{op: op, maps: maps, first: first, depth: depth, rows: lv.tile}
	for _, m := range maps {
		for _, d := range m.Dst {
			k := slices.Index(op.Body.Results, ir.Atom(d))
			t.places = append(t.places, rowPlace{m: m, d: d, n: l.outer(m.Op.(*ir.Map).N, e)})
			if k >= 0 {
				t.places[len(t.places)-1].result = r.stores[k]
			}
		}
	}
	for _, a := range op.Body.Results {
		if v, ok := a.(*ir.Var); ok && v.T.Rank > 0 && !slices.ContainsFunc(t.places, func(p rowPlace) bool { return p.d == v }) {
			veto("level %d is not computed in tiles: its rows are not all computed by a Map", depth+1)
		}
	}
	vectors, ensured := l.fillVectors(maps, e, depth+1)
	for _, m := range ensured {
		l.filled[m] = true
		defer delete(l.filled, m)
	}
	rest := slices.ContainsFunc(op.Body.Results, func(a ir.Atom) bool { return a.Type().Rank == 0 })
	if !rest || slices.ContainsFunc(t.places, func(p rowPlace) bool { return p.n == nil }) {
		i := l.fresh(op.I.Name, kir.Int)
		l.emit(&kir.Let{V: i, X: r.lo})
		whole := func() {
			l.steps(i, r.hi, lv.tile, r, func() {
				sc := &kir.Scoped{}
				l.inside(&sc.Body, func() { l.tileRest(t, i, intConst(lv.tile), l.tileTogether(t, i, e), e, single) })
				l.emit(sc)
			})
		}
		if vectors == nil {
			whole()
		} else {
			some := &kir.If{Cond: vectors}
			l.inside(&some.Then, whole)
			l.emit(some)
		}
		l.steps(i, r.hi, 1, r, func() { single(scalar(&kir.Ref{V: i}), e.child()) })
		return
	}
	loop := &kir.For{V: l.fresh(op.I.Name, kir.Int), Lo: r.lo, Hi: r.hi, Step: lv.tile, Pos: r.pos, What: r.what}
	i := &kir.Ref{V: loop.V}
	sc := &kir.Scoped{}
	l.inside(&sc.Body, func() {
		rows := l.letExpr("rows", l.integer(ir.Min, sub(r.hi, i), intConst(lv.tile)))
		for k := range t.places {
			if p := &t.places[k]; p.result == nil {
				p.a = &kir.Array{Name: l.name(p.d.Name), Kind: p.d.T.Kind, Space: kir.Scratch}
				l.emit(&kir.AllocScratch{A: p.a, N: &kir.Bin{Fn: ir.Mul, X: intConst(lv.tile), Y: p.n, T: kir.Int}})
			}
		}
		some := &kir.If{Cond: &kir.Bin{Fn: ir.Eq, X: rows, Y: intConst(lv.tile), T: kir.ScalarType(ir.Bool)}}
		if vectors != nil {
			some.Cond = &kir.Bin{Fn: ir.And, X: some.Cond, Y: vectors, T: kir.ScalarType(ir.Bool)}
		}
		l.inside(&some.Then, func() { l.tileTogether(t, loop.V, e) })
		for _, m := range ensured {
			delete(l.filled, m)
		}
		l.inside(&some.Else, func() {
			l.eachRow(t, rows, func(row kir.Expr) {
				inner := e.child()
				at := l.letExpr(op.I.Name, add(i, row))
				inner.m[op.I] = scalar(at)
				for _, p := range t.places {
					l.dest[p.d] = p.row(l, row, at, inner)
				}
				for _, s := range first {
					if !l.skip[s] {
						l.stmt(s, inner, depth+1)
					}
				}
			})
		})
		l.emit(some)
		for _, p := range t.places {
			delete(l.dest, p.d)
		}
		l.tileRest(t, loop.V, rows, nil, e, single)
	})
	l.inside(&loop.Body, func() { l.emit(sc) })
	l.emit(loop)
}

// rowTile is what there is to know of a level that is computed in register tiles.
type rowTile struct {
	op          *ir.Map
	maps, first []*ir.Stmt // the Maps in its body, and all that they need
	places      []rowPlace // where the rows go that they make
	depth, rows int
}

// rowPlace is where the rows of one result of a Map inside go: to a result of the level, or to scratch memory for all
// rows of a tile.
type rowPlace struct {
	m      *ir.Stmt
	d      *ir.Var
	n      kir.Expr // how long a row is, nil if that is not known before the level begins
	result *array
	a      *kir.Array
}

// row returns where a row of the tile goes that is row at of the level.
func (p *rowPlace) row(l *lowerer, row, at kir.Expr, e *env) *array {
	if p.result != nil {
		return l.row(p.result, at, e)
	}
	return &array{a: p.a, off: l.letExpr("row", &kir.Bin{Fn: ir.Mul, X: row, Y: p.n, T: kir.Int}), n: p.n}
}

// outer is the value of an atom that is known before a level begins, nil if it is not.
func (l *lowerer) outer(a ir.Atom, e *env) kir.Expr {
	if v, ok := a.(*ir.Var); ok {
		if _, known := e.get(v); !known {
			return nil
		}
	}
	return l.atom(a, e).x
}

// fillVectors is that the rows of Maps on lanes, whose level is depth, are no shorter than a vector, for those whose
// length is known before, which it returns too; nil if there are none.
func (l *lowerer) fillVectors(maps []*ir.Stmt, e *env, depth int) (cond kir.Expr, ensured []*ir.Stmt) {
	if depth >= len(l.levels) || !l.levels[depth].lanes() {
		return nil, nil
	}
	bool := kir.ScalarType(ir.Bool)
	for _, m := range maps {
		n := l.outer(m.Op.(*ir.Map).N, e)
		if n == nil {
			continue
		}
		fills := kir.Expr(&kir.Bin{Fn: ir.Ge, X: n, Y: intConst(l.levels[depth].width), T: bool})
		if ensured = append(ensured, m); cond == nil {
			cond = fills
		} else if !kir.Equal(cond, fills) {
			cond = &kir.Bin{Fn: ir.And, X: cond, Y: fills, T: bool}
		}
	}
	return cond, ensured
}

// tileTogether computes the Maps for all rows of the tile that begins at i, and returns the environments of the rows.
func (l *lowerer) tileTogether(t *rowTile, i *kir.Var, e *env) []*env {
	es := make([]*env, t.rows)
	for u := range es {
		at := scalar(l.letExpr(t.op.I.Name, add(&kir.Ref{V: i}, intConst(u))))
		es[u] = e.child()
		es[u].m[t.op.I] = at
		for k := range t.places {
			if p := &t.places[k]; p.result != nil || p.a != nil {
				es[u].m[p.d] = value{arr: p.row(l, intConst(u), at.x, es[u])}
			}
		}
	}
	for _, s := range t.first {
		if !l.skip[s] {
			l.lockstep(s, es, t.depth+1)
		}
	}
	return es
}

// eachRow emits a loop over rows of a tile.
func (l *lowerer) eachRow(t *rowTile, rows kir.Expr, body func(row kir.Expr)) {
	loop := &kir.For{V: l.fresh("row", kir.Int), Lo: intConst(0), Hi: rows, Step: 1}
	l.inside(&loop.Body, func() { body(&kir.Ref{V: loop.V}) })
	l.emit(loop)
}

// tileMaps returns the Maps of a block, and these with every statement before them that they need, in order.
func tileMaps(b *ir.Block) (maps, first []*ir.Stmt) {
	needed := map[*ir.Var]bool{}
	for k := len(b.Stmts) - 1; k >= 0; k-- {
		s := b.Stmts[k]
		_, isMap := s.Op.(*ir.Map)
		_, isCheck := s.Op.(*ir.Check)
		if isMap {
			maps = append(maps, s)
		}
		if !isMap && !(isCheck && maps != nil) && !slices.ContainsFunc(s.Dst, func(d *ir.Var) bool { return needed[d] }) {
			continue
		}
		first = append(first, s)
		for _, a := range ir.Operands(s.Op) {
			if v, ok := (*a).(*ir.Var); ok {
				needed[v] = true
			}
		}
		for _, c := range ir.Blocks(s.Op) {
			for _, v := range ir.Free(c) {
				needed[v] = true
			}
		}
	}
	slices.Reverse(maps)
	slices.Reverse(first)
	return maps, first
}

// tileRest does for each row of a tile what comes besides its Maps, whose results are there: es says where, unless the
// places of the tile do.
func (l *lowerer) tileRest(t *rowTile, i *kir.Var, rows kir.Expr, es []*env, e *env, single func(i value, e *env)) {
	if !slices.ContainsFunc(t.op.Body.Results, func(a ir.Atom) bool { return a.Type().Rank == 0 }) {
		return
	}
	l.eachRow(t, rows, func(row kir.Expr) {
		e := e.child()
		at := l.letExpr(t.op.I.Name, add(&kir.Ref{V: i}, row))
		for k := range t.places {
			p := &t.places[k]
			l.skip[p.m] = true
			defer delete(l.skip, p.m)
			switch {
			case p.result != nil:
				e.m[p.d] = value{arr: l.row(p.result, at, e)}
			case p.a != nil:
				e.m[p.d] = value{arr: p.row(l, row, at, e)}
			default:
				first, second := l.atom(p.d, es[0]).arr, l.atom(p.d, es[1]).arr
				if second.a != first.a {
					panic("lower: the rows of a tile lie in different arrays")
				}
				off := &kir.Bin{Fn: ir.Mul, X: row, Y: first.n, T: kir.Int}
				e.m[p.d] = value{arr: &array{a: first.a, off: l.letExpr("row", add(first.off, off)), n: first.n}}
			}
		}
		single(scalar(at), e)
	})
}
