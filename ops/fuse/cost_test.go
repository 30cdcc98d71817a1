package fuse

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/ops/ir"
)

// costsText prints what levels cost; what lanes carry out besides stands there only if they do.
func costsText(costs []Cost) string {
	all := make([]string, len(costs))
	for i, c := range costs {
		masked := ""
		if slices.Max(c.Masked) > 0 {
			masked = fmt.Sprintf(" %.3g", c.Masked)
		}
		if c.Stepped != nil {
			masked += fmt.Sprintf(" less %.3g", c.Stepped)
		}
		all[i] = fmt.Sprintf("{%.3g %.3g %.3g%s %.3g}", c.Operations, c.Runs, c.Scalarised, masked, c.Guessed)
	}
	return fmt.Sprint(all)
}

// TestCosts checks what is counted: operations, operators in loops, and what lanes on each level would do one by one.
func TestCosts(t *testing.T) {
	for _, c := range []struct{ name, element, want string }{
		{"a row of its own", "a: int = mul i width\n    k: int = add a j\n    z: float64 = index x k", "[{2 1 [0 0] 0} {3 1 [1 0] 0}]"},
		{"a row of its own, read twice", "a: int = mul i width\n    k: int = add a j\n    b: float64 = index x k\n    l: int = add k 1:int\n    c: float64 = index x l\n    z: float64 = mul b c", "[{2 1 [0 0] 0} {6 1 [0 0] 0}]"},
		{"under a condition", "a: float64 = index x j\n    b: bool = lt a 0:float64\n    z: float64 = if b {\n    k: int = rem j top\n    c: float64 = index x k\n    yield c\n    } else {\n    yield a\n    }", "[{1 1 [0 0] 0} {12 1 [0 2.25] 0}]"},
		{"a costly condition", "a: float64 = index x j\n    b: bool = lt a 0:float64\n    z: float64 = if b {\n    c: float64 = exp a\n    d: float64 = exp c\n    e: float64 = div d c\n    yield e\n    } else {\n    yield a\n    }", "[{1 1 [0 0] 0} {55 1 [0 0] [0 20] 0}]"},
		{"a costly condition that all lanes share", "b: bool = lt i 9:int\n    a: float64 = index x j\n    z: float64 = if b {\n    c: float64 = exp a\n    d: float64 = exp c\n    e: float64 = div d c\n    yield e\n    } else {\n    yield a\n    }", "[{2 1 [0 0] 0} {54 1 [0 0] [20 0] 0}]"},
		{"both sides of a condition", "a: float64 = index x j\n    b: bool = lt a 0:float64\n    z: float64 = if b {\n    c: float64 = exp a\n    yield c\n    } else {\n    d: float64 = log a\n    yield d\n    }", "[{1 1 [0 0] 0} {35 1 [0 0] [0 32] 0}]"},
		{"a row that all share", "z: float64 = index x j", "[{1 1 [0 0] 0} {2 1 [0 0] 0}]"},
		{"a column", "a: int = mul j width\n    k: int = add a i\n    z: float64 = index x k", "[{1 1 [0 0] 0} {4 1 [0 1] 0}]"},
		{"a step that is known when it runs", "a: int = mul j top\n    k: int = add a i\n    z: float64 = index x k", "[{1 1 [0 0] less [0 0] 0} {4 1 [0 1] less [0 1] 0}]"},
		{"from the end of a row", "k: int = sub width j\n    z: float64 = index x k", "[{1 1 [0 0] 0} {3 1 [0 0.0312] 0}]"},
		{"the bound of an index", "k: int = max j 1:int\n    z: float64 = index x k", "[{1 1 [0 0] 0} {3 1 [0 0] 0}]"},
		{"the end of a row", "b: bool = eq j 0:int\n    l: int = sub j 1:int\n    k: int = if b {\n    yield j\n    } else {\n    yield l\n    }\n    z: float64 = index x k", "[{1 1 [0 0] 0} {4 1 [0 0] 0}]"},
		{"one row or another", "b: bool = lt i 5:int\n    l: int = add j width\n    k: int = select b j l\n    z: float64 = index x k", "[{2 1 [0 0] 0} {4 1 [1 0] 0}]"},
		{"elements chosen in each row", "b: bool = lt j 5:int\n    l: int = add j width\n    k: int = select b j l\n    z: float64 = index x k", "[{1 1 [0 0] 0} {5 1 [0 1] 0}]"},
		{"gathered", "k: int = rem j top\n    z: float64 = index x k", "[{1 1 [0 0] 0} {10 1 [0 1.25] 0}]"},
		{"a quotient and a root", "a: float64 = index x j\n    b: float64 = div 1:float64 a\n    z: float64 = sqrt b", "[{1 1 [0 0] 0} {18 1 [0 0] 0}]"},
		{"a counted loop", "z: float64 = loop (l: float64) init 0:float64 for k = 0:int to 9:int {\n    b: float64 = index x k\n    c: float64 = add l b\n    yield c\n    }", "[{1 1 [0 0] 0} {19 1 [0 0] 0}]"},
		{"a loop that turns as often as the row is long", "z: float64 = loop (l: float64) init 0:float64 for k = 0:int to width {\n    b: float64 = index x k\n    c: float64 = add l b\n    yield c\n    }", "[{1 1 [0 0] 0} {33 1 [0 0] 32}]"},
		{"a loop that does not turn as often for neighbours", "m: int = rem j top\n    z: float64 = loop (l: float64) init 0:float64 for k = 0:int to m {\n    b: float64 = index x k\n    c: float64 = add l b\n    yield c\n    }", "[{1 1 [0 0] 0} {41 1 [0 32.2] 32}]"},
		{"a loop that turns once more for each neighbour", "z: float64 = loop (l: float64) init 0:float64 for k = 0:int to j {\n    b: float64 = index x k\n    c: float64 = add l b\n    yield c\n    }", "[{1 1 [0 0] 0} {33 1 [0 0] 32}]"},
		{"a loop that turns once less for each neighbour", "m: int = sub width j\n    z: float64 = loop (l: float64) init 0:float64 for k = 0:int to m {\n    b: float64 = index x k\n    c: float64 = add l b\n    yield c\n    }", "[{1 1 [0 0] 0} {34 1 [0 0] 32}]"},
		{"a loop that begins later for each neighbour", "z: float64 = loop (l: float64) init 0:float64 for k = j to width {\n    b: float64 = index x k\n    c: float64 = add l b\n    yield c\n    }", "[{1 1 [0 0] 0} {33 1 [0 0] 32}]"},
		{"a loop that begins and ends later for each neighbour", "m: int = add j 9:int\n    z: float64 = loop (l: float64) init 0:float64 for k = j to m {\n    b: float64 = index x k\n    c: float64 = add l b\n    yield c\n    }", "[{1 1 [0 0] 0} {20 1 [0 0] 0}]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := compile(t, `func F (x: []float64, width: int, top: int) {
  y: []float64 = map i < width {
    s: float64 = reduce j < width init 0:float64 {
    `+c.element+`
    yield z
  `+sum+`
    yield s
  }
  yield y
}`)
			if got := costsText(k.Computations[0].Costs()); got != c.want {
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
	if got := costsText(k.Computations[0].Costs()); got != "[{28 1 [0 0] 0} {2 27 [0 0] 0}]" {
		t.Errorf("%s:\n%s", got, k.Func)
	}
}

// TestCostOfBins checks that elements that lanes compute wait for their bins one by one.
func TestCostOfBins(t *testing.T) {
	for value, want := range map[string]string{"1:float64": "[{7 1 [1] 0}]", "e": "[{8 1 [1.38] 0}]"} {
		k := compile(t, `func F (k: []int, x: []float64, bins: int) {
  n: int = len k
  y: []float64 = hist i < n into bins init 0:float64 {
    at: int = index k i
    c: int = add at 1:int
    e: float64 = index x i
    yield c `+value+`
`+sum+`
  yield y
}`)
		if got := costsText(k.Computations[0].Costs()); got != want {
			t.Errorf("%s, want %s:\n%s", got, want, k.Func)
		}
	}
}

// TestCostOfNestsInLoops checks that an operator counts for each element of the level around it, not for each turn of
// a loop further out, and that lanes read one by one what is further apart than rows of their elements.
func TestCostOfNestsInLoops(t *testing.T) {
	k := compile(t, `func F (x: []float64, width: int) {
  y: []float64 = map i < width {
    r: float64 = loop (l: float64) init 0:float64 for k = 0:int to 27:int {
      s: float64 = reduce j < k init 0:float64 {
        a: int = mul i k
        row: int = add a j
        begin: int = mul row width
        t: float64 = reduce m < width init 0:float64 {
          at: int = add begin m
          z: float64 = index x at
          yield z
        } comb e: float64, f: float64 {
          g: float64 = add e f
          yield g
        }
        yield t
      `+sum+`
      c: float64 = add l s
      yield c
    }
    yield r
  }
  yield y
}`)
	if got := costsText(k.Computations[0].Costs()); got != "[{55 1 [0 0 0] 0} {3 27 [0 0 0] 0} {3 1 [1 1 0] 0}]" {
		t.Errorf("%s:\n%s", got, k.Func)
	}
}

// TestLoopOperations checks which loops a probe counts, and how: those that turn by what
// is read where the element is, counted ones without running them, and not those that compute what they turn by.
func TestLoopOperations(t *testing.T) {
	counted := func(body string) string {
		return "func F (x: []float64, from: []int) {\n  n: int = len x\n  y: []float64 = map i < n {\n    lo: int = index from i\n" + body + "    yield r\n  }\n  yield y\n}"
	}
	for _, c := range []struct{ name, text, want string }{
		{"a loop whose turns are known", counted("    r: float64 = loop (l: float64) init 0:float64 for k = 0:int to 9:int {\n    b: float64 = index x k\n    c: float64 = add l b\n    yield c\n    }\n"), ""},
		{"a counted loop is not run", counted("    r: float64 = loop (l: float64) init 0:float64 for k = lo to n {\n    b: float64 = index x k\n    c: float64 = add l b\n    yield c\n    }\n"),
			"sub n lo; max count 0:int; mul count 2:int; add count 16:int"},
		{"loops in a loop", counted("    r: float64 = loop (l: float64) init 0:float64 for k = lo to n {\n    d: float64 = loop (e: float64) init l for m = 0:int to k {\n    b: float64 = index x m\n    c: float64 = add e b\n    yield c\n    }\n    yield d\n    }\n"),
			"loop from 16:int; max k 0:int; mul count 2:int; add count count; add count 16:int"},
		{"a loop that computes what it turns by", counted("    r: float64 = loop (l: float64) init 0:float64 while {\n    b: bool = lt l 9:float64\n    yield b\n    } {\n    c: float64 = add l 1:float64\n    yield c\n    }\n"), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			comp := compile(t, c.text).Computations[0]
			last := comp.Features[len(comp.Features)-1]
			if comp.Probe == nil {
				if c.want != "" || last.Name != "length" {
					t.Errorf("no probe; features %+v", comp.Features)
				}
				return
			}
			var got []string
			ir.Walk(comp.Probe.Body, func(s *ir.Stmt) {
				switch op := s.Op.(type) {
				case *ir.Loop:
					got = append(got, fmt.Sprint("loop from ", op.Init[len(op.Init)-1]))
				case *ir.Binary:
					got = append(got, fmt.Sprintf("%s %s %s", op.Fn, op.X, op.Y))
				}
			})
			if text := strings.Join(got, "; "); text != c.want || !comp.Probe.Turns || last.Name != "loop_operations" || last.Probed != 2 {
				t.Errorf("%s, want %s; last feature %+v", text, c.want, last)
			}
		})
	}
}
