package goroutine

import (
	"strings"
	"testing"

	"github.com/surge-ndp/surge/codegen/kir"
)

// TestOnce checks which values stand where they are used, and which do not: those that something may change
// meanwhile, that are used in another turn or arm, twice, or in a place that is printed twice.
func TestOnce(t *testing.T) {
	for name, c := range map[string]struct{ body, want string }{
		"a chain": {`a: float64 = x[i]
    b: float64 = (a * 2)
    y[i] = (b + 1)`, "*vec.Elem(y, i) = (*vec.Elem(x, i) * 2) + 1\n"},
		"behind a store to the same array": {`a: float64 = y[i]
    y[0] = 1
    y[1] = a`, "a := *vec.Elem(y, i)\n*vec.Elem(y, 0), *vec.Elem(y, 1) = 1, a\n"},
		"behind a store to another array": {`a: float64 = x[i]
    y[0] = 1
    y[1] = a`, "*vec.Elem(y, 0) = 1\n*vec.Elem(y, 1) = *vec.Elem(x, i)\n"},
		"behind an assignment": {`s: int = 0
    a: int = (s + 1)
    s = 5
    y[a] = 1
    y[s] = 2`, "s := 0\na := s + 1\ns = 5\n*vec.Elem(y, a), *vec.Elem(y, s) = 1, 2\n"},
		"in a loop inside": {`a: float64 = x[i]
    for j = 0 to n step 1 {
      y[j] = a
    }`, "a := *vec.Elem(x, i)\nfor j := 0; j < n; j++ {\n*vec.Elem(y, j) = a\n}\n"},
		"the parity of a mask": {`v: float64x4 = x[i]:float64x4
    m: boolx4/64 = (v < splat(0:float64):float64x4)
    odd: bool = lanes.xor(m)
    even: bool = not(odd)
    if even {
      y[i] = 1
    }`, "if !(bits.OnesCount32("},
		"used twice": {`a: float64 = x[i]
    y[i] = (a * a)`, "a := *vec.Elem(x, i)\n*vec.Elem(y, i) = a * a\n"},
		"a read that a condition may skip": {`a: bool = (i < 3)
    c: float64 = x[i]
    d: bool = (c < 1)
    if (a & d) {
      y[i] = 1
    }`, "d := *vec.Elem(x, i) < 1\nif (i < 3) && d {\n"},
		"counting": {`s: int = 0
    t: int = (s + 1)
    s = t
    y[s] = 1`, "s := 0\ns++\n*vec.Elem(y, s) = 1\n"},
		"a swap": {`s: int = 0
    t: int = 1
    u: int = s
    s = t
    t = u
    y[s] = 1
    y[t] = 2`, "u := s\ns, t = t, u\n"},
		"checks": {`check index(i, n) "Gather" "x"
    a: float64 = x[i]
    check index(i, m) "Gather" "y"
    y[i] = a`, "if uint(i) >= uint(n) || uint(i) >= uint(m) {\nw.Fail(exec.First(k1Sites[0].InIndex(-1, i, n), k1Sites[1].InIndex(-1, i, m)))\nreturn\n}\n*vec.Elem(y, i) = *vec.Elem(x, i)\n"},
	} {
		f, err := kir.ParseFunc("func f {\n  host n int\n  host m int\n  array x float64 global\n  array y float64 global\n  for i = 0 to n step 1 {\n    " + c.body + "\n  }\n}\n")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		before := f.String()
		code := strings.ReplaceAll(NewUnit("K", "k1", "kFrame", "surgeEnv1").Func(f, ""), "\t", "")
		if !strings.Contains(code, c.want) {
			t.Errorf("%s: without\n%s\n%s", name, c.want, code)
		}
		if f.String() != before {
			t.Errorf("%s: printing has changed the code", name)
		}
	}
}
