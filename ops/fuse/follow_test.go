package fuse

import (
	"strings"
	"testing"
)

// TestFollow has a Map y of x whose elements are results, a scan of y, and then a reduction that reads x and y: where
// it reads both at its own element, it follows the Map, before the scan.
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

// TestFollowFails has two checks, in a Map and behind it, before a reduction that could follow the Map: the reduction
// needs what the second check is about, which therefore would come first.
func TestFollowFails(t *testing.T) {
	source := func(inside, behind string) string {
		return `func F (x: []float64, keys: []int) {
  m: int = len keys
  c: []int = scan j < m init 0:int {
    e: int = index keys j
    yield e
  } comb g: int, h: int {
    k: int = add g h
    yield k
  }
  first: int = index c 0:int
  n: int = len x
  y: []float64 = map i < n {
    a: float64 = index x i
    o: int = convert a
    o2: int = add o first
` + inside + `    b: float64 = exp a
    yield b
  }
  z: int = sub first 5:int
` + behind + `  zf: float64 = convert z
  r: float64 = reduce l < n init 0:float64 {
    q: float64 = index x l
    s: float64 = index y l
    d: float64 = mul q s
    p: float64 = mul d zf
    yield p
  ` + sum + `
  yield y c r
}
`
	}
	const inside, behind = "    check nonneg \"F\" \"y\" o2\n", "  check nonneg \"F\" \"z\" z\n"
	for _, c := range []struct {
		inside, behind string
		follows        bool
	}{{"", "", true}, {inside, "", true}, {"", behind, true}, {inside, behind, false}} {
		computations := compile(t, source(c.inside, c.behind)).Computations
		if got := computations[len(computations)-1].Follows; got != c.follows {
			t.Errorf("checks %q and %q: the reduction follows: %v, want %v", c.inside, c.behind, got, c.follows)
		}
	}
}
