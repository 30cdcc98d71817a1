package lower

import (
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// A run is neighbouring work-items that exchange values without local memory and barriers: those of a subgroup, or an equal
// part of it that lies in one team. How long runs are, the device says when the kernel runs. What the runs of a team found
// goes through local memory, if there are several.
type runs struct {
	begin, count  kir.Expr // the number of the team's first run, and how many it has
	number        kir.Expr // of this work-item's run
	place, length kir.Expr // of this work-item in its run
	whole         bool     // a run is a whole subgroup, whose operations combine
}

// runs returns the team's runs for a stream. The operations of whole subgroups are there for sums and extremes of the usual
// kinds, where the team is a workgroup; other streams are combined by shuffles.
func (l *lowerer) runs(t stream, depth int) runs {
	if t.comb.fns == nil {
		veto("level %d cannot combine by subgroup operations: its combining function has no neutral element that is known", depth+1)
	}
	whole := l.dev.team == kir.Group
	for i, fn := range t.comb.fns {
		whole = whole && collective(fn, t.kinds[i])
	}
	if whole {
		return runs{begin: intConst(0), count: place(kir.Subgroups), number: place(kir.SubgroupOf), place: place(kir.SubitemOf), length: place(kir.Subitems), whole: true}
	}
	w := l.crew()
	length := l.letExpr("run", routine(kir.Common, w.items, place(kir.MaxSubitems)))
	number := func(item kir.Expr) kir.Expr { return routine(kir.RunNumber, item, length) }
	begin := intConst(0)
	if l.dev.team == kir.Warp {
		begin = number(l.firstItem())
	}
	return runs{begin: begin, count: number(w.items), number: number(place(kir.ItemOf)), place: l.letExpr("at", routine(kir.RunPlace, w.item, length)), length: length}
}

// collective reports whether there are operations of subgroups for a function. Those for extremes of floats do not promise
// what becomes of NaN.
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
func (l *lowerer) doubling(n kir.Expr, body func(s kir.Expr)) {
	s := l.fresh("s", kir.Int)
	l.emit(&kir.Let{V: s, X: intConst(1)})
	loop := &kir.While{Test: compare(ir.Lt, &kir.Ref{V: s}, n)}
	l.inside(&loop.Body, func() {
		body(&kir.Ref{V: s})
		l.emit(&kir.Set{V: s, X: mul(&kir.Ref{V: s}, intConst(2))})
	})
	l.emit(loop)
}

// shuffled is the values of the work-item with that number in the subgroup.
func (l *lowerer) shuffled(accs []*kir.Var, from kir.Expr) []value {
	vs := make([]value, len(accs))
	for i, a := range accs {
		vs[i] = scalar(&kir.Shuffle{X: &kir.Ref{V: a}, From: from})
	}
	return l.named(vs, repeat("other", len(vs)))
}

// togetherInRuns is [lowerer.together] by subgroup operations; work-items without elements hold neutral ones.
func (l *lowerer) togetherInRuns(t stream, accs []*kir.Var, depth int, e *env) []value {
	r := l.runs(t, depth)
	if r.whole {
		for i, a := range accs {
			l.emit(&kir.Set{V: a, X: &kir.Collective{Fn: t.comb.fns[i], X: &kir.Ref{V: a}}})
		}
	} else {
		l.doubling(r.length, func(s kir.Expr) {
			from := &kir.Bin{Fn: ir.Xor, X: place(kir.SubitemOf), Y: s, T: kir.Int}
			l.combineInto(accs, l.shuffled(accs, from), t.comb, e)
		})
	}
	// Processors, on which work-items do not run in step, wait in any case: their compilers, which make loops of barriers,
	// do not expect them under a condition that only the launch decides (POCL 6 gives up, or computes something else).
	several := &kir.If{Cond: &kir.Bin{Fn: ir.Or, X: compare(ir.Gt, place(kir.Blockwise), intConst(0)), Y: compare(ir.Gt, r.count, intConst(1)), T: kir.ScalarType(ir.Bool)}}
	l.inside(&several.Then, func() {
		bs := l.board(t)
		l.pinRun(bs, r, intConst(0), accs)
		for i, x := range l.look(bs, r.begin) {
			l.emit(&kir.Set{V: accs[i], X: x.x})
		}
		l.loop1("k", intConst(1), r.count, intConst(1), "", ir.Pos{}, func(k kir.Expr) { l.combineInto(accs, l.look(bs, add(r.begin, k)), t.comb, e) })
		l.emit(&kir.Barrier{}) // before the next one writes
	})
	l.emit(several)
	return refs(accs)
}

// pinRun makes what the work-item at a place of each run holds known to the group.
func (l *lowerer) pinRun(bs []*kir.Array, r runs, at kir.Expr, vs []*kir.Var) {
	node := &kir.If{Cond: compare(ir.Eq, r.place, at)}
	l.inside(&node.Then, func() { l.pin(bs, r.number, vs) })
	l.emit(node)
	l.emit(&kir.Barrier{})
}

// scanInRuns returns what stands before each work-item of a workgroup, and the total, by subgroup operations.
func (l *lowerer) scanInRuns(t stream, accs []*kir.Var, depth int, e *env) (before []*kir.Var, total []*kir.Var) {
	r := l.runs(t, depth)
	neutrals := make([]value, len(t.kinds))
	for i, k := range t.kinds {
		c, _ := neutral(t.comb.fns[i], k)
		neutrals[i] = scalar(&kir.Const{C: c})
	}
	before = l.accumulators(repeat("before", len(accs)), neutrals)
	if r.whole {
		for i, a := range accs {
			l.emit(&kir.Set{V: before[i], X: &kir.Collective{Fn: t.comb.fns[i], Scan: true, X: &kir.Ref{V: a}}})
		}
		l.combineInto(accs, refs(before), t.comb, e)
	} else {
		left := func(s kir.Expr, into []*kir.Var) {
			from := &kir.Bin{Fn: ir.Max, X: sub(place(kir.SubitemOf), s), Y: intConst(0), T: kir.Int}
			other := l.shuffled(accs, from)
			node := &kir.If{Cond: compare(ir.Ge, r.place, s)}
			l.inside(&node.Then, func() { l.combineInto(into, other, t.comb, e) })
			l.emit(node)
		}
		l.doubling(r.length, func(s kir.Expr) { left(s, accs) })
		left(intConst(1), before)
	}
	bs := l.board(t)
	l.pinRun(bs, r, sub(r.length, intConst(1)), accs)
	total = l.accumulators(repeat("total", len(accs)), neutrals)
	l.loop1("k", intConst(0), r.count, intConst(1), "", ir.Pos{}, func(k kir.Expr) {
		node := &kir.If{Cond: compare(ir.Lt, k, r.number)}
		l.inside(&node.Then, func() { l.combineInto(before, l.look(bs, k), t.comb, e) })
		l.emit(node)
		l.combineInto(total, l.look(bs, k), t.comb, e)
	})
	return before, total
}
