package fuse

import (
	"testing"

	"github.com/surge-ndp/surge/ops/ir"
)

// TestHoistedLoop checks that a loop which needs nothing of the Map round it runs once, and only where the Map has an
// element and no check before it fails: with k of 2^60 it would not end.
func TestHoistedLoop(t *testing.T) {
	k := compile(t, `func F (x: []float64, k: int) {
  n: int = len x
  y: []float64 = map i < n {
    check count "Cyclic" "the length" k 1000:int
    s: int = loop (a: int) init 0:int for j = 0:int to k {
      b: int = mul a 3:int
      c: int = add b j
      yield c
    }
    d: float64 = index x i
    e: float64 = convert s
    f: float64 = mul d e
    yield f
  }
  yield y
}`)
	for _, s := range k.Func.Body.Stmts {
		switch op := s.Op.(type) {
		case *ir.Loop:
			t.Fatalf("the loop runs in any case:\n%s", k.Func)
		case *ir.If:
			if len(op.Then.Stmts) != 2 {
				t.Fatalf("the check did not move with the loop:\n%s", k.Func)
			}
			return
		}
	}
	t.Fatalf("the loop has not moved:\n%s", k.Func)
}
