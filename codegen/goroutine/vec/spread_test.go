package vec

import (
	"math"
	"testing"
)

// TestIotaDivision compares quotients and remainders of consecutive numbers with Go's, and the counts of lanes below a
// bound, at the ends of the range and around multiples of the divisor.
func TestIotaDivision(t *testing.T) {
	need(t, 8, 4)
	wide := Portable()
	for _, n := range CPULanes(8) {
		wide = wide || n == 8
	}
	for _, d := range []int64{1, 2, 3, 4, 5, 7, 8, 9, 100, 1 << 31, 1 << 32, 1<<32 + 1, math.MaxInt64, -1, -3, -8, -100, math.MinInt64} {
		for _, start := range []int64{0, 1, 5, 99, 100, 101, 1<<31 - 3, 1<<32 - 3, 1 << 32, math.MaxInt64 - 9, math.MaxInt64 - 8, math.MaxInt64 - 7, math.MaxInt64 - 3, math.MaxInt64, -1, -4, -9, -101, math.MinInt64} {
			q4, r4 := ArrayI64x4(IotaDivI64x4(start, d)), ArrayI64x4(IotaRemI64x4(start, d))
			for k := range int64(4) {
				if q4[k] != (start+k)/d || r4[k] != (start+k)%d {
					t.Fatalf("(%d+%d) by %d: %d, %d", start, k, d, q4[k], r4[k])
				}
			}
			if wide {
				q8, r8 := ArrayI64x8(IotaDivI64x8(start, d)), ArrayI64x8(IotaRemI64x8(start, d))
				for k := range int64(8) {
					if q8[k] != (start+k)/d || r8[k] != (start+k)%d {
						t.Fatalf("(%d+%d) by %d: %d, %d", start, k, d, q8[k], r8[k])
					}
				}
			}
			if start > math.MaxInt64-8 {
				continue
			}
			below, atMost := 0, 0
			for k := range int64(8) {
				if start+k < d {
					below++
				}
				if start+k <= d {
					atMost++
				}
			}
			if b, m := Below(int(start), int(d), 8), AtMost(int(start), int(d), 8); b != below || m != atMost {
				t.Fatalf("of 8 numbers from %d, %d are below %d and %d at most that, want %d and %d", start, b, d, m, below, atMost)
			}
		}
	}
}
