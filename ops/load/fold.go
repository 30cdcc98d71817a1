package load

import (
	"math"

	"github.com/surge-ndp/surge/ops/ir"
)

// Integer arithmetic on constants is done when the kernel is compiled, so that the indices of unrolled loops are
// constants. What can fail, and floating-point arithmetic, is left to the run.

// foldBinary returns x fn y, of integers or booleans, if both are constants.
func foldBinary(fn ir.BinaryFn, x, y ir.Atom) (ir.Const, bool) {
	a, ok := x.(ir.Const)
	b, isConst := y.(ir.Const)
	if !ok || !isConst || a.Kind.IsFloat() || b.Kind.IsFloat() {
		return ir.Const{}, false
	}
	unsigned := a.Kind.IsUnsigned()
	if fn.IsComparison() {
		less, equal := a.Int() < b.Int(), a.Bits == b.Bits
		if unsigned {
			less = a.Bits < b.Bits
		}
		holds := map[ir.BinaryFn]bool{ir.Eq: equal, ir.Ne: !equal, ir.Lt: less, ir.Le: less || equal, ir.Gt: !less && !equal, ir.Ge: !less}
		return ir.BoolConst(holds[fn]), true
	}
	if a.Kind == ir.Bool {
		return ir.Const{}, false
	}
	i, j := a.Int(), b.Int()
	switch fn {
	case ir.Add:
		i += j
	case ir.Sub:
		i -= j
	case ir.Mul:
		i *= j
	case ir.And:
		i &= j
	case ir.Or:
		i |= j
	case ir.Xor:
		i ^= j
	case ir.AndNot:
		i &^= j
	case ir.Shl:
		if j < 0 {
			return ir.Const{}, false
		}
		i <<= uint64(j)
	case ir.Shr:
		switch {
		case !b.Kind.IsUnsigned() && j < 0:
			return ir.Const{}, false
		case unsigned:
			i = int64(a.Bits >> uint64(j))
		default:
			i >>= uint64(j)
		}
	case ir.Div, ir.Rem:
		switch {
		case j == 0:
			return ir.Const{}, false
		case unsigned && fn == ir.Div:
			i = int64(a.Bits / b.Bits)
		case unsigned:
			i = int64(a.Bits % b.Bits)
		case i == math.MinInt64 && j == -1:
			return ir.Const{}, false
		case fn == ir.Div:
			i /= j
		default:
			i %= j
		}
	case ir.Min, ir.Max:
		less := i < j
		if unsigned {
			less = a.Bits < b.Bits
		}
		if less != (fn == ir.Min) {
			i = j
		}
	default:
		return ir.Const{}, false
	}
	return ir.IntConst(a.Kind, i), true
}

// foldConvert returns the conversion of a constant to another kind, but not of a float to an integer.
func foldConvert(a ir.Atom, to ir.Kind) (ir.Const, bool) {
	c, ok := a.(ir.Const)
	switch {
	case !ok || c.Kind == ir.Bool || to == ir.Bool:
		return ir.Const{}, false
	case c.Kind.IsInteger() && to.IsInteger():
		return ir.IntConst(to, c.Int()), true
	case c.Kind.IsFloat() && to.IsFloat():
		return ir.FloatConst(to, c.Float()), true
	case c.Kind.IsFloat():
		return ir.Const{}, false
	case to == ir.Float32 && c.Kind.IsUnsigned():
		return ir.FloatConst(to, float64(float32(c.Bits))), true
	case to == ir.Float32:
		return ir.FloatConst(to, float64(float32(c.Int()))), true
	case c.Kind.IsUnsigned():
		return ir.FloatConst(to, float64(c.Bits)), true
	}
	return ir.FloatConst(to, float64(c.Int())), true
}
