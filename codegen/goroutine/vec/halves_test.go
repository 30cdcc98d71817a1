package vec

import "testing"

// TestHalves takes vectors apart and puts their halves together the other way round.
func TestHalves(t *testing.T) {
	need(t, 4, 8)
	turned := func(k int) int { return (k + 4) % 8 }
	rounds(func() {
		a, b, p := values[float32](8), values[int32](8), bools(8)
		f, i, m := *AddrF32x8(&a[0], 0), *AddrI32x8(&b[0], 0), LoadM32x8(&p[0], 0)
		fs, is := ArrayF32x8(JoinF32x8(HighF32x8(f), LowF32x8(f))), ArrayI32x8(JoinI32x8(HighI32x8(i), LowI32x8(i)))
		equal(t, "F32x8", fs[:], func(k int) float32 { return a[turned(k)] }, a)
		equal(t, "I32x8", is[:], func(k int) int32 { return b[turned(k)] }, b)
		var ms [8]bool
		StoreBoolM32x8(JoinM32x8(HighM32x8(m), LowM32x8(m)), &ms[0], 0)
		equal(t, "M32x8", ms[:], func(k int) bool { return p[turned(k)] }, p)
		if low, high := BitsM32x4(LowM32x8(m)), BitsM32x4(HighM32x8(m)); low|high<<4 != BitsM32x8(m) {
			t.Fatalf("halves %b and %b of %v", low, high, p)
		}
		low, high := LowM32x8ToM64x4(m), HighM32x8ToM64x4(m)
		if got := BitsM64x4(low) | BitsM64x4(high)<<4; got != BitsM32x8(m) {
			t.Fatalf("halves %b for 64 bits of %v", got, p)
		}
		if got := BitsM32x8(JoinM32x8OfM64x4(high, low)); got != BitsM64x4(high)|BitsM64x4(low)<<4 {
			t.Fatalf("joined %b of %v", got, p)
		}
		c, joined := values[int64](8), [8]float32{}
		joined = ArrayF32x8(JoinF32x8OfI64x4(*AddrI64x4(&c[0], 0), *AddrI64x4(&c[0], 4)))
		equal(t, "F32x8 of I64x4", joined[:], func(k int) float32 { return float32(c[k]) }, c)
		small := [8]int64{0, -1, 1 << 52, -1 << 53, 1<<53 - 1, 3, 1 << 24, 1<<24 + 1}
		joined = ArrayF32x8(JoinF32x8OfI64x4(*AddrI64x4(&small[0], 0), *AddrI64x4(&small[0], 4)))
		equal(t, "F32x8 of small I64x4", joined[:], func(k int) float32 { return float32(small[k]) }, small[:])
	})
}
