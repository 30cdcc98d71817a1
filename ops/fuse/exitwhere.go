package fuse

import (
	"math"
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// exitWhere says that the counter leaves the loop where x, which has it with a factor of times and nothing else that
// changes, is as fn says of y.
type exitWhere struct {
	fn    ir.BinaryFn
	x, y  ir.Atom
	times int64
}

// conditions collects those of which one has to hold for a condition to hold, or not to. Each has to hold for good
// from some counter on, and what is compared has to be small; ok is false if that is not so.
func (l *leaving) conditions(cond ir.Atom, holds bool) (all []exitWhere, ok bool) {
	switch op := l.own[cond].(type) {
	case *ir.If: // the second condition is asked where the first one holds
		if len(op.Else.Results) == 1 && op.Else.Results[0] == ir.Atom(ir.BoolConst(false)) && !holds {
			all, ok = l.conditions(op.Cond, holds)
			more, also := l.conditions(op.Then.Results[0], holds)
			return append(all, more...), ok && also
		}
	case *ir.Unary:
		if op.Fn == ir.Not {
			return l.conditions(op.X, !holds)
		}
	case *ir.Binary:
		if op.Fn == ir.Or && holds || op.Fn == ir.And && !holds {
			all, ok = l.conditions(op.X, holds)
			more, also := l.conditions(op.Y, holds)
			return append(all, more...), ok && also
		}
		c := exitWhere{fn: op.Fn, x: op.X, y: op.Y}
		if op.Fn == ir.Lt && !holds && op.X == l.k && l.times(op.Y) == 0 { // up to any number: nothing is added to it
			c.fn, c.times = ir.Ge, 1
			return []exitWhere{c}, true
		}
		if _, compares := mirrored[op.Fn]; !compares || op.X.Type() != tInt || !l.isSmall(op.X, 0) || !l.isSmall(op.Y, 0) {
			return nil, false
		}
		if !holds {
			c.fn = contrary[c.fn]
		}
		if l.times(c.x) == 0 {
			c.fn, c.x, c.y = mirrored[c.fn], c.y, c.x
		}
		c.times = l.times(c.x)
		up := c.times > 0 && (c.fn == ir.Ge || c.fn == ir.Gt)
		down := c.times < 0 && (c.fn == ir.Le || c.fn == ir.Lt)
		from, known := l.loop.Init[l.at].(ir.Const)
		ok = c.times == 1 || c.times == -1 || c.times != unknownTimes && known && from.Int() >= 0
		return []exitWhere{c}, ok && l.times(c.y) == 0 && (up || down)
	}
	return nil, false
}

// unknownTimes is the factor of the counter where nobody knows it, and mostTimes the greatest one that counts as small.
const unknownTimes, mostTimes = math.MaxInt64, 1 << 20

// times is the factor of the counter in a value.
func (l *leaving) times(a ir.Atom) int64 {
	if a == l.k {
		return 1
	}
	switch op := l.own[a].(type) {
	case nil:
		return 0
	case *ir.Len:
		if _, own := l.own[op.X]; !own && !slices.Contains(l.loop.Params, op.X.(*ir.Var)) {
			return 0
		}
	case *ir.Binary:
		x, y := l.times(op.X), l.times(op.Y)
		switch {
		case x == unknownTimes || y == unknownTimes:
		case x == 0 && y == 0:
			return 0
		case op.Fn == ir.Add:
			return x + y
		case op.Fn == ir.Sub:
			return x - y
		case op.Fn == ir.Mul:
			if of, c := factor(op); c > 0 && l.times(of) == 1 {
				return c
			}
		}
	}
	return unknownTimes
}

// without is a value without the counter, written before the loop.
func (l *leaving) without(e emitter, a ir.Atom) ir.Atom {
	if a == l.k {
		return ir.IntConst(ir.Int, 0)
	}
	switch op := l.own[a].(type) {
	case *ir.Len:
		return e.let("n", tInt, &ir.Len{X: op.X})
	case *ir.Binary:
		return e.bin(op.Fn, "t", l.without(e, op.X), l.without(e, op.Y))
	}
	return a
}

// first is the least counter for which a comparison holds.
func (l *leaving) first(e emitter, c exitWhere) ir.Atom {
	rest, y := l.without(e, c.x), l.without(e, c.y)
	from, strict := e.bin(ir.Sub, "end", y, rest), c.fn == ir.Gt
	if c.times < 0 {
		from, strict = e.bin(ir.Sub, "end", rest, y), c.fn == ir.Lt
	}
	if strict {
		from = e.bin(ir.Add, "end", from, ir.IntConst(ir.Int, 1))
	}
	if d := max(c.times, -c.times); d > 1 { // the counter is not negative
		return e.ceilDiv(e.bin(ir.Max, "end", from, ir.IntConst(ir.Int, 0)), ir.IntConst(ir.Int, d))
	}
	return from
}

// factor returns what a product multiplies by a constant that what is small may be multiplied by, and that; 0 if it is
// none of that kind.
func factor(op *ir.Binary) (of ir.Atom, c int64) {
	for _, way := range [][2]ir.Atom{{op.X, op.Y}, {op.Y, op.X}} {
		if c, ok := way[1].(ir.Const); ok && c.Int() > 0 && c.Int() <= mostTimes {
			return way[0], c.Int()
		}
	}
	return nil, 0
}
