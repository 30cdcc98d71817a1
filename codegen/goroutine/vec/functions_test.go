//go:build goexperiment.simd && amd64

package vec

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// Functions of more precision than float64, for arguments where the result is a finite number.

func with(x *big.Float) *big.Float     { return new(big.Float).SetPrec(2 * precision).Set(x) }
func plus(x, y *big.Float) *big.Float  { return with(x).Add(x, y) }
func minus(x, y *big.Float) *big.Float { return with(x).Sub(x, y) }
func times(x, y *big.Float) *big.Float { return with(x).Mul(x, y) }
func over(x, y *big.Float) *big.Float  { return with(x).Quo(x, y) }

// bigLog is the natural logarithm of a positive number.
func bigLog(x *big.Float) *big.Float {
	m := new(big.Float).SetPrec(2 * precision)
	e := x.MantExp(m)
	if m.Cmp(exactly(math.Sqrt2/2)) < 0 {
		m.SetMantExp(m, 1)
		e--
	}
	f, _ := m.Float64()
	y := exactly(math.Log(f))
	for range 2 { // Newton's steps: y + m·e^-y - 1
		y = plus(y, minus(times(m, bigExp(with(y).Neg(y))), exactly(1)))
	}
	return plus(y, times(exactly(float64(e)), bigLn2))
}

// bigSinCos are sine and cosine.
func bigSinCos(x *big.Float) (sin, cos *big.Float) {
	sin, cos = exactly(0), exactly(1)
	term := exactly(1)
	for i := 1; i < 60; i++ {
		term = over(times(term, x), exactly(float64(i)))
		signed := term
		if i&2 != 0 {
			signed = with(term).Neg(term)
		}
		if i&1 == 1 {
			sin = plus(sin, signed)
		} else {
			cos = plus(cos, signed)
		}
	}
	return sin, cos
}

// bigAtan is the arc tangent, by a step from that of package math.
func bigAtan(x *big.Float) *big.Float {
	f, _ := x.Float64()
	if math.Abs(f) < 1e-12 { // the step would be less than the precision
		return minus(x, over(times(x, times(x, x)), exactly(3)))
	}
	y := exactly(math.Atan(f))
	for range 2 {
		s, c := bigSinCos(y)
		// tan(atan x - y) = (x - tan y)/(1 + x·tan y)
		t := over(minus(times(x, c), s), plus(c, times(x, s)))
		y = plus(y, t)
	}
	return y
}

func bigSqrt(x *big.Float) *big.Float { return with(x).Sqrt(x) }

// next is the float next to y.
func next(y *big.Float) float64 {
	f, _ := y.Float64()
	return f
}

// exact is a function of more precision than that of package math, whose special values it has. (Some of those err near
// the ends of the range, where they call an exponential.)
func exact(math_ func(float64) float64, g func(x *big.Float) *big.Float) func(float64) float64 {
	return func(x float64) float64 {
		y := math_(x)
		size := math.Abs(x)
		switch {
		case x == 0 || x-x != 0 || math.IsNaN(y):
			return y
		case size < 1e-200 && y == x:
			return y
		case size > 1e4 && (y == 0 || y == -1 || math.IsInf(y, 0)), size == 1 && math.IsInf(y, 0):
			return y
		}
		return next(g(with(exactly(x))))
	}
}

func small(x *big.Float) bool {
	f, _ := x.Float64()
	return math.Abs(f) < 1e-15
}

// bigExpm1 is e^x-1.
func bigExpm1(x *big.Float) *big.Float {
	if small(x) {
		square := times(x, x)
		return plus(plus(x, over(square, exactly(2))), over(times(square, x), exactly(6)))
	}
	return minus(bigExp(x), exactly(1))
}

func TestFunctions(t *testing.T) {
	lanes := CPULanes(8)
	if len(lanes) == 0 {
		t.Skip("this CPU has no vectors")
	}
	one, two := exactly(1), exactly(2)
	half := func(x *big.Float) *big.Float { return over(x, two) }
	neg := func(x *big.Float) *big.Float { return with(x).Neg(x) }
	special := []float64{0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64, -math.MaxFloat64,
		math.SmallestNonzeroFloat64, -math.SmallestNonzeroFloat64, 0x1p-1022, -0x1p-1023, 709.78, 709.7827128933840, 709.7827128933841, 710.47, 711, -708.5, -745.13, -746,
		0.5, -0.5, 0.49999999999999994, -0.49999999999999994, 1.5, 2.5, -2.5, 1 << 52, 1<<52 + 1, 1<<53 - 1, 2, 1024, 1023.9999999999999, -1074, -1075, -1022.5, 10, 1000, 1e15,
		0.9999999999999999, 1.0000000000000002, -0.9999999999999999, -1.0000000000000002, 0.66, 2.414213562373095, math.Pi, math.Pi / 2, 1e300, 8, 27, -1000}
	rng := rand.New(rand.NewPCG(1, 2))
	anywhere := func() float64 { return math.Float64frombits(rng.Uint64()) }
	within := func(lo, hi float64) func() float64 {
		return func() float64 { return lo + (hi-lo)*rng.Float64() }
	}
	tiny := func() float64 { return math.Ldexp(rng.Float64()-0.5, -rng.IntN(300)) }
	for _, f := range []struct {
		name   string
		want   func(float64) float64
		narrow func(F64x4) F64x4
		wide   func(F64x8) F64x8
		limit  float64
		points []func() float64
	}{
		{"exp2", exact(math.Exp2, func(x *big.Float) *big.Float { return bigExp(times(x, bigLn2)) }), Exp2F64x4, Exp2F64x8, 1, []func() float64{anywhere, within(-1080, 1025), within(-1, 1), tiny}},
		{"expm1", exact(math.Expm1, bigExpm1), Expm1F64x4, Expm1F64x8, 2, []func() float64{anywhere, within(-50, 715), within(-1, 1), tiny}},
		{"log2", exact(math.Log2, func(x *big.Float) *big.Float { return over(bigLog(x), bigLn2) }), Log2F64x4, Log2F64x8, 1, []func() float64{anywhere, within(0, 10), within(0.5, 1.5), within(0, 0x1p-1020)}},
		{"log10", exact(math.Log10, func(x *big.Float) *big.Float { return over(bigLog(x), bigLog(exactly(10))) }), Log10F64x4, Log10F64x8, 1, []func() float64{anywhere, within(0, 10), within(0.5, 1.5), within(0, 0x1p-1020)}},
		{"log1p", exact(math.Log1p, bigLog1p), Log1pF64x4, Log1pF64x8, 1, []func() float64{anywhere, within(-1, 1), within(0, 100), tiny}},
		{"sinh", exact(math.Sinh, func(x *big.Float) *big.Float { return half(minus(bigExpm1(x), bigExpm1(neg(x)))) }), SinhF64x4, SinhF64x8, 2, []func() float64{anywhere, within(-715, 715), within(-1, 1), tiny}},
		{"cosh", exact(math.Cosh, func(x *big.Float) *big.Float { return half(plus(bigExp(x), bigExp(neg(x)))) }), CoshF64x4, CoshF64x8, 1, []func() float64{anywhere, within(-715, 715), within(-1, 1), tiny}},
		{"tanh", exact(math.Tanh, func(x *big.Float) *big.Float {
			if x.IsInf() || x.MantExp(nil) > 8 {
				return exactly(float64(x.Sign()))
			}
			t := bigExpm1(times(x, two))
			return over(t, plus(t, two))
		}), TanhF64x4, TanhF64x8, 2, []func() float64{anywhere, within(-25, 25), within(-1, 1), tiny}},
		{"tan", func(x float64) float64 {
			if math.IsNaN(x) || math.Abs(x) > 1<<20 || math.Abs(x) < 1e-200 {
				return math.Tan(x)
			}
			n := math.Round(x / (math.Pi / 2))
			s, c := bigSinCos(minus(exactly(x), times(exactly(n/2), bigPi)))
			if int(n)&1 != 0 {
				s, c = c, neg(s)
			}
			return next(over(s, c))
		}, TanF64x4, TanF64x8, 2, []func() float64{within(-10, 10), within(-1<<20, 1<<20), tiny}},
		{"atan", exact(math.Atan, bigAtan), AtanF64x4, AtanF64x8, 1, []func() float64{anywhere, within(-10, 10), within(-1, 1), tiny}},
		{"asin", exact(math.Asin, func(x *big.Float) *big.Float {
			if x.Cmp(one) == 0 || neg(x).Cmp(one) == 0 {
				return half(times(bigPi, x))
			}
			return bigAtan(over(x, bigSqrt(minus(one, times(x, x)))))
		}), AsinF64x4, AsinF64x8, 1, []func() float64{anywhere, within(-1, 1), within(0.99, 1), tiny}},
		{"acos", func(x float64) float64 {
			switch {
			case math.Abs(x) <= 1 && x != -1:
				return next(times(two, bigAtan(bigSqrt(over(minus(one, exactly(x)), plus(one, exactly(x)))))))
			}
			return math.Acos(x)
		}, AcosF64x4, AcosF64x8, 2, []func() float64{anywhere, within(-1, 1), within(0.99, 1), tiny}},
		{"cbrt", exact(math.Cbrt, func(x *big.Float) *big.Float {
			f, _ := x.Float64()
			y := exactly(math.Cbrt(f))
			for range 2 {
				y = minus(y, over(minus(times(y, times(y, y)), x), times(exactly(3), times(y, y))))
			}
			return y
		}), CbrtF64x4, CbrtF64x8, 1, []func() float64{anywhere, within(-10, 10), within(-1e-310, 1e-310), tiny}},
		{"erf", exact(math.Erf, ofMagnitude(func(x *big.Float) *big.Float {
			switch f, _ := x.Float64(); {
			case f < 3:
				return bigErf(x)
			case f > 10:
				return one
			}
			return minus(one, bigErfc(x))
		})), ErfF64x4, ErfF64x8, 1, []func() float64{anywhere, within(-7, 7), within(-1.5, 1.5), tiny}},
		{"erfc", func(x float64) float64 {
			switch {
			case math.Abs(x) > 100 || x-x != 0:
				return math.Erfc(x)
			case x < 0:
				return next(minus(two, bigErfc(exactly(-x))))
			}
			return next(bigErfc(exactly(x)))
		}, ErfcF64x4, ErfcF64x8, 2, []func() float64{anywhere, within(-7, 7), within(-1.5, 1.5), within(5, 30), tiny}},
		{"asinh", exact(math.Asinh, ofMagnitude(func(x *big.Float) *big.Float {
			square := times(x, x)
			return bigLog1p(plus(x, over(square, plus(one, bigSqrt(plus(one, square))))))
		})), AsinhF64x4, AsinhF64x8, 2, []func() float64{anywhere, within(-10, 10), within(-1, 1), within(-1e9, 1e9), tiny}},
		{"acosh", exact(math.Acosh, func(x *big.Float) *big.Float {
			y := minus(x, one)
			return bigLog1p(plus(y, bigSqrt(plus(times(y, y), plus(y, y)))))
		}), AcoshF64x4, AcoshF64x8, 2, []func() float64{anywhere, within(1, 10), within(1, 1.01), within(1, 1e9)}},
		{"atanh", exact(math.Atanh, ofMagnitude(func(x *big.Float) *big.Float {
			return half(bigLog1p(over(plus(x, x), minus(one, x))))
		})), AtanhF64x4, AtanhF64x8, 2, []func() float64{anywhere, within(-1, 1), within(-0.1, 0.1), within(0.99, 1), tiny}},
		{"round", math.Round, RoundF64x4, RoundF64x8, 0, []func() float64{anywhere, within(-10, 10), func() float64 { return float64(rng.IntN(2000)-1000) / 2 }, within(-1<<53, 1<<53)}},
	} {
		t.Run(f.name, func(t *testing.T) {
			c := worst{t: t, name: f.name}
			xs := slices.Clone(special)
			for _, p := range f.points {
				for range 1_500 {
					xs = append(xs, p())
				}
			}
			for i := 0; i+8 <= len(xs); i += 8 {
				wants := make([]float64, 8)
				for k := range wants {
					wants[k] = f.want(xs[i+k])
				}
				for h := 0; h < 8; h += 4 {
					a := [4]float64(xs[i+h : i+h+4])
					for k, y := range ArrayF64x4(f.narrow(FromArrayF64x4(&a))) {
						c.check(y, wants[h+k], a[k])
					}
				}
				if slices.Contains(lanes, 8) {
					b := [8]float64(xs[i : i+8])
					for k, y := range ArrayF64x8(f.wide(FromArrayF64x8(&b))) {
						c.check(y, wants[k], b[k])
					}
				}
			}
			c.done(f.limit)
		})
	}
}

// worst is the largest error of a function.
type worst struct {
	t    *testing.T
	name string
	ulps float64
	at   []float64
}

func (w *worst) check(got, want float64, at ...float64) {
	w.t.Helper()
	if u := ulps(got, want); u > w.ulps || math.IsNaN(u) {
		w.ulps, w.at = u, at
	}
	if want == 0 && got == 0 && math.Signbit(got) != math.Signbit(want) {
		w.t.Errorf("%s%v is %v, want %v", w.name, at, got, want)
	}
}

func (w *worst) done(limit float64) {
	w.t.Helper()
	w.t.Logf("largest error: %.3f ULP, at %v", w.ulps, w.at)
	if !(w.ulps <= limit) {
		w.t.Errorf("%s%v differs by %v ULP", w.name, w.at, w.ulps)
	}
}

// TestFunctionsOfTwo does the same for functions of two numbers, among them all pairs of special values.
func TestFunctionsOfTwo(t *testing.T) {
	lanes := CPULanes(8)
	if len(lanes) == 0 {
		t.Skip("this CPU has no vectors")
	}
	special := []float64{0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64, -math.MaxFloat64,
		math.SmallestNonzeroFloat64, -math.SmallestNonzeroFloat64, 0x1p-1022, 0.5, -0.5, 2, -2, 3, -3, 10, 0.9999999999999999, 1.0000000000000002,
		1 << 53, 1<<53 - 1, 1<<53 + 2, -1<<53 + 1, 1e300, -1e-300, 1023, 1024, -1074, -1075, 33, 0.1}
	rng := rand.New(rand.NewPCG(1, 2))
	anywhere := func() float64 { return math.Float64frombits(rng.Uint64()) }
	within := func(lo, hi float64) func() float64 {
		return func() float64 { return lo + (hi-lo)*rng.Float64() }
	}
	whole := func() float64 { return float64(rng.IntN(200) - 100) }
	usual := func(x, y float64) bool { return x-x == 0 && y-y == 0 && x != 0 && y != 0 }
	type pair struct{ x, y func() float64 }
	for _, f := range []struct {
		name   string
		want   func(x, y float64) float64
		narrow func(x, y F64x4) F64x4
		wide   func(x, y F64x8) F64x8
		limit  float64
		points []pair
	}{
		{"pow", func(x, y float64) float64 {
			z := math.Pow(x, y)
			if !usual(x, y) || math.IsNaN(z) || math.Abs(x) == 1 {
				return z
			}
			l := times(exactly(y), bigLog(exactly(math.Abs(x))))
			switch e, _ := l.Float64(); {
			case e > 800:
				return math.Copysign(math.Inf(1), z)
			case e < -800:
				return math.Copysign(0, z)
			}
			return math.Copysign(next(bigExp(l)), z)
		}, PowF64x4, PowF64x8, 1, []pair{{anywhere, anywhere}, {within(0, 10), within(-300, 300)}, {within(0.99, 1.01), within(-1e4, 1e4)}, {within(-5, 5), whole}, {within(9, 11), within(-9, 0)},
			{within(0, 0x1p-1020), within(-1, 1)}, {within(0, 1e9), within(-36, 36)}}},
		{"atan2", func(y, x float64) float64 {
			z := math.Atan2(y, x)
			if !usual(x, y) || math.Abs(z) < 1e-300 {
				return z
			}
			q := over(exactly(math.Abs(y)), exactly(math.Abs(x)))
			var a *big.Float
			if q.Cmp(exactly(1e10)) > 0 {
				a = minus(over(bigPi, exactly(2)), bigAtan(over(exactly(1), q)))
			} else {
				a = bigAtan(q)
			}
			if x < 0 {
				a = minus(bigPi, a)
			}
			return math.Copysign(next(a), y)
		}, Atan2F64x4, Atan2F64x8, 1, []pair{{anywhere, anywhere}, {within(-1, 1), within(-1, 1)}, {within(-1, 1), within(-1e-9, 1e-9)}}},
		{"hypot", func(x, y float64) float64 {
			z := math.Hypot(x, y)
			if !usual(x, y) || math.IsInf(z, 0) {
				return z
			}
			p, q := exactly(x), exactly(y)
			return next(bigSqrt(plus(times(p, p), times(q, q))))
		}, HypotF64x4, HypotF64x8, 2, []pair{{anywhere, anywhere}, {within(-1, 1), within(-1, 1)}, {within(-1, 1), within(-1e-9, 1e-9)}}},
		{"mod", math.Mod, ModF64x4, ModF64x8, 0, []pair{{anywhere, anywhere}, {within(-100, 100), within(-3, 3)}, {whole, whole}, {within(-1e17, 1e17), within(-3, 3)}, {within(-1e-310, 1e-310), within(-1e-311, 1e-311)}}},
		{"copysign", math.Copysign, CopysignF64x4, CopysignF64x8, 0, []pair{{anywhere, anywhere}}},
	} {
		t.Run(f.name, func(t *testing.T) {
			c := worst{t: t, name: f.name}
			var xs, ys []float64
			for _, x := range special {
				for _, y := range special {
					xs, ys = append(xs, x), append(ys, y)
				}
			}
			for _, p := range f.points {
				for range 1_500 {
					xs, ys = append(xs, p.x()), append(ys, p.y())
				}
			}
			for len(xs)%8 != 0 {
				xs, ys = append(xs, 2), append(ys, 3)
			}
			for i := 0; i < len(xs); i += 8 {
				wants := make([]float64, 8)
				for k := range wants {
					wants[k] = f.want(xs[i+k], ys[i+k])
				}
				for h := 0; h < 8; h += 4 {
					a, b := [4]float64(xs[i+h:i+h+4]), [4]float64(ys[i+h:i+h+4])
					for k, z := range ArrayF64x4(f.narrow(FromArrayF64x4(&a), FromArrayF64x4(&b))) {
						c.check(z, wants[h+k], a[k], b[k])
					}
				}
				if slices.Contains(lanes, 8) {
					a, b := [8]float64(xs[i:i+8]), [8]float64(ys[i:i+8])
					for k, z := range ArrayF64x8(f.wide(FromArrayF64x8(&a), FromArrayF64x8(&b))) {
						c.check(z, wants[k], a[k], b[k])
					}
				}
			}
			c.done(f.limit)
		})
	}
}

// TestShortFunctions compares the functions of float32 with those of float64, rounded.
func TestShortFunctions(t *testing.T) {
	if len(CPULanes(4)) == 0 {
		t.Skip("this CPU has no vectors")
	}
	rng := rand.New(rand.NewPCG(1, 2))
	type one struct {
		name  string
		four  func(F32x4) F32x4
		eight func(F32x8) F32x8
		wide  func(F32x16) F32x16
		want  func(F64x4) F64x4
	}
	with := func(y float32, four func(x, y F32x4) F32x4, eight func(x, y F32x8) F32x8, wide func(x, y F32x16) F32x16, want func(x, y F64x4) F64x4) one {
		return one{"", func(v F32x4) F32x4 { return four(v, SplatF32x4(y)) }, func(v F32x8) F32x8 { return eight(v, SplatF32x8(y)) },
			func(v F32x16) F32x16 { return wide(v, SplatF32x16(y)) }, func(v F64x4) F64x4 { return want(v, SplatF64x4(float64(y))) }}
	}
	for i, f := range []one{
		{"acos", AcosF32x4, AcosF32x8, AcosF32x16, AcosF64x4}, {"asin", AsinF32x4, AsinF32x8, AsinF32x16, AsinF64x4}, {"atan", AtanF32x4, AtanF32x8, AtanF32x16, AtanF64x4},
		{"cbrt", CbrtF32x4, CbrtF32x8, CbrtF32x16, CbrtF64x4}, {"cosh", CoshF32x4, CoshF32x8, CoshF32x16, CoshF64x4}, {"exp2", Exp2F32x4, Exp2F32x8, Exp2F32x16, Exp2F64x4},
		{"expm1", Expm1F32x4, Expm1F32x8, Expm1F32x16, Expm1F64x4}, {"log10", Log10F32x4, Log10F32x8, Log10F32x16, Log10F64x4}, {"log1p", Log1pF32x4, Log1pF32x8, Log1pF32x16, Log1pF64x4},
		{"log2", Log2F32x4, Log2F32x8, Log2F32x16, Log2F64x4}, {"round", RoundF32x4, RoundF32x8, RoundF32x16, RoundF64x4}, {"sinh", SinhF32x4, SinhF32x8, SinhF32x16, SinhF64x4},
		{"tan", TanF32x4, TanF32x8, TanF32x16, TanF64x4}, {"tanh", TanhF32x4, TanhF32x8, TanhF32x16, TanhF64x4},
		{"erf", ErfF32x4, ErfF32x8, ErfF32x16, ErfF64x4}, {"erfc", ErfcF32x4, ErfcF32x8, ErfcF32x16, ErfcF64x4},
		{"asinh", AsinhF32x4, AsinhF32x8, AsinhF32x16, AsinhF64x4}, {"acosh", AcoshF32x4, AcoshF32x8, AcoshF32x16, AcoshF64x4}, {"atanh", AtanhF32x4, AtanhF32x8, AtanhF32x16, AtanhF64x4},
		with(1.7, PowF32x4, PowF32x8, PowF32x16, PowF64x4), with(-3, PowF32x4, PowF32x8, PowF32x16, PowF64x4), with(-0.5, Atan2F32x4, Atan2F32x8, Atan2F32x16, Atan2F64x4),
		with(3, HypotF32x4, HypotF32x8, HypotF32x16, HypotF64x4), with(0.7, ModF32x4, ModF32x8, ModF32x16, ModF64x4), with(-1, CopysignF32x4, CopysignF32x8, CopysignF32x16, CopysignF64x4),
	} {
		for range 500 {
			var a, four, eight, wide [16]float32
			for k := range a {
				if a[k] = math.Float32frombits(rng.Uint32()); rng.IntN(2) == 0 {
					a[k] = 20*rng.Float32() - 10
				}
			}
			for k := 0; k < 16; k += 4 {
				*AddrF32x4(&four[0], k) = f.four(*AddrF32x4(&a[0], k))
			}
			for k := 0; k < 16; k += 8 {
				*AddrF32x8(&eight[0], k) = f.eight(*AddrF32x8(&a[0], k))
			}
			if has(4, 16) {
				*AddrF32x16(&wide[0], 0) = f.wide(*AddrF32x16(&a[0], 0))
			}
			for k, x := range a {
				double := ArrayF64x4(f.want(SplatF64x4(float64(x))))
				want := float32(double[0])
				if !identical(four[k], want) || !identical(eight[k], want) {
					t.Fatalf("%d %s(%v): %v and %v, want %v", i, f.name, x, four[k], eight[k], want)
				}
				// Wider ones scale, and may differ in the last bit of float64, where both are subnormal.
				if has(4, 16) && !identical(wide[k], want) && ulps32(wide[k], double[0]) > 0.51 {
					t.Fatalf("%d %s(%v): %v, want %v", i, f.name, x, wide[k], want)
				}
			}
		}
	}
}
