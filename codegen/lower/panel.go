package lower

import (
	"maps"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
)

// A level on lanes may read rows, one a lane, that are the same for all elements of the level around it: the points
// that are compared with each other one, the keys that are weighed for each query, the second factor of a product with
// a transposed matrix, the weights of a batch. A vector of elements at one place of these rows is a gather then.
// Instead they are packed once for each chunk of the level around, transposed vector by vector, into a panel: then
// each of these reads is one load. Rows that are too many for that are packed when a vector of them is computed.

// panelBytes is up to what size there are panels: they have to stay in a cache.
const panelBytes = 4 << 20

// panel is what is packed for a Map on lanes.
type panel struct {
	parts []*panelRows
	same  map[*ir.Stmt]ir.Atom
	reads map[*ir.Stmt]packedRead
	end   kir.Expr // of the rows that are packed, from the first one on: whole vectors
	apart kir.Expr // whether each vector of rows is packed when it is computed
	width int
}

// panelRows are the rows of one length that are packed.
type panelRows struct {
	*rowsOnLanes
	arrays map[*pack]*kir.Array
	d      kir.Expr // the length
}

// withPanels runs f, which lowers the elements from lo to hi of a Map at a depth, with panels for the Maps on lanes in
// its body.
func (l *lowerer) withPanels(op *ir.Map, lo, hi kir.Expr, e *env, depth int, f func()) {
	if depth+1 >= len(l.levels) || l.width > 1 || !l.on.can().lanes {
		f()
		return
	}
	lv := l.levels[depth+1]
	if !lv.lanes() || lv.pool || lv.tile > 1 {
		f()
		return
	}
	made := map[*ir.Block][]*rowsOnLanes{}
	for _, s := range op.Body.Stmts {
		m, ok := s.Op.(*ir.Map)
		if !ok {
			continue
		}
		if n, ok := e.getAtom(m.N); !ok || n.form != uniform {
			continue
		}
		r := rangeLoop{body: m.Body, i: m.I, n: m.N, depth: depth + 1}
		if all := l.rowsIn(r, fuse.PackedReads(m.Body, m.I, l.defs, l.k.RowLengths()), e); len(all) > 0 {
			made[m.Body] = all
		}
	}
	if len(made) == 0 {
		f()
		return
	}
	was := l.panels
	l.panels = map[*ir.Block]*panel{}
	scope := &kir.Scoped{}
	l.inside(&scope.Body, func() {
		for _, s := range op.Body.Stmts {
			if m, ok := s.Op.(*ir.Map); ok && made[m.Body] != nil {
				l.panels[m.Body] = l.makePanel(made[m.Body], l.atom(m.N, e).x, lv, e)
			}
		}
		f()
	})
	l.emit(scope)
	l.panels = was
}

// makePanel packs what the first n lanes read.
func (l *lowerer) makePanel(all []*rowsOnLanes, n kir.Expr, lv level, e *env) *panel {
	p := &panel{same: map[*ir.Stmt]ir.Atom{}, reads: map[*ir.Stmt]packedRead{}, width: lv.width}
	var some kir.Expr // there are elements
	for _, rows := range all {
		d := l.letExpr("d", l.atom(rows.length, e).x)
		is := compare(ir.Gt, d, intConst(0))
		for _, most := range rows.limits {
			is = compare(ir.And, is, compare(ir.Le, most.reach(l, e), d))
		}
		if some == nil {
			some = is
		} else {
			some = compare(ir.And, some, is)
		}
		p.parts = append(p.parts, &panelRows{rowsOnLanes: rows, arrays: map[*pack]*kir.Array{}, d: d})
		maps.Copy(p.same, rows.same)
		maps.Copy(p.reads, rows.reads)
	}
	end, apart := l.fresh("packed", kir.Int), l.fresh("apart", kir.ScalarType(ir.Bool))
	l.emit(&kir.Let{V: end, X: intConst(0)})
	l.emit(&kir.Let{V: apart, X: &kir.Const{C: ir.BoolConst(false)}})
	worth := &kir.If{Cond: some}
	l.inside(&worth.Then, func() {
		whole, room := n, kir.Expr(intConst(0))
		for _, part := range p.parts {
			if part.total != nil {
				whole = l.integer(ir.Min, whole, l.integer(ir.Div, l.atom(part.total, e).x, part.d))
			}
			bytes := 0
			for _, one := range part.packs {
				whole = l.integer(ir.Min, whole, l.integer(ir.Div, l.atom(one.x, e).arr.length(l, e), part.d))
				bytes += one.x.T.Kind.Bytes()
			}
			room = add(room, times(part.d, intConst(bytes)))
		}
		whole = l.letExpr("whole", whole)
		l.emit(&kir.Set{V: end, X: times(l.integer(ir.Div, whole, intConst(lv.width)), intConst(lv.width))})
		l.emit(&kir.Set{V: apart, X: compare(ir.Gt, times(&kir.Ref{V: end}, room), intConst(panelBytes))})
	})
	l.emit(worth)
	p.end, p.apart = &kir.Ref{V: end}, &kir.Ref{V: apart}
	rows := l.letExpr("rows", &kir.Select{C: p.apart, X: intConst(max(lv.unroll, 1) * lv.width), Y: p.end})
	for _, part := range p.parts {
		for _, one := range part.packs {
			a := &kir.Array{Name: l.name(one.array.Name), Kind: l.atom(one.x, e).arr.a.Kind, Space: kir.Scratch}
			l.emit(&kir.AllocScratch{A: a, N: times(rows, part.d)})
			part.arrays[one] = a
		}
	}
	once := &kir.If{Cond: &kir.Un{Fn: ir.Not, X: p.apart, T: kir.ScalarType(ir.Bool)}}
	l.inside(&once.Then, func() {
		i := l.fresh("i", kir.Int)
		pack := &kir.For{V: i, Lo: intConst(0), Hi: p.end, Step: lv.width, Whole: true}
		l.inside(&pack.Body, func() { p.pack(l, &kir.Ref{V: i}, &kir.Ref{V: i}, e) })
		l.emit(pack)
	})
	l.emit(once)
	return p
}

// pack packs the vector of rows from row i on, as those from row to on.
func (p *panel) pack(l *lowerer, i, to kir.Expr, e *env) {
	for _, part := range p.parts {
		for _, one := range part.packs {
			from := l.atom(one.x, e).arr
			l.emit(&kir.Call{R: &kir.Routine{Name: kir.PackRows, Args: []kir.Arg{
				{A: part.arrays[one], X: l.letExpr("to", times(to, part.d))}, {A: from.a, X: l.at(from, times(i, part.d))}, {X: intConst(p.width)}, {X: part.d}}}})
		}
	}
}

// reading runs f, which lowers vectors whose rows are packed.
func (p *panel) reading(l *lowerer, f func()) {
	same, packed := l.same, l.packed
	l.same, l.packed = p.same, p.reads
	f()
	l.same, l.packed = same, packed
}

// place says where the vector of rows from row i on lies, the copy'th of those that are computed together.
func (p *panel) place(l *lowerer, i kir.Expr, copy int, e *env) map[*ir.Var]value {
	first := l.letExpr("first", &kir.Select{C: p.apart, X: intConst(copy * p.width), Y: i})
	late := &kir.If{Cond: p.apart}
	l.inside(&late.Then, func() { p.pack(l, i, first, e) })
	l.emit(late)
	places := map[*ir.Var]value{}
	for _, part := range p.parts {
		off := l.letExpr("off", times(first, part.d))
		for _, one := range part.packs {
			places[one.array] = value{arr: &array{a: part.arrays[one], off: off, n: part.d, private: true}}
		}
	}
	return places
}
