package lower

import (
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// A level on lanes may read rows, one a lane, that are the same for all elements of the level around it: the points
// that are compared with each other one, the keys that are weighed for each query, the second factor of a product with
// a transposed matrix. A vector of elements at one place of these rows is a gather then. Instead they are packed once
// for each chunk of the level around, transposed vector by vector, into a panel: then each of these reads is one load.

const (
	// panelRows is how many elements of the level around a chunk has at least if a panel is made for it: making it
	// costs about as much as reading its rows by gathers some times.
	panelRows = 16
	// panelBytes is up to what size there are panels: they have to stay in the second-level cache.
	panelBytes = 512 << 10
)

// panel is what is packed for a Map on lanes.
type panel struct {
	*rowsOnLanes
	arrays map[*pack]*kir.Array
	end    kir.Expr // of the rows that are packed, from the first one on: whole vectors
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
	made := map[*ir.Block]*rowsOnLanes{}
	for _, s := range op.Body.Stmts {
		m, ok := s.Op.(*ir.Map)
		if !ok {
			continue
		}
		if n, ok := e.getAtom(m.N); !ok || n.form != uniform {
			continue
		}
		r := rangeLoop{body: m.Body, i: m.I, n: m.N, depth: depth + 1}
		if rows := l.rowsIn(r, true, e); rows != nil && len(rows.packs) > 0 {
			made[m.Body] = rows
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
				l.panels[m.Body] = l.makePanel(made[m.Body], l.atom(m.N, e).x, sub(hi, lo), lv.width, e)
			}
		}
		f()
	})
	l.emit(scope)
	l.panels = was
}

// makePanel packs what the first n lanes read, if there are enough elements, count, that read it.
func (l *lowerer) makePanel(rows *rowsOnLanes, n, count kir.Expr, width int, e *env) *panel {
	p := &panel{rowsOnLanes: rows, arrays: map[*pack]*kir.Array{}}
	integer := func(fn ir.BinaryFn, x, y kir.Expr) kir.Expr { return &kir.Bin{Fn: fn, X: x, Y: y, T: kir.Int} }
	compare := func(fn ir.BinaryFn, x, y kir.Expr) kir.Expr {
		return &kir.Bin{Fn: fn, X: x, Y: y, T: kir.ScalarType(ir.Bool)}
	}
	d := l.letExpr("d", l.atom(rows.length, e).x)
	end := l.fresh("packed", kir.Int)
	l.emit(&kir.Let{V: end, X: intConst(0)})
	worth := &kir.If{Cond: compare(ir.And, compare(ir.Ge, count, intConst(panelRows)), compare(ir.Gt, d, intConst(0)))}
	l.inside(&worth.Then, func() {
		whole, bytes := n, 0
		if rows.total != nil {
			whole = integer(ir.Min, whole, integer(ir.Div, l.atom(rows.total, e).x, d))
		}
		for _, one := range rows.packs {
			whole = integer(ir.Min, whole, integer(ir.Div, l.atom(one.x, e).arr.length(l, e), d))
			bytes += one.x.T.Kind.Bytes()
		}
		whole = l.letExpr("whole", whole)
		whole = l.letExpr("whole", integer(ir.Mul, integer(ir.Div, whole, intConst(width)), intConst(width)))
		fits := &kir.If{Cond: compare(ir.Le, integer(ir.Mul, whole, d), intConst(panelBytes/bytes))}
		l.inside(&fits.Then, func() { l.emit(&kir.Set{V: end, X: whole}) })
		l.emit(fits)
	})
	l.emit(worth)
	p.end = &kir.Ref{V: end}
	for _, one := range rows.packs {
		from := l.atom(one.x, e).arr
		a := &kir.Array{Name: l.name(one.array.Name), Kind: from.a.Kind, Space: kir.Scratch}
		l.emit(&kir.AllocScratch{A: a, N: integer(ir.Mul, p.end, d)})
		i := l.fresh("i", kir.Int)
		pack := &kir.For{V: i, Lo: intConst(0), Hi: p.end, Step: width, Whole: true}
		l.inside(&pack.Body, func() {
			at := l.letExpr("at", integer(ir.Mul, &kir.Ref{V: i}, d))
			l.emit(&kir.Call{R: &kir.Routine{Name: kir.PackRows, Args: []kir.Arg{
				{A: a, X: at}, {A: from.a, X: l.at(from, at)}, {X: intConst(width)}, {X: d}}}})
		})
		l.emit(pack)
		p.arrays[one] = a
	}
	return p
}

// reading runs f, which lowers vectors whose rows are packed.
func (p *panel) reading(l *lowerer, f func()) {
	same, packed := l.same, l.packed
	l.same, l.packed = p.same, p.reads
	f()
	l.same, l.packed = same, packed
}

// place says where the vector of rows from row i on lies.
func (p *panel) place(l *lowerer, i kir.Expr, e *env) map[*ir.Var]value {
	d := l.atom(p.length, e).x
	places := map[*ir.Var]value{}
	off := l.letExpr("off", &kir.Bin{Fn: ir.Mul, X: i, Y: d, T: kir.Int})
	for _, one := range p.packs {
		places[one.array] = value{arr: &array{a: p.arrays[one], off: off, n: d, private: true}}
	}
	return places
}
