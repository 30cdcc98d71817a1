package lower

import (
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// Neighbouring elements often fall into one bin. Then each waits until the one before is stored, which takes longer
// than all else of an element. So where a histogram is unrolled, the elements of an iteration go to a table of bins
// each, and the tables are combined in their order.

const (
	// tableElements is how many elements a bin must have on average for each table: fewer do not pay for setting up
	// another table and for combining it.
	tableElements = 4
	// tableBytes is up to what size all tables together are worth having: beyond the first-level cache, several take
	// longer than one, and where one does not fit either, it is not the element before that an element waits for.
	tableBytes = 16 << 10
)

// inTables reports whether the elements of a histogram may go to several tables: they are combined in another order
// then, and a table begins with neutral elements.
func (l *lowerer) inTables(h histogram, lv level) bool {
	return lv.unroll > 1 && !lv.lanes() && lv.marked == 0 && l.on.can().tables && h.op.Row() == nil && h.comb.fns != nil
}

// fillTables combines the elements of [lo, hi) into w bins: through a table for each of the elements of an iteration
// where these pay, which is known when the number of bins is, and those that are left over one after the other.
func (l *lowerer) fillTables(h histogram, w, lo, hi kir.Expr, bins []*array, lv level, e *env) {
	bytes := 0
	for _, d := range bins {
		bytes += d.a.Kind.Bytes()
	}
	enough := compare(ir.Ge, sub(hi, lo), multiple(w, tableElements*lv.unroll))
	fits := compare(ir.Le, w, intConst(tableBytes/(bytes*lv.unroll)))
	body := h.op.Body
	r := rangeLoop{body: body, i: h.op.I, lo: lo, hi: hi, depth: h.depth, what: "histogram", pos: h.pos}
	i := l.fresh(h.op.I.Name, kir.Int)
	l.emit(&kir.Let{V: i, X: lo})
	// several puts as many elements as there are tables into a table each, statement by statement: what is read and
	// checked stands together.
	several := func(tables [][]*array) {
		es := make([]*env, len(tables))
		for u := range es {
			es[u] = e.child()
			es[u].m[h.op.I] = scalar(l.letExpr(h.op.I.Name, add(&kir.Ref{V: i}, intConst(u))))
		}
		for _, s := range body.Stmts {
			for _, e := range es {
				if !l.skip[s] {
					l.stmt(s, e, h.depth+1)
				}
			}
		}
		for u, e := range es {
			vs := l.atoms(body.Results, e)
			l.intoBin(h, tables[u], l.letExpr("b", vs[0].x), vs[1:], e)
		}
	}
	node := &kir.If{Cond: &kir.Bin{Fn: ir.And, X: enough, Y: fits, T: kir.ScalarType(ir.Bool)}}
	l.inside(&node.Then, func() {
		sc := &kir.Scoped{}
		l.inside(&sc.Body, func() {
			tables := [][]*array{bins}
			for range lv.unroll - 1 {
				table := make([]*array, len(bins))
				for k, d := range bins {
					table[k] = l.ownBins("table", d.a.Kind, w)
				}
				l.neutralBins(h, table, w)
				tables = append(tables, table)
			}
			l.steps(i, hi, lv.unroll, r, func() { l.scoped(func() { several(tables) }, body) })
			l.each("b", w, func(b kir.Expr) {
				all := l.binAt(bins, b)
				for _, table := range tables[1:] {
					all = l.combine(all, l.binAt(table, b), h.comb, e)
				}
				l.setBin(bins, b, all)
			})
		})
		l.emit(sc)
	})
	l.emit(node)
	l.steps(i, hi, 1, r, func() { l.scoped(func() { several([][]*array{bins}) }, body) })
}

// ownBins takes scratch memory for w bins.
func (l *lowerer) ownBins(name string, kind ir.Kind, w kir.Expr) *array {
	a := &kir.Array{Name: l.name(name), Kind: kind, Space: kir.Scratch}
	l.emit(&kir.AllocScratch{A: a, N: w})
	return &array{a: a, n: w}
}

// neutralBins stores the neutral elements of a known combining function into w bins.
func (l *lowerer) neutralBins(h histogram, bins []*array, w kir.Expr) {
	l.each("b", w, func(b kir.Expr) { l.neutralBin(h, bins, b) })
}

// neutralBin sets bin b to neutral elements.
func (l *lowerer) neutralBin(h histogram, bins []*array, b kir.Expr) {
	for k, fn := range h.comb.fns {
		zero, _ := analysis.Neutral(fn, bins[k].a.Kind)
		l.emit(&kir.Store{A: bins[k].a, I: l.at(bins[k], b), X: &kir.Const{C: zero}})
	}
}
