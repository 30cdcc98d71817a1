package kir_test

import (
	"testing"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// TestUniform checks what has one value for all turns of a loop, or all work-items of a group.
func TestUniform(t *testing.T) {
	of := func(name string) *kir.Ref { return &kir.Ref{V: &kir.Var{Name: name, T: kir.Int}} }
	same, own := of("same"), of("own")
	still, written := &kir.Array{Name: "still", Kind: ir.Int}, &kir.Array{Name: "written", Kind: ir.Int}
	u := kir.Uniform{
		Var:   func(v *kir.Var) bool { return v == same.V },
		Array: func(a *kir.Array) bool { return a == still },
	}
	sum := func(x, y kir.Expr) kir.Expr { return &kir.Bin{Fn: ir.Add, X: x, Y: y, T: kir.Int} }
	one := &kir.Const{C: ir.IntConst(ir.Int, 1)}
	load := func(a *kir.Array, i kir.Expr) kir.Expr { return &kir.Load{A: a, I: i, T: kir.Int} }
	for _, c := range []struct {
		what string
		x    kir.Expr
		want bool
	}{
		{"nothing", nil, true},
		{"a constant", one, true},
		{"a variable that is", same, true},
		{"a variable that is not", own, false},
		{"a variable of the host", &kir.Ref{V: &kir.Var{Name: "n", T: kir.Int, Host: true}}, true},
		{"a sum of such", sum(same, one), true},
		{"a sum with one that is not", sum(same, own), false},
		{"what is loaded from an array that stays", load(still, same), true},
		{"what is loaded from elsewhere in it", load(still, own), false},
		{"what is loaded from one that is written", load(written, same), false},
		{"the number of the group", &kir.Place{What: kir.GroupOf}, true},
		{"the number of the work-item", &kir.Place{What: kir.ItemOf}, false},
	} {
		if got := u.Expr(c.x); got != c.want {
			t.Errorf("%s: %v, want %v", c.what, got, c.want)
		}
		if c.x == nil {
			continue
		}
		if got := u.Stmt(&kir.Let{V: own.V, X: c.x}); got != c.want {
			t.Errorf("a statement with %s: %v, want %v", c.what, got, c.want)
		}
	}
	u.Array = nil
	if u.Expr(load(still, same)) {
		t.Error("what is loaded is taken for known where no array is")
	}
}
