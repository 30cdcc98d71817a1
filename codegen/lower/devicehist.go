package lower

import (
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// The most workgroups that fill bins: each work-item has bins of its own, or each team that adds rows together has.
const (
	maxHistGroups = 32
	maxRowGroups  = 128
)

// deviceHist lowers a Hist over the grid to two kernels: work-items, or teams of them, fill bins of their own, as many
// of them as there are elements for; the bins of a workgroup are combined into those of its first one, and these by the
// second kernel, all in their order, so that the result does not depend on timing. It needs no atomic operations, which
// there are not for every type and function.
func (dv *device) deviceHist(s *ir.Stmt, op *ir.Hist, e *env, depth int, lv level) {
	if dv.team != kir.Grid || depth > 0 {
		veto("level %d: the work-items of a team would update the same bins of a histogram; the grid gives each its own", depth+1)
	}
	fill := dv.fillersOf(op, depth, lv)
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
	added := dv.hostExpr(n)
	if added == nil {
		veto("level %d: how many elements there are is not known before the launch", depth+1)
	}
	added = mul(added, dv.rowLength(op, e))
	h := histogram{op, newCombiner(op.Comb), names(s.Dst), depth, s.Pos}
	k := dv.launch(fill.per, kir.Item, n, "histogram", s.Pos)
	k.MaxGroups, k.Always = fill.maxGroups, true
	bins := func(name string, kind ir.Kind) *kir.Array {
		return dv.temp(name+"Parts", kind, maxOf(mul(intConst(addedForBin), added), host), kir.OneGroup)
	}
	parts := make([]*kir.Array, len(s.Dst))
	for i, d := range s.Dst {
		parts[i] = bins(d.Name, d.T.Kind)
	}
	var hits *kir.Array // which bins have met an element, where no neutral element can stand for those that have not
	if h.comb.fns == nil {
		hits = bins(s.Dst[0].Name+"Hit", ir.Bool)
	}
	sh := dv.shareBins(fill, added, w, place(kir.Groups))
	if fill.lanes != nil {
		dv.clearGroup(h, parts, hits, sh, w)
		dv.emit(&kir.Barrier{Global: true})
	}
	filling := &kir.If{Cond: compare(ir.Lt, fill.number, sh.fillers)}
	dv.inside(&filling.Then, func() {
		node := &kir.If{Cond: compare(ir.Lt, place(kir.GroupOf), sh.groups)}
		dv.inside(&node.Then, func() {
			mine := dv.letExpr("mine", add(mul(place(kir.GroupOf), sh.fillers), fill.number))
			own, met := binsAt(parts, hits, dv.letExpr("first", mul(mine, w)), w)
			switch {
			case fill.lanes != nil:
			case met != nil:
				dv.noneMet(met, w)
			default:
				dv.neutralBins(h, own, w)
			}
			run := members{mine, mul(sh.groups, sh.fillers)}.run(dv, intConst(0), n)
			dv.lanes = fill.lanes
			dv.alone(func() { dv.fillBins(h, w, run.lo, run.hi, own, met, level{width: 1, unroll: 1}, e.child()) })
			dv.lanes = nil
		})
		dv.emit(node)
	})
	dv.emit(filling)
	dv.emit(&kir.Barrier{Global: true})
	combining := &kir.If{Cond: compare(ir.Gt, sh.fillers, intConst(1))}
	dv.inside(&combining.Then, func() {
		group := dv.letExpr("group", mul(mul(place(kir.GroupOf), sh.fillers), w))
		dv.stride(kir.ItemOf, kir.Items, w, func(b kir.Expr) { dv.groupBins(h, parts, hits, group, sh.fillers, w, b, e) })
	})
	dv.emit(combining)
	dv.endLaunch(dv.label)

	dv.launch(kir.Item, kir.Item, w, "combine the bins of all workgroups", s.Pos)
	sh = dv.shareBins(fill, added, w, &kir.GroupsOf{})
	dv.stride(kir.GlobalOf, kir.Globals, w, func(b kir.Expr) {
		accs := dv.accumulators(h.names, init)
		dv.eachPart(parts, hits, intConst(0), sh.groups, func(k kir.Expr) kir.Expr { return add(mul(mul(k, sh.fillers), w), b) }, func(elems []value) {
			dv.combineInto(accs, dv.named(elems, h.names), h.comb, e)
		})
		for k, d := range dests {
			dv.emit(&kir.Store{A: d.a, I: dv.at(d, b), X: &kir.Ref{V: accs[k]}})
		}
	})
}

// fillers are those who have bins of their own: work-items, or teams, of which one adds a row at a time. Then each lane
// adds the elements at places of its own, so that no other one touches what it updates.
type fillers struct {
	per       kir.Resource
	number    kir.Expr // of this one in its workgroup
	count     kir.Expr // of a workgroup
	lanes     *members // of a team
	maxGroups int
}

// fillersOf says who fills the bins of a Hist.
func (dv *device) fillersOf(op *ir.Hist, depth int, lv level) fillers {
	if lv.on == kir.Grid {
		return fillers{kir.Item, place(kir.ItemOf), place(kir.Items), nil, maxHistGroups}
	}
	if op.Row() == nil || !dv.levels[depth+1].par {
		veto("level %d: the work-items of a team would update the same bins of a histogram; the grid gives each its own, and a team adds rows", depth+1)
	}
	if lv.on == kir.Warp {
		return fillers{kir.Warp, place(kir.WarpOf), place(kir.Warps), &members{place(kir.LaneOf), place(kir.Lanes)}, maxRowGroups}
	}
	return fillers{kir.Group, intConst(0), intConst(1), &members{place(kir.ItemOf), place(kir.Items)}, maxRowGroups}
}

// rowLength is how many elements one element of a Hist adds to its bin, as far as that is known before the launch.
func (dv *device) rowLength(op *ir.Hist, e *env) kir.Expr {
	if row := op.Row(); row != nil {
		if d, ok := e.getAtom(row.Op.(*ir.Map).N); ok && d.arr == nil {
			if host := dv.hostExpr(d.x); host != nil {
				return host
			}
		}
	}
	return intConst(1)
}

// addedForBin is how many bins there are at most, all that are filled together, for each element that is added to one:
// to clear and to combine them takes about as long then.
const addedForBin = 2

// binShare says who has bins of their own: the first fillers of each of the first groups.
type binShare struct{ fillers, groups kir.Expr }

// shareBins lowers how w bins are shared out among so many groups: to all fillers of all groups where many elements are
// added, and to as many groups as possible before a group has bins for two.
func (dv *device) shareBins(fill fillers, added, w, groups kir.Expr) binShare {
	quotient := func(x, y kir.Expr) kir.Expr { return &kir.Bin{Fn: ir.Div, X: x, Y: y, T: kir.Int} }
	atLeast := func(x kir.Expr) kir.Expr { return &kir.Bin{Fn: ir.Max, X: x, Y: intConst(1), T: kir.Int} }
	sets := dv.letExpr("sets", atLeast(minOf(quotient(mul(intConst(addedForBin), added), atLeast(w)), mul(groups, fill.count))))
	return binShare{dv.letExpr("fillers", atLeast(quotient(sets, groups))), dv.letExpr("groups", minOf(sets, groups))}
}

// clearGroup has the work-items of a group clear the w bins of each of its teams: which lane adds to a bin, the rows
// say.
func (dv *device) clearGroup(h histogram, parts []*kir.Array, hits *kir.Array, sh binShare, w kir.Expr) {
	all := mul(sh.fillers, w)
	bins, met := binsAt(parts, hits, dv.letExpr("group", mul(place(kir.GroupOf), all)), all)
	node := &kir.If{Cond: compare(ir.Lt, place(kir.GroupOf), sh.groups)}
	dv.inside(&node.Then, func() {
		own := members{place(kir.ItemOf), place(kir.Items)}.share(dv, intConst(0), all)
		dv.loop1("b", own.lo, own.hi, own.step, "", ir.Pos{}, func(b kir.Expr) {
			if met != nil {
				dv.notMet(met, b)
			} else {
				dv.neutralBin(h, bins, b)
			}
		})
	})
	dv.emit(node)
}

// binsAt are w partial bins from first on, and whether something was met there, nil if that is not noted.
func binsAt(parts []*kir.Array, hits *kir.Array, first, w kir.Expr) (bins []*array, met *array) {
	for _, a := range parts {
		bins = append(bins, &array{a: a, off: first, n: w})
	}
	if hits != nil {
		met = &array{a: hits, off: first, n: w}
	}
	return bins, met
}

// groupBins combines bin b of so many fillers of a group into that of the first one, whose bins begin at group.
func (dv *device) groupBins(h histogram, parts []*kir.Array, hits *kir.Array, group, fillers, w, b kir.Expr, e *env) {
	at := func(k kir.Expr) kir.Expr { return add(add(group, mul(k, w)), b) }
	first, met := binsAt(parts, hits, group, w)
	if met != nil {
		dv.eachPart(parts, hits, intConst(1), fillers, at, func(elems []value) { dv.intoMet(h, first, met, b, elems, e) })
		return
	}
	accs := dv.accumulators(h.names, dv.binAt(first, b))
	dv.eachPart(parts, nil, intConst(1), fillers, at, func(elems []value) { dv.combineInto(accs, dv.named(elems, h.names), h.comb, e) })
	sums := make([]value, len(accs))
	for i, a := range accs {
		sums[i] = scalar(&kir.Ref{V: a})
	}
	dv.setBin(first, b, sums)
}

// eachPart merges what stands at a place of partial bins for each k of [lo, hi), where something was met there.
func (dv *device) eachPart(parts []*kir.Array, hits *kir.Array, lo, hi kir.Expr, at func(k kir.Expr) kir.Expr, merge func(elems []value)) {
	dv.loop1("k", lo, hi, intConst(1), "", ir.Pos{}, func(k kir.Expr) {
		from := dv.letExpr("at", at(k))
		if hits == nil {
			merge(dv.loadAll(parts, from))
			return
		}
		node := &kir.If{Cond: &kir.Load{A: hits, I: from, T: kir.ScalarType(ir.Bool)}}
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
