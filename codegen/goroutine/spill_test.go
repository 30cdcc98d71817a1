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

// TestHoldBehindTiles has scalars wait in memory while the vectors of a register tile are computed, if the elements
// that fill no vector read them.
func TestHoldBehindTiles(t *testing.T) {
	k := compile(t, `func Scaled (x: []float64, y: []float64, b: float64, m: int, n: int, d: int) {
  z: [][]float64 = map i < m {
    r: []float64 = map j < n {
      s: float64 = reduce k < d init 0:float64 {
        row: int = mul i d
        at: int = add row k
        u: float64 = index x at
        line: int = mul k n
        to: int = add line j
        v: float64 = index y to
        e: float64 = mul u v
        yield e
      } comb p: float64, o: float64 {
        t: float64 = add p o
        yield t
      }
      w: float64 = mul s b
      yield w
    }
    yield r
  }
  yield z
}
`)
	f, err := goroutine.Lower(k, k.Computations[0], variant(t, "Scaled.1/nest/independent>independent>sequential/goroutine/execution_resource_1=pool,tile_1=4,execution_resource_2=lane,vector_width_2=8,unroll_2=2,tile_algo_1=loop,unroll_3=1"), "f", nil)
	if err != nil {
		t.Fatal(err)
	}
	text := f.String()
	if tiles, _, _ := strings.Cut(text, "step 1 "); !strings.Contains(tiles, "bHeld[0] = b") || !strings.Contains(tiles, "splat(bHeld[0])") {
		t.Errorf("b is in a register while tiles are computed:\n%s", text)
	}
}
