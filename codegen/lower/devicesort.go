package lower

import (
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// maxSortGroups bounds the workgroups that sort: one group scans how many keys of each digit all of them have.
const maxSortGroups = 512

// sorting is a radix sort of keys of one unsigned kind, in the order of the numbers. Round after round they go from one half of
// a buffer to the other with their positions, by a digit a round. How many rounds there are to do is known on the device
// alone, which finds how far the keys are apart.
type sorting struct {
	n           kir.Expr // keys
	kind        ir.Kind  // of the keys in the buffer
	rounds      int      // that any keys of the kind need
	dst         *array
	keys, order *array
	counts      *array     // keys of each digit in each group, digit by digit
	counter     *kir.Array // keys of each digit in the part of each work-item
	teams       crew       // the groups that sort together

	// of the keys, and of the round:
	low, todo, digit kir.Expr // the least key, how many rounds there are to do, and the bits of a digit
	round, shift     kir.Expr
	digits           kir.Expr // how many different ones there are; 0 if the rounds are over
	left             kir.Expr // keys that a round sorts: n, or 0 if the rounds are over
}

// deviceSort lowers a Sort to a stable radix sort, by the grid or by one workgroup, which does the same between barriers that
// the grid does in kernels. The first kernel makes the keys and finds the least and the largest one of each group, the second
// those of all; then each round counts the digits of each group's keys, scans the counts, and puts the keys and their
// positions where they belong. The last round puts positions alone, which are the result.
func (l *lowerer) deviceSort(s *ir.Stmt, op *ir.Sort, e *env, depth int, lv level) {
	bytes := op.Body.Results[0].Type().Kind.Bytes()
	so := &sorting{n: l.atom(op.N, e).x, kind: ir.Uint32, rounds: (8*bytes + lv.radix - 1) / lv.radix}
	if bytes == 8 {
		so.kind = ir.Uint64
	}
	so.dst = l.destination(s.Dst[0], so.n, e)
	if l.dev.team != kir.Grid {
		l.checkTeam(depth, lv)
		if l.dev.team != kir.Group {
			veto("level %d sorts, and the logical warps of a workgroup would wait for each other's rounds", depth+1)
		}
		l.teamSort(so, s, op, e, depth, lv)
		l.written(s)
		return
	}
	if depth > 0 {
		veto("level %d sorts over the grid, whose workgroups cannot wait for each other: each element of level 1 would need launches of its own", depth+1)
	}
	host := l.hostExpr(so.n)
	if host == nil {
		veto("level %d: how many keys there are to sort is not known before the launch", depth+1)
	}
	so.teams = crew{place(kir.GroupOf), place(kir.Groups)}
	l.gridKeys(so, s, op, depth, host, lv, e)
	p := l.dev.program
	p.Round, p.Rounds = len(p.Launches), so.rounds
	grain := 1 << lv.radix // fewer keys are less work than what counts them
	some := &kir.Bin{Fn: ir.Div, X: add(host, intConst(grain-1)), Y: intConst(grain), T: kir.Int}
	start := func(what string) {
		k := l.launch(kir.Item, kir.Group, so.n, what, s.Pos)
		k.Count, k.MaxGroups = some, maxSortGroups
		if so.counts == nil {
			so.counts = &array{a: l.temp("counts", ir.Int, intConst(grain), kir.Group)}
		}
		so.counter = l.counter(lv)
		l.gridRound(so)
	}
	start("count the digits of each group")
	from := l.half(so, 0)
	part := so.teams.run(l, intConst(0), so.left)
	l.countParts(so, l.crew().share(l, part.lo, part.hi), from)
	l.eachDigit(so, nil)
	l.launch(kir.OneGroup, kir.Group, so.n, "scan what the groups counted", s.Pos)
	l.gridRound(so)
	l.scanDigits(so, mul(so.digits, &kir.GroupsOf{Step: p.Round}), depth, e)
	start("put the keys where they belong")
	from = l.half(so, 0)
	part = so.teams.run(l, intConst(0), so.left)
	mine := l.crew().run(l, part.lo, part.hi)
	l.countParts(so, mine, from)
	l.eachDigit(so, l.inFront(so))
	l.emit(&kir.Barrier{})
	l.moveKeys(so, mine, from)
}

// teamSort sorts by one workgroup.
func (l *lowerer) teamSort(so *sorting, s *ir.Stmt, op *ir.Sort, e *env, depth int, lv level) {
	scratch := func(name string, k ir.Kind, n kir.Expr, times int) *array {
		return l.deviceScratch(&ir.Var{Name: name, T: ir.Type{Kind: k, Rank: 1}}, n, times, e)
	}
	so.keys = scratch("keys", so.kind, so.n, min(so.rounds, 2))
	if so.rounds > 1 {
		so.order = scratch("order", ir.Int, so.n, 2)
	}
	so.counts, so.counter = scratch("counts", ir.Int, intConst(1<<lv.radix), 1), l.counter(lv)
	t := l.sortKeys(so, s, op, depth)
	sh := l.crew().share(l, intConst(0), so.n)
	total := l.together(t, l.partials(t, sh, e), sh.valid, "tree", depth, e)
	l.emit(&kir.Barrier{Global: true})
	so.teams = crew{intConst(0), intConst(1)}
	l.apartBy(so, total, lv)
	so.left = so.n
	so.digits = l.letExpr("digits", &kir.Bin{Fn: ir.Shl, X: intConst(1), Y: so.digit, T: kir.Int})
	mine := l.crew().run(l, intConst(0), so.n)
	l.loop1("round", intConst(0), so.todo, intConst(1), "rounds of the sort", s.Pos, func(round kir.Expr) {
		so.round = round
		so.shift = l.letExpr("shift", mul(round, so.digit))
		from := l.half(so, 0)
		l.countParts(so, mine, from)
		l.eachDigit(so, l.inFront(so))
		l.emit(&kir.Barrier{Global: true})
		l.scanDigits(so, so.digits, depth, e)
		l.emit(&kir.Barrier{Global: true})
		l.moveKeys(so, mine, from)
		l.emit(&kir.Barrier{Global: true}) // before the next round reads the keys and counts them
	})
}

// counter is an array with a counter for each digit and work-item.
func (l *lowerer) counter(lv level) *kir.Array {
	return &kir.Array{Name: l.name("counter"), Kind: ir.Uint32, Space: kir.Local, Size: 1 << lv.radix}
}

// gridKeys emits the kernels that make the keys, and find how far they are apart.
func (l *lowerer) gridKeys(so *sorting, s *ir.Stmt, op *ir.Sort, depth int, host kir.Expr, lv level, e *env) {
	l.launch(kir.Item, kir.Group, so.n, "keys to sort by", s.Pos).MaxGroups = maxTeams
	temp := func(name string, k ir.Kind, n kir.Expr) *array {
		a := l.temp(name, k, n, kir.OneGroup)
		l.dev.program.Temps[len(l.dev.program.Temps)-1].Step = 1 // one group: none of them grows with the groups of the first
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
	t := l.sortKeys(so, s, op, depth)
	sh := crew{place(kir.GlobalOf), place(kir.Globals)}.share(l, intConst(0), so.n)
	total := l.together(t, l.partials(t, sh, e), sh.valid, "tree", depth, e)
	parts := l.leaveParts(t, total)
	l.endLaunch(l.dev.label)

	l.launch(kir.OneGroup, kir.Group, so.n, "how far the keys are apart", s.Pos)
	valid := routine(kir.ShareCount, intConst(0), so.n, mul(&kir.GroupsOf{}, place(kir.Items)))
	of := l.partsOf(t, parts)
	sh = l.crew().share(l, intConst(0), l.letExpr("groups", routine(kir.TeamsOf, valid, place(kir.Items))))
	total = l.together(of, l.partials(of, sh, e), sh.valid, "tree", depth, e)
	l.ifLeader(func() {
		l.apartBy(so, total, lv)
		for _, x := range []struct{ to, x kir.Expr }{{low, so.low}, {todo, so.todo}, {digit, so.digit}} {
			l.emit(&kir.Store{A: x.to.(*kir.Load).A, I: intConst(0), X: x.x})
		}
	})
	l.endLaunch(l.dev.label)
	so.low, so.todo, so.digit = low, todo, digit
}

// sortKeys is the stream of the keys, each of which is stored, that finds the least one and the largest one.
func (l *lowerer) sortKeys(so *sorting, s *ir.Stmt, op *ir.Sort, depth int) stream {
	t := stream{names: []string{"low", "high"}, kinds: []ir.Kind{so.kind, so.kind}, comb: combiner{fns: []ir.BinaryFn{ir.Min, ir.Max}},
		what: "keys to sort by", pos: s.Pos, flight: 1}
	t.elem = func(i kir.Expr, e *env) []value {
		e.m[op.I] = scalar(i)
		key := l.letExpr("key", so.inOrder(l.block(op.Body, e, depth+1)[0].x))
		l.emit(&kir.Store{A: so.keys.a, I: l.at(so.keys, i), X: key})
		return []value{scalar(key), scalar(key)}
	}
	return t
}

// apartBy computes from the least key and the largest one how many rounds sort them, by digits of as many bits.
func (l *lowerer) apartBy(so *sorting, total []value, lv level) {
	one := &kir.Const{C: ir.IntConst(so.kind, 1)}
	span, width := l.fresh("span", kir.ScalarType(so.kind)), l.fresh("width", kir.Int)
	l.emit(&kir.Let{V: span, X: &kir.Bin{Fn: ir.Sub, X: total[1].x, Y: total[0].x, T: span.T}})
	l.emit(&kir.Let{V: width, X: intConst(1)})
	loop := &kir.While{Test: compare(ir.Gt, &kir.Ref{V: span}, one)}
	l.inside(&loop.Body, func() {
		l.emit(&kir.Set{V: span, X: &kir.Bin{Fn: ir.Shr, X: &kir.Ref{V: span}, Y: one, T: span.T}})
		l.emit(&kir.Set{V: width, X: add(&kir.Ref{V: width}, intConst(1))})
	})
	l.emit(loop)
	ceil := func(x, y kir.Expr) kir.Expr {
		return &kir.Bin{Fn: ir.Div, X: sub(add(x, y), intConst(1)), Y: y, T: kir.Int}
	}
	so.low = total[0].x
	so.todo = l.letExpr("todo", ceil(&kir.Ref{V: width}, intConst(lv.radix)))
	so.digit = l.letExpr("digit", ceil(&kir.Ref{V: width}, so.todo))
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

// gridRound emits what a kernel of a round begins with. Where the rounds are over there are no keys and no digits, so that all
// work-items come to all barriers and do nothing.
func (l *lowerer) gridRound(so *sorting) {
	so.round = &kir.RoundOf{}
	some := l.letExpr("some", compare(ir.Lt, so.round, so.todo))
	digit := l.letExpr("bits", so.digit)
	so.left = l.letExpr("left", &kir.Select{C: some, X: so.n, Y: intConst(0)})
	so.digits = l.letExpr("digits", &kir.Select{C: some, X: &kir.Bin{Fn: ir.Shl, X: intConst(1), Y: digit, T: kir.Int}, Y: intConst(0)})
	so.shift = l.letExpr("shift", mul(so.round, digit))
}

// half is where the half of the keys begins that the round reads, or, of written = 1, the one that it writes.
func (l *lowerer) half(so *sorting, written int) kir.Expr {
	if so.rounds == 1 {
		return intConst(0)
	}
	odd := &kir.Bin{Fn: ir.And, X: add(so.round, intConst(written)), Y: intConst(1), T: kir.Int}
	return l.letExpr([]string{"from", "to"}[written], mul(odd, so.n))
}

// key reads the key at i.
func (l *lowerer) key(so *sorting, i kir.Expr) kir.Expr {
	return &kir.Load{A: so.keys.a, I: l.at(so.keys, i), T: kir.ScalarType(so.kind)}
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
func (l *lowerer) countParts(so *sorting, sh share, from kir.Expr) {
	low, own := l.letExpr("low", so.low), l.letExpr("own", so.own())
	l.each("d", so.digits, func(d kir.Expr) {
		l.emit(&kir.Store{A: so.counter, I: add(own, d), X: zeroOf(kir.ScalarType(ir.Uint32))})
	})
	l.loop1("i", sh.lo, sh.hi, sh.step, "", ir.Pos{}, func(i kir.Expr) {
		l.countOne(so, l.letExpr("at", add(own, so.digitOf(l.key(so, add(from, i)), low))), nil)
	})
	l.emit(&kir.Barrier{})
}

// countOne adds one to a counter, which holds before; nil if that was not read.
func (l *lowerer) countOne(so *sorting, at, before kir.Expr) {
	if before == nil {
		before = so.tally(at)
	}
	t := kir.ScalarType(ir.Uint32)
	l.emit(&kir.Store{A: so.counter, I: at, X: &kir.Bin{Fn: ir.Add, X: before, Y: &kir.Const{C: ir.IntConst(t.Kind, 1)}, T: t}})
}

// tally is what a counter holds.
func (so *sorting) tally(at kir.Expr) kir.Expr {
	return &kir.Load{A: so.counter, I: at, T: kir.ScalarType(ir.Uint32)}
}

// countAt is where the count of the group's keys of a digit stands.
func (l *lowerer) countAt(so *sorting, d kir.Expr) kir.Expr {
	if isOne(so.teams.items) {
		return l.at(so.counts, d)
	}
	return add(mul(d, so.teams.items), so.teams.item)
}

// eachDigit emits a loop over the digits, of which each work-item has some, that adds up what the group's work-items counted.
// With replace, which gets what was counted before, the sums are not stored again where a kernel has stored them.
func (l *lowerer) eachDigit(so *sorting, replace func(at kir.Expr, before *kir.Var)) {
	l.loop1("d", place(kir.ItemOf), so.digits, place(kir.Items), "", ir.Pos{}, func(d kir.Expr) {
		total := l.fresh("total", kir.ScalarType(ir.Uint32))
		l.emit(&kir.Let{V: total, X: zeroOf(total.T)})
		l.loop1("k", intConst(0), place(kir.Items), intConst(1), "", ir.Pos{}, func(k kir.Expr) {
			at := l.letExpr("at", add(mul(k, so.digits), d))
			here := l.letExpr("here", so.tally(at))
			if replace != nil {
				replace(at, total)
			}
			l.emit(&kir.Set{V: total, X: &kir.Bin{Fn: ir.Add, X: &kir.Ref{V: total}, Y: here, T: total.T}})
		})
		if replace == nil || isOne(so.teams.items) {
			l.emit(&kir.Store{A: so.counts.a, I: l.countAt(so, d), X: &kir.Convert{X: &kir.Ref{V: total}, T: kir.Int}})
		}
	})
}

// inFront makes each counter the number of keys of its digit that the work-items in front have.
func (l *lowerer) inFront(so *sorting) func(at kir.Expr, before *kir.Var) {
	return func(at kir.Expr, before *kir.Var) { l.emit(&kir.Store{A: so.counter, I: at, X: &kir.Ref{V: before}}) }
}

// scanDigits scans so many counts: they become where each group puts its keys of each digit.
func (l *lowerer) scanDigits(so *sorting, count kir.Expr, depth int, e *env) {
	sc := scanning{stream: stream{names: []string{"count"}, kinds: []ir.Kind{ir.Int}, comb: combiner{fns: []ir.BinaryFn{ir.Add}},
		what: "what was counted", flight: 1}}
	counts := []*kir.Array{so.counts.a}
	sc.elem = func(i kir.Expr, _ *env) []value { return l.look(counts, l.at(so.counts, i)) }
	sc.store = func(i kir.Expr, accs []*kir.Var) { l.pin(counts, l.at(so.counts, i), accs) }
	l.teamScan(sc, intConst(0), l.letExpr("count", count), []value{scalar(intConst(0))}, level{scan: "raking"}, depth, e)
}

// moveKeys puts the keys and positions of each work-item's part where they belong.
func (l *lowerer) moveKeys(so *sorting, mine share, from kir.Expr) {
	low, own := l.letExpr("low", so.low), l.letExpr("own", so.own())
	last := l.letExpr("last", compare(ir.Eq, add(so.round, intConst(1)), so.todo))
	to := l.half(so, 1)
	l.loop1("i", mine.lo, mine.hi, intConst(1), "", ir.Pos{}, func(i kir.Expr) {
		key := l.letExpr("key", l.key(so, add(from, i)))
		d := l.letExpr("d", so.digitOf(key, low))
		at := l.letExpr("at", add(own, d))
		before := l.letExpr("before", so.tally(at))
		l.countOne(so, at, before)
		first := &kir.Load{A: so.counts.a, I: l.countAt(so, d), T: kir.Int}
		j := l.letExpr("j", add(first, &kir.Convert{X: before, T: kir.Int}))
		if so.rounds == 1 {
			l.emit(&kir.Store{A: so.dst.a, I: l.at(so.dst, j), X: i})
			return
		}
		position := l.letExpr("position", &kir.Select{C: compare(ir.Eq, so.round, intConst(0)), X: i,
			Y: &kir.Load{A: so.order.a, I: l.at(so.order, add(from, i)), T: kir.Int}})
		node := &kir.If{Cond: last}
		l.inside(&node.Then, func() { l.emit(&kir.Store{A: so.dst.a, I: l.at(so.dst, j), X: position}) })
		l.inside(&node.Else, func() {
			l.emit(&kir.Store{A: so.keys.a, I: l.at(so.keys, add(to, j)), X: key})
			l.emit(&kir.Store{A: so.order.a, I: l.at(so.order, add(to, j)), X: position})
		})
		l.emit(node)
	})
}
