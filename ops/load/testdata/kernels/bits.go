package kernels

import (
	"math"
	"math/bits"

	"github.com/surge-ndp/surge/ops"
)

// BitCounts calls the functions of package math/bits that count.
//
//surge:kernel
func BitCounts(a []uint64, b []uint32, c []uint8) ([]int, []int, []int) {
	return ops.Map(func(x uint64) int {
			return bits.OnesCount64(x) + 100*bits.LeadingZeros64(x) + 10000*bits.TrailingZeros64(x) + 1000000*bits.Len64(x)
		}, a), ops.Map(func(x uint32) int {
			u := uint(x) << 20
			return bits.OnesCount32(x) + 100*bits.LeadingZeros32(x) + 10000*bits.TrailingZeros32(x) + 1000000*bits.Len(u)
		}, b), ops.Map(func(x uint8) int {
			y := uint16(x) << 7
			return bits.OnesCount8(x) + 100*bits.LeadingZeros16(y) + 10000*bits.TrailingZeros8(x) + 1000000*bits.Len16(y)
		}, c)
}

// BitOrder rotates, reverses and multiplies.
//
//surge:kernel
func BitOrder(a []uint64, b []uint32, c []uint16, by []int) ([]uint64, []uint32, []uint16, []uint64) {
	return ops.Map2(func(x uint64, n int) uint64 { return bits.RotateLeft64(bits.Reverse64(x), n) ^ bits.ReverseBytes64(x) }, a, by),
		ops.Map2(func(x uint32, n int) uint32 {
			return bits.RotateLeft32(x, -n*7) + bits.Reverse32(x) ^ bits.ReverseBytes32(x)
		}, b, by),
		ops.Map(func(x uint16) uint16 { return bits.RotateLeft16(x, 3) ^ bits.Reverse16(x) + bits.ReverseBytes16(x) }, c),
		ops.Map(func(x uint64) uint64 {
			hi, lo := bits.Mul64(x, 0x9e3779b97f4a7c15)
			return hi ^ lo
		}, a)
}

// FloatBits looks at numbers as bits.
//
//surge:kernel
func FloatBits(x []float64, y []float32) ([]float64, []uint32) {
	return ops.Map(func(v float64) float64 { return math.Float64frombits(math.Float64bits(v) &^ (1 << 63)) }, x),
		ops.Map(func(v float32) uint32 { return math.Float32bits(v) >> 23 }, y)
}
