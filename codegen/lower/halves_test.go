package lower_test

import (
	"strings"
	"testing"

	"github.com/surge-ndp/surge/codegen/goroutine"
)

// What is left of a row of a bin goes through half a vector, if that is one: 8 and 4 of float64, and no 4 of float32.
func TestHalvesOfVectors(t *testing.T) {
	for kind, half := range map[string]bool{"float64": true, "float32": false} {
		k := compile(t, strings.ReplaceAll(`func Rows (keys: []int, x: []KIND, d: int, n: int) {
  m: int = len keys
  w: int = mul n d
  h: []KIND = hist i < m into w init 0:KIND {
    key: int = index keys i
    at: int = mul key d
    lo: int = mul i d
    r: []KIND = map j < d {
      k: int = add lo j
      v: KIND = index x k
      yield v
    }
    yield at r
  } comb p: KIND, q: KIND {
    s: KIND = add p q
    yield s
  }
  yield h
}
`, "KIND", kind))
		f, err := goroutine.Lower(k, k.Computations[0], variant(t, "Rows.1/nest/sequential>independent/goroutine/unroll_1=1,execution_resource_2=lane,vector_width_2=8,unroll_2=1"), "f", nil)
		if err != nil {
			t.Fatal(err)
		}
		text := f.String()
		if !strings.Contains(text, kind+"x8") || strings.Contains(text, kind+"x4") != half {
			t.Errorf("%s: want halves: %t\n%s", kind, half, text)
		}
	}
}
