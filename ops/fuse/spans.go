package fuse

import (
	"maps"
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// span is the range of an index, or of what is computed from some: it is base and a part that has extremes of its own.
type span struct {
	base analysis.Sum
	part ir.Atom
	// The part is at least least and at most most - 1. Or it is fn, a quotient, a remainder, the lesser, the greater
	// or either one, of these two.
	least, most analysis.Sum
	fn          ir.BinaryFn
	ends        [2]ir.Atom // as float64; nil before the first use
}

// index notes the range of an index, if it is known. Where it begins outside of the nest that is its base, so that an
// index that begins at -1 is 1 less than one that begins at 0.
func (x *extremes) index(i *ir.Var, lo, hi ir.Atom) {
	from, ok := x.sum(lo)
	to, ok2 := x.sum(hi)
	if ok && ok2 {
		x.between(i, i, from, to)
	}
}

// between notes that an index is at least lo and less than hi; part stands for what it is above its base.
func (x *extremes) between(i, part ir.Atom, lo, hi analysis.Sum) {
	s := &span{part: part, least: lo, most: hi}
	if !slices.ContainsFunc(lo, func(p analysis.Product) bool { return slices.ContainsFunc(p.Of, x.inNest) }) {
		s.base, s.least, s.most = lo, nil, hi.Minus(lo)
	}
	x.ranges[i], x.parts[part] = s, s
}

// outside reports whether a value comes from outside of the nest and is known when inputs are bound.
func (x *extremes) outside(a ir.Atom) bool {
	v, ok := a.(*ir.Var)
	return !x.inNest(a) && (!ok || !x.late[v])
}

// inNest reports whether a value, or a part of one, is one of the nest's.
func (x *extremes) inNest(a ir.Atom) bool { return x.parts[a] != nil || x.defs[a] != nil }

// assume notes what a condition says of the indices in it, or its contrary if is is false.
func (x *extremes) assume(cond ir.Atom, is bool) {
	switch op := x.defs[cond].(type) {
	case *ir.Unary:
		if op.Fn == ir.Not {
			x.assume(op.X, !is)
		}
	case *ir.Binary:
		fn := op.Fn
		switch {
		case fn == ir.And && is || fn == ir.Or && !is:
			x.assume(op.X, is)
			x.assume(op.Y, is)
			return
		case !is:
			fn = contrary[fn]
		}
		a, ok := x.sum(op.X)
		b, ok2 := x.sum(op.Y)
		if !ok || !ok2 {
			return
		}
		one := analysis.Sum{{C: 1}}
		switch fn {
		case ir.Lt:
			x.atMost(a.Plus(one), b)
		case ir.Le:
			x.atMost(a, b)
		case ir.Gt:
			x.atMost(b.Plus(one), a)
		case ir.Ge:
			x.atMost(b, a)
		}
	}
}

// atMost notes that a is at most b, if that compares one index with values from outside of the nest.
func (x *extremes) atMost(a, b analysis.Sum) {
	rest := b.Minus(a) // it is not negative
	for i, s := range x.ranges {
		at := slices.IndexFunc(rest, func(p analysis.Product) bool {
			return len(p.Of) == 1 && p.Of[0] == s.part && (p.C == 1 || p.C == -1)
		})
		if at < 0 || s.fn != "" {
			continue
		}
		sign, others := rest[at].C, slices.Delete(slices.Clone(rest), at, at+1)
		if slices.ContainsFunc(others, func(p analysis.Product) bool { return slices.ContainsFunc(p.Of, x.inNest) }) {
			return
		}
		lo, hi := s.base.Plus(s.least), s.base.Plus(s.most)
		if sign > 0 { // part ≥ -others
			lo = s.base.Minus(others)
		} else { // part ≤ others
			hi = s.base.Plus(others).Plus(analysis.Sum{{C: 1}})
		}
		x.between(i, x.r.names.Var("part", tInt), lo, hi)
		return
	}
}

// sum returns an int as a sum of products of values from outside of the nest and of indices whose range is known.
func (x *extremes) sum(a ir.Atom) (analysis.Sum, bool) {
	if a.Type() != tInt {
		return nil, false
	}
	form, ok := analysis.Form{Defs: x.defs, Known: x.known}.Affine(a)
	for _, p := range form.Base {
		ok = ok && !slices.ContainsFunc(p.Of, func(a ir.Atom) bool { return !x.ranged(a) })
	}
	return form.Base, ok
}

// known is the form of an index, and of what a loop makes of its bounds: the negative of a value, the lesser of it and
// of something that no index reaches.
func (x *extremes) known(a ir.Atom) (analysis.Affine, bool) {
	if s := x.ranges[a]; s != nil {
		return analysis.Affine{Base: s.base.Plus(analysis.Sum{{C: 1, Of: []ir.Atom{s.part}}})}, true
	}
	op := x.defs[a]
	if n := x.negative[a]; n != nil {
		op = n
	}
	switch op := op.(type) {
	case *ir.Unary:
		if s, ok := x.sum(op.X); ok && op.Fn == ir.Neg {
			return analysis.Affine{Base: analysis.Sum(nil).Minus(s)}, true
		}
	case *ir.Binary:
		if most, ok := op.Y.(ir.Const); ok && op.Fn == ir.Min && most.Int() >= 1<<exactBits {
			s, ok := x.sum(op.X)
			return analysis.Affine{Base: s}, ok
		}
	}
	if x.defs[a] != nil && x.ranged(a) {
		return analysis.Outside(x.ranges[a].part), true
	}
	return analysis.Affine{}, false
}

// ranged reports whether a value is one from outside of the nest, or its range is known. The range holds where the
// walk is: under a condition it may be a part of what it is elsewhere, so the value has another part there. Whether it
// is known at all does not depend on that.
func (x *extremes) ranged(a ir.Atom) bool {
	switch {
	case x.parts[a] != nil || x.ranges[a] != nil || x.outside(a):
		return true
	case x.defs[a] == nil || x.unranged[a]:
		return false
	}
	s := &span{}
	var ok, ok2 bool
	switch op := x.defs[a].(type) {
	case *ir.Binary:
		switch op.Fn {
		case ir.Rem, ir.Div, ir.Min, ir.Max:
			s.fn = op.Fn
			s.least, ok = x.sum(op.X)
			s.most, ok2 = x.sum(op.Y)
		}
	case *ir.Select:
		s.fn = either
		s.least, ok = x.sumWhere(op.Cond, true, op.X)
		s.most, ok2 = x.sumWhere(op.Cond, false, op.Y)
	case *ir.If:
		if i, yields := x.yields[a]; yields { // and is no variable of a branch
			s.fn = either
			s.least, ok = x.sumWhere(op.Cond, true, op.Then.Results[i])
			s.most, ok2 = x.sumWhere(op.Cond, false, op.Else.Results[i])
		}
	}
	if !ok || !ok2 {
		x.unranged[a] = true
		return false
	}
	s.part = x.r.names.Var("part", tInt)
	x.ranges[a], x.parts[s.part] = s, s
	return true
}

// either is the operation of a span that is one of two values.
const either ir.BinaryFn = "either"

// mostWhere is how many conditions on one another [extremes.sumWhere] looks through: each of them takes twice the time.
const mostWhere = 4

// sumWhere is sum where a condition holds, or does not.
func (x *extremes) sumWhere(cond ir.Atom, is bool, a ir.Atom) (analysis.Sum, bool) {
	if x.where == mostWhere {
		return nil, false
	}
	known := x.ranges
	defer func() { x.ranges, x.where = known, x.where-1 }()
	x.ranges, x.where = maps.Clone(known), x.where+1
	x.assume(cond, is)
	return x.sum(a)
}
