//go:build goexperiment.simd && amd64

package vec

import (
	"flag"
	"math"
	"runtime"
	"slices"
	"sync"
	"testing"
)

var allFloats = flag.Bool("vec.all", false, "compare the functions of float32 at all 2^32 arguments, which takes minutes, instead of a few of them")

// ulps32 is the distance of got from the exact value want in units in the last place of float32, 0 for the same special
// value.
func ulps32(got float32, want float64) float64 {
	rounded := float32(want)
	switch {
	case math.IsNaN(want) || math.IsInf(float64(rounded), 0) || got != got || math.IsInf(float64(got), 0):
		if got == rounded || math.IsNaN(want) && got != got {
			return 0
		}
		return math.Inf(1)
	case want == 0 && got == 0:
		return 0
	}
	_, e := math.Frexp(want)
	return math.Abs(float64(got)-want) * math.Ldexp(1, 24-max(e, -125))
}

// TestMathFunctions32 compares exp, log, sin and cos of float32 with those of float64 over all bit patterns: at regular
// distances, or at every one of them (-vec.all).
func TestMathFunctions32(t *testing.T) {
	lanes := CPULanes(4)
	if len(lanes) == 0 {
		t.Skip("this CPU has no vectors")
	}
	stride := uint64(16411)
	if *allFloats {
		stride = 1
	}
	inf := math.Inf(1)
	special := []float32{0, float32(math.Copysign(0, -1)), 1, -1, float32(inf), float32(-inf), float32(math.NaN()), math.MaxFloat32,
		-math.MaxFloat32, math.SmallestNonzeroFloat32, 0x1p-126, 0x1p-127, 88.72283, 88.722839, 88.72284, 88.8, -87.3, -87.4, -103.27892,
		-103.97207, -103.97208, -103.98, -104, -105, 1 << 17, 1<<17 + 1, math.Pi / 2, math.Pi, 3 * math.Pi / 2, 0.99999994, 1.0000001, 0.70710677, 0.7071068}
	for _, f := range []struct {
		name  string
		want  func(float64) float64
		four  func(F32x4) F32x4
		eight func(F32x8) F32x8
		wide  func(F32x16) F32x16
		limit float64
	}{
		{"exp", math.Exp, ExpF32x4, ExpF32x8, ExpF32x16, 1.02},
		{"log", math.Log, LogF32x4, LogF32x8, LogF32x16, 1},
		{"sin", math.Sin, SinF32x4, SinF32x8, SinF32x16, 1.5},
		{"cos", math.Cos, CosF32x4, CosF32x8, CosF32x16, 1.5},
	} {
		t.Run(f.name, func(t *testing.T) {
			// One part of the arguments; parts run at the same time.
			scan := func(arguments func(yield func(float32) bool)) (worst float64, at float32) {
				check := func(a *[16]float32) {
					var widths [3][16]float32
					for i, w := range lanes {
						got := &widths[i]
						for k := 0; k < 16; k += w {
							switch w {
							case 4:
								*AddrF32x4(&got[0], k) = f.four(*AddrF32x4(&a[0], k))
							case 8:
								*AddrF32x8(&got[0], k) = f.eight(*AddrF32x8(&a[0], k))
							case 16:
								*AddrF32x16(&got[0], k) = f.wide(*AddrF32x16(&a[0], k))
							}
						}
					}
					for k, x := range a {
						want := f.want(float64(x))
						nearest := math.Float32bits(float32(want))
						for i := range lanes {
							got := widths[i][k]
							if worst >= 0.5 && math.Float32bits(got) == nearest { // no other is nearer
								continue
							}
							if u := ulps32(got, want); u > worst {
								worst, at = u, x
							}
							if want == 0 && x == 0 && math.Signbit(float64(got)) != math.Signbit(want) {
								t.Errorf("%s(%v) is %v, want %v", f.name, x, got, want)
							}
						}
					}
				}
				var a [16]float32
				n := 0
				for x := range arguments {
					a[n%16] = x
					if n++; n%16 == 0 {
						check(&a)
					}
				}
				check(&a)
				return worst, at
			}
			worst, at := scan(slices.Values(special))
			const parts = 64
			var mu sync.Mutex
			var wg sync.WaitGroup
			next := make(chan uint64)
			for range runtime.GOMAXPROCS(0) {
				wg.Go(func() {
					for part := range next {
						w, x := scan(func(yield func(float32) bool) {
							for bits := part * (1 << 32 / parts); bits < (part+1)*(1<<32/parts); bits += stride {
								if !yield(math.Float32frombits(uint32(bits))) {
									return
								}
							}
						})
						mu.Lock()
						if w > worst || w == worst && x < at {
							worst, at = w, x
						}
						mu.Unlock()
					}
				})
			}
			for part := range uint64(parts) {
				next <- part
			}
			close(next)
			wg.Wait()
			t.Logf("largest error: %.3f ULP, at %v", worst, at)
			if worst > f.limit {
				t.Errorf("%s(%v) differs by %v ULP", f.name, at, worst)
			}
		})
	}
}
