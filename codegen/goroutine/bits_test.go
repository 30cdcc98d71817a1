package goroutine

import (
	"testing"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// TestVectorBits checks that the widest vectors of a function count those between two kinds of lanes: floats become
// uint32s by way of 64 bits a lane, which not all processors with vectors of as many floats have.
func TestVectorBits(t *testing.T) {
	for _, c := range []struct {
		to   ir.Kind
		want int
	}{{ir.Int32, 256}, {ir.Uint16, 256}, {ir.Uint32, 512}} {
		from := &kir.Var{Name: "x", T: kir.Type{Kind: ir.Float32, Lanes: 8}}
		to := &kir.Var{Name: "y", T: kir.Type{Kind: c.to, Lanes: 8}}
		f := &kir.Func{Name: "f", Body: []kir.Stmt{&kir.Let{V: to, X: &kir.Convert{X: &kir.Ref{V: from}, T: to.T}}}}
		if bits := vectorBits(f); bits != c.want {
			t.Errorf("to %v: %d bits, want %d", c.to, bits, c.want)
		}
	}
}
