package lower

import (
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// maxHistGroups bounds the workgroups that fill bins: each work-item has bins of its own.
const maxHistGroups = 32

// deviceHist lowers a Hist over the grid to two kernels: each work-item fills bins of its own, and the bins of all are
// combined in their order, so that the result does not depend on timing. It needs no atomic operations, which there are
// not for every type and function.
func (dv *device) deviceHist(s *ir.Stmt, op *ir.Hist, e *env, depth int, lv level) {
	if dv.team != kir.Grid || depth > 0 || lv.on != kir.Grid {
		veto("level %d: the work-items of a team would update the same bins of a histogram; the grid gives each its own", depth+1)
	}
	n, w := dv.atom(op.N, e).x, dv.atom(op.W, e).x
	init := dv.atoms(op.Init, e)
	host := dv.hostExpr(w)
	if host == nil {
		veto("level %d: how many bins there are is not known before the launch", depth+1)
	}
	dests := make([]*array, len(s.Dst))
	for i, d := range s.Dst {
		dests[i] = dv.destination(d, w, e)
	}
	h := histogram{op, newCombiner(op.Comb), names(s.Dst), depth, s.Pos}
	k := dv.launch(kir.Item, kir.Item, n, "histogram", s.Pos)
	k.MaxGroups, k.Always = maxHistGroups, true
	bins := func(name string, kind ir.Kind) *kir.Array { return dv.temp(name+"Parts", kind, host, kir.Item) }
	parts := make([]*kir.Array, len(s.Dst))
	for i, d := range s.Dst {
		parts[i] = bins(d.Name, d.T.Kind)
	}
	var met *array // which bins a work-item has met, where no neutral element can stand for those that it has not
	first := dv.letExpr("first", mul(place(kir.GlobalOf), w))
	if h.comb.fns == nil {
		met = &array{a: bins(s.Dst[0].Name+"Hit", ir.Bool), off: first, n: w}
	}
	own := make([]*array, len(parts))
	for i, a := range parts {
		own[i] = &array{a: a, off: first, n: w}
	}
	if met != nil {
		dv.noneMet(met, w)
	} else {
		dv.neutralBins(h, own, w)
	}
	mine := members{place(kir.GlobalOf), place(kir.Globals)}.run(dv, intConst(0), n)
	dv.alone(func() { dv.fillBins(h, w, mine.lo, mine.hi, own, met, level{width: 1, unroll: 1}, e.child()) })
	dv.endLaunch(dv.label)

	dv.launch(kir.Item, kir.Item, w, "combine the bins of all work-items", s.Pos)
	b := &kir.Stride{V: dv.fresh("b", kir.Int), Lo: place(kir.GlobalOf), Hi: w, Step: place(kir.Globals)}
	at := &kir.Ref{V: b.V}
	dv.inside(&b.Body, func() {
		accs := dv.accumulators(h.names, init)
		dv.loop1("k", intConst(0), mul(&kir.GroupsOf{}, place(kir.Items)), intConst(1), "", ir.Pos{}, func(k kir.Expr) {
			from := dv.letExpr("at", add(mul(k, w), at))
			merge := func() {
				dv.combineInto(accs, dv.named(dv.loadAll(parts, from), h.names), h.comb, e)
			}
			if met == nil {
				merge()
				return
			}
			node := &kir.If{Cond: &kir.Load{A: met.a, I: from, T: kir.ScalarType(ir.Bool)}}
			dv.inside(&node.Then, merge)
			dv.emit(node)
		})
		for k, d := range dests {
			dv.emit(&kir.Store{A: d.a, I: dv.at(d, at), X: &kir.Ref{V: accs[k]}})
		}
	})
	dv.emit(b)
}
