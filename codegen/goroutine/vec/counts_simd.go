//go:build goexperiment.simd && amd64

package vec

import (
	"math/bits"
	"simd/archsimd"
)

// countsOnes tells whether the CPU has instructions that count the bits of lanes, which AVX-512 alone does not say.
var countsOnes = level >= levelAVX512 && archsimd.X86.AVX512VPOPCNTDQ()

// nibbles are the numbers of bits of the numbers below 16, for each group of 16 bytes.
var nibbles = [64]uint8{
	0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
	0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
}

// OnesCountI64x4 returns how many bits of each lane are set.
func OnesCountI64x4(v I64x4) I64x4 {
	if countsOnes {
		return v.OnesCount()
	}
	return onesCountI64x4(v)
}

//go:noinline
func onesCountI64x4(v I64x4) I64x4 {
	table, four := archsimd.LoadUint8x32((*[32]uint8)(nibbles[:32])), archsimd.BroadcastUint8x32(15)
	low := table.PermuteOrZeroGrouped(v.AsUint8x32().And(four).AsInt8x32())
	high := table.PermuteOrZeroGrouped(v.AsUint64x4().ShiftAllRight(4).AsUint8x32().And(four).AsInt8x32())
	return low.Add(high).SumAbsDiff(archsimd.BroadcastUint8x32(0)).AsInt64x4()
}

// OnesCountI64x8 returns how many bits of each lane are set.
func OnesCountI64x8(v I64x8) I64x8 {
	if countsOnes {
		return v.OnesCount()
	}
	return onesCountI64x8(v)
}

//go:noinline
func onesCountI64x8(v I64x8) I64x8 {
	table, four := archsimd.LoadUint8x64(&nibbles), archsimd.BroadcastUint8x64(15)
	low := table.PermuteOrZeroGrouped(v.AsUint8x64().And(four).AsInt8x64())
	high := table.PermuteOrZeroGrouped(v.AsUint64x8().ShiftAllRight(4).AsUint8x64().And(four).AsInt8x64())
	return low.Add(high).SumAbsDiff(archsimd.BroadcastUint8x64(0)).AsInt64x8()
}

// LeadingZerosI64x4 returns how many bits of each lane are zero above the highest one that is set, 64 if none is.
func LeadingZerosI64x4(v I64x4) I64x4 {
	if level >= levelAVX512 {
		return v.LeadingZeros()
	}
	return leadingZerosI64x4(v)
}

//go:noinline
func leadingZerosI64x4(v I64x4) I64x4 {
	var a [4]int64
	v.Store(&a)
	for k, x := range a {
		a[k] = int64(bits.LeadingZeros64(uint64(x)))
	}
	return archsimd.LoadInt64x4(&a)
}

// LeadingZerosI64x8 returns how many bits of each lane are zero above the highest one that is set, 64 if none is.
func LeadingZerosI64x8(v I64x8) I64x8 { return v.LeadingZeros() }
