package lower

import (
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// laneCount counts the bits of all lanes, which are of 64 bits then: narrower numbers have more zeros there, before
// their own bits. The zeros behind the lowest bit of x are the ones of (x-1) &^ x. It returns false if fn is none of
// these.
func (l *lowerer) laneCount(fn ir.UnaryFn, x value) (value, bool) {
	k := x.x.Type().Kind
	switch fn {
	case ir.OnesCount, ir.LeadingZeros:
		t := l.vectorType(ir.Int, l.width)
		wide := x
		if k.Bytes() < 8 {
			wide = l.laneConvert(ir.Uint64, x)
		}
		n := value{x: &kir.Un{Fn: fn, X: l.vec(wide), T: t}, form: vector}
		if more := 64 - 8*k.Bytes(); fn == ir.LeadingZeros && more > 0 {
			n = l.laneBinary(ir.Sub, n, scalar(intConst(more)))
		}
		return n, true
	case ir.TrailingZeros:
		x = value{x: l.letExpr("x", l.vec(x)), form: vector}
		less := l.laneBinary(ir.Sub, x, scalar(&kir.Const{C: ir.IntConst(k, 1)}))
		return l.laneCount(ir.OnesCount, l.laneBinary(ir.AndNot, less, x))
	}
	return value{}, false
}
