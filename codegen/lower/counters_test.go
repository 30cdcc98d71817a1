package lower_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/codegen/goroutine"
)

// halving adds up the elements at distances that are halved until there is none.
const halving = `func Halving (x: []int32, n: int) {
  m: int = len x
  y: []int32 = map i < m {
    e: int32 = index x i
    from: int = convert e
    s: int32, d: int = loop (a: int32, step: int) init e %s while {
      more: bool = gt step 0:int
      yield more
    } {
      at: int = add i step
      t: int = rem at m
      v: int32 = index x t
      b: int32 = add a v
      next: int = div step 2:int
      yield b next
    }
    yield s
  }
  yield y
}
`

// TestSameInLanes has what a loop counts with stay a number, and its condition a condition, where they are the same in
// all lanes; and has both be vectors where the lanes begin with numbers of their own.
func TestSameInLanes(t *testing.T) {
	for from, same := range map[string]bool{"n": true, "from": false} {
		k := compile(t, fmt.Sprintf(halving, from))
		f, err := goroutine.Lower(k, k.Computations[0], variant(t, "Halving.1/nest/independent/goroutine/execution_resource_1=lane,vector_width_1=8,unroll_1=1"), "f", nil)
		if err != nil {
			t.Fatal(err)
		}
		code := goroutine.NewUnit("Halving", "halving1", "halvingFrame", "surgeEnv1").Func(f, "")
		if scalar := strings.Contains(code, "step > 0"); scalar != same {
			t.Errorf("from %s: the condition is that of a number: %v, want %v\n%s", from, scalar, same, code)
		}
	}
}
