package fuse

import (
	"fmt"
	"testing"
)

// TestUses checks what is found out about how sequences are used.
func TestUses(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"each element once", "y: []float64 = map i < n {\n    z: float64 = index x i\n    yield z\n  }", "{false 1 false}"},
		{"the same for all", "y: []float64 = map i < n {\n    z: float64 = index x 0:int\n    yield z\n  }", "{false 1 false}"},
		{"all for each", "y: []float64 = map i < n {\n    s: float64 = reduce j < n init 0:float64 {\n    z: float64 = index x j\n    yield z\n  " + sum +
			"\n    yield s\n  }", "{false 1 true}"},
		{"all for each, counted from it", "y: []float64 = map i < n {\n    s: float64 = reduce j < n init 0:float64 {\n    k: int = add i j\n    z: float64 = index x k\n    yield z\n  " + sum +
			"\n    yield s\n  }", "{false 1 false}"},
		{"kept while a level inside turns", "y: []float64 = map i < n {\n    s: float64 = reduce j < n init 0:float64 {\n    z: float64 = index x i\n    yield z\n  " + sum +
			"\n    yield s\n  }", "{false 1 false}"},
		{"a stretch of its own in a loop", "y: []float64 = map i < n {\n    a: int = mul i 3:int\n    b: int = add a 3:int\n    s: float64 = loop (l: float64) init 0:float64 for k = a to b {\n" +
			"      z: float64 = index x k\n      m: float64 = add l z\n      yield m\n    }\n    yield s\n  }", "{false 1 false}"},
		{"the same stretch in each loop", "y: []float64 = map i < n {\n    s: float64 = loop (l: float64) init 0:float64 for k = 0:int to i {\n" +
			"      z: float64 = index x k\n      m: float64 = add l z\n      yield m\n    }\n    yield s\n  }", "{false 1 true}"},
		{"under a condition", "w: []float64 = if c {\n    yield x\n  } else {\n    yield other\n  }\n  y: []float64 = map i < n {\n    z: float64 = index w i\n    yield z\n  }", "{false 1 false}"},
		{"once in a level of one element", "w: []float64 = loop (l: []float64) init x for k = 0:int to n {\n    m: []float64 = map a < n {\n      o: float64 = index l a\n      yield o\n    }\n    yield m\n  }\n  y: []float64 = map i < n {\n    z: float64 = index w i\n    yield z\n  }", "{false 1 false}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := compile(t, "func F (x: []float64, other: []float64, n: int, c: bool) {\n  "+c.body+"\n  yield y\n}")
			if got := fmt.Sprint(*k.UsesOf()[k.Func.Params[0]]); got != c.want {
				t.Errorf("%s, want %s:\n%s", got, c.want, k.Func)
			}
		})
	}
}
