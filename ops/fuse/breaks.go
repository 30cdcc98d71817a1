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
// indices and constants, so that they do not overflow. Likewise
//
//	s', k' = loop (s, k) init a lo while k < n && k + d < m { …; yield t k+1 }
//
// becomes
//
//	s' = loop (s) init a for k = lo to min n (m - d) { …; yield t }
//	k' = max lo (min n (m - d))
func breaks(f *ir.Func, names *ir.Namer) {
	if !holdsLoop(f) {
		return
	}
	g := f.Clone()
	lengths(g)
	simplify(g)
	b := &breaker{names: names, defs: analysis.Of(g.Body), small: map[ir.Atom]bool{}, used: map[*ir.Var]bool{},
		arithmetic: &hoister{positive: positives(g.Body)}}
	b.uses(g.Body)
	if b.block(g.Body); b.found {
		simplify(g)
		*f = *g
	}
}

type breaker struct {
	names *ir.Namer
	defs  analysis.Defs
	small map[ir.Atom]bool // the indices around the position that are lengths at most
	used  map[*ir.Var]bool // what something reads, or hands on
	found bool

	arithmetic *hoister // says what cannot fail
}

// uses notes what a block reads.
func (b *breaker) uses(block *ir.Block) {
	note := func(a ir.Atom) {
		if v, ok := a.(*ir.Var); ok {
			b.used[v] = true
		}
	}
	for _, s := range block.Stmts {
		for _, a := range ir.Operands(s.Op) {
			note(*a)
		}
		for _, c := range ir.Blocks(s.Op) {
			b.uses(c)
		}
	}
	for _, a := range block.Results {
		note(a)
	}
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
		if made, ok := s.Op.(*ir.Alloc); ok && !b.small[made.N] { // what there is memory for
			b.small[made.N] = true
			defer delete(b.small, made.N)
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
		case ir.Mul:
			of, c := factor(op)
			return depth < deepSum && c > 0 && b.isSmall(of, deepSum)
		}
	}
	return b.small[a]
}

// leaving is a loop that a condition leaves.
type leaving struct {
	*breaker
	s       *ir.Stmt
	loop    *ir.Loop
	k, n    ir.Atom // the counter, and what it goes up to, nil if only cond says so
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
	if loop.I != nil || loop.Cond == nil {
		return nil
	}
	if l := b.testing(s, loop); l != nil {
		return l
	}
	if len(loop.Cond.Stmts) != 3 {
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
		if b.used[s.Dst[i]] {
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

// testing reads a loop as one whose own condition compares its counter, and nothing else that changes.
func (b *breaker) testing(s *ir.Stmt, loop *ir.Loop) *leaving {
	l := &leaving{breaker: b, s: s, loop: loop, at: -1, own: analysis.Of(loop.Cond), cond: loop.Cond.Results[0], stays: loop.Body}
	body := analysis.Of(loop.Body)
	for i, p := range loop.Params {
		l.results = append(l.results, i)
		if !dependsOn(&ir.Stmt{Op: &ir.If{Cond: ir.BoolConst(true), Then: loop.Cond, Else: &ir.Block{}}}, map[*ir.Var]bool{p: true}) {
			continue
		}
		next, ok := body[loop.Body.Results[i]].(*ir.Binary)
		if !ok || l.at >= 0 || next.Fn != ir.Add || next.X != ir.Atom(p) || !ir.IsInt(next.Y, 1) || p.T != tInt {
			return nil
		}
		l.k, l.at, l.results[i] = p, i, -1
	}
	if l.at < 0 || !l.computes(loop.Cond) {
		return nil
	}
	return l
}

// computes reports whether a block is arithmetic that cannot fail, under conditions or not.
func (l *leaving) computes(b *ir.Block) bool {
	return !slices.ContainsFunc(b.Stmts, func(t *ir.Stmt) bool {
		if op, ok := t.Op.(*ir.If); ok {
			return !l.computes(op.Then) || !l.computes(op.Else)
		}
		return !l.arithmetic.movable(t.Op)
	})
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
	if l.n != nil && !l.isSmall(l.n, 0) || !l.isSmall(l.loop.Init[l.at], 0) {
		return false
	}
	l.small[l.k] = true
	all, ok := l.conditions(l.cond, l.holds)
	if !ok {
		return false
	}
	hi := l.n
	for _, c := range all {
		if first := l.first(e, c); hi == nil {
			hi = first
		} else {
			hi = e.bin(ir.Min, "hi", hi, first)
		}
	}
	counter := l.loop.Params[l.at]
	if l.used[l.s.Dst[l.at]] {
		e.stmt(&ir.Binary{Fn: ir.Max, X: l.loop.Init[l.at], Y: hi}, l.s.Dst[l.at])
	}
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
