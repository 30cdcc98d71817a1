package lower

import (
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// ifStmt lowers a condition. One that is the same in all lanes stays a branch; one that differs becomes both branches
// and a select, if both may run for every lane.
func (l *lowerer) ifStmt(s *ir.Stmt, op *ir.If, e *env, depth int) {
	c := l.atom(op.Cond, e)
	if c.form != uniform {
		if l.within != nil {
			if v, known := l.within.known[s]; known && len(v.rest) == 0 {
				l.onlyBranch(s, op, v.holds, e, depth)
				return
			} else if known {
				c = l.rest(v, e)
			}
		}
		if c.form != uniform {
			if !l.ifAllLanes(s, op, e, depth) {
				l.ifLanes(s, op, c, e, depth)
			}
			return
		}
	}
	node := &kir.If{Cond: c.x}
	var then, els []value
	l.inside(&node.Then, func() { then = l.block(op.Then, e.child(), depth) })
	l.inside(&node.Else, func() { els = l.block(op.Else, e.child(), depth) })
	l.on.barriersMet("a condition", node.Then, node.Else)
	l.merge(s, node, then, els, e)
}

// merge ends the branches of a condition that is the same in all lanes: they have given values to what s defines.
func (l *lowerer) merge(s *ir.Stmt, node *kir.If, then, els []value, e *env) {
	for i, d := range s.Dst {
		if d.T.Rank > 0 { // both branches updated one array, or left it as it was
			if then[i].arr != els[i].arr {
				veto("a sequence that a condition chooses is not compiled yet")
			}
			e.m[d] = then[i]
			continue
		}
		e.m[d] = l.branchValue(d, node, then[i], els[i])
	}
	l.emit(node)
}

// rest is what decides about a condition of which a border knows the other parts.
func (l *lowerer) rest(v verdict, e *env) value {
	fn := ir.Or
	if v.holds {
		fn = ir.And
	}
	all := l.atom(v.rest[0], e)
	for _, a := range v.rest[1:] {
		all = l.binary(fn, all, l.atom(a, e))
	}
	return all
}

// chosen is what a Select chooses in lanes where its condition c is known, else nil.
func (l *lowerer) chosen(s *ir.Stmt, op *ir.Select, c value) ir.Atom {
	if c.form == uniform || l.within == nil {
		return nil
	}
	v, known := l.within.known[s]
	switch {
	case !known:
		return nil
	case v.holds:
		return op.X
	}
	return op.Y
}

// onlyBranch lowers the branch of a condition that is known.
func (l *lowerer) onlyBranch(s *ir.Stmt, op *ir.If, holds bool, e *env, depth int) {
	b := op.Else
	if holds {
		b = op.Then
	}
	for i, v := range l.block(b, e.child(), depth) {
		e.m[s.Dst[i]] = v
	}
}

// branchValue declares what is one value or another behind the branches of node.
func (l *lowerer) branchValue(d *ir.Var, node *kir.If, then, els value) value {
	form, t := uniform, then.x.Type()
	switch {
	case then.form == contig && els.form == contig: // lane 0 tells all, as of the neighbour above a row, or the row itself
		form = contig
	case then.form != uniform || els.form != uniform, l.width > 1 && t.Kind.IsFloat(): // scalar floats between vectors are slow
		form = vector
		l.inside(&node.Then, func() { then = value{x: l.vec(then), form: vector} })
		l.inside(&node.Else, func() { els = value{x: l.vec(els), form: vector} })
		if t = then.x.Type(); t.Bits != 0 {
			l.inside(&node.Else, func() { els.x = l.maskBits(els.x, t.Bits) })
		}
	}
	v := l.fresh(d.Name, t)
	l.emit(&kir.Let{V: v, X: zeroOf(t)})
	node.Then = append(node.Then, &kir.Set{V: v, X: then.x})
	node.Else = append(node.Else, &kir.Set{V: v, X: els.x})
	return value{x: &kir.Ref{V: v}, form: form, wraps: then.wraps || els.wraps}
}

// zeroOf is the zero value of a type; a printer writes it as a declaration without a value.
func zeroOf(t kir.Type) kir.Expr {
	if t.Lanes > 1 {
		return &kir.ZeroOf{T: t}
	}
	return &kir.Const{C: ir.Const{Kind: t.Kind}}
}

// ifLanes lowers a condition that differs from lane to lane. Branches that may run in lanes for which they are not
// meant do so; others run with a mask.
func (l *lowerer) ifLanes(s *ir.Stmt, op *ir.If, c value, e *env, depth int) {
	var then, els []value
	if speculatable(op.Then) && speculatable(op.Else) && !costly(op.Then) && !costly(op.Else) {
		then = l.block(op.Then, e.child(), depth)
		els = l.block(op.Else, e.child(), depth)
	} else {
		c.x = l.letExpr("cond", c.x)
		then = l.masked(l.and(c.x), func() []value {
			l.guarded = l.guarded || costly(op.Then)
			return l.block(op.Then, e.child(), depth)
		})
		if len(op.Else.Stmts) == 0 {
			els = l.atoms(op.Else.Results, e)
		} else {
			other := l.letExpr("other", &kir.Un{Fn: ir.Not, X: c.x, T: c.x.Type()})
			els = l.masked(l.and(other), func() []value {
				l.guarded = l.guarded || costly(op.Else)
				return l.block(op.Else, e.child(), depth)
			})
		}
	}
	for i, d := range s.Dst {
		if d.T.Rank > 0 { // both branches updated one array, or left it as it was
			if then[i].arr != els[i].arr {
				veto("a sequence that a condition chooses is not compiled yet")
			}
			e.m[d] = then[i]
			continue
		}
		l.bind(d, l.selectValue(c, then[i], els[i]), e)
	}
}

// costly reports whether a branch takes much longer than the jump over it, where no lane takes it: it divides, or
// calls a function.
func costly(b *ir.Block) bool {
	found := false
	ir.Walk(b, func(s *ir.Stmt) {
		switch op := s.Op.(type) {
		case *ir.Binary:
			found = found || op.Fn == ir.Div || kir.CallsBinary(op.Fn)
		case *ir.Unary:
			found = found || op.Fn == ir.Sqrt || kir.CallsUnary(op.Fn)
		}
	})
	return found
}

// speculatable reports whether a branch may run in lanes for which its condition is false: it reads no memory, cannot
// fail and does not loop.
func speculatable(b *ir.Block) bool {
	for _, s := range b.Stmts {
		switch op := s.Op.(type) {
		case *ir.Unary, *ir.FMA, *ir.Convert, *ir.Select, *ir.Len:
		case *ir.Binary:
			if (op.Fn == ir.Div || op.Fn == ir.Rem) && !op.X.Type().Kind.IsFloat() {
				return false
			}
		case *ir.If:
			if !speculatable(op.Then) || !speculatable(op.Else) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// loop lowers a sequential loop. In a vector loop its parameters are vectors; a condition that differs from lane to
// lane is kept as a mask, and the loop runs until the last lane is done.
func (l *lowerer) loop(s *ir.Stmt, op *ir.Loop, e *env, depth int) {
	if l.consecutive(s, op, e, depth) {
		return
	}
	inner := e.child()
	vars := l.loopVars(op, e, inner, l.loopInLanes(op, e), l.counters(s, op, e))
	assign := func(results []value, mask kir.Expr) { l.nextTurn(op, vars, results, mask) }
	l.guarded = true
	l.loops++
	defer func() { l.loops-- }()
	if op.I != nil {
		lo, hi := l.atom(op.Lo, e), l.atom(op.Hi, e)
		switch {
		case lo.form == uniform && hi.form == uniform:
			l.counted(op, lo.x, hi.x, inner, depth, assign, scalar(nil))
		case inStep(lo, hi) && !lo.wraps && !hi.wraps: // each turn is as far from that of the lane before
			l.counted(op, lo.x, hi.x, inner, depth, assign, lo)
		default:
			l.countedLanes(op, lo, hi, inner, depth, assign)
		}
	} else {
		l.conditional(op, inner, depth, assign)
	}
	for i, d := range s.Dst {
		e.m[d] = inner.m[op.Params[i]]
	}
}

// loopInLanes reports whether a loop carries vectors.
func (l *lowerer) loopInLanes(op *ir.Loop, e *env) bool {
	return l.width > 1 && (l.varies(op, e) || anyVarying(l.atoms(op.Init, e)) || makesVectors(op) || l.boundsVary(op, e))
}

// loopVars declares what a loop carries, as vectors where lanes is set, but for counters, and puts it into inner. It
// returns the variables; there are none for sequences.
func (l *lowerer) loopVars(op *ir.Loop, e, inner *env, lanes bool, counters []bool) []*kir.Var {
	init := l.atoms(op.Init, e)
	vars := make([]*kir.Var, len(op.Params))
	l.carry(op, init, inner)
	for i, p := range op.Params {
		if p.T.Rank > 0 {
			if l.swapped[p] == nil {
				inner.m[p] = init[i] // updated in place
			}
			continue
		}
		x, f := init[i].x, uniform
		if lanes && !counters[i] {
			x, f = l.vec(init[i]), vector
			if init[i].form == uniform && p.T.Kind != ir.Bool { // vec may have shared a splat; a parameter needs a variable
				x = &kir.Splat{X: init[i].x, T: l.vectorType(p.T.Kind, l.width)}
			}
		}
		vars[i] = l.fresh(p.Name, x.Type())
		l.emit(&kir.Let{V: vars[i], X: x})
		inner.m[p] = value{x: &kir.Ref{V: vars[i]}, form: f}
	}
	return vars
}

// nextTurn assigns the results of a turn to what the loop carries, in the lanes of mask only if there is one.
func (l *lowerer) nextTurn(op *ir.Loop, vars []*kir.Var, results []value, mask kir.Expr) {
	next := make([]*kir.Var, len(vars))
	for i, r := range results { // all new values before the first assignment: they may use each other's old ones
		if r.arr != nil {
			l.keep(op.Params[i], r.arr)
			continue
		}
		x := r.x
		if lanes := vars[i].T.Lanes > 1; !lanes && r.form != uniform {
			veto("level %d cannot use lanes: a loop inside it has a variable that differs from lane to lane", l.laneLevel)
		} else if lanes {
			x = l.vec(r)
			if vars[i].T.Bits != 0 {
				x = l.maskBits(x, vars[i].T.Bits)
			}
			if mask != nil {
				x = l.selectValue(value{x: mask, form: vector}, value{x: x, form: vector}, value{x: &kir.Ref{V: vars[i]}, form: vector}).x
			}
		}
		if ref, ok := x.(*kir.Ref); ok && !contains(vars, ref.V) {
			next[i] = ref.V
			continue
		}
		next[i] = l.fresh(vars[i].Name, x.Type())
		l.emit(&kir.Let{V: next[i], X: x})
	}
	for i := range vars {
		if vars[i] != nil {
			l.emit(&kir.Set{V: vars[i], X: &kir.Ref{V: next[i]}})
		}
	}
	l.rotate(op)
}

// conditional lowers a loop that ends on a condition.
func (l *lowerer) conditional(op *ir.Loop, inner *env, depth int, assign func([]value, kir.Expr)) {
	node := &kir.While{Watched: l.on.can().watch}
	var c value
	l.inside(&node.Cond, func() { c = l.block(op.Cond, inner.child(), depth)[0] })
	if c.form == uniform {
		node.Test = c.x
		l.inside(&node.Body, func() {
			l.on.eachTurn(func() { l.scoped(func() { assign(l.turnOf(op, inner, depth), nil) }, op.Body) })
		})
		l.on.barriersMet("a loop", node.Cond, node.Body)
		l.emit(node)
	} else {
		// A lane that has stopped keeps its parameters, so its condition stays false: no separate mask is carried.
		var mask kir.Expr
		l.inside(&node.Cond, func() { mask = l.letExpr("active", l.and(c.x)) })
		node.Test = &kir.AnyLane{X: mask}
		l.turn(&node.Body, mask, op.Body, inner, depth, assign)
		l.emit(node)
	}
}

// counted lowers a loop from lo to hi in all lanes; these, and the index, vary over the lanes as like does.
func (l *lowerer) counted(op *ir.Loop, lo, hi kir.Expr, e *env, depth int, assign func([]value, kir.Expr), like value) {
	l.countedLoop(op, lo, hi, func(i value) {
		inner := e.child()
		i.form, i.by = like.form, like.by
		inner.m[op.I] = i
		assign(l.turnOf(op, inner, depth), nil)
	})
}

// countedLoop writes a loop from lo to hi around its turns.
func (l *lowerer) countedLoop(op *ir.Loop, lo, hi kir.Expr, turn func(i value)) {
	i := l.fresh(op.I.Name, kir.Int)
	l.on.counts(i)
	node := &kir.For{V: i, Lo: lo, Hi: hi, Step: 1, Watched: l.atTop && l.loops == 1}
	l.inside(&node.Body, func() {
		l.on.eachTurn(func() { l.scoped(func() { turn(scalar(&kir.Ref{V: i})) }, op.Body) })
	})
	l.on.loopBarriers(lo, hi, node.Body)
	l.emit(node)
}

func contains(vs []*kir.Var, v *kir.Var) bool {
	for _, x := range vs {
		if x == v {
			return true
		}
	}
	return false
}

func anyVarying(vs []value) bool {
	for _, v := range vs {
		if v.form != uniform {
			return true
		}
	}
	return false
}

// makesVectors reports whether the loop computes with floats, or has an operator inside: there are vectors of those
// wherever a vector loop runs, even if all lanes are the same ([lowerer.stays]).
func makesVectors(op *ir.Loop) bool {
	found := false
	is := func(a ir.Atom) { found = found || a.Type().IsScalar() && a.Type().Kind.IsFloat() }
	for _, a := range op.Init {
		is(a)
	}
	for _, b := range ir.Blocks(op) {
		ir.Walk(b, func(s *ir.Stmt) {
			switch s.Op.(type) {
			case *ir.Map, *ir.Reduce, *ir.Scan:
				found = true
			}
			for _, d := range s.Dst {
				is(d)
			}
			for _, a := range ir.Operands(s.Op) {
				is(*a)
			}
		})
	}
	return found
}

// boundsVary reports whether the loop runs a different number of times in each lane.
func (l *lowerer) boundsVary(op *ir.Loop, e *env) bool {
	return op.I != nil && (l.atom(op.Lo, e).form != uniform || l.atom(op.Hi, e).form != uniform)
}

// varies reports whether the loop's blocks use a value that differs from lane to lane.
func (l *lowerer) varies(op *ir.Loop, e *env) bool {
	for _, b := range ir.Blocks(op) {
		for _, v := range ir.Free(b) {
			if x, ok := e.get(v); ok && x.arr == nil && x.form != uniform {
				return true
			}
		}
	}
	return false
}
