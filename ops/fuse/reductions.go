package fuse

import (
	"math"

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
// those of the Reduces made here among them: there of loops from zero on that have more than a few turns, and of others
// only where the source permits another order.
func reductions(f *ir.Func, names *ir.Namer) {
	if !holdsLoop(f) {
		return
	}
	g := f.Clone()
	lengths(g)
	simplify(g)
	hoist(g, names)
	simplify(g)
	r := &reducer{names: names, defs: analysis.Of(g.Body), arrays: lifetimesOf(g.Body), made: madeOf(g.Body), floats: f.Reassociate}
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
	if loop.I == nil || len(loop.Params) == 0 {
		return false
	}
	if where == within {
		return r.floats || ir.IsInt(loop.Lo, 0) && !fewTurns(loop, 1)
	}
	lo, ok := loop.Lo.(ir.Const)
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

// madeOf returns the lengths that the arrays of a block are made with.
func madeOf(b *ir.Block) map[ir.Atom]bool {
	made := map[ir.Atom]bool{}
	ir.Walk(b, func(s *ir.Stmt) {
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
	a := accumulation{floats: r.floats, of: map[ir.Atom]int{}, by: make([]ir.BinaryFn, len(loop.Params))}
	for i, p := range loop.Params {
		a.of[p] = i
	}
	if !a.find(loop.Body) {
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
	in := e.into(body)
	a.parts = &standins{names: e.r.names, sub: ir.Subst{loop.I: in.bin(ir.Add, "i", loop.Lo, k)}, now: map[ir.Atom]ir.Atom{},
		stands: func(v *ir.Var) bool { return a.carries(v) }, stmt: a.write}
	for i, p := range loop.Params {
		a.parts.now[p] = a.identity(a.by[i], p.T.Kind)
	}
	a.parts.block(in, loop.Body)
	comb := &ir.Lambda{Body: &ir.Block{}}
	inComb := e.into(comb.Body)
	var xs, ys []*ir.Var
	for i, p := range loop.Params {
		body.Results = append(body.Results, a.parts.value(loop.Body.Results[i]))
		xs, ys = append(xs, e.r.names.Var("a", p.T)), append(ys, e.r.names.Var("b", p.T))
		comb.Body.Results = append(comb.Body.Results, inComb.let("c", p.T, &ir.Binary{Fn: a.by[i], X: xs[i], Y: ys[i]}))
	}
	comb.Params = append(xs, ys...)
	r.block(body, within)
	e.stmt(&ir.Reduce{N: n, I: k, Body: body, Comb: comb, Init: loop.Init}, s.Dst...)
	return true
}

// accumulation is what is known of the values in the body of a loop that are p ⊕ x for something p that it carries.
type accumulation struct {
	of    map[ir.Atom]int // such values → which p
	by    []ir.BinaryFn   // the ⊕ of each p, "" as long as none is known
	parts *standins       // for such values, their x

	floats bool // sums and products of floats may be taken in any order
}

// find finds such values in a block, and reports whether nothing else depends on what the loop carries.
func (a *accumulation) find(b *ir.Block) bool {
	for _, s := range b.Stmts {
		switch op := s.Op.(type) {
		case *ir.Binary:
			x, okX := a.of[op.X]
			y, okY := a.of[op.Y]
			switch {
			case !okX && !okY:
			case okX && okY || okY && op.Fn == ir.Sub || !a.combines(max(x, y), op.Fn, op.X.Type().Kind):
				return false
			default:
				a.of[s.Dst[0]] = max(x, y)
			}
			continue
		case *ir.Select:
			if !a.either(s.Dst[0], op.X, op.Y) || a.carries(op.Cond) {
				return false
			}
			continue
		case *ir.If:
			if a.carries(op.Cond) || !a.find(op.Then) || !a.find(op.Else) {
				return false
			}
			for i, d := range s.Dst {
				if !a.either(d, op.Then.Results[i], op.Else.Results[i]) {
					return false
				}
			}
			continue
		case *ir.Loop:
			if !a.findLoop(s, op) {
				return false
			}
			continue
		}
		inside := map[*ir.Var]bool{}
		for v := range a.of {
			inside[v.(*ir.Var)] = true
		}
		if dependsOn(s, inside) {
			return false
		}
	}
	return true
}

func (a *accumulation) carries(x ir.Atom) bool { _, ok := a.of[x]; return ok }

// either notes that d is x or y, and reports whether both come from the same, or none from anything.
func (a *accumulation) either(d *ir.Var, x, y ir.Atom) bool {
	i, okX := a.of[x]
	j, okY := a.of[y]
	if okX {
		a.of[d] = i
	}
	return okX == okY && i == j
}

// findLoop looks into a loop that may carry on what the one around it carries.
func (a *accumulation) findLoop(s *ir.Stmt, loop *ir.Loop) bool {
	if loop.I != nil && (a.carries(loop.Lo) || a.carries(loop.Hi)) {
		return false
	}
	for i, p := range loop.Params {
		if at, ok := a.of[loop.Init[i]]; ok {
			a.of[p], a.of[s.Dst[i]] = at, at
		}
	}
	if loop.Cond != nil && (!a.find(loop.Cond) || a.carries(loop.Cond.Results[0])) || !a.find(loop.Body) {
		return false
	}
	for i, p := range loop.Params {
		at, ok := a.of[p]
		if was, is := a.of[loop.Body.Results[i]]; is != ok || was != at {
			return false
		}
	}
	return true
}

// combines notes that what is carried at position i is combined by fn, and reports whether it can be in any order.
func (a *accumulation) combines(i int, fn ir.BinaryFn, k ir.Kind) bool {
	if fn == ir.Sub {
		fn = ir.Add
	}
	if a.identity(fn, k) == nil || a.by[i] != "" && a.by[i] != fn {
		return false
	}
	a.by[i] = fn
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

// identity is [identity] where sums and products of floats may be taken in another order as well.
func (a *accumulation) identity(fn ir.BinaryFn, k ir.Kind) ir.Atom {
	switch {
	case !a.floats || !k.IsFloat():
	case fn == ir.Add:
		return ir.FloatConst(k, 0)
	case fn == ir.Mul:
		return ir.FloatConst(k, 1)
	}
	return identity(fn, k)
}

// identity returns the value that combines with every other one of a kind to that other one, nil if the order matters.
func identity(fn ir.BinaryFn, k ir.Kind) ir.Atom {
	switch {
	case k == ir.Bool:
		switch fn {
		case ir.And:
			return ir.BoolConst(true)
		case ir.Or:
			return ir.BoolConst(false)
		}
	case k.IsFloat():
		switch fn {
		case ir.Min, ir.FMin:
			return ir.FloatConst(k, math.Inf(1))
		case ir.Max, ir.FMax:
			return ir.FloatConst(k, math.Inf(-1))
		}
	default:
		least, most := int64(-1)<<(8*k.Bytes()-1), int64(1)<<(8*k.Bytes()-1)-1
		if k.IsUnsigned() {
			least, most = 0, -1
		}
		switch fn {
		case ir.Add, ir.Or, ir.Xor:
			return ir.IntConst(k, 0)
		case ir.Mul:
			return ir.IntConst(k, 1)
		case ir.And:
			return ir.IntConst(k, -1)
		case ir.Min:
			return ir.IntConst(k, most)
		case ir.Max:
			return ir.IntConst(k, least)
		}
	}
	return nil
}

// write writes what a statement is for the parts, where it is not a copy of it.
func (a *accumulation) write(e emitter, s *ir.Stmt) bool {
	if len(s.Dst) != 1 || !a.carries(s.Dst[0]) {
		return false
	}
	switch op := s.Op.(type) {
	case *ir.Binary:
		a.parts.now[s.Dst[0]] = a.combine(e, a.of[s.Dst[0]], op)
		return true
	case *ir.Select:
		a.parts.now[s.Dst[0]] = e.let("x", s.Dst[0].T, &ir.Select{Cond: a.parts.value(op.Cond), X: a.parts.value(op.X), Y: a.parts.value(op.Y)})
		return true
	}
	return false
}

// combine writes the part of p ⊕ x ⊕ y.
func (a *accumulation) combine(e emitter, i int, op *ir.Binary) ir.Atom {
	x, y := op.X, op.Y
	if a.carries(y) {
		x, y = y, x
	}
	part, more := a.parts.value(x), a.parts.value(y)
	if op.Fn == ir.Sub {
		return e.bin(ir.Sub, "x", part, more)
	}
	if part == a.identity(a.by[i], x.Type().Kind) {
		return more
	}
	return e.bin(a.by[i], "x", part, more)
}
