package goroutine_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/codegen/goroutine"
	"github.com/surge-ndp/surge/codegen/kir"
)

// crowded adds up quotients of products with n different factors, constants or scalars, over elements above a; the
// product of a and b is the same for all elements.
func crowded(n int, scalars bool) string {
	var sb strings.Builder
	sb.WriteString("func Crowded (x: []float64, a: float64, b: float64")
	factor := func(k int) string { return fmt.Sprintf("%d:float64", k+1) }
	if scalars {
		factor = func(k int) string { return fmt.Sprintf("f%d", k) }
		for k := 1; k <= n; k++ {
			fmt.Fprintf(&sb, ", f%d: float64", k)
		}
	}
	sb.WriteString(`) {
  n: int = len x
  y: float64 = reduce i < n init 0:float64 {
    v: float64 = index x i
    c: bool = gt v a
    z: float64 = if c {
      s0: float64 = mul v b
      q: float64 = mul a b
      r0: float64 = div v q
`)
	for k := 1; k <= n; k++ {
		fmt.Fprintf(&sb, "      t%d: float64 = mul v %s\n      s%d: float64 = div s%d t%d\n", k, factor(k), k, k-1, k)
	}
	fmt.Fprintf(&sb, `      r: float64 = add r0 s%d
      yield r
    } else {
      yield 0:float64
    }
    yield z
  } comb p: float64, o: float64 {
    t: float64 = add p o
    yield t
  }
  yield y
}
`, n)
	return sb.String()
}

// TestRegisters has vectors stay in memory exactly where a loop needs more of them than there are registers: constants
// first, which lie there anyway, and none where instructions take no operand from memory.
func TestRegisters(t *testing.T) {
	for _, c := range []struct {
		factors   int
		scalars   bool
		lanes     int
		memory    int // factors in memory: 8 registers are for the sum, a, b, a*b and what is computed
		operation string
	}{
		{4, false, 8, 0, ".Mul(k)"},
		{9, false, 8, 3, ".Mul(*vec.AddrF64x8(&crowded1F64_2[0], 0))"},
		{20, false, 8, 14, ".Mul(*vec.AddrF64x8(&crowded1F64_2[0], 0))"},
		{9, true, 8, 3, ".Mul(*vec.AddrF64x8(lines, 0))"},
		{20, false, 4, 0, ".Mul(k)"},
	} {
		text := fmt.Sprintf("Crowded.1/nest/cooperative/goroutine/execution_resource_1=lane,vector_width_1=%d,unroll_1=1", c.lanes)
		k := compile(t, crowded(c.factors, c.scalars))
		f, err := goroutine.Lower(k, k.Computations[0], variant(t, text), "f", nil)
		if err != nil {
			t.Fatal(err)
		}
		memory := 0
		kir.Walk(f.Body, func(s kir.Stmt) {
			if let, ok := s.(*kir.Let); ok && let.V.Memory != nil {
				memory++
			}
		}, nil)
		code := goroutine.NewUnit("Crowded", "crowded1", "crowdedFrame", "surgeEnv1").Func(f, "")
		if memory != c.memory || !strings.Contains(code, c.operation) {
			t.Errorf("%d factors, %d lanes: %d vectors in memory, not %d, or no %s:\n%s", c.factors, c.lanes, memory, c.memory, c.operation, code)
		}
	}
}

// TestCalls has what a loop needs after a call in memory, and in a register up to it; narrower vectors are the
// compiler's.
func TestCalls(t *testing.T) {
	k := compile(t, `func Called (x: []float64, a: float64) {
  n: int = len x
  y: []float64 = map i < n {
    v: float64 = index x i
    p: float64 = mul v a
    u: float64 = exp p
    w: float64 = add u p
    s: float64 = log w
    r: float64 = mul s a
    z: float64 = sub r w
    yield z
  }
  yield y
}
`)
	for _, c := range []struct {
		lanes int
		want  []string // in this order
	}{
		{8, []string{
			"lines := vec.Line(&new([31]float64)[0])",
			"*vec.AddrF64x8(lines, 16) = vec.LoadSplatF64x8(",
			").Mul(*vec.AddrF64x8(lines, 16))", "*vec.AddrF64x8(lines, 0) = p", "vec.ExpF64x8(p",
			":= u.Add(*vec.AddrF64x8(lines, 0))", "*vec.AddrF64x8(lines, 8) = w", "vec.LogF64x8(w",
			".Mul(*vec.AddrF64x8(lines, 16))", ".Sub(*vec.AddrF64x8(lines, 8))",
		}},
		{4, []string{"u.Add(p", ".Sub(w"}},
	} {
		text := fmt.Sprintf("Called.1/nest/independent/goroutine/execution_resource_1=lane,vector_width_1=%d,unroll_1=1", c.lanes)
		f, err := goroutine.Lower(k, k.Computations[0], variant(t, text), "f", nil)
		if err != nil {
			t.Fatal(err)
		}
		code := goroutine.NewUnit("Called", "called1", "calledFrame", "surgeEnv1").Func(f, "")
		rest := code
		for _, want := range c.want {
			_, after, ok := strings.Cut(rest, want)
			if !ok {
				t.Fatalf("%d lanes: no %s, or not there:\n%s", c.lanes, want, code)
			}
			rest = after
		}
		if c.lanes == 4 && strings.Contains(code, "lines") {
			t.Errorf("4 lanes: vectors in memory:\n%s", code)
		}
	}
}
