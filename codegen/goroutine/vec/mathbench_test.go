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
