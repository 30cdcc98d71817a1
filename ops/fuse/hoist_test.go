package fuse

import (
	"strings"
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

// TestHoistedShortLoop checks that a loop of few turns leaves the checks before it where they are, behind those of the
// operators before: moved with it into the host program they would be the first to fail.
func TestHoistedShortLoop(t *testing.T) {
	k := compile(t, `func F (x: []float64, long: bool, k: int, l: int) {
  n: int = len x
  y: []float64 = map i < n {
    check nonzero "Cyclic" "the first" l
    d: float64 = index x i
    yield d
  }
  turns: int = select long 48:int 0:int
  z: []float64 = map o < n {
    check nonzero "Cyclic" "the second" k
    s: int = loop (a: int) init 0:int for j = 0:int to turns {
      b: int = mul a 3:int
      c: int = add b j
      yield c
    }
    g: float64 = index x o
    e: float64 = convert s
    f: float64 = mul g e
    yield f
  }
  yield y z
}`)
	moved := false
	var checks []string
	ir.Walk(k.Func.Body, func(s *ir.Stmt) {
		switch op := s.Op.(type) {
		case *ir.Check:
			checks = append(checks, op.Arg)
		case *ir.If:
			_, moved = op.Then.Stmts[0].Op.(*ir.Loop)
		}
	})
	if !moved || strings.Join(checks, ", ") != "the first, the second" {
		t.Fatalf("the loop has moved: %v; checks in this order: %s\n%s", moved, checks, k.Func)
	}
}
