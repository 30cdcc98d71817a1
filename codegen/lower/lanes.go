package lower

import (
	"math"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// vectorType returns the type of w lanes of kind k, or vetoes.
func (l *lowerer) vectorType(k ir.Kind, w int) kir.Type {
	switch k {
	case ir.Int, ir.Int64, ir.Float64, ir.Uint, ir.Uint64:
		if w > 8 {
			veto("level %d cannot have %d lanes: it holds %s values, of which a vector has 8 at most", l.laneLevel, w, k)
		}
	case ir.Int32, ir.Float32, ir.Uint32, ir.Int16, ir.Uint16, ir.Int8, ir.Uint8:
	default:
		veto("level %d cannot use lanes: there are no vectors of %s", l.laneLevel, k)
	}
	return kir.Type{Kind: k, Lanes: w}
}

// vec returns v as a vector (or mask) of the current width.
func (l *lowerer) vec(v value) kir.Expr {
	w := l.width
	switch v.form {
	case vector:
		return v.x
	case contig:
		return l.letExpr("v", &kir.Iota{Start: v.x, T: l.vectorType(v.x.Type().Kind, w)})
	case apart:
		return l.everyNumber(v)
	}
	k := v.x.Type().Kind
	if k == ir.Bool {
		bits := 64
		if w > 8 {
			bits = 32
		}
		return &kir.Splat{X: v.x, T: kir.Type{Kind: ir.Bool, Lanes: w, Bits: bits}}
	}
	return l.splat(v.x)
}

// splat returns a scalar in every lane. Outside of the vector loop is where it is computed, if the scalar is known
// there: the printer's compiler does not move it.
func (l *lowerer) splat(x kir.Expr) kir.Expr {
	t := l.vectorType(x.Type().Kind, l.width)
	if ref, ok := x.(*kir.Ref); ok {
		if s, ok := l.splats[splatKey{ref.V, l.width}]; ok {
			return s
		}
		if l.outside(ref.V) {
			v := l.fresh(ref.V.Name+"s", t)
			*l.preheader = append(*l.preheader, &kir.Let{V: v, X: &kir.Splat{X: x, T: t}})
			s := &kir.Ref{V: v}
			l.splats[splatKey{ref.V, l.width}] = s
			return s
		}
	}
	if c, ok := x.(*kir.Const); ok {
		key := constKey{c.C, l.width}
		if s, ok := l.constSplats[key]; ok {
			return s
		}
		v := l.fresh("k", t)
		*l.preheader = append(*l.preheader, &kir.Let{V: v, X: &kir.Splat{X: x, T: t}})
		s := &kir.Ref{V: v}
		l.constSplats[key] = s
		return s
	}
	return l.letExpr("s", &kir.Splat{X: x, T: t})
}

type splatKey struct {
	v *kir.Var
	w int
}

type constKey struct {
	c ir.Const
	w int
}

// maskFor converts a mask to the one that selects elements of kind k.
func (l *lowerer) maskFor(m kir.Expr, k ir.Kind) kir.Expr {
	return l.maskBits(m, bitsOf(k))
}

func (l *lowerer) maskBits(m kir.Expr, bits int) kir.Expr {
	t := m.Type()
	if t.Bits == bits {
		return m
	}
	return &kir.Convert{X: m, T: kir.Type{Kind: ir.Bool, Lanes: t.Lanes, Bits: bits}}
}

// laneBinary applies fn lane by lane; at least one operand is not uniform.
func (l *lowerer) laneBinary(fn ir.BinaryFn, x, y value) value {
	kind := x.x.Type().Kind
	if kind.IsInteger() && kind != ir.Int32 && (fn == ir.Add || fn == ir.Sub) { // index arithmetic stays scalar
		if fn == ir.Sub && x.form == contig && y.form == contig {
			return scalar(l.letExpr("distance", &kir.Bin{Fn: fn, X: x.x, Y: y.x, T: kir.ScalarType(kind)}))
		}
		i, by := x, y
		if fn == ir.Add && y.form == contig {
			i, by = y, x
		}
		if i.form == contig && by.form == uniform {
			return value{x: l.letExpr("i", &kir.Bin{Fn: fn, X: x.x, Y: y.x, T: kir.ScalarType(kind)}), form: contig, wraps: i.wraps || !isSmall(by.x)}
		}
	}
	if v, ok := l.apartBinary(fn, x, y); ok {
		return v
	}
	if v, ok := l.iotaBinary(fn, x, y); ok {
		return v
	}
	if kind == ir.Bool {
		a, b := l.vec(x), l.vec(y)
		switch fn {
		case ir.And, ir.Or, ir.Xor:
			return value{x: &kir.Bin{Fn: fn, X: a, Y: l.maskBits(b, a.Type().Bits), T: a.Type()}, form: vector}
		case ir.Eq, ir.Ne:
			r := kir.Expr(&kir.Bin{Fn: ir.Xor, X: a, Y: l.maskBits(b, a.Type().Bits), T: a.Type()})
			if fn == ir.Eq {
				r = &kir.Un{Fn: ir.Not, X: r, T: a.Type()}
			}
			return value{x: r, form: vector}
		}
		veto("level %d cannot use lanes: %s of booleans has no vector form", l.laneLevel, fn)
	}
	if builtin, inf, ok := mathMinMax(fn); ok {
		return l.laneMathMinMax(builtin, inf, x, y)
	}
	t := l.vectorType(kind, l.width)
	if fn == ir.Shl || fn == ir.Shr || fn == ir.RotateLeft {
		return l.laneShift(fn, x, y)
	}
	supported := false
	switch fn {
	case ir.Add, ir.Sub, ir.Mul, ir.Min, ir.Max, ir.Eq, ir.Ne, ir.Lt, ir.Le, ir.Gt, ir.Ge:
		supported = true
	case ir.Div:
		supported = true
	case ir.Rem:
		supported = kind.IsInteger()
	case ir.And, ir.Or, ir.Xor, ir.AndNot:
		supported = true
	default:
		supported = kir.CallsBinary(fn)
	}
	if !supported {
		veto("level %d cannot use lanes: %s of %s has no vector form", l.laneLevel, fn, kind)
	}
	a, b := l.vec(x), l.vec(y)
	if l.active != nil && kind.IsInteger() && (fn == ir.Div || fn == ir.Rem) { // the others may divide by zero
		b = l.selectValue(value{x: l.active, form: vector}, value{x: b, form: vector}, scalar(&kir.Const{C: ir.IntConst(kind, 1)})).x
	}
	if fn.IsComparison() {
		t = kir.Type{Kind: ir.Bool, Lanes: l.width, Bits: bitsOf(kind)}
	}
	return value{x: &kir.Bin{Fn: fn, X: a, Y: b, T: t}, form: vector}
}

// laneShift shifts all lanes by one constant: by counts in lanes the compiler would make an instruction that stalls.
func (l *lowerer) laneShift(fn ir.BinaryFn, x, y value) value {
	c, ok := y.x.(*kir.Const)
	if !ok {
		veto("level %d cannot use lanes: a shift by what is computed is made one by one", l.laneLevel)
	}
	a := l.vec(x)
	t := a.Type()
	if fn != ir.RotateLeft {
		return value{x: &kir.Bin{Fn: fn, X: a, Y: c, T: t}, form: vector}
	}
	bits := 8 * t.Kind.Bytes()
	n := int(c.C.Int()) & (bits - 1)
	if n == 0 {
		return value{x: a, form: vector}
	}
	a = l.letExpr("a", a)
	high := &kir.Bin{Fn: ir.Shl, X: a, Y: intConst(n), T: t}
	low := &kir.Bin{Fn: ir.Shr, X: a, Y: intConst(bits - n), T: t}
	return value{x: &kir.Bin{Fn: ir.Or, X: high, Y: low, T: t}, form: vector}
}

// mathMinMax reports for math.Min and math.Max which builtin function they are, except that an infinity, which is
// returned too, wins over NaN.
func mathMinMax(fn ir.BinaryFn) (builtin ir.BinaryFn, inf float64, ok bool) {
	switch fn {
	case ir.FMin:
		return ir.Min, math.Inf(-1), true
	case ir.FMax:
		return ir.Max, math.Inf(1), true
	}
	return "", 0, false
}

// laneMathMinMax is math.Min or math.Max, in terms of [mathMinMax].
func (l *lowerer) laneMathMinMax(builtin ir.BinaryFn, infinity float64, x, y value) value {
	kind := x.x.Type().Kind
	inf := scalar(&kir.Const{C: ir.FloatConst(kind, infinity)})
	x, y = value{x: l.letExpr("a", l.vec(x)), form: vector}, value{x: l.letExpr("b", l.vec(y)), form: vector}
	wins := l.laneBinary(ir.Or, l.laneBinary(ir.Eq, x, inf), l.laneBinary(ir.Eq, y, inf))
	return l.selectValue(wins, inf, l.laneBinary(builtin, x, y))
}

// laneUnary applies fn lane by lane.
func (l *lowerer) laneUnary(fn ir.UnaryFn, x value) value {
	if v, ok := l.laneCount(fn, x); ok {
		return v
	}
	a := l.vec(x)
	t := a.Type()
	switch fn {
	case ir.Not:
		return value{x: &kir.Un{Fn: fn, X: a, T: t}, form: vector}
	case ir.Neg:
		return value{x: &kir.Un{Fn: fn, X: a, T: t}, form: vector}
	case ir.BitNo:
		return value{x: &kir.Un{Fn: fn, X: a, T: t}, form: vector}
	case ir.Sqrt, ir.Abs, ir.Floor, ir.Ceil, ir.Trunc, ir.RoundToEven:
		return value{x: &kir.Un{Fn: fn, X: a, T: t}, form: vector}
	case ir.IsNaN:
		return value{x: &kir.Bin{Fn: ir.Ne, X: a, Y: a, T: kir.Type{Kind: ir.Bool, Lanes: t.Lanes, Bits: bitsOf(t.Kind)}}, form: vector}
	}
	if kir.CallsUnary(fn) {
		return value{x: &kir.Un{Fn: fn, X: a, T: t}, form: vector}
	}
	name := string(fn)
	if g := fn.GoMath(); g != "" {
		name = "math." + g
	}
	veto("level %d cannot use lanes: %s has no vector form yet", l.laneLevel, name)
	return value{}
}

// laneConvert converts lane by lane.
func (l *lowerer) laneConvert(to ir.Kind, x value) value {
	from := x.x.Type().Kind
	if from == to {
		return x
	}
	// int and int64 are the same lanes; an index that moves by one a lane stays one when it is widened.
	wide := func(k ir.Kind) bool { return k == ir.Int || k == ir.Int64 }
	if (x.form == contig || x.form == apart) && wide(to) {
		return value{x: l.letExpr("i", &kir.Convert{X: x.x, T: kir.ScalarType(to)}), form: x.form, by: x.by, wraps: x.wraps}
	}
	a := l.vec(x)
	t := l.vectorType(to, l.width)
	long := func(k ir.Kind) bool { return k == ir.Uint || k == ir.Uint64 }
	if from == ir.Bool || long(from) && to == ir.Float32 || from.IsFloat() && long(to) {
		veto("level %d cannot use lanes: conversion of %s to %s has no vector form", l.laneLevel, from, to)
	}
	if l.width == 16 && from == ir.Float32 && to == ir.Uint32 { // Go converts it by way of 64 bits
		veto("level %d cannot have 16 lanes: %s is converted to %s", l.laneLevel, from, to)
	}
	return value{x: &kir.Convert{X: a, T: t}, form: vector}
}
