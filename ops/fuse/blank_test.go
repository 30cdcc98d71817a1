package fuse

import (
	"strings"
	"testing"

	"github.com/surge-ndp/surge/ops/ir"
)

// TestBlank checks which arrays need not be zero at first.
func TestBlank(t *testing.T) {
	for _, c := range []struct {
		name, loop string
		blank      bool
	}{
		{"all are set", "for i = 0:int to n { b: []int = update a1 i i yield b }", true},
		{"all but the first", "for i = 1:int to n { b: []int = update a1 i i yield b }", false},
		{"as many as something else says", "for i = 0:int to m { b: []int = update a1 i i yield b }", false},
		{"one is read", "for i = 0:int to n { x: int = index a1 0:int b: []int = update a1 i x yield b }", false},
		{"another one is set", "for i = 0:int to n { j: int = div i 2:int b: []int = update a1 j i yield b }", false},
		{"under a condition", `for i = 0:int to n {
      c: bool = lt i m
      b: []int = if c { b1: []int = update a1 i i yield b1 } else { yield a1 }
      yield b
    }`, false},
		{"the loop is left", "for i = 0:int to n { c: bool = lt i m check panic \"return\" \"\" c b: []int = update a1 i i yield b }", false},
	} {
		text := "func F (n: int, m: int) {\n  a: []int = alloc n\n  r: []int = loop (a1: []int) init a " + strings.ReplaceAll(c.loop, " yield", "\n yield") + "\n  yield r\n}"
		for _, word := range []string{" b: []int", " check", " c: bool"} {
			text = strings.ReplaceAll(text, word, "\n"+word)
		}
		f, err := ir.Parse(text)
		if err != nil {
			t.Fatalf("%s: %v\n%s", c.name, err, text)
		}
		blank(f, ir.NewNamer(f))
		if got := f.Body.Stmts[0].Op.(*ir.Alloc).Blank; got != c.blank {
			t.Errorf("%s: %t\n%s", c.name, got, f)
		}
	}
}
