package lower

import (
	"slices"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// A border is what conditions on the index of a Map keep apart at the ends of its range: the elements of a grid that
// have no neighbour on one side, or have it at the other end. As with clamps, the elements at the ends are computed one
// by one, and in the vectors between them the conditions are known, so that nothing is read under a mask, and what is
// read lies side by side.
type border struct {
	known map[*ir.Stmt]verdict // what the conditions of Ifs and Selects are from element from on, and up to element to
	from  int
	to    kir.Expr // nil for all
}

// verdict is what is known of a condition: that it holds if all of rest do, or that it holds if any of rest does. rest
// is the same for all elements.
type verdict struct {
	holds bool // the former
	rest  []ir.Atom
}

// mostBorder is how many elements at an end are a border: of more, vectors are worth it.
const mostBorder = 64

// borderOf finds such conditions in the body of a Map, also under conditions that are the same for all of its elements.
// It returns nil if there are none.
func (l *lowerer) borderOf(r rangeLoop, e *env) *border {
	f := &borderFinder{lowerer: l, r: r, e: e, inside: map[ir.Atom]bool{r.i: true}}
	ir.Walk(r.body, func(s *ir.Stmt) {
		for _, v := range slices.Concat(s.Dst, ir.Bound(s.Op)) {
			f.inside[v] = true
		}
	})
	all := &border{known: map[*ir.Stmt]verdict{}}
	var find func(b *ir.Block)
	find = func(b *ir.Block) {
		for _, s := range b.Stmts {
			switch op := s.Op.(type) {
			case *ir.Select: // of an index
				if f.inside[op.Cond] && op.X.Type() == ir.Scalar(ir.Int) && !l.skip[s] {
					f.decide(all, s, op.Cond, false)
				}
			case *ir.If:
				v, known := verdict{}, false
				switch {
				case l.skip[s]:
					continue
				case f.inside[op.Cond]:
					if v, known = f.decide(all, s, op.Cond, true); !known {
						continue
					}
				}
				if v.holds || !known || len(v.rest) > 0 {
					find(op.Then)
				}
				if !v.holds || len(v.rest) > 0 {
					find(op.Else)
				}
			}
		}
	}
	if find(r.body); len(all.known) == 0 {
		return nil
	}
	return all
}

// borderFinder looks for conditions in the body of one loop.
type borderFinder struct {
	*lowerer
	r      rangeLoop
	e      *env
	inside map[ir.Atom]bool // what differs from element to element, or may
}

// decide narrows the range of a border to where the condition of s is known, or, if partly says so, the parts of it
// that differ from element to element. It reports false, having done nothing, if it cannot.
func (f *borderFinder) decide(b *border, s *ir.Stmt, cond ir.Atom, partly bool) (v verdict, known bool) {
	for _, holds := range []bool{true, false} {
		narrowed := *b
		if rest, ok := f.bounds(&narrowed, cond, holds); ok && (partly || len(rest) == 0) {
			*b, v = narrowed, verdict{holds, rest}
			b.known[s] = v
			return v, true
		}
	}
	return v, false
}

// bounds narrows the range of a border to where cond is as holds says, but for what it returns, see [verdict], and
// reports whether it can.
func (f *borderFinder) bounds(b *border, cond ir.Atom, holds bool) (rest []ir.Atom, ok bool) {
	switch op := f.defs[cond].(type) {
	case *ir.Unary:
		if op.Fn != ir.Not {
			return nil, false
		}
		rest, ok = f.bounds(b, op.X, !holds)
		return nil, ok && len(rest) == 0
	case *ir.Binary:
		if op.X.Type() == ir.Scalar(ir.Bool) {
			if !(op.Fn == ir.And && holds || op.Fn == ir.Or && !holds) {
				return nil, false
			}
			for _, x := range []ir.Atom{op.X, op.Y} {
				if !f.inside[x] {
					rest = append(rest, x)
					continue
				}
				more, ok := f.bounds(b, x, holds)
				if !ok {
					return nil, false
				}
				rest = append(rest, more...)
			}
			return rest, true
		}
		fn := op.Fn
		if !holds {
			fn = contrary[fn]
		}
		if offset, ok := f.offset(op.X); ok {
			return nil, f.bound(b, fn, offset, op.Y)
		}
		if offset, ok := f.offset(op.Y); ok {
			return nil, f.bound(b, mirrored[fn], offset, op.X)
		}
	}
	return nil, false
}

// offset returns what is added to the index of the loop to give a; ok is false where that is nothing small and
// constant.
func (f *borderFinder) offset(a ir.Atom) (offset int, ok bool) {
	if a == ir.Atom(f.r.i) {
		return 0, true
	}
	op, isBinary := f.defs[a].(*ir.Binary)
	if !isBinary || a.Type() != ir.Scalar(ir.Int) || op.Fn != ir.Add && op.Fn != ir.Sub {
		return 0, false
	}
	c, constant := op.Y.(ir.Const)
	x := op.X
	if !constant && op.Fn == ir.Add {
		c, constant = op.X.(ir.Const)
		x = op.Y
	}
	if !constant || c.Int() < -mostBorder || c.Int() > mostBorder {
		return 0, false
	}
	by := int(c.Int())
	if op.Fn == ir.Sub {
		by = -by
	}
	offset, ok = f.offset(x)
	offset += by
	return offset, ok && -mostBorder <= offset && offset <= mostBorder
}

var (
	contrary = map[ir.BinaryFn]ir.BinaryFn{ir.Lt: ir.Ge, ir.Ge: ir.Lt, ir.Le: ir.Gt, ir.Gt: ir.Le, ir.Eq: ir.Ne, ir.Ne: ir.Eq}
	mirrored = map[ir.BinaryFn]ir.BinaryFn{ir.Lt: ir.Gt, ir.Gt: ir.Lt, ir.Le: ir.Ge, ir.Ge: ir.Le, ir.Eq: ir.Eq, ir.Ne: ir.Ne}
)

// bound narrows the range of a border to where i + offset fn limit holds for the index i of the loop, which is not
// negative and below the bound of its range, and reports whether what it leaves out is close to an end.
func (f *borderFinder) bound(b *border, fn ir.BinaryFn, offset int, limit ir.Atom) bool {
	c, constant := limit.(ir.Const)
	close := constant && -mostBorder <= c.Int()-int64(offset) && c.Int()-int64(offset) <= mostBorder
	if fn == ir.Ne { // of one of the ends
		if fn = ir.Lt; close {
			fn = ir.Gt
		}
	}
	v, ok := f.e.getAtom(limit)
	if !ok || v.form != uniform || v.arr != nil {
		return false
	}
	switch {
	case (fn == ir.Gt || fn == ir.Ge) && close:
		from := int(c.Int()) - offset
		if fn == ir.Gt {
			from++
		}
		b.from = max(b.from, from)
		return true
	case (fn == ir.Lt || fn == ir.Le) && f.nearEnd(limit, f.r.n):
		to := v.x
		if fn == ir.Le || offset != 0 { // no index is r.hi or above: what is added to less than all that does not overflow
			to = f.integer(ir.Max, f.integer(ir.Min, to, add(f.r.hi, intConst(mostBorder))), intConst(-mostBorder))
			if fn == ir.Le {
				offset--
			}
			to = sub(to, intConst(offset))
		}
		if b.to != nil {
			to = f.integer(ir.Min, b.to, to)
		}
		b.to = to
		return true
	}
	return false
}

// nearEnd reports whether a limit is the length n of a range, or that without a few elements.
func (l *lowerer) nearEnd(limit, n ir.Atom) bool {
	if op, ok := l.defs[limit].(*ir.Binary); ok && op.Fn == ir.Sub {
		if c, ok := op.Y.(ir.Const); ok && c.Int() >= 0 && c.Int() <= mostBorder {
			limit = op.X
		}
	}
	_, constant := limit.(ir.Const) // which is the length of no range, or of one that is not longer
	if op, ok := l.defs[n].(*ir.Binary); ok && (op.Fn == ir.Max && !constant || op.Fn == ir.Min) {
		return n == limit || op.X == limit || op.Y == limit
	}
	return n == limit
}
