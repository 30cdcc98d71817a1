package eval

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/surge-ndp/surge/ops/ir"
)

// Int returns the constant i of kind int.
func Int(i int) ir.Const { return ir.IntConst(ir.Int, int64(i)) }

// Unset is what stands in an element of a kind that has no value yet: something that shows where it is read.
func Unset(k ir.Kind) ir.Const { return Convert(k, Int(85)) }

// functions are those of package math that the IR calls by their names.
var functions = map[string]func(float64) float64{
	"Sqrt": math.Sqrt, "Abs": math.Abs, "Floor": math.Floor, "Ceil": math.Ceil, "Trunc": math.Trunc, "Exp": math.Exp, "Log": math.Log,
	"Sin": math.Sin, "Cos": math.Cos, "Round": math.Round, "RoundToEven": math.RoundToEven, "Exp2": math.Exp2, "Expm1": math.Expm1,
	"Log2": math.Log2, "Log10": math.Log10, "Log1p": math.Log1p, "Tan": math.Tan, "Asin": math.Asin, "Acos": math.Acos, "Atan": math.Atan,
	"Sinh": math.Sinh, "Cosh": math.Cosh, "Tanh": math.Tanh, "Asinh": math.Asinh, "Acosh": math.Acosh, "Atanh": math.Atanh,
	"Cbrt": math.Cbrt, "Erf": math.Erf, "Erfc": math.Erfc, "Gamma": math.Gamma,
}

// Unary returns fn(x). It panics if there is no such function of x's kind, which [ir.Verify] refuses.
func Unary(fn ir.UnaryFn, x ir.Const) ir.Const {
	switch fn {
	case ir.Neg:
		if x.Kind.IsFloat() {
			return ir.FloatConst(x.Kind, -x.Float())
		}
		return ir.IntConst(x.Kind, -x.Int())
	case ir.Not:
		return ir.BoolConst(x.Bits == 0)
	case ir.BitNo:
		return ir.IntConst(x.Kind, ^x.Int())
	case ir.IsNaN:
		return ir.BoolConst(math.IsNaN(x.Float()))
	case ir.OnesCount:
		return Int(bits.OnesCount64(x.Bits))
	case ir.LeadingZeros:
		return Int(bits.LeadingZeros64(x.Bits) - 64 + 8*x.Kind.Bytes())
	case ir.TrailingZeros:
		return Int(min(bits.TrailingZeros64(x.Bits), 8*x.Kind.Bytes()))
	case ir.ReverseBits:
		return ir.Const{Kind: x.Kind, Bits: bits.Reverse64(x.Bits) >> (64 - 8*x.Kind.Bytes())}
	case ir.ReverseBytes:
		return ir.Const{Kind: x.Kind, Bits: bits.ReverseBytes64(x.Bits) >> (64 - 8*x.Kind.Bytes())}
	case ir.FloatBits:
		if x.Kind == ir.Float32 {
			return ir.Const{Kind: ir.Uint32, Bits: uint64(math.Float32bits(float32(x.Float())))}
		}
		return ir.Const{Kind: ir.Uint64, Bits: x.Bits}
	case ir.FromBits:
		if x.Kind == ir.Uint32 {
			return ir.FloatConst(ir.Float32, float64(math.Float32frombits(uint32(x.Bits))))
		}
		return ir.Const{Kind: ir.Float64, Bits: x.Bits}
	}
	if f := functions[fn.GoMath()]; f != nil && x.Kind.IsFloat() {
		return ir.FloatConst(x.Kind, f(x.Float()))
	}
	panic(fmt.Sprintf("eval: no function %s of %s", fn, x.Kind))
}

// Binary returns fn(x, y). It panics as Go does if an integer is divided by zero, and if there is no such function of
// x's kind, which [ir.Verify] refuses.
func Binary(fn ir.BinaryFn, x, y ir.Const) ir.Const {
	switch {
	case fn.IsComparison():
		return ir.BoolConst(compare(fn, x, y))
	case x.Kind.IsFloat():
		return ir.FloatConst(x.Kind, floats(fn, x.Float(), y.Float()))
	case x.Kind == ir.Bool:
		return truths(fn, x, y)
	}
	return ir.IntConst(x.Kind, integers(fn, x, y))
}

func floats(fn ir.BinaryFn, a, b float64) float64 {
	switch fn {
	case ir.Add:
		return a + b
	case ir.Sub:
		return a - b
	case ir.Mul:
		return a * b
	case ir.Div:
		return a / b
	case ir.Min:
		return min(a, b)
	case ir.Max:
		return max(a, b)
	case ir.FMin:
		return math.Min(a, b)
	case ir.FMax:
		return math.Max(a, b)
	case ir.Fall:
		if b < a {
			return b
		}
		return a
	case ir.Rise:
		if b > a {
			return b
		}
		return a
	case ir.Pow:
		return math.Pow(a, b)
	case ir.Hypot:
		return math.Hypot(a, b)
	case ir.Atan2:
		return math.Atan2(a, b)
	case ir.CopyS:
		return math.Copysign(a, b)
	case ir.Mod:
		return math.Mod(a, b)
	}
	panic(fmt.Sprintf("eval: no function %s of floats", fn))
}

func truths(fn ir.BinaryFn, x, y ir.Const) ir.Const {
	switch fn {
	case ir.And:
		return ir.BoolConst(x.Bits&y.Bits != 0)
	case ir.Or:
		return ir.BoolConst(x.Bits|y.Bits != 0)
	case ir.Xor:
		return ir.BoolConst(x.Bits != y.Bits)
	case ir.AndNot:
		return ir.BoolConst(x.Bits&^y.Bits != 0)
	}
	panic(fmt.Sprintf("eval: no function %s of bools", fn))
}

// integers returns the result before it is cut to the width of the kind.
func integers(fn ir.BinaryFn, x, y ir.Const) int64 {
	a, b := x.Int(), y.Int()
	if x.Kind.IsUnsigned() {
		u, v := x.Bits, y.Bits
		switch fn {
		case ir.Div:
			return int64(u / v)
		case ir.Rem:
			return int64(u % v)
		case ir.Min:
			return int64(min(u, v))
		case ir.Max:
			return int64(max(u, v))
		case ir.Shr:
			return int64(u >> v)
		case ir.RotateLeft:
			width := 8 * x.Kind.Bytes()
			n := (y.Int()%int64(width) + int64(width)) % int64(width)
			return int64(u<<n | u>>(int64(width)-n))
		case ir.MulHigh:
			hi, _ := bits.Mul64(u, v)
			return int64(hi)
		}
	}
	switch fn {
	case ir.Add:
		return a + b
	case ir.Sub:
		return a - b
	case ir.Mul:
		return a * b
	case ir.Div:
		return a / b
	case ir.Rem:
		return a % b
	case ir.And:
		return a & b
	case ir.Or:
		return a | b
	case ir.Xor:
		return a ^ b
	case ir.AndNot:
		return a &^ b
	case ir.Shl:
		return a << uint64(b)
	case ir.Shr:
		return a >> uint64(b)
	case ir.Min:
		return min(a, b)
	case ir.Max:
		return max(a, b)
	}
	panic(fmt.Sprintf("eval: no function %s of %s", fn, x.Kind))
}

func compare(fn ir.BinaryFn, x, y ir.Const) bool {
	switch {
	case x.Kind.IsFloat():
		return ordered(fn, x.Float(), y.Float())
	case x.Kind.IsUnsigned(), x.Kind == ir.Bool:
		return ordered(fn, x.Bits, y.Bits)
	}
	return ordered(fn, x.Int(), y.Int())
}

func ordered[T int64 | uint64 | float64](fn ir.BinaryFn, a, b T) bool {
	switch fn {
	case ir.Eq:
		return a == b
	case ir.Ne:
		return a != b
	case ir.Lt:
		return a < b
	case ir.Le:
		return a <= b
	case ir.Gt:
		return a > b
	}
	return a >= b
}

// Convert returns the Go conversion to(x). A float that does not fit into an integer gives what this machine gives.
func Convert(to ir.Kind, x ir.Const) ir.Const {
	switch {
	case x.Kind.IsFloat() && to.IsFloat():
		return ir.FloatConst(to, x.Float())
	case x.Kind == ir.Float32:
		return truncated(to, float32(x.Float()))
	case x.Kind.IsFloat():
		return truncated(to, x.Float())
	case to == ir.Float32 && x.Kind.IsUnsigned(): // not by way of float64, which would round twice
		return ir.FloatConst(to, float64(float32(x.Bits)))
	case to == ir.Float32:
		return ir.FloatConst(to, float64(float32(x.Int())))
	case to.IsFloat() && x.Kind.IsUnsigned():
		return ir.FloatConst(to, float64(x.Bits))
	case to.IsFloat():
		return ir.FloatConst(to, float64(x.Int()))
	case to == ir.Bool:
		return ir.BoolConst(x.Bits != 0)
	}
	return ir.IntConst(to, x.Int())
}

func truncated[T float32 | float64](to ir.Kind, f T) ir.Const {
	switch to {
	case ir.Int8:
		return ir.IntConst(to, int64(int8(f)))
	case ir.Int16:
		return ir.IntConst(to, int64(int16(f)))
	case ir.Int32:
		return ir.IntConst(to, int64(int32(f)))
	case ir.Uint8:
		return ir.IntConst(to, int64(uint8(f)))
	case ir.Uint16:
		return ir.IntConst(to, int64(uint16(f)))
	case ir.Uint32:
		return ir.IntConst(to, int64(uint32(f)))
	case ir.Uint, ir.Uint64:
		return ir.Const{Kind: to, Bits: uint64(f)}
	}
	return ir.IntConst(to, int64(f))
}
