package vec

import (
	"math/bits"
	"slices"
	"testing"
)

// TestCounts checks the numbers of bits, and of zeros before them, of vectors that hold each single bit, all bits above
// and below it, and what lies between.
func TestCounts(t *testing.T) {
	xs := make([]int64, 8)
	for i := range 64 {
		one := int64(1) << i
		xs = append(xs, one, one-1, -one, ^one, one*0x12345678)
	}
	for len(xs)%8 > 0 {
		xs = append(xs, -1)
	}
	wide := slices.Contains(Lanes(8), 8) || Portable()
	for i := 0; i < len(xs); i += 4 {
		v := FromArrayI64x4((*[4]int64)(xs[i:]))
		counts(t, "4 lanes", xs[i:i+4], ArrayI64x4(OnesCountI64x4(v)), ArrayI64x4(LeadingZerosI64x4(v)))
		if wide && i%8 == 0 {
			v := FromArrayI64x8((*[8]int64)(xs[i:]))
			counts(t, "8 lanes", xs[i:i+8], ArrayI64x8(OnesCountI64x8(v)), ArrayI64x8(LeadingZerosI64x8(v)))
		}
	}
}

func counts[A [4]int64 | [8]int64](t *testing.T, what string, xs []int64, ones, zeros A) {
	t.Helper()
	for k, x := range xs {
		if int(ones[k]) != bits.OnesCount64(uint64(x)) || int(zeros[k]) != bits.LeadingZeros64(uint64(x)) {
			t.Errorf("%s: %#x has %d ones and %d zeros before them", what, uint64(x), ones[k], zeros[k])
		}
	}
}
