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
		speculatable(op.Then, l.laneLevel)
		speculatable(op.Else, l.laneLevel)
		if len(op.Else.Stmts) == 0 && costly(op.Then) {
			l.ifAnyLane(s, op, c, e, depth)
			return
		}
		then := l.block(op.Then, e.child(), depth)
		els := l.block(op.Else, e.child(), depth)
		for i, d := range s.Dst {
			l.bind(d, l.selectValue(c, then[i], els[i]), e)
		}
		return
	}
	node := &kir.If{Cond: c.x}
	var then, els []value
	l.inside(&node.Then, func() { then = l.block(op.Then, e.child(), depth) })
	l.inside(&node.Else, func() { els = l.block(op.Else, e.child(), depth) })
	for i, d := range s.Dst {
		if d.T.Rank > 0 { // both branches updated one array, or left it as it was
			if then[i].arr != els[i].arr {
				veto("a sequence that a condition chooses is not compiled yet")
			}
			e.m[d] = then[i]
			continue
		}
		form, t := uniform, then[i].x.Type()
		if then[i].form != uniform || els[i].form != uniform {
			form = vector
			l.inside(&node.Then, func() { then[i] = value{x: l.vec(then[i]), form: vector} })
			l.inside(&node.Else, func() { els[i] = value{x: l.vec(els[i]), form: vector} })
			if t = then[i].x.Type(); t.Bits != 0 {
				l.inside(&node.Else, func() { els[i].x = l.maskBits(els[i].x, t.Bits) })
			}
		}
		v := l.fresh(d.Name, t)
		l.emit(&kir.Let{V: v, X: zeroOf(t)})
		node.Then = append(node.Then, &kir.Set{V: v, X: then[i].x})
		node.Else = append(node.Else, &kir.Set{V: v, X: els[i].x})
		e.m[d] = value{x: &kir.Ref{V: v}, form: form}
	}
	l.emit(node)
}

// ifAnyLane lowers a condition that differs from lane to lane and whose first branch is worth jumping over where no lane
// takes it; the other one computes nothing.
func (l *lowerer) ifAnyLane(s *ir.Stmt, op *ir.If, c value, e *env, depth int) {
	els := l.block(op.Else, e, depth)
	vars := make([]*kir.Var, len(s.Dst))
	for i, d := range s.Dst {
		x := l.vec(els[i])
		vars[i] = l.fresh(d.Name, x.Type())
		l.emit(&kir.Let{V: vars[i], X: x})
	}
	node := &kir.If{Cond: &kir.AnyLane{X: c.x}}
	l.inside(&node.Then, func() {
		for i, x := range l.block(op.Then, e.child(), depth) {
			old := value{x: &kir.Ref{V: vars[i]}, form: vector}
			if t := vars[i].T; t.Bits != 0 {
				x = value{x: l.maskBits(l.vec(x), t.Bits), form: vector}
			}
			l.emit(&kir.Set{V: vars[i], X: l.selectValue(c, x, old).x})
		}
	})
	l.emit(node)
	for i, d := range s.Dst {
		e.m[d] = value{x: &kir.Ref{V: vars[i]}, form: vector}
	}
}

// costly reports whether a branch takes much longer than the jump over it: it divides, or calls a function.
func costly(b *ir.Block) bool {
	found := false
	ir.Walk(b, func(s *ir.Stmt) {
		switch op := s.Op.(type) {
		case *ir.Binary:
			found = found || op.Fn == ir.Div
		case *ir.Unary:
			switch op.Fn {
			case ir.Sqrt, ir.Exp, ir.Log, ir.Sin, ir.Cos:
				found = true
			}
		}
	})
	return found
}

// zeroOf is the zero value of a type; a printer writes it as a declaration without a value.
func zeroOf(t kir.Type) kir.Expr {
	return &kir.Const{C: ir.Const{Kind: t.Kind}}
}

// speculatable vetoes a branch that may not run in lanes for which its condition is false: it reads memory, can fail or
// loops.
func speculatable(b *ir.Block, level int) {
	for _, s := range b.Stmts {
		switch op := s.Op.(type) {
		case *ir.Unary, *ir.Convert, *ir.Select, *ir.Len:
		case *ir.Binary:
			if (op.Fn == ir.Div || op.Fn == ir.Rem) && !op.X.Type().Kind.IsFloat() {
				veto("level %d cannot use lanes: an integer division depends on a condition", level)
			}
		case *ir.If:
			speculatable(op.Then, level)
			speculatable(op.Else, level)
		case *ir.Index:
			veto("level %d cannot use lanes: a read depends on a condition that differs from lane to lane", level)
		default:
			veto("level %d cannot use lanes: a loop or a check depends on a condition that differs from lane to lane", level)
		}
	}
}

// loop lowers a sequential loop. In a vector loop its parameters are vectors; a condition that differs from lane to
// lane is kept as a mask, and the loop runs until the last lane is done.
func (l *lowerer) loop(s *ir.Stmt, op *ir.Loop, e *env, depth int) {
	init := l.atoms(op.Init, e)
	inner := e.child()
	vars := make([]*kir.Var, len(op.Params))
	lanes := l.width > 1 && (l.varies(op, e) || anyVarying(init) || makesVectors(op))
	for i, p := range op.Params {
		if p.T.Rank > 0 {
			inner.m[p] = init[i] // updated in place
			continue
		}
		x, f := init[i].x, uniform
		if lanes {
			x, f = l.vec(init[i]), vector
			if init[i].form == uniform && p.T.Kind != ir.Bool { // vec may have shared a splat; a parameter needs a variable
				x = &kir.Splat{X: init[i].x, T: l.vectorType(p.T.Kind, l.width)}
			}
		}
		vars[i] = l.fresh(p.Name, x.Type())
		l.emit(&kir.Let{V: vars[i], X: x})
		inner.m[p] = value{x: &kir.Ref{V: vars[i]}, form: f}
	}
	assign := func(results []value, mask kir.Expr) {
		next := make([]*kir.Var, len(vars))
		for i, r := range results { // all new values before the first assignment: they may use each other's old ones
			if r.arr != nil {
				if r.arr != inner.m[op.Params[i]].arr {
					veto("a loop that carries a sequence and ends each turn with another one is not compiled yet")
				}
				continue
			}
			x := r.x
			if !lanes && r.form != uniform {
				veto("level %d cannot use lanes: a loop inside it has a variable that differs from lane to lane", l.laneLevel)
			}
			if lanes {
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
	}
	if op.I != nil {
		lo, hi := l.atom(op.Lo, e), l.atom(op.Hi, e)
		if lo.form != uniform || hi.form != uniform {
			veto("level %d cannot use lanes: a loop inside it runs a different number of times in each lane", l.laneLevel)
		}
		i := l.fresh(op.I.Name, kir.Int)
		inner.m[op.I] = scalar(&kir.Ref{V: i})
		node := &kir.For{V: i, Lo: lo.x, Hi: hi.x, Step: 1}
		l.inside(&node.Body, func() { l.scoped(func() { assign(l.block(op.Body, inner, depth), nil) }, op.Body) })
		l.emit(node)
	} else {
		node := &kir.While{}
		var c value
		l.inside(&node.Cond, func() { c = l.block(op.Cond, inner.child(), depth)[0] })
		if c.form == uniform {
			node.Test = c.x
			l.inside(&node.Body, func() { l.scoped(func() { assign(l.block(op.Body, inner, depth), nil) }, op.Body) })
			l.emit(node)
		} else {
			speculatable(op.Body, l.laneLevel)
			speculatable(op.Cond, l.laneLevel)
			// A lane that has stopped keeps its parameters, so its condition stays false: no separate mask is carried.
			mask := l.fresh("active", c.x.Type())
			l.inside(&node.Cond, func() { l.emit(&kir.Let{V: mask, X: c.x}) })
			node.Test = &kir.AnyLane{X: &kir.Ref{V: mask}}
			l.inside(&node.Body, func() { assign(l.block(op.Body, inner, depth), &kir.Ref{V: mask}) })
			l.emit(node)
		}
	}
	for i, d := range s.Dst {
		e.m[d] = inner.m[op.Params[i]]
	}
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
