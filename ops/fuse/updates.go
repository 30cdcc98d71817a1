package fuse

import (
	"maps"
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// updates finds the loops inside sequential code whose turns update elements that no other turn reads or updates, as
// those over the rows of a matrix that is decomposed: they become loops of independent turns, which are a level of the
// computation.
//
//	a' = loop (b) init a for i = lo to hi { …b…; yield b' }
//
// becomes
//
//	a' = if ok {
//	  n = max (hi - lo) 0
//	  a1 = loop (b) init a for q = 0 to n independent { i = lo + q; …; yield b' }
//	  yield a1
//	} else {
//	  the loop as it stands
//	}
//
// where ok says that the indices are apart, and within the arrays, so that the turns need no checks. A turn whose row
// all others read is made between those before and those behind it: three loops of independent turns, one after the
// other. Of loops inside each other the outermost one is such a loop, and in it those that hold none that updates.
//
// It reports whether there are any.
func updates(f *ir.Func, names *ir.Namer) bool {
	u := &updater{f: f, names: names}
	for _, s := range f.Body.Stmts {
		if m, ok := s.Op.(*ir.Map); ok && ir.IsInt(m.N, 1) {
			u.block(m.Body, 0)
		}
	}
	return u.found
}

// leastWork is how much a turn of a loop at the top level without loops inside has to cost, in additions, so that it is
// divided: more than a copy of an element, which takes as long as memory does.
const leastWork = 8

type updater struct {
	f       *ir.Func
	names   *ir.Namer
	defs    analysis.Defs
	arrays  map[*ir.Var]*ir.Stmt // versions of arrays, and what made them
	starts  map[ir.Atom]ir.Atom  // where rows of one length begin: see evenStarts
	bounded map[ir.Atom]int64    // values that conditions around the position say are closer to 0
	found   bool
}

// block looks at the loops of a block that so many loops are around, the outermost first.
func (u *updater) block(b *ir.Block, around int) {
	for at := 0; at < len(b.Stmts); at++ {
		s := b.Stmts[at]
		switch op := s.Op.(type) {
		case *ir.If:
			u.block(op.Then, around)
			u.block(op.Else, around)
		case *ir.Loop:
			if u.divided(b, &at) {
				continue
			}
			if hasLoop(op.Body) || around > 0 && rereads(op) || around == 0 && weigh(op.Body) >= leastWork {
				u.refresh()
				u.bounded = map[ir.Atom]int64{}
				if body := u.apart(b, &at, leastTurns); body != nil {
					u.inner(body)
					continue
				}
				if u.wave(b, &at) {
					continue
				}
			}
			u.block(op.Body, around+1)
		}
	}
}

// refresh finds out what the function is now.
func (u *updater) refresh() {
	u.defs, u.arrays = analysis.Of(u.f.Body), ir.Allocs(u.f.Body)
	u.starts = evenStarts(u.f, u.defs)
}

// inner looks at the innermost loops that update something, in a turn of a loop whose turns are independent.
func (u *updater) inner(b *ir.Block) {
	for at := 0; at < len(b.Stmts); at++ {
		switch op := b.Stmts[at].Op.(type) {
		case *ir.If:
			u.inner(op.Then)
			u.inner(op.Else)
		case *ir.Loop:
			if holdsUpdates(op.Body) {
				u.inner(op.Body)
				continue
			}
			u.refresh()
			bounded := u.bounded
			u.apart(b, &at, 0)
			u.bounded = bounded // what the loop's own condition says, it says to its turns
		}
	}
}

// rereads reports whether a loop reads an array that it updates. Those that do not, as the loops that copy the
// characters of a text, are short.
func rereads(op *ir.Loop) bool {
	versions := map[ir.Atom]bool{}
	for _, p := range op.Params {
		versions[p] = true
	}
	found := false
	ir.Walk(op.Body, func(s *ir.Stmt) {
		switch x := s.Op.(type) {
		case *ir.Index:
			found = found || versions[x.X]
		case *ir.Update:
			versions[s.Dst[0]] = versions[x.X]
		}
	})
	return found
}

// holdsUpdates reports whether loops in a block hand on sequences. Others, as those that sum up, are part of a turn.
func holdsUpdates(b *ir.Block) bool {
	found := false
	ir.Walk(b, func(s *ir.Stmt) {
		if l, ok := s.Op.(*ir.Loop); ok {
			found = found || slices.ContainsFunc(l.Params, func(v *ir.Var) bool { return v.T.Rank > 0 })
		}
	})
	return found
}

func hasLoop(b *ir.Block) bool {
	found := false
	ir.Walk(b, func(s *ir.Stmt) {
		_, loop := s.Op.(*ir.Loop)
		found = found || loop
	})
	return found
}

// apart puts a loop of independent turns, under its condition, in the place of a loop, which is statement at of a
// block, where it makes so many turns at least. It moves at to the statement that the loop is then, and returns the
// body of the turns; nil if they are not independent.
func (u *updater) apart(b *ir.Block, at *int, least int64) *ir.Block {
	s := b.Stmts[*at]
	op := s.Op.(*ir.Loop)
	t := &turnLoop{updater: u, s: s, op: op}
	if !t.decide() {
		return nil
	}
	var body *ir.Block
	t.choose(b, at, func(e emitter) ir.Atom {
		t.extent(e)
		return t.condition(e, least)
	}, func(e emitter, then *ir.Block) { body = t.write(e, then) })
	return body
}

// choose puts what write writes, under a condition, in the place of a loop, which is statement at of a block, and which
// stays for where the condition does not hold. It moves at to the statement that the loop is then.
func (t *turnLoop) choose(b *ir.Block, at *int, condition func(e emitter) ir.Atom, write func(e emitter, then *ir.Block)) {
	var before []*ir.Stmt
	e := emitter{&resolver{names: t.names, defs: map[*ir.Var]*ir.Stmt{}}, &before, t.s.Pos}
	ok := condition(e)
	then := &ir.Block{}
	write(e.into(then), then)
	old := &ir.Stmt{Op: t.op, Pos: t.s.Pos}
	for _, d := range t.s.Dst {
		old.Dst = append(old.Dst, t.names.Var(d.Name, d.T))
	}
	els := &ir.Block{Stmts: []*ir.Stmt{old}}
	for _, d := range old.Dst {
		els.Results = append(els.Results, d)
	}
	before = append(before, &ir.Stmt{Dst: t.s.Dst, Op: &ir.If{Cond: ok, Then: then, Else: els}, Pos: t.s.Pos})
	b.Stmts = slices.Replace(b.Stmts, *at, *at+1, before...)
	*at += len(before) - 1
	t.found = true
}

// turnLoop is a loop whose turns may be independent.
type turnLoop struct {
	*updater
	s       *ir.Stmt
	op      *ir.Loop
	counter *stepping // how it counts, if it has a condition
	opaque  bool      // what is computed before it is not expanded
	d       *dependence
	dropped map[*ir.Stmt]bool // checks that the condition makes
	far     int64             // what values have to be closer to 0 than
	cubed   map[ir.Atom]bool  // those of which that goes for: of the others, no three are multiplied

	lo, n ir.Atom // where it begins, and how many turns it makes
}

// decide reports whether the turns are independent under some condition. What is computed before the loop is expanded
// into sums first, so that n - 1 is less than n; where that says nothing, as a stride of side·side with side =
// 2·radius + 1 is several products then, the values stand for themselves, and what they are to each other is left to
// the condition.
func (t *turnLoop) decide() bool {
	for _, t.opaque = range []bool{false, true} {
		if t.look() && t.d.independent() && t.within() && t.limit() && t.hopeful() {
			return true
		}
	}
	return false
}

// look finds what the turns do to the arrays, and reports whether that is known.
func (t *turnLoop) look() bool {
	index, own := ir.Atom(nil), analysis.Affine{}
	d := &dependence{unit: 1}
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
		return analysis.Outside(a), t.opaque && tested[a] == nil || !sum
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
	d.uses = usesOf(t.op, index, own, t.defs, t.arrays, t.starts, t.opaque)
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

// eachSum calls f for the sums that are computed for the condition, and for that of the turn that divides the loop.
func (t *turnLoop) eachSum(f func(analysis.Sum)) {
	for _, s := range t.d.always {
		f(s)
	}
	for _, ways := range t.d.either {
		for _, way := range ways {
			for _, s := range way {
				f(s)
			}
		}
	}
	f(t.d.split)
}

// extent computes where the loop begins, and how many turns it makes.
func (t *turnLoop) extent(e emitter) {
	none := ir.IntConst(ir.Int, 0)
	if t.counter == nil {
		t.lo = t.op.Lo
		t.n = e.bin(ir.Max, "n", e.bin(ir.Sub, "n", t.op.Hi, t.lo), none)
		return
	}
	test := t.op.Cond.Clone(ir.Subst{}, t.names)
	for i, s := range t.op.Cond.Stmts {
		if s.Dst[0] != t.op.Cond.Results[0] {
			*e.out = append(*e.out, test.Stmts[i])
		}
	}
	below := t.counter.below
	for i, s := range t.op.Cond.Stmts {
		if ir.Atom(s.Dst[0]) == below {
			below = test.Stmts[i].Dst[0]
		}
	}
	t.lo = t.op.Init[t.counter.param]
	step := ir.IntConst(ir.Int, t.counter.step)
	reach := e.bin(ir.Add, "reach", e.bin(ir.Sub, "reach", below, t.lo), ir.IntConst(ir.Int, t.counter.step-1))
	t.n = e.bin(ir.Max, "n", e.bin(ir.Div, "n", reach, step), none)
}

// condition computes whether the turns are independent; where there are fewer than least, it says that they are not.
func (t *turnLoop) condition(e emitter, least int64) ir.Atom {
	if least > 0 {
		many := e.bin(ir.Le, "many", ir.IntConst(ir.Int, least), t.n)
		then, no := &ir.Block{}, &ir.Block{Results: []ir.Atom{ir.BoolConst(false)}}
		then.Results = []ir.Atom{t.condition(e.into(then), 0)}
		return e.let("ok", ir.Scalar(ir.Bool), &ir.If{Cond: many, Then: then, Else: no})
	}
	ok := ir.Atom(ir.BoolConst(true))
	within := func(a ir.Atom, most int64) {
		v, isVar := a.(*ir.Var)
		if far := t.bounded[a]; !isVar || far > 0 && far <= most {
			return
		}
		t.bounded[v] = most
		ok = e.both(ok, e.bin(ir.Lt, "near", ir.IntConst(ir.Int, -most), v))
		ok = e.both(ok, e.bin(ir.Lt, "near", v, ir.IntConst(ir.Int, most)))
	}
	near := func(a ir.Atom) { within(a, t.far) }
	values := func(s analysis.Sum) {
		for _, p := range s {
			for _, a := range p.Of {
				if t.cubed[a] {
					near(a)
				} else { // the length of a volume, where its sides are multiplied
					within(a, farthest)
				}
			}
		}
	}
	t.bounded = maps.Clone(t.bounded)
	for _, bound := range []analysis.Affine{t.d.own.lo, t.d.own.last} {
		values(bound.Base)
	}
	near(t.n)
	near(t.lo)
	for _, x := range t.d.all {
		values(x.form.Base)
		for _, p := range x.form.Parts {
			values(p.Times)
		}
	}
	for _, a := range t.d.near {
		near(a)
	}
	t.eachSum(values)
	negative := func(s analysis.Sum) ir.Atom {
		return e.bin(ir.Lt, "apart", t.sum(e, s), ir.IntConst(ir.Int, 0))
	}
	for _, s := range t.d.always {
		ok = e.both(ok, negative(s))
	}
	for _, ways := range t.d.either {
		any := ir.Atom(nil)
		for _, way := range ways {
			all := ir.Atom(ir.BoolConst(true))
			for _, s := range way {
				all = e.both(all, negative(s))
			}
			if any == nil {
				any = all
			} else {
				any = e.let("any", ir.Scalar(ir.Bool), &ir.Binary{Fn: ir.Or, X: any, Y: all})
			}
		}
		ok = e.both(ok, any)
	}
	return ok
}

// sum computes a sum.
func (t *turnLoop) sum(e emitter, s analysis.Sum) ir.Atom {
	total := ir.Atom(ir.IntConst(ir.Int, 0))
	for _, p := range s {
		x := ir.Atom(ir.IntConst(ir.Int, 1))
		for _, a := range p.Of {
			x = e.bin(ir.Mul, "t", x, a)
		}
		switch {
		case p.C == -1:
			total = e.bin(ir.Sub, "t", total, x)
		default:
			total = e.bin(ir.Add, "t", total, e.bin(ir.Mul, "t", x, ir.IntConst(ir.Int, p.C)))
		}
	}
	return total
}

// write writes the loop of independent turns into a block, which yields what it does, and returns its body.
func (t *turnLoop) write(e emitter, out *ir.Block) (body *ir.Block) {
	var init []ir.Atom
	for i, a := range t.op.Init {
		if t.counter == nil || i != t.counter.param {
			init = append(init, a)
		}
	}
	var arrays []*ir.Var
	if !t.d.divided {
		arrays, body = t.independent(e, init, t.lo, t.n)
	} else {
		// Those before the turn, the turn, and those behind it.
		hi := e.bin(ir.Add, "hi", t.lo, t.n)
		turn := t.sum(e, t.d.split)
		clamp := func(a ir.Atom) ir.Atom { return e.bin(ir.Min, "m", e.bin(ir.Max, "m", a, t.lo), hi) }
		first, second := clamp(turn), clamp(e.bin(ir.Add, "t", turn, ir.IntConst(ir.Int, 1)))
		parts := &ir.Loop{I: t.names.Var("part", tInt), Lo: ir.IntConst(ir.Int, 0), Hi: ir.IntConst(ir.Int, 3), Init: init, Body: &ir.Block{}}
		var carried []ir.Atom
		for _, p := range t.op.Params {
			if p.T.Rank > 0 {
				v := t.names.Var(p.Name, p.T)
				parts.Params, carried = append(parts.Params, v), append(carried, v)
				arrays = append(arrays, t.names.Var(p.Name, p.T))
			}
		}
		in := e.into(parts.Body)
		is := func(part int64) ir.Atom { return in.bin(ir.Eq, "is", parts.I, ir.IntConst(ir.Int, part)) }
		choose := func(c, x, y ir.Atom) ir.Atom { return in.let("bound", tInt, &ir.Select{Cond: c, X: x, Y: y}) }
		is0, is1 := is(0), is(1)
		from := choose(is0, t.lo, choose(is1, first, second))
		to := choose(is0, first, choose(is1, second, hi))
		made, inner := t.independent(in, carried, from, in.bin(ir.Sub, "n", to, from))
		for _, v := range made {
			parts.Body.Results = append(parts.Body.Results, v)
		}
		body = inner
		e.stmt(parts, arrays...)
	}
	for i := range t.op.Params {
		if t.counter != nil && i == t.counter.param {
			out.Results = append(out.Results, e.bin(ir.Add, "next", t.lo, e.bin(ir.Mul, "t", t.n, ir.IntConst(ir.Int, t.counter.step))))
			continue
		}
		out.Results, arrays = append(out.Results, arrays[0]), arrays[1:]
	}
	return body
}

// independent writes a loop of n independent turns from lo on.
func (t *turnLoop) independent(e emitter, init []ir.Atom, lo, n ir.Atom) (arrays []*ir.Var, body *ir.Block) {
	loop := &ir.Loop{Init: init, Lo: ir.IntConst(ir.Int, 0), Hi: n, Independent: true}
	sub := ir.Subst{}
	index := ir.Atom(nil)
	start := &ir.Block{}
	in := e.into(start)
	if t.counter == nil {
		loop.I = t.names.Var(t.op.I.Name, tInt)
		index = in.bin(ir.Add, t.op.I.Name, lo, loop.I)
		sub[t.op.I] = index
	} else {
		x := t.op.Params[t.counter.param]
		loop.I = t.names.Var("turn", tInt)
		index = in.bin(ir.Add, x.Name, lo, in.bin(ir.Mul, "t", loop.I, ir.IntConst(ir.Int, t.counter.step)))
		sub[x] = index
	}
	for _, p := range t.op.Params {
		if p.T.Rank > 0 {
			v := t.names.Var(p.Name, p.T)
			loop.Params = append(loop.Params, v)
			arrays = append(arrays, t.names.Var(p.Name, p.T))
			sub[p] = v
		}
	}
	t.bounded[index], t.bounded[loop.I] = t.far, t.far
	body = leaveOut(t.op.Body, t.dropped).Clone(sub, t.names)
	if t.counter != nil {
		body.Results = slices.Delete(body.Results, t.counter.param, t.counter.param+1)
	}
	body.Stmts = append(start.Stmts, body.Stmts...)
	loop.Body = body
	e.stmt(loop, arrays...)
	return arrays, body
}

// leaveOut returns a block without some of its statements, and of those in the blocks inside it.
func leaveOut(b *ir.Block, out map[*ir.Stmt]bool) *ir.Block {
	c := &ir.Block{Results: slices.Clone(b.Results)}
	for _, s := range b.Stmts {
		if out[s] {
			continue
		}
		switch op := s.Op.(type) {
		case *ir.If:
			s = &ir.Stmt{Dst: s.Dst, Op: &ir.If{Cond: op.Cond, Then: leaveOut(op.Then, out), Else: leaveOut(op.Else, out)}, Pos: s.Pos}
		case *ir.Loop:
			loop := *op
			loop.Body = leaveOut(op.Body, out)
			s = &ir.Stmt{Dst: s.Dst, Op: &loop, Pos: s.Pos}
		}
		c.Stmts = append(c.Stmts, s)
	}
	return c
}
