package lower

import (
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/selector/param"
)

// maxSortGroups bounds the workgroups that sort: one group scans how many keys of each digit all of them have.
const maxSortGroups = 512

// sorting is a radix sort of keys of one unsigned kind, in the order of the numbers. Round after round they go from
// one half of a buffer to the other with their positions, by a digit a round. How many rounds there are to do is
// known on the device alone, which finds how far the keys are apart.
type sorting struct {
	n           kir.Expr // keys
	kind        ir.Kind  // of the keys in the buffer
	rounds      int      // that any keys of the kind need
	dst         *array
	keys, order *array
	counts      *array     // keys of each digit in each group, digit by digit
	counter     *kir.Array // keys of each digit in the part of each work-item
	teams       members    // the groups that sort together

	// of the keys, and of the round:
	low, todo, digit kir.Expr // the least key, how many rounds there are to do, and the bits of a digit
	round, shift     kir.Expr
	digits           kir.Expr // how many different ones there are; 0 if the rounds are over
	left             kir.Expr // keys that a round sorts: n, or 0 if the rounds are over
}

// deviceSort lowers a Sort to a stable radix sort, by the grid or by one workgroup, which does the same between
// barriers that the grid does in kernels. The first kernel makes the keys and finds the least and the largest one of
// each group, the second those of all; then each round counts the digits of each group's keys, scans the counts, and
// puts the keys and their positions where they belong. The last round puts positions alone, which are the result.
func (dv *device) deviceSort(s *ir.Stmt, op *ir.Sort, e *env, depth int, lv level) {
	bytes := op.Body.Results[0].Type().Kind.Bytes()
	so := &sorting{n: dv.atom(op.N, e).x, kind: ir.Uint32, rounds: (8*bytes + lv.radix - 1) / lv.radix}
	if bytes == 8 {
		so.kind = ir.Uint64
	}
	so.dst = dv.destination(s.Dst[0], so.n, e)
	if dv.team != kir.Grid {
		dv.checkTeam(depth, lv)
		if dv.team != kir.Group {
			veto("level %d sorts, and the logical warps of a workgroup would wait for each other's rounds", depth+1)
		}
		dv.teamSort(so, s, op, e, depth, lv)
		dv.written(s)
		return
	}
	if depth > 0 {
		veto("level %d sorts over the grid, whose workgroups cannot wait for each other: each element of level 1 would need launches of its own", depth+1)
	}
	host := dv.hostExpr(so.n)
	if host == nil {
		veto("level %d: how many keys there are to sort is not known before the launch", depth+1)
	}
	so.teams = members{place(kir.GroupOf), place(kir.Groups)}
	dv.gridKeys(so, s, op, depth, host, lv, e)
	p := dv.program
	p.Round, p.Rounds = len(p.Launches), so.rounds
	grain := 1 << lv.radix // fewer keys are less work than what counts them
	some := &kir.Bin{Fn: ir.Div, X: add(host, intConst(grain-1)), Y: intConst(grain), T: kir.Int}
	start := func(what string) {
		k := dv.launch(kir.Item, kir.Group, so.n, what, s.Pos)
		k.Count, k.MaxGroups = some, maxSortGroups
		if so.counts == nil {
			so.counts = &array{a: dv.temp("counts", ir.Int, intConst(grain), kir.Group)}
		}
		so.counter = dv.counter(lv)
		dv.gridRound(so)
	}
	start("count the digits of each group")
	from := dv.half(so, 0)
	part := so.teams.run(dv, intConst(0), so.left)
	dv.countParts(so, dv.members().share(dv, part.lo, part.hi), from)
	dv.eachDigit(so, nil)
	dv.launch(kir.OneGroup, kir.Group, so.n, "scan what the groups counted", s.Pos)
	dv.gridRound(so)
	dv.scanDigits(so, mul(so.digits, &kir.GroupsOf{Step: p.Round}), depth, e)
	start("put the keys where they belong")
	from = dv.half(so, 0)
	part = so.teams.run(dv, intConst(0), so.left)
	mine := dv.members().run(dv, part.lo, part.hi)
	dv.countParts(so, mine, from)
	dv.eachDigit(so, dv.inFront(so))
	dv.emit(&kir.Barrier{})
	dv.moveKeys(so, mine, from)
}

// teamSort sorts by one workgroup.
func (dv *device) teamSort(so *sorting, s *ir.Stmt, op *ir.Sort, e *env, depth int, lv level) {
	scratch := func(name string, k ir.Kind, n kir.Expr, times int) *array {
		return dv.scratchOf(&ir.Var{Name: name, T: ir.Type{Kind: k, Rank: 1}}, n, times, e)
	}
	so.keys = scratch("keys", so.kind, so.n, min(so.rounds, 2))
	if so.rounds > 1 {
		so.order = scratch("order", ir.Int, so.n, 2)
	}
	so.counts, so.counter = scratch("counts", ir.Int, intConst(1<<lv.radix), 1), dv.counter(lv)
	t := dv.sortKeys(so, s, op, depth)
	sh := dv.members().share(dv, intConst(0), so.n)
	total := dv.reduceTeam(t, dv.partials(t, sh, e), sh.valid, param.TreeReduce, depth, e)
	dv.emit(&kir.Barrier{Global: true})
	so.teams = members{intConst(0), intConst(1)}
	dv.roundsFor(so, total, lv)
	so.left = so.n
	so.digits = dv.letExpr("digits", &kir.Bin{Fn: ir.Shl, X: intConst(1), Y: so.digit, T: kir.Int})
	mine := dv.members().run(dv, intConst(0), so.n)
	dv.loop1("round", intConst(0), so.todo, intConst(1), "rounds of the sort", s.Pos, func(round kir.Expr) {
		so.round = round
		so.shift = dv.letExpr("shift", mul(round, so.digit))
		from := dv.half(so, 0)
		dv.countParts(so, mine, from)
		dv.eachDigit(so, dv.inFront(so))
		dv.emit(&kir.Barrier{Global: true})
		dv.scanDigits(so, so.digits, depth, e)
		dv.emit(&kir.Barrier{Global: true})
		dv.moveKeys(so, mine, from)
		dv.emit(&kir.Barrier{Global: true}) // before the next round reads the keys and counts them
	})
}

// counter is an array with a counter for each digit and work-item.
func (dv *device) counter(lv level) *kir.Array {
	return &kir.Array{Name: dv.name("counter"), Kind: ir.Uint32, Space: kir.Local, Size: 1 << lv.radix}
}

// gridKeys emits the kernels that make the keys, and find how far they are apart.
func (dv *device) gridKeys(so *sorting, s *ir.Stmt, op *ir.Sort, depth int, host kir.Expr, lv level, e *env) {
	dv.launch(kir.Item, kir.Group, so.n, "keys to sort by", s.Pos).MaxGroups = maxTeams
	temp := func(name string, k ir.Kind, n kir.Expr) *array {
		a := dv.temp(name, k, n, kir.OneGroup)
		dv.program.Temps[len(dv.program.Temps)-1].Step = 1 // one group: none of them grows with the groups of the first
		return &array{a: a}
	}
	half := multiple(host, min(so.rounds, 2))
	so.keys = temp("keys", so.kind, half)
	if so.rounds > 1 {
		so.order = temp("order", ir.Int, half)
	}
	first := func(name string, k ir.Kind) kir.Expr {
		return &kir.Load{A: temp(name, k, intConst(1)).a, I: intConst(0), T: kir.ScalarType(k)}
	}
	low, todo, digit := first("low", so.kind), first("todo", ir.Int), first("digit", ir.Int)
	t := dv.sortKeys(so, s, op, depth)
	sh := members{place(kir.GlobalOf), place(kir.Globals)}.share(dv, intConst(0), so.n)
	total := dv.reduceTeam(t, dv.partials(t, sh, e), sh.valid, param.TreeReduce, depth, e)
	parts := dv.leaveParts(t, total)
	dv.endLaunch(dv.label)

	dv.launch(kir.OneGroup, kir.Group, so.n, "how far the keys are apart", s.Pos)
	valid := routine(kir.ShareCount, intConst(0), so.n, mul(&kir.GroupsOf{}, place(kir.Items)))
	of := dv.partsOf(t, parts)
	sh = dv.members().share(dv, intConst(0), dv.letExpr("groups", routine(kir.TeamsOf, valid, place(kir.Items))))
	total = dv.reduceTeam(of, dv.partials(of, sh, e), sh.valid, param.TreeReduce, depth, e)
	dv.ifLeader(func() {
		dv.roundsFor(so, total, lv)
		for _, x := range []struct{ to, x kir.Expr }{{low, so.low}, {todo, so.todo}, {digit, so.digit}} {
			dv.emit(&kir.Store{A: x.to.(*kir.Load).A, I: intConst(0), X: x.x})
		}
	})
	dv.endLaunch(dv.label)
	so.low, so.todo, so.digit = low, todo, digit
}

// sortKeys is the stream of the keys, each of which is stored, that finds the least one and the largest one.
func (dv *device) sortKeys(so *sorting, s *ir.Stmt, op *ir.Sort, depth int) stream {
	t := stream{names: []string{"low", "high"}, kinds: []ir.Kind{so.kind, so.kind}, comb: combiner{fns: []ir.BinaryFn{ir.Min, ir.Max}},
		what: "keys to sort by", pos: s.Pos, flight: 1}
	t.elem = func(i kir.Expr, e *env) []value {
		e.m[op.I] = scalar(i)
		key := dv.letExpr("key", so.inOrder(dv.block(op.Body, e, depth+1)[0].x))
		dv.emit(&kir.Store{A: so.keys.a, I: dv.at(so.keys, i), X: key})
		return []value{scalar(key), scalar(key)}
	}
	return t
}

// roundsFor computes from the least key and the largest one how many rounds sort them, by digits of as many bits.
func (dv *device) roundsFor(so *sorting, total []value, lv level) {
	one := &kir.Const{C: ir.IntConst(so.kind, 1)}
	span, width := dv.fresh("span", kir.ScalarType(so.kind)), dv.fresh("width", kir.Int)
	dv.emit(&kir.Let{V: span, X: &kir.Bin{Fn: ir.Sub, X: total[1].x, Y: total[0].x, T: span.T}})
	dv.emit(&kir.Let{V: width, X: intConst(1)})
	loop := &kir.While{Test: compare(ir.Gt, &kir.Ref{V: span}, one)}
	dv.inside(&loop.Body, func() {
		dv.emit(&kir.Set{V: span, X: &kir.Bin{Fn: ir.Shr, X: &kir.Ref{V: span}, Y: one, T: span.T}})
		dv.emit(&kir.Set{V: width, X: add(&kir.Ref{V: width}, intConst(1))})
	})
	dv.emit(loop)
	ceil := func(x, y kir.Expr) kir.Expr {
		return &kir.Bin{Fn: ir.Div, X: sub(add(x, y), intConst(1)), Y: y, T: kir.Int}
	}
	so.low = total[0].x
	so.todo = dv.letExpr("todo", ceil(&kir.Ref{V: width}, intConst(lv.radix)))
	so.digit = dv.letExpr("digit", ceil(&kir.Ref{V: width}, so.todo))
}

// inOrder returns an unsigned integer in the order of the key x.
func (so *sorting) inOrder(x kir.Expr) kir.Expr {
	t := kir.ScalarType(so.kind)
	switch k := x.Type().Kind; {
	case k == ir.Float32:
		return &kir.Routine{Name: kir.OrderF32, T: t, Args: []kir.Arg{{X: x}}}
	case k == ir.Float64:
		return &kir.Routine{Name: kir.OrderF64, T: t, Args: []kir.Arg{{X: x}}}
	case k.IsUnsigned():
		return &kir.Convert{X: x, T: t}
	}
	sign := ir.IntConst(so.kind, 1<<31)
	if so.kind == ir.Uint64 {
		sign = ir.IntConst(so.kind, -1<<63)
	}
	return &kir.Bin{Fn: ir.Xor, X: &kir.Convert{X: x, T: t}, Y: &kir.Const{C: sign}, T: t}
}

// gridRound emits what a kernel of a round begins with. Where the rounds are over there are no keys and no digits, so
// that all work-items come to all barriers and do nothing.
func (dv *device) gridRound(so *sorting) {
	so.round = &kir.RoundOf{}
	some := dv.letExpr("some", compare(ir.Lt, so.round, so.todo))
	digit := dv.letExpr("bits", so.digit)
	so.left = dv.letExpr("left", &kir.Select{C: some, X: so.n, Y: intConst(0)})
	so.digits = dv.letExpr("digits", &kir.Select{C: some, X: &kir.Bin{Fn: ir.Shl, X: intConst(1), Y: digit, T: kir.Int}, Y: intConst(0)})
	so.shift = dv.letExpr("shift", mul(so.round, digit))
}

// half is where the half of the keys begins that the round reads, or, of written = 1, the one that it writes.
func (dv *device) half(so *sorting, written int) kir.Expr {
	if so.rounds == 1 {
		return intConst(0)
	}
	odd := &kir.Bin{Fn: ir.And, X: add(so.round, intConst(written)), Y: intConst(1), T: kir.Int}
	return dv.letExpr([]string{"from", "to"}[written], mul(odd, so.n))
}

// key reads the key at i.
func (dv *device) key(so *sorting, i kir.Expr) kir.Expr {
	return &kir.Load{A: so.keys.a, I: dv.at(so.keys, i), T: kir.ScalarType(so.kind)}
}

// digitOf is the key's digit of the round.
func (so *sorting) digitOf(key, low kir.Expr) kir.Expr {
	t := kir.ScalarType(so.kind)
	up := &kir.Bin{Fn: ir.Shr, X: &kir.Bin{Fn: ir.Sub, X: key, Y: low, T: t}, Y: so.shift, T: t}
	mask := &kir.Convert{X: sub(so.digits, intConst(1)), T: t}
	return &kir.Convert{X: &kir.Bin{Fn: ir.And, X: up, Y: mask, T: t}, T: kir.Int}
}

// own is where the counters of the work-item begin.
func (so *sorting) own() kir.Expr { return mul(place(kir.ItemOf), so.digits) }

// countParts counts the digits of each work-item's part of the keys.
func (dv *device) countParts(so *sorting, sh share, from kir.Expr) {
	low, own := dv.letExpr("low", so.low), dv.letExpr("own", so.own())
	dv.each("d", so.digits, func(d kir.Expr) {
		dv.emit(&kir.Store{A: so.counter, I: add(own, d), X: zeroOf(kir.ScalarType(ir.Uint32))})
	})
	dv.loop1("i", sh.lo, sh.hi, sh.step, "", ir.Pos{}, func(i kir.Expr) {
		dv.countOne(so, dv.letExpr("at", add(own, so.digitOf(dv.key(so, add(from, i)), low))), nil)
	})
	dv.emit(&kir.Barrier{})
}

// countOne adds one to a counter, which holds before; nil if that was not read.
func (dv *device) countOne(so *sorting, at, before kir.Expr) {
	if before == nil {
		before = so.tally(at)
	}
	t := kir.ScalarType(ir.Uint32)
	dv.emit(&kir.Store{A: so.counter, I: at, X: &kir.Bin{Fn: ir.Add, X: before, Y: &kir.Const{C: ir.IntConst(t.Kind, 1)}, T: t}})
}

// tally is what a counter holds.
func (so *sorting) tally(at kir.Expr) kir.Expr {
	return &kir.Load{A: so.counter, I: at, T: kir.ScalarType(ir.Uint32)}
}

// countAt is where the count of the group's keys of a digit stands.
func (dv *device) countAt(so *sorting, d kir.Expr) kir.Expr {
	if isOne(so.teams.items) {
		return dv.at(so.counts, d)
	}
	return add(mul(d, so.teams.items), so.teams.item)
}

// eachDigit emits a loop over the digits, of which each work-item has some, that adds up what the group's work-items
// counted. With replace, which gets what was counted before, the sums are not stored again where a kernel has stored
// them.
func (dv *device) eachDigit(so *sorting, replace func(at kir.Expr, before *kir.Var)) {
	dv.loop1("d", place(kir.ItemOf), so.digits, place(kir.Items), "", ir.Pos{}, func(d kir.Expr) {
		total := dv.fresh("total", kir.ScalarType(ir.Uint32))
		dv.emit(&kir.Let{V: total, X: zeroOf(total.T)})
		dv.loop1("k", intConst(0), place(kir.Items), intConst(1), "", ir.Pos{}, func(k kir.Expr) {
			at := dv.letExpr("at", add(mul(k, so.digits), d))
			here := dv.letExpr("here", so.tally(at))
			if replace != nil {
				replace(at, total)
			}
			dv.emit(&kir.Set{V: total, X: &kir.Bin{Fn: ir.Add, X: &kir.Ref{V: total}, Y: here, T: total.T}})
		})
		if replace == nil || isOne(so.teams.items) {
			dv.emit(&kir.Store{A: so.counts.a, I: dv.countAt(so, d), X: &kir.Convert{X: &kir.Ref{V: total}, T: kir.Int}})
		}
	})
}

// inFront makes each counter the number of keys of its digit that the work-items in front have.
func (dv *device) inFront(so *sorting) func(at kir.Expr, before *kir.Var) {
	return func(at kir.Expr, before *kir.Var) { dv.emit(&kir.Store{A: so.counter, I: at, X: &kir.Ref{V: before}}) }
}

// scanDigits scans so many counts: they become where each group puts its keys of each digit.
func (dv *device) scanDigits(so *sorting, count kir.Expr, depth int, e *env) {
	sc := scanning{stream: stream{names: []string{"count"}, kinds: []ir.Kind{ir.Int}, comb: combiner{fns: []ir.BinaryFn{ir.Add}},
		what: "what was counted", flight: 1}}
	counts := []*kir.Array{so.counts.a}
	sc.elem = func(i kir.Expr, _ *env) []value { return dv.loadAll(counts, dv.at(so.counts, i)) }
	sc.store = func(i kir.Expr, accs []*kir.Var) { dv.storeAll(counts, dv.at(so.counts, i), accs) }
	dv.teamScan(sc, intConst(0), dv.letExpr("count", count), []value{scalar(intConst(0))}, level{scan: param.Raking}, depth, e)
}

// moveKeys puts the keys and positions of each work-item's part where they belong.
func (dv *device) moveKeys(so *sorting, mine share, from kir.Expr) {
	low, own := dv.letExpr("low", so.low), dv.letExpr("own", so.own())
	last := dv.letExpr("last", compare(ir.Eq, add(so.round, intConst(1)), so.todo))
	to := dv.half(so, 1)
	dv.loop1("i", mine.lo, mine.hi, intConst(1), "", ir.Pos{}, func(i kir.Expr) {
		key := dv.letExpr("key", dv.key(so, add(from, i)))
		d := dv.letExpr("d", so.digitOf(key, low))
		at := dv.letExpr("at", add(own, d))
		before := dv.letExpr("before", so.tally(at))
		dv.countOne(so, at, before)
		first := &kir.Load{A: so.counts.a, I: dv.countAt(so, d), T: kir.Int}
		j := dv.letExpr("j", add(first, &kir.Convert{X: before, T: kir.Int}))
		if so.rounds == 1 {
			dv.emit(&kir.Store{A: so.dst.a, I: dv.at(so.dst, j), X: i})
			return
		}
		position := dv.letExpr("position", &kir.Select{C: compare(ir.Eq, so.round, intConst(0)), X: i,
			Y: &kir.Load{A: so.order.a, I: dv.at(so.order, add(from, i)), T: kir.Int}})
		node := &kir.If{Cond: last}
		dv.inside(&node.Then, func() { dv.emit(&kir.Store{A: so.dst.a, I: dv.at(so.dst, j), X: position}) })
		dv.inside(&node.Else, func() {
			dv.emit(&kir.Store{A: so.keys.a, I: dv.at(so.keys, add(to, j)), X: key})
			dv.emit(&kir.Store{A: so.order.a, I: dv.at(so.order, add(to, j)), X: position})
		})
		dv.emit(node)
	})
}
