package lower

import (
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// combiner describes the combining function of a reduction or scan. If every component is a known binary function of
// its accumulator and its element alone, fns holds them; otherwise fns is nil and nothing is known but associativity.
type combiner struct {
	lambda *ir.Lambda
	fns    []ir.BinaryFn
}

func newCombiner(l *ir.Lambda) combiner { return combiner{lambda: l, fns: analysis.Combining(l)} }
