package goroutine

import (
	"fmt"
	"reflect"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// half is half k of a vector: 0 for the lower lanes.
func (h *halver) half(x kir.Expr, k int) kir.Expr {
	t := x.Type()
	switch {
	case t.Lanes == 1:
		if hasVector(x) || hasLoad(x) {
			return h.simple(x)
		}
		return x
	case !isHalved(t):
		return halfOfWhole(h.simple(x), k)
	}
	switch x := x.(type) {
	case *kir.Ref:
		return &kir.Ref{V: h.of[x.V][k]}
	case *kir.ZeroOf:
		return &kir.ZeroOf{T: halfOf(t)}
	case *kir.Bin:
		return &kir.Bin{Fn: x.Fn, X: h.half(x.X, k), Y: h.half(x.Y, k), T: halfOf(t), Wrap: x.Wrap}
	case *kir.Un:
		h.failed = h.failed || x.Fn == kir.RSqrtEstimate // which needs AVX-512
		return &kir.Un{Fn: x.Fn, X: h.half(x.X, k), T: halfOf(t)}
	case *kir.FMA:
		return &kir.FMA{X: h.half(x.X, k), Y: h.half(x.Y, k), Z: h.half(x.Z, k)}
	case *kir.Convert:
		return &kir.Convert{X: h.half(x.X, k), T: halfOf(t)}
	case *kir.Select:
		return &kir.Select{C: h.half(x.C, k), X: h.half(x.X, k), Y: h.half(x.Y, k)}
	case *kir.Splat: // both are the same
		if h.once[x] == nil {
			h.once[x] = h.named(&kir.Splat{X: h.whole(x.X), T: halfOf(t)})
		}
		return h.once[x]
	case *kir.Load:
		l := &kir.Load{A: x.A, I: plus(h.half(x.I, k), 4*k), T: halfOf(t)}
		if x.Mask != nil {
			l.Mask = h.half(x.Mask, k)
		}
		return l
	case *kir.Every:
		return &kir.Every{A: x.A, I: plus(h.half(x.I, k), 4*k*x.By), By: x.By, T: halfOf(t)}
	case *kir.Gather:
		g := &kir.Gather{A: x.A, I: h.half(x.I, k), T: halfOf(t)}
		if x.Mask != nil {
			g.Mask = h.half(x.Mask, k)
		}
		return g
	case *kir.Iota:
		if x.T.Kind.IsInteger() {
			return &kir.Iota{Start: plus(h.half(x.Start, k), 4*k), T: halfOf(t)}
		}
	case *kir.IotaBy:
		return &kir.IotaBy{Fn: x.Fn, Start: plus(h.half(x.Start, k), 4*k), D: h.half(x.D, k), T: halfOf(t)}
	case *kir.FirstLanes:
		return &kir.FirstLanes{Start: plus(h.half(x.Start, k), 4*k), Bound: h.half(x.Bound, k), OrEqual: x.OrEqual, T: halfOf(t)}
	}
	h.failed = true
	return &kir.ZeroOf{T: halfOf(t)}
}

// halfOfWhole is half k of a vector that is not computed by halves.
func halfOfWhole(x kir.Expr, k int) kir.Expr {
	switch x := x.(type) {
	case *kir.Splat:
		return &kir.Splat{X: x.X, T: halfOf(x.T)}
	case *kir.ZeroOf:
		return &kir.ZeroOf{T: halfOf(x.T)}
	}
	return &kir.Half{X: x, High: k == 1}
}

// whole is an expression of another type, in which vectors that are computed by halves are joined to narrower ones,
// or to scalars.
func (h *halver) whole(x kir.Expr) kir.Expr {
	if !hasHalved(x) {
		return x
	}
	join := func(half func(k int) kir.Expr) kir.Expr { return &kir.Join{Lo: half(0), Hi: half(1)} }
	switch x := x.(type) {
	case *kir.Convert:
		if isHalved(x.X.Type()) {
			return join(func(k int) kir.Expr { return &kir.Convert{X: h.half(x.X, k), T: halfOf(x.T)} })
		}
	case *kir.Gather:
		if isHalved(x.I.Type()) {
			return join(func(k int) kir.Expr {
				g := &kir.Gather{A: x.A, I: h.half(x.I, k), T: halfOf(x.T)}
				if x.Mask != nil {
					g.Mask = h.half(x.Mask, k)
				}
				return g
			})
		}
	case *kir.Horizontal:
		if isHalved(x.X.Type()) {
			both := &kir.Bin{Fn: x.Fn, X: h.half(x.X, 0), Y: h.half(x.X, 1), T: halfOf(x.X.Type()), Wrap: x.X.Type().Kind.IsInteger()}
			return &kir.Horizontal{Fn: x.Fn, X: both}
		}
	case *kir.AnyLane:
		if isHalved(x.X.Type()) {
			return &kir.AnyLane{X: &kir.Bin{Fn: ir.Or, X: h.half(x.X, 0), Y: h.half(x.X, 1), T: halfOf(x.X.Type())}}
		}
	case *kir.CountLanes:
		if isHalved(x.X.Type()) {
			return &kir.Bin{Fn: ir.Add, X: &kir.CountLanes{X: h.half(x.X, 0)}, Y: &kir.CountLanes{X: h.half(x.X, 1)}, T: kir.Int}
		}
	case *kir.Lane:
		if isHalved(x.X.Type()) {
			return &kir.Lane{X: h.half(x.X, x.K/4), K: x.K % 4}
		}
	case *kir.LaneWhere:
		return h.laneWhere(x)
	}
	return h.operands(x)
}

// laneWhere is the lane in the half that has it.
func (h *halver) laneWhere(x *kir.LaneWhere) kir.Expr {
	var lanes, any [2]kir.Expr
	for k := range lanes {
		mask := h.named(h.half(x.Mask, k))
		lanes[k], any[k] = &kir.LaneWhere{X: h.half(x.X, k), Mask: mask}, &kir.AnyLane{X: mask}
	}
	none := &kir.Un{Fn: ir.Not, X: any[0], T: kir.ScalarType(ir.Bool)}
	higher := &kir.Bin{Fn: ir.And, X: none, Y: any[1], T: kir.ScalarType(ir.Bool)}
	return &kir.Select{C: higher, X: lanes[1], Y: lanes[0]}
}

// operands copies a node that is not computed by halves, and whose operands are not.
func (h *halver) operands(x kir.Expr) kir.Expr {
	for _, o := range kir.Operands(x) {
		if isHalved(o.Type()) {
			h.failed = true
			return x
		}
	}
	node := reflect.New(reflect.TypeOf(x).Elem())
	node.Elem().Set(reflect.ValueOf(x).Elem())
	for i := range node.Elem().NumField() {
		switch f := node.Elem().Field(i); {
		case f.Type() == exprType && !f.IsNil():
			f.Set(reflect.ValueOf(h.whole(f.Interface().(kir.Expr))))
		case f.Kind() == reflect.Slice: // the arguments of a routine
			h.failed = true
		}
	}
	return node.Interface().(kir.Expr)
}

func hasHalved(x kir.Expr) bool {
	found := false
	kir.WalkExpr(x, func(x kir.Expr) { found = found || isHalved(x.Type()) })
	return found
}

func hasVector(x kir.Expr) bool {
	found := false
	kir.WalkExpr(x, func(x kir.Expr) { found = found || x.Type().Lanes > 1 })
	return found
}

func hasLoad(x kir.Expr) bool {
	found := false
	kir.WalkExpr(x, func(x kir.Expr) {
		_, ok := x.(*kir.Load)
		found = found || ok
	})
	return found
}

// plus is an index and a distance.
func plus(x kir.Expr, n int) kir.Expr {
	if n == 0 {
		return x
	}
	t := x.Type()
	return &kir.Bin{Fn: ir.Add, X: x, Y: &kir.Const{C: ir.IntConst(t.Kind, int64(n))}, T: t}
}

// join prints two halves as one vector. What calls a function for each half has a function of its own for both: the
// compiler would save the first half by an instruction that is slow among wider vectors.
func (p *printer) join(x *kir.Join) string {
	switch lo := x.Lo.(type) {
	case *kir.Gather:
		hi, ok := x.Hi.(*kir.Gather)
		if !ok || lo.A != hi.A {
			break
		}
		base, i := p.gathers(lo)
		_, j := p.gathers(hi)
		args := fmt.Sprintf("%s, %s, %s", base, i, j)
		if lo.Mask == nil {
			return fmt.Sprintf("vec.GatherHalves%s(%s)", memoryName(x.Type()), args)
		}
		mask := p.join(&kir.Join{Lo: lo.Mask, Hi: hi.Mask})
		return fmt.Sprintf("vec.GatherMaskHalves%s(%s, %s, vec.Splat%s(0))", memoryName(x.Type()), args, mask, vecName(x.Type()))
	case *kir.Half:
		if hi, ok := x.Hi.(*kir.Half); ok && !lo.High && hi.High && kir.Equal(lo.X, hi.X) {
			return p.expr(lo.X)
		}
	case *kir.Convert:
		hi, ok := x.Hi.(*kir.Convert)
		if from := lo.X.Type(); ok && lo.T.Kind == ir.Bool && from.Bits == 64 && hi.X.Type() == from {
			return fmt.Sprintf("vec.JoinM32x8OfM64x4(%s, %s)", p.expr(lo.X), p.expr(hi.X))
		}
		if from := lo.X.Type(); ok && lo.T.Kind == ir.Float32 && container(from.Kind) == ir.Int64 && !wide(from.Kind) {
			return fmt.Sprintf("vec.JoinF32x8OfI64x4(%s, %s)", p.expr(lo.X), p.expr(hi.X))
		}
	}
	return fmt.Sprintf("vec.Join%s(%s, %s)", vecName(x.Type()), p.expr(x.Lo), p.expr(x.Hi))
}

// half is the function that takes a half of a vector.
func (p *printer) half(x *kir.Half) string {
	if x.High {
		return "vec.High" + vecName(x.X.Type())
	}
	return "vec.Low" + vecName(x.X.Type())
}
