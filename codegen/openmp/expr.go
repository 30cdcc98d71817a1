package openmp

import (
	"fmt"
	"math"
	"strings"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// variable prints a variable of the function, or a scalar of the frame.
func (q *function) variable(v *kir.Var) string {
	if v.Host {
		return q.names.name(host{v.Name}, v.Name)
	}
	return q.names.name(v, v.Name)
}

func (q *function) array(a *kir.Array) string { return q.names.name(a, a.Name) }

// address prints where an element lies.
func (q *function) address(a kir.Arg) string {
	if c, ok := a.X.(*kir.Const); ok && c.C.Int() == 0 {
		return q.array(a.A)
	}
	return q.array(a.A) + " + " + q.operand(a.X)
}

// expr prints an expression. C computes narrow integers as int: what leaves their range is cut off.
func (q *function) expr(x kir.Expr) string {
	switch x := x.(type) {
	case *kir.Ref:
		return q.variable(x.V)
	case *kir.Const:
		return constant(x.C)
	case *kir.Length:
		return q.names.name(length{x.A.Name}, lengthOf(x.A.Name))
	case *kir.Bin:
		return q.binary(x)
	case *kir.Un:
		return q.unary(x)
	case *kir.FMA:
		return fmt.Sprintf("surge_fma_%s(%s, %s, %s)", typed(x.X.Type().Kind), q.expr(x.X), q.expr(x.Y), q.expr(x.Z))
	case *kir.Convert:
		return q.convert(x)
	case *kir.Select:
		return fmt.Sprintf("(%s ? %s : %s)", q.operand(x.C), q.operand(x.X), q.operand(x.Y))
	case *kir.Load:
		return fmt.Sprintf("%s[%s]", q.array(x.A), q.expr(x.I))
	}
	panic(fmt.Sprintf("openmp: expression %T", x))
}

// operand prints an expression that something follows or precedes.
func (q *function) operand(x kir.Expr) string {
	s := q.expr(x)
	switch x := x.(type) {
	case *kir.Bin, *kir.Un, *kir.Convert:
		if strings.ContainsAny(s, " -~!(") {
			return "(" + s + ")"
		}
	case *kir.Const:
		if s[0] == '-' || x.C.Kind == ir.Invalid {
			return "(" + s + ")"
		}
	}
	return s
}

// constant prints a constant of its kind.
func constant(c ir.Const) string {
	switch c.Kind {
	case ir.Bool:
		if c.Bits != 0 {
			return "true"
		}
		return "false"
	case ir.Float32, ir.Float64:
		f, suffix := c.Float(), "f"
		if c.Kind == ir.Float64 {
			suffix = ""
		}
		switch {
		case math.IsNaN(f):
			return "(" + ctypes[c.Kind] + ")NAN"
		case math.IsInf(f, 1):
			return "(" + ctypes[c.Kind] + ")INFINITY"
		case math.IsInf(f, -1):
			return "-(" + ctypes[c.Kind] + ")INFINITY"
		}
		text, _, _ := strings.Cut(c.String(), ":")
		if !strings.ContainsAny(text, ".e") {
			text += ".0"
		}
		return text + suffix
	case ir.Int, ir.Int64:
		if c.Int() == math.MinInt64 {
			return "INT64_MIN"
		}
		if fitsInt(c) {
			return fmt.Sprint(c.Int())
		}
		return fmt.Sprintf("INT64_C(%d)", c.Int())
	case ir.Uint, ir.Uint64:
		return fmt.Sprintf("UINT64_C(%d)", c.Bits)
	case ir.Uint32:
		return fmt.Sprintf("%dU", uint32(c.Bits))
	case ir.Int32:
		if c.Int() == math.MinInt32 {
			return "INT32_MIN"
		}
		return fmt.Sprint(c.Int())
	}
	return fmt.Sprint(c.Int())
}

// fitsInt reports whether a constant is an int in C.
func fitsInt(c ir.Const) bool { return c.Int() > math.MinInt32 && c.Int() <= math.MaxInt32 }

// typed names a kind in functions of the prelude: min_f64.
func typed(k ir.Kind) string {
	switch k {
	case ir.Int:
		return "i64"
	case ir.Uint:
		return "u64"
	}
	s := k.String()
	return s[:1] + strings.TrimLeft(s, "abcdefghijklmnopqrstuvwxyz")
}

func narrow(k ir.Kind) bool { return k.IsInteger() && k.Bytes() < 4 }

// cut makes what C computed as an int a value of a narrow kind again.
func cut(k ir.Kind, text string) string {
	if narrow(k) {
		return fmt.Sprintf("(%s)(%s)", ctypes[k], text)
	}
	return text
}

func (q *function) binary(x *kir.Bin) string {
	k := x.X.Type().Kind
	a, b := q.operand(x.X), q.operand(x.Y)
	if c, ok := x.X.(*kir.Const); ok && k.IsInteger() && k.Bytes() == 8 && fitsInt(c.C) { // 64 bits even if the other is constant too
		a = fmt.Sprintf("(%s)%s", ctypes[k], a)
	}
	call := func(name string) string {
		return fmt.Sprintf("%s(%s, %s)", name, q.expr(x.X), q.expr(x.Y))
	}
	switch x.Fn {
	case ir.Min, ir.Max, ir.FMin, ir.FMax, ir.RotateLeft:
		return call(fmt.Sprintf("surge_%s_%s", x.Fn, typed(k)))
	case ir.MulHigh:
		return call("surge_mulhigh")
	case ir.CopyS:
		if k == ir.Float32 {
			return call("copysignf")
		}
		return call("copysign")
	case ir.Mod, ir.Pow, ir.Atan2, ir.Hypot:
		name := string(x.Fn)
		if x.Fn == ir.Mod {
			name = "fmod"
		}
		if k == ir.Float32 {
			return fmt.Sprintf("(float)%s((double)%s, (double)%s)", name, a, b)
		}
		return call(name)
	case ir.And, ir.Or, ir.Xor:
		if k == ir.Bool {
			return a + map[ir.BinaryFn]string{ir.And: " & ", ir.Or: " | ", ir.Xor: " != "}[x.Fn] + b
		}
	case ir.AndNot:
		return cut(k, a+" & ~"+b)
	case ir.Div, ir.Rem:
		c, isConst := x.Y.(*kir.Const)
		if k.IsFloat() || k.IsUnsigned() || isConst && c.C.Int() > 0 {
			break
		}
		return call(fmt.Sprintf("surge_%s_%s", x.Fn, typed(k)))
	case ir.Shl, ir.Shr:
		if c, ok := x.Y.(*kir.Const); ok && c.C.Bits < uint64(8*k.Bytes()) {
			if x.Fn == ir.Shr {
				return cut(k, fmt.Sprintf("%s >> %d", a, c.C.Bits))
			}
			return fmt.Sprintf("(%s)((uint64_t)%s << %d)", ctypes[k], a, c.C.Bits)
		}
		return fmt.Sprintf("surge_%s_%s(%s, (uint64_t)%s)", x.Fn, typed(k), q.expr(x.X), b)
	}
	text := a + " " + x.Fn.GoOperator() + " " + b
	if x.Fn.IsComparison() {
		return text
	}
	return cut(k, text)
}

var unaryNames = map[ir.UnaryFn]string{ir.Abs: "fabs", "roundtoeven": "rint", "gamma": "tgamma"}

// exact are the functions whose result does not depend on whether a float32 is widened before.
var exact = map[ir.UnaryFn]bool{ir.Abs: true, ir.Sqrt: true, ir.Floor: true, ir.Ceil: true, ir.Trunc: true, ir.Round: true, ir.RoundToEven: true}

func (q *function) unary(x *kir.Un) string {
	k := x.X.Type().Kind
	a := q.operand(x.X)
	switch x.Fn {
	case ir.Neg:
		return cut(k, "-"+a)
	case ir.Not:
		return "!" + a
	case ir.BitNo:
		return cut(k, "~"+a)
	case ir.IsNaN:
		return a + " != " + a
	case ir.OnesCount, ir.LeadingZeros, ir.TrailingZeros, ir.ReverseBits, ir.ReverseBytes:
		return fmt.Sprintf("surge_%s_%s(%s)", x.Fn, typed(k), q.expr(x.X))
	case ir.FloatBits:
		return fmt.Sprintf("surge_bits_%s(%s)", typed(k), q.expr(x.X))
	case ir.FromBits:
		return fmt.Sprintf("surge_from_%s(%s)", typed(x.T.Kind), q.expr(x.X))
	}
	name := unaryNames[x.Fn]
	if name == "" {
		name = string(x.Fn)
	}
	switch {
	case k == ir.Float32 && exact[x.Fn]:
		name += "f"
	case k == ir.Float32:
		return fmt.Sprintf("(float)%s((double)%s)", name, a)
	}
	return name + "(" + q.expr(x.X) + ")"
}

func (q *function) convert(x *kir.Convert) string {
	from, to := x.X.Type().Kind, x.T.Kind
	if from == to || ctypes[from] == ctypes[to] {
		return q.expr(x.X)
	}
	if from.IsFloat() && to.IsInteger() { // out of range, C says nothing, and Go what the processor does
		return fmt.Sprintf("surge_%s_of_%s(%s)", typed(to), typed(from), q.expr(x.X))
	}
	return fmt.Sprintf("(%s)%s", ctypes[to], q.operand(x.X))
}
