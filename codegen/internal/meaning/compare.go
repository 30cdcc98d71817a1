package meaning

import (
	"fmt"

	"github.com/surge-ndp/surge/codegen/harness"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/eval"
)

// same compares numbers: floats by the rule of package harness for arguments of n elements, others exactly.
func same(name string, got, want []ir.Const, n int) error {
	if len(got) != len(want) {
		return fmt.Errorf("%s has %d elements, want %d", name, len(got), len(want))
	}
	for i, x := range got {
		if x.Kind == ir.Invalid && want[i] == eval.Unset(want[i].Kind) { // room that nothing was appended to
			got[i] = want[i]
			continue
		}
		if x.Kind == ir.Invalid {
			return fmt.Errorf("nothing is written to %s[%d] of %d, want %v", name, i, len(want), want[i])
		}
		if !x.Kind.IsFloat() && x != want[i] {
			return fmt.Errorf("%s[%d] of %d is %v, want %v", name, i, len(want), x, want[i])
		}
	}
	if len(want) == 0 || !want[0].Kind.IsFloat() {
		return nil
	}
	var c harness.Comparison
	if want[0].Kind == ir.Float32 {
		c = harness.Compare(floats[float32](got), floats[float32](want), harness.Param{Name: name}, n)
	} else {
		c = harness.Compare(floats[float64](got), floats[float64](want), harness.Param{Name: name}, n)
	}
	if !c.OK {
		return fmt.Errorf("%s[%d] of %d is %s, want %s (%s)", name, c.First, len(want), c.Got, c.Want, c.Rule)
	}
	return nil
}

func floats[T float32 | float64](xs []ir.Const) []T {
	out := make([]T, len(xs))
	for i, x := range xs {
		out[i] = T(x.Float())
	}
	return out
}
