package lower

import (
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// A clamp is min or max of an index that moves by one a lane and a bound that is the same in all lanes: how a stencil
// reads beside the border of a grid. Where it changes nothing, which is everywhere but at the ends of the range, the
// index still moves by one a lane, and what is read lies side by side. So the elements at the ends are computed one
// by one, and vectors begin and end where no clamp of the loop has an effect.
type clamp struct {
	i      *ir.Var  // the index of the loop
	offset kir.Expr // what is added to it
}

// farBound limits bounds, and closeOffset offsets, so that their difference does not overflow. Indices are far below.
const (
	farBound    = 1 << 62
	closeOffset = 1 << 31
)

// clamps finds the clamps in the straight-line part of a Map's body, and the range of its index within [lo, hi) where
// they have no effect. It returns no clamps if there are none.
func (l *lowerer) clampsOf(r rangeLoop, e *env) (found map[*ir.Stmt]clamp, from, to kir.Expr) {
	found = map[*ir.Stmt]clamp{}
	offsets := map[ir.Atom]int64{}
	from, to = r.lo, r.hi
	for _, s := range r.body.Stmts {
		op, ok := s.Op.(*ir.Binary)
		if !ok || op.Fn != ir.Min && op.Fn != ir.Max || s.Dst[0].T.Kind != ir.Int || l.skip[s] {
			continue
		}
		x, y := op.X, op.Y
		offset, ok := l.constantOffset(x, r.i, offsets)
		if !ok {
			x, y = y, x
			if offset, ok = l.constantOffset(x, r.i, offsets); !ok {
				continue
			}
		}
		bound, ok := e.getAtom(y)
		if !ok || bound.form != uniform || bound.arr != nil {
			continue
		}
		found[s] = clamp{r.i, intConst(int(offset))}
		offsets[s.Dst[0]] = offset
		limit := bound.x
		if c, ok := limit.(*kir.Const); ok {
			limit = intConst(int(min(max(c.C.Int(), -farBound), farBound) - offset))
			if op.Fn == ir.Min {
				limit = intConst(int(limit.(*kir.Const).C.Int() + 1))
			}
		} else {
			limit = l.integer(ir.Min, l.integer(ir.Max, limit, intConst(-farBound)), intConst(farBound))
			if op.Fn == ir.Min {
				offset--
			}
			limit = sub(limit, intConst(int(offset)))
		}
		if op.Fn == ir.Max {
			from = l.integer(ir.Max, from, limit)
		} else {
			to = l.integer(ir.Min, to, limit)
		}
	}
	return found, from, to
}

func (l *lowerer) integer(fn ir.BinaryFn, x, y kir.Expr) kir.Expr {
	return &kir.Bin{Fn: fn, X: x, Y: y, T: kir.Int}
}

// constantOffset returns c with a = i + c, looking through the clamps whose offsets are known.
func (l *lowerer) constantOffset(a ir.Atom, i *ir.Var, known map[ir.Atom]int64) (int64, bool) {
	form, ok := analysis.Form{Defs: l.defs, Known: func(a ir.Atom) (analysis.Affine, bool) {
		on := analysis.On(i)
		if c, ok := known[a]; ok {
			on.Base = analysis.Outside(ir.IntConst(ir.Int, c)).Base
			return on, true
		}
		return on, a == ir.Atom(i)
	}}.Affine(a)
	times, constant := form.Factor(analysis.Index{V: i}).Constant()
	c, fixed := form.Base.Constant()
	return c, ok && len(form.Parts) == 1 && constant && times == 1 && fixed && -closeOffset <= c && c <= closeOffset
}

// unclamped returns the value of a clamp in vectors where it has no effect.
func (l *lowerer) unclamped(s *ir.Stmt, e *env) (value, bool) {
	c, ok := l.clamps[s]
	if !ok {
		return value{}, false
	}
	i, ok := e.get(c.i)
	if !ok || i.form != contig {
		return value{}, false
	}
	return value{x: l.letExpr("i", add(i.x, c.offset)), form: contig}, true
}
