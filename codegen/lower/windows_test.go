package lower_test

import (
	"strings"
	"testing"

	"github.com/surge-ndp/surge/codegen/goroutine"
)

// Lanes whose windows are of one length go through them together, and load what lies side by side; a test of whether
// an end goes beyond the largest integer is made where that may be.
func TestWindowsInStep(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{"add i 1:int", "add from n", "v: float64x8 = x[j]:float64x8"},
		{"add i later", "add from 3:int", "v: float64x8 = x[j]:float64x8"},
		{"mul i 2:int", "add from later", "by 2]"},
		{"mul i 2:int", "add i later", "gather x"},
		{"mul i later", "add from later", "gather x"},
	} {
		k := compile(t, `func Windows (x: []float64, n: int, later: int) {
  y: []float64 = map i < n {
    from: int = `+c.from+`
    to: int = `+c.to+`
    s: float64 = loop (sum: float64) init 0:float64 for j = from to to {
      v: float64 = index x j
      next: float64 = add sum v
      yield next
    }
    yield s
  }
  yield y
}
`)
		f, err := goroutine.Lower(k, k.Computations[0], variant(t, "Windows.1/nest/independent/goroutine/execution_resource_1=lane,vector_width_1=8,unroll_1=1"), "f", nil)
		if err != nil {
			t.Fatal(err)
		}
		if text := f.String(); !strings.Contains(text, c.want) {
			t.Errorf("from %s to %s: want %q\n%s", c.from, c.to, c.want, text)
		}
	}
}
