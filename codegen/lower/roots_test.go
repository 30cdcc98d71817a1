package lower_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/codegen/goroutine"
)

// TestRoots has the short steps of 1/√ exactly where the argument is known to be no zero and none of the numbers
// beside it.
func TestRoots(t *testing.T) {
	for _, c := range []struct {
		argument string // statements that compute s of v and w
		short    bool
	}{
		{"s: float64 = mul v v", false},
		{"p: float64 = mul v v\n    s: float64 = add p 0.01:float64", true},
		{"p: float64 = mul v v\n    q: float64 = mul w w\n    r: float64 = add p q\n    s: float64 = add r 0.01:float64", true},
		{"p: float64 = mul v w\n    s: float64 = add p 0.01:float64", false},
		{"p: float64 = mul v v\n    s: float64 = sub p 0.01:float64", false},
		{"p: float64 = mul v v\n    s: float64 = add p 1e-308:float64", false},
		{"p: float64 = mul v v\n    s: float64 = add p w", false},
		{"p: float64 = abs v\n    q: float64 = max p 2:float64\n    s: float64 = mul q q", true},
		{"p: float64 = abs v\n    s: float64 = min p 2:float64", false},
		{"p: float64 = exp v\n    q: float64 = sqrt w\n    r: float64 = add p q\n    s: float64 = add 1:float64 r", true},
	} {
		k := compile(t, fmt.Sprintf(`func Roots (x: []float64, y: []float64) {
  n: int = len x
  z: []float64 = map i < n {
    v: float64 = index x i
    w: float64 = index y i
    %s
    root: float64 = sqrt s
    z0: float64 = div 1:float64 root
    yield z0
  }
  yield z
}
`, c.argument))
		text := "Roots.1/nest/independent/goroutine/execution_resource_1=lane,vector_width_1=8,unroll_1=1"
		f, err := goroutine.Lower(k, k.Computations[0], variant(t, text), "f", nil)
		if err != nil {
			t.Fatal(err)
		}
		code := goroutine.NewUnit("Roots", "roots1", "rootsFrame", "surgeEnv1").Func(f, "")
		if long := strings.Contains(code, "vec.RSqrtStepF64x8("); long == c.short || !strings.Contains(code, ".ReciprocalSqrt()") {
			t.Errorf("%s: short steps are %v, not %v:\n%s", c.argument, !long, c.short, code)
		}
	}
}

// TestOverwritten has the factor first, which the result takes the register of, that is not needed after the sum.
func TestOverwritten(t *testing.T) {
	k := compile(t, `func Moment (x: []float64, a: float64) {
  n: int = len x
  y: float64, z: float64 = reduce i < n init 0:float64 0:float64 {
    v: float64 = index x i
    d: float64 = sub v a
    s: float64 = mul v a
    p: float64 = mul s d
    q: float64 = mul s v
    yield p q
  } comb b: float64, c: float64, f: float64, g: float64 {
    h: float64 = add b f
    j: float64 = add c g
    yield h j
  }
  yield y z
}
`)
	text := "Moment.1/nest/cooperative/goroutine/execution_resource_1=lane,vector_width_1=8,unroll_1=1"
	f, err := goroutine.Lower(k, k.Computations[0], variant(t, text), "f", nil)
	if err != nil {
		t.Fatal(err)
	}
	code := goroutine.NewUnit("Moment", "moment1", "momentFrame", "surgeEnv1").Func(f, "")
	for _, want := range []string{"v.Sub(as).MulAdd(s, ", " s.MulAdd(v, "} {
		if !strings.Contains(code, want) {
			t.Errorf("no %s:\n%s", want, code)
		}
	}
}
