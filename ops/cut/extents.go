package cut

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// extent is what blocks read of a parameter: from the least Times·v(k)+low of the Lows to the greatest Times·v(k)+high
// of the Highs, for k from From before the first element to To behind the last one, where v is as [Cut] says.
type extent struct {
	by          *ir.Var
	from, to    int
	times       analysis.Sum
	lows, highs []analysis.Sum
}

// exact reports whether element i of the level reads element i of the parameter, and no other.
func (x *extent) exact() bool {
	one, ok := x.times.Constant()
	zero := func(s analysis.Sum) bool { return len(s) == 0 }
	first := func(s analysis.Sum) bool { c, ok := s.Constant(); return ok && c == 1 }
	return x.by == nil && ok && one == 1 && !slices.ContainsFunc(x.lows, func(s analysis.Sum) bool { return !zero(s) }) &&
		!slices.ContainsFunc(x.highs, func(s analysis.Sum) bool { return !first(s) })
}

// replace puts other values into the place of those that as names.
func (x *extent) replace(as ir.Subst) {
	in := func(s analysis.Sum) analysis.Sum {
		var sum analysis.Sum
		for _, p := range s {
			q := analysis.Product{C: p.C, Of: slices.Clone(p.Of)}
			for i, a := range q.Of {
				q.Of[i] = as.Atom(a)
			}
			sum = sum.Plus(analysis.Sum{q})
		}
		return sum
	}
	x.times = in(x.times)
	for i := range x.lows {
		x.lows[i] = in(x.lows[i])
	}
	for i := range x.highs {
		x.highs[i] = in(x.highs[i])
	}
}

// measure finds out, for each parameter, which part of it a block reads, or why it has to be there as a whole.
func (d *divider) measure() {
	why := map[*ir.Var]string{}
	reads := map[*ir.Var][]read{}
	params := map[ir.Atom]*ir.Var{}
	for _, p := range d.f.Params {
		if p.T.Rank > 0 {
			params[p] = p
		}
	}
	whole := func(a ir.Atom, reason string) {
		if p := params[a]; p != nil && why[p] == "" {
			why[p] = reason
		}
	}
	var visit func(b *ir.Block, index *ir.Var, top bool)
	visit = func(b *ir.Block, index *ir.Var, top bool) {
		for _, s := range b.Stmts {
			inside := index
			if top && d.over(s) {
				inside = ir.OperatorIndex(s.Op)
			}
			switch op := s.Op.(type) {
			case *ir.Index:
				if p := params[op.X]; p != nil && index != nil {
					reads[p] = append(reads[p], read{index, op.I})
				} else {
					whole(op.X, "it is read outside of the level that is cut")
				}
				whole(op.I, "it is read as a whole")
			case *ir.Len:
			default:
				for _, a := range ir.Operands(s.Op) {
					whole(*a, "it is used as a whole")
				}
			}
			for _, c := range ir.Blocks(s.Op) {
				visit(c, inside, false)
			}
		}
		for _, r := range b.Results {
			whole(r, "it is used as a whole")
		}
	}
	visit(d.f.Body, nil, true)
	found := map[*ir.Var]*extent{}
	for _, p := range d.f.Params {
		if p.T.Rank == 0 || why[p] != "" {
			continue
		}
		if x := d.extent(reads[p]); x != nil {
			found[p] = x
		} else if len(reads[p]) == 0 {
			why[p] = "nothing is read of it but its length"
		} else {
			why[p] = "an element of the level may read any place of it"
		}
	}
	// What says where rows begin has to be cut itself, and by the level.
	for _, p := range d.f.Params {
		x := found[p]
		if x == nil || x.by == nil {
			continue
		}
		if o := found[x.by]; o == nil || o.by != nil || !o.exactly(x) {
			delete(found, p)
			why[p] = "where its parts begin is not known from a part of " + x.by.Name
		}
	}
	offsets := map[*ir.Var]bool{}
	for p, x := range found {
		d.extents[p] = x
		if x.by != nil {
			offsets[x.by] = true
		}
	}
	for _, p := range d.f.Params {
		d.plan.Params = append(d.plan.Params, Param{Var: p, Why: why[p], Offsets: offsets[p]})
	}
}

// exactly reports whether a block of the offsets x.by has all elements that x needs: o is its extent.
func (o *extent) exactly(x *extent) bool {
	one, ok := o.times.Constant()
	if !ok || one != 1 {
		return false
	}
	has := func(sums []analysis.Sum, holds func(c int64) bool) bool {
		return slices.ContainsFunc(sums, func(s analysis.Sum) bool { c, ok := s.Constant(); return ok && holds(c) })
	}
	return has(o.lows, func(c int64) bool { return c+int64(o.from) <= int64(x.from) }) && has(o.highs, func(c int64) bool { return c+int64(o.to) > int64(x.to) })
}

// read is a read of a parameter by an operator of the level with that index.
type read struct{ of, at ir.Atom }

// extent joins the reads of a parameter; nil if some place of it is not bounded by the element that reads it.
func (d *divider) extent(reads []read) *extent {
	var x *extent
	for _, r := range reads {
		form, ok := d.affine(r.at)
		if !ok {
			return nil
		}
		low, okLow := d.bound(form, r.of, false, 0)
		high, okHigh := d.bound(form, r.of, true, 0)
		if !okLow || !okHigh {
			return nil
		}
		high.Base = high.Base.Plus(analysis.Sum{{C: 1}})
		for i, end := range []analysis.Affine{low, high} {
			e, ok := d.end(end, r.of)
			if !ok {
				return nil
			}
			if i == 0 {
				e.lows = []analysis.Sum{end.Base}
			} else {
				e.highs = []analysis.Sum{end.Base}
			}
			switch {
			case x == nil:
				x = e
			case x.by != e.by || len(x.times.Minus(e.times)) > 0:
				return nil
			default:
				x.from, x.to = min(x.from, e.from), max(x.to, e.to)
				x.lows, x.highs = append(x.lows, e.lows...), append(x.highs, e.highs...)
			}
		}
	}
	return x
}

// end reads a bound: a multiple of the index, or an element of offsets beside it.
func (d *divider) end(a analysis.Affine, of ir.Atom) (*extent, bool) {
	if len(a.Parts) != 1 || a.Parts[0].Of.Fn != "" || d.sign(a.Parts[0].Times) <= 0 {
		return nil, false
	}
	p := a.Parts[0]
	if p.Of.V == of {
		return &extent{times: p.Times}, true
	}
	offsets, c, ok := d.offset(p.Of.V, of)
	if !ok {
		return nil, false
	}
	return &extent{by: offsets, from: c, to: c, times: p.Times}, true
}

// offset reports that v is an element of a flat parameter, as many places behind the index as it says.
func (d *divider) offset(v, of ir.Atom) (param *ir.Var, behind int, ok bool) {
	r := d.defs.ReadAsIs(v)
	if r == nil {
		return nil, 0, false
	}
	param, ok = r.X.(*ir.Var)
	if !ok || !slices.Contains(d.f.Params, param) || param.T.Rank != 1 {
		return nil, 0, false
	}
	at, ok := d.affine(r.I)
	if !ok || len(at.Parts) != 1 {
		return nil, 0, false
	}
	one, isOne := at.Factor(analysis.Index{V: of}).Constant()
	c, isConst := at.Base.Constant()
	return param, int(c), isOne && one == 1 && isConst
}

// affine is the form of an index over all indices and whatever is neither a sum nor a product.
func (d *divider) affine(a ir.Atom) (analysis.Affine, bool) {
	return analysis.Form{Defs: d.defs, Known: func(a ir.Atom) (analysis.Affine, bool) {
		if d.top[a] {
			return analysis.Outside(a), true
		}
		if b, ok := d.defs[a].(*ir.Binary); ok {
			switch b.Fn {
			case ir.Add, ir.Sub, ir.Mul:
				x, okX := d.affine(b.X)
				y, okY := d.affine(b.Y)
				if b.Fn != ir.Mul || okX && okY && (len(x.Parts) == 0 || len(y.Parts) == 0) {
					return analysis.Affine{}, false
				}
			}
		}
		if _, ok := a.(ir.Const); ok {
			return analysis.Affine{}, false
		}
		return analysis.On(a), true
	}}.Affine(a)
}
