package goroutine

import (
	"reflect"
	"slices"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// Lowering names every value. Where a name is used once, soon after, the printed code has the value in its place: it
// is shorter, and reads like what a person writes. The order of what reads memory and what writes it stays, as does
// what is computed in which turn of a loop and in which arm of a condition.

// lineLength is about how long a printed statement may become by that, without its indentation.
const lineLength = 110

// once returns a body in which values that are used once stand where they are used. It leaves the body itself as it is.
func once(body []kir.Stmt) []kir.Stmt {
	o := &inlining{uses: map[*kir.Var]int{}, fixed: map[*kir.Var]bool{}}
	kir.Walk(body, func(s kir.Stmt) {
		switch s := s.(type) {
		case *kir.Set:
			o.fixed[s.V] = true
		case *kir.For:
			o.fixed[s.V] = true
		}
	}, func(x kir.Expr) {
		if r, ok := x.(*kir.Ref); ok {
			o.uses[r.V]++
		}
	})
	return o.block(body, nil)
}

// inlining is what is known of a body.
type inlining struct {
	uses  map[*kir.Var]int
	fixed map[*kir.Var]bool // variables that are assigned to: they stay
	// waiting are values of the block at hand that have not come to their use yet, in their order; room is what may
	// be added to the line.
	waiting []*kir.Let
	room    int
	out     []kir.Stmt
}

// block rewrites a block. last, if there is one, rewrites what is evaluated behind it, once, with what the block has
// computed.
func (o *inlining) block(body []kir.Stmt, last func()) []kir.Stmt {
	inner := &inlining{uses: o.uses, fixed: o.fixed}
	for len(body) > 0 {
		if n := wovenAt(body); n > 0 {
			inner.together(body[:n])
			body = body[n:]
			continue
		}
		inner.stmt(body[0])
		body = body[1:]
	}
	if last != nil {
		o.waiting, o.room = inner.waiting, lineLength
		last()
		inner.waiting, o.waiting = o.waiting, nil
	}
	inner.flush(nil)
	return inner.out
}

// stmt rewrites a statement.
func (o *inlining) stmt(s kir.Stmt) {
	o.room = lineLength
	switch s := s.(type) {
	case *kir.Let:
		o.room -= len(s.V.Name) + width(s.X)
		let := &kir.Let{V: s.V, X: o.expr(s.X, true)}
		o.before(let)
		if o.waits(let) {
			o.waiting = append(o.waiting, let)
		} else {
			o.out = append(o.out, let)
		}
	case *kir.Set:
		o.room -= len(s.V.Name) + width(s.X)
		set := &kir.Set{V: s.V, X: o.expr(s.X, true)}
		o.before(set)
		o.out = append(o.out, set)
	case *kir.Store:
		o.room -= len(s.A.Name) + 20 + width(s.I) + width(s.X)
		store := &kir.Store{A: s.A, I: o.expr(s.I, true), X: o.expr(s.X, true)}
		if s.Mask != nil {
			store.Mask = o.expr(s.Mask, true)
		}
		o.before(store)
		o.out = append(o.out, store)
	case *kir.StoreEvery:
		o.room -= len(s.A.Name) + 30 + width(s.I) + width(s.X)
		store := &kir.StoreEvery{A: s.A, I: o.expr(s.I, true), By: s.By, X: o.expr(s.X, true)}
		o.before(store)
		o.out = append(o.out, store)
	case *kir.Result:
		o.room -= len(s.Name) + width(s.X)
		result := &kir.Result{Name: s.Name, X: o.expr(s.X, true)}
		o.before(result)
		o.out = append(o.out, result)
	case *kir.Check: // its arguments are printed twice
		o.before(s)
		o.out = append(o.out, s)
	case *kir.If:
		o.room -= width(s.Cond)
		c := *s
		c.Cond = o.expr(s.Cond, true)
		o.flush(nil)
		c.Then, c.Else = o.block(s.Then, nil), o.block(s.Else, nil)
		o.out = append(o.out, &c)
	case *kir.For:
		c := *s
		if s.Lo != nil && !s.Keep {
			o.room -= 60 + width(s.Lo) + width(s.Hi)
			c.Lo = o.expr(s.Lo, true)
		}
		o.flush(nil)
		c.Body = o.block(s.Body, nil)
		o.out = append(o.out, &c)
	case *kir.While:
		c := *s
		o.flush(nil)
		c.Cond = o.block(s.Cond, func() { c.Test = o.expr(s.Test, true) })
		c.Body = o.block(s.Body, nil)
		o.out = append(o.out, &c)
	default:
		o.flush(nil)
		copied := reflect.New(reflect.TypeOf(s).Elem())
		copied.Elem().Set(reflect.ValueOf(s).Elem())
		c := copied.Interface().(kir.Stmt)
		if par, ok := c.(*kir.Par); ok && par.CombinePartial != nil {
			combine := *par.CombinePartial
			par.CombinePartial = &combine
		}
		if par, ok := c.(*kir.Par); ok && par.Long != nil {
			long := *par.Long
			par.Long = &long
		}
		kir.Rewrite(c, func(b []kir.Stmt) []kir.Stmt { return o.block(b, nil) })
		o.out = append(o.out, c)
	}
}

// together rewrites statements that stay one behind the other.
func (o *inlining) together(group []kir.Stmt) {
	group = slices.Clone(group)
	for i, s := range group {
		o.room = lineLength / len(group)
		switch s := s.(type) {
		case *kir.Store:
			group[i] = &kir.Store{A: s.A, I: s.I, X: o.expr(s.X, true)}
		case *kir.StoreEvery:
			group[i] = &kir.StoreEvery{A: s.A, I: s.I, By: s.By, X: o.expr(s.X, true)}
		}
	}
	for _, s := range group {
		o.before(s)
	}
	o.out = append(o.out, group...)
}

// waits reports whether the value of a variable may stand where it is used.
func (o *inlining) waits(let *kir.Let) bool {
	v := let.V
	if o.uses[v] != 1 || o.fixed[v] || v.Memory != nil || v.Host || v.Saved {
		return false
	}
	switch x := let.X.(type) {
	case *kir.Const, *kir.ZeroOf:
		return false
	case *kir.Select:
		if v.T.Lanes == 1 {
			return false // it is printed as a condition
		}
	case *kir.Horizontal:
		return x.X.Type().Kind == ir.Bool
	}
	return !has(let.X, func(x kir.Expr) bool { _, ok := x.(*kir.Routine); return ok || calls(x) })
}

// before prints those of the waiting values that the next statement may change, or still names.
func (o *inlining) before(next kir.Stmt) {
	named := map[*kir.Var]bool{}
	kir.Walk([]kir.Stmt{next}, nil, func(x kir.Expr) {
		if r, ok := x.(*kir.Ref); ok {
			named[r.V] = true
		}
	})
	everything := kir.Calls(next)
	var assigned *kir.Var
	var written *kir.Array
	isRoutine := func(x kir.Expr) bool { _, ok := x.(*kir.Routine); return ok } // which may write besides
	switch s := next.(type) {
	case *kir.Let:
		everything = everything || has(s.X, calls) || has(s.X, isRoutine)
	case *kir.Set:
		assigned = s.V
		everything = everything || has(s.X, calls) || has(s.X, isRoutine)
	case *kir.Store, *kir.StoreEvery, *kir.Scatter:
		written = kir.ArrayOf(s)
	}
	changes := func(x kir.Expr) bool {
		switch x := x.(type) {
		case *kir.Ref:
			return x.V == assigned
		case *kir.Load, *kir.Gather, *kir.Every:
			return written != nil && same(kir.ArrayOf(x), written)
		}
		return false
	}
	o.flush(func(let *kir.Let) bool { return !everything && !named[let.V] && !has(let.X, changes) })
}

// same reports whether two arrays may share elements: those of different names do not, but for fields of the same
// structs.
func same(a, b *kir.Array) bool {
	return a.Name == b.Name || stored(a) == stored(b)
}

// flush prints the waiting values but for those that can go on waiting.
func (o *inlining) flush(waits func(*kir.Let) bool) {
	var on []*kir.Let
	for _, let := range o.waiting {
		if waits != nil && waits(let) {
			on = append(on, let)
		} else {
			o.out = append(o.out, let)
		}
	}
	o.waiting = on
}

// expr rewrites an expression. always says that it is evaluated wherever the statement is.
func (o *inlining) expr(x kir.Expr, always bool) kir.Expr {
	switch x := x.(type) {
	case *kir.Ref:
		for i, let := range o.waiting {
			if let.V != x.V {
				continue
			}
			more := width(let.X) + 2 - len(x.V.Name)
			if more > o.room || !always && has(let.X, func(x kir.Expr) bool { return reads(x) || slow(x) }) {
				return x
			}
			o.room -= more
			o.waiting = append(o.waiting[:i:i], o.waiting[i+1:]...)
			return let.X
		}
	case *kir.Bin:
		c := *x
		c.X = o.expr(x.X, always)
		short := x.T == kir.ScalarType(ir.Bool) && (x.Fn == ir.And || x.Fn == ir.Or)
		c.Y = o.expr(x.Y, always && !short)
		return &c
	case *kir.Un:
		c := *x
		c.X = o.expr(x.X, always)
		return &c
	case *kir.FMA:
		return &kir.FMA{X: o.expr(x.X, always), Y: o.expr(x.Y, always), Z: o.expr(x.Z, always)}
	case *kir.Convert:
		c := *x
		c.X = o.expr(x.X, always)
		return &c
	case *kir.Select:
		c := *x
		c.C = o.expr(x.C, always)
		if x.X.Type().Lanes > 1 {
			c.X = o.expr(x.X, always)
			if y, ok := x.Y.(*kir.Ref); ok {
				c.Y = o.expr(y, always)
			}
		} // scalars are assigned under the condition, which costs nothing if they are there already
		return &c
	case *kir.Load:
		c := *x
		c.I = o.expr(x.I, always)
		return &c
	case *kir.Gather:
		c := *x
		c.I = o.expr(x.I, always)
		return &c
	case *kir.Every:
		c := *x
		c.I = o.expr(x.I, always)
		return &c
	case *kir.Horizontal:
		return &kir.Horizontal{Fn: x.Fn, X: o.expr(x.X, always)}
	case *kir.AnyLane:
		return &kir.AnyLane{X: o.expr(x.X, always)}
	}
	return x
}

// has reports whether an expression, or one inside it, is of a sort.
func has(x kir.Expr, sort func(kir.Expr) bool) bool {
	found := false
	kir.WalkExpr(x, func(x kir.Expr) { found = found || sort(x) })
	return found
}

// reads reports whether an expression itself reads memory.
func reads(x kir.Expr) bool {
	switch x.(type) {
	case *kir.Load, *kir.Gather, *kir.Every:
		return true
	}
	return false
}

// slow reports whether an expression itself takes so long that it is not to be computed where it is not needed, or
// the other way round.
func slow(x kir.Expr) bool {
	b, ok := x.(*kir.Bin)
	return ok && (b.Fn == ir.Div || b.Fn == ir.Rem)
}

// calls reports whether an expression itself is printed as the call of a function that is not inlined: it keeps no
// registers, so that it matters what is computed before it.
func calls(x kir.Expr) bool {
	switch x := x.(type) {
	case *kir.Un:
		switch x.Fn {
		case ir.Sqrt, ir.Abs, ir.Floor, ir.Ceil, ir.Trunc:
			return false
		}
		return x.Fn.GoMath() != ""
	case *kir.Bin:
		switch x.Fn {
		case ir.Min, ir.Max:
			return false
		}
		return x.T.Lanes == 1 && x.Fn.GoOperator() == "" && x.Fn.GoMath() != ""
	case *kir.IotaBy:
		return true
	}
	return false
}

// width is about how many characters an expression is printed in.
func width(x kir.Expr) int {
	n := 0
	kir.WalkExpr(x, func(x kir.Expr) {
		vector := x.Type().Lanes > 1
		switch x := x.(type) {
		case *kir.Ref:
			n += len(x.V.Name)
		case *kir.Const:
			n += 4
		case *kir.Load:
			n += len(x.A.Name) + 14
			if vector {
				n += 8
			}
		case *kir.Splat:
			n += 30
		case *kir.Bin, *kir.Un, *kir.FMA, *kir.Convert:
			n += 5
			if vector {
				n += 3
			}
		default:
			n += 16
		}
	})
	return n
}
