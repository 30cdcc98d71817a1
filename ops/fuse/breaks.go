package fuse

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// breaks ends loops where a condition on their counter leaves them, once it holds for good: a filter that breaks off at
// the beginning of a signal, a window at its end.
//
//	s', broke', k' = loop (s, broke, k) init a false lo while !broke && k < n {
//	  j = sub i k; c = lt j 0
//	  s2, broke2 = if c { yield s true } else { …; yield t false }
//	  yield s2 broke2 k+1
//	}
//
// becomes
//
//	s' = loop (s) init a for k = lo to min n (i + 1) { j = sub i k; …; yield t }
//
// where nobody asks for broke' and k', and nothing before the condition can fail. What is compared are sums of lengths,
// indices and constants, so that they do not overflow.
func breaks(f *ir.Func, names *ir.Namer) {
	if !holdsLoop(f) {
		return
	}
	g := f.Clone()
	lengths(g)
	simplify(g)
	b := &breaker{names: names, f: g, defs: analysis.Of(g.Body), small: map[ir.Atom]bool{}, arithmetic: &hoister{positive: positives(g.Body)}}
	if b.block(g.Body); b.found {
		simplify(g)
		*f = *g
	}
}

type breaker struct {
	names *ir.Namer
	f     *ir.Func
	defs  analysis.Defs
	small map[ir.Atom]bool // the indices around the position that are lengths at most
	found bool

	arithmetic *hoister // says what cannot fail
}

func (b *breaker) block(block *ir.Block) {
	stmts := block.Stmts
	block.Stmts = nil
	for _, s := range stmts {
		if i := indexOf(s.Op); i != nil {
			b.small[i] = true
		}
		loop, isLoop := s.Op.(*ir.Loop)
		if isLoop && loop.I != nil {
			b.small[loop.I] = b.isSmall(loop.Lo, 0) && b.isSmall(loop.Hi, 0)
		}
		for _, c := range ir.Blocks(s.Op) {
			b.block(c)
		}
		if isLoop {
			e := emitter{&resolver{names: b.names, defs: map[*ir.Var]*ir.Stmt{}}, &block.Stmts, s.Pos}
			if left := b.leaving(s, loop); left != nil && left.end(e) {
				b.found = true
				continue
			}
		}
		block.Stmts = append(block.Stmts, s)
	}
}

// deepSum is how many additions a value has at most that is known to be small.
const deepSum = 4

// isSmall reports whether a is a sum of a few lengths, indices below one and constants.
func (b *breaker) isSmall(a ir.Atom, depth int) bool {
	if c, ok := a.(ir.Const); ok {
		return c.Int() <= farthest && c.Int() >= -farthest
	}
	switch op := b.defs[a].(type) {
	case *ir.Len:
		return true
	case *ir.Binary:
		switch op.Fn {
		case ir.Add, ir.Sub, ir.Min, ir.Max:
			return depth < deepSum && b.isSmall(op.X, depth+1) && b.isSmall(op.Y, depth+1)
		}
	}
	return b.small[a]
}

// leaving is a loop that a condition leaves.
type leaving struct {
	*breaker
	s       *ir.Stmt
	loop    *ir.Loop
	k, n    ir.Atom // the counter, and what it goes up to
	at      int     // where the loop carries the counter
	before  []*ir.Stmt
	own     map[ir.Atom]ir.Op // what the turn computes before the condition
	cond    ir.Atom
	holds   bool // the condition leaves the loop where it holds
	stays   *ir.Block
	results []int // what the condition yields of each that the loop carries, -1 for the counter and whether it was left
}

// leaving reads a loop as one, nil if it is another one.
func (b *breaker) leaving(s *ir.Stmt, loop *ir.Loop) *leaving {
	if loop.I != nil || loop.Cond == nil || len(loop.Cond.Stmts) != 3 {
		return nil
	}
	defs := analysis.Of(loop.Cond)
	both, ok := defs[loop.Cond.Results[0]].(*ir.Binary)
	if !ok || both.Fn != ir.And {
		return nil
	}
	going, ok1 := defs[both.X].(*ir.Unary)
	more, ok2 := defs[both.Y].(*ir.Binary)
	if !ok1 || !ok2 || going.Fn != ir.Not || more.Fn != ir.Lt || more.X.Type() != tInt {
		return nil
	}
	index := func(a ir.Atom) int {
		return slices.IndexFunc(loop.Params, func(p *ir.Var) bool { return ir.Atom(p) == a })
	}
	l := &leaving{breaker: b, s: s, loop: loop, k: more.X, n: more.Y, at: index(more.X), own: map[ir.Atom]ir.Op{}}
	broke := index(going.X)
	if l.at < 0 || broke < 0 || index(l.n) >= 0 || defs[l.n] != nil || len(loop.Params) < 3 || loop.Init[broke] != ir.Atom(ir.BoolConst(false)) {
		return nil
	}
	for _, i := range []int{l.at, broke} {
		if usesIn(b.f.Body, s.Dst[i]) > 0 {
			return nil
		}
	}
	var choice *ir.If
	for _, t := range loop.Body.Stmts {
		if len(t.Dst) == 1 && loop.Body.Results[l.at] == ir.Atom(t.Dst[0]) {
			sum, ok := t.Op.(*ir.Binary)
			if !ok || sum.Fn != ir.Add || sum.X != l.k || !ir.IsInt(sum.Y, 1) || usesIn(loop.Body, t.Dst[0]) != 1 {
				return nil
			}
			continue
		}
		if op, ok := t.Op.(*ir.If); ok && choice == nil {
			choice = op
			if !l.leaves(t, op, broke) {
				return nil
			}
			continue
		}
		if _, read := t.Op.(*ir.Index); choice != nil || len(t.Dst) != 1 || !read && !b.arithmetic.movable(t.Op) {
			return nil // a read is without a check here
		}
		l.before, l.own[t.Dst[0]] = append(l.before, t), t.Op
	}
	if choice == nil {
		return nil
	}
	return l
}

// leaves reads what a condition yields, one way all that the loop carries, as it is, and that it is left.
func (l *leaving) leaves(t *ir.Stmt, op *ir.If, broke int) bool {
	l.cond, l.results = op.Cond, make([]int, len(l.loop.Params))
	exit := op.Then
	l.holds, l.stays = true, op.Else
	at := slices.IndexFunc(t.Dst, func(d *ir.Var) bool { return ir.Atom(d) == l.loop.Body.Results[broke] })
	if at < 0 {
		return false
	}
	if exit.Results[at] != ir.Atom(ir.BoolConst(true)) {
		exit, l.holds, l.stays = op.Else, false, op.Then
	}
	if len(exit.Stmts) > 0 || exit.Results[at] != ir.Atom(ir.BoolConst(true)) || l.stays.Results[at] != ir.Atom(ir.BoolConst(false)) {
		return false
	}
	for i, p := range l.loop.Params {
		l.results[i] = -1
		if i == l.at || i == broke {
			continue
		}
		k := slices.IndexFunc(t.Dst, func(d *ir.Var) bool { return ir.Atom(d) == l.loop.Body.Results[i] })
		if k < 0 || exit.Results[k] != ir.Atom(p) {
			return false
		}
		l.results[i] = k
	}
	return !slices.ContainsFunc(t.Dst, func(d *ir.Var) bool { return usesIn(l.loop.Body, d) != 1 })
}

// end writes the loop that ends where the condition leaves it, if it is known where that is.
func (l *leaving) end(e emitter) bool {
	if !l.isSmall(l.n, 0) || !l.isSmall(l.loop.Init[l.at], 0) {
		return false
	}
	l.small[l.k] = true
	all, ok := l.conditions(l.cond, l.holds)
	if !ok {
		return false
	}
	hi := l.n
	for _, c := range all {
		hi = e.bin(ir.Min, "hi", hi, l.first(e, c))
	}
	counter := l.loop.Params[l.at]
	to := &ir.Loop{I: counter, Lo: l.loop.Init[l.at], Hi: hi, Body: &ir.Block{Stmts: slices.Concat(l.before, l.stays.Stmts)}}
	var dst []*ir.Var
	for i, k := range l.results {
		if k >= 0 {
			to.Params, to.Init, dst = append(to.Params, l.loop.Params[i]), append(to.Init, l.loop.Init[i]), append(dst, l.s.Dst[i])
			to.Body.Results = append(to.Body.Results, l.stays.Results[k])
		}
	}
	e.stmt(to, dst...)
	return true
}

// exitWhere says that the counter leaves the loop where x, which has it with a factor of times and nothing else that
// changes, is as fn says of y.
type exitWhere struct {
	fn    ir.BinaryFn
	x, y  ir.Atom
	times int
}

// conditions collects those of which one has to hold for a condition to hold, or not to. Each has to hold for good
// from some counter on, and what is compared has to be small; ok is false if that is not so.
func (l *leaving) conditions(cond ir.Atom, holds bool) (all []exitWhere, ok bool) {
	switch op := l.own[cond].(type) {
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
		up := c.times == 1 && (c.fn == ir.Ge || c.fn == ir.Gt)
		down := c.times == -1 && (c.fn == ir.Le || c.fn == ir.Lt)
		return []exitWhere{c}, l.times(c.y) == 0 && (up || down)
	}
	return nil, false
}

// unknownTimes is the factor of the counter where nobody knows it.
const unknownTimes = 9

// times is the factor of the counter in a value.
func (l *leaving) times(a ir.Atom) int {
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
		case op.Fn == ir.Add:
			return x + y
		case op.Fn == ir.Sub:
			return x - y
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
		return e.bin(ir.Add, "end", from, ir.IntConst(ir.Int, 1))
	}
	return from
}
