package lower

import (
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// iotaBinary is laneBinary of consecutive numbers and one number, where that takes no vector of numbers.
func (l *lowerer) iotaBinary(fn ir.BinaryFn, x, y value) (value, bool) {
	swapped := map[ir.BinaryFn]ir.BinaryFn{ir.Lt: ir.Gt, ir.Le: ir.Ge, ir.Gt: ir.Lt, ir.Ge: ir.Le}
	if other, ok := swapped[fn]; ok && x.form == uniform && y.form == contig {
		fn, x, y = other, y, x
	}
	if x.form != contig || y.form != uniform {
		return value{}, false
	}
	switch fn {
	case ir.Div, ir.Rem:
		by := y.x
		if l.active != nil && !isNonzero(by) {
			return value{}, false // it may be zero, and only the lanes that are not active survive that
		}
		return value{x: l.letExpr(string(fn), &kir.IotaBy{Fn: fn, Start: x.x, D: by, T: l.vectorType(x.x.Type().Kind, l.width)}), form: vector}, true
	case ir.Lt, ir.Le, ir.Gt, ir.Ge:
		if x.wraps {
			return value{}, false
		}
		t := kir.Type{Kind: ir.Bool, Lanes: l.width, Bits: 64}
		if l.width > 8 {
			t.Bits = 32
		}
		m := kir.Expr(&kir.FirstLanes{Start: x.x, Bound: y.x, OrEqual: fn == ir.Le || fn == ir.Gt, T: t})
		if fn == ir.Gt || fn == ir.Ge {
			m = &kir.Un{Fn: ir.Not, X: m, T: t}
		}
		return value{x: l.letExpr("m", m), form: vector}, true
	}
	return value{}, false
}

// isSmall reports whether x is a constant that positions, which count what is in memory, cannot overflow by.
func isSmall(x kir.Expr) bool {
	c, ok := x.(*kir.Const)
	return ok && c.C.Int() == int64(int32(c.C.Int()))
}

func isNonzero(x kir.Expr) bool {
	c, ok := x.(*kir.Const)
	return ok && c.C.Int() != 0
}

// activeFor is the mask of the active lanes for elements of kind k, nil for all lanes.
func (l *lowerer) activeFor(k ir.Kind) kir.Expr {
	if l.active == nil {
		return nil
	}
	return l.maskFor(l.active, k)
}

// and is the mask of the active lanes in which m holds.
func (l *lowerer) and(m kir.Expr) kir.Expr {
	if l.active == nil {
		return m
	}
	t := m.Type()
	return l.letExpr("active", &kir.Bin{Fn: ir.And, X: m, Y: l.maskBits(l.active, t.Bits), T: t})
}

// masked lowers what only the lanes in mask run, and returns its results as vectors that exist after it. Reads that no
// lane may make are behind a branch.
func (l *lowerer) masked(mask kir.Expr, f func() []value) []value {
	var body []kir.Stmt
	active, guarded := l.active, l.guarded
	l.active, l.guarded = mask, false
	var vs []value
	l.inside(&body, func() { vs = f() })
	if !l.guarded {
		for _, s := range body {
			l.emit(s)
		}
		l.active, l.guarded = active, guarded
		return vs
	}
	node := &kir.If{Cond: &kir.AnyLane{X: mask}, Then: body}
	out := make([]value, len(vs))
	for i, v := range vs {
		if out[i] = v; v.arr != nil {
			continue
		}
		if _, ok := v.x.(*kir.Const); ok {
			continue
		}
		l.inside(&node.Then, func() { v.x = l.vec(v) })
		r := l.fresh("r", v.x.Type())
		l.emit(&kir.Let{V: r, X: zeroOf(r.T)})
		node.Then = append(node.Then, &kir.Set{V: r, X: v.x})
		out[i] = value{x: &kir.Ref{V: r}, form: vector}
	}
	l.emit(node)
	l.active, l.guarded = active, true
	return out
}

// checkEnds checks consecutive indices, of all lanes, by the first of them and, where that is one, the last: the first
// index beyond the end is the limit itself. It reports false, having done nothing, for other checks.
func (l *lowerer) checkEnds(c *kir.Check, args []value, op *ir.Check) bool {
	if op.Kind != ir.CheckIndex || l.active != nil || args[0].form != contig || args[1].form != uniform || args[0].x.Type() != kir.Int {
		return false
	}
	first := args[0].x
	last := l.integer(ir.Min, add(first, intConst(l.width-1)), args[1].x)
	for _, i := range []kir.Expr{first, last} {
		end := *c
		end.Args, end.Leave = []kir.Expr{i, args[1].x}, l.on.leave([]kir.Expr{i, args[1].x})
		l.emit(&end)
	}
	return true
}

// checkLanes checks lane by lane: the first lane in which the condition does not hold is reported.
func (l *lowerer) checkLanes(c *kir.Check, args []value, op *ir.Check, e *env) {
	zero := scalar(&kir.Const{C: ir.Const{Kind: args[0].x.Type().Kind}})
	var bad value
	switch c.Kind {
	case ir.CheckIndex:
		bad = l.laneOr(l.binary(ir.Lt, args[0], zero), l.binary(ir.Ge, args[0], args[1]))
	case ir.CheckBounds:
		bad = l.laneOr(l.laneOr(l.binary(ir.Lt, args[0], zero), l.binary(ir.Lt, args[1], args[0])), l.binary(ir.Gt, args[1], args[2]))
	case ir.CheckSize:
		bad = l.binary(ir.Le, args[0], zero)
	case ir.CheckNonneg:
		bad = l.binary(ir.Lt, args[0], zero)
	case ir.CheckPanic:
		bad = l.laneUnary(ir.Not, args[0])
	case ir.CheckNonzero:
		bad = l.binary(ir.Eq, args[0], zero)
	default:
		veto("level %d cannot use lanes: a check of computed values is made one by one", l.laneLevel)
	}
	if bad.form == uniform {
		veto("level %d cannot use lanes: a check of computed values is made one by one", l.laneLevel)
	}
	mask := l.letExpr("bad", l.and(bad.x))
	node := &kir.If{Cond: &kir.AnyLane{X: mask}}
	found := func(v value) kir.Expr {
		switch {
		case v.form == uniform:
			return v.x
		case v.form == contig:
			return &kir.LaneWhere{X: &kir.Iota{Start: v.x, T: l.vectorType(v.x.Type().Kind, l.width)}, Mask: mask}
		case v.x.Type().Kind == ir.Bool: // what a panic depends on
			return &kir.Const{C: ir.BoolConst(false)}
		}
		return &kir.LaneWhere{X: l.vec(v), Mask: mask}
	}
	l.inside(&node.Then, func() {
		for _, v := range args {
			c.Args = append(c.Args, found(v))
		}
		if read := l.defs.Read(op.Args[0]); read != nil && (op.Kind == ir.CheckIndex || op.Kind == ir.CheckBounds) {
			if i, ok := e.getAtom(read.I); ok {
				c.Position = found(i)
			}
		}
		c.Failed = true
		l.emit(c)
	})
	l.emit(node)
}

func (l *lowerer) laneOr(x, y value) value {
	if x.form == uniform && y.form == uniform {
		return scalar(&kir.Bin{Fn: ir.Or, X: x.x, Y: y.x, T: kir.ScalarType(ir.Bool)})
	}
	return l.laneBinary(ir.Or, x, y)
}
