package goroutine

import (
	"fmt"
	"strconv"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// container is the kind of the lanes that hold numbers of kind k: integers of less than 32 bits are computed in lanes
// of int32, which hold their values, unsigned ones of 32 and 64 bits in signed lanes, which hold their bits.
func container(k ir.Kind) ir.Kind {
	switch k {
	case ir.Uint8, ir.Int8, ir.Uint16, ir.Int16, ir.Uint32:
		return ir.Int32
	case ir.Int, ir.Uint, ir.Uint64:
		return ir.Int64
	}
	return k
}

// narrow reports whether numbers of kind k take less memory than their lanes.
func narrow(k ir.Kind) bool { return k.IsInteger() && 8*k.Bytes() < kir.LaneBits(k) }

// wide reports whether numbers of kind k are unsigned ones whose bits signed lanes hold: what depends on the sign has
// functions of its own.
func wide(k ir.Kind) bool { return k.IsUnsigned() && !narrow(k) }

// ownName is what ends the names of the functions of package vec for what the container of t does not know: U8x16.
func ownName(t kir.Type) string {
	letter := "I"
	if t.Kind.IsUnsigned() {
		letter = "U"
	}
	return letter + strconv.Itoa(8*t.Kind.Bytes()) + "x" + strconv.Itoa(t.Lanes)
}

// wrapped prints what lanes hold after arithmetic: where they are wider than the numbers, these may not fit.
func wrapped(t kir.Type, text string) string {
	if !narrow(t.Kind) {
		return text
	}
	return "vec.Wrap" + ownName(t) + "(" + text + ")"
}

// laneValue prints a scalar for a vector function, which takes what its lanes hold.
func (p *printer) laneValue(x kir.Expr) string {
	if k := x.Type().Kind; k != ir.Bool && container(k) != k {
		if c, ok := x.(*kir.Const); ok && k != ir.Int {
			return constant(contained(c.C), true)
		}
		return container(k).String() + "(" + p.expr(x) + ")"
	}
	return p.expr(x)
}

// contained is a constant as lanes hold it.
func contained(c ir.Const) ir.Const {
	if !c.Kind.IsInteger() {
		return c
	}
	return ir.IntConst(container(c.Kind), c.Int())
}

// fromLane prints a scalar of kind k that a vector function returns as its lanes hold it.
func (p *printer) fromLane(k ir.Kind, text string) string {
	if k != ir.Bool && container(k) != k {
		return k.String() + "(" + text + ")"
	}
	return text
}

// shift prints a shift of all lanes by a constant.
func (p *printer) shift(x *kir.Bin) string {
	n := uint64(x.Y.(*kir.Const).C.Int())
	n = min(n, 64) // by which nothing is left
	switch {
	case x.Fn == ir.Shl:
		return wrapped(x.T, fmt.Sprintf("vec.ShlConst%s(%s, %d)", vecName(x.T), p.expr(x.X), n))
	case wide(x.T.Kind):
		return fmt.Sprintf("vec.ShrConst%s(%s, %d)", ownName(x.T), p.expr(x.X), n)
	}
	return fmt.Sprintf("vec.ShrConst%s(%s, %d)", vecName(x.T), p.expr(x.X), n)
}

// unsigned prints what depends on the sign, of unsigned numbers in signed lanes, "" for any other expression.
func (p *printer) unsigned(x *kir.Bin) string {
	t := x.X.Type()
	if !wide(t.Kind) {
		return ""
	}
	greater := func(a, b kir.Expr) string {
		return fmt.Sprintf("vec.Greater%s(%s, %s)", ownName(t), p.expr(a), p.expr(b))
	}
	switch x.Fn {
	case ir.Gt:
		return greater(x.X, x.Y)
	case ir.Lt:
		return greater(x.Y, x.X)
	case ir.Ge:
		return fmt.Sprintf("vec.Not%s(%s)", vecName(x.T), greater(x.Y, x.X))
	case ir.Le:
		return fmt.Sprintf("vec.Not%s(%s)", vecName(x.T), greater(x.X, x.Y))
	case ir.Min, ir.Max, ir.Div, ir.Rem:
		return fmt.Sprintf("vec.%s%s(%s, %s)", vectorFunctions[x.Fn], ownName(t), p.expr(x.X), p.expr(x.Y))
	}
	return ""
}

// convertLanes prints a conversion of numbers in lanes.
func (p *printer) convertLanes(x *kir.Convert) string {
	from, to, text := x.X.Type(), x.T, p.expr(x.X)
	if letters(from.Kind) != letters(to.Kind) {
		name := vecName(from)
		if wide(from.Kind) {
			name = ownName(from)
		}
		through := to.Kind
		if throughInts(x) {
			text = fmt.Sprintf("vec.%sTo%s(%s)", name, vecName(kir.Type{Kind: ir.Int64, Lanes: to.Lanes}), text)
			name, through = vecName(kir.Type{Kind: ir.Int64, Lanes: to.Lanes}), ir.Int32
		}
		if wide(from.Kind) && container(from.Kind) == ir.Int64 && !to.Kind.IsFloat() { // the lower bits
			name = vecName(from)
		}
		text = fmt.Sprintf("vec.%sTo%s(%s)", name, vecName(kir.Type{Kind: through, Lanes: to.Lanes}), text)
	}
	if to.Kind.Holds(from.Kind) {
		return text
	}
	return wrapped(to, text)
}

// throughInts reports whether a conversion of lanes goes by way of integers of 64 bits, as Go converts such numbers.
func throughInts(x *kir.Convert) bool { return x.T.Kind == ir.Uint32 && x.X.Type().Kind.IsFloat() }

// consecutive prints the load of consecutive elements.
func (p *printer) consecutive(x *kir.Load) string {
	if f := x.A.Field; f != nil {
		return fmt.Sprintf("vec.LoadEvery%d%s(%s, 0)", f.Apart, memoryName(x.T), p.fieldAddress(x.A, x.I))
	}
	switch {
	case x.Mask != nil && narrow(x.T.Kind):
		return fmt.Sprintf("vec.LoadMask%s(%s, %s, %s, %s)", ownName(x.T), p.base(x.A, true), p.expr(x.I), p.elements(x.A), p.expr(x.Mask))
	case x.Mask != nil:
		return fmt.Sprintf("vec.LoadMask%s(%s, %s, %s)", vecName(x.T), p.base(x.A, true), p.expr(x.I), p.expr(x.Mask))
	case x.T.Kind == ir.Bool:
		return fmt.Sprintf("vec.Load%s(%s)", vecName(x.T), p.at(x.A, x.I))
	case narrow(x.T.Kind):
		return fmt.Sprintf("vec.Load%s(%s)", ownName(x.T), p.at(x.A, x.I))
	}
	if p.inText {
		return fmt.Sprintf("vec.Load%s(%s)", vecName(x.T), p.at(x.A, x.I))
	}
	return "*" + p.addr(x.T, x.A, x.I)
}

// elements prints how many elements an array has, 0 if that is not known where it is read.
func (p *printer) elements(a *kir.Array) string {
	switch {
	case a.Space == kir.Strip:
		return strconv.Itoa(a.Size)
	case hasLength(a):
		return p.expr(&kir.Length{A: a})
	}
	return "0"
}

// hasLength reports whether an array is a sequence of the frame, which has its length.
func hasLength(a *kir.Array) bool { return a.Space == kir.Global && a.Field == nil }

// memoryName is what ends the names of functions that read or write elements of t where they lie.
func memoryName(t kir.Type) string {
	if narrow(t.Kind) {
		return ownName(t)
	}
	return vecName(t)
}
