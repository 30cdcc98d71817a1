package fuse

import (
	"strings"
	"testing"
)

// TestSieve checks which Reduces of what a Filter kept go through all elements.
func TestSieve(t *testing.T) {
	const filter = `  n: int = len x
  keep: []int = map i < n {
    a: float64 = index x i
    t: bool = lt a limit
    flag: int = select t ONE 0:int
    yield flag
  }
  ranks: []int = inclusive_scan i.1 < n init 0:int {
    flag.1: int = index keep i.1
    yield flag.1
  } comb a.1: int, b: int {
    s: int = add a.1 b
    yield s
  }
  some: bool = gt n 0:int
  count: int = if some {
    k: int = sub n 1:int
    last: int = index ranks k
    yield last
  } else {
    yield 0:int
  }
  hits: []float64, others: []float64 = scatter i.2 < n into count {
    flag.2: int = index keep i.2
    kept: bool = ne flag.2 0:int
    rank: int = index ranks i.2
    place: int = sub rank 1:int
    place.1: int = select kept place -1:int
    e: float64 = index x i.2
    e.1: float64 = index y i.2
    yield place.1 e e.1
  }
`
	const reduce = `  r: float64 = reduce j < count init FIRST {
    h: float64 = index hits j
    p: float64 = mul h h
    yield p
  } comb u: float64, v: float64 {
    w: float64 = FN u v
    yield w
  }
`
	for _, c := range []struct {
		name, one, first, fn, results string
		scatters, columns             int
	}{
		{"a sum", "1:int", "0:float64", "add", "r", 0, 0},
		{"a product", "1:int", "1:float64", "mul", "r", 0, 0},
		{"a maximum that begins anywhere", "1:int", "limit", "max", "r", 0, 0},
		{"a sum that does not begin at zero", "1:int", "1:float64", "add", "r", 1, 1},
		{"flags that are more than one", "2:int", "0:float64", "add", "r", 1, 1},
		{"what is kept is a result, too", "1:int", "0:float64", "add", "r hits", 1, 1},
		{"and another of its fields", "1:int", "0:float64", "add", "r others", 1, 2},
		{"how many there are is a result", "1:int", "0:float64", "add", "r count", 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.NewReplacer("ONE", c.one, "FIRST", c.first, "FN", c.fn).Replace(filter + reduce)
			k := compile(t, "func F (x: []float64, y: []float64, limit: float64) {\n"+text+"  yield "+c.results+"\n}\n")
			columns := 0
			for _, s := range k.Func.Body.Stmts {
				if strings.Contains(s.String(), " = scatter ") {
					columns += len(s.Dst)
				}
			}
			if got := strings.Count(k.Func.String(), " = scatter "); got != c.scatters || columns != c.columns {
				t.Errorf("%d Scatters with %d columns are left, want %d with %d:\n%s", got, columns, c.scatters, c.columns, k.Func)
			}
		})
	}
}
