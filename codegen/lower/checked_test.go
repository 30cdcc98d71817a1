package lower_test

import (
	"strings"
	"testing"

	"github.com/surge-ndp/surge/codegen/goroutine"
)

// TestCheckedIndices has an index widened without its sign if the checks made before leave no other to the loop, and
// with it elsewhere.
func TestCheckedIndices(t *testing.T) {
	pick := func(kind, body string) string {
		return "func Pick (x: []float64, at: []" + kind + ") {\n  m: int = len x\n  n: int = len at\n  y: []float64 = map i < n {\n    k: " + kind + " = index at i\n" + body + "    yield v\n  }\n  yield y\n}\n"
	}
	const plain = "    j: int = convert k\n    check index \"Gather\" \"at\" j m\n    v: float64 = index x j\n"
	for _, c := range []struct{ name, text, want string }{
		{"32 bits", pick("int32", plain), "convert(convert(k):uint32):int"},
		{"16 bits", pick("int16", plain), "convert(convert(k):uint16):int"},
		{"8 bits", pick("int8", plain), "convert(convert(k):uint8):int"},
		{"no sign", pick("uint32", plain), "convert(k):int"},
		{"as wide as int", pick("int64", plain), "convert(k):int"},
		{"checked where it is read", pick("int32", `    j: int = convert k
    some: bool = ge j 0:int
    v: float64 = if some {
      check index "x" "index" j m
      u: float64 = index x j
      yield u
    } else {
      yield 1:float64
    }
`), "convert(k):int"},
		{"checked when it is known", `func Late (x: []float64, at: []int32) {
  m: int = len x
  n: int = len at
  s: int32 = reduce l < n init 0:int32 {
    a: int32 = index at l
    yield a
  } comb p: int32, q: int32 {
    r: int32 = add p q
    yield r
  }
  y: []float64 = map i < n {
    b: int32 = index at i
    k: int32 = add b s
    j: int = convert k
    check index "Gather" "at" j m
    v: float64 = index x j
    yield v
  }
  yield y
}
`, "convert(k):int"},
	} {
		k := compile(t, c.text)
		last := k.Computations[len(k.Computations)-1]
		f, err := goroutine.Lower(k, last, variant(t, last.Name+"/nest/sequential/goroutine/unroll_1=1"), "f", nil)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if text := f.String(); !strings.Contains(text, c.want) {
			t.Errorf("%s: without %s:\n%s", c.name, c.want, text)
		}
	}
}
