package fuse

import "github.com/surge-ndp/surge/ops/ir"

// rangeLength is the number of elements of a range, as package ops counts them. A length that int cannot hold comes out
// as the int with the same 64 bits, which is negative, and [ir.CheckCount] refuses it.
func (e emitter) rangeLength(start, end, stride ir.Atom) ir.Atom {
	kind := start.Type().Kind
	if kind.IsFloat() {
		return e.floatSteps(start, end, stride)
	}
	c, constant := stride.(ir.Const)
	switch {
	case constant && (kind.IsUnsigned() || c.Int() >= 0):
		return e.intSteps(start, end, e.bits(stride))
	case constant:
		return e.intSteps(end, start, ir.IntConst(ir.Uint64, -c.Int()))
	case kind.IsUnsigned():
		return e.intSteps(start, end, e.bits(stride))
	}
	down := e.bin(ir.Lt, "down", stride, ir.IntConst(kind, 0))
	lo := e.choose("lo", down, end, start)
	hi := e.choose("hi", down, start, end)
	wide := e.bits(stride)
	return e.intSteps(lo, hi, e.choose("step", down, e.bin(ir.Sub, "step", ir.IntConst(ir.Uint64, 0), wide), wide))
}

// intSteps is ⌈(hi-lo)/step⌉ for the unsigned step, 0 if hi is not above lo. The distance of two 64-bit integers
// needs 64 unsigned bits; where it certainly fits an int, the calculation is one of ints, which later passes know
// more about.
func (e emitter) intSteps(lo, hi, step ir.Atom) ir.Atom {
	name := "hi"
	if ir.IsInt(lo, 0) {
		name = "n"
	}
	hi = e.bin(ir.Max, name, hi, lo) // so that the distance is not negative, and does not overflow downwards either
	from, isConst := lo.(ir.Const)
	fits := lo.Type().Kind.Bytes() < 8 || isConst && !from.Kind.IsUnsigned() && from.Int() >= 0
	if ir.IsInt(step, 1) || fits {
		n := e.bin(ir.Sub, "n", e.toInt(hi), e.toInt(lo))
		if c, ok := step.(ir.Const); ok && c.Int() > 0 {
			return e.ceilDiv(n, ir.IntConst(ir.Int, c.Int()))
		}
		return e.toInt(e.ceilDiv(e.bits(n), step))
	}
	return e.toInt(e.ceilDiv(e.bin(ir.Sub, "span", e.bits(hi), e.bits(lo)), step))
}

// bits is a with its sign extended to 64 bits, as a uint64.
func (e emitter) bits(a ir.Atom) ir.Atom {
	if a.Type().Kind == ir.Uint64 {
		return a
	}
	if c, ok := a.(ir.Const); ok {
		return ir.IntConst(ir.Uint64, c.Int())
	}
	return e.let("bits", ir.Scalar(ir.Uint64), &ir.Convert{To: ir.Uint64, X: a})
}

func (e emitter) choose(name string, cond, x, y ir.Atom) ir.Atom {
	if c, ok := cond.(ir.Const); ok {
		if c.Bits != 0 {
			return x
		}
		return y
	}
	return e.let(name, x.Type(), &ir.Select{Cond: cond, X: x, Y: y})
}

const (
	mostSteps = 1 << 47 // no memory holds as many elements
	halvings  = 48      // of mostSteps until nothing is between the ends
)

// floatSteps is the least i whose element, start + i*stride, has reached end, or mostSteps if that is less. The
// quotient gives it in most cases; the rounding of an element, of its number and of the quotient makes it wrong by
// any amount in others, and then a search by halving finds it, as package ops does: elements never turn back as i
// grows. The loop's number of turns is known, so that it may move out of others.
func (e emitter) floatSteps(start, end, stride ir.Atom) ir.Atom {
	t := start.Type()
	for i, a := range []ir.Atom{start, end, stride} {
		e.stmt(&ir.Check{Kind: ir.CheckFinite, Op: "Range", Arg: []string{"start", "end", "stride"}[i], Args: []ir.Atom{a}})
	}
	zero, one, most := ir.IntConst(ir.Int, 0), ir.IntConst(ir.Int, 1), ir.IntConst(ir.Int, mostSteps)
	down := e.bin(ir.Lt, "down", stride, ir.FloatConst(t.Kind, 0))
	q := e.bin(ir.Div, "q", e.bin(ir.Sub, "d", end, start), stride)
	up := e.let("q", t, &ir.Unary{Fn: ir.Ceil, X: q})
	up = e.let("q", t, &ir.Binary{Fn: ir.Max, X: up, Y: ir.FloatConst(t.Kind, 0)})
	up = e.let("q", t, &ir.Binary{Fn: ir.Min, X: up, Y: ir.FloatConst(t.Kind, mostSteps)})
	guess := e.let("guess", tInt, &ir.Convert{To: ir.Int, X: up})
	less := e.bin(ir.Sub, "less", guess, one)

	more, enough := e.before(guess, start, end, stride, down), e.before(less, start, end, stride, down)
	lo := e.choose("lo", more, guess, e.choose("lo", enough, less, zero)) // before the end, or 0
	hi := e.choose("hi", more, most, e.choose("hi", enough, guess, less)) // not before the end, or mostSteps
	far := e.bin(ir.Gt, "far", e.bin(ir.Sub, "d", hi, lo), one)
	turns := e.choose("turns", far, ir.IntConst(ir.Int, halvings), zero)

	pl, ph := e.r.names.Var("lo", tInt), e.r.names.Var("hi", tInt)
	body := &ir.Block{}
	in := emitter{e.r, &body.Stmts, e.pos}
	mid := in.bin(ir.Add, "mid", pl, in.bin(ir.Div, "half", in.bin(ir.Sub, "d", ph, pl), ir.IntConst(ir.Int, 2)))
	still := in.before(mid, start, end, stride, down)
	body.Results = []ir.Atom{in.choose("lo", still, mid, pl), in.choose("hi", still, ph, mid)}
	last, n := e.r.names.Var("lo", tInt), e.r.names.Var("n", tInt)
	e.stmt(&ir.Loop{Params: []*ir.Var{pl, ph}, Init: []ir.Atom{lo, hi}, I: e.r.names.Var("turn", tInt), Lo: zero, Hi: turns, Body: body}, last, n)
	return e.choose("n", e.before(zero, start, end, stride, down), n, zero)
}

// before reports whether element i of a range is before its end.
func (e emitter) before(i, start, end, stride, down ir.Atom) ir.Atom {
	t := start.Type()
	k := e.let("k", t, &ir.Convert{To: t.Kind, X: i})
	x := e.bin(ir.Add, "x", start, e.bin(ir.Mul, "step", k, stride))
	return e.choose("in", down, e.bin(ir.Gt, "gt", x, end), e.bin(ir.Lt, "lt", x, end))
}
