package goroutine

import (
	"strings"
	"testing"

	"github.com/surge-ndp/surge/codegen/kir"
)

// TestLowBits stores bytes without taking off what the lanes have above them, but does so where these are read again.
func TestLowBits(t *testing.T) {
	const text = `func f {
  host n int
  array x int32 global
  array y uint8 global
  array z int32 global
  vectors {
    i: int = 0
    for keep i to n step 8 whole {
      a: int32x8 = x[i]:int32x8
      b: uint8x8 = convert((a + a)):uint8x8
      y[i] = b
    }
  }
}
`
	read := strings.Replace(text, "      y[i] = b\n", "      y[i] = b\n      z[i] = convert(b):int32x8\n", 1)
	for text, wraps := range map[string]bool{text: false, read: true} {
		f, err := kir.ParseFunc(text)
		if err != nil {
			t.Fatal(err)
		}
		if code := NewUnit("K", "k1", "kFrame", "surgeEnv1").Func(f, ""); strings.Contains(code, "vec.WrapU8x8(") != wraps {
			t.Errorf("upper bits are taken off: %t, want %t\n%s", !wraps, wraps, code)
		}
	}
}
