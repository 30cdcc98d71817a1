package lower

import (
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/selector/param"
)

// members is a number of work-items and the number of this one.
type members struct{ item, items kir.Expr }

func (dv *device) members() members {
	if dv.lanes != nil {
		return *dv.lanes
	}
	if dv.team == kir.Warp {
		return members{place(kir.LaneOf), place(kir.Lanes)}
	}
	return members{place(kir.ItemOf), place(kir.Items)}
}

// share is a work-item's part of a range, and how many work-items of the members have one.
type share struct{ lo, hi, step, valid kir.Expr }

// routine is a call of one of the functions on indices that every device has: share_lo, share_hi, share_step and
// share_count cut a range as the device likes it, run_lo, run_hi and run_count cut it into runs of neighbours, in
// order; team_count is how many work-items of a team are among the first n of the grid, and teams_of how many teams
// these are.
func routine(name kir.RoutineName, args ...kir.Expr) kir.Expr {
	r := &kir.Routine{Name: name, T: kir.Int}
	for _, a := range args {
		r.Args = append(r.Args, kir.Arg{X: a})
	}
	return r
}

func (c members) share(dv *device, lo, hi kir.Expr) share {
	return share{
		lo:   dv.letExpr("lo", routine(kir.ShareLo, lo, hi, c.item, c.items)),
		hi:   dv.letExpr("hi", routine(kir.ShareHi, lo, hi, c.item, c.items)),
		step: routine(kir.ShareStep, c.items), valid: routine(kir.ShareCount, lo, hi, c.items),
	}
}

func (c members) run(dv *device, lo, hi kir.Expr) share {
	return share{
		lo:   dv.letExpr("lo", routine(kir.RunLo, lo, hi, c.item, c.items)),
		hi:   dv.letExpr("hi", routine(kir.RunHi, lo, hi, c.item, c.items)),
		step: intConst(1), valid: routine(kir.RunCount, lo, hi, c.items),
	}
}

// stream is a sequence of (tuples of) values that work-items combine.
type stream struct {
	names []string
	kinds []ir.Kind
	comb  combiner
	what  string
	pos   ir.Pos
	elem  func(i kir.Expr, e *env) []value

	flight int // accumulators of a work-item, or elements of a block that it scans
}

// streamOf is what the body of a Reduce or a Scan yields.
func (dv *device) streamOf(what string, s *ir.Stmt, body *ir.Block, i *ir.Var, comb *ir.Lambda, depth int) stream {
	t := stream{names: names(s.Dst), comb: newCombiner(comb), what: what, pos: s.Pos}
	for _, d := range s.Dst {
		t.kinds = append(t.kinds, d.T.Kind)
	}
	t.elem = func(at kir.Expr, e *env) []value {
		e.m[i] = scalar(at)
		return dv.block(body, e, depth+1)
	}
	return t
}

// loop emits a work-item's loop over a part.
func (dv *device) loop1(name string, lo, hi, step kir.Expr, what string, pos ir.Pos, body func(i kir.Expr)) {
	i := dv.fresh(name, kir.Int)
	dv.counts(i)
	node := &kir.Stride{V: i, Lo: lo, Hi: hi, Step: step, What: what, Pos: pos}
	dv.inside(&node.Body, func() { body(&kir.Ref{V: i}) })
	dv.emit(node)
}

// partials combines the elements of a work-item's part. Where no neutral element is known, the values of a work-item
// without elements mean nothing.
func (dv *device) partials(t stream, sh share, e *env) []*kir.Var {
	if t.comb.fns != nil {
		accs := dv.neutralSet(t.names, t.comb.fns, t.kinds, kir.ScalarType)
		if t.flight > 1 {
			dv.alone(func() { dv.inFlight(t, accs, sh, e) })
			return accs
		}
		dv.alone(func() {
			dv.loop1("i", sh.lo, sh.hi, sh.step, t.what, t.pos, func(i kir.Expr) {
				inner := e.child()
				dv.combineInto(accs, t.elem(i, inner), t.comb, inner)
			})
		})
		return accs
	}
	accs := make([]*kir.Var, len(t.kinds))
	for i, k := range t.kinds {
		accs[i] = dv.fresh(t.names[i], kir.ScalarType(k))
		dv.emit(&kir.Let{V: accs[i], X: zeroOf(accs[i].T)})
	}
	node := &kir.If{Cond: compare(ir.Lt, sh.lo, sh.hi)}
	dv.inside(&node.Then, func() {
		dv.alone(func() {
			for i, x := range t.elem(sh.lo, e.child()) {
				dv.emit(&kir.Set{V: accs[i], X: x.x})
			}
			dv.loop1("i", add(sh.lo, sh.step), sh.hi, sh.step, t.what, t.pos, func(i kir.Expr) {
				inner := e.child()
				dv.combineInto(accs, t.elem(i, inner), t.comb, inner)
			})
		})
	})
	dv.emit(node)
	return accs
}

// inFlight accumulates a part with several accumulators, which the processor need not add one after the other.
func (dv *device) inFlight(t stream, accs []*kir.Var, sh share, e *env) {
	sets := [][]*kir.Var{accs}
	for len(sets) < t.flight {
		sets = append(sets, dv.neutralSet(t.names, t.comb.fns, t.kinds, kir.ScalarType))
	}
	step := sh.step
	if !isOne(step) {
		step = dv.letExpr("step", step)
	}
	times := func(k int) kir.Expr {
		if isOne(step) {
			return intConst(k)
		}
		return mul(step, intConst(k))
	}
	whole := dv.fresh("i", kir.Int)
	dv.counts(whole)
	dv.emit(&kir.Let{V: whole, X: sh.lo})
	loop := &kir.While{Test: compare(ir.Lt, add(&kir.Ref{V: whole}, times(t.flight-1)), sh.hi)}
	dv.inside(&loop.Body, func() {
		for k, set := range sets {
			inner := e.child()
			i := dv.letExpr("i", add(&kir.Ref{V: whole}, times(k)))
			if r, ok := i.(*kir.Ref); ok {
				dv.counts(r.V)
			}
			dv.combineInto(set, t.elem(i, inner), t.comb, inner)
		}
		dv.emit(&kir.Set{V: whole, X: add(&kir.Ref{V: whole}, times(t.flight))})
	})
	dv.emit(loop)
	dv.loop1("i", &kir.Ref{V: whole}, sh.hi, step, t.what, t.pos, func(i kir.Expr) {
		inner := e.child()
		dv.combineInto(accs, t.elem(i, inner), t.comb, inner)
	})
	// One after the other: a tree is what compilers begin at to find vectors, and these are of two, not of eight.
	for _, set := range sets[1:] {
		dv.combineInto(accs, refs(set), t.comb, e)
	}
}

func isOne(x kir.Expr) bool {
	c, ok := x.(*kir.Const)
	return ok && c.C.Int() == 1
}

// localArrays makes arrays of the group's local memory with an element for each work-item.
func (dv *device) localArrays(t stream) []*kir.Array {
	bs := make([]*kir.Array, len(t.kinds))
	for i, k := range t.kinds {
		bs[i] = &kir.Array{Name: dv.name(t.names[i] + "Team"), Kind: k, Space: kir.Local, Size: 1}
	}
	return bs
}

func (dv *device) storeAll(bs []*kir.Array, at kir.Expr, vs []*kir.Var) {
	for i, b := range bs {
		dv.emit(&kir.Store{A: b, I: at, X: &kir.Ref{V: vs[i]}})
	}
}

func (dv *device) loadAll(bs []*kir.Array, at kir.Expr) []value {
	vs := make([]value, len(bs))
	for i, b := range bs {
		vs[i] = scalar(&kir.Load{A: b, I: at, T: kir.ScalarType(b.Kind)})
	}
	return vs
}

func refs(vs []*kir.Var) []value {
	out := make([]value, len(vs))
	for i, v := range vs {
		out[i] = scalar(&kir.Ref{V: v})
	}
	return out
}

// together combines the values of a team's work-items, of which the first valid ones count, in a fixed order, by an
// algorithm: tree, raking, which keeps the order of the work-items, or shuffle. All of them get the result.
func (dv *device) reduceTeam(t stream, accs []*kir.Var, valid kir.Expr, algorithm param.BlockReduce, depth int, e *env) []value {
	if algorithm == param.ShuffleReduce {
		return dv.reduceInRuns(t, accs, depth, e)
	}
	w, item := dv.members(), place(kir.ItemOf)
	bs := dv.localArrays(t)
	dv.storeAll(bs, item, accs)
	if t.comb.fns != nil { // the others hold neutral elements
		valid = w.items
	} else {
		valid = dv.letExpr("valid", valid)
	}
	dv.emit(&kir.Barrier{})
	if algorithm == param.RakingReduce {
		node := &kir.If{Cond: compare(ir.Eq, w.item, intConst(0))}
		dv.step(&node.Then, func() {
			dv.loop1("k", intConst(1), valid, intConst(1), "", ir.Pos{}, func(k kir.Expr) { dv.combineInto(accs, dv.loadAll(bs, add(item, k)), t.comb, e) })
			dv.storeAll(bs, item, accs)
		})
		dv.emit(node)
		dv.emit(&kir.Barrier{})
	} else {
		// The work-items that still hold something are the first ones: the second half of them, without the one in
		// the middle, is combined into the first.
		left := dv.fresh("left", kir.Int)
		dv.emit(&kir.Let{V: left, X: w.items})
		loop := &kir.While{Test: compare(ir.Gt, &kir.Ref{V: left}, intConst(1))}
		dv.inside(&loop.Body, func() {
			middle := dv.letExpr("middle", &kir.Bin{Fn: ir.Div, X: add(&kir.Ref{V: left}, intConst(1)), Y: intConst(2), T: kir.Int})
			cond := compare(ir.Lt, add(w.item, middle), &kir.Ref{V: left})
			if t.comb.fns == nil {
				cond = and(cond, compare(ir.Lt, add(w.item, middle), valid))
			}
			node := &kir.If{Cond: cond}
			dv.step(&node.Then, func() {
				dv.combineInto(accs, dv.loadAll(bs, add(item, middle)), t.comb, e)
				dv.storeAll(bs, item, accs)
			})
			dv.emit(node)
			dv.emit(&kir.Barrier{})
			dv.emit(&kir.Set{V: left, X: middle})
		})
		dv.emit(loop)
	}
	total := dv.named(dv.loadAll(bs, dv.firstItem()), repeat("total", len(bs)))
	dv.emit(&kir.Barrier{}) // before the next one writes
	return total
}

func and(x, y kir.Expr) kir.Expr { return &kir.Bin{Fn: ir.And, X: x, Y: y, T: kir.ScalarType(ir.Bool)} }

// firstItem is the number in the group of the team's first work-item.
func (dv *device) firstItem() kir.Expr {
	if dv.team == kir.Warp {
		return sub(place(kir.ItemOf), place(kir.LaneOf))
	}
	return intConst(0)
}

// shared is how many of n elements the team has: none, if it is a logical warp without an element.
func (dv *device) shared(n kir.Expr) kir.Expr {
	if dv.member != nil {
		return dv.letExpr("n", &kir.Select{C: dv.member, X: n, Y: intConst(0)})
	}
	return n
}

// seeded binds the results of a Reduce to init ⊕ total, or to init where there are no elements.
func (dv *device) seeded(dst []*ir.Var, init, total []value, n kir.Expr, c combiner, e *env) {
	accs := dv.accumulators(names(dst), init)
	if c.fns != nil {
		dv.combineInto(accs, total, c, e)
	} else {
		node := &kir.If{Cond: compare(ir.Gt, n, intConst(0))}
		dv.inside(&node.Then, func() { dv.combineInto(accs, total, c, e) })
		dv.emit(node)
	}
	for i, d := range dst {
		e.m[d] = scalar(&kir.Ref{V: accs[i]})
	}
}

// deviceReduce lowers a Reduce that a team works on together. The whole grid takes two kernels: each group leaves a
// partial result, and one group combines them.
func (dv *device) deviceReduce(s *ir.Stmt, op *ir.Reduce, e *env, depth int, lv level) {
	t := dv.streamOf("reduce", s, op.Body, op.I, op.Comb, depth)
	t.flight = lv.flight
	if lv.flight > 1 {
		dv.canFly(depth, op.Body, op.I, lv.flight)
		if t.comb.fns == nil {
			veto("level %d cannot keep several accumulators: its combining function has no neutral element that is known", depth+1)
		}
	}
	init := dv.atoms(op.Init, e)
	n := dv.atom(op.N, e).x
	if dv.team != kir.Grid {
		dv.checkTeam(depth, lv)
		sh := dv.members().share(dv, intConst(0), dv.shared(n))
		accs := dv.partials(t, sh, e)
		dv.seeded(s.Dst, init, dv.reduceTeam(t, accs, sh.valid, lv.reduce, depth, e), n, t.comb, e)
		return
	}
	if depth > 0 {
		veto("level %d combines over the grid, whose workgroups cannot wait for each other: each element of level 1 would need a launch of its own", depth+1)
	}
	k := dv.launch(kir.Item, kir.Group, n, "reduce", s.Pos)
	k.MaxGroups, k.Always = maxTeams, true
	sh := members{place(kir.GlobalOf), place(kir.Globals)}.share(dv, intConst(0), n)
	accs := dv.partials(t, sh, e)
	total := dv.reduceTeam(t, accs, routine(kir.TeamCount, sh.valid, place(kir.GroupOf), place(kir.Items)), lv.reduce, depth, e)
	parts := dv.leaveParts(t, total)
	dv.endLaunch(dv.label)

	dv.launch(kir.OneGroup, kir.Group, nil, "combine what the groups left", s.Pos).Always = true
	valid := routine(kir.ShareCount, intConst(0), n, mul(&kir.GroupsOf{}, place(kir.Items)))
	groups := dv.letExpr("groups", routine(kir.TeamsOf, valid, place(kir.Items)))
	of := dv.partsOf(t, parts)
	sh = dv.members().share(dv, intConst(0), groups)
	total = dv.reduceTeam(of, dv.partials(of, sh, e), sh.valid, lv.reduce, depth, e)
	dv.seeded(s.Dst, init, total, n, t.comb, e)
}

// leaveParts stores the group's values for a later launch.
func (dv *device) leaveParts(t stream, total []value) []*kir.Array {
	parts := make([]*kir.Array, len(t.kinds))
	for i, k := range t.kinds {
		parts[i] = dv.temp(t.names[i]+"Parts", k, intConst(1), kir.Group)
	}
	dv.ifLeader(func() {
		for i, a := range parts {
			dv.emit(&kir.Store{A: a, I: place(kir.GroupOf), X: total[i].x})
		}
	})
	return parts
}

// partsOf is the stream of what groups left.
func (dv *device) partsOf(t stream, parts []*kir.Array) stream {
	t.what, t.pos, t.flight = "what the groups left", ir.Pos{}, 1
	t.elem = func(i kir.Expr, _ *env) []value { return dv.loadAll(parts, i) }
	return t
}

// From more than fewInFlight elements in flight on, their bodies are repeated only if they are no longer than maxFlown
// statements: a sum of products with an index has that many.
const (
	fewInFlight = 8
	maxFlown    = 4
)

// canFly vetoes several elements in flight where they gain nothing.
func (dv *device) canFly(depth int, body *ir.Block, i *ir.Var, flight int) {
	holds, uses, size := false, false, 0
	ir.Walk(body, func(s *ir.Stmt) {
		size++
		holds = holds || ir.OperatorIndex(s.Op) != nil
		for _, a := range ir.Operands(s.Op) {
			uses = uses || *a == ir.Atom(i)
		}
	})
	for _, a := range body.Results {
		uses = uses || a == ir.Atom(i)
	}
	if holds {
		veto("level %d holds another level: several elements in flight would repeat that level's loop", depth+1)
	}
	if !uses {
		veto("level %d has elements that are all the same", depth+1)
	}
	if flight > fewInFlight && (size > maxFlown || len(body.Results) > 1) {
		veto("level %d computes too much for each element: %d in flight would repeat that, and their values would not fit into registers", depth+1, flight)
	}
}

func repeat(s string, n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = s
	}
	return out
}
