package fuse

import (
	"strings"
	"testing"

	"github.com/surge-ndp/surge/ops/ir"
)

// TestHostProgram checks what of small kernels becomes a tree of loops and conditions around computations, and what a
// chain.
func TestHostProgram(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a loop that carries a sequence", `func F (x: []float64, turns: int) {
  n: int = len x
  y: []float64 = loop (p: []float64) init x for t = 0:int to turns {
    q: []float64 = map i < n {
      a: float64 = index p i
      b: float64 = exp a
      yield b
    }
    yield q
  }
  yield y
}`, "loop[F.1] F.2"},
		{"a loop inside of another, and a scalar that decides on the next turn", `func F (x: []float64, turns: int) {
  n: int = len x
  r: float64 = loop (s: float64) init 1:float64 while {
    go: bool = gt s 0.1:float64
    yield go
  } {
    u.1: float64 = loop (v.1: float64) init s for t = 0:int to turns {
      w.1: float64 = reduce i < n init v.1 {
        a: float64 = index x i
        yield a
      ` + sum + `
      yield w.1
    }
    z: float64 = mul u.1 0.5:float64
    yield z
  }
  yield r
}`, "loop[loop[F.1]]"},
		{"a condition that chooses between scalars", `func F (x: []float64, c: bool) {
  n: int = len x
  r: float64 = if c {
    l: float64 = reduce i < n init 0:float64 {
      a: float64 = index x i
      yield a
    ` + sum + `
    yield l
  } else {
    yield 1:float64
  }
  yield r
}`, "if[F.1]"},
		{"an array that is updated in place goes the other way", `func F (x: []float64, turns: int) {
  n: int = len x
  z: []float64 = alloc n
  y: []float64 = loop (p: []float64) init z for t = 0:int to turns {
    l: float64 = reduce i < n init 0:float64 {
      a: float64 = index x i
      b: float64 = exp a
      yield b
    ` + sum + `
    k: int = rem t n
    q: []float64 = update p k l
    yield q
  }
  yield y
}`, "F.1"},
		{"rows that are carried go the other way", `func F (x: [][]float64, turns: int) {
  n: int = len x
  y: [][]float64 = loop (p: [][]float64) init x for t = 0:int to turns {
    q: [][]float64 = map i < n {
      row: []float64 = index p i
      m: int = len row
      r: []float64 = map j < m {
        a: float64 = index row j
        b: float64 = exp a
        yield b
      }
      yield r
    }
    yield q
  }
  yield y
}`, "refused"},
	} {
		f, err := ir.Parse(c.text)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		k, err := CompileTurns(f, nil)
		got := "refused"
		if err == nil {
			if err := ir.Verify(k.Func); err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			got = tree(k, k.Func.Body)
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s\n%v", c.name, got, c.want, err)
		}
	}
}

// tree is a host program in one line.
func tree(k *Kernel, b *ir.Block) string {
	var parts []string
	for _, s := range b.Stmts {
		for _, c := range k.Computations {
			if c.Stmt == s {
				parts = append(parts, c.Name)
			}
		}
		if Controls(s) {
			word, inner := "loop", ""
			if _, ok := s.Op.(*ir.If); ok {
				word = "if"
			}
			for _, c := range ir.Blocks(s.Op) {
				inner += tree(k, c)
			}
			parts = append(parts, word+"["+inner+"]")
		}
	}
	return strings.Join(parts, " ")
}

// TestChecksInTurns checks which checks of a computation in a loop are made when inputs are bound: not those that need
// what the loop carries, and those of either branch whatever the other yields.
func TestChecksInTurns(t *testing.T) {
	f, err := ir.Parse(`func F (x: []float64, c: []int, turns: int) {
  n: int = len x
  y: []float64 = loop (p: []float64) init x for t = 0:int to turns {
    q: []float64 = map i < n {
      k: int = index c i
      low: bool = lt k 0:int
      r: float64 = if low {
        a: float64 = index p i
        yield a
      } else {
        check index "index" "p[k]" k n
        b: float64 = index p k
        e: float64 = exp b
        m: int = convert e
        check index "index" "p[m]" m n
        d: float64 = index p m
        yield d
      }
      yield r
    }
    yield q
  }
  yield y
}`)
	if err != nil {
		t.Fatal(err)
	}
	k, err := CompileTurns(f, nil)
	if err != nil {
		t.Fatal(err)
	}
	var hoisted []string
	for c := range k.HoistedChecks() {
		hoisted = append(hoisted, c.Arg)
	}
	if len(hoisted) != 1 || hoisted[0] != "p[k]" {
		t.Errorf("%q are made when inputs are bound, want p[k]\n%s", hoisted, k.Func)
	}
}
