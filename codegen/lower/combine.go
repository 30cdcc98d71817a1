package lower

import (
	"github.com/surge-ndp/surge/codegen/kir"
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

// comparedBy has the functions that leave one of two floats by a comparison of the second with the first.
var comparedBy = map[ir.BinaryFn]ir.BinaryFn{ir.Fall: ir.Lt, ir.Rise: ir.Gt}

// together is the function that combines accumulators of fn with each other, none of which is NaN.
func together(fn ir.BinaryFn) ir.BinaryFn {
	switch fn {
	case ir.Fall:
		return ir.Min
	case ir.Rise:
		return ir.Max
	}
	return fn
}

// accumulators declares variables that start as init (scalars, or vectors where init are).
func (l *lowerer) accumulators(names []string, init []value) []*kir.Var {
	accs := make([]*kir.Var, len(init))
	for i, x := range init {
		v := x.x
		if x.form != uniform {
			v = l.vec(x)
		}
		accs[i] = l.fresh(names[i], v.Type())
		l.emit(&kir.Let{V: accs[i], X: v})
	}
	return accs
}

// combine returns acc ⊕ elem.
func (l *lowerer) combine(accs, elems []value, c combiner, e *env) []value {
	if c.fns != nil {
		out := make([]value, len(accs))
		for i, fn := range c.fns {
			out[i] = l.binary(fn, accs[i], elems[i])
		}
		return out
	}
	inner := e.child()
	for i, p := range c.lambda.Params {
		if i < len(accs) {
			inner.m[p] = accs[i]
		} else {
			x := elems[i-len(accs)]
			x.x = l.letExpr(p.Name, x.x)
			inner.m[p] = x
		}
	}
	return l.block(c.lambda.Body, inner, len(l.levels))
}

// combineInto emits accs = accs ⊕ elems.
func (l *lowerer) combineInto(accs []*kir.Var, elems []value, c combiner, e *env) {
	old := make([]value, len(accs))
	for i, a := range accs {
		old[i] = value{x: &kir.Ref{V: a}, form: formOf(a.T)}
	}
	next := l.combine(old, elems, c, e)
	if len(accs) > 1 && c.fns == nil { // components may read each other
		for i := range next {
			next[i].x = l.letExpr(accs[i].Name, next[i].x)
		}
	}
	for i, a := range accs {
		x := next[i].x
		if a.T.Lanes > 1 {
			x = l.vec(next[i])
			if a.T.Bits != 0 {
				x = l.maskBits(x, a.T.Bits)
			}
		}
		l.emit(&kir.Set{V: a, X: x})
	}
}
