package goroutine

import (
	"slices"
	"testing"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// declared are the names that the values of a body have, in their order.
func declared(body []kir.Stmt) (names []string) {
	for _, s := range body {
		switch s := s.(type) {
		case *kir.Let:
			names = append(names, s.V.Name)
		case *kir.Set:
			names = append(names, s.V.Name+"=")
		}
	}
	return names
}

// TestInOrder checks that values stand in the order of their names unless one needs another, and that nothing passes
// a statement of another kind.
func TestInOrder(t *testing.T) {
	v := func(name string) *kir.Var { return &kir.Var{Name: name, T: kir.Int} }
	one := &kir.Const{C: ir.IntConst(ir.Int, 1)}
	let := func(v *kir.Var, x kir.Expr) kir.Stmt { return &kir.Let{V: v, X: x} }
	plus := func(v *kir.Var) kir.Expr { return &kir.Bin{Fn: ir.Add, X: &kir.Ref{V: v}, Y: one, T: kir.Int} }
	a, b, c, d, e := v("a"), v("b"), v("c"), v("d"), v("e")
	body := []kir.Stmt{let(d, one), let(b, plus(d)), let(c, one), let(a, plus(b)), &kir.Set{V: d, X: plus(d)}, let(e, one)}
	if got, want := declared(inOrder(body)), []string{"c", "d", "b", "a", "d=", "e"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got, want := declared(body), []string{"d", "b", "c", "a", "d=", "e"}; !slices.Equal(got, want) {
		t.Errorf("the body itself is now %v, want %v", got, want)
	}
}

// TestReadsFirst checks that reads come before sums where that is all that there is, nothing of what is read is made by
// a sum, and there are no more of them than registers.
func TestReadsFirst(t *testing.T) {
	a := &kir.Array{Name: "x", Kind: ir.Float64, Space: kir.Global}
	number := kir.ScalarType(ir.Float64)
	i, s, u := &kir.Var{Name: "i", T: kir.Int}, &kir.Var{Name: "s", T: number}, &kir.Var{Name: "u", T: number}
	read := func(name string, at *kir.Var) *kir.Let {
		return &kir.Let{V: &kir.Var{Name: name, T: number}, X: &kir.Load{A: a, I: &kir.Ref{V: at}, T: number}}
	}
	sum := func(to *kir.Var, of *kir.Let) kir.Stmt {
		return &kir.Set{V: to, X: &kir.Bin{Fn: ir.Add, X: &kir.Ref{V: to}, Y: &kir.Ref{V: of.V}, T: number}}
	}
	x, y := read("x1", i), read("x2", i)
	if got, want := declared(readsFirst([]kir.Stmt{x, sum(s, x), y, sum(u, y)})), []string{"x1", "x2", "s=", "u="}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	step := &kir.Set{V: i, X: &kir.Bin{Fn: ir.Add, X: &kir.Ref{V: i}, Y: &kir.Const{C: ir.IntConst(ir.Int, 1)}, T: kir.Int}}
	store := &kir.Store{A: a, I: &kir.Ref{V: i}, X: &kir.Ref{V: s}}
	var many []kir.Stmt
	for range unrolledReads + 1 {
		r := read("x", i)
		many = append(many, r, sum(s, r))
	}
	for _, body := range [][]kir.Stmt{{x, sum(s, x), step, y, sum(u, y)}, {x, sum(s, x), store, y, sum(u, y)}, many} {
		if got, want := declared(readsFirst(body)), declared(body); !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	}
}
