package fuse

import (
	"strings"
	"testing"

	"github.com/surge-ndp/surge/ops/ir"
)

// TestThread checks which conditions go into the branches of those that they are a part of, by how many conditions are
// left in an element, and that the read that both have made is made once.
func TestThread(t *testing.T) {
	// parts are a && b, and what they decide; other is what else reads the condition.
	parts := func(els, branch, other string) string {
		return `func F (x: []float64, n: int) {
  y: []float64 = map i < n {
    e: float64 = index x i
    s: float64 = sqrt e
    a: bool = gt i 0:int
    c: bool = if a {
      j: int = sub i 1:int
      check index "x" "x[i - 1]" j n
      f: float64 = index x j
      b: bool = gt f s
      yield b
    } else {
      yield ` + els + `
    }
    best: float64 = if c {
      k: int = sub i 1:int
      check index "x" "x[i - 1]" k n
      g: float64 = index x k
      yield g
    } else {
      ` + branch + `
    }
    r: float64 = select ` + other + ` best s
    yield r
  }
  yield y
}`
	}
	for _, c := range []struct {
		name, text    string
		nested, reads int // conditions inside of another one, and reads behind a condition
	}{
		{"a && b", parts("false", "yield s", "a"), 1, 1},
		{"another reader", parts("false", "yield s", "c"), 0, 2},
		{"a branch that computes", parts("false", "h: float64 = exp s\n yield h", "a"), 0, 2},
		{"the other constant", parts("true", "yield s", "a"), 0, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := ir.Parse(c.text)
			if err != nil {
				t.Fatal(err)
			}
			thread(f)
			if err := ir.Verify(f); err != nil {
				t.Fatalf("%v\n%s", err, f)
			}
			simplify(f)
			nested, reads := 0, 0
			var visit func(b *ir.Block, depth int)
			visit = func(b *ir.Block, depth int) {
				for _, s := range b.Stmts {
					op, condition := s.Op.(*ir.If)
					if _, read := s.Op.(*ir.Index); read && depth > 0 {
						reads++
					}
					if !condition {
						for _, inner := range ir.Blocks(s.Op) {
							visit(inner, depth)
						}
						continue
					}
					if depth > 0 {
						nested++
					}
					visit(op.Then, depth+1)
					visit(op.Else, depth+1)
				}
			}
			visit(f.Body, 0)
			if nested != c.nested || reads != c.reads {
				t.Errorf("%d conditions inside of another one and %d reads, want %d and %d:\n%s", nested, reads, c.nested, c.reads, f)
			}
		})
	}
}

// TestThreadOr checks that what is decided by a || b is decided by b where a does not hold.
func TestThreadOr(t *testing.T) {
	f, err := ir.Parse(`func F (x: []float64, n: int) {
  y: []float64 = map i < n {
    e: float64 = index x i
    a: bool = gt e 1:float64
    c: bool = if a {
      yield true
    } else {
      s: float64 = sqrt e
      b: bool = gt s 0.5:float64
      yield b
    }
    r: float64 = if c {
      yield e
    } else {
      t: float64 = exp e
      yield t
    }
    yield r
  }
  yield y
}`)
	if err != nil {
		t.Fatal(err)
	}
	thread(f)
	if err := ir.Verify(f); err != nil {
		t.Fatalf("%v\n%s", err, f)
	}
	if text := f.String(); strings.Contains(text, "yield true") || strings.Count(text, "= if ") != 2 {
		t.Errorf("the condition is still there:\n%s", text)
	}
}

// TestRepeated checks that a condition asks nothing twice.
func TestRepeated(t *testing.T) {
	k := compile(t, `func F (x: []float64, n: int) {
  y: []float64 = map i < n {
    e: float64 = index x i
    a: bool = gt e 1:float64
    b: bool = lt e 2:float64
    c: bool = and a b
    d: bool = and c a
    g: bool = or d a
    f: bool = and d b
    r: float64 = select f e 0:float64
    s: float64 = select g r e
    yield s
  }
  yield y
}`)
	if n := count(k); n["and"] != 1 || n["or"] != 1 {
		t.Errorf("%d times and, %d times or:\n%s", n["and"], n["or"], k.Func)
	}
}

// TestUndone checks what a sum is without one of its terms.
func TestUndone(t *testing.T) {
	k := compile(t, `func F (x: []float64, w: int, h: int) {
  y: []float64 = map i < h {
    lo: int = mul i w
    hi: int = add lo w
    n: int = sub hi lo
    m: int = sub hi w
    at: int = add n m
    check index "x" "x[at]" at h
    e: float64 = index x at
    yield e
  }
  yield y
}`)
	if n := count(k); n["sub"] != 0 {
		t.Errorf("%d subtractions are left:\n%s", n["sub"], k.Func)
	}
}
