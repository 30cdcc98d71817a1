//go:build !(goexperiment.simd && amd64)

package vec

import "math"

// built tells whether the vector types are compiled to vector instructions.
const built = false

// Clear ends a stretch of vector code; nothing to do in this build.
func Clear() {}

// fma32 returns a*b + c rounded once. The product is exact in float64; the sum is rounded to odd there, so that
// rounding it again to float32 gives what a single rounding would.
func fma32(a, b, c float32) float32 {
	p, z := float64(a)*float64(b), float64(c)
	s := p + z
	if math.IsInf(s, 0) || math.IsNaN(s) {
		return float32(s)
	}
	t := s - p
	if e := (p - (s - t)) + (z - t); e != 0 {
		if u := math.Float64bits(s); u&1 == 0 {
			if (e > 0) == (s > 0) {
				u++
			} else {
				u--
			}
			s = math.Float64frombits(u)
		}
	}
	return float32(s)
}
