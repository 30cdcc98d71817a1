//go:build goexperiment.simd && amd64

package vec

import "simd/archsimd"

// LowF32x8 returns the lower half of the lanes of v.
func LowF32x8(v F32x8) F32x4 { return v.GetLo() }

// HighF32x8 returns the higher half of the lanes of v.
func HighF32x8(v F32x8) F32x4 { return v.GetHi() }

// JoinF32x8 returns the lanes of both vectors.
func JoinF32x8(lo, hi F32x4) F32x8 {
	return archsimd.LoadInt32x8((*[8]int32)(zero32[:8])).AsFloat32x8().SetLo(lo).SetHi(hi)
}

// LowI32x8 returns the lower half of the lanes of v.
func LowI32x8(v I32x8) I32x4 { return v.GetLo() }

// HighI32x8 returns the higher half of the lanes of v.
func HighI32x8(v I32x8) I32x4 { return v.GetHi() }

// JoinI32x8 returns the lanes of both vectors.
func JoinI32x8(lo, hi I32x4) I32x8 {
	return archsimd.LoadInt32x8((*[8]int32)(zero32[:8])).SetLo(lo).SetHi(hi)
}

// LowM32x8 returns the lower half of the lanes of m. A zero in memory would be loaded before a loop, and saved in it by
// an instruction that is slow among wider vectors: this one is made where it is needed.
func LowM32x8(m M32x8) M32x4 {
	v := m.ToInt32x8().GetLo()
	return v.Xor(v).Greater(v)
}

// HighM32x8 returns the higher half of the lanes of m.
func HighM32x8(m M32x8) M32x4 {
	v := m.ToInt32x8().GetHi()
	return v.Xor(v).Greater(v)
}

// LowM32x8ToM64x4 returns the lower half of the lanes of m for elements of 64 bits.
func LowM32x8ToM64x4(m M32x8) M64x4 { return twice(m, &twiceLow) }

// HighM32x8ToM64x4 returns the higher half of the lanes of m for elements of 64 bits.
func HighM32x8ToM64x4(m M32x8) M64x4 { return twice(m, &twiceHigh) }

// twice is the mask of the lanes of m at half of the places, each of which stands there twice.
func twice(m M32x8, places *[8]uint32) M64x4 {
	v := m.ToInt32x8().Permute(archsimd.LoadUint32x8(places))
	return archsimd.LoadInt64x4((*[4]int64)(zero64[:4])).Greater(v.AsInt64x4())
}

var (
	twiceLow  = [8]uint32{0, 0, 1, 1, 2, 2, 3, 3}
	twiceHigh = [8]uint32{4, 4, 5, 5, 6, 6, 7, 7}
	inOrder   = [8]uint32{0, 1, 4, 5, 2, 3, 6, 7} // of what was taken from both halves of two vectors
)

// JoinM32x8 returns the lanes of both masks.
func JoinM32x8(lo, hi M32x4) M32x8 {
	return archsimd.LoadInt32x8((*[8]int32)(zero32[:8])).Greater(JoinI32x8(lo.ToInt32x4(), hi.ToInt32x4()))
}

// JoinM32x8OfM64x4 returns the lanes of both masks for elements of 32 bits.
func JoinM32x8OfM64x4(lo, hi M64x4) M32x8 {
	v := lo.ToInt64x4().AsInt32x8().SelectFromPairGrouped(0, 2, 4, 6, hi.ToInt64x4().AsInt32x8())
	return archsimd.LoadInt32x8((*[8]int32)(zero32[:8])).Greater(v.Permute(archsimd.LoadUint32x8(&inOrder)))
}

// JoinF32x8OfI64x4 returns the lanes of both vectors, converted to float32.
func JoinF32x8OfI64x4(lo, hi I64x4) F32x8 {
	most, least := SplatI64x4(1<<53), SplatI64x4(-1<<53)
	if AnyM64x4(lo.Greater(most).Or(hi.Greater(most)).Or(least.Greater(lo)).Or(least.Greater(hi))) { // which a float64 may round
		return f32x8OfI64x4(lo, hi)
	}
	return JoinF32x8(I64x4ToF64x4(lo).ConvertToFloat32(), I64x4ToF64x4(hi).ConvertToFloat32())
}

// f32x8OfI64x4 is JoinF32x8OfI64x4 where float64s do not hold the lanes: lane by lane.
//
//go:noinline
func f32x8OfI64x4(lo, hi I64x4) F32x8 {
	var a [8]int64
	*AddrI64x4(&a[0], 0), *AddrI64x4(&a[0], 4) = lo, hi
	archsimd.ClearAVXUpperBits()
	var to [8]float32
	for k, x := range a {
		to[k] = float32(x)
	}
	return FromArrayF32x8(&to)
}
