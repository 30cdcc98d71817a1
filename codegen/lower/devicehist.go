package lower

import (
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// maxHistGroups bounds the workgroups that fill bins: each work-item has bins of its own.
const maxHistGroups = 32

// deviceHist lowers a Hist over the grid to two kernels: each work-item fills bins of its own; the bins of a workgroup
// are combined into those of its first work-item, and these by the second kernel, all in their order, so that the
// result does not depend on timing. It needs no atomic operations, which there are not for every type and function.
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
	dv.emit(&kir.Barrier{Global: true})
	group := dv.letExpr("group", mul(mul(place(kir.GroupOf), place(kir.Items)), w))
	dv.stride(kir.ItemOf, kir.Items, w, func(b kir.Expr) { dv.groupBins(h, parts, met, group, w, b, e) })
	dv.endLaunch(dv.label)

	dv.launch(kir.Item, kir.Item, w, "combine the bins of all workgroups", s.Pos)
	dv.stride(kir.GlobalOf, kir.Globals, w, func(b kir.Expr) {
		accs := dv.accumulators(h.names, init)
		dv.eachPart(parts, met, intConst(0), &kir.GroupsOf{}, func(k kir.Expr) kir.Expr { return add(mul(mul(k, place(kir.Items)), w), b) }, func(elems []value) {
			dv.combineInto(accs, dv.named(elems, h.names), h.comb, e)
		})
		for k, d := range dests {
			dv.emit(&kir.Store{A: d.a, I: dv.at(d, b), X: &kir.Ref{V: accs[k]}})
		}
	})
}

// groupBins combines bin b of the work-items of a group into that of the first one, whose bins begin at group.
func (dv *device) groupBins(h histogram, parts []*kir.Array, met *array, group, w, b kir.Expr, e *env) {
	at := func(k kir.Expr) kir.Expr { return add(add(group, mul(k, w)), b) }
	first := make([]*array, len(parts))
	for i, a := range parts {
		first[i] = &array{a: a, off: group, n: w}
	}
	if met != nil {
		of := &array{a: met.a, off: group, n: w}
		dv.eachPart(parts, met, intConst(1), place(kir.Items), at, func(elems []value) { dv.intoMet(h, first, of, b, elems, e) })
		return
	}
	accs := dv.accumulators(h.names, dv.binAt(first, b))
	dv.eachPart(parts, nil, intConst(1), place(kir.Items), at, func(elems []value) { dv.combineInto(accs, dv.named(elems, h.names), h.comb, e) })
	sums := make([]value, len(accs))
	for i, a := range accs {
		sums[i] = scalar(&kir.Ref{V: a})
	}
	dv.setBin(first, b, sums)
}

// eachPart merges what stands at a place of partial bins for each k of [lo, hi), where something was met there.
func (dv *device) eachPart(parts []*kir.Array, met *array, lo, hi kir.Expr, at func(k kir.Expr) kir.Expr, merge func(elems []value)) {
	dv.loop1("k", lo, hi, intConst(1), "", ir.Pos{}, func(k kir.Expr) {
		from := dv.letExpr("at", at(k))
		if met == nil {
			merge(dv.loadAll(parts, from))
			return
		}
		node := &kir.If{Cond: &kir.Load{A: met.a, I: from, T: kir.ScalarType(ir.Bool)}}
		dv.inside(&node.Then, func() { merge(dv.loadAll(parts, from)) })
		dv.emit(node)
	})
}

// stride emits a loop over [0, n) whose turns the work-items share, of which each is one of of.
func (dv *device) stride(one, of string, n kir.Expr, body func(i kir.Expr)) {
	s := &kir.Stride{V: dv.fresh("b", kir.Int), Lo: place(one), Hi: n, Step: place(of)}
	dv.inside(&s.Body, func() { body(&kir.Ref{V: s.V}) })
	dv.emit(s)
}
