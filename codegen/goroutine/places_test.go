package goroutine

import (
	"strings"
	"testing"

	"github.com/surge-ndp/surge/codegen/kir"
)

// TestPlaces loads vectors near each other by a pointer to one of them, but not where that one is not loaded, where a
// check lies between, or where there is but one.
func TestPlaces(t *testing.T) {
	const text = `func f {
  host n int
  array x float64 global
  array y float64 global
  array z float64 global
  vectors {
    i: int = 0
    for keep i to n step 4 whole {
      at: int = (i * 2)
      a: float64x4 = x[(at - 1)]:float64x4
      b: float64x4 = x[at]:float64x4
      c: float64x4 = x[(at + 1)]:float64x4
      from: int = (i + n)
      d: float64x4 = y[(from + 1)]:float64x4
      e: float64x4 = y[(from - 1)]:float64x4
      to: int = (i - n)
      z[to] = ((a + b) + ((c + d) + e))
    }
  }
}
`
	f, err := kir.ParseFunc(text)
	if err != nil {
		t.Fatal(err)
	}
	code := NewUnit("K", "k1", "kFrame", "surgeEnv1").Func(f, "")
	for _, want := range []string{"x_at := vec.Elem(x, at)\n", "AddrF64x4(x_at, -1)", "AddrF64x4(x_at, 0)", "AddrF64x4(x_at, 1)", "AddrF64x4(y, from + 1)", "AddrF64x4(z, "} {
		if !strings.Contains(code, want) {
			t.Errorf("%s is missing:\n%s", want, code)
		}
	}
	checked, err := kir.ParseFunc(strings.Replace(text, "      a: float64x4", "      check index(at, n) \"Gather\" \"x\"\n      a: float64x4", 1))
	if err != nil {
		t.Fatal(err)
	}
	if code := NewUnit("K", "k1", "kFrame", "surgeEnv1").Func(checked, ""); strings.Contains(code, "x_at") {
		t.Errorf("there is a pointer behind a check:\n%s", code)
	}
}
