package lower_test

import (
	"strings"
	"testing"

	"github.com/surge-ndp/surge/codegen/goroutine"
)

// TestPackedRows checks which reads of rows of d elements are loads of packed rows where the rows lie on lanes: those
// at places that are never outside of the row, from its beginning or from its end. Others are gathered.
func TestPackedRows(t *testing.T) {
	for _, c := range []struct {
		lo, hi, place string // with "down" for lo, j goes from hi down to the place after that word
		want          string // in the code, "" where elements are gathered
	}{
		{"0", "d", "q: int = add r j", "= (j * 8)"},
		{"1", "d", "p: int = add r j\n      q: int = sub p 1:int", "= ((j + -1) * 8)"},
		{"0", "e", "p: int = add r j\n      q: int = add p 1:int", "= ((j + 1) * 8)"},
		{"0", "d", "p: int = add r e\n      q: int = sub p j", "= (((d2 - j) + -1) * 8)"},
		{"1", "d", "p: int = add r d\n      q: int = sub p j", "= ((d2 - j) * 8)"},
		{"0", "d", "p: int = add r j\n      q: int = sub p 1:int", ""},
		{"0", "d", "p: int = add r j\n      q: int = add p 1:int", ""},
		{"2", "d", "p: int = add r j\n      q: int = sub p 3:int", ""},
		{"0", "d", "p: int = add r d\n      q: int = sub p j", ""},
		{"0", "n", "q: int = add r j", ""},
		{"0", "d", "p: int = mul j 2:int\n      q: int = add r p", ""},
		{"down 0", "e", "q: int = add r j", "= (((d2 - t) + -1) * 8)"},
		{"down 1", "e", "p: int = add r j\n      q: int = sub p 1:int", "= (((d2 - t) + -1) * 8)"},
		{"down 0", "d", "p: int = add r j\n      q: int = sub p 1:int", ""},
		{"down 1", "d", "p: int = add r j\n      q: int = sub p 1:int", "= ((d2 - t) * 8)"},
		{"down 0", "e", "p: int = add r e\n      q: int = sub p j", "= (t * 8)"},
		{"down 0", "d", "q: int = add r j", ""},
		{"down -1", "e", "q: int = add r j", ""},
		{"down 0", "n", "q: int = add r j", ""},
	} {
		loop := "for j = " + c.lo + ":int to " + c.hi + " {"
		if lo, down := strings.CutPrefix(c.lo, "down "); down {
			loop = "for t = " + lo + ":int to over {\n      ends: int = add " + c.hi + " " + lo + ":int\n      j: int = sub ends t"
		}
		k := compile(t, `func Rows (x: []float64, n: int, d: int) {
  m: int = len x
  e: int = sub d 1:int
  last: int = min `+c.hi+` 9223372036854775806:int
  over: int = add last 1:int
  z: []float64 = map i < n {
    r: int = mul i d
    s: float64 = loop (a: float64) init 0:float64 `+loop+`
      `+c.place+`
      check index "index" "x" q m
      v: float64 = index x q
      b: float64 = mul a 0.5:float64
      w: float64 = add b v
      yield w
    }
    yield s
  }
  yield z
}
`)
		f, err := goroutine.Lower(k, k.Computations[0], variant(t, "Rows.1/nest/independent/goroutine/execution_resource_1=lane,vector_width_1=8,unroll_1=1"), "f", nil)
		if err != nil {
			t.Fatalf("%v: %v", c, err)
		}
		text := f.String()
		if packs := strings.Contains(text, "pack_rows"); packs != (c.want != "") || strings.Contains(text, "gather x") == packs || !strings.Contains(text, c.want) {
			t.Errorf("from %s to %s, %s: want %q\n%s", c.lo, c.hi, c.place, c.want, text)
		}
		if strings.Contains(text, "pack_rows") && !strings.Contains(text, "size: int = (min(d2, 32768) * 8)") {
			t.Errorf("there is memory for rows of any length:\n%s", text)
		}
	}
}
