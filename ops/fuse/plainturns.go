package fuse

import (
	"math"
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// whileTurns bounds the turns of a loop with a condition that runs times times: by how far a number goes that each turn
// counts up or down, as with for i < n or c >= 0. Where something else may end the loop before, that is taken of loops
// that run once, as of those that leave a range early; others are searches, most of which end soon: they are guessed.
func (c *plainCost) whileTurns(op *ir.Loop, times bound) (turns bound, guessed bool) {
	guess := float64(guessedTurns)
	if c.guessed > 0 {
		guess = insideTurns
	}
	once := func(b bound, most float64) bool {
		return len(b) == 0 || len(b) == 1 && len(b[0].Sizes) == 0 && b[0].Factor <= most
	}
	turns, alone := c.counted(op)
	if turns != nil && (alone || once(times, 1) && c.lengths(turns) || once(turns, guess)) {
		return turns, false
	}
	return exactly(guess), true
}

// lengths reports whether a bound is made of lengths of sequences.
func (c *plainCost) lengths(b bound) bool {
	numbers := map[int]bool{}
	for p, i := range c.params {
		numbers[i] = p.Type().Rank == 0
	}
	return len(b) > 0 && !slices.ContainsFunc(b, func(t Term) bool {
		return len(t.Sizes) == 0 || slices.ContainsFunc(t.Sizes, func(s Size) bool { return numbers[s.Param] })
	})
}

// counted bounds the turns of a loop by the numbers that it counts, nil if there are none, and reports whether its
// condition consists of nothing else.
func (c *plainCost) counted(op *ir.Loop) (turns bound, alone bool) {
	if op.Cond == nil || len(op.Cond.Results) != 1 {
		return nil, false
	}
	alone = true
	var visit func(a ir.Atom)
	visit = func(a ir.Atom) {
		s := c.defs[a]
		if s == nil {
			alone = false
			return
		}
		b, ok := s.Op.(*ir.Binary)
		switch {
		case ok && b.Fn == ir.And:
			visit(b.X)
			visit(b.Y)
		case ok:
			if n := c.far(op, b); n != nil && turns == nil {
				turns = n
				return
			}
			alone = false
		default:
			if cond, ok := s.Op.(*ir.If); ok && len(cond.Then.Results) == 1 && cond.Else.Results[0] == ir.Atom(ir.BoolConst(false)) { // a && b
				visit(cond.Cond)
				visit(cond.Then.Results[0])
				return
			}
			alone = false
		}
	}
	visit(op.Cond.Results[0])
	return turns, alone
}

// far bounds the turns of a loop that lasts while a comparison holds of a number that it counts; nil if that is none.
func (c *plainCost) far(op *ir.Loop, b *ir.Binary) bound {
	x, y, fn := c.without(b.X), c.without(b.Y), b.Fn
	switch fn {
	case ir.Gt, ir.Ge: // y < x
		x, y = y, x
	case ir.Lt, ir.Le, ir.Ne:
	default:
		return nil
	}
	for i, p := range op.Params {
		if p.T.Rank > 0 || !p.T.Kind.IsInteger() || x != ir.Atom(p) && y != ir.Atom(p) {
			continue
		}
		by, ok := c.step(op.Body.Results[i], p)
		switch {
		case !ok:
		case x == ir.Atom(p) && by > 0:
			if n := c.number(y); n != nil {
				return n.scaled(1 / by)
			}
		case (y == ir.Atom(p) || fn == ir.Ne) && by < 0:
			if n := c.number(op.Init[i]); n != nil {
				return n.scaled(-1 / by)
			}
		}
	}
	return nil
}

// without is a number without a constant that is added to it or taken from it, as i of i + 3.
func (c *plainCost) without(a ir.Atom) ir.Atom {
	for _, fn := range []ir.BinaryFn{ir.Add, ir.Sub} {
		if b := c.computed(a, fn); b != nil {
			if _, ok := b.Y.(ir.Const); ok {
				return b.X
			}
		}
	}
	return a
}

// step is by how much a turn counts p up, or down if it is negative, where it counts: it may leave p as it is, or leave
// the loop. r is what the turn hands on. ok is false if that is something else, or p goes up and down.
func (c *plainCost) step(r ir.Atom, p *ir.Var) (by float64, ok bool) {
	if r == ir.Atom(p) {
		return 0, true
	}
	s := c.defs[r]
	if s == nil {
		return 0, false
	}
	switch op := s.Op.(type) {
	case *ir.Binary:
		k, isConst := op.Y.(ir.Const)
		if !isConst || !k.Type().Kind.IsInteger() || op.Fn != ir.Add && op.Fn != ir.Sub {
			return 0, false
		}
		by = float64(k.Int())
		if op.Fn == ir.Sub {
			by = -by
		}
		before, ok := c.step(op.X, p)
		return before + by, ok && before*by >= 0
	case *ir.If:
		at := resultAt(s, r)
		x, ok := c.step(op.Then.Results[at], p)
		y, too := c.step(op.Else.Results[at], p)
		if x == 0 || y != 0 && math.Abs(y) < math.Abs(x) {
			return y, ok && too && x*y >= 0
		}
		return x, ok && too && x*y >= 0
	case *ir.Loop:
		at := resultAt(s, r)
		before, ok := c.step(op.Init[at], p)
		turn, too := c.step(op.Body.Results[at], op.Params[at])
		return before + turn, ok && too && before*turn >= 0
	}
	return 0, false
}

// grown bounds the whole numbers that a loop of so many turns carries, as the length of what it appends to, and the
// room that is made for it.
func (c *plainCost) grown(s *ir.Stmt, op *ir.Loop, turns bound) {
	for range 2 { // the room follows from the length
		for i, p := range op.Params {
			if p.T.Rank > 0 || !p.T.Kind.IsInteger() || c.counters[p] != nil {
				continue
			}
			first := c.number(op.Init[i])
			if k, ok := op.Init[i].(ir.Const); ok && k.Int() < 0 {
				first = bound{}
			}
			g := growth{c, map[ir.Atom]bound{p: {}}, bound{}}
			if n := first.plus(g.of(op.Body.Results[i]).times(turns)).plus(g.apart); n != nil {
				c.counters[p], c.counters[s.Dst[i]] = n, n
			}
		}
	}
}

// growth finds out by how much values exceed one of them.
type growth struct {
	c     *plainCost
	known map[ir.Atom]bound
	apart bound // of those that do not follow from it
}

// of bounds by how much a exceeds the value, nil if that is not known.
func (g *growth) of(a ir.Atom) bound {
	if by, ok := g.known[a]; ok {
		return by
	}
	by := bound(nil)
	if s := g.c.defs[a]; s != nil {
		at := resultAt(s, a)
		switch op := s.Op.(type) {
		case *ir.Binary:
			by = g.binary(op)
		case *ir.If:
			by = g.of(op.Then.Results[at]).most(g.of(op.Else.Results[at]))
		case *ir.Select:
			by = g.of(op.X).most(g.of(op.Y))
		case *ir.Loop:
			if op.I != nil {
				turn := growth{g.c, map[ir.Atom]bound{op.Params[at]: {}}, bound{}}
				by = g.of(op.Init[at]).plus(turn.of(op.Body.Results[at]).times(g.c.number(op.Hi))).plus(turn.apart)
			}
		}
	}
	g.known[a] = by
	return by
}

func (g *growth) binary(op *ir.Binary) bound {
	k, ok := op.Y.(ir.Const)
	switch ok = ok && k.Type().Kind.IsInteger(); {
	case ok && op.Fn == ir.Add:
		return g.of(op.X).plus(exactly(float64(k.Int())))
	case ok && op.Fn == ir.Sub && k.Int() >= 0:
		return g.of(op.X)
	case op.Fn == ir.Min:
		if by := g.of(op.X); by != nil {
			return by
		}
		return g.of(op.Y)
	case op.Fn == ir.Max: // more room: what is needed, or twice of what there was, which is less
		if twice := g.c.computed(op.Y, ir.Mul); twice != nil && ir.IsInt(twice.Y, 2) && g.of(twice.X) != nil {
			g.apart = g.apart.most(g.c.number(op.X).scaled(2))
			return bound{}
		}
	}
	return nil
}
