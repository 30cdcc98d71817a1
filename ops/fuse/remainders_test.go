package fuse_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
)

// TestRemainders checks which remainders by a number of which nothing is known become comparisons and sums, which of
// these a check has to precede, and that they are the same.
func TestRemainders(t *testing.T) {
	for _, c := range []struct {
		name, of     string
		left, checks int
	}{
		{"the position itself", "t: int = add k 0:int", 0, 0},
		{"the next one", "t: int = add k 1:int", 0, 0},
		{"the next but one", "t: int = add k 2:int", 1, 0},
		{"the one before", "t: int = sub k 1:int", 1, 0},
		{"once around", "t: int = add k n", 0, 1},
		{"the one before, once around", "u: int = sub k 1:int\n        t: int = add u n", 0, 1},
		{"the one before, from the end", "u: int = sub n 1:int\n        t: int = add u k", 0, 1},
		{"the next one, once around", "u: int = add k n\n        t: int = add u 1:int", 0, 1},
		{"the last but one, once around", "u: int = sub k 2:int\n        t: int = add u n", 1, 0},
		{"twice around", "u: int = add k n\n        t: int = add u n", 1, 0},
		{"anything", "t: int = mul k first", 1, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := ir.Parse(`func F (x: []int, n: int, first: int) {
  m: int = len x
  y: []int = map i < m {
    s: int = loop (a: int) init i for k = 0:int to n {
        ` + c.of + `
        r: int = rem t n
        q: int = mul a 3:int
        b: int = add q r
        yield b
    }
    yield s
  }
  yield y
}`)
			if err != nil {
				t.Fatal(err)
			}
			var before, behind *ir.Func
			if _, err := fuse.Compile(f, func(s fuse.Stage) {
				switch s.Name {
				case "load":
					before = s.Func
				case "prove":
					behind = s.Func
				}
			}); err != nil {
				t.Fatal(err)
			}
			text := behind.String()
			if left, checks := strings.Count(text, "rem t"), strings.Count(text, "check count"); left != c.left || checks != c.checks {
				t.Errorf("%d remainders are left, and there are %d checks, want %d and %d:\n%s", left, checks, c.left, c.checks, text)
			}
			sameMeaning(t, before, behind, 200, 9)
		})
	}
}

// TestRemaindersOfAnything checks that no remainder by a number becomes a sum where a difference to it may overflow.
func TestRemaindersOfAnything(t *testing.T) {
	for _, by := range []string{"n", "9223372036854775807:int"} {
		f, err := ir.Parse(fmt.Sprintf(`func F (n: int) {
  k: int = sub n 5:int
  there: bool = le 0:int k
  r: int = if there {
    t: int = add k 1:int
    q: int = rem t %s
    yield q
  } else {
    yield k
  }
  yield r
}`, by))
		if err != nil {
			t.Fatal(err)
		}
		k, err := fuse.Compile(f, func(fuse.Stage) {})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(k.Func.String(), "rem ") {
			t.Errorf("by %s: %s", by, k.Func)
		}
	}
}
