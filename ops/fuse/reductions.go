package fuse

import (
	"math"
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// reductions makes Reduces of the loops at the top level that accumulate: each turn combines what the loop carries with
// something that does not depend on it, by a function for which neither the order nor the grouping matters, to the bit.
// These are the sums, products, extremes and bits of integers, conditions, and the extremes of floats; sums of floats
// stay in the order of the source, unless it permits others ([ir.Func.Reassociate]).
//
//	s = loop (p) init a for i = lo to hi { …; q = if c { r = add p x; yield r } else { yield p }; yield q }
//
// becomes
//
//	s = reduce k < hi - lo init a { i = add lo k; …; y = if c { yield x } else { yield 0 }; yield y } combine add
//
// The same is done inside of loops at the top whose turns have operators already, and in the elements of operators,
// those of the Reduces made here among them: there of loops that begin with a constant and have more than a few turns,
// and of others only where the source permits another order.
func reductions(f *ir.Func, names *ir.Namer) {
	if !holdsLoop(f) {
		return
	}
	g := f.Clone()
	lengths(g)
	simplify(g)
	hoist(g, names)
	simplify(g)
	r := &reducer{names: names, defs: analysis.Of(g.Body), arrays: lifetimesOf(g.Body), made: madeOf(g), floats: f.Reassociate}
	if r.block(g.Body, atTop); r.found {
		*f = *g
	}
}

func holdsLoop(f *ir.Func) bool {
	found := false
	ir.Walk(f.Body, func(s *ir.Stmt) {
		_, ok := s.Op.(*ir.Loop)
		found = found || ok
	})
	return found
}

// reducer makes Reduces of the loops of one function.
type reducer struct {
	names  *ir.Namer
	defs   analysis.Defs
	arrays *lifetimes
	made   map[ir.Atom]bool // lengths of arrays
	floats bool             // float sums and products may be taken in any order
	found  bool
}

// around is what is around a block.
type around int

const (
	atTop   around = iota // nothing but conditions
	inTurns               // loops, with operators in them
	within                // an operator
)

func (r *reducer) block(b *ir.Block, where around) {
	stmts := b.Stmts
	b.Stmts = nil
	e := emitter{r: &resolver{names: r.names, defs: map[*ir.Var]*ir.Stmt{}}}.into(b)
	for _, s := range stmts {
		e.pos = s.Pos
		loop, isLoop := s.Op.(*ir.Loop)
		_, isIf := s.Op.(*ir.If)
		inner := where
		if isLoop && where != within && r.counts(loop, where) {
			known(e, loop.Body, map[ir.Atom]ir.Op{})
			dropDead(loop.Body)
		}
		switch {
		case isLoop && where != within && r.validates(e, loop):
			r.found = true
			continue
		case isLoop && r.counts(loop, where) && r.arrays.keep(s) && (r.accumulates(e, s, loop) || where != within && (r.privatises(e, s, loop) || r.searches(e, s, loop))):
			r.found = true
			continue
		case isLoop && where != within:
			inner = inTurns
			if !holdsOperators(loop) && !r.floats {
				inner = -1
			}
		case !isLoop && !isIf:
			inner = within
		}
		if inner >= 0 {
			for _, c := range ir.Blocks(s.Op) {
				r.block(c, inner)
			}
		}
		b.Stmts = append(b.Stmts, s)
	}
}

// counts reports whether a loop counts, outside of operators through as many turns as something has elements: a Reduce
// of as many turns as a number says could not be stopped.
func (r *reducer) counts(loop *ir.Loop, where around) bool {
	if len(loop.Params) == 0 {
		return false
	}
	return r.countsTurns(loop, where)
}

// countsTurns is counts for a loop that need not carry anything.
func (r *reducer) countsTurns(loop *ir.Loop, where around) bool {
	if loop.I == nil {
		return false
	}
	lo, ok := loop.Lo.(ir.Const)
	if where == within {
		return r.floats || ok && lo.Int() >= 0 && !fewTurns(loop, 1)
	}
	return r.measured(loop.Hi) && ok && lo.Int() >= 0 // so that hi - lo does not overflow
}

// measured reports whether a is the length of something, less than one, or more by a constant or another length.
func (r *reducer) measured(a ir.Atom) bool {
	short := func(a ir.Atom) bool {
		c, ok := a.(ir.Const)
		return ok && c.Int() <= farthest || r.measured(a)
	}
	if r.made[a] {
		return true
	}
	switch op := r.defs[a].(type) {
	case *ir.Len:
		return true
	case *ir.Binary:
		switch op.Fn {
		case ir.Sub, ir.Div, ir.Min:
			return r.measured(op.X)
		case ir.Add, ir.Max:
			return r.measured(op.X) && short(op.Y)
		}
	}
	return false
}

// madeOf returns the lengths that the arrays of a function are made with, and those of its inputs that it is given.
func madeOf(f *ir.Func) map[ir.Atom]bool {
	made := map[ir.Atom]bool{}
	for _, v := range f.Params[len(f.Params)-f.Sizes:] {
		made[v] = true
	}
	ir.Walk(f.Body, func(s *ir.Stmt) {
		switch op := s.Op.(type) {
		case *ir.Alloc:
			made[op.N] = true
		case *ir.Map:
			made[op.N] = true
		}
	})
	return made
}

// accumulates writes the Reduce of a loop, or nothing if it is none.
func (r *reducer) accumulates(e emitter, s *ir.Stmt, loop *ir.Loop) bool {
	if carriesSome(loop) {
		return false
	}
	conditions(e, loop.Body, map[ir.Atom]*ir.Binary{})
	dropDead(loop.Body)
	a := accumulation{floats: r.floats, of: map[ir.Atom]int{}, by: make([]ir.BinaryFn, len(loop.Params)),
		compared: map[ir.Atom]comparison{}, rises: map[int]*rising{}, chosen: map[ir.Atom]choice{}}
	for i, p := range loop.Params {
		a.of[p] = i
	}
	if !a.find(loop.Body) || !a.settled() || len(a.rises) > 0 && holdsOperators(loop) {
		return false
	}
	for i, r := range loop.Body.Results {
		if at, ok := a.of[r]; !ok || at != i || a.by[i] == "" {
			return false
		}
	}
	n := loop.Hi
	if _, isLen := r.defs[n].(*ir.Len); !isLen || !ir.IsInt(loop.Lo, 0) {
		n = e.turns(loop)
	}
	k, body := e.r.names.Var("k", tInt), &ir.Block{}
	body.Results = a.turn(e.into(body), loop, k)
	comb := &ir.Lambda{Body: &ir.Block{}}
	inComb := e.into(comb.Body)
	var xs, ys []*ir.Var
	init, dst := slices.Clone(loop.Init), slices.Clone(s.Dst)
	for i, p := range loop.Params {
		if a.rises[i] != nil {
			init[i], dst[i] = a.identity(a.by[i], p.T.Kind), e.r.names.Var("extreme", p.T)
		}
		xs, ys = append(xs, e.r.names.Var("a", p.T)), append(ys, e.r.names.Var("b", p.T))
		comb.Body.Results = append(comb.Body.Results, inComb.let("c", p.T, &ir.Binary{Fn: a.by[i], X: xs[i], Y: ys[i]}))
	}
	comb.Params = append(xs, ys...)
	r.block(body, within)
	e.stmt(&ir.Reduce{N: n, I: k, Body: body, Comb: comb, Init: init}, dst...)
	for i, d := range dst {
		if a.rises[i] != nil {
			a.settle(e, loop, n, i, d, s.Dst[i])
		}
	}
	return true
}

// turns is how many turns a counted loop has. A distance that int cannot hold is taken as the largest int: nobody waits
// for the end of so many turns, and the first ones fail as they do in plain Go.
func (e emitter) turns(loop *ir.Loop) ir.Atom {
	n := e.bin(ir.Sub, "n", loop.Hi, loop.Lo)
	if lo, ok := loop.Lo.(ir.Const); !ok || lo.Int() < 0 {
		most := ir.IntConst(ir.Int, math.MaxInt64)
		n = e.choose("n", e.bin(ir.Lt, "far", n, ir.IntConst(ir.Int, 0)), most, n)
	}
	return e.choose("n", e.bin(ir.Lt, "some", loop.Lo, loop.Hi), n, ir.IntConst(ir.Int, 0))
}
