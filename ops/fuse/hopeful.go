package fuse

import (
	"math/rand/v2"
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

const (
	tries      = 4000 // values that are tried
	leastTurns = 4    // of a loop for which independent turns are of use
)

// hopeful reports whether the condition of a loop may hold where it makes several turns, and the loops inside as well:
// there are values for which it does. Where a row needs the one before, a condition holds for rows of no element only.
// Where none of them makes the turn that would divide the loop, it is a condition that no turn does.
func (t *turnLoop) hopeful() bool {
	random := rand.New(rand.NewPCG(1, 2))
	found, divided, unless := false, false, unlessConstant(t.f.Body)
	for range tries {
		s := &sample{random, map[ir.Atom]int64{}, t.far, t.defs, unless}
		if t.holdFor(s) {
			found = true
			turn := s.sum(t.d.split)
			divided = divided || s.sum(t.d.own.lo.Base) <= turn && turn <= s.sum(t.d.own.last.Base)
		}
	}
	if t.d.divided && !divided {
		before, possible := alternative(less(t.d.split, t.d.own.lo.Base))
		behind, possible2 := alternative(less(t.d.own.last.Base, t.d.split))
		if !possible || !possible2 {
			return false
		}
		t.d.divided, t.d.either = false, append(t.d.either, []negatives{before, behind})
	}
	return found
}

// holdFor reports whether the condition holds for some values.
func (t *turnLoop) holdFor(s *sample) bool {
	first, last := s.sum(t.d.own.lo.Base), s.sum(t.d.own.last.Base)
	if last-first < (leastTurns-1)*t.d.unit {
		return false
	}
	s.values[t.d.own.i] = first + s.random.Int64N(last-first)
	for _, x := range t.d.all {
		for _, sp := range x.around {
			lo, last := s.form(sp.lo), s.form(sp.last)
			if last-lo < leastTurns-1 && sp.from == nil && t.d.spans(sp) {
				return false
			}
			s.values[sp.i] = lo
		}
	}
	negative := func(n negatives) bool {
		for _, sum := range n {
			if s.sum(sum) >= 0 {
				return false
			}
		}
		return true
	}
	if !negative(t.d.always) {
		return false
	}
	for _, ways := range t.d.either {
		any := false
		for _, n := range ways {
			any = any || negative(n)
		}
		if !any {
			return false
		}
	}
	return true
}

// spans reports whether a course is that of a loop that does not make a few turns only, as constants say, or where one
// around it has got to, as in a triangle.
func (d *dependence) spans(sp *course) bool {
	parts := slices.Concat(sp.lo.Parts, sp.last.Parts)
	if slices.ContainsFunc(parts, func(p analysis.Part) bool { return p.Of.V != d.own.i }) {
		return false
	}
	turns, few := sp.last.Base.Minus(sp.lo.Base).Constant()
	return !few || len(parts) > 0 || turns >= leastTurns
}

// sample are values of variables, which get one when they are asked for. Sums, products and quotients of others are
// these.
type sample struct {
	random *rand.Rand
	values map[ir.Atom]int64
	far    int64
	defs   analysis.Defs
	unless map[ir.Atom]ir.Atom // see unlessConstant
}

// unlessConstant is what values are under a condition that makes them constants otherwise, as where a function returns
// early.
func unlessConstant(b *ir.Block) map[ir.Atom]ir.Atom {
	of := map[ir.Atom]ir.Atom{}
	ir.Walk(b, func(s *ir.Stmt) {
		op, ok := s.Op.(*ir.If)
		if !ok {
			return
		}
		for i, d := range s.Dst {
			x, y := op.Then.Results[i], op.Else.Results[i]
			if _, constant := x.(ir.Const); constant {
				x = y
			} else if _, constant := y.(ir.Const); !constant {
				continue
			}
			of[d] = x
		}
	})
	return of
}

func (s *sample) value(a ir.Atom) int64 {
	if c, ok := a.(ir.Const); ok {
		return c.Int()
	}
	v, ok := s.values[a]
	if ok {
		return v
	}
	b, binary := s.defs[a].(*ir.Binary)
	switch of := unlimited(s.defs, a); {
	case binary && b.Fn == ir.Add:
		v = s.value(b.X) + s.value(b.Y)
	case binary && b.Fn == ir.Sub:
		v = s.value(b.X) - s.value(b.Y)
	case binary && b.Fn == ir.Mul:
		v = s.value(b.X) * s.value(b.Y)
	case of != nil:
		v = s.value(of)
	case binary && b.Fn == ir.Div && s.value(b.Y) != 0: // so that so many of them fit
		v = s.value(b.X) / s.value(b.Y)
	case s.unless[a] != nil:
		v = s.value(s.unless[a])
	default:
		v = s.random.Int64N(1 << s.random.IntN(17))
		if s.random.IntN(4) == 0 {
			v = s.far/2 - v
		}
	}
	s.values[a] = v
	return v
}

func (s *sample) sum(sum analysis.Sum) int64 {
	total := int64(0)
	for _, p := range sum {
		x := p.C
		for _, a := range p.Of {
			x *= s.value(a)
		}
		total += x
	}
	return total
}

func (s *sample) form(a analysis.Affine) int64 {
	total := s.sum(a.Base)
	for _, p := range a.Parts {
		total += s.sum(p.Times) * s.value(p.Of.V)
	}
	return total
}
