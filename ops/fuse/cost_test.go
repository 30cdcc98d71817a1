package fuse

import (
	"fmt"
	"testing"
)

// TestCosts checks what is counted: operations, operators in loops, and what lies apart for neighbours of each level.
func TestCosts(t *testing.T) {
	for _, c := range []struct{ name, element, want string }{
		{"a row of its own", "a: int = mul i width\n    k: int = add a j\n    z: float64 = index x k", "[{2 1 [0 0] 0} {3 1 [0 0] 0}]"},
		{"a row that all share", "z: float64 = index x j", "[{1 1 [0 0] 0} {2 1 [0 0] 0}]"},
		{"a column", "a: int = mul j width\n    k: int = add a i\n    z: float64 = index x k", "[{1 1 [0 0] 0} {4 1 [0 1] 0}]"},
		{"the bound of an index", "k: int = max j 1:int\n    z: float64 = index x k", "[{1 1 [0 0] 0} {3 1 [0 0] 0}]"},
		{"gathered", "k: int = rem j width\n    z: float64 = index x k", "[{1 1 [0 0] 0} {10 1 [0 1] 0}]"},
		{"a quotient and a root", "a: float64 = index x j\n    b: float64 = div 1:float64 a\n    z: float64 = sqrt b", "[{1 1 [0 0] 0} {18 1 [0 0] 0}]"},
		{"a counted loop", "z: float64 = loop (l: float64) init 0:float64 for k = 0:int to 3:int {\n    b: float64 = index x k\n    c: float64 = add l b\n    yield c\n    }", "[{1 1 [0 0] 0} {7 1 [0 0] 0}]"},
		{"a loop that turns as often as the row is long", "z: float64 = loop (l: float64) init 0:float64 for k = 0:int to width {\n    b: float64 = index x k\n    c: float64 = add l b\n    yield c\n    }", "[{1 1 [0 0] 0} {33 1 [0 0] 32}]"},
		{"a loop that does not turn as often for neighbours", "z: float64 = loop (l: float64) init 0:float64 for k = 0:int to j {\n    b: float64 = index x k\n    c: float64 = add l b\n    yield c\n    }", "[{1 1 [0 0] 0} {33 1 [0 32] 32}]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := compile(t, `func F (x: []float64, width: int) {
  y: []float64 = map i < width {
    s: float64 = reduce j < width init 0:float64 {
    `+c.element+`
    yield z
  `+sum+`
    yield s
  }
  yield y
}`)
			if got := fmt.Sprint(k.Computations[0].Costs()); got != c.want {
				t.Errorf("%s, want %s:\n%s", got, c.want, k.Func)
			}
		})
	}
}

// TestCostOfOperatorsInLoops checks that an operator in a loop counts as often as the loop turns.
func TestCostOfOperatorsInLoops(t *testing.T) {
	k := compile(t, `func F (x: []float64, width: int) {
  y: []float64 = map i < width {
    r: float64 = loop (l: float64) init 0:float64 for k = 0:int to 27:int {
      s: float64 = reduce j < k init 0:float64 {
      z: float64 = index x j
      yield z
    `+sum+`
      c: float64 = add l s
      yield c
    }
    yield r
  }
  yield y
}`)
	if got := fmt.Sprint(k.Computations[0].Costs()); got != "[{28 1 [0 0] 0} {2 27 [0 0] 0}]" {
		t.Errorf("%s:\n%s", got, k.Func)
	}
}
