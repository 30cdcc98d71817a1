package lower

import (
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// reduction is what reduceRange needs to know of a Reduce (or of the first pass of a Scan).
type reduction struct {
	body  *ir.Block
	i     *ir.Var
	comb  combiner
	depth int
	pos   ir.Pos
	names []string
	step  kir.Expr // see rangeLoop
	few   bool     // see rangeLoop
}

// reduceRange combines the elements of [lo, hi), after init. Without init the range is not empty, and the result is
// that of its elements alone: a partial result.
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
			loop.combined = append(loop.combined, kir.Combined{V: a, Fn: together(r.comb.fns[i])})
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
		var copies [][]*kir.Var
		begin := func() { copies = l.copies(r, accs, lv) }
		if loop.few = r.few && lv.lanes(); loop.few {
			loop.begin = begin
		} else {
			begin()
		}
		if lv.lanes() && l.hasTail(r, lv, e) {
			loop.tail = func(i *kir.Var, hi kir.Expr, e *env) { l.tail(r, copies[0], i, hi, e) }
		}
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
		c, _ := analysis.Neutral(fn, r.body.Results[i].Type().Kind)
		vs[i] = scalar(&kir.Const{C: c})
	}
	return vs
}

// copies declares one set of accumulators for every copy in flight: vectors on lanes, scalars elsewhere.
func (l *lowerer) copies(r reduction, accs []*kir.Var, lv level) [][]*kir.Var {
	kinds := make([]ir.Kind, len(accs))
	for i, a := range r.body.Results {
		kinds[i] = a.Type().Kind
	}
	if !lv.lanes() {
		sets := [][]*kir.Var{accs}
		for len(sets) < lv.unroll {
			sets = append(sets, l.neutralSet(r.names, r.comb.fns, kinds, kir.ScalarType))
		}
		return sets
	}
	sets := make([][]*kir.Var, lv.unroll)
	for u := range sets {
		sets[u] = l.neutralSet(r.names, r.comb.fns, kinds, func(k ir.Kind) kir.Type {
			old := l.width
			l.width, l.laneLevel = lv.width, r.depth+1
			defer func() { l.width = old }()
			return l.accType(k)
		})
	}
	return sets
}

// neutralSet declares accumulators of the types that as gives, each with the neutral element of its function.
func (l *lowerer) neutralSet(names []string, fns []ir.BinaryFn, kinds []ir.Kind, as func(ir.Kind) kir.Type) []*kir.Var {
	set := make([]*kir.Var, len(fns))
	for i, fn := range fns {
		c, _ := analysis.Neutral(fn, kinds[i])
		x := kir.Expr(&kir.Const{C: c})
		t := as(kinds[i])
		if t.Lanes > 1 {
			x = &kir.Splat{X: x, T: t}
		}
		set[i] = l.fresh(names[i], t)
		l.emit(&kir.Let{V: set[i], X: x})
	}
	return set
}

// fold combines all copies, and leaves the vector registers if there are vectors among them. What it returns emits the
// scalar code that combines the result with accs.
func (l *lowerer) fold(accs []*kir.Var, copies [][]*kir.Var, r reduction) (into func()) {
	sums := make([]kir.Expr, len(accs))
	vectors := false
	for i, fn := range r.comb.fns {
		fn, first := together(fn), copies[0][i]
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
				l.emit(&kir.Set{V: accs[i], X: &kir.Bin{Fn: together(r.comb.fns[i]), X: &kir.Ref{V: accs[i]}, Y: x, T: accs[i].T}})
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
	// A product that is only added becomes a fused multiply-add on lanes, and in the register tiles of devices.
	fused := map[int]*ir.Binary{}
	var products []*ir.Stmt
	scalars := l.marked != nil || len(es) > 1 && l.width == 1 && l.on.can().fused
	if (l.width > 1 || scalars) && r.comb.fns != nil {
		for k, a := range r.body.Results {
			if s := l.onlyProduct(r.body, a); s != nil && r.comb.fns[k] == ir.Add && (accs[0][k].T.Lanes > 1 || scalars) {
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

// reduceLanesUnknown reduces on lanes with a combining function of which only associativity and commutativity are
// known: the first vector of elements starts the accumulators.
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
