package lower

import (
	"math"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// overRoot is a quotient x/√y on the widest vectors: there 1/√y has an estimate that is exact after a few
// multiplications, while a root and a quotient take some twenty cycles each. It returns nil for other quotients.
func (l *lowerer) overRoot(op *ir.Binary, x value, e *env) kir.Expr {
	v, ok := op.Y.(*ir.Var)
	if !ok || op.Fn != ir.Div || !v.T.Kind.IsFloat() || l.width*bitsOf(v.T.Kind) != 512 {
		return nil
	}
	root, ok := l.defs[v].(*ir.Unary)
	if !ok || root.Fn != ir.Sqrt {
		return nil
	}
	y, ok := e.getAtom(root.X)
	if !ok {
		return nil
	}
	t := l.vectorType(v.T.Kind, l.width)
	r := l.rsqrt(l.vec(y), l.least(root.X, map[*ir.Var]float64{}) >= twiceNormal[t.Kind], t)
	if c, ok := op.X.(ir.Const); ok && c.Float() == 1 {
		return r
	}
	return &kir.Bin{Fn: ir.Mul, X: l.vec(x), Y: r, T: t}
}

// twiceNormal is twice the smallest normal number: half of it is normal too.
var twiceNormal = map[ir.Kind]float64{ir.Float32: 0x1p-125, ir.Float64: 0x1p-1021}

// rsqrt is 1/√y within 1.5 units in the last place: an estimate r of 14 bits, and for every doubling of them a step
// of Newton's method. They are functions of their own because the compiler would not inline both steps of a float64
// at once. Where y is known to be at least [twiceNormal] they are r + r·(1/2 - y/2·r²), with half of y by an addition
// to its exponent, which leaves it finite if y is infinite: r is zero then and stays zero, while y·r² would be a NaN
// that has to be corrected.
func (l *lowerer) rsqrt(y kir.Expr, normal bool, t kir.Type) kir.Expr {
	r := l.letExpr("estimate", &kir.Un{Fn: kir.RSqrtEstimate, X: y, T: t})
	splat := func(x float64) kir.Expr { return l.vec(scalar(&kir.Const{C: ir.FloatConst(t.Kind, x)})) }
	if normal { // the bits of +Inf reverse the sign and take one from the exponent
		y = l.letExpr("half", &kir.Bin{Fn: kir.AddBits, X: y, Y: splat(math.Inf(1)), T: t})
	}
	for bits := 14; bits < map[ir.Kind]int{ir.Float32: 24, ir.Float64: 53}[t.Kind]; bits *= 2 {
		if !normal {
			r = l.letExpr("rsqrt", &kir.Bin{Fn: kir.RSqrtStep, X: y, Y: r, T: t})
			continue
		}
		over := l.letExpr("over", &kir.FMA{X: &kir.Bin{Fn: ir.Mul, X: y, Y: r, T: t}, Y: r, Z: splat(0.5)})
		r = l.letExpr("rsqrt", &kir.FMA{X: over, Y: r, Z: r})
	}
	return r
}

// least returns a number that the float a is never below, -Inf if it knows none; a may be a NaN as well. Rounding
// keeps the order of numbers, so that what holds for exact results holds for rounded ones. known are the results for
// variables so far.
func (l *lowerer) least(a ir.Atom, known map[*ir.Var]float64) float64 {
	if c, ok := a.(ir.Const); ok {
		return c.Float()
	}
	v, ok := a.(*ir.Var)
	if !ok || l.defs[v] == nil || !v.T.Kind.IsFloat() {
		return math.Inf(-1)
	}
	if least, ok := known[v]; ok {
		return least
	}
	least := math.Inf(-1)
	switch op := l.defs[v].(type) {
	case *ir.Unary:
		switch op.Fn {
		case ir.Abs, ir.Exp, ir.Sqrt:
			least = 0
		}
	case *ir.Binary:
		x, y := l.least(op.X, known), l.least(op.Y, known)
		if op.Fn == ir.Mul && op.X == op.Y { // a square
			x, y = max(x, 0), max(y, 0)
		}
		switch {
		case op.Fn == ir.Add:
			least = x + y
		case op.Fn == ir.Mul && x >= 0 && y >= 0:
			least = x * y
		case op.Fn == ir.Max:
			least = max(x, y)
		case op.Fn == ir.Min:
			least = min(x, y)
		}
	}
	if v.T.Kind == ir.Float32 {
		least = float64(float32(least))
	}
	known[v] = least
	return least
}
