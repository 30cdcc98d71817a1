package goroutine_test

import (
	"strings"
	"testing"

	"github.com/surge-ndp/surge/codegen/goroutine"
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// TestOutlined has a loop be a function of its own, which loads what lies in memory before it turns, but not one that
// uses an array of the function around it.
func TestOutlined(t *testing.T) {
	for _, space := range []kir.Space{kir.Global, kir.Strip} {
		vector := kir.Type{Kind: ir.Float64, Lanes: 8}
		x := &kir.Array{Name: "x", Kind: ir.Float64, Space: kir.Global}
		y := &kir.Array{Name: "y", Kind: ir.Float64, Space: space, Size: 64}
		lines := &kir.Array{Name: "lines", Kind: ir.Float64, Space: kir.Lines, Size: 8}
		i, n := &kir.Var{Name: "i", T: kir.ScalarType(ir.Int)}, &kir.Var{Name: "n", T: kir.ScalarType(ir.Int), Host: true}
		k, v := &kir.Var{Name: "k", T: vector, Memory: lines}, &kir.Var{Name: "v", T: vector}
		loop := &kir.For{V: i, Hi: &kir.Ref{V: n}, Step: 8, Whole: true, Keep: true, Outlined: true, Body: []kir.Stmt{
			&kir.Let{V: v, X: &kir.Load{A: x, I: &kir.Ref{V: i}, T: vector}},
			&kir.Store{A: y, I: &kir.Ref{V: i}, X: &kir.Bin{Fn: ir.Add, X: &kir.Ref{V: v}, Y: &kir.Ref{V: k}, T: vector}},
		}}
		body := []kir.Stmt{
			&kir.Let{V: i, X: &kir.Const{C: ir.IntConst(ir.Int, 0)}},
			&kir.Let{V: k, X: &kir.Load{A: x, I: &kir.Const{C: ir.IntConst(ir.Int, 0)}, T: vector}},
			loop,
		}
		code := goroutine.NewUnit("Shift", "shift1", "shiftFrame", "surgeEnv1").Func(&kir.Func{Name: "f", Body: body}, "")
		want := `//go:noinline
func f_loop1(i int, n int, y *float64, x *float64, lines *float64) (int) {
k := *vec.AddrF64x8(lines, 0)
for ; i+8 <= n; i += 8 {
*vec.AddrF64x8(y, i) = (*vec.AddrF64x8(x, i)).Add(k)
}
return i
}
`
		if outlined := strings.Contains(code, want) && strings.Contains(code, "\ni = f_loop1(i, n, y, x, lines)\n"); outlined != (space == kir.Global) {
			t.Errorf("%v: a function of its own is %v:\n%s", space, outlined, code)
		}
	}
}
