package load

import (
	"errors"
	"fmt"
	"math"
	"math/bits"

	"github.com/surge-ndp/surge/ops/ir"
)

// evaluator runs IR as it is written. It is the counterpart of plain Go execution: what both agree on was lowered
// correctly. Scalars are ir.Const, arrays []any.
type evaluator struct {
	vars  map[*ir.Var]any
	steps int
}

var errCheck = errors.New("check failed")

type failure struct{ err error }

func evaluate(f *ir.Func, args []any) (results []any, err error) {
	defer func() {
		if r := recover(); r != nil {
			fail, ok := r.(failure)
			if !ok {
				panic(r)
			}
			err = fail.err
		}
	}()
	e := &evaluator{vars: map[*ir.Var]any{}}
	for i, p := range f.Params {
		e.vars[p] = args[i]
	}
	return e.block(f.Body), nil
}

func fail(format string, args ...any) {
	panic(failure{fmt.Errorf("%w: "+format, append([]any{errCheck}, args...)...)})
}

func (e *evaluator) block(b *ir.Block) []any {
	for _, s := range b.Stmts {
		e.step()
		for i, v := range e.op(s) {
			e.vars[s.Dst[i]] = v
		}
	}
	out := make([]any, len(b.Results))
	for i, r := range b.Results {
		out[i] = e.atom(r)
	}
	return out
}

// step bounds the run, as a loop may never end.
func (e *evaluator) step() {
	if e.steps++; e.steps > 1e5 {
		fail("too many steps")
	}
}

func (e *evaluator) atom(a ir.Atom) any {
	if v, ok := a.(*ir.Var); ok {
		return e.vars[v]
	}
	return a
}

func (e *evaluator) int(a ir.Atom) int     { return int(e.atom(a).(ir.Const).Int()) }
func (e *evaluator) array(a ir.Atom) []any { return e.atom(a).([]any) }
func (e *evaluator) truth(a ir.Atom) bool  { return e.atom(a).(ir.Const).Bits != 0 }

func intValue(i int) ir.Const { return ir.IntConst(ir.Int, int64(i)) }

func (e *evaluator) op(s *ir.Stmt) []any {
	switch op := s.Op.(type) {
	case *ir.Unary:
		return []any{unaryValue(op.Fn, e.atom(op.X).(ir.Const))}
	case *ir.Binary:
		return []any{binaryValue(op.Fn, e.atom(op.X).(ir.Const), e.atom(op.Y).(ir.Const))}
	case *ir.Convert:
		return []any{convertValue(op.To, e.atom(op.X).(ir.Const))}
	case *ir.Select:
		if e.truth(op.Cond) {
			return []any{e.atom(op.X)}
		}
		return []any{e.atom(op.Y)}
	case *ir.Len:
		return []any{intValue(len(e.array(op.X)))}
	case *ir.Index:
		return []any{e.array(op.X)[e.int(op.I)]}
	case *ir.View:
		return []any{e.view(op)}
	case *ir.Map:
		out := make([][]any, len(op.Body.Results))
		for k := range out {
			out[k] = []any{}
		}
		for i := range e.int(op.N) {
			e.vars[op.I] = intValue(i)
			for k, v := range e.block(op.Body) {
				out[k] = append(out[k], v)
			}
		}
		var all []any
		for _, o := range out {
			all = append(all, o)
		}
		return all
	case *ir.Reduce:
		acc, _ := e.fold(op.N, op.I, op.Body, op.Comb, op.Init, false)
		return acc
	case *ir.Scan:
		_, out := e.fold(op.N, op.I, op.Body, op.Comb, op.Init, op.Inclusive)
		return out
	case *ir.If:
		if e.truth(op.Cond) {
			return e.block(op.Then)
		}
		return e.block(op.Else)
	case *ir.Loop:
		return e.loop(op)
	case *ir.Alloc:
		out := make([]any, e.int(op.N))
		for i := range out {
			out[i] = zeroConst(op.Kind)
		}
		return []any{out}
	case *ir.Update: // in place: a version that is read after its update shows
		e.array(op.X)[e.int(op.I)] = e.atom(op.Value)
		return []any{e.array(op.X)}
	case *ir.Check:
		e.check(op)
		return nil
	}
	panic(fmt.Sprintf("%T", s.Op))
}

func (e *evaluator) fold(n ir.Atom, i *ir.Var, body *ir.Block, comb *ir.Lambda, init []ir.Atom, inclusive bool) (acc []any, out []any) {
	arrays := make([][]any, len(init))
	for k, a := range init {
		acc = append(acc, e.atom(a))
		arrays[k] = []any{}
	}
	for j := range e.int(n) {
		if !inclusive {
			for k := range acc {
				arrays[k] = append(arrays[k], acc[k])
			}
		}
		e.vars[i] = intValue(j)
		for k, v := range append(append([]any{}, acc...), e.block(body)...) {
			e.vars[comb.Params[k]] = v
		}
		acc = e.block(comb.Body)
		if inclusive {
			for k := range acc {
				arrays[k] = append(arrays[k], acc[k])
			}
		}
	}
	for _, a := range arrays {
		out = append(out, a)
	}
	return acc, out
}

func (e *evaluator) loop(op *ir.Loop) []any {
	var vals []any
	for _, a := range op.Init {
		vals = append(vals, e.atom(a))
	}
	i, hi := 0, 0
	if op.I != nil {
		i, hi = e.int(op.Lo), e.int(op.Hi)
	}
	for {
		e.step()
		if op.I != nil {
			if i >= hi {
				return vals
			}
			e.vars[op.I] = intValue(i)
			i++
		}
		for k, p := range op.Params {
			e.vars[p] = vals[k]
		}
		if op.Cond != nil && e.block(op.Cond)[0].(ir.Const).Bits == 0 {
			return vals
		}
		vals = e.block(op.Body)
	}
}

func (e *evaluator) check(op *ir.Check) {
	var x []int64
	for _, a := range op.Args {
		c := e.atom(a).(ir.Const)
		if c.Kind.IsFloat() {
			x = append(x, int64(math.Float64bits(c.Float())<<1))
			continue
		}
		x = append(x, c.Int())
	}
	ok := false
	switch op.Kind {
	case ir.CheckIndex:
		ok = 0 <= x[0] && x[0] < x[1]
	case ir.CheckLength:
		ok = x[0] == x[1]
	case ir.CheckBounds:
		ok = 0 <= x[0] && x[0] <= x[1] && x[1] <= x[2]
	case ir.CheckSize:
		ok = x[0] > 0
	case ir.CheckNonzero:
		ok = x[0] != 0
	case ir.CheckPanic:
		ok = x[0] != 0
	case ir.CheckNonneg:
		ok = x[0] >= 0
	}
	if !ok {
		fail("%s %s %s %v", op.Kind, op.Op, op.Arg, x)
	}
}

func (e *evaluator) view(op *ir.View) []any {
	out := []any{}
	at := func(s []any, i int) any {
		if i < 0 || i >= len(s) {
			fail("%s: %d of %d", op.Fn, i, len(s))
		}
		return s[i]
	}
	switch op.Fn {
	case ir.Nest:
		s, off := e.array(op.Args[0]), e.array(op.Args[1])
		if lo := int(off[0].(ir.Const).Int()); lo < 0 || lo > len(s) {
			fail("nest %d", lo)
		}
		for i := range len(off) - 1 {
			lo, hi := int(off[i].(ir.Const).Int()), int(off[i+1].(ir.Const).Int())
			if lo < 0 || hi < lo || hi > len(s) {
				fail("nest %d %d", lo, hi)
			}
			out = append(out, s[lo:hi:hi])
		}
	case ir.Split:
		s, size := e.array(op.Args[0]), e.int(op.Args[1])
		for lo := 0; lo < len(s); lo += size {
			hi := min(lo+size, len(s))
			out = append(out, s[lo:hi:hi])
		}
	case ir.Cyclic:
		s, size := e.array(op.Args[0]), e.int(op.Args[1])
		for j := range size {
			row := []any{}
			for i := j; i < len(s); i += size {
				row = append(row, s[i])
			}
			out = append(out, row)
		}
	case ir.Gather:
		for _, i := range e.array(op.Args[1]) {
			out = append(out, at(e.array(op.Args[0]), int(i.(ir.Const).Int())))
		}
	case ir.Reverse:
		s := e.array(op.Args[0])
		for i := range s {
			out = append(out, s[len(s)-1-i])
		}
	case ir.Striding:
		s := e.array(op.Args[0])
		for i := 0; i < len(s); i += e.int(op.Args[1]) {
			out = append(out, s[i])
		}
	case ir.RangeOf: // only int ranges that count up are tested
		for i := e.int(op.Args[0]); i < e.int(op.Args[1]); i += e.int(op.Args[2]) {
			out = append(out, intValue(i))
		}
	case ir.Replicate:
		for range e.int(op.Args[1]) {
			out = append(out, e.atom(op.Args[0]))
		}
	case ir.Slice:
		lo, hi := e.int(op.Args[1]), e.int(op.Args[2])
		out = e.array(op.Args[0])[lo:hi:hi]
	case ir.Flatten:
		for _, row := range e.array(op.Args[0]) {
			out = append(out, row.([]any)...)
		}
	case ir.Concat:
		out = append(append(out, e.array(op.Args[0])...), e.array(op.Args[1])...)
	}
	return out
}

func unaryValue(fn ir.UnaryFn, x ir.Const) ir.Const {
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
	case ir.OnesCount, ir.LeadingZeros, ir.TrailingZeros, ir.ReverseBits, ir.ReverseBytes:
		return bitsValue(fn, x)
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
	case ir.Sqrt:
		return ir.FloatConst(x.Kind, math.Sqrt(x.Float()))
	case "exp2":
		return ir.FloatConst(x.Kind, math.Exp2(x.Float()))
	case ir.Trunc:
		return ir.FloatConst(x.Kind, math.Trunc(x.Float()))
	case ir.Abs:
		return ir.FloatConst(x.Kind, math.Abs(x.Float()))
	}
	panic(fn)
}

// bitsValue counts and turns bits one by one.
func bitsValue(fn ir.UnaryFn, x ir.Const) ir.Const {
	width := 8 * x.Kind.Bytes()
	ones, leading, trailing := 0, width, width
	var reversed, swapped uint64
	for i := range width {
		if x.Bits>>i&1 == 0 {
			continue
		}
		ones, leading, trailing = ones+1, width-1-i, min(trailing, i)
		reversed |= 1 << (width - 1 - i)
		swapped |= 1 << (width - 8 - i/8*8 + i%8)
	}
	switch fn {
	case ir.OnesCount:
		return intValue(ones)
	case ir.LeadingZeros:
		return intValue(leading)
	case ir.TrailingZeros:
		return intValue(trailing)
	case ir.ReverseBits:
		return ir.Const{Kind: x.Kind, Bits: reversed}
	}
	return ir.Const{Kind: x.Kind, Bits: swapped}
}

func binaryValue(fn ir.BinaryFn, x, y ir.Const) ir.Const {
	if fn.IsComparison() {
		return ir.BoolConst(compareValues(fn, x, y))
	}
	if x.Kind.IsFloat() {
		a, b := x.Float(), y.Float()
		r := map[ir.BinaryFn]func() float64{
			ir.Add: func() float64 { return a + b }, ir.Sub: func() float64 { return a - b }, ir.Mul: func() float64 { return a * b },
			ir.Div: func() float64 { return a / b }, ir.Min: func() float64 { return min(a, b) }, ir.Max: func() float64 { return max(a, b) },
			ir.Pow: func() float64 { return math.Pow(a, b) }, ir.Hypot: func() float64 { return math.Hypot(a, b) },
			ir.Atan2: func() float64 { return math.Atan2(a, b) }, ir.CopyS: func() float64 { return math.Copysign(a, b) },
			ir.Mod: func() float64 { return math.Mod(a, b) },
		}[fn]()
		return ir.FloatConst(x.Kind, r)
	}
	if x.Kind == ir.Bool {
		return map[ir.BinaryFn]ir.Const{ir.And: {Kind: ir.Bool, Bits: x.Bits & y.Bits}, ir.Or: {Kind: ir.Bool, Bits: x.Bits | y.Bits}}[fn]
	}
	a, b := x.Int(), y.Int()
	div := func(q, r int64) int64 {
		if fn == ir.Div {
			return q
		}
		return r
	}
	var r int64
	switch fn {
	case ir.Add:
		r = a + b
	case ir.Sub:
		r = a - b
	case ir.Mul:
		r = a * b
	case ir.Div, ir.Rem:
		if x.Kind.IsUnsigned() {
			r = div(int64(uint64(a)/uint64(b)), int64(uint64(a)%uint64(b)))
		} else {
			r = div(a/b, a%b)
		}
	case ir.And:
		r = a & b
	case ir.Or:
		r = a | b
	case ir.Xor:
		r = a ^ b
	case ir.AndNot:
		r = a &^ b
	case ir.Shl:
		r = a << uint64(b)
	case ir.Shr:
		if x.Kind.IsUnsigned() {
			r = int64(uint64(a) >> uint64(b))
		} else {
			r = a >> uint64(b)
		}
	case ir.Min:
		r = min(a, b)
	case ir.Max:
		r = max(a, b)
	case ir.RotateLeft:
		width := int64(8 * x.Kind.Bytes())
		n := uint64((b%width + width) % width)
		r = int64(x.Bits<<n | x.Bits>>(uint64(width)-n))
	case ir.MulHigh:
		hi, _ := bits.Mul64(x.Bits, y.Bits)
		r = int64(hi)
	default:
		panic(fn)
	}
	return ir.IntConst(x.Kind, r)
}

func compareValues(fn ir.BinaryFn, x, y ir.Const) bool {
	var lt, eq bool
	switch {
	case x.Kind.IsFloat():
		if math.IsNaN(x.Float()) || math.IsNaN(y.Float()) {
			return fn == ir.Ne
		}
		lt, eq = x.Float() < y.Float(), x.Float() == y.Float()
	case x.Kind.IsUnsigned():
		lt, eq = x.Bits < y.Bits, x.Bits == y.Bits
	default:
		lt, eq = x.Int() < y.Int(), x.Bits == y.Bits
	}
	return map[ir.BinaryFn]bool{ir.Eq: eq, ir.Ne: !eq, ir.Lt: lt, ir.Le: lt || eq, ir.Gt: !lt && !eq, ir.Ge: !lt}[fn]
}

func convertValue(to ir.Kind, x ir.Const) ir.Const {
	switch {
	case x.Kind.IsFloat() && to.IsFloat():
		return ir.FloatConst(to, x.Float())
	case x.Kind.IsFloat():
		return ir.IntConst(to, int64(x.Float()))
	case to.IsFloat() && x.Kind.IsUnsigned():
		return ir.FloatConst(to, float64(x.Bits))
	case to.IsFloat():
		return ir.FloatConst(to, float64(x.Int()))
	}
	return ir.IntConst(to, x.Int())
}
