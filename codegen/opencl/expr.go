package opencl

import (
	"fmt"
	"math"
	"strings"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// expr prints an expression of its own type. C computes narrow integers as int: what leaves their range is cut off.
func (p *printer) expr(x kir.Expr) string {
	switch x := x.(type) {
	case *kir.Ref:
		if x.V.Host {
			return p.param(Arg{Kind: Field, Name: x.V.Name}, func(n string) string {
				return fmt.Sprintf("%s %s", p.memory(x.V.T.Kind), n)
			}, x.V.Name)
		}
		return p.name(x.V, x.V.Name)
	case *kir.Const:
		return p.constant(x.C)
	case *kir.Length:
		return p.param(Arg{Kind: Length, Name: x.A.Name}, func(n string) string { return "long " + n }, "len_"+x.A.Name)
	case *kir.Place:
		return places[x.What]
	case *kir.GroupsOf:
		return p.param(Arg{Kind: Groups, Number: x.Step}, func(n string) string { return "long " + n }, fmt.Sprintf("groups_%d", x.Step+1))
	case *kir.Found:
		return p.param(Arg{Kind: Found, Number: x.Step}, func(n string) string { return "long " + n }, fmt.Sprintf("found_%d", x.Step+1))
	case *kir.RoundOf:
		return p.param(Arg{Kind: Round}, func(n string) string { return "long " + n }, "round")
	case *kir.Bin:
		return p.binary(x)
	case *kir.Un:
		return p.unary(x)
	case *kir.Convert:
		return p.convert(x)
	case *kir.FMA:
		k := x.Type().Kind
		return fmt.Sprintf("fma(%s, %s, %s)", p.exprAs(x.X, k), p.exprAs(x.Y, k), p.exprAs(x.Z, k))
	case *kir.Select:
		k := x.Type().Kind
		return fmt.Sprintf("(%s ? %s : %s)", p.operand(x.C), p.exprAs(x.X, k), p.exprAs(x.Y, k))
	case *kir.Load:
		text := p.element(x.A, p.exprAs(x.I, ir.Int))
		if x.A.Kind == ir.Bool {
			return "(" + text + " != 0)"
		}
		return text
	case *kir.Shuffle:
		p.prog.Subgroups, p.prog.Shuffles, p.subgroups = true, true, true
		if x.X.Type().Kind == ir.Bool {
			return fmt.Sprintf("sub_group_shuffle((int)%s, (uint)%s) != 0", p.operand(x.X), p.operand(x.From))
		}
		return fmt.Sprintf("sub_group_shuffle(%s, (uint)%s)", p.expr(x.X), p.operand(x.From))
	case *kir.Collective:
		return p.collective(x)
	case *kir.Routine:
		parts := make([]string, len(x.Args))
		for i, a := range x.Args {
			if a.A != nil {
				parts[i] = "(ulong)" + p.address(a)
				continue
			}
			parts[i] = p.exprAs(a.X, ir.Int)
		}
		return "surge_" + string(x.Name) + "(" + strings.Join(parts, ", ") + ")"
	}
	panic(fmt.Sprintf("opencl: expression %T", x))
}

var places = map[string]string{
	kir.GroupOf: "GROUP", kir.Groups: "GROUPS", kir.ItemOf: "ITEM", kir.Items: "ITEMS", kir.WarpOf: "WARP", kir.Warps: "WARPS",
	kir.LaneOf: "LANE", kir.Lanes: "LANES", kir.GlobalOf: "GLOBAL", kir.Globals: "GLOBALS",
	kir.Blockwise: "SURGE_BLOCKWISE", kir.SubgroupOf: "SUBGROUP", kir.Subgroups: "SUBGROUPS", kir.SubitemOf: "SUBITEM", kir.Subitems: "SUBITEMS", kir.MaxSubitems: "MAX_SUBITEMS",
}

// collective prints an operation of a subgroup. A sum of integers wraps around.
func (p *printer) collective(x *kir.Collective) string {
	p.prog.Subgroups, p.subgroups = true, true
	name, k := "sub_group_reduce_", x.X.Type().Kind
	if x.Scan {
		name = "sub_group_scan_exclusive_"
	}
	name += string(map[ir.BinaryFn]string{ir.Add: "add", ir.Min: "min", ir.Max: "max"}[x.Fn])
	if x.Fn == ir.Add && k.IsInteger() && !k.IsUnsigned() {
		return fmt.Sprintf("(%s)%s((%s)%s)", p.ctype(k), name, unsigned(k), p.operand(x.X))
	}
	return fmt.Sprintf("%s(%s)", name, p.expr(x.X))
}

// operand prints an expression that something follows or precedes.
func (p *printer) operand(x kir.Expr) string {
	s := p.expr(x)
	switch x := x.(type) {
	case *kir.Bin:
		if isInfix(x.Fn) && !strings.HasPrefix(s, "surge_") {
			return "(" + s + ")"
		}
	case *kir.Un, *kir.Convert:
		return "(" + s + ")"
	case *kir.Const:
		if strings.HasPrefix(s, "-") {
			return "(" + s + ")"
		}
	}
	return s
}

func isInfix(fn ir.BinaryFn) bool { return fn.GoOperator() != "" }

// exprAs prints an expression where C converts it to kind k: constants need no suffix.
func (p *printer) exprAs(x kir.Expr, k ir.Kind) string {
	if c, ok := x.(*kir.Const); ok && k.IsInteger() && plain(c.C) {
		return fmt.Sprint(c.C.Int())
	}
	if b, ok := x.(*kir.Bin); ok {
		return p.binary(b)
	}
	return p.expr(x)
}

// plain reports whether an integer constant is an int in C, whatever its kind.
func plain(c ir.Const) bool {
	return c.Kind.IsInteger() && c.Int() > math.MinInt32 && c.Int() <= math.MaxInt32 && (!c.Kind.IsUnsigned() || c.Int() >= 0)
}

func (p *printer) constant(c ir.Const) string {
	switch c.Kind {
	case ir.Bool:
		if c.Bits != 0 {
			return "true"
		}
		return "false"
	case ir.Float32, ir.Float64:
		f := c.Float()
		cast := ""
		suffix := "f"
		if c.Kind == ir.Float64 {
			p.prog.Doubles = true
			cast, suffix = "(double)", ""
		}
		switch {
		case math.IsNaN(f):
			return cast + "NAN"
		case math.IsInf(f, 1):
			return cast + "INFINITY"
		case math.IsInf(f, -1):
			return "-" + cast + "INFINITY"
		}
		text, _, _ := strings.Cut(c.String(), ":")
		if !strings.ContainsAny(text, ".e") {
			text += ".0"
		}
		return text + suffix
	case ir.Int, ir.Int64:
		if c.Int() == math.MinInt64 {
			return "LONG_MIN"
		}
		return fmt.Sprintf("%dL", c.Int())
	case ir.Uint, ir.Uint64:
		return fmt.Sprintf("%dUL", c.Bits)
	case ir.Uint32:
		return fmt.Sprintf("%dU", uint32(c.Bits))
	case ir.Int32:
		if c.Int() == math.MinInt32 {
			return "INT_MIN"
		}
		return fmt.Sprint(c.Int())
	}
	return fmt.Sprintf("(%s)%d", p.ctype(c.Kind), c.Int())
}

// typed names a kind in helper functions: min_f64.
func typed(k ir.Kind) string {
	switch k {
	case ir.Int:
		return "i64"
	case ir.Uint:
		return "u64"
	}
	s := k.String()
	bits := strings.TrimLeft(s, "abcdefghijklmnopqrstuvwxyz")
	return s[:1] + bits
}

func narrow(k ir.Kind) bool {
	switch k {
	case ir.Int8, ir.Int16, ir.Uint8, ir.Uint16:
		return true
	}
	return false
}

func unsigned(k ir.Kind) string {
	switch k {
	case ir.Int, ir.Int64:
		return "ulong"
	case ir.Int32:
		return "uint"
	}
	return "uint" // narrow ones: a product of two ushorts is no int
}

func (p *printer) binary(x *kir.Bin) string {
	k := x.X.Type().Kind
	a, b := p.operand(x.X), p.operand(x.Y)
	_, constX := x.X.(*kir.Const)
	if c, ok := x.Y.(*kir.Const); ok && !constX && plain(c.C) && k.IsInteger() && c.C.Int() >= 0 {
		b = fmt.Sprint(c.C.Int()) // the other operand gives it its type
	}
	call := func(name string) string {
		return fmt.Sprintf("%s(%s, %s)", name, p.expr(x.X), p.expr(x.Y))
	}
	switch x.Fn {
	case ir.Min, ir.Max:
		if k.IsFloat() {
			p.ctype(k)
			return call(fmt.Sprintf("surge_%s_%s", x.Fn, typed(k)))
		}
		return call(string(x.Fn))
	case ir.FMin, ir.FMax:
		p.ctype(k)
		return call(fmt.Sprintf("surge_%s_%s", x.Fn, typed(k)))
	case ir.RotateLeft: // the count is taken modulo the width, as in Go
		return fmt.Sprintf("rotate(%s, (%s)%s)", p.expr(x.X), p.ctype(k), p.operand(x.Y))
	case ir.MulHigh:
		return call("mul_hi")
	case ir.Mod:
		return call("fmod")
	case ir.Pow, ir.Atan2, ir.Hypot, ir.CopyS:
		return call(string(x.Fn))
	case ir.And, ir.Or, ir.Xor:
		if k == ir.Bool {
			return a + map[ir.BinaryFn]string{ir.And: " && ", ir.Or: " || ", ir.Xor: " != "}[x.Fn] + b
		}
	case ir.AndNot:
		return fmt.Sprintf("%s & ~%s", a, b)
	case ir.Div, ir.Rem:
		c, isConst := x.Y.(*kir.Const)
		if k.IsFloat() || k.IsUnsigned() || isConst && c.C.Int() > 0 {
			break
		}
		return call(fmt.Sprintf("surge_%s_%s", x.Fn, typed(k)))
	case ir.Shl, ir.Shr:
		width := int64(8 * k.Bytes())
		c, isConst := x.Y.(*kir.Const)
		if isConst && c.C.Int() >= 0 && c.C.Int() < width {
			if x.Fn == ir.Shr {
				return p.cut(k, fmt.Sprintf("%s >> %d", a, c.C.Int()))
			}
			return fmt.Sprintf("(%s)((%s)%s << %d)", p.ctype(k), unsignedOf(k), a, c.C.Int())
		}
		return fmt.Sprintf("surge_%s_%s(%s, (ulong)%s)", x.Fn, typed(k), p.expr(x.X), p.operand(x.Y))
	}
	op := x.Fn.GoOperator()
	if x.Fn.IsComparison() || k.IsFloat() {
		return a + " " + op + " " + b
	}
	wraps := x.Wrap
	switch x.Fn {
	case ir.Add, ir.Sub, ir.Mul:
	default:
		wraps = false
	}
	switch {
	case narrow(k) && (wraps || x.Fn == ir.Add || x.Fn == ir.Sub || x.Fn == ir.Mul):
		return fmt.Sprintf("(%s)((uint)%s %s (uint)%s)", p.ctype(k), a, op, b)
	case wraps && !k.IsUnsigned():
		if constX {
			a = p.operand(x.X)
		}
		return fmt.Sprintf("(%s)((%s)%s %s (%s)%s)", p.ctype(k), unsigned(k), a, op, unsigned(k), b)
	}
	return p.cut(k, a+" "+op+" "+b)
}

func unsignedOf(k ir.Kind) string {
	if k.IsUnsigned() {
		if narrow(k) {
			return "uint"
		}
		return ctypes[k]
	}
	return unsigned(k)
}

// cut makes what C computed as an int a value of a narrow kind again.
func (p *printer) cut(k ir.Kind, text string) string {
	if narrow(k) {
		return fmt.Sprintf("(%s)(%s)", p.ctype(k), text)
	}
	return text
}

var unaryNames = map[ir.UnaryFn]string{ir.Abs: "fabs", "roundtoeven": "rint", "gamma": "tgamma"}

func (p *printer) unary(x *kir.Un) string {
	k := x.X.Type().Kind
	a := p.operand(x.X)
	switch x.Fn {
	case ir.Neg:
		if k.IsFloat() {
			return "-" + a
		}
		return fmt.Sprintf("(%s)(0 - (%s)%s)", p.ctype(k), unsignedOf(k), a)
	case ir.Not:
		return "!" + a
	case ir.BitNo:
		return p.cut(k, "~"+a)
	case ir.IsNaN:
		return "isnan(" + p.expr(x.X) + ") != 0"
	case ir.OnesCount:
		return "(long)popcount(" + p.expr(x.X) + ")"
	case ir.LeadingZeros:
		return "(long)clz(" + p.expr(x.X) + ")"
	case ir.TrailingZeros, ir.ReverseBits, ir.ReverseBytes:
		name := fmt.Sprintf("surge_%s_%s", x.Fn, typed(k))
		p.prog.function(name, bitFunction(x.Fn, name, k))
		return name + "(" + p.expr(x.X) + ")"
	case ir.FloatBits, ir.FromBits:
		return fmt.Sprintf("as_%s(%s)", p.ctype(x.T.Kind), p.expr(x.X))
	}
	name := unaryNames[x.Fn]
	if name == "" {
		name = string(x.Fn)
	}
	return name + "(" + p.expr(x.X) + ")"
}

func (p *printer) convert(x *kir.Convert) string {
	from, to := x.X.Type().Kind, x.T.Kind
	if from == to || ctypes[from] == ctypes[to] {
		return p.expr(x.X)
	}
	if from.IsFloat() && to.IsInteger() { // out of range, C says nothing, and Go what the processor does
		if from == ir.Float32 {
			return fmt.Sprintf("surge_%s_of_f32(%s)", typed(to), p.expr(x.X))
		}
		p.ctype(from)
		return fmt.Sprintf("surge_%s_of_f64(%s)", typed(to), p.expr(x.X))
	}
	return fmt.Sprintf("(%s)%s", p.ctype(to), p.operand(x.X))
}
