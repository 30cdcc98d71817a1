package fuse

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/surge-ndp/surge/ops/ir"
)

// TestTimesReciprocal checks that a quotient by a power of two, and no other one, is a product, of the same value.
func TestTimesReciprocal(t *testing.T) {
	for _, c := range []struct {
		by      float64
		kind    ir.Kind
		product bool
	}{
		{2, ir.Float64, true}, {-0.25, ir.Float32, true}, {1, ir.Float64, true}, {0x1p100, ir.Float64, true},
		{0x1p-120, ir.Float32, true}, {3, ir.Float64, false}, {0, ir.Float64, false}, {10, ir.Float32, false},
		{math.Inf(1), ir.Float64, false}, {math.NaN(), ir.Float64, false}, {0x1p127, ir.Float32, false}, // its reciprocal is denormal
		{0x1p-149, ir.Float32, false}, {0x1p-1074, ir.Float64, false}, // theirs are infinite
		{4, ir.Int, false},
	} {
		by := ir.FloatConst(c.kind, c.by)
		if c.kind == ir.Int {
			by = ir.IntConst(c.kind, int64(c.by))
		}
		op := &ir.Binary{Fn: ir.Div, X: &ir.Var{Name: "x", T: ir.Scalar(c.kind)}, Y: by}
		timesReciprocal(op)
		if product := op.Fn == ir.Mul; product != c.product {
			t.Errorf("%v / %v is a product: %v, want %v", c.kind, c.by, product, c.product)
		}
		if op.Fn != ir.Mul {
			continue
		}
		for range 1000 {
			x := math.Float64frombits(rand.Uint64())
			q, p := x/c.by, x*op.Y.(ir.Const).Float()
			if c.kind == ir.Float32 {
				y := math.Float32frombits(rand.Uint32())
				q, p = float64(y/float32(c.by)), float64(y*float32(op.Y.(ir.Const).Float()))
			}
			if math.Float64bits(q) != math.Float64bits(p) && (q == q || p == p) {
				t.Errorf("%v of %v: %v, want %v", c.by, c.kind, p, q)
			}
		}
	}
}
