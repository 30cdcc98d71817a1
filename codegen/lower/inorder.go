package lower

import (
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// inOrder computes so many results of the elements of [lo, hi), and has f put them into their bins one after the other.
// On lanes they are computed a strip at a time, and wait in buffers.
func (l *lowerer) inOrder(h histogram, what string, results int, lo, hi kir.Expr, lv level, e *env, f func(b kir.Expr, elems []value)) {
	body := h.op.Body
	r := rangeLoop{body: body, i: h.op.I, lo: lo, hi: hi, depth: h.depth, what: what, pos: h.pos}
	element := func(g func(i value, vs []value)) func(value, int, *env) {
		return func(i value, _ int, e *env) {
			e.m[h.op.I] = i
			l.scoped(func() { g(i, l.block(body, e, h.depth+1)) }, body)
		}
	}
	if !lv.lanes() && lv.marked == 0 {
		l.iterate(r, lv, e, element(func(_ value, vs []value) { f(l.letExpr("b", vs[0].x), vs[1:results]) }), nil)
		return
	}
	waiting := make([]*kir.Array, results) // nil for what is the same for all elements
	for k, a := range body.Results[:results] {
		if v, ok := a.(*ir.Var); ok {
			waiting[k] = &kir.Array{Name: l.name(v.Name + "Strip"), Kind: v.T.Kind, Space: kir.Strip, Size: stripLength}
		}
	}
	strip := &kir.For{V: l.fresh("strip", kir.Int), Lo: lo, Hi: hi, Step: stripLength, Pos: h.pos, What: "strips of " + what}
	start := &kir.Ref{V: strip.V}
	l.inside(&strip.Body, func() {
		r.lo, r.hi, r.what = start, l.letExpr("end", minOf(add(start, intConst(stripLength)), hi)), "map"
		l.iterate(r, lv, e, element(func(i value, vs []value) {
			at := l.letExpr("at", sub(i.x, start))
			for k, a := range waiting {
				if a == nil {
					continue
				}
				store := &kir.Store{A: a, I: at, X: vs[k].x}
				if i.form == contig {
					store.X, store.Mask = l.vec(vs[k]), l.activeFor(a.Kind)
				}
				l.emit(store)
			}
		}), nil)
		l.each("x", l.letExpr("waiting", sub(r.hi, start)), func(x kir.Expr) {
			vs := make([]value, len(waiting))
			for k, a := range waiting {
				if a != nil {
					vs[k] = scalar(&kir.Load{A: a, I: x, T: kir.ScalarType(a.Kind)})
				} else {
					vs[k] = l.atom(body.Results[k], e)
				}
			}
			f(l.letExpr("b", vs[0].x), vs[1:])
		})
	})
	l.emit(strip)
}
