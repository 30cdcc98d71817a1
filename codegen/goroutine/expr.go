package goroutine

import (
	"fmt"
	"strings"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// expr prints an expression; operands of operators come in parentheses unless they are simple.
func (p *printer) expr(x kir.Expr) string {
	switch x := x.(type) {
	case *kir.Ref:
		if text, ok := p.inMemory[x.V]; ok {
			return text
		}
		return x.V.Name
	case *kir.Const:
		return constant(x.C, true)
	case *kir.Length:
		return "len(f." + stored(x.A) + ")"
	case *kir.Bin:
		return p.binary(x)
	case *kir.Un:
		return p.unary(x)
	case *kir.FMA:
		if x.Type().Lanes == 1 {
			return fmt.Sprintf("math.FMA(%s, %s, %s)", p.expr(x.X), p.expr(x.Y), p.expr(x.Z))
		}
		return fmt.Sprintf("%s.MulAdd(%s, %s)", p.vector(x.X), p.expr(x.Y), p.expr(x.Z))
	case *kir.Convert:
		return p.convert(x)
	case *kir.Select:
		if x.Type().Lanes == 1 {
			return fmt.Sprintf("vec.Choose(%s, %s, %s)", p.expr(x.C), p.expr(x.X), p.expr(x.Y))
		}
		if y, ok := x.Y.(*kir.Splat); ok && isZero(y.X) {
			return fmt.Sprintf("vec.Masked%s(%s, %s)", vecName(x.Type()), p.expr(x.C), p.expr(x.X))
		}
		return fmt.Sprintf("vec.Select%s(%s, %s, %s)", vecName(x.Type()), p.expr(x.C), p.expr(x.X), p.expr(x.Y))
	case *kir.Load:
		if x.A.Space == kir.Partial {
			return fmt.Sprintf("%s[%s]", p.partialRef(x.A), p.expr(x.I))
		}
		if x.T.Lanes > 1 {
			return p.consecutive(x)
		}
		if f := x.A.Field; f != nil && f.GoType != x.A.Kind.String() {
			return fmt.Sprintf("%s(%s)", x.A.Kind, p.elem(x.A, x.I))
		}
		return p.elem(x.A, x.I)
	case *kir.Gather:
		suffix := ""
		if container(x.I.Type().Kind) != ir.Int32 {
			suffix = "I64"
		}
		base, i := p.gathers(x)
		if x.Mask != nil {
			return fmt.Sprintf("vec.GatherMask%s%s(%s, %s, %s, vec.Splat%s(0))", memoryName(x.T), suffix, base, i, p.expr(x.Mask), vecName(x.T))
		}
		return fmt.Sprintf("vec.Gather%s%s(%s, %s)", memoryName(x.T), suffix, base, i)
	case *kir.Every:
		if x.By < 0 {
			return fmt.Sprintf("vec.Reverse%s(%s)", vecName(x.T), p.expr(&kir.Load{A: x.A, I: lastOf(x.I, x.T), T: x.T}))
		}
		return fmt.Sprintf("vec.LoadEvery%d%s(%s, %s)", x.By, memoryName(x.T), p.base(x.A, true), p.expr(x.I))
	case *kir.Splat:
		if l, ok := x.X.(*kir.Load); ok && x.T.Kind != ir.Bool && !narrow(x.T.Kind) {
			base, i := p.base(l.A, true), p.expr(l.I)
			if l.A.Field != nil {
				base, i = p.fieldAddress(l.A, l.I), "0"
			}
			return fmt.Sprintf("vec.LoadSplat%s(%s, %s)", vecName(x.T), base, i)
		}
		if c, ok := x.X.(*kir.Const); ok && x.T.Kind != ir.Bool {
			return p.unit.constantVector(x.T, c.C)
		}
		return fmt.Sprintf("vec.Splat%s(%s)", vecName(x.T), p.laneValue(x.X))
	case *kir.Iota:
		return fmt.Sprintf("vec.Iota%s(%s)", vecName(x.T), p.laneValue(x.Start))
	case *kir.IotaBy:
		name := map[ir.BinaryFn]string{ir.Div: "Div", ir.Rem: "Rem"}[x.Fn]
		return fmt.Sprintf("vec.Iota%s%s(%s, %s)", name, vecName(x.T), p.laneValue(x.Start), p.laneValue(x.D))
	case *kir.FirstLanes:
		count := "Below"
		if x.OrEqual {
			count = "AtMost"
		}
		return fmt.Sprintf("vec.First%s(vec.%s(%s, %s, %d))", vecName(x.T), count, p.asInt(x.Start), p.asInt(x.Bound), x.T.Lanes)
	case *kir.Lane:
		return p.fromLane(x.X.Type().Kind, fmt.Sprintf("vec.Lane%s(%s, %d)", vecName(x.X.Type()), p.expr(x.X), x.K))
	case *kir.LaneWhere:
		if i, ok := x.X.(*kir.Iota); ok {
			return "(" + p.expr(i.Start) + " + " + i.Start.Type().Kind.String() + "(" + p.vecCall("Lowest", x.Mask) + "))"
		}
		return p.fromLane(x.X.Type().Kind, fmt.Sprintf("vec.Lane%s(%s, %s)", vecName(x.X.Type()), p.expr(x.X), p.vecCall("Lowest", x.Mask)))
	case *kir.Horizontal:
		return p.horizontal(x)
	case *kir.AnyLane:
		return p.vecCall("Any", x.X)
	case *kir.Half:
		return p.half(x) + "(" + p.expr(x.X) + ")"
	case *kir.Join:
		return p.join(x)
	case *kir.Compress:
		return fmt.Sprintf("%s.Compress(%s)", p.vector(x.X), p.expr(x.Mask))
	case *kir.CountLanes:
		if and, ok := x.X.(*kir.Bin); ok { // of two masks, whose bits [ir.And] has in a register
			return p.vecCall("CountAnd", and.X, and.Y)
		}
		return p.vecCall("Count", x.X)
	case *kir.Routine:
		return p.fromLane(x.T.Kind, p.routine(x))
	}
	panic(fmt.Sprintf("goroutine: expression %T", x))
}

// constantVector reports whether x is the same constant in all lanes: it lies in memory as it is.
func constantVector(x kir.Expr) bool {
	s, ok := x.(*kir.Splat)
	if !ok || s.T.Kind == ir.Bool {
		return false
	}
	_, ok = s.X.(*kir.Const)
	return ok
}

func isZero(x kir.Expr) bool {
	c, ok := x.(*kir.Const)
	return ok && c.C.Bits == 0
}

// operand prints an expression that something follows or precedes.
func (p *printer) operand(x kir.Expr) string {
	s := p.expr(x)
	if b, ok := x.(*kir.Bin); ok && b.T.Lanes == 1 && b.Fn.GoOperator() != "" || b != nil && b.Fn.IsComparison() && b.X.Type().Lanes == 1 {
		return "(" + s + ")"
	}
	if h, ok := x.(*kir.Horizontal); ok && h.X.Type().Kind == ir.Bool && h.Fn == ir.Xor { // a comparison
		return "(" + s + ")"
	}
	return s
}

// vector prints a vector that a method follows.
func (p *printer) vector(x kir.Expr) string {
	s := p.expr(x)
	if s[0] == '*' {
		return "(" + s + ")"
	}
	return s
}

// vecCall prints the call of package vec's function for what x's type has no method for.
func (p *printer) vecCall(name string, x kir.Expr, more ...kir.Expr) string {
	text := "vec." + name + vecName(x.Type()) + "(" + p.expr(x)
	for _, y := range more {
		text += ", " + p.expr(y)
	}
	return text + ")"
}

// asInt prints a scalar of 64 bits as an int.
func (p *printer) asInt(x kir.Expr) string {
	if x.Type().Kind == ir.Int64 {
		return "int(" + p.expr(x) + ")"
	}
	return p.expr(x)
}

// vectorMethods are the operations that are methods of all vectors of numbers, floatMethods those of floats only:
// those of simd/archsimd that do what Go does, and that every processor with such vectors has. The others are
// functions of package vec.
var (
	vectorMethods = map[ir.BinaryFn]string{ir.Add: "Add", ir.Sub: "Sub",
		ir.Eq: "Equal", ir.Ne: "NotEqual", ir.Lt: "Less", ir.Le: "LessEqual", ir.Gt: "Greater", ir.Ge: "GreaterEqual"}
	floatMethods    = map[ir.BinaryFn]string{ir.Mul: "Mul", ir.Div: "Div"}
	vectorFunctions = map[ir.BinaryFn]string{ir.Mul: "Mul", ir.Div: "Div", ir.Min: "Min", ir.Max: "Max", ir.And: "And", ir.Or: "Or", ir.Xor: "Xor",
		ir.AndNot: "AndNot", ir.Rem: "Rem", kir.RSqrtStep: "RSqrtStep"}
)

func (p *printer) binary(x *kir.Bin) string {
	if x.X.Type().Lanes > 1 {
		method := vectorMethods[x.Fn]
		if x.Fn == ir.Shl || x.Fn == ir.Shr {
			return p.shift(x)
		}
		if text := p.unsigned(x); text != "" {
			return text
		}
		if text := p.compareIntegers(x); text != "" {
			return text
		}
		if x.X.Type().Kind.IsFloat() && method == "" {
			method = floatMethods[x.Fn]
		}
		if method != "" {
			return wrapped(x.T, fmt.Sprintf("%s.%s(%s)", p.vector(x.X), method, p.expr(x.Y)))
		}
		if x.Fn == kir.AddBits {
			shape := fmt.Sprintf("%dx%d", 8*x.T.Kind.Bytes(), x.T.Lanes)
			return fmt.Sprintf("%s.AsInt%[2]s().Add(%[3]s.AsInt%[2]s()).AsFloat%[2]s()", p.vector(x.X), shape, p.vector(x.Y))
		}
		name := vectorFunctions[x.Fn]
		if name == "" {
			name = x.Fn.GoMath()
		}
		text := p.vecCall(name, x.X, x.Y)
		if x.Fn == ir.Mul || x.Fn == ir.Div { // the least number by -1
			return wrapped(x.T, text)
		}
		return text
	}
	a, b := p.operand(x.X), p.operand(x.Y)
	if c, ok := x.Y.(*kir.Const); ok { // the other operand gives the constant its type
		_, both := x.X.(*kir.Const)
		b = right(x.Fn, c.C, both)
		if both {
			a = "vec.Value(" + a + ")" // not a constant expression: it wraps instead of failing to compile
		}
	} else if c, ok := x.X.(*kir.Const); ok && x.Fn != ir.Shl && x.Fn != ir.Shr {
		a = constant(c.C, false)
	}
	kind := x.X.Type().Kind
	switch x.Fn {
	case ir.Min, ir.Max:
		return fmt.Sprintf("%s(%s, %s)", x.Fn, trim(a), trim(b))
	case ir.And, ir.Or, ir.Xor:
		if kind == ir.Bool {
			return a + map[ir.BinaryFn]string{ir.And: " && ", ir.Or: " || ", ir.Xor: " != "}[x.Fn] + b
		}
	}
	if op := x.Fn.GoOperator(); op != "" {
		return a + " " + op + " " + b
	}
	a, b = p.expr(x.X), p.expr(x.Y)
	switch x.Fn {
	case ir.RotateLeft:
		return fmt.Sprintf("bits.RotateLeft%s(%s, %s)", bitsWidth(kind), a, b)
	case ir.MulHigh:
		return fmt.Sprintf("vec.MulHigh(%s, %s)", a, b)
	}
	if kind == ir.Float32 {
		return fmt.Sprintf("float32(math.%s(float64(%s), float64(%s)))", x.Fn.GoMath(), a, b)
	}
	return fmt.Sprintf("math.%s(%s, %s)", x.Fn.GoMath(), a, b)
}

// gathers prints where a gather begins to count, and the indices.
func (p *printer) gathers(x *kir.Gather) (base, i string) {
	f := x.A.Field
	if f == nil {
		return p.base(x.A, true), p.expr(x.I)
	}
	// A number lies at a multiple of its size, and so the size of a struct is a multiple of that of each number.
	t := vecName(x.I.Type())
	i = fmt.Sprintf("vec.Mul%s(%s, vec.Splat%s(int64(vec.Size(%s)/%d)))", t, p.expr(x.I), t, f.Structs, x.A.Kind.Bytes())
	return p.fieldAddress(x.A, &kir.Const{C: ir.IntConst(ir.Int, 0)}), i
}

// compareIntegers prints a comparison of vectors of integers by the two that processors without AVX-512 have, "" for
// any other expression. Package archsimd makes the others of these too, but the compiler calls that, and a call saves
// all vectors that are alive.
func (p *printer) compareIntegers(x *kir.Bin) string {
	t := x.X.Type()
	if t.Kind.IsFloat() || t.Kind == ir.Bool || bitsOf(t) > 256 {
		return ""
	}
	not := "vec.Not" + vecName(x.T) + "(%s.%s(%s))"
	switch x.Fn {
	case ir.Lt:
		return fmt.Sprintf("%s.Greater(%s)", p.vector(x.Y), p.expr(x.X))
	case ir.Ge:
		return fmt.Sprintf(not, p.vector(x.Y), "Greater", p.expr(x.X))
	case ir.Le:
		return fmt.Sprintf(not, p.vector(x.X), "Greater", p.expr(x.Y))
	case ir.Ne:
		return fmt.Sprintf(not, p.vector(x.X), "Equal", p.expr(x.Y))
	}
	return ""
}

// right prints a constant on the right of an operator, typed or as what stands on the left has it. What Go refuses to
// compile there, since it always fails, is no constant expression: a check before it says what is wrong when it is
// reached.
func right(fn ir.BinaryFn, c ir.Const, typed bool) string {
	zero := (fn == ir.Div || fn == ir.Rem) && c.Kind.IsInteger() && c.Bits == 0
	negative := (fn == ir.Shl || fn == ir.Shr) && !c.Kind.IsUnsigned() && c.Int() < 0
	if zero || negative {
		return "vec.Value(" + constant(c, true) + ")"
	}
	return constant(c, typed)
}

func trim(s string) string {
	if strings.HasPrefix(s, "(") && strings.HasSuffix(s, ")") && strings.Count(s, "(") == 1 {
		return s[1 : len(s)-1]
	}
	return s
}

func (p *printer) unary(x *kir.Un) string {
	kind := x.X.Type().Kind
	if x.X.Type().Lanes > 1 {
		switch x.Fn {
		case ir.Sqrt:
			return p.vector(x.X) + ".Sqrt()"
		case kir.RSqrtEstimate:
			return p.vector(x.X) + ".ReciprocalSqrt()"
		}
		name := map[ir.UnaryFn]string{ir.Neg: "Neg", ir.Not: "Not", ir.BitNo: "Not",
			ir.OnesCount: "OnesCount", ir.LeadingZeros: "LeadingZeros"}[x.Fn]
		if name == "" {
			name = x.Fn.GoMath()
		}
		text := p.vecCall(name, x.X)
		if x.Fn == ir.Neg || x.Fn == ir.BitNo && kind.IsUnsigned() {
			return wrapped(x.T, text)
		}
		return text
	}
	a := p.operand(x.X)
	if _, ok := x.X.(*kir.Const); ok {
		a = "vec.Value(" + a + ")"
	}
	switch x.Fn {
	case ir.Neg:
		if a[0] == '-' {
			a = "(" + a + ")"
		}
		return "-" + a
	case ir.Not:
		return "!" + a
	case ir.BitNo:
		return "^" + a
	case ir.IsNaN:
		if kind == ir.Float32 {
			return "math.IsNaN(float64(" + p.expr(x.X) + "))"
		}
		return "math.IsNaN(" + p.expr(x.X) + ")"
	}
	if name := x.Fn.GoBits(); name != "" {
		return fmt.Sprintf("bits.%s%s(%s)", name, bitsWidth(kind), p.expr(x.X))
	}
	switch x.Fn {
	case ir.FloatBits:
		return fmt.Sprintf("math.Float%dbits(%s)", 8*kind.Bytes(), p.expr(x.X))
	case ir.FromBits:
		return fmt.Sprintf("math.Float%dfrombits(%s)", 8*kind.Bytes(), p.expr(x.X))
	}
	if kind == ir.Float32 {
		return fmt.Sprintf("float32(math.%s(float64(%s)))", x.Fn.GoMath(), p.expr(x.X))
	}
	return fmt.Sprintf("math.%s(%s)", x.Fn.GoMath(), p.expr(x.X))
}

// bitsWidth is what ends the names of package math/bits for an unsigned kind.
func bitsWidth(k ir.Kind) string { return strings.TrimPrefix(k.String(), "uint") }

func (p *printer) convert(x *kir.Convert) string {
	from := x.X.Type()
	if x.T.Lanes > 1 {
		if x.T.Kind != ir.Bool {
			return p.convertLanes(x)
		}
		if h, ok := x.X.(*kir.Half); ok && x.T.Bits == 64 { // without a vector of 128 bits
			return fmt.Sprintf("%sTo%s(%s)", p.half(h), vecName(x.T), p.expr(h.X))
		}
		return fmt.Sprintf("vec.%sTo%s(%s)", vecName(from), vecName(x.T), p.expr(x.X))
	}
	a := p.expr(x.X)
	if _, ok := x.X.(*kir.Const); ok {
		a = "vec.Value(" + a + ")"
	}
	return x.T.Kind.String() + "(" + a + ")"
}

func (p *printer) horizontal(x *kir.Horizontal) string {
	t := x.X.Type()
	if t.Kind == ir.Bool {
		switch x.Fn {
		case ir.And:
			return p.vecCall("All", x.X)
		case ir.Or:
			return p.vecCall("Any", x.X)
		}
		return "bits.OnesCount32(" + p.vecCall("Bits", x.X) + ")&1 == 1"
	}
	name := map[ir.BinaryFn]string{ir.Add: "Sum", ir.Mul: "ReduceMul", ir.Min: "ReduceMin", ir.Max: "ReduceMax", ir.And: "ReduceAnd", ir.Or: "ReduceOr", ir.Xor: "ReduceXor"}[x.Fn]
	if wide(t.Kind) && (x.Fn == ir.Min || x.Fn == ir.Max) {
		text := fmt.Sprintf("vec.%s%s(%s)", name, ownName(t), p.expr(x.X))
		if t.Kind == ir.Uint {
			return "uint(" + text + ")"
		}
		return text
	}
	return p.fromLane(t.Kind, p.vecCall(name, x.X))
}
