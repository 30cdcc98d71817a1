package lower

import (
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

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
	if dv.rows[s] != nil {
		if dv.lanes == nil {
			veto("level %d is a row that is added to a bin: a work-item adds all of it", depth+1)
		}
		return false
	}
	if dv.team == kir.Item {
		veto("level %d is inside a level whose elements single work-items run", depth+1)
	}
	switch op := s.Op.(type) {
	case *ir.Map:
		if lv.tile > 1 {
			dv.registerTile(s, op, []*env{e}, depth, lv)
		}
		return lv.tile > 1
	case *ir.Scatter:
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
		sh := dv.members().share(dv, intConst(0), dv.shared(n))
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
				dv.elementOf(node.V, kir.ItemOf, n, i)
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
			dv.elementOf(node.V, kir.WarpOf, n, i)
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
