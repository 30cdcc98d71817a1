package lower

import (
	"math"

	"github.com/surge-ndp/surge/ops/ir"
)

// combiner describes the combining function of a reduction or scan. If every component is a known binary function of
// its accumulator and its element alone, fns holds them; otherwise fns is nil and nothing is known but associativity.
type combiner struct {
	lambda *ir.Lambda
	fns    []ir.BinaryFn
}

func newCombiner(l *ir.Lambda) combiner {
	c := combiner{lambda: l}
	var fns []ir.BinaryFn
	n := len(l.Body.Results)
	defs := map[ir.Atom]ir.Op{}
	for _, s := range l.Body.Stmts {
		for _, d := range s.Dst {
			defs[d] = s.Op
		}
	}
	for i, r := range l.Body.Results {
		b, ok := defs[r].(*ir.Binary)
		if !ok {
			return combiner{lambda: l}
		}
		a, e := ir.Atom(l.Params[i]), ir.Atom(l.Params[n+i])
		if !(b.X == a && b.Y == e || b.X == e && b.Y == a) {
			return combiner{lambda: l}
		}
		fn := b.Fn
		if fn == ir.Ne { // of booleans, since the result is one
			fn = ir.Xor
		}
		if _, ok := neutral(fn, r.Type().Kind); !ok {
			return combiner{lambda: l}
		}
		fns = append(fns, fn)
	}
	if len(l.Body.Stmts) == n {
		c.fns = fns
	}
	return c
}

// neutral returns e with e ⊕ x = x for a commutative, associative function.
func neutral(fn ir.BinaryFn, k ir.Kind) (ir.Const, bool) {
	switch fn {
	case ir.Add:
		if k.IsFloat() {
			return ir.FloatConst(k, 0), true
		}
		return ir.IntConst(k, 0), true
	case ir.Or, ir.Xor:
		if k == ir.Bool {
			return ir.BoolConst(false), true
		}
		return ir.IntConst(k, 0), true
	case ir.And:
		if k == ir.Bool {
			return ir.BoolConst(true), true
		}
		return ir.IntConst(k, -1), true
	case ir.Mul:
		if k.IsFloat() {
			return ir.FloatConst(k, 1), true
		}
		return ir.IntConst(k, 1), true
	case ir.Min, ir.FMin:
		if k.IsFloat() {
			return ir.FloatConst(k, math.Inf(1)), true
		}
		return extreme(k, false), true
	case ir.Max, ir.FMax:
		if k.IsFloat() {
			return ir.FloatConst(k, math.Inf(-1)), true
		}
		return extreme(k, true), true
	}
	return ir.Const{}, false
}

// extreme returns the smallest (low) or largest value of an integer kind.
func extreme(k ir.Kind, low bool) ir.Const {
	bits := uint(8 * k.Bytes())
	switch {
	case k.IsUnsigned() && low:
		return ir.IntConst(k, 0)
	case k.IsUnsigned():
		return ir.IntConst(k, int64(^uint64(0)>>(64-bits)))
	case low:
		return ir.IntConst(k, math.MinInt64>>(64-bits))
	}
	return ir.IntConst(k, math.MaxInt64>>(64-bits))
}
