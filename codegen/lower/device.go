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
	*lowerer
	program   *kir.Device
	team      kir.Resource
	member    kir.Expr // of a logical warp, or a work-item in step with others: whether it has an element of its own; nil: always
	label     string   // where a failed check goes
	lets      map[*kir.Var]kir.Expr
	counters  map[*kir.Var]bool
	wanted    map[*ir.Var]bool // sequences that some statement reads
	elem      *kir.Var         // the element of level 1, where each is given to one team
	spans     []span           // rows of stored nested sequences that were taken
	common    map[*kir.Var]bool
	tiles     map[*ir.Stmt]*kir.Array // reads of a reduction that are made from local memory,
	tile      kir.Expr                // which begins with this element
	tileIndex *ir.Var                 // of the reduction
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
	dv := newDevice(newLowerer(k, levels), name)
	for _, a := range dv.globals { // a device has columns of everything
		a.Field = nil
	}
	dv.hoisted = k.HoistedChecks()
	for _, b := range ir.Blocks(c.Stmt.Op) {
		for s := range deadIn(b, nil, dv.hoisted) {
			dv.skip[s] = true
		}
	}
	dv.topDevice(c.Stmt)
	return dv.program, nil
}

// newDevice makes the work-items of a device run what l lowers.
func newDevice(l *lowerer, name string) *device {
	dv := &device{lowerer: l, program: &kir.Device{Name: name}, lets: map[*kir.Var]kir.Expr{}, counters: map[*kir.Var]bool{}, common: map[*kir.Var]bool{}, wanted: map[*ir.Var]bool{}}
	l.on = dv
	ir.Walk(l.k.Func.Body, func(s *ir.Stmt) {
		for _, a := range ir.Operands(s.Op) {
			if v, ok := (*a).(*ir.Var); ok && v.T.Rank > 0 {
				dv.wanted[v] = true
			}
		}
	})
	return dv
}

// launch begins a kernel: statements go to it from here on.
func (dv *device) launch(per kir.Resource, team kir.Resource, count kir.Expr, what string, pos ir.Pos) *kir.Launch {
	p := dv.program
	k := &kir.Launch{Name: p.Name, What: what, Pos: pos, Per: per}
	if n := len(p.Launches); n > 0 {
		k.Name = fmt.Sprintf("%s_%d", p.Name, n+1)
	}
	if count != nil {
		if k.Count = dv.hostExpr(count); k.Count == nil {
			veto("how many elements there are is not known before the launch")
		}
	}
	p.Launches = append(p.Launches, k)
	dv.out, dv.team, dv.label = &k.Body, team, dv.name("end")
	return k
}

// endLaunch sets the place where a failed check of a team goes.
func (dv *device) endLaunch(label string) { dv.emit(&kir.Label{Name: label}) }

func (dv *device) topDevice(s *ir.Stmt) {
	for _, d := range s.Dst {
		if d.T.Rank > 0 {
			v, _ := dv.env.get(d)
			dv.dest[d] = v.arr
		}
	}
	e := dv.env.child()
	lv := dv.levels[0]
	var inner level
	if len(dv.levels) > 1 {
		inner = dv.levels[1]
	}
	what := ir.OperatorName(s.Op)
	switch {
	case lv.par && (lv.on == kir.Grid || isMap(s.Op)):
		if isMap(s.Op) {
			per := kir.Item
			if lv.on != kir.Grid {
				per = lv.on
			}
			k := dv.launch(per, kir.Grid, dv.atom(ir.OperatorLength(s.Op), e).x, what, s.Pos)
			k.Grain = 1
		} // reductions and scans start several kernels
		dv.team = kir.Grid
	case lv.par:
		dv.launch(kir.OneGroup, kir.Group, nil, what, s.Pos).Always = true
	case inner.par && inner.on == kir.Grid:
		dv.launch(kir.Item, kir.Grid, nil, what, s.Pos)
	case inner.par:
		dv.launch(kir.OneGroup, kir.Group, nil, what, s.Pos).Always = true
	default:
		dv.launch(kir.OneGroup, kir.Grid, nil, what, s.Pos).Always = true
		dv.ifLeader(func() {
			dv.team = kir.Item
			dv.operator(s, e, 0)
			dv.results(s, e)
		})
		dv.endLaunch(dv.label)
		return
	}
	dv.operator(s, e, 0)
	if len(dv.program.Launches) == 0 {
		veto("%s has no form on a device", what)
	}
	dv.ifLeader(func() { dv.results(s, e) })
	dv.endLaunch(dv.label)
	if inner.par && !lv.par && inner.on == kir.Grid && dv.program.Launches[0].Count == nil {
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

func (dv *device) results(s *ir.Stmt, e *env) {
	for _, d := range s.Dst {
		if d.T.IsScalar() {
			v, _ := e.get(d)
			dv.emit(&kir.Result{Name: HostName(d), X: v.x})
		}
	}
}

// hostExpr returns x in terms of the frame alone, or nil.
func (dv *device) hostExpr(x kir.Expr) kir.Expr {
	switch x := x.(type) {
	case *kir.Const, *kir.Length:
		return x
	case *kir.Ref:
		if x.V.Host {
			return x
		}
		if def := dv.lets[x.V]; def != nil {
			return dv.hostExpr(def)
		}
	case *kir.Bin:
		switch x.Fn {
		case ir.Add, ir.Sub, ir.Mul, ir.Min, ir.Max:
			a, b := dv.hostExpr(x.X), dv.hostExpr(x.Y)
			if a != nil && b != nil {
				return &kir.Bin{Fn: x.Fn, X: a, Y: b, T: x.T}
			}
		}
	case *kir.Convert:
		if a := dv.hostExpr(x.X); a != nil && x.T.Kind.IsInteger() && a.Type().Kind.IsInteger() {
			return &kir.Convert{X: a, T: x.T}
		}
	}
	return nil
}

// counts notes a loop counter: it is less than an int, so that adding a little to it stays one.
func (dv *device) counts(v *kir.Var) {
	dv.counters[v] = true
}

// wraps reports whether an operation of the user on integers may leave their range.
func (dv *device) wraps(fn ir.BinaryFn, x, y kir.Expr) bool {
	if !x.Type().Kind.IsInteger() {
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
			return ok && dv.counters[r.V]
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
func (dv *device) leads() kir.Expr {
	switch dv.team {
	case kir.Warp:
		first := compare(ir.Eq, place(kir.LaneOf), intConst(0))
		if dv.member != nil {
			return &kir.Bin{Fn: ir.And, X: dv.member, Y: first, T: kir.ScalarType(ir.Bool)}
		}
		return first
	case kir.Group:
		return compare(ir.Eq, place(kir.ItemOf), intConst(0))
	case kir.Grid:
		return compare(ir.Eq, place(kir.GlobalOf), intConst(0))
	}
	return dv.member
}

// ifLeader emits what the team's first work-item does for all.
func (dv *device) ifLeader(f func()) {
	if dv.leads() == nil {
		f()
		return
	}
	node := &kir.If{Cond: dv.leads()}
	dv.inside(&node.Then, f)
	if len(node.Then) > 0 {
		dv.emit(node)
	}
}

// leave returns the label for a failed check of these values.
func (dv *device) leave(args []kir.Expr) string {
	if dv.team == kir.Warp {
		veto("a value that each element computes is checked in each element, and the logical warps of a workgroup wait for each other: none may leave")
	}
	if dv.inStep() && slices.ContainsFunc(args, func(x kir.Expr) bool { return !dv.alike(x) }) {
		veto("a value that each element computes is checked in each element, and the work-items of a workgroup fill tiles together: none may leave")
	}
	return dv.label
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
func (dv *device) barriersMet(what string, bodies ...[]kir.Stmt) {
	if dv.team == kir.Item && !dv.inStep() {
		return
	}
	for _, b := range bodies {
		if !kir.HasBarrier(b) {
			continue
		}
		if dv.inStep() {
			veto("the work-items of a workgroup fill tiles together inside %s that may differ between them", what)
		}
		if dv.team == kir.Warp {
			veto("the logical warps of a workgroup wait for each other inside %s that differs between them", what)
		}
		if dv.label != "" && what == "a loop" && leaves(b, dv.label) {
			veto("a check would end a loop in which a workgroup waits for its work-items")
		}
	}
}

// alone lowers f for single work-items; a failed check goes to the end of it.
func (dv *device) alone(f func()) {
	old, active, label := dv.team, dv.member, dv.label
	dv.team, dv.member, dv.label = kir.Item, nil, dv.name("next")
	var body []kir.Stmt
	dv.inside(&body, f)
	dv.emitLabelled(body, dv.label)
	dv.team, dv.member, dv.label = old, active, label
}

// step lowers into out what some work-items of a team combine between two barriers: a failed check goes to the next barrier,
// to which all of them have to come.
func (dv *device) step(out *[]kir.Stmt, f func()) {
	dv.inside(out, func() { dv.alone(f) })
}

// labelled lowers f so that a failed check goes to the end of it: a goto out of a loop in which a group waits is more than
// drivers' compilers are sure to get right.
func (dv *device) labelled(name string, f func()) {
	old := dv.label
	dv.label = dv.name(name)
	var body []kir.Stmt
	dv.inside(&body, f)
	dv.emitLabelled(body, dv.label)
	dv.label = old
}

// emitLabelled emits body with the label at its end, if something goes there.
func (dv *device) emitLabelled(body []kir.Stmt, label string) {
	if !leaves(body, label) {
		for _, s := range body {
			dv.emit(s)
		}
		return
	}
	dv.emit(&kir.Scoped{Body: append(body, &kir.Label{Name: label})})
}

// takes lowers an operator of a level that is spread over resources; it returns false if the level is not, or if
// the operator's own lowering does it by way of [device.spread].
func (dv *device) takes(s *ir.Stmt, e *env, depth int, lv level) bool {
	if !lv.par {
		op, ok := s.Op.(*ir.Reduce)
		if _, sorts := s.Op.(*ir.Sort); sorts {
			veto("level %d: a single work-item does not sort: a workgroup or the grid does", depth+1)
		}
		if lv.stage == 0 || !ok {
			return false
		}
		if !dv.inStep() {
			veto("level %d is not run by single work-items in step, which could fill tiles together", depth+1)
		}
		dv.stagedReduce(s, op, e, depth, lv)
		return true
	}
	if dv.team == kir.Item {
		veto("level %d is inside a level whose elements single work-items run", depth+1)
	}
	switch op := s.Op.(type) {
	case *ir.Map, *ir.Scatter:
		return false
	case *ir.Reduce:
		dv.deviceReduce(s, op, e, depth, lv)
	case *ir.Scan:
		dv.deviceScan(s, op, e, depth, lv)
	case *ir.Hist:
		dv.deviceHist(s, op, e, depth, lv)
	case *ir.Sort:
		dv.deviceSort(s, op, e, depth, lv)
	}
	return true
}

// spread emits a loop over n elements that are handed to the resources of a level, and their bodies.
func (dv *device) spread(n kir.Expr, name string, depth int, lv level, s *ir.Stmt, what string, e *env, element func(i kir.Expr, e *env)) {
	i := dv.fresh(name, kir.Int)
	dv.counts(i)
	if dv.team != kir.Grid { // the work-items of a team share the elements
		dv.checkTeam(depth, lv)
		if dv.stages() {
			dv.spreadInStep(i, n, s, what, e, element)
			dv.written(s)
			return
		}
		sh := dv.crew().share(dv, intConst(0), dv.shared(n))
		node := &kir.Stride{V: i, Lo: sh.lo, Hi: sh.hi, Step: sh.step, Pos: s.Pos, What: what}
		dv.alone(func() {
			dv.inside(&node.Body, func() { element(&kir.Ref{V: i}, e.child()) })
			dv.emit(node)
		})
		dv.written(s)
		return
	}
	if depth > 0 { // inside a sequential level: every work-item of the grid runs that one
		for _, d := range s.Dst {
			if dv.wanted[d] {
				veto("level %d is spread over the grid, whose workgroups cannot wait for each other, and its result %s is used before level 1 goes on", depth+1, d.Name)
			}
		}
		k := dv.program.Launches[0]
		if k.Count == nil {
			if k.Count = dv.hostExpr(n); k.Count == nil {
				veto("level %d is spread over the grid, and how many elements it has is not known before the launch", depth+1)
			}
			k.Grain, k.Per = depth+1, kir.Item
		}
	}
	node := &kir.Stride{V: i, Hi: n, Pos: s.Pos, What: what}
	var body func()
	old := *dv
	switch lv.on {
	case kir.Grid:
		if dv.stages() {
			node.V = dv.fresh("first", kir.Int)
			node.Lo, node.Step = mul(place(kir.GroupOf), place(kir.Items)), place(kir.Globals)
			body = func() {
				dv.team, dv.elem = kir.Item, i
				dv.apart(node.V, kir.ItemOf, n, i)
				element(&kir.Ref{V: i}, e.child())
			}
			break
		}
		node.Lo, node.Step = place(kir.GlobalOf), place(kir.Globals)
		body = func() {
			dv.team, dv.elem = kir.Item, i
			element(&kir.Ref{V: i}, e.child())
		}
	case kir.Group:
		node.Lo, node.Step = place(kir.GroupOf), place(kir.Groups)
		body = func() {
			dv.team, dv.elem, dv.common[i] = kir.Group, i, true
			element(&kir.Ref{V: i}, e.child())
		}
	case kir.Warp:
		// All logical warps of a group run equally many turns, for the barriers inside: one that has no element of its own
		// reads the last one, and stores nothing.
		node.V = dv.fresh("first", kir.Int)
		node.Lo, node.Step = mul(place(kir.GroupOf), place(kir.Warps)), mul(place(kir.Groups), place(kir.Warps))
		body = func() {
			dv.team, dv.elem = kir.Warp, i
			dv.apart(node.V, kir.WarpOf, n, i)
			element(&kir.Ref{V: i}, e.child())
		}
	default:
		veto("level %d is given to single work-items of no team", depth+1)
	}
	dv.inside(&node.Body, func() { dv.eachTurn(func() { dv.labelled("next", body) }) })
	dv.team, dv.member, dv.label, dv.elem = old.team, old.member, old.label, old.elem
	dv.emit(node)
}

// eachTurn emits one turn of a loop that a team runs. It ends with a barrier where the next one writes to the same
// scratch memory.
func (dv *device) eachTurn(turn func()) {
	start := len(*dv.out)
	turn()
	if reuses((*dv.out)[start:]) {
		dv.emit(&kir.Barrier{Global: true})
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
func (dv *device) checkTeam(depth int, lv level) {
	if lv.on != kir.Item && lv.on != dv.team {
		veto("level %d runs on a %s and its elements are inside a %s: the other work-items of that would idle", depth+1, lv.on, dv.team)
	}
}

// written waits until a sequence that a team reads is stored.
func (dv *device) written(s *ir.Stmt) {
	if dv.team == kir.Item {
		return
	}
	for _, d := range s.Dst {
		if d.T.Rank > 0 && dv.wanted[d] {
			dv.emit(&kir.Barrier{Global: true})
			return
		}
	}
}

// scratchOf gives a sequence memory that one work-item or one team owns, so many times over.
func (dv *device) scratchOf(d *ir.Var, n kir.Expr, times int, e *env) *array {
	host := dv.hostBound(n)
	if host == nil {
		if s, ok := dv.spanOf(n, e); ok {
			return &array{a: dv.temp(d.Name, d.T.Kind, multiple(s.total, times), kir.OneGroup), off: multiple(s.lo, times), n: n}
		}
		veto("the length of %s, which each element needs for itself, is not known before the launch", d.Name)
	}
	host = multiple(host, times)
	team := dv.team
	if c, ok := host.(*kir.Const); ok && team == kir.Item && c.C.Int() > 0 && int(c.C.Int())*d.T.Kind.Bytes() <= maxPrivate {
		return &array{a: &kir.Array{Name: dv.name(d.Name), Kind: d.T.Kind, Space: kir.Private, Size: int(c.C.Int())}, n: n}
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
	a := dv.temp(d.Name, d.T.Kind, host, team)
	k := dv.program.Launches[len(dv.program.Launches)-1]
	k.MaxGroups = maxScratch
	return &array{a: a, off: dv.letExpr(d.Name+"At", mul(number, host)), n: n}
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
func (dv *device) hostBound(x kir.Expr) kir.Expr {
	if h := dv.hostExpr(x); h != nil {
		return h
	}
	def := dv.defined(x)
	if s, ok := def.(*kir.Select); ok {
		a, b := dv.hostBound(s.X), dv.hostBound(s.Y)
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
		a, b := dv.hostBound(d.X), dv.hostBound(d.Y)
		switch {
		case a == nil:
			return b
		case b == nil:
			return a
		}
		return minOf(a, b)
	case ir.Sub: // min(lo+size, end) - lo, with lo = i*size
		hi, ok := dv.defined(d.X).(*kir.Bin)
		if !ok || hi.Fn != ir.Min {
			return nil
		}
		end, ok := dv.defined(hi.X).(*kir.Bin)
		lo, ok2 := dv.defined(d.Y).(*kir.Bin)
		if !ok || !ok2 || end.Fn != ir.Add || lo.Fn != ir.Mul || !sameRef(end.X, d.Y) {
			return nil
		}
		i, ok := lo.X.(*kir.Ref)
		size, limit := dv.hostExpr(end.Y), dv.hostBound(hi.Y)
		if !ok || !dv.counters[i.V] || size == nil || limit == nil || !kir.Equal(dv.hostExpr(lo.Y), size) {
			return nil
		}
		return minOf(size, limit)
	}
	return nil
}

// defined returns what a variable was declared as; other expressions are themselves.
func (dv *device) defined(x kir.Expr) kir.Expr {
	for {
		r, ok := x.(*kir.Ref)
		if !ok || dv.lets[r.V] == nil {
			return x
		}
		x = dv.lets[r.V]
	}
}

// maxMultiple is how many times as long as a row of the input a sequence may be that lies like the rows do.
const maxMultiple = 16

// spanOf finds rows of n elements that lie one behind the other in memory, one for each element of level 1: a sequence of
// that length can lie like them. That the rows do not overlap was checked when the inputs were bound.
func (dv *device) spanOf(n kir.Expr, e *env) (span, bool) {
	for _, s := range dv.spans {
		if s.n == n {
			return s, true
		}
	}
	ref, ok := n.(*kir.Ref)
	if !ok {
		return span{}, false
	}
	diff, ok := dv.lets[ref.V].(*kir.Bin)
	if ok && diff.Fn == ir.Mul { // a multiple of such a length
		row, factor := diff.X, diff.Y
		if _, isConst := row.(*kir.Const); isConst {
			row, factor = factor, row
		}
		if c, isConst := factor.(*kir.Const); isConst && c.C.Int() > 0 && c.C.Int() <= maxMultiple {
			if s, ok := dv.spanOf(row, e); ok {
				times := int(c.C.Int())
				return span{multiple(s.lo, times), n, multiple(s.total, times)}, true
			}
		}
		return span{}, false
	}
	if !ok || diff.Fn != ir.Sub {
		return span{}, false
	}
	for c := range dv.hoisted {
		if c.Kind != ir.CheckBounds {
			continue
		}
		lo, ok1 := e.getAtom(c.Args[0])
		hi, ok2 := e.getAtom(c.Args[1])
		total, ok3 := e.getAtom(c.Args[2])
		if !ok1 || !ok2 || !ok3 || !sameRef(diff.X, hi.x) || !sameRef(diff.Y, lo.x) || !dv.ownRow(lo.x) {
			continue
		}
		if t := dv.hostExpr(total.x); t != nil {
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
func (dv *device) ownRow(x kir.Expr) bool {
	switch x := x.(type) {
	case *kir.Ref:
		return dv.lets[x.V] != nil && dv.ownRow(dv.lets[x.V])
	case *kir.Convert:
		return dv.ownRow(x.X)
	case *kir.Load:
		r, ok := x.I.(*kir.Ref)
		return ok && dv.elem != nil && r.V == dv.elem && x.A.Space == kir.Global
	}
	return false
}

// temp makes a buffer of n elements for every per of the current launch.
func (dv *device) temp(name string, k ir.Kind, n kir.Expr, per kir.Resource) *kir.Array {
	a := &kir.Array{Name: dv.name(name), Kind: k, Space: kir.Temporary}
	p := dv.program
	p.Temps = append(p.Temps, &kir.Temp{A: a, N: n, Per: per, Step: len(p.Launches) - 1})
	return a
}
