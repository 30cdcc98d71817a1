package lower

import (
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// maxSortGroups bounds the workgroups that sort: one group scans how many keys of each digit all of them have.
const maxSortGroups = 512

// sorting is a Sort by the grid: keys of one unsigned kind, in the order of the numbers, go round after round from one half
// of a buffer to the other with their positions, by a digit a round. How many rounds there are to do is known on the device
// alone, which finds how far the keys are apart: the others find no keys.
type sorting struct {
	n            kir.Expr // keys
	kind         ir.Kind  // of the keys in the buffer
	rounds       int      // that any keys of the kind need
	keys, order  *kir.Array
	low          *kir.Array // the least key
	todo, digit  *kir.Array // how many rounds there are to do, and the bits of a digit
	counts       *kir.Array // keys of each digit in each group, digit by digit
	counter      *kir.Array // keys of each digit in the part of each work-item
	round, shift kir.Expr
	digits       kir.Expr // how many different ones there are; 0 if the rounds are over
	left         kir.Expr // keys that a round sorts: n, or 0 if the rounds are over
}

// deviceSort lowers a Sort over the grid to a stable radix sort. The first kernel makes the keys and finds the least and the
// largest one of each group, the second those of all; then each round counts the digits of each group's keys, scans the counts,
// and puts the keys and their positions where they belong. The last round puts positions alone, which are the result.
func (l *lowerer) deviceSort(s *ir.Stmt, op *ir.Sort, e *env, depth int, lv level) {
	if l.dev.team != kir.Grid || depth > 0 || lv.on != kir.Grid {
		veto("level %d: sorting takes several launches of the whole grid, which there are not inside another level nor by one workgroup", depth+1)
	}
	n := l.atom(op.N, e).x
	host := l.hostExpr(n)
	if host == nil {
		veto("level %d: how many keys there are to sort is not known before the launch", depth+1)
	}
	dst := l.destination(s.Dst[0], n, e)
	bytes := op.Body.Results[0].Type().Kind.Bytes()
	so := &sorting{n: n, kind: ir.Uint32, rounds: (8*bytes + lv.radix - 1) / lv.radix}
	if bytes == 8 {
		so.kind = ir.Uint64
	}
	l.sortKeys(so, s, op, depth, host, e)
	p := l.dev.program
	p.Round, p.Rounds = len(p.Launches), so.rounds
	grain := 1 << lv.radix // fewer keys are less work than what counts them
	some := &kir.Bin{Fn: ir.Div, X: add(host, intConst(grain-1)), Y: intConst(grain), T: kir.Int}
	start := func(what string) {
		k := l.launch(kir.Item, kir.Group, n, what, s.Pos)
		k.Count, k.MaxGroups = some, maxSortGroups
		if so.counts == nil {
			so.counts = l.temp("counts", ir.Int, intConst(grain), kir.Group)
		}
		so.counter = &kir.Array{Name: l.name("counter"), Kind: ir.Uint32, Space: kir.Local, Size: grain}
		l.sortRound(so)
	}
	start("count the digits of each group")
	l.countDigits(so)
	l.launch(kir.OneGroup, kir.Group, n, "scan what the groups counted", s.Pos)
	l.sortRound(so)
	l.scanDigits(so, s, depth, e)
	start("put the keys where they belong")
	l.moveKeys(so, dst)
}

// sortKeys emits the kernels that make the keys, and find how far they are apart.
func (l *lowerer) sortKeys(so *sorting, s *ir.Stmt, op *ir.Sort, depth int, host kir.Expr, e *env) {
	l.launch(kir.Item, kir.Group, so.n, "keys to sort by", s.Pos).MaxGroups = maxTeams
	temp := func(name string, k ir.Kind, n kir.Expr) *kir.Array {
		a := l.temp(name, k, n, kir.OneGroup)
		l.dev.program.Temps[len(l.dev.program.Temps)-1].Step = 1 // one group: none of them grows with the groups of the first
		return a
	}
	half := multiple(host, min(so.rounds, 2))
	so.keys = temp("keys", so.kind, half)
	if so.rounds > 1 {
		so.order = temp("order", ir.Int, half)
	}
	so.low, so.todo, so.digit = temp("low", so.kind, intConst(1)), temp("todo", ir.Int, intConst(1)), temp("digit", ir.Int, intConst(1))
	t := stream{names: []string{"low", "high"}, kinds: []ir.Kind{so.kind, so.kind}, comb: combiner{fns: []ir.BinaryFn{ir.Min, ir.Max}},
		what: "keys to sort by", pos: s.Pos, flight: 1}
	t.elem = func(i kir.Expr, e *env) []value {
		e.m[op.I] = scalar(i)
		key := l.letExpr("key", so.inOrder(l.block(op.Body, e, depth+1)[0].x))
		l.emit(&kir.Store{A: so.keys, I: i, X: key})
		return []value{scalar(key), scalar(key)}
	}
	sh := crew{place(kir.GlobalOf), place(kir.Globals)}.share(l, intConst(0), so.n)
	total := l.together(t, l.partials(t, sh, e), sh.valid, "tree", depth, e)
	parts := l.leaveParts(t, total)
	l.endLaunch(l.dev.label)

	l.launch(kir.OneGroup, kir.Group, so.n, "how far the keys are apart", s.Pos)
	valid := routine("share_count", intConst(0), so.n, mul(&kir.GroupsOf{}, place(kir.Items)))
	of := l.partsOf(t, parts)
	sh = l.crew().share(l, intConst(0), l.letExpr("groups", routine("teams_of", valid, place(kir.Items))))
	total = l.together(of, l.partials(of, sh, e), sh.valid, "tree", depth, e)
	l.ifLeader(func() {
		span, width := l.fresh("span", kir.ScalarType(so.kind)), l.fresh("width", kir.Int)
		l.emit(&kir.Let{V: span, X: &kir.Bin{Fn: ir.Sub, X: total[1].x, Y: total[0].x, T: span.T}})
		l.emit(&kir.Let{V: width, X: intConst(1)})
		loop := &kir.While{Test: compare(ir.Gt, &kir.Ref{V: span}, &kir.Const{C: ir.IntConst(so.kind, 1)})}
		l.inside(&loop.Body, func() {
			l.emit(&kir.Set{V: span, X: &kir.Bin{Fn: ir.Shr, X: &kir.Ref{V: span}, Y: &kir.Const{C: ir.IntConst(so.kind, 1)}, T: span.T}})
			l.emit(&kir.Set{V: width, X: add(&kir.Ref{V: width}, intConst(1))})
		})
		l.emit(loop)
		radix := intConst(l.levels[depth].radix)
		ceil := func(x, y kir.Expr) kir.Expr {
			return &kir.Bin{Fn: ir.Div, X: sub(add(x, y), intConst(1)), Y: y, T: kir.Int}
		}
		todo := l.letExpr("todo", ceil(&kir.Ref{V: width}, radix))
		l.emit(&kir.Store{A: so.low, I: intConst(0), X: total[0].x})
		l.emit(&kir.Store{A: so.todo, I: intConst(0), X: todo})
		l.emit(&kir.Store{A: so.digit, I: intConst(0), X: ceil(&kir.Ref{V: width}, todo)})
	})
	l.endLaunch(l.dev.label)
}

// inOrder returns an unsigned integer in the order of the key x.
func (so *sorting) inOrder(x kir.Expr) kir.Expr {
	t := kir.ScalarType(so.kind)
	switch k := x.Type().Kind; {
	case k == ir.Float32:
		return &kir.Routine{Name: "order_f32", T: t, Args: []kir.Arg{{X: x}}}
	case k == ir.Float64:
		return &kir.Routine{Name: "order_f64", T: t, Args: []kir.Arg{{X: x}}}
	case k.IsUnsigned():
		return &kir.Convert{X: x, T: t}
	}
	sign := ir.IntConst(so.kind, 1<<31)
	if so.kind == ir.Uint64 {
		sign = ir.IntConst(so.kind, -1<<63)
	}
	return &kir.Bin{Fn: ir.Xor, X: &kir.Convert{X: x, T: t}, Y: &kir.Const{C: sign}, T: t}
}

// sortRound emits what a kernel of a round begins with.
func (l *lowerer) sortRound(so *sorting) {
	so.round = &kir.RoundOf{}
	some := l.letExpr("some", compare(ir.Lt, so.round, l.first(so.todo)))
	digit := l.letExpr("bits", l.first(so.digit))
	so.left = l.letExpr("left", &kir.Select{C: some, X: so.n, Y: intConst(0)})
	so.digits = l.letExpr("digits", &kir.Select{C: some, X: &kir.Bin{Fn: ir.Shl, X: intConst(1), Y: digit, T: kir.Int}, Y: intConst(0)})
	so.shift = l.letExpr("shift", mul(so.round, digit))
}

// first is the first element of a.
func (l *lowerer) first(a *kir.Array) kir.Expr {
	return &kir.Load{A: a, I: intConst(0), T: kir.ScalarType(a.Kind)}
}

// half is where the keys begin that the round reads, or those that it writes.
func (l *lowerer) half(so *sorting, written int) kir.Expr {
	if so.rounds == 1 {
		return intConst(0)
	}
	odd := &kir.Bin{Fn: ir.And, X: add(so.round, intConst(written)), Y: intConst(1), T: kir.Int}
	return l.letExpr([]string{"from", "to"}[written], mul(odd, so.n))
}

// ofGroup is the group's part of the keys, a run of neighbours.
func (l *lowerer) ofGroup(so *sorting) share {
	return crew{place(kir.GroupOf), place(kir.Groups)}.run(l, intConst(0), so.left)
}

// digitOf is the key's digit of the round.
func (so *sorting) digitOf(key, low kir.Expr) kir.Expr {
	t := kir.ScalarType(so.kind)
	up := &kir.Bin{Fn: ir.Shr, X: &kir.Bin{Fn: ir.Sub, X: key, Y: low, T: t}, Y: so.shift, T: t}
	mask := &kir.Convert{X: sub(so.digits, intConst(1)), T: t}
	return &kir.Convert{X: &kir.Bin{Fn: ir.And, X: up, Y: mask, T: t}, T: kir.Int}
}

// countParts counts the digits of each work-item's part of the keys.
func (l *lowerer) countParts(so *sorting, sh share, from, own kir.Expr) {
	low := l.letExpr("low", l.first(so.low))
	one := &kir.Const{C: ir.IntConst(ir.Uint32, 1)}
	l.each("d", so.digits, func(d kir.Expr) {
		l.emit(&kir.Store{A: so.counter, I: add(own, d), X: &kir.Const{C: ir.IntConst(ir.Uint32, 0)}})
	})
	l.loop1("i", sh.lo, sh.hi, sh.step, "", ir.Pos{}, func(i kir.Expr) {
		key := &kir.Load{A: so.keys, I: add(from, i), T: kir.ScalarType(so.kind)}
		at := l.letExpr("at", add(own, so.digitOf(key, low)))
		l.emit(&kir.Store{A: so.counter, I: at, X: &kir.Bin{Fn: ir.Add, X: so.tally(at), Y: one, T: kir.ScalarType(ir.Uint32)}})
	})
	l.emit(&kir.Barrier{})
}

// tally is what a counter holds.
func (so *sorting) tally(at kir.Expr) kir.Expr {
	return &kir.Load{A: so.counter, I: at, T: kir.ScalarType(ir.Uint32)}
}

// eachDigit emits a loop over the digits, of which each work-item has some, and in it one over what the group's work-items
// counted. It starts with the number that none is counted before.
func (l *lowerer) eachDigit(so *sorting, counted func(at kir.Expr, before *kir.Var), sum func(d kir.Expr, total *kir.Var)) {
	l.loop1("d", place(kir.ItemOf), so.digits, place(kir.Items), "", ir.Pos{}, func(d kir.Expr) {
		total := l.fresh("total", kir.ScalarType(ir.Uint32))
		l.emit(&kir.Let{V: total, X: zeroOf(total.T)})
		l.loop1("k", intConst(0), place(kir.Items), intConst(1), "", ir.Pos{}, func(k kir.Expr) {
			counted(l.letExpr("at", add(mul(k, so.digits), d)), total)
		})
		sum(d, total)
	})
}

// addTo emits v += x.
func (l *lowerer) addTo(v *kir.Var, x kir.Expr) {
	l.emit(&kir.Set{V: v, X: &kir.Bin{Fn: ir.Add, X: &kir.Ref{V: v}, Y: x, T: v.T}})
}

// countDigits emits the kernel that counts the digits of each group's keys.
func (l *lowerer) countDigits(so *sorting) {
	own := l.letExpr("own", mul(place(kir.ItemOf), so.digits))
	from := l.half(so, 0)
	part := l.ofGroup(so)
	l.countParts(so, l.crew().share(l, part.lo, part.hi), from, own)
	l.eachDigit(so, func(at kir.Expr, before *kir.Var) { l.addTo(before, so.tally(at)) }, func(d kir.Expr, total *kir.Var) {
		l.emit(&kir.Store{A: so.counts, I: add(mul(d, place(kir.Groups)), place(kir.GroupOf)), X: &kir.Convert{X: &kir.Ref{V: total}, T: kir.Int}})
	})
}

// scanDigits emits the kernel that finds where each group puts its keys of each digit.
func (l *lowerer) scanDigits(so *sorting, s *ir.Stmt, depth int, e *env) {
	sc := scanning{stream: stream{names: []string{"count"}, kinds: []ir.Kind{ir.Int}, comb: combiner{fns: []ir.BinaryFn{ir.Add}},
		what: "what the groups counted", pos: ir.Pos{}, flight: 1}}
	counts := []*kir.Array{so.counts}
	sc.elem = func(i kir.Expr, _ *env) []value { return l.look(counts, i) }
	sc.store = func(i kir.Expr, accs []*kir.Var) { l.pin(counts, i, accs) }
	count := l.letExpr("count", mul(so.digits, &kir.GroupsOf{Step: l.dev.program.Round}))
	l.teamScan(sc, intConst(0), count, []value{scalar(intConst(0))}, level{scan: "raking"}, depth, e)
}

// moveKeys emits the kernel that puts keys and positions where they belong. Each work-item counts its run of neighbours
// again, and finds how many keys of each digit the work-items in front of it have.
func (l *lowerer) moveKeys(so *sorting, dst *array) {
	own := l.letExpr("own", mul(place(kir.ItemOf), so.digits))
	from := l.half(so, 0)
	part := l.ofGroup(so)
	mine := l.crew().run(l, part.lo, part.hi)
	l.countParts(so, mine, from, own)
	l.eachDigit(so, func(at kir.Expr, before *kir.Var) {
		here := l.letExpr("here", so.tally(at))
		l.emit(&kir.Store{A: so.counter, I: at, X: &kir.Ref{V: before}})
		l.addTo(before, here)
	}, func(kir.Expr, *kir.Var) {})
	l.emit(&kir.Barrier{})
	low := l.letExpr("low", l.first(so.low))
	last := l.letExpr("last", compare(ir.Eq, add(so.round, intConst(1)), l.first(so.todo)))
	to := intConst(0)
	if so.rounds > 1 {
		to = l.half(so, 1)
	}
	l.loop1("i", mine.lo, mine.hi, intConst(1), "", ir.Pos{}, func(i kir.Expr) {
		key := l.letExpr("key", &kir.Load{A: so.keys, I: add(from, i), T: kir.ScalarType(so.kind)})
		d := l.letExpr("d", so.digitOf(key, low))
		at := l.letExpr("at", add(own, d))
		before := l.letExpr("before", so.tally(at))
		l.emit(&kir.Store{A: so.counter, I: at, X: &kir.Bin{Fn: ir.Add, X: before, Y: &kir.Const{C: ir.IntConst(ir.Uint32, 1)}, T: kir.ScalarType(ir.Uint32)}})
		base := &kir.Load{A: so.counts, I: add(mul(d, place(kir.Groups)), place(kir.GroupOf)), T: kir.Int}
		j := l.letExpr("j", add(base, &kir.Convert{X: before, T: kir.Int}))
		if so.rounds == 1 {
			l.emit(&kir.Store{A: dst.a, I: l.at(dst, j), X: i})
			return
		}
		position := l.letExpr("position", &kir.Select{C: compare(ir.Eq, so.round, intConst(0)), X: i, Y: &kir.Load{A: so.order, I: add(from, i), T: kir.Int}})
		node := &kir.If{Cond: last}
		l.inside(&node.Then, func() { l.emit(&kir.Store{A: dst.a, I: l.at(dst, j), X: position}) })
		l.inside(&node.Else, func() {
			l.emit(&kir.Store{A: so.keys, I: add(to, j), X: key})
			l.emit(&kir.Store{A: so.order, I: add(to, j), X: position})
		})
		l.emit(node)
	})
}
