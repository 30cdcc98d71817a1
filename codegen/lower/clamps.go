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

// clampsOf finds the clamps in the straight-line part of a Map's body, and under conditions that are the same for all
// of its elements, and the range of its index within [lo, hi) where they have no effect. It returns no clamps if there
// are none.
func (l *lowerer) clampsOf(r rangeLoop, e *env) (found map[*ir.Stmt]clamp, from, to kir.Expr) {
	c := &clamping{lowerer: l, r: r, e: e, found: map[*ir.Stmt]clamp{}, offsets: map[ir.Atom]analysis.Sum{}, from: r.lo, to: r.hi}
	ir.Walk(r.body, func(s *ir.Stmt) { c.inside(s) })
	c.block(r.body)
	return c.found, c.from, c.to
}

// clamping is a search for clamps.
type clamping struct {
	*lowerer
	r        rangeLoop
	e        *env
	found    map[*ir.Stmt]clamp
	offsets  map[ir.Atom]analysis.Sum // of the clamps that are found
	made     map[ir.Atom]bool         // what the body makes
	from, to kir.Expr
}

func (c *clamping) inside(s *ir.Stmt) {
	if c.made == nil {
		c.made = map[ir.Atom]bool{c.r.i: true}
	}
	for _, vs := range [][]*ir.Var{s.Dst, ir.Bound(s.Op)} {
		for _, v := range vs {
			c.made[v] = true
		}
	}
}

func (c *clamping) block(b *ir.Block) {
	for _, s := range b.Stmts {
		switch op := s.Op.(type) {
		case *ir.If:
			if !c.made[op.Cond] && !c.skip[s] {
				c.block(op.Then)
				c.block(op.Else)
			}
		case *ir.Binary:
			if (op.Fn == ir.Min || op.Fn == ir.Max) && s.Dst[0].T.Kind == ir.Int && !c.skip[s] {
				c.clamp(s, op)
			}
		}
	}
}

// clamp narrows the range to where s, a min or max, has no effect, if it is a clamp.
func (c *clamping) clamp(s *ir.Stmt, op *ir.Binary) {
	y := op.Y
	offset, ok := c.offset(op.X)
	if !ok {
		y = op.X
		if offset, ok = c.offset(op.Y); !ok {
			return
		}
	}
	bound, ok := c.e.getAtom(y)
	if !ok || bound.form != uniform || bound.arr != nil {
		return
	}
	c.offsets[s.Dst[0]] = offset
	limit := bound.x
	if number, ok := limit.(*kir.Const); ok {
		limit = intConst(int(min(max(number.C.Int(), -farBound), farBound)))
	} else {
		limit = c.integer(ir.Min, c.integer(ir.Max, limit, intConst(-farBound)), intConst(farBound))
	}
	by := c.sum(offset)
	c.found[s] = clamp{c.r.i, by}
	if number, ok := by.(*kir.Const); ok {
		if op.Fn == ir.Min {
			number = intConst(int(number.C.Int() - 1)).(*kir.Const)
		}
		if l, ok := limit.(*kir.Const); ok {
			limit = intConst(int(l.C.Int() - number.C.Int()))
		} else {
			limit = sub(limit, number)
		}
	} else {
		limit = c.near(limit, by, op.Fn == ir.Min)
	}
	if op.Fn == ir.Max {
		c.from = c.integer(ir.Max, c.from, limit)
	} else {
		c.to = c.integer(ir.Min, c.to, limit)
	}
}

// near is the index from which on, or up to which, it and an offset that only the run knows are beyond a limit. Offsets
// that are not close leave nothing to vectors.
func (c *clamping) near(limit, by kir.Expr, behind bool) kir.Expr {
	close := c.letExpr("close", c.integer(ir.Min, c.integer(ir.Max, by, intConst(-closeOffset)), intConst(closeOffset)))
	from := c.fresh("from", kir.Int)
	c.emit(&kir.Let{V: from, X: c.from})
	far := &kir.If{Cond: &kir.Bin{Fn: ir.Ne, X: close, Y: by, T: kir.ScalarType(ir.Bool)}}
	c.lowerer.inside(&far.Then, func() { c.emit(&kir.Set{V: from, X: c.r.hi}) })
	c.emit(far)
	c.from = &kir.Ref{V: from}
	if limit = sub(limit, close); behind {
		limit = add(limit, intConst(1))
	}
	return limit
}

// sum is an offset as an expression.
func (c *clamping) sum(offset analysis.Sum) kir.Expr {
	if n, ok := offset.Constant(); ok {
		return intConst(int(n))
	}
	var total kir.Expr = intConst(0)
	for _, p := range offset {
		var x kir.Expr = intConst(int(p.C))
		for k, a := range p.Of {
			if of := c.atom(a, c.e).x; k == 0 && p.C == 1 {
				x = of
			} else {
				x = c.integer(ir.Mul, x, of)
			}
		}
		total = add(total, x)
	}
	return c.letExpr("offset", total)
}

func (l *lowerer) integer(fn ir.BinaryFn, x, y kir.Expr) kir.Expr {
	return &kir.Bin{Fn: fn, X: x, Y: y, T: kir.Int}
}

// offset returns c with a = i + c, looking through the clamps whose offsets are known. It is the same in all lanes, and
// close if it is a constant.
func (c *clamping) offset(a ir.Atom) (analysis.Sum, bool) {
	form, ok := analysis.Form{Defs: c.defs, Known: func(a ir.Atom) (analysis.Affine, bool) {
		on := analysis.On(c.r.i)
		if by, ok := c.offsets[a]; ok {
			on.Base = by
			return on, true
		}
		if v, ok := c.e.getAtom(a); ok && !c.made[a] && v.form == uniform && v.arr == nil {
			return analysis.Outside(a), true
		}
		return on, a == ir.Atom(c.r.i)
	}}.Affine(a)
	times, constant := form.Factor(analysis.Index{V: c.r.i}).Constant()
	if !ok || len(form.Parts) != 1 || !constant || times != 1 {
		return nil, false
	}
	for _, p := range form.Base {
		for _, a := range p.Of {
			if c.made[a] {
				return nil, false
			}
		}
	}
	n, constant := form.Base.Constant()
	return form.Base, !constant || -closeOffset <= n && n <= closeOffset
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
