//go:build goexperiment.simd && amd64

package vec

import (
	"math"
	"simd/archsimd"
)

// The functions of this file evaluate polynomials with fused multiply-adds, after a reduction that leaves the last place
// to a rounding or two. Every result is the double below or above the exact one (1 unit in the last place), which the tests
// check over the whole range. Special values are those of package math, whose own Exp and Log err near the ends of the
// range on some processors.

// Constants of the functions: ln 2 and π/2 in parts, the first with zeros at its end or taken by a fused multiply-add.
const (
	log2E   = 1.44269504088896338700
	ln2High = 6.93147180369123816490e-01
	ln2Low  = 1.90821492927058770002e-10
	shifter = 0x1.8p52 // added to a small integer, it puts that into the lowest bits
	// Beyond this the parts of π/2 are too short, and lanes are computed one by one.
	maxReduced = 1 << 20
	halfPi1    = 1.57079632679489655800e+00
	halfPi2    = 6.12323399573676603587e-17
	halfPi3    = -1.49738490485919833e-33
)

// expTerms are 1/12!, 1/11!, … 1/2!, sinTerms and cosTerms the minimax polynomials of FreeBSD's k_sin.c and k_cos.c.
var (
	expTerms = [...]float64{1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040, 1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5}
	sinTerms = [...]float64{-2.50507602534068634195e-08, 2.75573137070700676789e-06, -1.98412698298579493134e-04, 8.33333333332248946124e-03, -1.66666666666666324348e-01}
	cosTerms = [...]float64{2.08757232129817482790e-09, -2.75573143513906633035e-07, 2.48015872894767294178e-05, -1.38888888888741095749e-03, 4.16666666666666019037e-02}
)

// Exp returns e^v lane by lane.
func (v F64x4) Exp() F64x4 {
	x := SelectF64x4(v.Gt(SplatF64x4(710.5)), SplatF64x4(710.5), v) // a NaN stays one
	x = SelectF64x4(x.Lt(SplatF64x4(-746)), SplatF64x4(-746), x)
	k := x.Mul(SplatF64x4(log2E)).RoundToEven()
	r := k.FMA(SplatF64x4(-ln2High), x)
	r = k.FMA(SplatF64x4(-ln2Low), r)
	p := SplatF64x4(1.0 / 6227020800)
	for _, c := range expTerms {
		p = p.FMA(r, SplatF64x4(c))
	}
	p = p.Mul(r).FMA(r, r) // r + r²·(1/2! + r/3! + …)
	p = p.Add(SplatF64x4(1))
	// In two steps, as 2^k may lie outside of the range where the product does not.
	half := k.Mul(SplatF64x4(0.5)).Floor()
	return p.Mul(half.power2()).Mul(k.Sub(half).power2())
}

// power2 returns 2^v for integers from -1022 to 1023.
func (v F64x4) power2() F64x4 {
	return F64x4{v.v.Add(SplatF64x4(shifter + 1023).v).AsInt64x4().ShiftAllLeft(52).AsFloat64x4()}
}

// Log returns the natural logarithm of v lane by lane.
func (v F64x4) Log() F64x4 {
	small := v.Lt(SplatF64x4(0x1p-1022))
	x := SelectF64x4(small, v.Mul(SplatF64x4(0x1p54)), v)
	bias := SelectF64x4(small, SplatF64x4(1024+54), SplatF64x4(1024))
	// x = 2^k·m with m from √½ to √2
	bits := x.v.AsInt64x4()
	e := bits.Add(archsimd.BroadcastInt64x4(1024<<52 - 0x3fe6a09e667f3bcd)).AsUint64x4().ShiftAllRight(52).AsInt64x4()
	k := F64x4{e.Add(archsimd.BroadcastInt64x4(0x4330000000000000)).AsFloat64x4()}.Sub(SplatF64x4(0x1p52)).Sub(bias)
	m := F64x4{bits.Sub(e.ShiftAllLeft(52)).Add(archsimd.BroadcastInt64x4(1024 << 52)).AsFloat64x4()}
	f := m.Sub(SplatF64x4(1))
	s := f.Div(f.Add(SplatF64x4(2)))
	z := s.Mul(s)
	w := z.Mul(z)
	even := w.FMA(SplatF64x4(1.531383769920937332e-01), SplatF64x4(2.222219843214978396e-01))
	even = even.FMA(w, SplatF64x4(3.999999999940941908e-01)).Mul(w)
	odd := w.FMA(SplatF64x4(1.479819860511658591e-01), SplatF64x4(1.818357216161805012e-01))
	odd = odd.FMA(w, SplatF64x4(2.857142874366239149e-01))
	odd = odd.FMA(w, SplatF64x4(6.666666666666735130e-01)).Mul(z)
	square := f.Mul(f).Mul(SplatF64x4(0.5))
	y := s.Mul(square.Add(even.Add(odd))).Add(k.Mul(SplatF64x4(ln2Low)))
	y = k.Mul(SplatF64x4(ln2High)).Sub(square.Sub(y).Sub(f))
	y = SelectF64x4(v.Eq(SplatF64x4(math.Inf(1))), v, y)
	y = SelectF64x4(v.Eq(SplatF64x4(0)), SplatF64x4(math.Inf(-1)), y)
	return SelectF64x4(v.Ge(SplatF64x4(0)), y, SplatF64x4(math.NaN())) // negative, or a NaN
}

// Sin returns the sine of v lane by lane. Arguments beyond 2^20 are computed by package math.
func (v F64x4) Sin() F64x4 {
	if !v.Abs().Le(SplatF64x4(maxReduced)).All() {
		a := v.Array()
		for i := range a {
			a[i] = math.Sin(a[i])
		}
		return FromArrayF64x4(&a)
	}
	s := v.quadrant(0)
	return SelectF64x4(v.Eq(SplatF64x4(0)), v, s) // -0
}

// Cos returns the cosine of v lane by lane. Arguments beyond 2^20 are computed by package math.
func (v F64x4) Cos() F64x4 {
	if !v.Abs().Le(SplatF64x4(maxReduced)).All() {
		a := v.Array()
		for i := range a {
			a[i] = math.Cos(a[i])
		}
		return FromArrayF64x4(&a)
	}
	return v.quadrant(1)
}

// quadrant returns sin(v + turns·π/2).
func (v F64x4) quadrant(turns float64) F64x4 {
	q := v.Mul(SplatF64x4(2 / math.Pi)).RoundToEven()
	n := q.Neg()
	r := n.FMA(SplatF64x4(halfPi1), v)
	r = n.FMA(SplatF64x4(halfPi2), r)
	r = n.FMA(SplatF64x4(halfPi3), r)
	z := r.Mul(r)
	s := SplatF64x4(1.58969099521155010221e-10)
	for _, c := range sinTerms {
		s = s.FMA(z, SplatF64x4(c))
	}
	s = s.Mul(z.Mul(r)).Add(r)
	c := SplatF64x4(-1.13596475577881948265e-11)
	for _, t := range cosTerms {
		c = c.FMA(z, SplatF64x4(t))
	}
	half := z.Mul(SplatF64x4(0.5))
	one := SplatF64x4(1).Sub(half)
	c = one.Add(SplatF64x4(1).Sub(one).Sub(half).Add(c.Mul(z.Mul(z))))
	// which of the four quadrants: t mod 4
	t := q.Add(SplatF64x4(turns))
	t = t.Sub(t.Mul(SplatF64x4(0.25)).Floor().Mul(SplatF64x4(4)))
	even := t.Eq(SplatF64x4(0))
	y := SelectF64x4(even, s, SelectF64x4(t.Eq(SplatF64x4(2)), s, c))
	return SelectF64x4(t.Ge(SplatF64x4(2)), y.Neg(), y)
}

// Exp returns e^v lane by lane.
func (v F64x8) Exp() F64x8 {
	x := SelectF64x8(v.Gt(SplatF64x8(710.5)), SplatF64x8(710.5), v) // a NaN stays one
	x = SelectF64x8(x.Lt(SplatF64x8(-746)), SplatF64x8(-746), x)
	k := x.Mul(SplatF64x8(log2E)).RoundToEven()
	r := k.FMA(SplatF64x8(-ln2High), x)
	r = k.FMA(SplatF64x8(-ln2Low), r)
	p := SplatF64x8(1.0 / 6227020800)
	for _, c := range expTerms {
		p = p.FMA(r, SplatF64x8(c))
	}
	p = p.Mul(r).FMA(r, r) // r + r²·(1/2! + r/3! + …)
	p = p.Add(SplatF64x8(1))
	// In two steps, as 2^k may lie outside of the range where the product does not.
	half := k.Mul(SplatF64x8(0.5)).Floor()
	return p.Mul(half.power2()).Mul(k.Sub(half).power2())
}

// power2 returns 2^v for integers from -1022 to 1023.
func (v F64x8) power2() F64x8 {
	return F64x8{v.v.Add(SplatF64x8(shifter + 1023).v).AsInt64x8().ShiftAllLeft(52).AsFloat64x8()}
}

// Log returns the natural logarithm of v lane by lane.
func (v F64x8) Log() F64x8 {
	small := v.Lt(SplatF64x8(0x1p-1022))
	x := SelectF64x8(small, v.Mul(SplatF64x8(0x1p54)), v)
	bias := SelectF64x8(small, SplatF64x8(1024+54), SplatF64x8(1024))
	// x = 2^k·m with m from √½ to √2
	bits := x.v.AsInt64x8()
	e := bits.Add(archsimd.BroadcastInt64x8(1024<<52 - 0x3fe6a09e667f3bcd)).AsUint64x8().ShiftAllRight(52).AsInt64x8()
	k := F64x8{e.Add(archsimd.BroadcastInt64x8(0x4330000000000000)).AsFloat64x8()}.Sub(SplatF64x8(0x1p52)).Sub(bias)
	m := F64x8{bits.Sub(e.ShiftAllLeft(52)).Add(archsimd.BroadcastInt64x8(1024 << 52)).AsFloat64x8()}
	f := m.Sub(SplatF64x8(1))
	s := f.Div(f.Add(SplatF64x8(2)))
	z := s.Mul(s)
	w := z.Mul(z)
	even := w.FMA(SplatF64x8(1.531383769920937332e-01), SplatF64x8(2.222219843214978396e-01))
	even = even.FMA(w, SplatF64x8(3.999999999940941908e-01)).Mul(w)
	odd := w.FMA(SplatF64x8(1.479819860511658591e-01), SplatF64x8(1.818357216161805012e-01))
	odd = odd.FMA(w, SplatF64x8(2.857142874366239149e-01))
	odd = odd.FMA(w, SplatF64x8(6.666666666666735130e-01)).Mul(z)
	square := f.Mul(f).Mul(SplatF64x8(0.5))
	y := s.Mul(square.Add(even.Add(odd))).Add(k.Mul(SplatF64x8(ln2Low)))
	y = k.Mul(SplatF64x8(ln2High)).Sub(square.Sub(y).Sub(f))
	y = SelectF64x8(v.Eq(SplatF64x8(math.Inf(1))), v, y)
	y = SelectF64x8(v.Eq(SplatF64x8(0)), SplatF64x8(math.Inf(-1)), y)
	return SelectF64x8(v.Ge(SplatF64x8(0)), y, SplatF64x8(math.NaN())) // negative, or a NaN
}

// Sin returns the sine of v lane by lane. Arguments beyond 2^20 are computed by package math.
func (v F64x8) Sin() F64x8 {
	if !v.Abs().Le(SplatF64x8(maxReduced)).All() {
		a := v.Array()
		for i := range a {
			a[i] = math.Sin(a[i])
		}
		return FromArrayF64x8(&a)
	}
	s := v.quadrant(0)
	return SelectF64x8(v.Eq(SplatF64x8(0)), v, s) // -0
}

// Cos returns the cosine of v lane by lane. Arguments beyond 2^20 are computed by package math.
func (v F64x8) Cos() F64x8 {
	if !v.Abs().Le(SplatF64x8(maxReduced)).All() {
		a := v.Array()
		for i := range a {
			a[i] = math.Cos(a[i])
		}
		return FromArrayF64x8(&a)
	}
	return v.quadrant(1)
}

// quadrant returns sin(v + turns·π/2).
func (v F64x8) quadrant(turns float64) F64x8 {
	q := v.Mul(SplatF64x8(2 / math.Pi)).RoundToEven()
	n := q.Neg()
	r := n.FMA(SplatF64x8(halfPi1), v)
	r = n.FMA(SplatF64x8(halfPi2), r)
	r = n.FMA(SplatF64x8(halfPi3), r)
	z := r.Mul(r)
	s := SplatF64x8(1.58969099521155010221e-10)
	for _, c := range sinTerms {
		s = s.FMA(z, SplatF64x8(c))
	}
	s = s.Mul(z.Mul(r)).Add(r)
	c := SplatF64x8(-1.13596475577881948265e-11)
	for _, t := range cosTerms {
		c = c.FMA(z, SplatF64x8(t))
	}
	half := z.Mul(SplatF64x8(0.5))
	one := SplatF64x8(1).Sub(half)
	c = one.Add(SplatF64x8(1).Sub(one).Sub(half).Add(c.Mul(z.Mul(z))))
	// which of the four quadrants: t mod 4
	t := q.Add(SplatF64x8(turns))
	t = t.Sub(t.Mul(SplatF64x8(0.25)).Floor().Mul(SplatF64x8(4)))
	even := t.Eq(SplatF64x8(0))
	y := SelectF64x8(even, s, SelectF64x8(t.Eq(SplatF64x8(2)), s, c))
	return SelectF64x8(t.Ge(SplatF64x8(2)), y.Neg(), y)
}
