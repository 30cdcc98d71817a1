package goroutine_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/codegen/goroutine"
)

// TestSplatted has the vectors of a loop loaded where the text does so if more numbers become vectors there than there
// are registers for, and through pointers if not.
func TestSplatted(t *testing.T) {
	for taps, called := range map[int]bool{3: false, 7: false, 8: true, 12: true} {
		var body strings.Builder
		sum := "s"
		for k := range taps {
			fmt.Fprintf(&body, `      p.%[1]d: int = add i %[1]d:int
      x.%[1]d: float64 = index x p.%[1]d
      q.%[1]d: int = add c %[1]d:int
      w.%[1]d: float64 = index w q.%[1]d
      t.%[1]d: float64 = mul x.%[1]d w.%[1]d
      s.%[1]d: float64 = add %[2]s t.%[1]d
`, k, sum)
			sum = fmt.Sprintf("s.%d", k)
		}
		k := compile(t, `func Taps (x: []float64, w: []float64, n: int, m: int) {
  y: []float64 = map i < n {
    z: float64 = loop (s: float64) init 0:float64 for c = 0:int to m {
`+body.String()+`      yield `+sum+`
    }
    yield z
  }
  yield y
}
`)
		f, err := goroutine.Lower(k, k.Computations[0], variant(t, "Taps.1/nest/independent/goroutine/execution_resource_1=lane,vector_width_1=8,unroll_1=1"), "f", nil)
		if err != nil {
			t.Fatal(err)
		}
		code := goroutine.NewUnit("Taps", "taps1", "tapsFrame", "surgeEnv1").Func(f, "")
		if strings.Contains(code, "vec.LoadF64x8(x, ") != called || strings.Contains(code, "*vec.AddrF64x8(x, ") == called {
			t.Errorf("%d taps: loads are calls: %t, want %t\n%s", taps, !called, called, code)
		}
	}
}

// TestSplatsApart lets no more than some numbers become vectors in one run of statements before a loop, where these are
// more than there are registers for.
func TestSplatsApart(t *testing.T) {
	for n, asked := range map[int]int{8: 0, 14: 0, 15: 2, 24: 3} {
		var loads, sums strings.Builder
		sum := "x.0"
		for k := range n {
			fmt.Fprintf(&loads, "      p.%[1]d: int = add i %[1]d:int\n      c.%[1]d: float32 = index c p.%[1]d\n", k)
			fmt.Fprintf(&sums, "        s.%[1]d: float32 = mul %[2]s c.%[1]d\n", k, sum)
			sum = fmt.Sprintf("s.%d", k)
		}
		k := compile(t, `func Rows (x: []float32, c: []float32, n: int, m: int) {
  y: [][]float32 = map i < n {
`+loads.String()+`      z: []float32 = map j < m {
        x.0: float32 = index x j
`+sums.String()+`        yield `+sum+`
      }
      yield z
  }
  yield y
}
`)
		f, err := goroutine.Lower(k, k.Computations[0], variant(t, "Rows.1/nest/independent>independent/goroutine/execution_resource_1=pool,execution_resource_2=lane,vector_width_2=8,unroll_2=1"), "f", nil)
		if err != nil {
			t.Fatal(err)
		}
		code := goroutine.NewUnit("Rows", "rows1", "rowsFrame", "surgeEnv1").Func(f, "")
		if got := strings.Count(code, "\nif w.Stopped() {"); got != asked {
			t.Errorf("%d numbers: runs end %d times, want %d\n%s", n, got, asked, code)
		}
	}
}
