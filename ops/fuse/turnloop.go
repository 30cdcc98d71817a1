package fuse

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// turnLoop is a loop whose turns may be independent.
type turnLoop struct {
	*updater
	s       *ir.Stmt
	op      *ir.Loop
	counter *stepping // how it counts, if it has a condition
	looks   looks     // what is expanded of that which is computed before it
	d       *dependence
	dropped map[*ir.Stmt]bool // checks that the condition makes
	far     int64             // what values have to be closer to 0 than
	cubed   map[ir.Atom]bool  // those of which that goes for: of the others, no three are multiplied

	lo, n ir.Atom // where it begins, and how many turns it makes
}

// looks is through what the sums over values from before a loop look.
type looks int

const (
	throughAll      looks = iota
	throughProducts       // sums stand for themselves
	throughNone           // all values do
)

// stops reports whether a value stands for itself.
func (l looks) stops(defs analysis.Defs, a ir.Atom) bool {
	b, ok := defs[a].(*ir.Binary)
	return !ok || l == throughNone || l == throughProducts && b.Fn != ir.Mul
}

// decide reports whether the turns are independent under some condition. What is computed before the loop is expanded
// into sums first, so that n - 1 is less than n. Where that says nothing, as a stride of n + m + 1, or of side·side
// with side = 2·radius + 1, is several products then, sums stand for themselves: row k of a table begins at k strides.
// At last all values do, and what they are to each other is left to the condition.
func (t *turnLoop) decide() bool {
	for _, t.looks = range []looks{throughAll, throughProducts, throughNone} {
		if t.look() && t.d.independent() && t.within() && t.limit() && t.hopeful() {
			return true
		}
	}
	return false
}

// look finds what the turns do to the arrays, and reports whether that is known.
func (t *turnLoop) look() bool {
	index, own := ir.Atom(nil), analysis.Affine{}
	d := &dependence{unit: 1, mayLook: !hasLoop(t.op.Body)}
	q := &ir.Var{Name: "turn", T: tInt}
	switch {
	case t.op.I != nil:
		index, own = t.op.I, analysis.On(t.op.I)
		d.own = &course{i: t.op.I, step: 1}
	default:
		if t.counter = countedBy(t.op); t.counter == nil {
			return false
		}
		d.unit = t.counter.step
		index = t.op.Params[t.counter.param]
		own = analysis.On(q).Times(analysis.Sum{{C: d.unit}})
		d.own = &course{i: q, step: 1}
	}
	for i, p := range t.op.Params {
		if p.T.Rank != 1 && (t.counter == nil || i != t.counter.param) || p.T.Rank > 0 && t.arrays[p] == nil {
			return false
		}
	}
	var tested analysis.Defs // what the loop's own condition computes, which nothing before the loop can name
	if t.op.Cond != nil {
		tested = analysis.Of(t.op.Cond)
	}
	var outside analysis.Form
	outside = analysis.Form{Defs: t.defs, Known: func(a ir.Atom) (analysis.Affine, bool) {
		if of := unlimited(t.defs, a); of != nil {
			return outside.Affine(of)
		}
		_, sum := t.defs[a].(*ir.Binary)
		return analysis.Outside(a), !sum || tested[a] == nil && t.looks.stops(t.defs, a)
	}}
	bounds := func(lo, hi ir.Atom) (from, to analysis.Affine, ok bool) {
		from, ok = outside.Affine(lo)
		to, ok2 := outside.Affine(hi)
		return from, to.Plus(constantForm(-1)), ok && ok2
	}
	ok := false
	if t.counter == nil {
		d.own.lo, d.own.last, ok = bounds(t.op.Lo, t.op.Hi)
	} else {
		var from, last analysis.Affine
		from, last, ok = bounds(t.op.Init[t.counter.param], t.counter.below)
		own = own.Plus(from)
		d.own.last = last.Plus(from.Times(analysis.Sum{{C: -1}}))
	}
	inTest := func(p analysis.Product) bool {
		return slices.ContainsFunc(p.Of, func(a ir.Atom) bool { return tested[a] != nil })
	}
	if !ok || slices.ContainsFunc(d.own.last.Base, inTest) {
		return false
	}
	d.uses = usesOf(t.op, index, own, t.defs, t.arrays, t.starts, t.looks)
	t.d = d
	return d.uses != nil
}

// within makes it a condition that indices are within their arrays, where they are checked, and where an update may
// write what it finds.
func (t *turnLoop) within() bool {
	t.dropped = map[*ir.Stmt]bool{}
	inside := func(x *use, length ir.Atom) bool {
		lo, hi, ok := t.d.whole(x.form, x.around)
		n, known := t.d.form.Affine(length)
		if !ok || !known || len(n.Parts) > 0 || !t.d.outside(n.Base) {
			return false
		}
		return t.d.holds(less(nil, lo.Plus(analysis.Sum{{C: 1}}))) && t.d.holds(less(hi, n.Base))
	}
	ir.Walk(t.op.Body, func(s *ir.Stmt) { // in their order, so that conditions have one
		if around, checks := t.d.checks[s]; checks {
			args := s.Op.(*ir.Check).Args
			t.dropped[s] = t.checked(args[0], args[1], around)
		}
	})
	for _, x := range t.d.all {
		if x.updates && !x.always && !inside(x, x.array.Op.(*ir.Alloc).N) {
			return false
		}
	}
	return true
}

// checked makes it a condition that an index is below a length wherever it is checked, and reports whether it can.
func (t *turnLoop) checked(index, length ir.Atom, around []*course) bool {
	failed := t.d.failed
	defer func() { t.d.failed = failed }()
	i, n := t.d.affine(index), t.d.affine(length)
	if t.d.failed {
		return false
	}
	over := i.Plus(n.Times(analysis.Sum{{C: -1}}))
	least, _, ok := t.d.whole(i, t.d.with(slices.Clone(around), i))
	_, most, ok2 := t.d.whole(over, t.d.with(slices.Clone(around), over))
	return ok && ok2 && t.d.holds(less(nil, least.Plus(analysis.Sum{{C: 1}}))) && t.d.holds(most)
}

// limit finds what values have to be closer to 0 than, so that no sum overflows.
func (t *turnLoop) limit() bool {
	most, all := 0, true
	t.cubed = map[ir.Atom]bool{}
	look := func(s analysis.Sum, more int) {
		all = all && fits(s)
		for _, p := range s {
			most = max(most, len(p.Of)+more)
			for _, a := range p.Of {
				t.cubed[a] = t.cubed[a] || len(p.Of)+more > 2
			}
		}
	}
	for _, x := range t.d.all {
		look(x.form.Base, 0)
		for _, p := range x.form.Parts {
			look(p.Times, 1)
		}
	}
	t.eachSum(func(s analysis.Sum) { look(s, 0) })
	if most >= len(far) {
		return false
	}
	t.far = far[most]
	limit, counted := analysis.Sum{{C: t.far}}, most
	for _, x := range t.d.all {
		for _, sp := range x.around { // the indices of loops inside
			for _, bound := range []analysis.Affine{sp.lo, sp.last} {
				lo, hi, ok := t.d.whole(bound, x.around)
				look(lo, 0)
				look(hi, 0)
				all = all && ok && t.d.holds(less(limit.Minus(limit).Minus(limit), lo)) && t.d.holds(less(hi, limit))
			}
		}
	}
	return all && most == counted
}
