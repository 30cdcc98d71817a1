//go:build !goexperiment.simd || !amd64

package vec

// LowF32x8 returns the lower half of the lanes of v.
func LowF32x8(v F32x8) F32x4 { return F32x4{[4]float32(v.v[:4])} }

// HighF32x8 returns the higher half of the lanes of v.
func HighF32x8(v F32x8) F32x4 { return F32x4{[4]float32(v.v[4:])} }

// JoinF32x8 returns the lanes of both vectors.
func JoinF32x8(lo, hi F32x4) (v F32x8) {
	copy(v.v[:4], lo.v[:])
	copy(v.v[4:], hi.v[:])
	return v
}

// LowI32x8 returns the lower half of the lanes of v.
func LowI32x8(v I32x8) I32x4 { return I32x4{[4]int32(v.v[:4])} }

// HighI32x8 returns the higher half of the lanes of v.
func HighI32x8(v I32x8) I32x4 { return I32x4{[4]int32(v.v[4:])} }

// JoinI32x8 returns the lanes of both vectors.
func JoinI32x8(lo, hi I32x4) (v I32x8) {
	copy(v.v[:4], lo.v[:])
	copy(v.v[4:], hi.v[:])
	return v
}

// LowM32x8 returns the lower half of the lanes of m.
func LowM32x8(m M32x8) M32x4 { return M32x4{m.m & (1<<4 - 1)} }

// HighM32x8 returns the higher half of the lanes of m.
func HighM32x8(m M32x8) M32x4 { return M32x4{m.m >> 4} }

// LowM32x8ToM64x4 returns the lower half of the lanes of m for elements of 64 bits.
func LowM32x8ToM64x4(m M32x8) M64x4 { return M64x4{m.m & (1<<4 - 1)} }

// HighM32x8ToM64x4 returns the higher half of the lanes of m for elements of 64 bits.
func HighM32x8ToM64x4(m M32x8) M64x4 { return M64x4{m.m >> 4} }

// JoinM32x8 returns the lanes of both masks.
func JoinM32x8(lo, hi M32x4) M32x8 { return M32x8{lo.m | hi.m<<4} }

// JoinM32x8OfM64x4 returns the lanes of both masks for elements of 32 bits.
func JoinM32x8OfM64x4(lo, hi M64x4) M32x8 { return M32x8{lo.m | hi.m<<4} }

// JoinF32x8OfI64x4 returns the lanes of both vectors, converted to float32.
func JoinF32x8OfI64x4(lo, hi I64x4) F32x8 { return JoinF32x8(I64x4ToF32x4(lo), I64x4ToF32x4(hi)) }
