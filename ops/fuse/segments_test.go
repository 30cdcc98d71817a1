package fuse_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/eval"
	"github.com/surge-ndp/surge/ops/load"
)

// TestSegments checks which loops become rows, and that they mean the same where offsets are in order, and are all of
// the array, and where not.
func TestSegments(t *testing.T) {
	around(t, "inductions", "segments", func(t *testing.T, k *load.Kernel, before, behind *ir.Func) {
		rows := false
		ir.Walk(behind.Body, func(s *ir.Stmt) { _, isMap := s.Op.(*ir.Map); rows = rows || isMap })
		if want := fmt.Sprintf("Rows: %t", rows); !strings.HasSuffix(strings.TrimSpace(k.Doc), want) {
			t.Errorf("there are rows: %t\n%s", rows, behind)
		}
		r := rand.New(rand.NewPCG(3, 4))
		ordered, fails := 0, 0
		for range 400 {
			n := r.IntN(12)
			x := make([]any, n)
			for i := range x {
				x[i] = ir.FloatConst(ir.Float64, float64(r.IntN(9)-3))
			}
			at, inOrder := 0, r.IntN(2) == 0
			var offsets []any
			for i := range r.IntN(6) {
				switch {
				case !inOrder:
					at = r.IntN(n+2) - r.IntN(2)
				case i > 0:
					at = min(at+r.IntN(5), n)
				}
				offsets = append(offsets, ir.IntConst(before.Params[0].T.Kind, int64(at)))
			}
			if inOrder && len(offsets) > 1 {
				offsets[len(offsets)-1] = ir.IntConst(before.Params[0].T.Kind, int64(n))
				ordered++
			}
			args := []any{offsets, x}
			want, wantErr := eval.Run(before, args, eval.Options{})
			got, err := eval.Run(behind, args, eval.Options{})
			if (err != nil) != (wantErr != nil) || err == nil && !same(got, want, false) || unchecked(err, wantErr) {
				t.Fatalf("%v %v: %v, %v, want %v, %v\n%s", offsets, x, got, err, want, wantErr, behind)
			}
			if err != nil {
				fails++
			}
		}
		if ordered < 50 || fails < 20 {
			t.Errorf("%d inputs are in order, and %d fail", ordered, fails)
		}
	})
}
