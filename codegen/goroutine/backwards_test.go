package goroutine

import (
	"strings"
	"testing"

	"github.com/surge-ndp/surge/codegen/kir"
)

// TestBackwards stores vectors from the last element to the first: by a pointer, and numbers that are narrower than
// their lanes by a function, as package vec has for these alone.
func TestBackwards(t *testing.T) {
	const text = `func f {
  host n int
  array x float64 global
  array y float64 global
  array z uint8 global
  vectors {
    i: int = 0
    for keep i to n step 8 whole {
      a: float64x8 = x[i]:float64x8
      store y[i by -1] = a
      b: uint8x8 = z[i]:uint8x8
      store z[i by -1] = b
    }
  }
}
`
	f, err := kir.ParseFunc(text)
	if err != nil {
		t.Fatal(err)
	}
	code := NewUnit("K", "k1", "kFrame", "surgeEnv1").Func(f, "")
	for _, want := range []string{"*vec.AddrF64x8(y, ", " = vec.ReverseF64x8(", "vec.StoreU8x8(vec.ReverseI32x8("} {
		if !strings.Contains(code, want) {
			t.Errorf("%s is missing:\n%s", want, code)
		}
	}
}
