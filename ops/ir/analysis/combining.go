package analysis

import (
	"math"

	"github.com/surge-ndp/surge/ops/ir"
)

// Combining returns the function of each component of a combining function, if each is a commutative and associative
// function, with a known neutral element, of its accumulator and its element alone; else nil. [ir.Fall] and [ir.Rise]
// are such functions of accumulators that begin with the neutral element, which never are NaN, but for the sign of
// zero; elements that are NaN change nothing.
func Combining(l *ir.Lambda) []ir.BinaryFn {
	var fns []ir.BinaryFn
	n := len(l.Body.Results)
	if len(l.Body.Stmts) != n {
		return nil
	}
	defs := Of(l.Body)
	for i, r := range l.Body.Results {
		b, ok := defs[r].(*ir.Binary)
		if !ok {
			return nil
		}
		a, e := ir.Atom(l.Params[i]), ir.Atom(l.Params[n+i])
		if !(b.X == a && b.Y == e || b.X == e && b.Y == a && b.Fn != ir.Fall && b.Fn != ir.Rise) {
			return nil
		}
		fn := b.Fn
		if fn == ir.Ne { // of booleans, since the result is one
			fn = ir.Xor
		}
		if _, ok := Neutral(fn, r.Type().Kind); !ok {
			return nil
		}
		fns = append(fns, fn)
	}
	return fns
}

// Neutral returns e with e ⊕ x = x for a commutative, associative function.
func Neutral(fn ir.BinaryFn, k ir.Kind) (ir.Const, bool) {
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
	case ir.Min, ir.FMin, ir.Fall:
		if k.IsFloat() {
			return ir.FloatConst(k, math.Inf(1)), true
		}
		return Extreme(k, false), true
	case ir.Max, ir.FMax, ir.Rise:
		if k.IsFloat() {
			return ir.FloatConst(k, math.Inf(-1)), true
		}
		return Extreme(k, true), true
	}
	return ir.Const{}, false
}

// Extreme returns the smallest (low) or largest value of an integer kind.
func Extreme(k ir.Kind, low bool) ir.Const {
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
