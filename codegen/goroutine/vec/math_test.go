//go:build goexperiment.simd && amd64

package vec

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// ulps is the distance of got from want in units in the last place of want, 0 for the same special value.
func ulps(got, want float64) float64 {
	switch {
	case math.IsNaN(want) || math.IsInf(want, 0) || math.IsNaN(got):
		if math.IsNaN(got) == math.IsNaN(want) && (math.IsNaN(want) || got == want) {
			return 0
		}
		return math.Inf(1)
	case want == 0 && got == 0:
		return 0
	}
	a := math.Abs(want)
	return math.Abs(got-want) / (math.Nextafter(a, math.Inf(1)) - a)
}

const precision = 160

var (
	bigPi, _, _  = big.ParseFloat("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899", 10, precision, big.ToNearestEven)
	bigLn2, _, _ = big.ParseFloat("0.693147180559945309417232121458176568075500134360255254120680009493393621969694715605863326996418687", 10, precision, big.ToNearestEven)
)

func exactly(x float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(x) }

// bigExp is e^x for finite x.
func bigExp(x *big.Float) *big.Float {
	q, _ := new(big.Float).Quo(x, bigLn2).Float64()
	k := math.Round(q)
	r := new(big.Float).Sub(x, new(big.Float).Mul(exactly(k), bigLn2))
	sum, term := exactly(1), exactly(1)
	for i := 1; i < 40; i++ {
		term.Mul(term, r).Quo(term, exactly(float64(i)))
		sum.Add(sum, term)
	}
	return sum.SetMantExp(sum, int(k))
}

// The functions of package math, without the errors that some of their assembly makes at the ends of the range.
func exactExp(x float64) float64 {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 1):
		return x
	case x > 1000:
		return math.Inf(1)
	case x < -1000:
		return 0
	}
	y, _ := bigExp(exactly(x)).Float64()
	return y
}

func exactLog(x float64) float64 {
	if x <= 0 || math.IsNaN(x) || math.IsInf(x, 1) {
		return math.Log(x)
	}
	frac, e := math.Frexp(x)
	if frac < math.Sqrt2/2 {
		frac, e = 2*frac, e-1
	}
	guess := exactly(math.Log(frac))
	better := new(big.Float).Mul(exactly(frac), bigExp(new(big.Float).Neg(guess)))
	better.Sub(better, exactly(1)).Add(better, guess)
	y, _ := better.Add(better, new(big.Float).Mul(exactly(float64(e)), bigLn2)).Float64()
	return y
}

// exactSin is sin(x + turns·π/2).
func exactSin(x float64, turns int) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) || math.Abs(x) > 1<<21 { // math reduces large ones well
		if turns == 1 {
			return math.Cos(x)
		}
		return math.Sin(x)
	}
	n := math.Round(x / (math.Pi / 2))
	r, _ := new(big.Float).Sub(exactly(x), new(big.Float).Mul(exactly(n/2), bigPi)).Float64()
	if x == 0 {
		r = x
	}
	y := math.Sin(r)
	t := (int(n) + turns) & 3
	if t&1 == 1 {
		y = math.Cos(r)
	}
	if t&2 != 0 {
		y = -y
	}
	return y
}

// TestMathFunctions compares exp, log, sin and cos with values of higher precision: over all exponents, where the
// functions are used most, around the ends of their ranges, and for special values.
func TestMathFunctions(t *testing.T) {
	lanes := CPULanes(8)
	if len(lanes) == 0 {
		t.Skip("this CPU has no vectors")
	}
	special := []float64{0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64, -math.MaxFloat64,
		math.SmallestNonzeroFloat64, -math.SmallestNonzeroFloat64, 0x1p-1022, 0x1p-1023, 709.78, 709.782712893384, 709.7827128933841, 710, 711, 1e10,
		-708, -708.5, -744.4, -745.13, -745.14, -746, -800, 0.5, 2, math.Pi, math.Pi / 2, math.Pi / 4, -math.Pi, 1 << 20, 1<<20 + 1, 1e300}
	rng := rand.New(rand.NewPCG(1, 2))
	anywhere := func() float64 { return math.Float64frombits(rng.Uint64()) }
	within := func(lo, hi float64) func() float64 {
		return func() float64 { return lo + (hi-lo)*rng.Float64() }
	}
	near := func() float64 { // multiples of π/2
		return float64(rng.IntN(1<<19)) * (math.Pi / 2) * (1 + float64(rng.IntN(9)-4)*0x1p-52)
	}
	for _, f := range []struct {
		name   string
		want   func(float64) float64
		narrow func(F64x4) F64x4
		wide   func(F64x8) F64x8
		limit  float64
		points []func() float64
	}{
		{"exp", exactExp, ExpF64x4, ExpF64x8, 1.5, []func() float64{anywhere, within(-750, 715), within(-1, 1), within(-746, -700)}},
		{"log", exactLog, LogF64x4, LogF64x8, 1.5, []func() float64{anywhere, within(0, 10), within(0.5, 1.5), within(0, 0x1p-1020)}},
		{"sin", func(x float64) float64 { return exactSin(x, 0) }, SinF64x4, SinF64x8, 2, []func() float64{anywhere, within(-10, 10), within(-1<<20, 1<<20), near}},
		{"cos", func(x float64) float64 { return exactSin(x, 1) }, CosF64x4, CosF64x8, 2, []func() float64{anywhere, within(-10, 10), within(-1<<20, 1<<20), near}},
	} {
		t.Run(f.name, func(t *testing.T) {
			worst, at := 0.0, 0.0
			check := func(x, got float64) {
				want := f.want(x)
				if u := ulps(got, want); u > worst || math.IsNaN(u) {
					worst, at = u, x
				}
				if want == 0 && x == 0 && math.Signbit(got) != math.Signbit(want) {
					t.Errorf("%s(%v) is %v, want %v", f.name, x, got, want)
				}
			}
			xs := slices.Clone(special)
			for _, p := range f.points {
				for range 4_000 {
					xs = append(xs, p())
				}
			}
			for i := 0; i+8 <= len(xs); i += 8 {
				a := [4]float64(xs[i : i+4])
				for k, y := range ArrayF64x4(f.narrow(FromArrayF64x4(&a))) {
					check(a[k], y)
				}
				if !slices.Contains(lanes, 8) {
					continue
				}
				b := [8]float64(xs[i : i+8])
				for k, y := range ArrayF64x8(f.wide(FromArrayF64x8(&b))) {
					check(b[k], y)
				}
			}
			t.Logf("largest error: %.2f ULP, at %v", worst, at)
			if !(worst <= f.limit) {
				t.Errorf("%s(%v) differs by %v ULP", f.name, at, worst)
			}
		})
	}
}

// TestRSqrt checks 1/√x over the whole range, and the special values of the quotient.
func TestRSqrt(t *testing.T) {
	need(t, 8, 8)
	rng := rand.New(rand.NewPCG(1, 2))
	special := []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), -1, -math.SmallestNonzeroFloat64, math.SmallestNonzeroFloat64, 0x1p-1022,
		0x1p-1023, math.MaxFloat64, 1, 2, 4, 0x1p-149, 0x1p-126, math.MaxFloat32, 3}
	check := func(what string, x, got, ulp float64) {
		t.Helper()
		want := 1 / math.Sqrt(x)
		if want == got && math.Signbit(want) == math.Signbit(got) || math.IsNaN(want) && math.IsNaN(got) || math.Abs(got-want) <= ulp {
			return
		}
		t.Fatalf("%s: 1/√%v is %v, want %v", what, x, got, want)
	}
	for i := range 4000 {
		var a [8]float64
		var b [16]float32
		for k := range b {
			x := math.Float64frombits(rng.Uint64())
			y := math.Float32frombits(rng.Uint32())
			if i < 100 {
				x = special[rng.IntN(len(special))]
				y = float32(x)
			}
			a[k%8], b[k] = x, y
		}
		x, y := FromArrayF64x8(&a), FromArrayF32x16(&b)
		for k, got := range ArrayF64x8(RSqrtStepF64x8(x, RSqrtStepF64x8(x, x.ReciprocalSqrt()))) {
			want := 1 / math.Sqrt(a[k]) // within a unit itself
			check("float64", a[k], got, 2*(math.Nextafter(want, math.Inf(1))-want))
		}
		for k, got := range ArrayF32x16(RSqrtStepF32x16(y, y.ReciprocalSqrt())) {
			want := float32(1 / math.Sqrt(float64(b[k])))
			check("float32", float64(b[k]), float64(got), 1.5*float64(math.Nextafter32(want, float32(math.Inf(1)))-want))
		}
		// By half of the argument the same, where it is not beside zero.
		for k := range b {
			if x := math.Abs(a[k%8]); x < 0x1p-1021 {
				a[k%8] = 0x1p-1021 + x
			} else {
				a[k%8] = x
			}
			if y := float32(math.Abs(float64(b[k]))); y < 0x1p-125 {
				b[k] = 0x1p-125 + y
			} else {
				b[k] = y
			}
		}
		x, y = FromArrayF64x8(&a), FromArrayF32x16(&b)
		half := x.AsInt64x8().Add(SplatF64x8(math.Inf(1)).AsInt64x8()).AsFloat64x8()
		step := func(r F64x8) F64x8 { return half.Mul(r).MulAdd(r, SplatF64x8(0.5)).MulAdd(r, r) }
		for k, got := range ArrayF64x8(step(step(x.ReciprocalSqrt()))) {
			want := 1 / math.Sqrt(a[k])
			check("float64 by half", a[k], got, 2*(math.Nextafter(want, math.Inf(1))-want))
		}
		half32, r := y.AsInt32x16().Add(SplatF32x16(float32(math.Inf(1))).AsInt32x16()).AsFloat32x16(), y.ReciprocalSqrt()
		for k, got := range ArrayF32x16(half32.Mul(r).MulAdd(r, SplatF32x16(0.5)).MulAdd(r, r)) {
			want := float32(1 / math.Sqrt(float64(b[k])))
			check("float32 by half", float64(b[k]), float64(got), 1.5*float64(math.Nextafter32(want, float32(math.Inf(1)))-want))
		}
	}
}
