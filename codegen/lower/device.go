package lower

import (
	"fmt"
	"slices"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/selector"
)

// device is the state of a lowering for a platform whose work is launched. Statements are run by a team, all of whose
// work-items do the same on the same values: a single work-item, a logical warp, a workgroup, the whole grid. A parallel
// level hands its elements to smaller teams, or is worked on by the work-items of the team together; both ways its body
// is lowered for the smaller team. What a team stores, its first work-item stores.
type device struct {
	program *kir.Device
	team    kir.Resource
	active  kir.Expr // of a logical warp, or a work-item in step with others: whether it has an element of its own; nil: always
	label   string   // where a failed check goes
	lets    map[*kir.Var]kir.Expr
	counter map[*kir.Var]bool
	read    map[*ir.Var]bool // sequences that some statement reads
	elem    *kir.Var         // the element of level 1, where each is given to one team
	rows    []span           // rows of stored nested sequences that were taken
	alike   map[*kir.Var]bool
	tiles   map[*ir.Stmt]*kir.Array // reads of a reduction that are made from local memory,
	tile    kir.Expr                // which begins with this element
	index   *ir.Var                 // of the reduction
}

// span is a part [lo, lo+n) of memory that belongs to one element of level 1 alone; total is where all of them end.
type span struct{ lo, n, total kir.Expr }

// maxPrivate is the largest sequence in bytes that a work-item keeps for itself.
const maxPrivate = 512

// maxTeams bounds the workgroups of launches whose memory grows with them: what groups leave to combine, and scratch.
const (
	maxTeams   = 1024
	maxScratch = 64
)

// Device lowers computation c of k for a platform with kernels, as variant v says; v's launch parameters are ignored. The
// error is a *[Veto] if the choice of parameters cannot be realised.
func Device(k *fuse.Kernel, c *fuse.Computation, v selector.Variant, name string) (d *kir.Device, err error) {
	levels, err := plan(c.Sequence, v)
	if err != nil {
		return nil, err
	}
	defer recoverVeto(&err)
	l := newLowerer(k, levels)
	for _, a := range l.globals { // a device has columns of everything
		a.Field = nil
	}
	l.hoisted = k.HoistedChecks()
	for _, b := range ir.Blocks(c.Stmt.Op) {
		for s := range deadIn(b, nil, l.hoisted) {
			l.skip[s] = true
		}
	}
	l.dev = &device{program: &kir.Device{Name: name}, lets: map[*kir.Var]kir.Expr{}, counter: map[*kir.Var]bool{}, alike: map[*kir.Var]bool{}, read: map[*ir.Var]bool{}}
	ir.Walk(k.Func.Body, func(s *ir.Stmt) {
		for _, a := range ir.Operands(s.Op) {
			if v, ok := (*a).(*ir.Var); ok && v.T.Rank > 0 {
				l.dev.read[v] = true
			}
		}
	})
	l.topDevice(c.Stmt)
	return l.dev.program, nil
}

// launch begins a kernel: statements go to it from here on.
func (l *lowerer) launch(per kir.Resource, team kir.Resource, count kir.Expr, what string, pos ir.Pos) *kir.Launch {
	p := l.dev.program
	k := &kir.Launch{Name: p.Name, What: what, Pos: pos, Per: per}
	if n := len(p.Launches); n > 0 {
		k.Name = fmt.Sprintf("%s_%d", p.Name, n+1)
	}
	if count != nil {
		if k.Count = l.hostExpr(count); k.Count == nil {
			veto("how many elements there are is not known before the launch")
		}
	}
	p.Launches = append(p.Launches, k)
	l.out, l.dev.team, l.dev.label = &k.Body, team, l.name("end")
	return k
}

// endLaunch sets the place where a failed check of a team goes.
func (l *lowerer) endLaunch(label string) { l.emit(&kir.Label{Name: label}) }

func (l *lowerer) topDevice(s *ir.Stmt) {
	for _, d := range s.Dst {
		if d.T.Rank > 0 {
			v, _ := l.env.get(d)
			l.dest[d] = v.arr
		}
	}
	e := l.env.child()
	lv := l.levels[0]
	var inner level
	if len(l.levels) > 1 {
		inner = l.levels[1]
	}
	what := ir.OperatorName(s.Op)
	switch {
	case lv.par && (lv.on == kir.Grid || isMap(s.Op)):
		if isMap(s.Op) {
			per := kir.Item
			if lv.on != kir.Grid {
				per = lv.on
			}
			k := l.launch(per, kir.Grid, l.atom(ir.OperatorLength(s.Op), e).x, what, s.Pos)
			k.Grain = 1
		} // reductions and scans start several kernels
		l.dev.team = kir.Grid
	case lv.par:
		l.launch(kir.OneGroup, kir.Group, nil, what, s.Pos).Always = true
	case inner.par && inner.on == kir.Grid:
		l.launch(kir.Item, kir.Grid, nil, what, s.Pos)
	case inner.par:
		l.launch(kir.OneGroup, kir.Group, nil, what, s.Pos).Always = true
	default:
		l.launch(kir.OneGroup, kir.Grid, nil, what, s.Pos).Always = true
		l.ifLeader(func() {
			l.dev.team = kir.Item
			l.operator(s, e, 0)
			l.results(s, e)
		})
		l.endLaunch(l.dev.label)
		return
	}
	l.operator(s, e, 0)
	if len(l.dev.program.Launches) == 0 {
		veto("%s has no form on a device", what)
	}
	l.ifLeader(func() { l.results(s, e) })
	l.endLaunch(l.dev.label)
	if inner.par && !lv.par && inner.on == kir.Grid && l.dev.program.Launches[0].Count == nil {
		veto("nothing inside level 1 is spread over the grid")
	}
}

func isMap(op ir.Op) bool {
	switch op.(type) {
	case *ir.Map, *ir.Scatter:
		return true
	}
	return false
}

func (l *lowerer) results(s *ir.Stmt, e *env) {
	for _, d := range s.Dst {
		if d.T.IsScalar() {
			v, _ := e.get(d)
			l.emit(&kir.Result{Name: HostName(d), X: v.x})
		}
	}
}

// hostExpr returns x in terms of the frame alone, or nil.
func (l *lowerer) hostExpr(x kir.Expr) kir.Expr {
	if l.dev == nil {
		return nil
	}
	switch x := x.(type) {
	case *kir.Const, *kir.Length:
		return x
	case *kir.Ref:
		if x.V.Host {
			return x
		}
		if def := l.dev.lets[x.V]; def != nil {
			return l.hostExpr(def)
		}
	case *kir.Bin:
		switch x.Fn {
		case ir.Add, ir.Sub, ir.Mul, ir.Min, ir.Max:
			a, b := l.hostExpr(x.X), l.hostExpr(x.Y)
			if a != nil && b != nil {
				return &kir.Bin{Fn: x.Fn, X: a, Y: b, T: x.T}
			}
		}
	case *kir.Convert:
		if a := l.hostExpr(x.X); a != nil && x.T.Kind.IsInteger() && a.Type().Kind.IsInteger() {
			return &kir.Convert{X: a, T: x.T}
		}
	}
	return nil
}

// counts notes a loop counter: it is less than an int, so that adding a little to it stays one.
func (l *lowerer) counts(v *kir.Var) {
	if l.dev != nil {
		l.dev.counter[v] = true
	}
}

// wraps reports whether an operation of the user on integers may leave their range.
func (l *lowerer) wraps(fn ir.BinaryFn, x, y kir.Expr) bool {
	if l.dev == nil || !x.Type().Kind.IsInteger() {
		return false
	}
	switch fn {
	case ir.Add, ir.Sub:
		small := func(x kir.Expr) bool {
			c, ok := x.(*kir.Const)
			return ok && c.C.Int() >= 0 && c.C.Int() < 1<<30
		}
		counter := func(x kir.Expr) bool {
			r, ok := x.(*kir.Ref)
			return ok && l.dev.counter[r.V]
		}
		return !(counter(x) && small(y) || fn == ir.Add && small(x) && counter(y))
	case ir.Mul, ir.Shl:
		return true
	}
	return false
}

func place(what string) kir.Expr { return &kir.Place{What: what} }

func compare(fn ir.BinaryFn, x, y kir.Expr) kir.Expr {
	return &kir.Bin{Fn: fn, X: x, Y: y, T: kir.ScalarType(ir.Bool)}
}

func minOf(x, y kir.Expr) kir.Expr { return &kir.Bin{Fn: ir.Min, X: x, Y: y, T: kir.Int} }

// maxOf is the larger of two lengths.
func maxOf(x, y kir.Expr) kir.Expr {
	if isZero(x) || kir.Equal(x, y) {
		return y
	}
	if isZero(y) {
		return x
	}
	return &kir.Bin{Fn: ir.Max, X: x, Y: y, T: kir.Int}
}

func mul(x, y kir.Expr) kir.Expr { return &kir.Bin{Fn: ir.Mul, X: x, Y: y, T: kir.Int} }

// leads is the condition that a work-item is the first of a team that has an element; nil if it is alone.
func (l *lowerer) leads() kir.Expr {
	switch l.dev.team {
	case kir.Warp:
		first := compare(ir.Eq, place(kir.LaneOf), intConst(0))
		if l.dev.active != nil {
			return &kir.Bin{Fn: ir.And, X: l.dev.active, Y: first, T: kir.ScalarType(ir.Bool)}
		}
		return first
	case kir.Group:
		return compare(ir.Eq, place(kir.ItemOf), intConst(0))
	case kir.Grid:
		return compare(ir.Eq, place(kir.GlobalOf), intConst(0))
	}
	return l.dev.active
}

// ifLeader emits what the team's first work-item does for all.
func (l *lowerer) ifLeader(f func()) {
	if l.dev == nil || l.leads() == nil {
		f()
		return
	}
	node := &kir.If{Cond: l.leads()}
	l.inside(&node.Then, f)
	if len(node.Then) > 0 {
		l.emit(node)
	}
}

// store emits a store that the whole team has come to.
func (l *lowerer) store(s *kir.Store) { l.ifLeader(func() { l.emit(s) }) }

// leave returns the label for a failed check of these values.
func (l *lowerer) leave(args []kir.Expr) string {
	if l.dev.team == kir.Warp {
		veto("a value that each element computes is checked in each element, and the logical warps of a workgroup wait for each other: none may leave")
	}
	if l.inStep() && slices.ContainsFunc(args, func(x kir.Expr) bool { return !l.alike(x) }) {
		veto("a value that each element computes is checked in each element, and the work-items of a workgroup fill tiles together: none may leave")
	}
	return l.dev.label
}

// leaves reports whether a check in body goes to the label.
func leaves(body []kir.Stmt, label string) bool {
	found := false
	kir.Walk(body, func(s kir.Stmt) {
		if c, ok := s.(*kir.Check); ok && c.Leave == label {
			found = true
		}
	}, nil)
	return found
}

// barriersMet vetoes barriers that not all work-items of a group come to: a condition or a loop that differs between its
// logical warps.
func (l *lowerer) barriersMet(what string, bodies ...[]kir.Stmt) {
	if l.dev == nil || l.dev.team == kir.Item && !l.inStep() {
		return
	}
	for _, b := range bodies {
		if !kir.HasBarrier(b) {
			continue
		}
		if l.inStep() {
			veto("the work-items of a workgroup fill tiles together inside %s that may differ between them", what)
		}
		if l.dev.team == kir.Warp {
			veto("the logical warps of a workgroup wait for each other inside %s that differs between them", what)
		}
		if l.dev.label != "" && what == "a loop" && leaves(b, l.dev.label) {
			veto("a check would end a loop in which a workgroup waits for its work-items")
		}
	}
}

// alone lowers f for single work-items; a failed check goes to the end of it.
func (l *lowerer) alone(f func()) {
	old, active, label := l.dev.team, l.dev.active, l.dev.label
	l.dev.team, l.dev.active, l.dev.label = kir.Item, nil, l.name("next")
	var body []kir.Stmt
	l.inside(&body, f)
	l.emitLabelled(body, l.dev.label)
	l.dev.team, l.dev.active, l.dev.label = old, active, label
}

// step lowers into out what some work-items of a team combine between two barriers: a failed check goes to the next barrier,
// to which all of them have to come.
func (l *lowerer) step(out *[]kir.Stmt, f func()) {
	l.inside(out, func() { l.alone(f) })
}

// labelled lowers f so that a failed check goes to the end of it: a goto out of a loop in which a group waits is more than
// drivers' compilers are sure to get right.
func (l *lowerer) labelled(name string, f func()) {
	old := l.dev.label
	l.dev.label = l.name(name)
	var body []kir.Stmt
	l.inside(&body, f)
	l.emitLabelled(body, l.dev.label)
	l.dev.label = old
}

// emitLabelled emits body with the label at its end, if something goes there.
func (l *lowerer) emitLabelled(body []kir.Stmt, label string) {
	if !leaves(body, label) {
		for _, s := range body {
			l.emit(s)
		}
		return
	}
	l.emit(&kir.Scoped{Body: append(body, &kir.Label{Name: label})})
}

// deviceOperator lowers an operator of a level that is spread over resources; it returns false if the level is not, or if
// the operator's own lowering does it by way of [lowerer.spread].
func (l *lowerer) deviceOperator(s *ir.Stmt, e *env, depth int, lv level) bool {
	if !lv.par {
		op, ok := s.Op.(*ir.Reduce)
		if lv.stage == 0 || !ok {
			return false
		}
		if !l.inStep() {
			veto("level %d is not run by single work-items in step, which could fill tiles together", depth+1)
		}
		l.stagedReduce(s, op, e, depth, lv)
		return true
	}
	if l.dev.team == kir.Item {
		veto("level %d is inside a level whose elements single work-items run", depth+1)
	}
	switch op := s.Op.(type) {
	case *ir.Map, *ir.Scatter:
		return false
	case *ir.Reduce:
		l.deviceReduce(s, op, e, depth, lv)
	case *ir.Scan:
		l.deviceScan(s, op, e, depth, lv)
	case *ir.Hist:
		l.deviceHist(s, op, e, depth, lv)
	case *ir.Sort:
		l.deviceSort(s, op, e, depth, lv)
	}
	return true
}

// spread emits a loop over n elements that are handed to the resources of a level, and their bodies.
func (l *lowerer) spread(n kir.Expr, name string, depth int, lv level, s *ir.Stmt, what string, e *env, element func(i kir.Expr, e *env)) {
	i := l.fresh(name, kir.Int)
	l.counts(i)
	if l.dev.team != kir.Grid { // the work-items of a team share the elements
		l.checkTeam(depth, lv)
		if l.stages() {
			l.spreadInStep(i, n, s, what, e, element)
			l.written(s)
			return
		}
		sh := l.crew().share(l, intConst(0), l.shared(n))
		node := &kir.Stride{V: i, Lo: sh.lo, Hi: sh.hi, Step: sh.step, Pos: s.Pos, What: what}
		l.alone(func() {
			l.inside(&node.Body, func() { element(&kir.Ref{V: i}, e.child()) })
			l.emit(node)
		})
		l.written(s)
		return
	}
	if depth > 0 { // inside a sequential level: every work-item of the grid runs that one
		for _, d := range s.Dst {
			if l.dev.read[d] {
				veto("level %d is spread over the grid, whose workgroups cannot wait for each other, and its result %s is used before level 1 goes on", depth+1, d.Name)
			}
		}
		k := l.dev.program.Launches[0]
		if k.Count == nil {
			if k.Count = l.hostExpr(n); k.Count == nil {
				veto("level %d is spread over the grid, and how many elements it has is not known before the launch", depth+1)
			}
			k.Grain, k.Per = depth+1, kir.Item
		}
	}
	node := &kir.Stride{V: i, Hi: n, Pos: s.Pos, What: what}
	var body func()
	old := *l.dev
	switch lv.on {
	case kir.Grid:
		if l.stages() {
			node.V = l.fresh("first", kir.Int)
			node.Lo, node.Step = mul(place(kir.GroupOf), place(kir.Items)), place(kir.Globals)
			body = func() {
				l.dev.team, l.dev.elem = kir.Item, i
				l.apart(node.V, kir.ItemOf, n, i)
				element(&kir.Ref{V: i}, e.child())
			}
			break
		}
		node.Lo, node.Step = place(kir.GlobalOf), place(kir.Globals)
		body = func() {
			l.dev.team, l.dev.elem = kir.Item, i
			element(&kir.Ref{V: i}, e.child())
		}
	case kir.Group:
		node.Lo, node.Step = place(kir.GroupOf), place(kir.Groups)
		body = func() {
			l.dev.team, l.dev.elem, l.dev.alike[i] = kir.Group, i, true
			element(&kir.Ref{V: i}, e.child())
		}
	case kir.Warp:
		// All logical warps of a group run equally many turns, for the barriers inside: one that has no element of its own
		// reads the last one, and stores nothing.
		node.V = l.fresh("first", kir.Int)
		node.Lo, node.Step = mul(place(kir.GroupOf), place(kir.Warps)), mul(place(kir.Groups), place(kir.Warps))
		body = func() {
			l.dev.team, l.dev.elem = kir.Warp, i
			l.apart(node.V, kir.WarpOf, n, i)
			element(&kir.Ref{V: i}, e.child())
		}
	default:
		veto("level %d is given to single work-items of no team", depth+1)
	}
	l.inside(&node.Body, func() { l.turnOfTeam(func() { l.labelled("next", body) }) })
	l.dev.team, l.dev.active, l.dev.label, l.dev.elem = old.team, old.active, old.label, old.elem
	l.emit(node)
}

// turnOfTeam emits one turn of a loop that a team runs. It ends with a barrier where the next one writes to the same
// scratch memory.
func (l *lowerer) turnOfTeam(turn func()) {
	start := len(*l.out)
	turn()
	if reuses((*l.out)[start:]) {
		l.emit(&kir.Barrier{Global: true})
	}
}

// reuses reports whether an element of a team writes scratch memory, which the next one must not overwrite too early.
func reuses(body []kir.Stmt) bool {
	if !kir.HasBarrier(body) {
		return false
	}
	found := false
	kir.Walk(body, func(s kir.Stmt) {
		if st, ok := s.(*kir.Store); ok && st.A.Space == kir.Temporary {
			found = true
		}
	}, nil)
	return found
}

// checkTeam vetoes a level that another team than the one around it would have to work on.
func (l *lowerer) checkTeam(depth int, lv level) {
	if lv.on != kir.Item && lv.on != l.dev.team {
		veto("level %d runs on a %s and its elements are inside a %s: the other work-items of that would idle", depth+1, lv.on, l.dev.team)
	}
}

// written waits until a sequence that a team reads is stored.
func (l *lowerer) written(s *ir.Stmt) {
	if l.dev == nil || l.dev.team == kir.Item {
		return
	}
	for _, d := range s.Dst {
		if d.T.Rank > 0 && l.dev.read[d] {
			l.emit(&kir.Barrier{Global: true})
			return
		}
	}
}

// deviceScratch gives a sequence memory that one work-item or one team owns, so many times over.
func (l *lowerer) deviceScratch(d *ir.Var, n kir.Expr, times int, e *env) *array {
	host := l.hostBound(n)
	if host == nil {
		if s, ok := l.spanOf(n, e); ok {
			return &array{a: l.temp(d.Name, d.T.Kind, multiple(s.total, times), kir.OneGroup), off: multiple(s.lo, times), n: n}
		}
		veto("the length of %s, which each element needs for itself, is not known before the launch", d.Name)
	}
	host = multiple(host, times)
	team := l.dev.team
	if c, ok := host.(*kir.Const); ok && team == kir.Item && c.C.Int() > 0 && int(c.C.Int())*d.T.Kind.Bytes() <= maxPrivate {
		return &array{a: &kir.Array{Name: l.name(d.Name), Kind: d.T.Kind, Space: kir.Private, Size: int(c.C.Int())}, n: n}
	}
	var number kir.Expr
	switch team {
	case kir.Item:
		number = place(kir.GlobalOf)
	case kir.Warp:
		number = add(mul(place(kir.GroupOf), place(kir.Warps)), place(kir.WarpOf))
	case kir.Group:
		number = place(kir.GroupOf)
	default:
		veto("all workgroups compute the sequence %s and all need it, and they cannot wait for each other", sourceName(d.Name))
	}
	a := l.temp(d.Name, d.T.Kind, host, team)
	k := l.dev.program.Launches[len(l.dev.program.Launches)-1]
	k.MaxGroups = maxScratch
	return &array{a: a, off: l.letExpr(d.Name+"At", mul(number, host)), n: n}
}

// multiple is times x.
func multiple(x kir.Expr, times int) kir.Expr {
	if c, ok := x.(*kir.Const); ok {
		return intConst(int(c.C.Int()) * times)
	}
	if times == 1 || isZero(x) {
		return x
	}
	return mul(x, intConst(times))
}

// hostBound returns something in terms of the frame that x does not exceed, or nil: x itself, or the size of a tile if x is
// the length of one, of which the last may be short.
func (l *lowerer) hostBound(x kir.Expr) kir.Expr {
	if h := l.hostExpr(x); h != nil {
		return h
	}
	def := l.defined(x)
	if s, ok := def.(*kir.Select); ok {
		a, b := l.hostBound(s.X), l.hostBound(s.Y)
		if a == nil || b == nil {
			return nil
		}
		return maxOf(a, b)
	}
	d, ok := def.(*kir.Bin)
	if !ok {
		return nil
	}
	switch d.Fn {
	case ir.Min:
		a, b := l.hostBound(d.X), l.hostBound(d.Y)
		switch {
		case a == nil:
			return b
		case b == nil:
			return a
		}
		return minOf(a, b)
	case ir.Sub: // min(lo+size, end) - lo, with lo = i*size
		hi, ok := l.defined(d.X).(*kir.Bin)
		if !ok || hi.Fn != ir.Min {
			return nil
		}
		end, ok := l.defined(hi.X).(*kir.Bin)
		lo, ok2 := l.defined(d.Y).(*kir.Bin)
		if !ok || !ok2 || end.Fn != ir.Add || lo.Fn != ir.Mul || !sameRef(end.X, d.Y) {
			return nil
		}
		i, ok := lo.X.(*kir.Ref)
		size, limit := l.hostExpr(end.Y), l.hostBound(hi.Y)
		if !ok || !l.dev.counter[i.V] || size == nil || limit == nil || !kir.Equal(l.hostExpr(lo.Y), size) {
			return nil
		}
		return minOf(size, limit)
	}
	return nil
}

// defined returns what a variable was declared as; other expressions are themselves.
func (l *lowerer) defined(x kir.Expr) kir.Expr {
	for {
		r, ok := x.(*kir.Ref)
		if !ok || l.dev.lets[r.V] == nil {
			return x
		}
		x = l.dev.lets[r.V]
	}
}

// maxMultiple is how many times as long as a row of the input a sequence may be that lies like the rows do.
const maxMultiple = 16

// spanOf finds rows of n elements that lie one behind the other in memory, one for each element of level 1: a sequence of
// that length can lie like them. That the rows do not overlap was checked when the inputs were bound.
func (l *lowerer) spanOf(n kir.Expr, e *env) (span, bool) {
	for _, s := range l.dev.rows {
		if s.n == n {
			return s, true
		}
	}
	ref, ok := n.(*kir.Ref)
	if !ok {
		return span{}, false
	}
	diff, ok := l.dev.lets[ref.V].(*kir.Bin)
	if ok && diff.Fn == ir.Mul { // a multiple of such a length
		row, factor := diff.X, diff.Y
		if _, isConst := row.(*kir.Const); isConst {
			row, factor = factor, row
		}
		if c, isConst := factor.(*kir.Const); isConst && c.C.Int() > 0 && c.C.Int() <= maxMultiple {
			if s, ok := l.spanOf(row, e); ok {
				times := int(c.C.Int())
				return span{multiple(s.lo, times), n, multiple(s.total, times)}, true
			}
		}
		return span{}, false
	}
	if !ok || diff.Fn != ir.Sub {
		return span{}, false
	}
	for c := range l.hoisted {
		if c.Kind != ir.CheckBounds {
			continue
		}
		lo, ok1 := e.getAtom(c.Args[0])
		hi, ok2 := e.getAtom(c.Args[1])
		total, ok3 := e.getAtom(c.Args[2])
		if !ok1 || !ok2 || !ok3 || !sameRef(diff.X, hi.x) || !sameRef(diff.Y, lo.x) || !l.ownRow(lo.x) {
			continue
		}
		if t := l.hostExpr(total.x); t != nil {
			return span{lo.x, n, t}, true
		}
	}
	return span{}, false
}

func sameRef(x, y kir.Expr) bool {
	a, ok1 := x.(*kir.Ref)
	b, ok2 := y.(*kir.Ref)
	return ok1 && ok2 && a.V == b.V
}

// ownRow reports whether x is read from a sequence of the frame at the index of the element of level 1.
func (l *lowerer) ownRow(x kir.Expr) bool {
	switch x := x.(type) {
	case *kir.Ref:
		return l.dev.lets[x.V] != nil && l.ownRow(l.dev.lets[x.V])
	case *kir.Convert:
		return l.ownRow(x.X)
	case *kir.Load:
		r, ok := x.I.(*kir.Ref)
		return ok && l.dev.elem != nil && r.V == l.dev.elem && x.A.Space == kir.Global
	}
	return false
}

// temp makes a buffer of n elements for every per of the current launch.
func (l *lowerer) temp(name string, k ir.Kind, n kir.Expr, per kir.Resource) *kir.Array {
	a := &kir.Array{Name: l.name(name), Kind: k, Space: kir.Temporary}
	p := l.dev.program
	p.Temps = append(p.Temps, &kir.Temp{A: a, N: n, Per: per, Step: len(p.Launches) - 1})
	return a
}
