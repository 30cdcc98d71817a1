package goroutine

import (
	"fmt"
	"strconv"
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
		return fmt.Sprintf("%s.MulAdd(%s, %s)", p.vector(x.X), p.expr(x.Y), p.expr(x.Z))
	case *kir.Convert:
		return p.convert(x)
	case *kir.Select:
		if isChoice(x) {
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
		if x.Mask != nil {
			return fmt.Sprintf("vec.GatherMask%s%s(%s, %s, %s, vec.Splat%s(0))", memoryName(x.T), suffix, p.base(x.A, true), p.expr(x.I), p.expr(x.Mask), vecName(x.T))
		}
		return fmt.Sprintf("vec.Gather%s%s(%s, %s)", memoryName(x.T), suffix, p.base(x.A, true), p.expr(x.I))
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
	case *kir.Horizontal:
		return p.horizontal(x)
	case *kir.AnyLane:
		return p.vecCall("Any", x.X)
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

// addr prints the address of a vector in memory. To load and store through a pointer leaves no instruction for the
// inlined call, as a function that loads does (see RATIONALE.md).
func (p *printer) addr(t kir.Type, a *kir.Array, i kir.Expr) string {
	return fmt.Sprintf("vec.Addr%s(%s, %s)", vecName(t), p.base(a, true), p.expr(i))
}

// elem prints element i of an array, through a pointer for the same reason as [printer.addr].
func (p *printer) elem(a *kir.Array, i kir.Expr) string {
	if f := a.Field; f != nil {
		return fmt.Sprintf("vec.Elem(%s, %s)%s", f.Structs, p.expr(i), f.Path)
	}
	if v, x := behind(i); v != nil && p.rowStarts[v] == a && p.rows[v].name != "" {
		return fmt.Sprintf("*vec.Elem(%s, %s)", p.rows[v].name, p.expr(x))
	}
	// An array of one element whose address nothing takes would not be memory, which is what it is for.
	if c, ok := i.(*kir.Const); ok && a.Space == kir.Strip && a.Size > 1 && c.C.Int() >= 0 && c.C.Int() < int64(a.Size) {
		return fmt.Sprintf("%s[%d]", a.Name, c.C.Int())
	}
	return fmt.Sprintf("*vec.Elem(%s, %s)", p.base(a, false), p.expr(i))
}

// stored is the name of the sequence in the frame that an array's elements lie in.
func stored(a *kir.Array) string {
	if a.Field != nil {
		return a.Field.Structs
	}
	return a.Name
}

// fieldAddress prints the address of element i of an array that lies in structs, for a function of package vec.
func (p *printer) fieldAddress(a *kir.Array, i kir.Expr) string {
	at := "&" + p.elem(a, i)
	if f := lanesOf(a.Kind); f != "" {
		if a.Field.GoType != a.Kind.String() {
			at = "(*" + a.Kind.String() + ")(" + at + ")"
		}
		return f + "(" + at + ")"
	}
	if a.Field.GoType != a.Kind.String() {
		return fmt.Sprintf("(*%s)(%s)", a.Kind, at)
	}
	return at
}

// moveFields prints the call that takes fields of consecutive structs into a buffer, or puts them there.
func (p *printer) moveFields(r *kir.Routine) string {
	name, field, buf := "vec.TakeFields", r.Args[1], r.Args[0]
	if r.Name == kir.PutFields {
		name, field, buf = "vec.PutFields", r.Args[0], r.Args[1]
	}
	at := p.fieldAddress(field.A, field.X)
	return fmt.Sprintf("%s(%s, %s, vec.Size(%s), %s)", name, p.base(buf.A, true), at, field.A.Field.Structs, p.expr(r.Args[2].X))
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

// lanesOf is the function that makes an address of elements one of what lanes hold, "" where that is the same type.
func lanesOf(k ir.Kind) string {
	switch {
	case k == ir.Uint32:
		return "vec.Int32s"
	case container(k) == ir.Int64 && k != ir.Int64:
		return "vec.Int64s"
	}
	return ""
}

// base prints the address of an array's first element; a vector function takes *int64 where the array is of ints.
func (p *printer) base(a *kir.Array, vector bool) string {
	name := a.Name
	if a.Space == kir.Strip {
		name = "&" + name + "[0]"
	}
	if f := lanesOf(a.Kind); vector && f != "" {
		return f + "(" + name + ")"
	}
	return name
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
		name := map[ir.UnaryFn]string{ir.Neg: "Neg", ir.Not: "Not", ir.BitNo: "Not"}[x.Fn]
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

// routine prints a call of a strip routine. An address of no elements is the array's own: one past the end is not
// formed. The call is as the routine returns it: ints come back as lanes.
func (p *printer) routine(r *kir.Routine) string {
	if r.Name == kir.Clear {
		return "vec.Clear()"
	}
	if r.Name == kir.TakeFields || r.Name == kir.PutFields {
		return p.moveFields(r)
	}
	if r.Name == kir.SortIndex {
		return p.sortIndex(r)
	}
	if r.Name == kir.Zero {
		n := p.expr(r.Args[1].X)
		return fmt.Sprintf("vec.Zero(vec.Addr(%s, %s, %s), %s)", p.base(r.Args[0].A, false), p.expr(r.Args[0].X), n, n)
	}
	if r.Name == kir.PackRows {
		dst, src, lanes, n := r.Args[0], r.Args[1], p.expr(r.Args[2].X), p.expr(r.Args[3].X)
		to := p.base(dst.A, true)
		if c, ok := dst.X.(*kir.Const); !ok || c.C.Int() != 0 {
			to = fmt.Sprintf("vec.Addr(%s, %s, %s)", to, p.expr(dst.X), n)
		}
		return fmt.Sprintf("vec.PackRows%s(%s, vec.Addr(%s, %s, %s), %s, %s)", letters(src.A.Kind), to, p.base(src.A, true), p.expr(src.X), n, lanes, n)
	}
	if r.Name == kir.SumTile {
		return p.sumTile(r)
	}
	n := r.Args[len(r.Args)-1].X
	if strings.HasPrefix(string(r.Name), "scan_add") {
		n = r.Args[2].X
	}
	count := p.expr(n)
	address := func(a kir.Arg) string {
		b := p.base(a.A, true)
		if c, ok := a.X.(*kir.Const); ok && c.C.Int() == 0 {
			return b
		}
		return fmt.Sprintf("vec.Addr(%s, %s, %s)", b, p.expr(a.X), count)
	}
	k := letters(r.Args[0].A.Kind)
	switch r.Name {
	case kir.GatherStrip:
		name := "vec.GatherStrip" + k
		if r.Args[2].A.Kind != ir.Int32 {
			name += "I64"
		}
		return fmt.Sprintf("%s(%s, %s, %s, %s)", name, address(r.Args[0]), address(r.Args[1]), address(r.Args[2]), count)
	case kir.DotGather:
		return fmt.Sprintf("vec.DotGather%s(%s, %s, %s, %s)", k, address(r.Args[0]), address(r.Args[1]), address(r.Args[2]), count)
	case kir.ScanAdd, kir.ScanAddInclusive, kir.ScanAddStream, kir.ScanAddInclusiveStream:
		name := "vec.ScanAdd"
		if strings.Contains(string(r.Name), "inclusive") {
			name += "Inclusive"
		}
		if strings.HasSuffix(string(r.Name), "stream") {
			name += "Stream"
		}
		name += k
		return fmt.Sprintf("%s(%s, %s, %s, %s)", name, address(r.Args[0]), address(r.Args[1]), count, p.laneValue(r.Args[3].X))
	}
	panic("goroutine: routine " + strconv.Quote(string(r.Name)))
}

// sortIndex prints the call of the runtime's sort: keys, permutation, length, and the level whose loop parameters it
// runs under, 0 for one worker.
func (p *printer) sortIndex(r *kir.Routine) string {
	n := p.expr(r.Args[2].X)
	address := func(a kir.Arg) string { return fmt.Sprintf("vec.Addr(%s, %s, %s)", p.base(a.A, false), p.expr(a.X), n) }
	loop := "rt.Loop{Threads: 1}"
	if level := r.Args[3].X.(*kir.Const).C.Int(); level > 0 {
		loop = fmt.Sprintf("l.Loops[%d]", level-1)
	}
	return fmt.Sprintf("rt.SortIndex(w, %s, %s, %s, %s)", loop, address(r.Args[0]), address(r.Args[1]), n)
}

// sumTile prints the call of a routine for the sums of a register tile: sums, the rows' array, where the rows begin,
// their step, the vectors with their step from product to product and from one to the next, how many products, and
// the shape of the tile.
func (p *printer) sumTile(r *kir.Routine) string {
	a := func(i int) string { return p.expr(r.Args[i].X) }
	height, vectors := r.Args[8].X.(*kir.Const).C.Int(), r.Args[9].X.(*kir.Const).C.Int()
	return fmt.Sprintf("vec.SumTile%dx%d%s(%s, %s, %s, %s, vec.Addr(%s, %s, %s), %s, %s, %s)", height, vectors, vecName(r.T),
		p.base(r.Args[0].A, true), p.base(r.Args[1].A, true), p.base(r.Args[2].A, false), a(3), p.base(r.Args[4].A, true), a(4), a(7), a(5), a(6), a(7))
}
