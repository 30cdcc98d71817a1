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

// sign is 1 for what is never negative, -1 for what is never positive, 0 for what may be either.
func (d *divider) sign(s analysis.Sum) int {
	sign := 0
	for i, p := range s {
		for _, a := range p.Of {
			if !d.neverNegative(a, 0) {
				return 0
			}
		}
		of := 1
		if p.C < 0 {
			of = -1
		}
		if i > 0 && of != sign {
			return 0
		}
		sign = of
	}
	return sign
}

// neverNegative reports whether a value that is known at the top is at least 0.
func (d *divider) neverNegative(a ir.Atom, depth int) bool {
	if c, ok := a.(ir.Const); ok {
		return c.Int() >= 0
	}
	if d.nonneg[a] {
		return true
	}
	if depth > 20 {
		return false
	}
	never := func(a ir.Atom) bool { return d.neverNegative(a, depth+1) }
	switch op := d.defs[a].(type) {
	case *ir.Len:
		return true
	case *ir.Binary:
		switch op.Fn {
		case ir.Max:
			return never(op.X) || never(op.Y)
		case ir.Add, ir.Mul, ir.Min, ir.Div:
			return never(op.X) && never(op.Y)
		}
	}
	return false
}

// bound is the least (or, with up, the greatest) value of an index for the element of, over all turns of what is
// inside: a sum in which nothing else stands than the element's index, or an element of offsets beside it.
func (d *divider) bound(a analysis.Affine, of ir.Atom, up bool, depth int) (analysis.Affine, bool) {
	if depth > 40 {
		return a, false
	}
	for _, p := range a.Parts {
		if p.Of.V == of && p.Of.Fn == "" {
			continue
		}
		if _, _, ok := d.offset(p.Of.V, of); ok && p.Of.Fn == "" {
			continue
		}
		if p.Of.Fn != "" {
			return a, false
		}
		sign := d.sign(p.Times)
		if sign == 0 {
			return a, false
		}
		rest := analysis.Affine{Base: a.Base}
		for _, q := range a.Parts {
			if q.Of != p.Of {
				rest = rest.Plus(analysis.Affine{Parts: []analysis.Part{q}})
			}
		}
		var best analysis.Affine
		found := false
		for _, by := range d.bounds(p.Of.V, of, up == (sign > 0)) {
			b, ok := d.bound(rest.Plus(by.at.Times(p.Times)), of, up, depth+1)
			switch {
			case !ok && by.needed:
				return a, false
			case !ok:
			case !found:
				best, found = b, true
			case by.needed:
				if best, ok = d.outer(best, b, of, up); !ok {
					return a, false
				}
			case len(best.Parts) == 0: // it does not depend on the element, which the other one may
				best = b
			}
		}
		return best, found
	}
	return a, true
}

// outer is the outer one of two bounds that differ by a constant, or of one and a constant place at the side where all
// elements are: no element's index is below 0, or above the last one.
func (d *divider) outer(a, b analysis.Affine, of ir.Atom, up bool) (analysis.Affine, bool) {
	if len(a.Parts) == 0 {
		a, b = b, a
	}
	if len(b.Parts) == 0 {
		c, ok := b.Base.Constant()
		low := analysis.On(of)
		switch {
		case up && ok && c >= 0: // c ≤ i + c
			low.Base = low.Base.Plus(b.Base)
		case !up: // n - 1 + c ≥ i + c
			last := b.Base.Minus(analysis.Outside(d.n).Base)
			if _, ok := last.Constant(); !ok {
				return a, false
			}
			low.Base = low.Base.Plus(last).Plus(analysis.Sum{{C: 1}})
		default:
			return a, false
		}
		if len(a.Parts) == 0 {
			return a, false
		}
		b = low
	}
	difference := a.Plus(b.Times(analysis.Sum{{C: -1}}))
	c, ok := difference.Base.Constant()
	if len(difference.Parts) > 0 || !ok {
		return a, false
	}
	if (c > 0) == up {
		return a, true
	}
	return b, true
}

// candidate is a bound of a value. One that is needed is joined with the others; of the rest any one will do.
type candidate struct {
	at     analysis.Affine
	needed bool
}

// bounds are the bounds of a value that is computed inside of the level, on one side.
func (d *divider) bounds(v, of ir.Atom, up bool) (all []candidate) {
	add := func(needed bool, as ...ir.Atom) {
		for _, a := range as {
			form, ok := d.affine(a)
			if !ok {
				form = analysis.On(a)
			}
			all = append(all, candidate{form, needed})
		}
	}
	if t, ok := d.turns[v]; ok && v != of {
		if !up {
			add(false, t.lo)
		} else if form, ok := d.affine(t.hi); ok {
			form.Base = form.Base.Plus(analysis.Sum{{C: -1}})
			all = append(all, candidate{form, false})
		}
		return all
	}
	switch op := d.defs[v].(type) {
	case *ir.Binary:
		switch op.Fn {
		case ir.Min:
			add(!up, op.X, op.Y)
		case ir.Max:
			add(up, op.X, op.Y)
		}
	case *ir.Select:
		add(true, op.X, op.Y)
	case *ir.If:
		i := d.result(op, v)
		add(true, op.Then.Results[i], op.Else.Results[i])
	}
	return all
}

// result is which of a condition's results v is.
func (d *divider) result(op *ir.If, v ir.Atom) (number int) {
	ir.Walk(d.f.Body, func(s *ir.Stmt) {
		if s.Op == ir.Op(op) {
			for i, w := range s.Dst {
				if ir.Atom(w) == v {
					number = i
				}
			}
		}
	})
	return number
}
