package goroutine_test

import (
	"strings"
	"testing"

	"github.com/surge-ndp/surge/codegen/goroutine"
)

// TestHold has scalars stay in registers during vector code of a parallel loop if only what follows the loop reads
// them: its body is a function of its own, with a variable of its own for the scalar.
func TestHold(t *testing.T) {
	k := compile(t, `func Scaled (x: []float64, y: []float64, b: float64, c: float64) {
  n: int = len x
  m: int = len y
  z: []float64 = map i < n {
    v: float64 = index x i
    s: float64 = reduce j < m init 0:float64 {
      w: float64 = index y j
      u: float64 = sub v w
      d: float64 = mul u c
      yield d
    } comb p: float64, o: float64 {
      t: float64 = add p o
      yield t
    }
    r: float64 = mul s b
    yield r
  }
  yield z
}
`)
	f, err := goroutine.Lower(k, k.Computations[0], variant(t, "Scaled.1/nest/independent>cooperative/goroutine/execution_resource_1=pool,execution_resource_2=pool+lane,vector_width_2=8,unroll_2=1"), "f", nil)
	if err != nil {
		t.Fatal(err)
	}
	if text := f.String(); strings.Contains(text, "bHeld") || !strings.Contains(text, "cHeld") {
		t.Errorf("b is held, which the reduction does not read, or c is not, which its last elements do:\n%s", text)
	}
}
