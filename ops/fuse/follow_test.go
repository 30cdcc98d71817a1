package fuse

import (
	"strings"
	"testing"
)

// TestFollow has a Map y of x whose elements are results, a scan of y, and then a reduction that reads x and y: where it
// reads both at its own element, it follows the Map, before the scan.
func TestFollow(t *testing.T) {
	const begin = `func F (x: []float64, d: int) {
  n: int = len x
  y: []float64 = map i < n {
    a: float64 = index x i
    b: float64 = exp a
    yield b
  }
  c: []float64 = scan j < n init 0:float64 {
    e: float64 = index y j
    f: float64 = exp e
    yield f
  } comb g: float64, h: float64 {
    k: float64 = add g h
    yield k
  }
`
	reduce := func(n, body string) string {
		return "  r: float64 = reduce l < " + n + " init 0:float64 {\n" + body + "    p: float64 = mul q s\n    yield p\n  " + sum + "\n  yield y c r\n}\n"
	}
	for _, c := range []struct{ name, rest, want string }{
		{"both at its element", reduce("n", "    q: float64 = index x l\n    s: float64 = index y l\n"), "map reduce* scan"},
		{"the input at a distance", reduce("n", "    m: int = mul l d\n    o: int = rem m n\n    q: float64 = index x o\n    s: float64 = index y l\n"), "map reduce* scan"},
		{"what it needs comes first", "  z: float64 = convert d\n" + reduce("n", "    q: float64 = index x l\n    o: float64 = index y l\n    s: float64 = add o z\n"), "map reduce* scan"},
		{"the result at another element", reduce("n", "    m: int = sub n l\n    o: int = sub m 1:int\n    q: float64 = index x l\n    s: float64 = index y o\n"), "map scan reduce"},
		{"no input in common", reduce("n", "    q: float64 = index y l\n    s: float64 = index y l\n"), "map scan reduce"},
		{"the same element of the input for all", reduce("n", "    q: float64 = index x 0:int\n    s: float64 = index y l\n"), "map scan reduce"},
		{"another length", "  m: int = min n d\n" + reduce("m", "    q: float64 = index x l\n    s: float64 = index y l\n"), "map scan reduce"},
		{"it needs what stands between", reduce("n", "    q: float64 = index x l\n    o: float64 = index c 0:int\n    s: float64 = mul o o\n"), "map scan reduce"},
		{"it fails, and what stands between cannot", reduce("n", "    q: float64 = index x l\n    s: float64 = index y l\n    o: int = convert s\n    check nonneg \"F\" \"s\" o\n"), "map reduce* scan"},
		{"a check that stands between", "  z: float64 = index c 0:int\n  big: int = convert z\n  check nonneg \"F\" \"c\" big\n" + reduce("n", "    q: float64 = index x l\n    s: float64 = index y l\n"), "map scan reduce"},
	} {
		var got []string
		for _, comp := range compile(t, begin+c.rest).Computations {
			text := comp.Sequence.String()
			if comp.Follows != comp.Sequence[0].HasTrait(TraitFollows) {
				t.Errorf("%s: %s follows: %v, and its trait says otherwise", c.name, text, comp.Follows)
			}
			if comp.Follows {
				text += "*"
			}
			got = append(got, text)
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%s: %s, want %s", c.name, text, c.want)
		}
	}
}
