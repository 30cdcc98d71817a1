package lower

import (
	"slices"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
)

// stripLength is how many elements a strip holds: enough to pay for the call of the gathering routine, few enough to
// stay in the first-level cache beside what is read with them.
const stripLength = 256

// rangeLoop is the part [lo, hi) of an operator's index space.
type rangeLoop struct {
	body   *ir.Block
	i      *ir.Var
	lo, hi kir.Expr
	depth  int
	what   string
	pos    ir.Pos
	step   kir.Expr // nil is 1; otherwise a work-item's part of the range
	// together, if not nil, computes several vectors of elements at once, each in an environment of its own.
	together func(is []value, es []*env)
	// stores are the sequences that a Map writes.
	stores []*array
	// halves says that what is left after whole vectors may go through one of half the width. (Rows of 2 to 32 numbers that are
	// added to bins take 1.19 of the time without that, and 1.27 with the narrower vectors alone.)
	halves bool
	// combined is what the turns of the loop have in common, if it may run in lanes.
	combined []kir.Combined
	// first, if not nil, may compute whole vectors from i's value on up to hi, before the loop over those that are left.
	first func(i *kir.Var, hi kir.Expr, e *env)
}

// iterate runs element for every index of r: one by one, or as many at a time as the level has lanes and unrolling. The
// index value that element gets is contig in the vector part and uniform elsewhere; copy is the number of the unrolled
// copy. between, if not nil, is called after the vector loops and before the loop over what is left: it is done with the
// vector registers, and what it returns emits the scalar code that follows.
func (l *lowerer) iterate(r rangeLoop, lv level, e *env, element func(i value, copy int, e *env), between func() (after func())) {
	if lv.lanes() {
		l.iterateLanes(r, lv, e, element, between)
		return
	}
	plain := element
	element = func(i value, copy int, e *env) { l.on.eachElement(func() { plain(i, copy, e) }) }
	i := l.fresh(r.i.Name, kir.Int)
	l.on.counting(i, r.depth, r.lo, r.hi, func() {
		if lv.unroll > 1 {
			l.emit(&kir.Let{V: i, X: r.lo})
			l.steps(i, r.hi, lv.unroll, r, func() {
				for u := range lv.unroll {
					element(scalar(l.letExpr(r.i.Name, add(&kir.Ref{V: i}, intConst(u)))), u, e.child())
				}
			})
			rest := func() { element(scalar(&kir.Ref{V: i}), 0, e.child()) }
			if lv.unroll == 2 { // one is left, or none
				node := &kir.If{Cond: &kir.Bin{Fn: ir.Lt, X: &kir.Ref{V: i}, Y: r.hi, T: kir.ScalarType(ir.Bool)}}
				l.inside(&node.Then, rest)
				l.emit(node)
				return
			}
			l.steps(i, r.hi, 1, r, rest)
			return
		}
		l.on.counts(i)
		var body []kir.Stmt
		l.marking(lv, r.depth+1, func() {
			l.inside(&body, func() { element(scalar(&kir.Ref{V: i}), 0, e.child()) })
		})
		if r.step != nil {
			l.emit(&kir.Stride{V: i, Lo: r.lo, Hi: r.hi, Step: r.step, Pos: r.pos, What: r.what, Body: body})
			return
		}
		node := &kir.For{V: i, Lo: r.lo, Hi: r.hi, Step: 1, Pos: r.pos, What: r.what, Body: body}
		if lv.marked > 0 {
			node.Lanes, node.Combined = lv.marked, r.combined
			inLanesOf(node, r.depth+1)
		}
		l.emit(node)
	})
}

// steps emits a loop that goes on from i's value in steps while a whole step fits below hi.
func (l *lowerer) steps(i *kir.Var, hi kir.Expr, step int, r rangeLoop, body func()) {
	node := &kir.For{V: i, Hi: hi, Step: step, Whole: step > 1, Keep: true, Pos: r.pos, What: r.what}
	l.inside(&node.Body, body)
	l.emit(node)
}

// iterateLanes is the vector form of iterate: whole vectors (unrolled, then one by one), then single elements. Where the
// body gathers through indices that lie one behind the other in memory, it works strip by strip, and the elements of a
// strip are gathered by one routine call.
func (l *lowerer) iterateLanes(r rangeLoop, lv level, e *env, element func(i value, copy int, e *env), between func() (after func())) {
	i := l.fresh(r.i.Name, kir.Int)
	l.emit(&kir.Let{V: i, X: r.lo})
	single := func(hi kir.Expr) {
		l.steps(i, hi, 1, r, func() { element(scalar(&kir.Ref{V: i}), 0, e.child()) })
	}
	stretch := &kir.Vectors{}
	after := func() {}
	gathers, checks := l.stripGathers(r, e)
	rows := l.rowsOf(r, e)
	fields := l.fieldsOf(r, e)
	strips := len(gathers) > 0 || fields != nil
	hi := r.hi
	switch {
	case rows != nil:
		hi = rows.whole(l, r, lv.width, e)
	case lv.tile > 1:
		veto("level %d: vectors of elements are computed together only where these are rows that are read several times", r.depth+1)
	case r.what == "map" && !strips:
		if clamps, from, to := l.clampsOf(r, e); len(clamps) > 0 {
			single(l.letExpr("inner", l.integer(ir.Min, from, r.hi)))
			hi = l.letExpr("outer", to)
			old := l.clamps
			l.clamps = clamps
			defer func() { l.clamps = old }()
		}
	}
	l.inside(&stretch.Body, func() {
		l.enterLanes(lv.width, r.depth+1, func() {
			if rows != nil {
				l.rowLoops(i, hi, rows, lv, r, e, element)
				return
			}
			if !strips {
				if r.first != nil {
					r.first(i, hi, e)
				}
				l.vectorLoops(i, hi, lv, r, e, element)
				return
			}
			strip := &kir.For{V: l.fresh("strip", kir.Int), Lo: r.lo, Hi: r.hi, Step: stripLength, Pos: r.pos, What: "strips of " + r.what}
			start := &kir.Ref{V: strip.V}
			l.inside(&strip.Body, func() {
				end := l.letExpr("end", &kir.Bin{Fn: ir.Min, X: add(start, intConst(stripLength)), Y: r.hi, T: kir.Int})
				for _, c := range checks {
					l.emit(c.from(l, start, end))
					l.hoisted[c.check] = true
					defer delete(l.hoisted, c.check)
				}
				for _, g := range gathers {
					g.buf = &kir.Array{Name: l.name(g.name), Kind: g.from.a.Kind, Space: kir.Strip, Size: stripLength}
					l.emit(&kir.Call{R: &kir.Routine{Name: kir.GatherStrip, Args: []kir.Arg{
						{A: g.buf, X: intConst(0)}, {A: g.from.a, X: orZero(g.from.off)}, {A: g.index.a, X: l.at(g.index, add(g.offset, start))},
						{X: sub(end, start)}}}})
				}
				if fields != nil {
					fields.take(l, start, end)
				}
				stmts := make([]*ir.Stmt, len(gathers))
				for k, g := range gathers {
					stmts[k] = g.stmt
				}
				restore := l.skipDead(r.body, stmts)
				l.vectorLoops(i, end, lv, r, e, func(iv value, copy int, e *env) {
					l.strips = map[*ir.Stmt]value{}
					for _, g := range gathers {
						at := l.letExpr("at", sub(iv.x, start))
						l.strips[g.stmt] = value{x: &kir.Load{A: g.buf, I: at, T: l.vectorType(g.buf.Kind, l.width)}, form: vector}
					}
					l.fields = fields
					element(iv, copy, e)
					l.strips, l.fields = nil, nil
				})
				restore()
				if fields != nil {
					fields.put(l, start, &kir.Ref{V: i})
				}
			})
			l.emit(strip)
		})
		if half := (level{width: lv.width / 2, unroll: 1}); r.halves && rows == nil && !strips && wholeVectors(r.body, half.width) {
			l.enterLanes(half.width, r.depth+1, func() { l.vectorLoops(i, hi, half, r, e, element) })
		}
		if between != nil {
			after = between()
		} else {
			l.clear()
		}
	})
	l.emit(stretch)
	after()
	single(r.hi)
}

// wholeVectors reports whether w values of every kind that a body computes fill a vector of the least size that there is.
func wholeVectors(b *ir.Block, w int) bool {
	const least = 256
	fills := func(t ir.Type) bool { return !t.IsScalar() || t.Kind == ir.Bool || w*bitsOf(t.Kind) >= least }
	whole := true
	for _, r := range b.Results {
		whole = whole && fills(r.Type())
	}
	ir.Walk(b, func(s *ir.Stmt) {
		for _, d := range s.Dst {
			whole = whole && fills(d.T)
		}
	})
	return whole
}

// clear ends the use of vector registers before scalar code: a processor may run that at a fraction of its speed while
// their upper halves are in use.
func (l *lowerer) clear() { l.emit(&kir.Call{R: &kir.Routine{Name: kir.Clear}}) }

func orZero(x kir.Expr) kir.Expr {
	if x == nil {
		return intConst(0)
	}
	return x
}

// enterLanes runs f with the state of a new vector loop; splats of values known before it go to its preheader.
func (l *lowerer) enterLanes(width, level int, f func()) {
	oldW, oldL, oldPre, oldMark, oldS, oldC, oldTakes := l.width, l.laneLevel, l.preheader, l.mark, l.splats, l.constSplats, l.takes
	var pre, body []kir.Stmt
	l.width, l.laneLevel, l.preheader = width, level, &pre
	l.splats, l.constSplats = map[splatKey]kir.Expr{}, map[constKey]kir.Expr{}
	l.mark, l.takes = len(l.serial), false
	l.inside(&body, f)
	all := append(pre, body...)
	if l.takes {
		all = []kir.Stmt{&kir.Scoped{Body: all}}
	}
	for _, s := range all {
		l.emit(s)
	}
	l.width, l.laneLevel, l.preheader, l.mark, l.splats, l.constSplats, l.takes = oldW, oldL, oldPre, oldMark, oldS, oldC, oldTakes
}

// outside reports whether v exists before the current vector loop: host scalars, and what was declared before it. (What
// is declared before and assigned inside, an accumulator, is never the same in all lanes.)
func (l *lowerer) outside(v *kir.Var) bool { return v.Host || l.serial[v] <= l.mark }

// vectorLoops emits the loops over whole vectors from i's value on.
func (l *lowerer) vectorLoops(i *kir.Var, hi kir.Expr, lv level, r rangeLoop, e *env, element func(i value, copy int, e *env)) {
	vectors := func(copies int) {
		l.steps(i, hi, lv.width*copies, r, func() {
			for u := range copies {
				at := l.letExpr(r.i.Name, add(&kir.Ref{V: i}, intConst(u*lv.width)))
				element(value{x: at, form: contig}, u, e.child())
			}
		})
	}
	if r.what != "map" || len(l.strips) > 0 {
		if lv.unroll > 1 {
			vectors(lv.unroll)
		}
		vectors(1)
		return
	}
	// A Map's last vector may begin with elements that are computed already: then there are single ones only where there is
	// less than a vector in all.
	some := &kir.If{Cond: &kir.Bin{Fn: ir.Le, X: add(&kir.Ref{V: i}, intConst(lv.width)), Y: hi, T: kir.ScalarType(ir.Bool)}}
	l.inside(&some.Then, func() {
		if lv.unroll > 1 {
			vectors(lv.unroll)
		}
		node := &kir.For{V: i, Hi: hi, Step: lv.width, Keep: true, Pos: r.pos, What: r.what}
		l.inside(&node.Body, func() {
			l.emit(&kir.Set{V: i, X: l.integer(ir.Min, &kir.Ref{V: i}, sub(hi, intConst(lv.width)))})
			at := l.letExpr(r.i.Name, add(&kir.Ref{V: i}, intConst(0)))
			element(value{x: at, form: contig}, 0, e.child())
		})
		l.emit(node)
	})
	l.emit(some)
}

// stripGather is a read from[index[offset+i]] in a vector loop over i.
type stripGather struct {
	stmt   *ir.Stmt
	name   string
	from   *array
	index  *array
	offset kir.Expr
	buf    *kir.Array
}

// stripGathers finds the reads in the straight-line part of a body that can be done a strip at a time. A check that is made
// in the loop ends that part: the reads after it may be ones that it prevents. But where all such checks are of consecutive
// indices, they are made a strip at a time as well, and returned, if some read waits for one.
func (l *lowerer) stripGathers(r rangeLoop, e *env) (gs []*stripGather, checks []*checkOfMany) {
	all, ahead := l.checksAhead(r.body, r.i, e)
	passed := false
	for _, s := range r.body.Stmts {
		if c, ok := s.Op.(*ir.Check); ok && !l.hoisted[c] {
			if !ahead {
				break
			}
			passed = true
		}
		read, ok := s.Op.(*ir.Index)
		if !ok || read.X.Type().Rank != 1 {
			continue
		}
		from, ok := e.getAtom(read.X)
		if !ok || from.arr == nil || from.arr.rows != nil || from.arr.private || from.arr.a.Field != nil || from.arr.a.Kind == ir.Bool {
			continue
		}
		idx := l.defs.ReadAsIs(read.I)
		if idx == nil {
			continue
		}
		index, ok := e.getAtom(idx.X)
		if !ok || index.arr == nil || index.arr.rows != nil || index.arr.private || index.arr.a.Field != nil {
			continue
		}
		if k := index.arr.a.Kind; k != ir.Int32 && k != ir.Int64 && k != ir.Int {
			continue
		}
		if !stripKind(from.arr.a.Kind) {
			continue
		}
		if off, ok := l.offsetFrom(idx.I, r.i, e); ok {
			gs = append(gs, &stripGather{stmt: s, name: s.Dst[0].Name + "Strip", from: from.arr, index: index.arr, offset: off})
			if passed {
				checks = all
			}
		}
	}
	return gs, checks
}

// checksAhead is checksOfMany where the checks name the same positions as one by one: those in a whole array.
func (l *lowerer) checksAhead(b *ir.Block, i *ir.Var, e *env) ([]*checkOfMany, bool) {
	checks, ok := l.checksOfMany(b, i, e)
	return checks, ok && !slices.ContainsFunc(checks, func(c *checkOfMany) bool { return c.index.off != nil })
}

// skipDead makes lowering leave out the statements of a straight-line body that only reads made elsewhere needed, and returns
// the function that undoes it.
func (l *lowerer) skipDead(b *ir.Block, reads []*ir.Stmt) (restore func()) {
	leaf := map[*ir.Stmt]bool{}
	for _, s := range reads {
		leaf[s] = true
	}
	dead := deadIn(b, leaf, l.hoisted)
	var added []*ir.Stmt
	for s := range dead {
		if !l.skip[s] {
			l.skip[s] = true
			added = append(added, s)
		}
	}
	return func() {
		for _, s := range added {
			delete(l.skip, s)
		}
	}
}

// deadIn returns the statements of b and of the blocks inside it whose results nothing needs, if the checks in hoisted
// are not made and the statements in leaf read nothing.
func deadIn(b *ir.Block, leaf map[*ir.Stmt]bool, hoisted map[*ir.Check]bool) map[*ir.Stmt]bool {
	dead := map[*ir.Stmt]bool{}
	used := map[ir.Atom]bool{}
	var block func(b *ir.Block)
	block = func(b *ir.Block) {
		for _, r := range b.Results {
			used[r] = true
		}
		for i := len(b.Stmts) - 1; i >= 0; i-- {
			s := b.Stmts[i]
			c, check := s.Op.(*ir.Check)
			live := check && !hoisted[c] || !check && !ir.Pure(s)
			for _, d := range s.Dst {
				live = live || used[d]
			}
			if !live {
				dead[s] = true
				continue
			}
			for _, inner := range ir.Blocks(s.Op) {
				block(inner)
			}
			if !leaf[s] {
				for _, a := range ir.Operands(s.Op) {
					used[*a] = true
				}
			}
		}
	}
	block(b)
	return dead
}

func stripKind(k ir.Kind) bool {
	switch k {
	case ir.Float64, ir.Float32, ir.Int32, ir.Int64, ir.Int:
		return true
	}
	return false
}

// reduction is what reduceRange needs to know of a Reduce (or of the first pass of a Scan).
type reduction struct {
	body  *ir.Block
	i     *ir.Var
	comb  combiner
	depth int
	pos   ir.Pos
	names []string
	step  kir.Expr // see rangeLoop
}

// reduceRange combines the elements of [lo, hi), after init. Without init the range is not empty, and the result is that
// of its elements alone: a partial result.
func (l *lowerer) reduceRange(r reduction, lo, hi kir.Expr, init []value, lv level, e *env) []value {
	known := r.comb.fns != nil
	if lv.marked > 0 && (!known || lv.unroll > 1) {
		veto("level %d cannot use lanes: they are combined by the compiler, into one accumulator, by a function that it knows", r.depth+1)
	}
	if !known && lv.unroll > 1 {
		veto("level %d cannot keep %d accumulators: its combining function has no neutral element that is known", r.depth+1, lv.unroll)
	}
	if init == nil && known {
		init = l.neutrals(r)
	}
	loop := rangeLoop{body: r.body, i: r.i, lo: lo, hi: hi, depth: r.depth, what: "reduce", pos: r.pos, step: r.step}
	if init == nil { // start with the first element
		ee := e.child()
		ee.m[r.i] = scalar(lo)
		init = l.block(r.body, ee, r.depth+1)
		next := intConst(1)
		if r.step != nil {
			next = r.step
		}
		loop.lo = l.letExpr("next", add(lo, next))
	}
	if !lv.lanes() {
		init = l.widened(init)
	}
	accs := l.accumulators(r.names, init)
	if lv.marked > 0 {
		for i, a := range accs {
			loop.combined = append(loop.combined, kir.Combined{V: a, Fn: r.comb.fns[i]})
		}
	}
	out := func() []value {
		vs := make([]value, len(accs))
		for i, a := range accs {
			vs[i] = value{x: &kir.Ref{V: a}, form: formOf(a.T)}
		}
		return vs
	}
	switch {
	case lv.row:
		l.rowRoutine(r, loop, accs, e)
	case !lv.lanes() && lv.unroll == 1:
		l.iterate(loop, lv, e, func(i value, _ int, e *env) { l.accumulate(r, accs, i, e) }, nil)
	case !known:
		l.reduceLanesUnknown(r, loop, accs, lv, e)
	default:
		copies := l.copies(r, accs, lv)
		if lv.lanes() && lv.unroll == 1 {
			loop.first = func(i *kir.Var, hi kir.Expr, e *env) { l.accumulateDense(r, copies[0], i, hi, e) }
		}
		l.iterate(loop, lv, e, func(i value, copy int, e *env) {
			if lv.lanes() && i.form == uniform {
				l.accumulate(r, accs, i, e) // the ragged end
				return
			}
			l.accumulate(r, copies[copy], i, e)
		}, func() func() { return l.fold(accs, copies, r) })
		if !lv.lanes() {
			l.fold(accs, copies, r)()
		}
	}
	return out()
}

// rowRoutine computes a sum of products with gathered elements by one call.
func (l *lowerer) rowRoutine(r reduction, loop rangeLoop, accs []*kir.Var, e *env) {
	m, ok := fuse.MatchDotGather(&ir.Reduce{Body: r.body, I: r.i, Comb: r.comb.lambda, Init: make([]ir.Atom, len(accs))})
	if !ok {
		veto("level %d is no sum of products with gathered elements", r.depth+1)
	}
	a, x, idx := l.atom(m.A, e).arr, l.atom(m.X, e).arr, l.atom(m.Index, e).arr
	aOff, ok1 := l.offsetFrom(m.AIndex, r.i, e)
	iOff, ok2 := l.offsetFrom(m.IndexIndex, r.i, e)
	if !ok1 || !ok2 || a.rows != nil || x.rows != nil || idx.rows != nil {
		veto("level %d: the elements of the sparse row do not lie one behind the other", r.depth+1)
	}
	checks, ok := l.checksAhead(r.body, r.i, e)
	if !ok {
		veto("level %d: what the elements of the sparse row need is checked one by one", r.depth+1)
	}
	for _, c := range checks {
		l.emit(c.from(l, loop.lo, loop.hi))
	}
	sum := &kir.Routine{Name: kir.DotGather, T: accs[0].T, Args: []kir.Arg{
		{A: a.a, X: l.at(a, add(aOff, loop.lo))}, {A: x.a, X: orZero(x.off)}, {A: idx.a, X: l.at(idx, add(iOff, loop.lo))},
		{X: sub(loop.hi, loop.lo)}}}
	l.emit(&kir.Set{V: accs[0], X: &kir.Bin{Fn: ir.Add, X: &kir.Ref{V: accs[0]}, Y: sum, T: accs[0].T}})
}

func (l *lowerer) accType(k ir.Kind) kir.Type {
	if k == ir.Bool {
		bits := 64
		if l.width > 8 {
			bits = 32
		}
		return kir.Type{Kind: k, Lanes: l.width, Bits: bits}
	}
	return l.vectorType(k, l.width)
}

func (l *lowerer) neutrals(r reduction) []value {
	vs := make([]value, len(r.comb.fns))
	for i, fn := range r.comb.fns {
		c, _ := neutral(fn, r.body.Results[i].Type().Kind)
		vs[i] = scalar(&kir.Const{C: c})
	}
	return vs
}

// copies declares one set of accumulators for every copy in flight: vectors on lanes, scalars elsewhere.
func (l *lowerer) copies(r reduction, accs []*kir.Var, lv level) [][]*kir.Var {
	sets := make([][]*kir.Var, lv.unroll)
	for u := range sets {
		if u == 0 && !lv.lanes() {
			sets[u] = accs
			continue
		}
		for i, n := range l.neutrals(r) {
			x, t := n.x, kir.ScalarType(n.x.Type().Kind)
			if lv.lanes() {
				old := l.width
				l.width, l.laneLevel = lv.width, r.depth+1
				t = l.accType(t.Kind)
				l.width = old
				x = &kir.Splat{X: n.x, T: t}
			}
			v := l.fresh(r.names[i], t)
			l.emit(&kir.Let{V: v, X: x})
			sets[u] = append(sets[u], v)
		}
	}
	return sets
}

// fold combines all copies, and leaves the vector registers if there are vectors among them. What it returns emits the
// scalar code that combines the result with accs.
func (l *lowerer) fold(accs []*kir.Var, copies [][]*kir.Var, r reduction) (into func()) {
	sums := make([]kir.Expr, len(accs))
	vectors := false
	for i, fn := range r.comb.fns {
		first := copies[0][i]
		for step := 1; step < len(copies); step *= 2 { // pairwise: fewer roundings, and the processor can overlap them
			for u := 0; u+step < len(copies); u += 2 * step {
				a, b := copies[u][i], copies[u+step][i]
				l.foldLanes(fn, a, b, r.depth+1)
			}
		}
		if first == accs[i] {
			continue
		}
		vectors = true
		if !accs[i].T.Kind.IsFloat() || fn != ir.Add {
			sums[i] = l.letExpr(r.names[i], l.acrossLanes(fn, first, r.depth+1))
			continue
		}
		// Sums of floats go to memory: a scalar would need the registers cleared first, and vectors are still alive.
		a := &kir.Array{Name: l.name(accs[i].Name + "Sum"), Kind: accs[i].T.Kind, Space: kir.Strip, Size: 1}
		l.emit(&kir.Store{A: a, I: intConst(0), X: &kir.Horizontal{Fn: fn, X: &kir.Ref{V: first}}})
		sums[i] = &kir.Load{A: a, I: intConst(0), T: accs[i].T}
	}
	if vectors {
		l.clear()
	}
	return func() {
		for i, x := range sums {
			if x != nil {
				l.emit(&kir.Set{V: accs[i], X: &kir.Bin{Fn: r.comb.fns[i], X: &kir.Ref{V: accs[i]}, Y: x, T: accs[i].T}})
			}
		}
	}
}

// foldLanes emits a = a ⊕ b of accumulators.
func (l *lowerer) foldLanes(fn ir.BinaryFn, a, b *kir.Var, level int) {
	if _, _, ok := mathMinMax(fn); ok && a.T.Lanes > 1 {
		l.enterLanes(a.T.Lanes, level, func() {
			x, y := value{x: &kir.Ref{V: a}, form: vector}, value{x: &kir.Ref{V: b}, form: vector}
			l.emit(&kir.Set{V: a, X: l.laneBinary(fn, x, y).x})
		})
		return
	}
	x, y := &kir.Ref{V: a}, &kir.Ref{V: b}
	l.emit(&kir.Set{V: a, X: &kir.Bin{Fn: fn, X: x, Y: y, T: a.T, Wrap: l.on.wraps(fn, x, y)}})
}

// acrossLanes combines the lanes of an accumulator.
func (l *lowerer) acrossLanes(fn ir.BinaryFn, a *kir.Var, level int) kir.Expr {
	builtin, inf, ok := mathMinMax(fn)
	if !ok {
		return &kir.Horizontal{Fn: fn, X: &kir.Ref{V: a}}
	}
	first := scalar(&kir.Const{C: ir.FloatConst(a.T.Kind, inf)})
	var wins kir.Expr
	l.enterLanes(a.T.Lanes, level, func() {
		wins = l.letExpr("wins", &kir.AnyLane{X: l.laneBinary(ir.Eq, value{x: &kir.Ref{V: a}, form: vector}, first).x})
	})
	return &kir.Select{C: wins, X: first.x, Y: &kir.Horizontal{Fn: builtin, X: &kir.Ref{V: a}}}
}

// accumulate evaluates the body at i and combines its results into accs.
func (l *lowerer) accumulate(r reduction, accs []*kir.Var, i value, e *env) {
	l.scoped(func() { l.accumulateAll(r, [][]*kir.Var{accs}, []value{i}, []*env{e}) }, r.body, r.comb.lambda.Body)
}

// accumulateAll does it for several elements at once, each with accumulators of its own.
func (l *lowerer) accumulateAll(r reduction, accs [][]*kir.Var, is []value, es []*env) {
	for u, e := range es {
		e.m[r.i] = is[u]
	}
	if l.accumulateUnder(r, accs[0], es[0]) {
		for u := 1; u < len(es); u++ {
			l.accumulateUnder(r, accs[u], es[u])
		}
		return
	}
	// A product that is only added becomes a fused multiply-add on lanes.
	fused := map[int]*ir.Binary{}
	var products []*ir.Stmt
	if (l.width > 1 || l.marked != nil) && r.comb.fns != nil {
		for k, a := range r.body.Results {
			if s := l.onlyProduct(r.body, a); s != nil && r.comb.fns[k] == ir.Add && (accs[0][k].T.Lanes > 1 || l.marked != nil) {
				fused[k] = s.Op.(*ir.Binary)
				l.skip[s] = true
				products = append(products, s)
			}
		}
	}
	for _, s := range r.body.Stmts {
		if !l.skip[s] {
			l.lockstep(s, es, r.depth+1)
		}
	}
	for u, e := range es {
		l.accumulateElement(r, accs[u], fused, e)
	}
	for _, s := range products {
		delete(l.skip, s)
	}
}

// accumulateElement combines the element that was computed in e into accs.
func (l *lowerer) accumulateElement(r reduction, accs []*kir.Var, fused map[int]*ir.Binary, e *env) {
	elems := make([]value, len(accs))
	for k, a := range r.body.Results {
		if b := fused[k]; b != nil {
			x, y := l.atom(b.X, e), l.atom(b.Y, e)
			if l.width > 1 {
				x.x, y.x = l.vec(x), l.vec(y)
			}
			l.emit(&kir.Set{V: accs[k], X: &kir.FMA{X: x.x, Y: y.x, Z: &kir.Ref{V: accs[k]}}})
			continue
		}
		elems[k] = l.atom(a, e)
	}
	if len(fused) == 0 {
		l.combineInto(accs, elems, r.comb, e)
		return
	}
	for k, a := range accs {
		if fused[k] == nil {
			l.combineInto([]*kir.Var{a}, elems[k:k+1], combiner{r.comb.lambda, r.comb.fns[k : k+1]}, e)
		}
	}
}

// onlyProduct returns the statement of b that computes a, if it is a floating-point product that nothing else uses.
func (l *lowerer) onlyProduct(b *ir.Block, a ir.Atom) *ir.Stmt {
	v, ok := a.(*ir.Var)
	if !ok || !v.T.Kind.IsFloat() {
		return nil
	}
	var def *ir.Stmt
	uses := 0
	count := func(x ir.Atom) {
		if x == a {
			uses++
		}
	}
	for _, s := range b.Stmts {
		if len(s.Dst) == 1 && s.Dst[0] == v {
			def = s
		}
	}
	ir.Walk(b, func(s *ir.Stmt) {
		for _, o := range ir.Operands(s.Op) {
			count(*o)
		}
		for _, c := range ir.Blocks(s.Op) {
			for _, r := range c.Results {
				count(r)
			}
		}
	})
	for _, r := range b.Results {
		count(r)
	}
	if def == nil || uses != 1 {
		return nil
	}
	if m, ok := def.Op.(*ir.Binary); !ok || m.Fn != ir.Mul {
		return nil
	}
	return def
}

// reduceLanesUnknown reduces on lanes with a combining function of which only associativity and commutativity are known:
// the first vector of elements starts the accumulators.
func (l *lowerer) reduceLanesUnknown(r reduction, loop rangeLoop, accs []*kir.Var, lv level, e *env) {
	w := lv.width
	rest := l.fresh(r.i.Name, kir.Int)
	l.emit(&kir.Let{V: rest, X: loop.lo})
	node := &kir.If{Cond: &kir.Bin{Fn: ir.Le, X: add(loop.lo, intConst(w)), Y: loop.hi, T: kir.ScalarType(ir.Bool)}}
	l.inside(&node.Then, func() {
		l.enterLanes(w, r.depth+1, func() {
			ee := e.child()
			ee.m[r.i] = value{x: loop.lo, form: contig}
			first := l.block(r.body, ee, r.depth+1)
			lanes := make([]*kir.Var, len(first))
			for i, x := range first {
				v := l.vec(x)
				lanes[i] = l.fresh(r.names[i], v.Type())
				l.emit(&kir.Let{V: lanes[i], X: v})
			}
			l.emit(&kir.Set{V: rest, X: add(loop.lo, intConst(w))})
			l.steps(rest, loop.hi, w, loop, func() {
				l.accumulate(r, lanes, value{x: &kir.Ref{V: rest}, form: contig}, e.child())
			})
			l.width = 1
			for k := range w {
				elems := make([]value, len(lanes))
				for i, v := range lanes {
					if v.T.Bits != 0 {
						veto("level %d cannot use lanes: a boolean is combined by a function that is not and, or, xor", r.depth+1)
					}
					elems[i] = scalar(&kir.Lane{X: &kir.Ref{V: v}, K: k})
				}
				l.combineInto(accs, elems, r.comb, e)
			}
			l.width = w
		})
	})
	l.emit(&kir.Vectors{Body: []kir.Stmt{node}})
	l.steps(rest, loop.hi, 1, loop, func() { l.accumulate(r, accs, scalar(&kir.Ref{V: rest}), e.child()) })
}
