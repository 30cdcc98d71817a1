package fuse

import (
	"fmt"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/ops/ir"
)

// TestPlainCost checks which kernels run as plain Go on small inputs, and how their cost grows.
func TestPlainCost(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"elements", `func F (x: []float64) {
  n: int = len x
  y: []float64 = map i < n {
    e: float64 = index x i
    t: float64 = add e 1:float64
    yield t
  }
  yield y
}`, "work 4·x, open false"},
		{"pairs", `func F (x: []float64) {
  n: int = len x
  y: []float64 = map i < n {
    s: float64 = reduce k < n init 0:float64 {
      e: float64 = index x k
      yield e
    } comb a: float64, b: float64 {
      t: float64 = add a b
      yield t
    }
    yield s
  }
  yield y
}`, "work 2·x + 4·x·x, open false"},
		{"rows of one sequence", `func F (x: []float64, offsets: []int) {
  rows: [][]float64 = nest x offsets
  n: int = len rows
  y: []float64 = map i < n {
    row: []float64 = index rows i
    m: int = len row
    s: float64 = reduce k < m init 0:float64 {
      e: float64 = index row k
      yield e
    } comb a: float64, b: float64 {
      t: float64 = add a b
      yield t
    }
    yield s
  }
  yield y
}`, "work 4·x + 5·offsets, open false"},
		{"rows that a loop reads one by one", `func F (x: [][]int, y: []int) {
  n: int = len x
  s: int = loop (s.1: int) init 0:int for i = 0:int to n {
    row: []int = index x i
    m: int = len row
    k.1: int = len y
    least: int = min m k.1
    s.2: int = loop (s.3: int) init s.1 for k = 0:int to least {
      e: int = index row k
      s.4: int = add s.3 e
      yield s.4
    }
    yield s.2
  }
  yield s
}`, "work 2·x + 2·x+, open false"},
		{"a number of turns", `func F (x: []float64, turns: int) {
  n: int = len x
  y: []float64 = map i < n {
    e: float64 = index x i
    s: float64 = loop (v: float64) init e for k = 0:int to turns {
      t: float64 = mul v v
      yield t
    }
    yield s
  }
  yield y
}`, "work 3·x + 1·x·turns, open false"},
		{"a loop that may not end", `func F (x: []float64) {
  n: int = len x
  y: []float64 = map i < n {
    e: float64 = index x i
    s: float64 = loop (v: float64) init e while {
      c: bool = gt v 1:float64
      yield c
    } {
      t: float64 = mul v v
      yield t
    }
    yield s
  }
  yield y
}`, "work 35·x, open true"},
		{"as many elements as an element says", `func F (x: []int) {
  n: int = index x 0:int
  y: []int = map i < n {
    yield i
  }
  yield y
}`, "unknown"},
		{"an argument as a result", `func F (x: []float64) {
  yield x
}`, "shared"},
		{"a part of an argument as a result", `func F (x: []float64) {
  y: []float64 = slice x 0:int 1:int
  yield y
}`, "shared"},
		{"one sequence as two results", `func F (x: []float64) {
  n: int = len x
  y: []float64 = map i < n {
    yield 1:float64
  }
  yield y y
}`, "shared"},
		{"rows that are computed one element after the other", `func F (x: [][]float64) {
  n: int = len x
  y: [][]float64 = map i < n {
    row: []float64 = index x i
    m: int = len row
    made: []float64 = alloc m
    out: []float64 = loop (o: []float64) init made for k = 0:int to m {
      e: float64 = index row k
      u: []float64 = update o k e
      yield u
    }
    yield out
  }
  yield y
}`, "work 3·x + 3·x+, open false"},
		{"as many elements as a condition keeps", `func F (x: []float64) {
  n: int = len x
  ranks: []int = inclusive_scan i < n init 0:int {
    e: float64 = index x i
    c: bool = gt e 0:float64
    flag: int = select c 1:int 0:int
    yield flag
  } comb a: int, b: int {
    t: int = add a b
    yield t
  }
  some: bool = gt n 0:int
  count: int = if some {
    k: int = sub n 1:int
    last: int = index ranks k
    yield last
  } else {
    yield 0:int
  }
  y: []float64 = map i.1 < count {
    e.1: float64 = index x i.1
    yield e.1
  }
  yield y
}`, "work 3 + 9·x, open false"},
		{"one of two new sequences", `func F (x: []float64, c: bool) {
  n: int = len x
  y: []float64 = if c {
    a: []float64 = alloc n
    yield a
  } else {
    b: []float64 = map i < n {
      e: float64 = index x i
      yield e
    }
    yield b
  }
  yield y
}`, "work 3·x, open false"},
		{"an argument or a new sequence", `func F (x: []float64, c: bool) {
  n: int = len x
  y: []float64 = if c {
    yield x
  } else {
    b: []float64 = alloc n
    yield b
  }
  yield y
}`, "shared"},
		{"rows of an argument as rows of a result", `func F (x: [][]float64) {
  n: int = len x
  y: [][]float64 = map i < n {
    row: []float64 = index x i
    yield row
  }
  yield y
}`, "shared"},
		{"one new sequence as all rows of a result", `func F (n: int) {
  d: []float64 = alloc n
  y: [][]float64 = map i < n {
    row: []float64 = slice d i n
    yield row
  }
  yield y
}`, "shared"},
		{"parts of a new sequence of each row", `func F (n: int) {
  y: [][]float64 = map i < n {
    d: []float64 = alloc n
    row: []float64 = slice d i n
    yield row
  }
  yield y
}`, "work 2·n + 3·n·n, open false"},
		{"rows of a new sequence, one behind the other", `func F (n: int) {
  at: int = mul n n
  d: []float64 = alloc at
  y: [][]float64 = map i < n {
    lo: int = mul i n
    hi: int = add lo n
    row: []float64 = slice d lo hi
    yield row
  }
  yield y
}`, "work 1 + 4·n + 3·n·n, open false"},
		{"rows of a new sequence, one behind the other, between offsets", `func F (n: int, starts: []int) {
  d: []float64 = alloc n
  m: int = len starts
  k: int = sub m 1:int
  y: [][]float64 = map i < k {
    lo: int = index starts i
    at: int = add i 1:int
    end: int = index starts at
    row: []float64 = slice d lo end
    yield row
  }
  yield y
}`, "work 1 + 1·n + 5·starts + 2·n·starts, open false"},
		{"rows between offsets, each as long as from one to the next", `func F (n: int, starts: []int) {
  d: []float64 = alloc n
  m: int = len starts
  k: int = sub m 1:int
  y: [][]float64 = map i < k {
    lo: int = index starts i
    at: int = add i 1:int
    end: int = index starts at
    long: int = sub end lo
    hi: int = add lo long
    row: []float64 = slice d lo hi
    yield row
  }
  yield y
}`, "work 1 + 1·n + 7·starts + 2·n·starts, open false"},
		{"rows between an offset and the one after the next overlap", `func F (n: int, starts: []int) {
  d: []float64 = alloc n
  m: int = len starts
  k: int = sub m 2:int
  y: [][]float64 = map i < k {
    lo: int = index starts i
    at: int = add i 2:int
    end: int = index starts at
    row: []float64 = slice d lo end
    yield row
  }
  yield y
}`, "shared"},
		{"parts of a new sequence that overlap", `func F (n: int) {
  at: int = mul n n
  d: []float64 = alloc at
  y: [][]float64 = map i < n {
    lo: int = mul i n
    hi: int = add lo at
    row: []float64 = slice d lo hi
    yield row
  }
  yield y
}`, "shared"},
		{"rows of a new sequence as they are, or none", `func F (n: int, c: bool) {
  y: [][]float64 = map i < n {
    d: []float64 = alloc n
    yield d
  }
  z: [][]float64 = if c {
    empty: []float64 = replicate 0:float64 0:int
    none: [][]float64 = replicate empty 0:int
    yield none
  } else {
    copy: [][]float64 = map i.1 < n {
      row: []float64 = index y i.1
      yield row
    }
    yield copy
  }
  yield z
}`, "work 5·n + 1·n·n, open false"},
		{"one new row as all rows", `func F (n: int) {
  d: []float64 = alloc n
  y: [][]float64 = replicate d n
  yield y
}`, "shared"},
		{"one row of a new sequence as all rows", `func F (n: int) {
  y: [][]float64 = map i < n {
    d: []float64 = alloc n
    yield d
  }
  z: [][]float64 = map i.1 < n {
    row: []float64 = index y 0:int
    yield row
  }
  yield z
}`, "shared"},
		{"rows and the sequence that they are parts of", `func F (n: int, starts: []int) {
  d: []float64 = alloc n
  m: int = len starts
  k: int = sub m 1:int
  y: [][]float64 = map i < k {
    lo: int = index starts i
    at: int = add i 1:int
    end: int = index starts at
    row: []float64 = slice d lo end
    yield row
  }
  yield d y
}`, "shared"},
		{"rows twice, once as they are", `func F (n: int) {
  y: [][]float64 = map i < n {
    d: []float64 = alloc n
    yield d
  }
  z: [][]float64 = map i.1 < n {
    row: []float64 = index y i.1
    yield row
  }
  yield y z
}`, "shared"},
		{"one of two sequences, and one of them", `func F (n: int, c: bool) {
  a: []float64 = alloc n
  b: []float64 = alloc n
  y: []float64 = if c {
    yield a
  } else {
    yield b
  }
  yield y b
}`, "shared"},
		{"a range that is left early", `func F (x: []float64) {
  n: int = len x
  s: float64, broke: bool, i: int = loop (a: float64, b: bool, k: int) init 0:float64 false 0:int while {
    going: bool = not b
    more: bool = lt k n
    t: bool = and going more
    yield t
  } {
    e: float64 = index x k
    stop: bool = lt e 0:float64
    c: float64, out: bool, next: int = if stop {
      yield a true k
    } else {
      sum: float64 = add a e
      up: int = add k 1:int
      yield sum false up
    }
    yield c out next
  }
  yield s
}`, "work 7·x, open true"},
		{"an iteration that may converge", `func F (x: float64) {
  s: float64, broke: bool, i: int = loop (a: float64, b: bool, k: int) init x false 0:int while {
    going: bool = not b
    more: bool = lt k 100:int
    t: bool = and going more
    yield t
  } {
    c: float64 = mul a a
    out: bool = gt c 9:float64
    next: int = add k 1:int
    yield c out next
  }
  yield s
}`, "work 96, open true"},
		{"pairs from the end", `func F (n: int) {
  s: int, i: int = loop (a: int, k: int) init 0:int n while {
    u: int = sub k 2:int
    t: bool = ge u 0:int
    yield t
  } {
    b: int = add a k
    c: int = sub k 2:int
    yield b c
  }
  yield s
}`, "work 2·n, open true"},
		{"a stack that empties", `func F (n: int) {
  s: int, depth: int = loop (a: int, d: int) init 0:int 1:int while {
    t: bool = gt d 0:int
    yield t
  } {
    b: int = add a d
    leaf: bool = gt b n
    c: int = if leaf {
      down: int = sub d 1:int
      yield down
    } else {
      up: int = add d 1:int
      yield up
    }
    yield b c
  }
  yield s
}`, "work 64, open true"},
		{"what is appended, with room for more", `func F (x: []int) {
  n: int = len x
  first: []int = growing 16:int
  y: []int, room: int, m: int = loop (z: []int, r: int, l: int) init first 16:int 0:int for i = 0:int to n {
    e: int = index x i
    need: int = add l 1:int
    full: bool = lt r need
    made: []int, most: int = if full {
      twice: int = mul r 2:int
      more: int = max need twice
      g: []int = grow z l more
      yield g more
    } else {
      yield z r
    }
    check bounds "append" "y" 0:int need most
    at: int = add l 0:int
    w: []int = update made at e
    yield w most need
  }
  copy: []int = alloc m
  yield copy
}`, "work 16 + 8·x, open false"},
	} {
		f, err := ir.Parse(c.text)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		p := PlainCost(f)
		got := fmt.Sprintf("work %v, open %v", workText(f, p.Work), p.Open)
		switch {
		case p.Shared:
			got = "shared"
		case p.Unknown:
			got = "unknown"
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// workText is a bound with the names of parameters: of sequences their lengths, with a + the elements of all rows.
func workText(f *ir.Func, work []Term) string {
	var terms []string
	for _, t := range work {
		text := fmt.Sprintf("%.3g", t.Factor)
		for _, s := range t.Sizes {
			name := "inputs"
			if s.Param != AllInputs {
				name = f.Params[s.Param].Name
			}
			if s.Total {
				name += "+"
			}
			text += "·" + name
		}
		terms = append(terms, text)
	}
	return strings.Join(terms, " + ")
}

// TestPlainExact checks for which kernels compiled code gives the bits of plain Go whatever the order: sums of
// fractions have one, extremes have none, and lanes compute a root, but no exponential, as package math does; the host
// does.
func TestPlainExact(t *testing.T) {
	const reduce = `func F HEAD(x: []KIND) {
  n: int = len x
  s: KIND = reduce k < n init 0:KIND {
    e: KIND = index x k
    yield e
  } comb a: KIND, b: KIND {
    t: KIND = OP a b
    yield t
  }
  yield s
}`
	const loop = `func F HEAD(x: []KIND) {
  n: int = len x
  s: KIND = loop (a: KIND) init 0:KIND for k = 0:int to n {
    e: KIND = index x k
    t: KIND = OP a e
    yield t
  }
  yield s
}`
	const function = `func F HEAD(x: []KIND) {
  n: int = len x
  r: []KIND = map k < n {
    e: KIND = index x k
    y: KIND = OP e
    yield y
  }
  yield r
}`
	const once = `func F HEAD(x: KIND) {
  y: KIND = OP x
  yield y
}`
	for _, c := range []struct {
		text, kind, op, head string
		want, ordered        bool
	}{
		{reduce, "float64", "add", "", false, false},
		{reduce, "int", "add", "", true, true},
		{reduce, "float32", "min", "", true, true},
		{reduce, "float32", "max", "", true, true},
		{reduce, "float64", "fmax", "", true, true},
		{reduce, "float64", "mul", "", false, false},
		{loop, "float64", "add", "", true, true},
		{loop, "float64", "add", "reassociate ", false, false},
		{loop, "int", "add", "reassociate ", true, true},
		{function, "float64", "sqrt", "", true, true},
		{function, "float64", "round", "", true, true},
		{function, "float64", "exp", "", false, true},
		{once, "float64", "exp", "", true, true},
	} {
		text := strings.NewReplacer("KIND", c.kind, "OP", c.op, "HEAD", c.head).Replace(c.text)
		f, err := ir.Parse(text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if got := PlainCost(f); got.Exact != c.want || got.Ordered != c.ordered {
			t.Errorf("exact %v, want %v; in order %v, want %v:\n%s", got.Exact, c.want, got.Ordered, c.ordered, text)
		}
	}
}

// TestPlainDeep: whether memory is fresh is asked once for each of many loops around a loop, and each of many
// conditions that choose a sequence, not once for each way to it.
func TestPlainDeep(t *testing.T) {
	const deep = 60
	text := "func F (n: int, c: bool) {\n  a0: []int = alloc n\n"
	for i := range deep {
		text += fmt.Sprintf("  a%d: []int = if c { yield a%d } else { yield a%d }\n", i+1, i, i)
	}
	text += "  b0: []int = alloc n\n  r: []int = "
	for i := range deep {
		text += fmt.Sprintf("loop (b%d: []int) init b%d for i%d = 0:int to n {\n  r%d: []int = ", i+1, i, i, i)
	}
	text += fmt.Sprintf("update b%d 0:int 1:int\n", deep)
	for i := range deep {
		text += fmt.Sprintf("  yield r%d\n}\n", deep-1-i)
	}
	text += fmt.Sprintf("  yield a%d r\n}", deep)
	f, err := ir.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if PlainCost(f).Shared {
		t.Error("what the function made is said to be shared")
	}
}
