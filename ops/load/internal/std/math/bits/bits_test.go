package bits

import (
	"math/bits"
	"math/rand/v2"
	"testing"
)

// TestDiv64 checks divisions of numbers of all sizes, and of those whose digits are estimated worst, against Go's.
func TestDiv64(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	number := func() uint64 {
		x := random.Uint64() >> random.IntN(64)
		switch random.IntN(4) {
		case 0:
			return ^uint64(0) << random.IntN(64) >> random.IntN(64)
		case 1:
			return x | ^uint64(0)<<random.IntN(64)
		}
		return x
	}
	for range 1 << 20 {
		hi, lo, y := number(), number(), number()
		if y == 0 {
			continue
		}
		hi %= y
		quo, rem := Div64(hi, lo, y)
		if q, r := bits.Div64(hi, lo, y); quo != q || rem != r {
			t.Fatalf("%#x, %#x by %#x is %#x with a rest of %#x, want %#x and %#x", hi, lo, y, quo, rem, q, r)
		}
	}
}
