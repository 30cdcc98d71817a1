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

// TestOwnRowsOfSeveralResults: rows that are as long as each other are asked once whether they fit.
func TestOwnRowsOfSeveralResults(t *testing.T) {
	k := compile(t, `func Two (x: [][]float64) {
  n: int = len x
  y: [][]float64, z: [][]float64 = map i < n {
    r: []float64 = index x i
    m: int = len r
    a: []float64 = alloc m
    b: []float64 = alloc m
    s.1: float64, a.3: []float64, b.3: []float64 = loop (s: float64, a.1: []float64, b.1: []float64) init 0:float64 a b for j = 0:int to m {
      e: float64 = index r j
      t: float64 = add s e
      a.2: []float64 = update a.1 j t
      b.2: []float64 = update b.1 j e
      yield t a.2 b.2
    }
    yield a.3 b.3
  }
  yield y z
}
`)
	f, err := goroutine.Lower(k, k.Computations[0], variant(t, "Two.1/nest/independent/goroutine/execution_resource_1=lane,vector_width_1=4,unroll_1=1"), "f", nil)
	if err != nil {
		t.Fatal(err)
	}
	if fits := strings.Count(f.String(), "(length <= 32768)"); fits != 1 {
		t.Errorf("%d conditions on how long rows may be, want 1:\n%s", fits, f)
	}
}
