package lower_test

import (
	"strings"
	"testing"

	"github.com/surge-ndp/surge/codegen/goroutine"
)

// series has elements that read a row in order and fill one.
const series = `func Series (x: [][]float64) {
  n: int = len x
  y: [][]float64 = map i < n {
    r: []float64 = index x i
    m: int = len r
    a: []float64 = alloc m
    s.1: float64, a.3: []float64 = loop (s: float64, a.1: []float64) init 0:float64 a for j = 0:int to m {
      e: float64 = index r j
      t: float64 = add s e
      a.2: []float64 = update a.1 j t
      yield t a.2
    }
    yield a.3
  }
  yield y
}
`

// TestOwnRows looks at which elements that fill rows can be on lanes: the rows have one length that is known before,
// and rows that are not filled in order, one element after the other, stay where they are.
func TestOwnRows(t *testing.T) {
	const lanes = "Series.1/nest/independent/goroutine/execution_resource_1=lane,vector_width_1=4,unroll_1="
	for _, c := range []struct{ name, old, to, want string }{
		{"of the length of what is read", "", "", ""},
		{"of a length that is computed from that", "alloc m", "alloc k", ""},
		{"of a length that each element computes", "alloc m", "alloc q", "level 1 cannot use lanes: each of its elements stores a row of a length that is not known before (a)"},
	} {
		text := strings.Replace(series, c.old, c.to, 1)
		text = strings.Replace(text, "    a: []", "    k: int = add m 1:int\n    q: int = add m i\n    a: []", 1)
		k := compile(t, text)
		for _, unroll := range []string{"1", "2", "4"} {
			_, err := goroutine.Lower(k, k.Computations[0], variant(t, lanes+unroll), "f", nil)
			if got := err == nil; got != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("a row %s, unroll %s: %v", c.name, unroll, err)
			}
		}
	}
}
