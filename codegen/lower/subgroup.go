package lower

import (
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// A run is neighbouring work-items that exchange values without local memory and barriers: those of a subgroup, or an
// equal part of it that lies in one team. How long runs are, the device says when the kernel runs. What the runs of a
// team found goes through local memory, if there are several.
type runs struct {
	begin, count  kir.Expr // the number of the team's first run, and how many it has
	number        kir.Expr // of this work-item's run
	place, length kir.Expr // of this work-item in its run
	whole         bool     // a run is a whole subgroup, whose operations combine
}

// runs returns the team's runs for a stream. The operations of whole subgroups are there for sums and extremes of the
// usual kinds, where the team is a workgroup; other streams are combined by shuffles.
func (dv *device) runs(t stream, depth int) runs {
	if t.comb.fns == nil {
		veto("level %d cannot combine by subgroup operations: its combining function has no neutral element that is known", depth+1)
	}
	whole := dv.team == kir.Group
	for i, fn := range t.comb.fns {
		whole = whole && collective(fn, t.kinds[i])
	}
	if whole {
		return runs{begin: intConst(0), count: place(kir.Subgroups), number: place(kir.SubgroupOf), place: place(kir.SubitemOf), length: place(kir.Subitems), whole: true}
	}
	w := dv.members()
	length := dv.letExpr("run", routine(kir.Common, w.items, place(kir.MaxSubitems)))
	number := func(item kir.Expr) kir.Expr { return routine(kir.RunNumber, item, length) }
	begin := intConst(0)
	if dv.team == kir.Warp {
		begin = number(dv.firstItem())
	}
	return runs{begin: begin, count: number(w.items), number: number(place(kir.ItemOf)), place: dv.letExpr("at", routine(kir.RunPlace, w.item, length)), length: length}
}

// collective reports whether there are operations of subgroups for a function. Those for extremes of floats do not
// promise what becomes of NaN.
func collective(fn ir.BinaryFn, k ir.Kind) bool {
	switch fn {
	case ir.Add:
	case ir.Min, ir.Max:
		if k.IsFloat() {
			return false
		}
	default:
		return false
	}
	return k != ir.Bool && k.Bytes() >= 4
}

// doubling emits a loop over s = 1, 2, 4, … below n.
func (dv *device) doubling(n kir.Expr, body func(s kir.Expr)) {
	s := dv.fresh("s", kir.Int)
	dv.emit(&kir.Let{V: s, X: intConst(1)})
	loop := &kir.While{Test: compare(ir.Lt, &kir.Ref{V: s}, n)}
	dv.inside(&loop.Body, func() {
		body(&kir.Ref{V: s})
		dv.emit(&kir.Set{V: s, X: mul(&kir.Ref{V: s}, intConst(2))})
	})
	dv.emit(loop)
}

// shuffled is the values of the work-item with that number in the subgroup.
func (dv *device) shuffled(accs []*kir.Var, from kir.Expr) []value {
	vs := make([]value, len(accs))
	for i, a := range accs {
		vs[i] = scalar(&kir.Shuffle{X: &kir.Ref{V: a}, From: from})
	}
	return dv.named(vs, repeat("other", len(vs)))
}

// reduceInRuns is [lowerer.several] by subgroup operations; work-items without elements hold neutral ones.
func (dv *device) reduceInRuns(t stream, accs []*kir.Var, depth int, e *env) []value {
	r := dv.runs(t, depth)
	if r.whole {
		for i, a := range accs {
			dv.emit(&kir.Set{V: a, X: &kir.Collective{Fn: t.comb.fns[i], X: &kir.Ref{V: a}}})
		}
	} else {
		dv.doubling(r.length, func(s kir.Expr) {
			from := &kir.Bin{Fn: ir.Xor, X: place(kir.SubitemOf), Y: s, T: kir.Int}
			dv.combineInto(accs, dv.shuffled(accs, from), t.comb, e)
		})
	}
	// Processors, on which work-items do not run in step, wait in any case: their compilers, which make loops of barriers,
	// do not expect them under a condition that only the launch decides (POCL 6 gives up, or computes something else).
	several := &kir.If{Cond: &kir.Bin{Fn: ir.Or, X: compare(ir.Gt, place(kir.Blockwise), intConst(0)), Y: compare(ir.Gt, r.count, intConst(1)), T: kir.ScalarType(ir.Bool)}}
	dv.inside(&several.Then, func() {
		bs := dv.localArrays(t)
		dv.pinRun(bs, r, intConst(0), accs)
		for i, x := range dv.loadAll(bs, r.begin) {
			dv.emit(&kir.Set{V: accs[i], X: x.x})
		}
		dv.loop1("k", intConst(1), r.count, intConst(1), "", ir.Pos{}, func(k kir.Expr) { dv.combineInto(accs, dv.loadAll(bs, add(r.begin, k)), t.comb, e) })
		dv.emit(&kir.Barrier{}) // before the next one writes
	})
	dv.emit(several)
	return refs(accs)
}

// pinRun makes what the work-item at a place of each run holds known to the group.
func (dv *device) pinRun(bs []*kir.Array, r runs, at kir.Expr, vs []*kir.Var) {
	node := &kir.If{Cond: compare(ir.Eq, r.place, at)}
	dv.inside(&node.Then, func() { dv.storeAll(bs, r.number, vs) })
	dv.emit(node)
	dv.emit(&kir.Barrier{})
}

// scanInRuns returns what stands before each work-item of a workgroup, and the total, by subgroup operations.
func (dv *device) scanInRuns(t stream, accs []*kir.Var, depth int, e *env) (before []*kir.Var, total []*kir.Var) {
	r := dv.runs(t, depth)
	neutrals := make([]value, len(t.kinds))
	for i, k := range t.kinds {
		c, _ := analysis.Neutral(t.comb.fns[i], k)
		neutrals[i] = scalar(&kir.Const{C: c})
	}
	before = dv.accumulators(repeat("before", len(accs)), neutrals)
	if r.whole {
		for i, a := range accs {
			dv.emit(&kir.Set{V: before[i], X: &kir.Collective{Fn: t.comb.fns[i], Scan: true, X: &kir.Ref{V: a}}})
		}
		dv.combineInto(accs, refs(before), t.comb, e)
	} else {
		left := func(s kir.Expr, into []*kir.Var) {
			from := &kir.Bin{Fn: ir.Max, X: sub(place(kir.SubitemOf), s), Y: intConst(0), T: kir.Int}
			other := dv.shuffled(accs, from)
			node := &kir.If{Cond: compare(ir.Ge, r.place, s)}
			dv.inside(&node.Then, func() { dv.combineInto(into, other, t.comb, e) })
			dv.emit(node)
		}
		dv.doubling(r.length, func(s kir.Expr) { left(s, accs) })
		left(intConst(1), before)
	}
	bs := dv.localArrays(t)
	dv.pinRun(bs, r, sub(r.length, intConst(1)), accs)
	total = dv.accumulators(repeat("total", len(accs)), neutrals)
	dv.loop1("k", intConst(0), r.count, intConst(1), "", ir.Pos{}, func(k kir.Expr) {
		node := &kir.If{Cond: compare(ir.Lt, k, r.number)}
		dv.inside(&node.Then, func() { dv.combineInto(before, dv.loadAll(bs, k), t.comb, e) })
		dv.emit(node)
		dv.combineInto(total, dv.loadAll(bs, k), t.comb, e)
	})
	return before, total
}
