//go:build goexperiment.simd && amd64

package vec

import "testing"

// TestCountsOfNibbles checks the way of processors whose lanes do not count.
func TestCountsOfNibbles(t *testing.T) {
	defer func(was bool) { countsOnes = was }(countsOnes)
	countsOnes = false
	TestCounts(t)
	x := int64(0x0123456789abcdef)
	v := FromArrayI64x4(&[4]int64{x, -x, 0, -1})
	if got := ArrayI64x4(leadingZerosI64x4(v)); got != [4]int64{7, 0, 64, 0} {
		t.Errorf("zeros before the ones: %d", got)
	}
}
