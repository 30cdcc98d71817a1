//go:build goexperiment.simd && amd64

package vec

import (
	"math"
	"testing"
)

// BenchmarkMath evaluates the functions on 1024 arguments that the cache holds; a scalar call each is the measure.
func BenchmarkMath(b *testing.B) {
	const n = 1024
	x64, y64 := make([]float64, n), make([]float64, n)
	x32, y32 := make([]float32, n), make([]float32, n)
	for i := range x64 {
		x64[i] = 0.01 + float64(i)*0.01
		x32[i] = float32(x64[i])
	}
	for _, f := range []struct {
		name   string
		scalar func(float64) float64
		f64    func(F64x8) F64x8
		f32    func(F32x16) F32x16
	}{
		{"exp", math.Exp, ExpF64x8, ExpF32x16}, {"log", math.Log, LogF64x8, LogF32x16},
		{"sin", math.Sin, SinF64x8, SinF32x16}, {"cos", math.Cos, CosF64x8, CosF32x16},
		{"acos", math.Acos, AcosF64x8, AcosF32x16}, {"asin", math.Asin, AsinF64x8, AsinF32x16}, {"atan", math.Atan, AtanF64x8, AtanF32x16},
		{"cbrt", math.Cbrt, CbrtF64x8, CbrtF32x16}, {"cosh", math.Cosh, CoshF64x8, CoshF32x16}, {"exp2", math.Exp2, Exp2F64x8, Exp2F32x16},
		{"expm1", math.Expm1, Expm1F64x8, Expm1F32x16}, {"log10", math.Log10, Log10F64x8, Log10F32x16}, {"log1p", math.Log1p, Log1pF64x8, Log1pF32x16},
		{"log2", math.Log2, Log2F64x8, Log2F32x16}, {"round", math.Round, RoundF64x8, RoundF32x16}, {"sinh", math.Sinh, SinhF64x8, SinhF32x16},
		{"tan", math.Tan, TanF64x8, TanF32x16}, {"tanh", math.Tanh, TanhF64x8, TanhF32x16},
		{"erf", math.Erf, ErfF64x8, ErfF32x16}, {"erfc", math.Erfc, ErfcF64x8, ErfcF32x16},
		{"asinh", math.Asinh, AsinhF64x8, AsinhF32x16}, {"acosh", math.Acosh, AcoshF64x8, AcoshF32x16}, {"atanh", math.Atanh, AtanhF64x8, AtanhF32x16},
		{"pow", func(x float64) float64 { return math.Pow(x, 1.7) }, func(v F64x8) F64x8 { return PowF64x8(v, SplatF64x8(1.7)) },
			func(v F32x16) F32x16 { return PowF32x16(v, SplatF32x16(1.7)) }},
		{"atan2", func(x float64) float64 { return math.Atan2(x, 1.7) }, func(v F64x8) F64x8 { return Atan2F64x8(v, SplatF64x8(1.7)) },
			func(v F32x16) F32x16 { return Atan2F32x16(v, SplatF32x16(1.7)) }},
		{"hypot", func(x float64) float64 { return math.Hypot(x, 1.7) }, func(v F64x8) F64x8 { return HypotF64x8(v, SplatF64x8(1.7)) },
			func(v F32x16) F32x16 { return HypotF32x16(v, SplatF32x16(1.7)) }},
		{"mod", func(x float64) float64 { return math.Mod(x, 1.7) }, func(v F64x8) F64x8 { return ModF64x8(v, SplatF64x8(1.7)) },
			func(v F32x16) F32x16 { return ModF32x16(v, SplatF32x16(1.7)) }},
	} {
		b.Run(f.name+"/scalar", func(b *testing.B) {
			b.SetBytes(n)
			for b.Loop() {
				for i, x := range x64 {
					y64[i] = f.scalar(x)
				}
			}
		})
		if level < levelAVX512 {
			continue
		}
		b.Run(f.name+"/F64x8", func(b *testing.B) {
			b.SetBytes(n)
			for b.Loop() {
				for i := 0; i < n; i += 8 {
					*AddrF64x8(&y64[0], i) = f.f64(*AddrF64x8(&x64[0], i))
				}
				Clear()
			}
		})
		b.Run(f.name+"/F32x16", func(b *testing.B) {
			b.SetBytes(n)
			for b.Loop() {
				for i := 0; i < n; i += 16 {
					*AddrF32x16(&y32[0], i) = f.f32(*AddrF32x16(&x32[0], i))
				}
				Clear()
			}
		})
	}
}
