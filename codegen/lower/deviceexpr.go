package lower

import (
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

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
