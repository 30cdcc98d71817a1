package goroutine

import (
	"slices"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/codegen/kir/pass"
	"github.com/surge-ndp/surge/ops/ir"
)

const (
	// clearedRows is every how many turns a loop around a loop of scalars clears the vector registers.
	clearedRows = 16
	// clearedTurns is every how many turns a loop of scalars does that no other loop is around.
	clearedTurns = 256
)

// cleared has long scalar code clear the upper halves of the vector registers again and again: where the scheduler has
// interrupted a thread, which it does every 10 ms and for each collection of garbage, it has saved the vector registers
// and restored them, and from then on each scalar instruction of floating point waits for the one before that wrote
// the same register. In code with vectors these are cleared behind each stretch of them, and in a region of the pool
// where a chunk begins.
var cleared = pass.Pass[*kir.Func]{
	Name: "cleared", Doc: "sequential code of scalar floating point clears the vector registers now and then",
	Behind: []string{"turns"},
	Run: func(f *kir.Func) error {
		other := false
		kir.Walk(f.Body, func(s kir.Stmt) {
			_, par := s.(*kir.Par)
			other = other || par
		}, func(x kir.Expr) { other = other || x.Type().Lanes > 1 })
		if !other {
			clearIn(f.Body, nil)
		}
		return nil
	},
}

// clearIn does so in the loops of a body that one loop is around, nil for none. It reports whether a loop among the
// statements computes with floating point in its own turns.
func clearIn(body []kir.Stmt, around *kir.For) (computes bool) {
	for _, s := range body {
		loop, ok := s.(*kir.For)
		if !ok {
			for _, b := range kir.Blocks(s) {
				computes = clearIn(b, around) || computes
			}
			continue
		}
		switch inside := clearIn(loop.Body, loop); {
		case inside:
			clearEvery(loop, clearedRows)
		case floats(loop.Body):
			computes = true
			if around == nil {
				clearEvery(loop, clearedTurns)
			}
		}
	}
	return computes
}

func clearEvery(loop *kir.For, turns int64) {
	constant := func(c int64) kir.Expr { return &kir.Const{C: ir.IntConst(ir.Int, c)} }
	turn := &kir.Bin{Fn: ir.And, X: &kir.Ref{V: loop.V}, Y: constant(turns - 1), T: kir.Int}
	loop.Body = slices.Insert(loop.Body, 0, kir.Stmt(&kir.If{
		Cond: &kir.Bin{Fn: ir.Lt, X: turn, Y: constant(int64(loop.Step)), T: kir.ScalarType(ir.Bool)},
		Then: []kir.Stmt{&kir.Call{R: &kir.Routine{Name: kir.Clear}}}}))
}

// floats reports whether statements compute with floating point, but for what the loops among them do.
func floats(body []kir.Stmt) (found bool) {
	for _, s := range body {
		switch s.(type) {
		case *kir.For, *kir.While:
			continue
		}
		kir.Walk([]kir.Stmt{s}, nil, func(x kir.Expr) {
			b, ok := x.(*kir.Bin)
			found = found || ok && b.T.Kind.IsFloat()
		})
	}
	return found
}
