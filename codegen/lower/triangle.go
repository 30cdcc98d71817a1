package lower

import (
	"math"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// maxVersions bounds how many loops inside each other exist in two versions: each doubles the code.
const maxVersions = 2

// countedLanes lowers a loop whose bounds differ from lane to lane: it runs until the last lane is done. Where they
// turn out to be the same in all lanes, or to move on from lane to lane by the same, as those of windows do, it is a
// loop for all of them; so are the turns that all lanes make where they begin, or end, alike, as rows of a triangle do.
func (l *lowerer) countedLanes(op *ir.Loop, lo, hi value, e *env, depth int, assign func([]value, kir.Expr)) {
	t := l.vectorType(ir.Int, l.width)
	vectors := func() (first, last kir.Expr) {
		return l.letExpr("first", l.vec(lo)), l.letExpr("last", l.vec(hi))
	}
	of := func(bounds kir.Expr, fn ir.BinaryFn) kir.Expr {
		return l.letExpr("bound", &kir.Horizontal{Fn: fn, X: bounds})
	}
	// Where all lanes begin alike no index passes the last bound, and numbers of 32 bits are far from the largest one.
	wraps := lo.form != uniform && !l.narrow(op.Lo)
	turns := func(first, last kir.Expr) {
		inner := e.child()
		i := l.fresh(op.I.Name, t)
		l.emit(&kir.Let{V: i, X: &kir.Bin{Fn: ir.Add, X: first, Y: l.vec(scalar(intConst(0))), T: t}})
		inner.m[op.I] = value{x: &kir.Ref{V: i}, form: vector}
		node := &kir.While{}
		var mask kir.Expr
		l.inside(&node.Cond, func() {
			m := &kir.Bin{Fn: ir.Lt, X: &kir.Ref{V: i}, Y: last, T: kir.Type{Kind: ir.Bool, Lanes: l.width, Bits: 64}}
			mask = l.letExpr("active", l.and(l.letExpr("m", m)))
		})
		node.Test = &kir.AnyLane{X: mask}
		l.turn(&node.Body, mask, op.Body, inner, depth, assign)
		l.inside(&node.Body, func() {
			next := value{x: &kir.Bin{Fn: ir.Add, X: &kir.Ref{V: i}, Y: l.vec(scalar(intConst(1))), T: t}, form: vector}
			if wraps { // a lane that has stopped stays where it is: further on it would begin again
				next = l.selectValue(value{x: mask, form: vector}, next, value{x: &kir.Ref{V: i}, form: vector})
			}
			l.emit(&kir.Set{V: i, X: next.x})
		})
		l.emit(node)
	}
	if l.versions == maxVersions {
		turns(vectors())
		return
	}
	l.versions++
	defer func() { l.versions-- }()
	if inStep(lo, hi) {
		node := &kir.If{Cond: l.rising(lo, hi)}
		l.inside(&node.Then, func() {
			l.counted(op, lo.x, hi.x, e, depth, assign, value{form: lo.form, by: lo.by})
		})
		l.inside(&node.Else, func() { turns(vectors()) })
		l.emit(node)
		return
	}
	first, last := vectors()
	switch {
	case lo.form == uniform: // all begin alike: what only some do comes last
		common := l.letExpr("common", l.integer(ir.Max, of(last, ir.Min), lo.x))
		l.counted(op, lo.x, common, e, depth, assign, scalar(nil))
		turns(l.vec(scalar(common)), last)
		return
	case hi.form == uniform: // all end alike: what only some do comes first
		common := l.letExpr("common", l.integer(ir.Min, of(first, ir.Max), hi.x))
		turns(first, l.vec(scalar(common)))
		l.counted(op, common, hi.x, e, depth, assign, scalar(nil))
		return
	}
	lane := func(x kir.Expr) (kir.Expr, kir.Expr) {
		one := l.letExpr("bound", &kir.Lane{X: x, K: 0})
		eq := &kir.Bin{Fn: ir.Eq, X: x, Y: &kir.Splat{X: one, T: t}, T: kir.Type{Kind: ir.Bool, Lanes: l.width, Bits: 64}}
		return one, &kir.Horizontal{Fn: ir.And, X: eq}
	}
	from, sameFrom := lane(first)
	to, sameTo := lane(last)
	node := &kir.If{Cond: &kir.Bin{Fn: ir.And, X: sameFrom, Y: sameTo, T: kir.ScalarType(ir.Bool)}}
	l.inside(&node.Then, func() { l.counted(op, from, to, e, depth, assign, scalar(nil)) })
	l.inside(&node.Else, func() { turns(first, last) })
	l.emit(node)
}

// inStep reports whether both bounds of a loop are at the same distance in lanes side by side: all lanes make as many
// turns, as long as no bound goes from the largest integer to the least.
func inStep(lo, hi value) bool {
	return (lo.form == contig || lo.form == apart) && hi.form == lo.form && hi.by == lo.by && hi.by != back
}

// rising reports whether no v, which is at a distance from lane to lane, goes from the largest integer to the least.
func (l *lowerer) rising(vs ...value) kir.Expr {
	var all kir.Expr
	for _, v := range vs {
		if !v.wraps {
			continue
		}
		most := intConst(math.MaxInt64 - (l.width-1)*max(v.by, 1))
		one := l.letExpr("rising", &kir.Bin{Fn: ir.Le, X: v.x, Y: most, T: kir.ScalarType(ir.Bool)})
		if all == nil {
			all = one
		} else {
			all = &kir.Bin{Fn: ir.And, X: all, Y: one, T: kir.ScalarType(ir.Bool)}
		}
	}
	return all
}

// turn lowers one turn of a loop that only the lanes in mask make.
func (l *lowerer) turn(out *[]kir.Stmt, mask kir.Expr, b *ir.Block, e *env, depth int, assign func([]value, kir.Expr)) {
	active := l.active
	l.active = mask
	l.inside(out, func() { l.scoped(func() { assign(l.block(b, e, depth), mask) }, b) })
	l.active = active
}
