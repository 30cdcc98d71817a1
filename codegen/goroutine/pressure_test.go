package goroutine

import (
	"fmt"
	"testing"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// TestSlowSpills counts vectors that are alive at once, also those that a loop carries.
func TestSlowSpills(t *testing.T) {
	f32, i64 := kir.Type{Kind: ir.Float32, Lanes: 4, Bits: 32}, kir.Type{Kind: ir.Int64, Lanes: 4, Bits: 64}
	body := func(narrow int, wide, inLoop bool) *kir.Func {
		var before, after []kir.Stmt
		for i := range narrow {
			v := &kir.Var{Name: fmt.Sprint("v", i), T: f32}
			before = append(before, &kir.Let{V: v, X: &kir.Splat{X: &kir.Const{}, T: f32}})
			after = append(after, &kir.Set{V: v, X: &kir.Ref{V: v}})
		}
		if wide {
			w := &kir.Var{Name: "w", T: i64}
			after = append(after, &kir.Let{V: w, X: &kir.Splat{X: &kir.Const{}, T: i64}})
		}
		if inLoop {
			after = []kir.Stmt{&kir.While{Body: after}}
		}
		return &kir.Func{Body: append(before, after...)}
	}
	for _, test := range []struct {
		narrow       int
		wide, inLoop bool
		want         bool
	}{{20, true, false, true}, {20, true, true, true}, {20, false, true, false}, {5, true, true, false}, {15, true, true, false}, {16, true, true, true}} {
		if got := SlowSpills(body(test.narrow, test.wide, test.inLoop)); got != test.want {
			t.Errorf("%+v: %v", test, got)
		}
	}
}
