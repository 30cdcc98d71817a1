package fuse

import (
	"testing"

	"github.com/surge-ndp/surge/ops/ir"
)

// TestCarriedForItself: an array that loops hand on, and that nothing else asks for, is not made.
func TestCarriedForItself(t *testing.T) {
	f, err := ir.Parse(`func F (n: int, c: bool) {
  a0: []int = alloc n
  b0: []int = alloc n
  a3: []int, b3: []int = loop (a1: []int, b1: []int) init a0 b0 for i = 0:int to n {
    a2: []int, b2: []int = loop (a4: []int, b4: []int) init a1 b1 for j = 0:int to n {
      a5: []int = update a4 j 1:int
      a6: []int, b5: []int = if c {
        b6: []int = update b4 j 2:int
        yield a5 b6
      } else {
        yield a5 b4
      }
      yield a6 b5
    }
    yield a2 b2
  }
  yield a3
}`)
	if err != nil {
		t.Fatal(err)
	}
	dropDead(f.Body)
	if err := ir.Verify(f); err != nil {
		t.Fatal(err)
	}
	made := 0
	ir.Walk(f.Body, func(s *ir.Stmt) {
		if _, ok := s.Op.(*ir.Alloc); ok {
			made++
		}
	})
	if made != 1 {
		t.Errorf("%d arrays are made:\n%s", made, f)
	}
}
