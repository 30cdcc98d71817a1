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
// work-items do the same on the same values: a single work-item, a logical warp, a workgroup, the whole grid. A
// parallel level hands its elements to smaller teams, or is worked on by the work-items of the team together; both
// ways its body is lowered for the smaller team. What a team stores, its first work-item stores.
type device struct {
	*lowerer
	program   *kir.Device
	top       *ir.Stmt  // the outermost operator
	found     *findings // what launches before find
	team      kir.Resource
	member    kir.Expr // of a logical warp, or a work-item in step with others: whether it has an element of its own; nil: always
	lanes     *members // work-items that run the code alone, all on the same values, but for rows of bins, which they share
	label     string   // where a failed check goes
	lets      map[*kir.Var]kir.Expr
	counters  map[*kir.Var]bool
	wanted    map[*ir.Var]bool // sequences that some statement reads: see [device.want]
	elem      *kir.Var         // the element of level 1, where each is given to one team
	spans     []span           // rows of stored nested sequences that were taken
	common    map[*kir.Var]bool
	tiles     map[*ir.Stmt]*kir.Array // reads of a reduction that are made from local memory,
	tile      kir.Expr                // which begins with this element
	tileIndex *ir.Var                 // of the reduction
	exist     []kir.Expr              // of the elements of a register tile: that they exist, nil if that is certain
}

// These bound the workgroups of launches whose memory grows with them: what groups leave to combine, what their
// work-items find for the host, which reads all of it, and scratch, of which the run time takes no more than the device
// has.
const (
	maxTeams   = 1024
	maxFinders = 64
	maxScratch = 1 << 13
)

// Device lowers computation c of k for a platform with kernels, as variant v says; v's launch parameters are ignored.
// The error says in a few words why the choice of parameters cannot be realised.
func Device(k *fuse.Kernel, c *fuse.Computation, v selector.Variant, name string) (d *kir.Device, err error) {
	levels, err := plan(c.Sequence, v)
	if err != nil {
		return nil, err
	}
	defer refused(&err)
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
	dv.top = c.Stmt
	dv.topDevice(c.Stmt)
	dv.withFindings()
	return dv.program, nil
}

// newDevice makes the work-items of a device run what l lowers.
func newDevice(l *lowerer, name string) *device {
	dv := &device{lowerer: l, program: &kir.Device{Name: name}, found: &findings{by: map[string]int{}}, lets: map[*kir.Var]kir.Expr{}, counters: map[*kir.Var]bool{}, common: map[*kir.Var]bool{}, wanted: map[*ir.Var]bool{}}
	l.on = dv
	dv.want(l.k.Func.Body)
	return dv
}

// want finds the sequences that some statement reads: also those that a turn of a loop, or a branch, yields for one.
func (dv *device) want(b *ir.Block) {
	found := false
	read := func(a ir.Atom) {
		if v, ok := a.(*ir.Var); ok && v.T.Rank > 0 && !dv.wanted[v] {
			dv.wanted[v], found = true, true
		}
	}
	ir.Walk(b, func(s *ir.Stmt) {
		for _, a := range ir.Operands(s.Op) {
			read(*a)
		}
		for i, d := range s.Dst {
			switch op := s.Op.(type) {
			case *ir.Loop:
				if dv.wanted[d] || dv.wanted[op.Params[i]] {
					read(op.Body.Results[i])
				}
			case *ir.If:
				if dv.wanted[d] {
					read(op.Then.Results[i])
					read(op.Else.Results[i])
				}
			}
		}
	})
	if found {
		dv.want(b)
	}
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
	case lv.par && (lv.on == kir.Grid || isMap(s.Op) || isHist(s.Op)):
		if isMap(s.Op) {
			per := kir.Item
			if lv.on != kir.Grid {
				per = lv.on
			}
			k := dv.launch(per, kir.Grid, dv.atom(ir.OperatorLength(s.Op), e).x, what, s.Pos)
			k.Grain = 1
		} // reductions, scans and histograms start several kernels
		dv.team = kir.Grid
	case lv.par:
		dv.launch(kir.OneGroup, kir.Group, nil, what, s.Pos).Always = true
	case inner.par && inner.on == kir.Grid:
		dv.launch(kir.Item, kir.Grid, nil, what, s.Pos).Always = true // one computes what stands around the inner level
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

func isHist(op ir.Op) bool {
	_, ok := op.(*ir.Hist)
	return ok
}

func (dv *device) results(s *ir.Stmt, e *env) {
	for _, d := range s.Dst {
		if d.T.IsScalar() {
			v, _ := e.get(d)
			dv.emit(&kir.Result{Name: HostName(d), X: v.x})
		}
	}
}

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

// barriersMet vetoes barriers that not all work-items of a group come to: a condition or a loop that differs between
// its logical warps.
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

// alone lowers f for single work-items; a failed check goes to the end of it. Those of a team share its element, and
// what belongs to that.
func (dv *device) alone(f func()) {
	old, active, label, elem, spans := dv.team, dv.member, dv.label, dv.elem, dv.spans
	dv.team, dv.member, dv.label = kir.Item, nil, dv.name("next")
	if old != kir.Item {
		dv.elem, dv.spans = nil, nil
	}
	var body []kir.Stmt
	dv.inside(&body, f)
	dv.emitLabelled(body, dv.label)
	dv.team, dv.member, dv.label, dv.elem, dv.spans = old, active, label, elem, spans
}

// step lowers into out what some work-items of a team combine between two barriers: a failed check goes to the next
// barrier, to which all of them have to come.
func (dv *device) step(out *[]kir.Stmt, f func()) {
	dv.inside(out, func() { dv.alone(f) })
}

// labelled lowers f so that a failed check goes to the end of it: a goto out of a loop in which a group waits is more
// than drivers' compilers are sure to get right.
func (dv *device) labelled(name string, f func()) {
	old := dv.label
	dv.label = dv.name(name)
	var body []kir.Stmt
	dv.inside(&body, f)
	dv.emitLabelled(body, dv.label)
	dv.label = old
}

// emitLabelled emits body with the label at its end, if something goes there. Where a group waits in body, it does at
// its end too: POCL 3.1 loses values of loops that stand between the last barrier and a label that other ways lead to.
func (dv *device) emitLabelled(body []kir.Stmt, label string) {
	if !leaves(body, label) {
		for _, s := range body {
			dv.emit(s)
		}
		return
	}
	if kir.HasBarrier(body) {
		body = append(body, &kir.Barrier{})
	}
	dv.emit(&kir.Scoped{Body: append(body, &kir.Label{Name: label})})
}
