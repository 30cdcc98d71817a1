package lower_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/codegen/goroutine"
)

// reach adds up a quotient of elements that are near a, with what the condition needs and the quotient too.
const reach = `func Reach (x: []float64, a: float64, b: float64) {
  n: int = len x
  y: float64 = reduce i < n init 0:float64 {
    v: float64 = index x i
    d: float64 = sub v a
    r: float64 = mul d d
    near: bool = le r b
    apart: bool = gt r 0:float64
    c: bool = and near apart
    z: float64 = if c {
      q: float64 = %s d r
      yield q
    } else {
      yield %s:float64
    }
    yield z
  } comb p: float64, o: float64 {
    t: float64 = add p o
    yield t
  }
  yield y
}
`

// TestUnderCondition has elements that a condition makes neutral wait for each other where vectors have an
// instruction for it, and no other ones.
func TestUnderCondition(t *testing.T) {
	for _, c := range []struct {
		operation, neutral string
		lanes              int
		waits, jumps       int // what waits of an element: d, since the square follows from it
	}{
		{"div", "0", 8, 1, 1},
		{"div", "0", 4, 0, 1},
		{"mul", "0", 8, 0, 0}, // costs less than a jump
		{"div", "1", 8, 0, 1}, // other lanes change the sum
	} {
		text := fmt.Sprintf("Reach.1/nest/cooperative/goroutine/execution_resource_1=lane,vector_width_1=%d,unroll_1=1", c.lanes)
		k := compile(t, fmt.Sprintf(reach, c.operation, c.neutral))
		f, err := goroutine.Lower(k, k.Computations[0], variant(t, text), "f", nil)
		if err != nil {
			t.Fatal(err)
		}
		code := goroutine.NewUnit("Reach", "reach1", "reachFrame", "surgeEnv1").Func(f, "")
		if waits, jumps := strings.Count(code, ".Compress("), strings.Count(code, "if vec.Any"); waits != c.waits || jumps != c.jumps {
			t.Errorf("%s, %d lanes: %d values wait, not %d, and %d jumps, not %d:\n%s", c.operation, c.lanes, waits, c.waits, jumps, c.jumps, code)
		}
	}
}

// TestWaiting has the loop that compresses lanes be a function of its own, and products that are only added be fused
// with the sum where all lanes take the condition.
func TestWaiting(t *testing.T) {
	text := strings.Replace(fmt.Sprintf(reach, "div", "0"), "yield q", "w: float64 = mul q d\n      yield w", 1)
	k := compile(t, text)
	f, err := goroutine.Lower(k, k.Computations[0], variant(t, "Reach.1/nest/cooperative/goroutine/execution_resource_1=lane,vector_width_1=8,unroll_1=1"), "f", nil)
	if err != nil {
		t.Fatal(err)
	}
	code := goroutine.NewUnit("Reach", "reach1", "reachFrame", "surgeEnv1").Func(f, "")
	around, _, ok := strings.Cut(code, "//go:noinline\nfunc f_loop1(")
	if !ok || strings.Contains(around, ".Compress(") || !strings.Contains(around, "i, waiting = f_loop1(i, end, x, ") {
		t.Errorf("the loop that compresses is not a function of its own:\n%s", code)
	}
	if n := strings.Count(around, ".MulAdd("); n != 1 {
		t.Errorf("%d fused multiply-adds, not 1:\n%s", n, around)
	}
}

// fill makes a row of elements, at a place that moves by step a turn, and adds it up.
const fill = `func Fill (x: []float64, from: []int32, m: int) {
  y: []float64 = map k < m {
    a: int32 = index from k
    lo: int = convert a
    hi: int = add lo m
    r: []float64 = alloc m
    s: []float64, at: int = loop (p: []float64, o: int) init r 0:int for j = lo to hi {
      e: float64 = index x j
      v: float64 = %s
      q: []float64 = update p o v
      u: int = add o %d:int
      yield q u
    }
    z: float64 = reduce i < m init 0:float64 {
      w: float64 = index s i
      yield w
    } comb b: float64, c: float64 {
      t: float64 = add b c
      yield t
    }
    yield z
  }
  yield y
}
`

// TestConsecutive has a loop that writes elements one behind the other run on the lanes of the level beside it.
func TestConsecutive(t *testing.T) {
	for _, c := range []struct {
		value string
		step  int
		lanes bool
	}{
		{"add e e", 1, true},
		{"add e e", 2, false},   // not one behind the other
		{"exp e", 1, false},     // no copy
		{"index p o", 1, false}, // reads what it writes
		{"convert o", 1, false}, // the place itself
		{"mul e 3:float64", 1, true},
	} {
		k := compile(t, fmt.Sprintf(fill, c.value, c.step))
		text := "Fill.1/nest/sequential>cooperative/goroutine/unroll_1=1,execution_resource_2=lane,vector_width_2=8,unroll_2=1"
		f, err := goroutine.Lower(k, k.Computations[0], variant(t, text), "f", nil)
		if err != nil {
			t.Fatal(err)
		}
		code := goroutine.NewUnit("Fill", "fill1", "fillFrame", "surgeEnv1").Func(f, "")
		if regexp.MustCompile(`\*vec\.AddrF64x8\(r, [\w +]+\) = `).MatchString(code) != c.lanes {
			t.Errorf("%s, step %d: on lanes is %v:\n%s", c.value, c.step, !c.lanes, code)
		}
	}
}

// TestCostlyBranches has branches that divide jumped over where no lane takes them, and no others.
func TestCostlyBranches(t *testing.T) {
	for _, c := range []struct {
		then, els string
		jumps     int
	}{
		{"q: float64 = div v a\nyield q", "yield v", 1},
		{"yield v", "q: float64 = div v a\nyield q", 1},
		{"q: float64 = div v a\nyield q", "q.1: float64 = sqrt v\nyield q.1", 2},
		{"q: float64 = div v a\nyield q", "q.1: float64 = add v a\nyield q.1", 1},
		{"q: float64 = mul v a\nyield q", "q.1: float64 = add v a\nyield q.1", 0},
		{"q: float64 = div v 4:float64\nyield q", "yield v", 0}, // a product
	} {
		k := compile(t, fmt.Sprintf(`func Branch (x: []float64, a: float64) {
  n: int = len x
  y: []float64 = map i < n {
    v: float64 = index x i
    c: bool = lt v a
    z: float64 = if c {
      %s
    } else {
      %s
    }
    yield z
  }
  yield y
}
`, c.then, c.els))
		v := variant(t, "Branch.1/nest/independent/goroutine/execution_resource_1=lane,vector_width_1=8,unroll_1=1")
		f, err := goroutine.Lower(k, k.Computations[0], v, "f", nil)
		if err != nil {
			t.Fatal(err)
		}
		code := goroutine.NewUnit("Branch", "branch1", "branchFrame", "surgeEnv1").Func(f, "")
		if jumps := strings.Count(code, "if vec.Any"); jumps != c.jumps {
			t.Errorf("then %s else %s: %d jumps, want %d:\n%s", c.then, c.els, jumps, c.jumps, code)
		}
	}
}
