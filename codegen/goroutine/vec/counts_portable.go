//go:build !(goexperiment.simd && amd64)

package vec

import "math/bits"

// OnesCountI64x4 returns how many bits of each lane are set.
func OnesCountI64x4(v I64x4) I64x4 {
	for k, x := range v.v {
		v.v[k] = int64(bits.OnesCount64(uint64(x)))
	}
	return v
}

// OnesCountI64x8 returns how many bits of each lane are set.
func OnesCountI64x8(v I64x8) I64x8 {
	for k, x := range v.v {
		v.v[k] = int64(bits.OnesCount64(uint64(x)))
	}
	return v
}

// LeadingZerosI64x4 returns how many bits of each lane are zero above the highest one that is set, 64 if none is.
func LeadingZerosI64x4(v I64x4) I64x4 {
	for k, x := range v.v {
		v.v[k] = int64(bits.LeadingZeros64(uint64(x)))
	}
	return v
}

// LeadingZerosI64x8 returns how many bits of each lane are zero above the highest one that is set, 64 if none is.
func LeadingZerosI64x8(v I64x8) I64x8 {
	for k, x := range v.v {
		v.v[k] = int64(bits.LeadingZeros64(uint64(x)))
	}
	return v
}
