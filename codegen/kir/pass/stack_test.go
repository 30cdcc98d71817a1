package pass

import (
	"testing"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// TestOnStack checks which scratch memory becomes a buffer of the function: what is of at most a constant size, given
// back in each turn of the loop around it, and used by one function alone.
func TestOnStack(t *testing.T) {
	n, least := &kir.Var{Name: "n", T: kir.Int}, &kir.Var{Name: "least", T: kir.Int}
	let := &kir.Let{V: least, X: &kir.Bin{Fn: ir.Min, X: intConst(16), Y: &kir.Ref{V: n}, T: kir.Int}}
	for _, c := range []struct {
		name string
		body func(take *kir.AllocScratch, use kir.Stmt) []kir.Stmt
		size kir.Expr
		want bool
	}{
		{"of an element", func(take *kir.AllocScratch, use kir.Stmt) []kir.Stmt {
			return []kir.Stmt{&kir.For{Body: []kir.Stmt{&kir.Scoped{Body: []kir.Stmt{take, use}}}}}
		}, intConst(16), true},
		{"of a function", func(take *kir.AllocScratch, use kir.Stmt) []kir.Stmt { return []kir.Stmt{take, use} }, intConst(16), true},
		{"of a parallel region", func(take *kir.AllocScratch, use kir.Stmt) []kir.Stmt {
			return []kir.Stmt{&kir.Par{Body: []kir.Stmt{&kir.For{Body: []kir.Stmt{&kir.Scoped{Body: []kir.Stmt{take, use}}}}}}}
		}, intConst(16), true},
		{"that turns hand on", func(take *kir.AllocScratch, use kir.Stmt) []kir.Stmt {
			return []kir.Stmt{&kir.Scoped{Body: []kir.Stmt{&kir.For{Body: []kir.Stmt{take, use}}}}}
		}, intConst(16), false},
		{"that a parallel region uses", func(take *kir.AllocScratch, use kir.Stmt) []kir.Stmt {
			return []kir.Stmt{take, &kir.Par{Body: []kir.Stmt{use}}}
		}, intConst(16), false},
		{"of a size that data tells", func(take *kir.AllocScratch, use kir.Stmt) []kir.Stmt { return []kir.Stmt{take, use} },
			&kir.Ref{V: n}, false},
		{"of at most a constant size", func(take *kir.AllocScratch, use kir.Stmt) []kir.Stmt { return []kir.Stmt{let, take, use} },
			&kir.Ref{V: least}, true},
		{"of a size that changes", func(take *kir.AllocScratch, use kir.Stmt) []kir.Stmt {
			return []kir.Stmt{let, &kir.Set{V: least, X: &kir.Ref{V: n}}, take, use}
		}, &kir.Ref{V: least}, false},
		{"that is too large", func(take *kir.AllocScratch, use kir.Stmt) []kir.Stmt { return []kir.Stmt{take, use} }, intConst(1 << 20), false},
	} {
		i := &kir.Var{Name: "i", T: kir.Int}
		a := &kir.Array{Name: "w", Kind: ir.Float64, Space: kir.Scratch}
		use := &kir.Store{A: a, I: intConst(0), X: &kir.Const{C: ir.FloatConst(ir.Float64, 1)}}
		body := c.body(&kir.AllocScratch{A: a, N: c.size}, use)
		kir.Walk(body, func(s kir.Stmt) {
			switch s := s.(type) {
			case *kir.For:
				s.V, s.Lo, s.Hi = i, intConst(0), intConst(9)
			case *kir.Par:
				s.N, s.Lo, s.Hi, s.Chunk = intConst(9), i, i, i
			}
		}, nil)
		body = onStack(body)
		if got := a.Space == kir.Strip; got != c.want || got == takesScratch(body) || got && a.Size != 16 {
			t.Errorf("scratch memory %s is on the stack: %v, want %v", c.name, got, c.want)
		}
	}
}

func intConst(i int) kir.Expr { return &kir.Const{C: ir.IntConst(ir.Int, int64(i))} }
