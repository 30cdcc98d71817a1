package cut

import (
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

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
