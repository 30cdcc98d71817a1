package load

import (
	"go/ast"
	"go/token"
	"math"

	"github.com/surge-ndp/surge/ops/ir"
)

// A loop may end where its index and something else reach a bound: `for i := 0; i+len(pattern) <= len(text); i++`, or
// `for i := 0; i+lag < len(x); i++`. It makes as many turns as lie between where that sum begins and the bound.

// far is beyond all lengths and constants that a loop may begin with, and no loop makes so many turns.
const far = 1 << 62

// isAhead reports whether e is the index, and numbers added or taken away that are the same in all turns; counts
// reports whether all are counts that are added.
func (l *lowerer) isAhead(e ast.Expr, isIndex, same func(ast.Expr) bool) (ahead, counts bool) {
	e = ast.Unparen(e)
	if isIndex(e) {
		return true, true
	}
	sum, ok := e.(*ast.BinaryExpr)
	if !ok || sum.Op != token.ADD && sum.Op != token.SUB {
		return false, false
	}
	rest, more := sum.X, sum.Y
	if sum.Op == token.ADD && same(rest) {
		rest, more = more, rest
	}
	if !same(more) {
		return false, false
	}
	ahead, counts = l.isAhead(rest, isIndex, same)
	return ahead, counts && sum.Op == token.ADD && l.isCount(more)
}

// endOf returns the bound of a loop whose index begins at lo, and which goes on while a sum that begins at begin and
// grows with the index is below hi, or at most hi if closed. Where small, neither the sum nor the difference overflows;
// else they may, as in the source, and a loop whose turns no int counts does not end.
func (l *lowerer) endOf(lo, begin, hi ir.Atom, closed, small bool) ir.Atom {
	turns := l.bin("turns", ir.Sub, hi, begin)
	if closed {
		turns = l.bin("turns", ir.Add, turns, ir.IntConst(ir.Int, 1))
	}
	if !small {
		some, endless := ir.Lt, ir.IntConst(ir.Int, far)
		reached := l.bin("reached", ir.Gt, turns, zeroInt)
		if closed {
			some = ir.Le
			reached = l.bin("reached", ir.And, reached, l.bin("beyond", ir.Lt, hi, ir.IntConst(ir.Int, math.MaxInt64)))
		}
		turns = l.selected("turns", reached, l.bin("turns", ir.Min, turns, endless), endless)
		turns = l.selected("turns", l.bin("some", some, begin, hi), turns, zeroInt)
	}
	if c, ok := lo.(ir.Const); ok && c.Int() == 0 {
		return turns
	}
	return l.bin("hi", ir.Add, lo, turns)
}

// isCount reports whether e is not negative, and so far below the greatest int that sums of such numbers are: a length,
// a constant, or the index of a loop around that begins with one.
func (l *lowerer) isCount(e ast.Expr) bool {
	e = ast.Unparen(e)
	if n, ok := intConst(l.unit.info, e); ok {
		return 0 <= n && n <= math.MaxInt32
	}
	if l.isLength(e) {
		return true
	}
	v := variable(l.unit.info, e)
	for _, lp := range l.active {
		if v != nil && lp.index == v && !lp.changed[v] {
			c, ok := lp.lo.(ir.Const)
			return ok && 0 <= c.Int() && c.Int() <= math.MaxInt32
		}
	}
	return false
}
