//go:build goexperiment.simd && amd64

package vec

import (
	"math"
	"simd/archsimd"
)

// built tells whether the vector types are compiled to vector instructions.
const built = true

// avx512 guards the few operations of 256-bit vectors that only AVX-512 has as one instruction.
var avx512 = archsimd.X86.AVX512()

// Clear ends a stretch of vector code: it clears the upper halves of the vector registers, so that scalar floating
// point code after it runs at full speed. Vectors that are needed after it are kept in memory meanwhile. See the
// package comment for where it belongs.
func Clear() { archsimd.ClearAVXUpperBits() }

// Tables that constants of vector operations are loaded from: one load is cheaper than building them.
var (
	iotaF64 = [8]float64{0, 1, 2, 3, 4, 5, 6, 7}
	iotaF32 = [16]float32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}
	iotaI64 = [8]int64{0, 1, 2, 3, 4, 5, 6, 7}
	iotaI32 = [16]int32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}

	sign64 = [8]int64{-1 << 63, -1 << 63, -1 << 63, -1 << 63, -1 << 63, -1 << 63, -1 << 63, -1 << 63}
	sign32 = [16]int32{-1 << 31, -1 << 31, -1 << 31, -1 << 31, -1 << 31, -1 << 31, -1 << 31, -1 << 31,
		-1 << 31, -1 << 31, -1 << 31, -1 << 31, -1 << 31, -1 << 31, -1 << 31, -1 << 31}

	magnitude64 = [8]int64{math.MaxInt64, math.MaxInt64, math.MaxInt64, math.MaxInt64, math.MaxInt64, math.MaxInt64, math.MaxInt64, math.MaxInt64}
	magnitude32 = [16]int32{math.MaxInt32, math.MaxInt32, math.MaxInt32, math.MaxInt32, math.MaxInt32, math.MaxInt32, math.MaxInt32, math.MaxInt32,
		math.MaxInt32, math.MaxInt32, math.MaxInt32, math.MaxInt32, math.MaxInt32, math.MaxInt32, math.MaxInt32, math.MaxInt32}

	zero32 [16]int32
	zero64 [8]int64

	// The lanes from element 16-n on are a mask of n set lanes.
	first64 = [32]int64{-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1}
	first32 = [32]int32{-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1}

	evenLanes = [8]uint32{0, 2, 4, 6, 0, 2, 4, 6}
)

// spread returns bit k of b, k < 8, as byte k: 0 or 1.
func spread(b uint32) uint64 {
	x := uint64(b) * 0x0101010101010101 & 0x8040201008040201
	return (x + 0x00406070787c7e7f) >> 7 & 0x0101010101010101
}
