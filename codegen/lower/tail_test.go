package lower_test

import (
	"strings"
	"testing"

	"github.com/surge-ndp/surge/codegen/goroutine"
)

// What whole vectors leave of a row is computed in the first lanes of one more, unless its elements are gathered, or
// vectors are so narrow that single elements are as good.
func TestTail(t *testing.T) {
	const rows = `func Rows (x: [][]float64, y: []float64, at: []int) {
  n: int = len x
  z: []float64 = map i < n {
    row: []float64 = index x i
    m: int = len row
    s: float64 = reduce j < m init 0:float64 {
      v: float64 = index row j
      READ
      x_y: float64 = mul v w
      yield x_y
    } comb p: float64, q: float64 {
      o: float64 = add p q
      yield o
    }
    yield s
  }
  yield z
}
`
	for _, c := range []struct {
		name, read, width string
		tail              bool
	}{
		{"beside each other", "w: float64 = index y j", "8", true},
		{"gathered", "k: int = index at j\n      w: float64 = index y k", "8", false},
		{"narrow", "w: float64 = index y j", "4", false},
	} {
		k := compile(t, strings.Replace(rows, "READ", c.read, 1))
		f, err := goroutine.Lower(k, k.Computations[0], variant(t, "Rows.1/nest/sequential>cooperative/goroutine/unroll_1=1,execution_resource_2=lane,vector_width_2="+c.width+",unroll_2=1"), "f", nil)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if text := f.String(); strings.Contains(text, "first_lanes(") != c.tail {
			t.Errorf("%s: want a vector for what is left: %t\n%s", c.name, c.tail, text)
		}
	}
}

// A row that is shorter than a vector is computed in the first lanes of one, where its elements fill vectors in memory.
func TestMapTail(t *testing.T) {
	for kind, tail := range map[string]bool{"float64": true, "float32": true, "int32": true, "int8": false} {
		k := compile(t, strings.ReplaceAll(`func Rows (x: [][]KIND) {
  n: int = len x
  z: [][]KIND = map i < n {
    row: []KIND = index x i
    m: int = len row
    r: []KIND = map j < m {
      v: KIND = index row j
      w: KIND = mul v v
      yield w
    }
    yield r
  }
  yield z
}
`, "KIND", kind))
		f, err := goroutine.Lower(k, k.Computations[0], variant(t, "Rows.1/nest/sequential>independent/goroutine/unroll_1=1,execution_resource_2=lane,vector_width_2=8,unroll_2=1"), "f", nil)
		if err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		if text := f.String(); strings.Contains(text, "first_lanes(") != tail {
			t.Errorf("%s: want a vector for short rows: %t\n%s", kind, tail, text)
		}
	}
}
