package fuse

import (
	"math"

	"github.com/surge-ndp/surge/ops/ir"
)

// fold returns the atom that op always yields, or nil.
func fold(op ir.Op) ir.Atom {
	switch op := op.(type) {
	case *ir.Binary:
		return foldBinary(op.Fn, op.X, op.Y)
	case *ir.Select:
		if c, ok := op.Cond.(ir.Const); ok {
			if c.Bits != 0 {
				return op.X
			}
			return op.Y
		}
		if op.X == op.Y {
			return op.X
		}
	case *ir.Unary:
		if c, ok := op.X.(ir.Const); ok && op.Fn == ir.Not {
			return ir.BoolConst(c.Bits == 0)
		}
	case *ir.Convert:
		if op.X.Type().Kind == op.To {
			return op.X
		}
		if c, ok := op.X.(ir.Const); ok && c.Kind != ir.Bool {
			return foldConvert(op.To, c)
		}
	}
	return nil
}

func foldConvert(to ir.Kind, c ir.Const) ir.Atom {
	switch {
	case c.Kind.IsInteger() && to.IsInteger():
		return ir.IntConst(to, c.Int())
	case c.Kind.IsInteger() && to.IsFloat():
		if c.Kind.IsUnsigned() {
			return ir.FloatConst(to, float64(uint64(c.Int())))
		}
		if to == ir.Float32 {
			return ir.FloatConst(to, float64(float32(c.Int())))
		}
		return ir.FloatConst(to, float64(c.Int()))
	case c.Kind.IsFloat() && to.IsFloat():
		return ir.FloatConst(to, c.Float())
	}
	return nil // float to integer: what Go does out of range depends on the platform
}

func foldBinary(fn ir.BinaryFn, x, y ir.Atom) ir.Atom {
	cx, okx := x.(ir.Const)
	cy, oky := y.(ir.Const)
	k := x.Type().Kind
	if okx && oky {
		switch {
		case k == ir.Bool && fn == ir.And:
			return ir.BoolConst(cx.Bits != 0 && cy.Bits != 0)
		case k == ir.Bool && fn == ir.Or:
			return ir.BoolConst(cx.Bits != 0 || cy.Bits != 0)
		case k.IsFloat():
			if a := foldFloats(fn, k, cx.Float(), cy.Float()); a != nil {
				return a
			}
		case k.IsUnsigned():
			if a := foldUnsigned(fn, k, cx.Bits, cy.Bits); a != nil {
				return a
			}
		case k.IsInteger():
			if a := foldInts(fn, k, cx.Int(), cy.Int()); a != nil {
				return a
			}
		}
	}
	if k.IsInteger() {
		switch {
		case fn == ir.Add && ir.IsInt(x, 0), fn == ir.Mul && ir.IsInt(x, 1):
			return y
		case fn == ir.Add && ir.IsInt(y, 0), fn == ir.Sub && ir.IsInt(y, 0), fn == ir.Mul && ir.IsInt(y, 1), fn == ir.Div && ir.IsInt(y, 1):
			return x
		case fn == ir.Mul && (ir.IsInt(x, 0) || ir.IsInt(y, 0)):
			return ir.IntConst(k, 0)
		case fn == ir.Min && x == y, fn == ir.Max && x == y:
			return x
		case x == y && (fn == ir.Eq || fn == ir.Le || fn == ir.Ge): // as the comparisons of package cmp have it, where they look for NaN
			return ir.BoolConst(true)
		case x == y && (fn == ir.Ne || fn == ir.Lt || fn == ir.Gt):
			return ir.BoolConst(false)
		}
	}
	if x == y && (fn == ir.And || fn == ir.Or) {
		return x
	}
	if k == ir.Bool && okx != oky {
		if oky {
			cx, x, y = cy, y, x
		}
		switch { // x is the constant
		case fn == ir.And && cx.Bits != 0, fn == ir.Or && cx.Bits == 0:
			return y
		case fn == ir.And, fn == ir.Or:
			return x
		}
	}
	return nil
}

// farExponent is that of the largest power of two whose reciprocal every kind of floats has, not denormal.
const farExponent = 126

// timesReciprocal makes a product of a quotient of floats by a power of two: both are rounded from the same number, and
// vectors are multiplied in a fraction of the time.
func timesReciprocal(op *ir.Binary) {
	c, ok := op.Y.(ir.Const)
	if op.Fn != ir.Div || !ok || !c.Kind.IsFloat() {
		return
	}
	if fraction, exponent := math.Frexp(c.Float()); math.Abs(fraction) == 0.5 && max(exponent, -exponent) <= farExponent {
		op.Fn, op.Y = ir.Mul, ir.FloatConst(c.Kind, 1/c.Float())
	}
}

func foldInts(fn ir.BinaryFn, k ir.Kind, x, y int64) ir.Atom {
	switch fn {
	case ir.Add:
		return ir.IntConst(k, x+y)
	case ir.Sub:
		return ir.IntConst(k, x-y)
	case ir.Mul:
		return ir.IntConst(k, x*y)
	case ir.Div:
		if y != 0 && !(x == math.MinInt64 && y == -1) {
			return ir.IntConst(k, x/y)
		}
	case ir.Rem:
		if y != 0 && y != -1 {
			return ir.IntConst(k, x%y)
		}
	case ir.And:
		return ir.IntConst(k, x&y)
	case ir.Or:
		return ir.IntConst(k, x|y)
	case ir.Xor:
		return ir.IntConst(k, x^y)
	case ir.AndNot:
		return ir.IntConst(k, x&^y)
	case ir.Min:
		return ir.IntConst(k, min(x, y))
	case ir.Max:
		return ir.IntConst(k, max(x, y))
	}
	return foldOrder(fn, x, y)
}

func foldUnsigned(fn ir.BinaryFn, k ir.Kind, x, y uint64) ir.Atom {
	switch fn {
	case ir.Div:
		if y != 0 {
			return ir.IntConst(k, int64(x/y))
		}
		return nil
	case ir.Rem:
		if y != 0 {
			return ir.IntConst(k, int64(x%y))
		}
		return nil
	case ir.Min:
		return ir.IntConst(k, int64(min(x, y)))
	case ir.Max:
		return ir.IntConst(k, int64(max(x, y)))
	case ir.Eq, ir.Ne, ir.Lt, ir.Le, ir.Gt, ir.Ge:
		return foldOrder(fn, x, y)
	}
	return foldInts(fn, k, int64(x), int64(y)) // the same bits for signed and unsigned
}

// foldFloats rounds once, in the kind itself, as the operation at run time does.
func foldFloats(fn ir.BinaryFn, k ir.Kind, x, y float64) ir.Atom {
	round := func(f float64) ir.Atom { return ir.FloatConst(k, f) }
	switch fn {
	case ir.Add:
		return round(x + y)
	case ir.Sub:
		return round(x - y)
	case ir.Mul:
		return round(x * y)
	case ir.Div:
		return round(x / y)
	case ir.Min:
		return round(min(x, y))
	case ir.Max:
		return round(max(x, y))
	}
	return foldOrder(fn, x, y)
}

func foldOrder[T int64 | uint64 | float64](fn ir.BinaryFn, x, y T) ir.Atom {
	switch fn {
	case ir.Eq:
		return ir.BoolConst(x == y)
	case ir.Ne:
		return ir.BoolConst(x != y)
	case ir.Lt:
		return ir.BoolConst(x < y)
	case ir.Le:
		return ir.BoolConst(x <= y)
	case ir.Gt:
		return ir.BoolConst(x > y)
	case ir.Ge:
		return ir.BoolConst(x >= y)
	}
	return nil
}
