package fuse

import (
	"testing"

	"github.com/surge-ndp/surge/ops/ir"
)

// TestOutlinedTogether checks that an array stays with the code that updates it where what a branch makes of it is lost
// behind the branch: made apart from that code, it would be copied in each turn of a loop that updates it.
func TestOutlinedTogether(t *testing.T) {
	k := compile(t, `func F (at: []int, steps: int) {
  n: int = len at
  none: bool = eq n 0:int
  a: []int = alloc n
  b: []int = alloc n
  r: []int = if none {
    yield b
  } else {
    a.1: []int, b.1: []int = loop (a.2: []int, b.2: []int) init a b for s = 0:int to steps {
      a.3: []int, b.3: []int = loop (a.4: []int, b.4: []int) init a.2 b.2 for i = 0:int to n {
        p: int = index at i
        check index "index" "a[p]" p n
        e: int = index a.4 p
        g: int = index b.4 i
        f: int = add e g
        a.5: []int = update a.4 p f
        b.5: []int = update b.4 i e
        yield a.5 b.5
      }
      yield a.3 b.3
    }
    yield b.1
  }
  yield r
}`)
	allocs := ir.Allocs(k.Func.Body)
	ir.Walk(k.Func.Body, func(s *ir.Stmt) {
		if u, ok := s.Op.(*ir.Update); ok && allocs[u.X.(*ir.Var)] == nil {
			t.Fatalf("an array is updated that the code has not made:\n%s", k.Func)
		}
	})
	if n := len(k.Computations); n != 1 {
		t.Fatalf("%d computations, want one with both arrays:\n%s", n, k.Func)
	}
}
