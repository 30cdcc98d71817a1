package load

import (
	"go/ast"
	"go/constant"
	"go/types"
	"math"

	"github.com/surge-ndp/surge/ops/ir"
)

// Complex numbers are pairs of floats, the real part first. Arithmetic is that of the Go compiler: sums are made part
// by part, products and quotients of complex64 in float64, and quotients obey its rules for infinities and zeros.

// complexPart returns the kind of the parts of a complex type.
func complexPart(t types.Type) (ir.Kind, bool) {
	if t == nil {
		return ir.Invalid, false
	}
	b, ok := t.Underlying().(*types.Basic)
	switch {
	case !ok || b.Info()&types.IsComplex == 0:
		return ir.Invalid, false
	case b.Kind() == types.Complex64:
		return ir.Float32, true
	}
	return ir.Float64, true
}

// complexConst is the constant v as a complex number with parts of a kind.
func complexConst(part ir.Kind, v constant.Value) []ir.Atom {
	v = constant.ToComplex(v)
	return []ir.Atom{constOf(part, constant.Real(v)), constOf(part, constant.Imag(v))}
}

// isComplexPair reports whether both are complex numbers of one type.
func isComplexPair(x, y value) bool {
	p, ok := complexPart(x.typ)
	q, too := complexPart(y.typ)
	return ok && too && p == q && len(x.atoms) == 2 && len(y.atoms) == 2
}

// complexBinary lowers arithmetic of two complex numbers of one type.
func (l *lowerer) complexBinary(fn ir.BinaryFn, x, y value) value {
	part, _ := complexPart(x.typ)
	out := value{typ: x.typ}
	switch fn {
	case ir.Add, ir.Sub:
		out.atoms = []ir.Atom{l.bin("re", fn, x.atoms[0], y.atoms[0]), l.bin("im", fn, x.atoms[1], y.atoms[1])}
		return out
	case ir.Mul, ir.Div:
	default:
		return value{bad: true}
	}
	var xs []ir.Atom
	for _, a := range append(append([]ir.Atom{}, x.atoms...), y.atoms...) {
		xs = append(xs, l.convert(a, ir.Float64))
	}
	var re, im ir.Atom
	if fn == ir.Mul {
		re = l.bin("re", ir.Sub, l.bin("t", ir.Mul, xs[0], xs[2]), l.bin("t", ir.Mul, xs[1], xs[3]))
		im = l.bin("im", ir.Add, l.bin("t", ir.Mul, xs[0], xs[3]), l.bin("t", ir.Mul, xs[1], xs[2]))
	} else {
		re, im = l.complexQuotient(xs[0], xs[1], xs[2], xs[3])
	}
	out.atoms = []ir.Atom{l.convert(re, part), l.convert(im, part)}
	return out
}

// complexQuotient is (a+bi)/(c+di) by Smith's method: the larger part of the divisor divides the smaller one, so that
// nothing overflows early. A result of two NaNs is corrected where C99 (annex G) wants an infinity or a zero.
func (l *lowerer) complexQuotient(a, b, c, d ir.Atom) (re, im ir.Atom) {
	byReal := l.bin("larger", ir.Ge, l.absolute(c), l.absolute(d))
	big, small := l.selected("t", byReal, c, d), l.selected("t", byReal, d, c)
	p, q := l.selected("t", byReal, a, b), l.selected("t", byReal, b, a)
	ratio := l.bin("ratio", ir.Div, small, big)
	denominator := l.bin("t", ir.Add, big, l.bin("t", ir.Mul, ratio, small))
	re = l.bin("re", ir.Div, l.bin("t", ir.Add, p, l.bin("t", ir.Mul, q, ratio)), denominator)
	cross := l.bin("t", ir.Mul, p, ratio)
	im = l.bin("im", ir.Div, l.selected("t", byReal, l.bin("t", ir.Sub, q, cross), l.bin("t", ir.Sub, cross, q)), denominator)

	odd := l.bin("odd", ir.And, l.isNaN(re), l.isNaN(im))
	pair := l.conds(odd, func() []ir.Atom { return l.oddQuotient(a, b, c, d, re, im) }, func() []ir.Atom { return []ir.Atom{re, im} })
	return pair[0], pair[1]
}

// oddQuotient is the quotient whose computation gave re and im, of which both are NaN.
func (l *lowerer) oddQuotient(a, b, c, d, re, im ir.Atom) []ir.Atom {
	inf, zero := ir.FloatConst(ir.Float64, math.Inf(1)), ir.FloatConst(ir.Float64, 0)
	and := func(x, y ir.Atom) ir.Atom { return l.bin("t", ir.And, x, y) }
	isInf := func(x ir.Atom) ir.Atom { return l.bin("t", ir.Eq, l.absolute(x), inf) }
	finite := func(x, y ir.Atom) ir.Atom {
		return and(l.bin("t", ir.Lt, l.absolute(x), inf), l.bin("t", ir.Lt, l.absolute(y), inf))
	}
	sign := func(x, of ir.Atom) ir.Atom { return l.bin("t", ir.CopyS, x, of) }
	unit := func(x ir.Atom) ir.Atom { // of an infinity ±1, of another number ±0
		return sign(l.selected("t", isInf(x), ir.FloatConst(ir.Float64, 1), zero), x)
	}
	scaled := func(by, a, b, c, d ir.Atom) []ir.Atom {
		return []ir.Atom{
			l.bin("re", ir.Mul, by, l.bin("t", ir.Add, l.bin("t", ir.Mul, a, c), l.bin("t", ir.Mul, b, d))),
			l.bin("im", ir.Mul, by, l.bin("t", ir.Sub, l.bin("t", ir.Mul, b, c), l.bin("t", ir.Mul, a, d))),
		}
	}
	byZero := and(and(l.bin("t", ir.Eq, c, zero), l.bin("t", ir.Eq, d, zero)),
		l.emit("t", boolType, &ir.Unary{Fn: ir.Not, X: and(l.isNaN(a), l.isNaN(b))}))
	return l.conds(byZero, func() []ir.Atom {
		return []ir.Atom{l.bin("re", ir.Mul, sign(inf, c), a), l.bin("im", ir.Mul, sign(inf, c), b)}
	}, func() []ir.Atom {
		ofInf := and(l.bin("t", ir.Or, isInf(a), isInf(b)), finite(c, d))
		return l.conds(ofInf, func() []ir.Atom {
			return scaled(inf, unit(a), unit(b), c, d)
		}, func() []ir.Atom {
			byInf := and(l.bin("t", ir.Or, isInf(c), isInf(d)), finite(a, b))
			return l.conds(byInf, func() []ir.Atom {
				return scaled(zero, a, b, unit(c), unit(d))
			}, func() []ir.Atom { return []ir.Atom{re, im} })
		})
	})
}

func (l *lowerer) negated(x ir.Atom) ir.Atom {
	return l.emit("t", x.Type(), &ir.Unary{Fn: ir.Neg, X: x})
}

func (l *lowerer) absolute(x ir.Atom) ir.Atom {
	return l.emit("abs", x.Type(), &ir.Unary{Fn: ir.Abs, X: x})
}

func (l *lowerer) isNaN(x ir.Atom) ir.Atom {
	return l.emit("nan", boolType, &ir.Unary{Fn: ir.IsNaN, X: x})
}

// conds emits a condition whose arms yield as many values.
func (l *lowerer) conds(c ir.Atom, then, els func() []ir.Atom) []ir.Atom {
	t, x := l.block(func() value { return value{atoms: then()} })
	e, _ := l.block(func() value { return value{atoms: els()} })
	s := &ir.Stmt{Op: &ir.If{Cond: c, Then: t, Else: e}}
	var out []ir.Atom
	for _, a := range x.atoms {
		v := &ir.Var{Name: "t", T: a.Type()}
		l.auto[v] = true
		s.Dst = append(s.Dst, v)
		out = append(out, v)
	}
	l.append(s)
	return out
}

// complexBuiltin lowers complex(re, im), real(c) and imag(c).
func (l *lowerer) complexBuiltin(e *ast.CallExpr, name string) value {
	out := value{typ: l.unit.info.TypeOf(e)}
	if name == "complex" && len(e.Args) == 2 {
		part, _ := complexPart(out.typ)
		for _, arg := range e.Args {
			v := l.expr(arg)
			if v.bad || len(v.atoms) != 1 {
				return value{bad: true}
			}
			out.atoms = append(out.atoms, l.convert(v.atoms[0], part))
		}
		return out
	}
	v := l.expr(e.Args[0])
	if v.bad || len(v.atoms) != 2 {
		return value{bad: true}
	}
	out.atoms = v.atoms[:1]
	if name == "imag" {
		out.atoms = v.atoms[1:]
	}
	return out
}
