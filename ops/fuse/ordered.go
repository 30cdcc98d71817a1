package fuse

import (
	"maps"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// ordered divides the loops at the top level that carry scalars and accumulate in the order of the source, mostly
// floats: what a turn computes without what the loop carries, where that is most of its work, becomes a Map, and what
// is left is a loop that reads it. No bit of the result changes, since the order does not. It is the splitting of a
// redomap of incremental flattening (its rule G9) for a function that is not associative.
//
//	s' = loop (s) init a for i = lo to hi { …; x = …; t = add s x; yield t }
//
// becomes
//
//	x' = map k < hi - lo { i = add lo k; …; x = …; yield x }
//	s' = loop (s) init a for k = 0 to hi - lo { x = index x' k; t = add s x; yield t }
//
// A loop whose turns are as many as a number says, not as something has elements, might need far more memory than the
// kernel has otherwise. It is done in strips of [stripTurns], with a loop over these around both.
func ordered(f *ir.Func, names *ir.Namer) {
	g := f.Clone()
	lengths(g)
	simplify(g)
	hoist(g, names)
	simplify(g)
	o := &orderer{names: names, reducer: reducer{defs: analysis.Of(g.Body), made: madeOf(g)}}
	if o.block(g.Body); o.found {
		simplify(g)
		*f = *g
	}
}

const (
	// storedMost is how many values of a turn are stored for the loop that accumulates.
	storedMost = 6
	// storedCost is what it costs to store one and to read it, in additions.
	storedCost = 3
)

// stripTurns is how many turns are done at a time where nothing has as many elements: enough to make the start of a
// parallel region worth it, few enough to stay in a cache. Tests make it smaller.
var stripTurns int64 = 1 << 16

// orderer divides loops of one function.
type orderer struct {
	names   *ir.Namer
	reducer reducer // knows what has a length
	found   bool
}

// block looks at the loops of a block that is at the top level, or in a loop there.
func (o *orderer) block(b *ir.Block) {
	stmts := b.Stmts
	b.Stmts = nil
	for _, s := range stmts {
		switch op := s.Op.(type) {
		case *ir.If:
			o.block(op.Then)
			o.block(op.Else)
		case *ir.Loop:
			if divided := o.divide(s, op); divided != nil {
				b.Stmts = append(b.Stmts, divided...)
				o.found = true
				continue
			}
			s = o.inTurns(s, op)
		}
		b.Stmts = append(b.Stmts, s)
	}
}

// inTurns divides the loops in the turns of one. A loop without operators stays as it is, unless the host program can
// run its turns then.
func (o *orderer) inTurns(s *ir.Stmt, loop *ir.Loop) *ir.Stmt {
	if holdsOperators(loop) {
		o.block(loop.Body)
		return s
	}
	turns := s.Clone(ir.Subst{}, o.names)
	turns.Dst = s.Dst
	inner := &orderer{names: o.names, reducer: o.reducer}
	inner.reducer.defs = maps.Clone(o.reducer.defs)
	maps.Copy(inner.reducer.defs, analysis.Of(&ir.Block{Stmts: []*ir.Stmt{turns}}))
	if inner.block(turns.Op.(*ir.Loop).Body); !inner.found || !turnwise(turns) {
		return s
	}
	o.found = true
	return turns
}

// divide returns what stands for a loop, nil if it stays as it is.
func (o *orderer) divide(s *ir.Stmt, loop *ir.Loop) []*ir.Stmt {
	if loop.I == nil || loop.Cond != nil || loop.Independent || len(loop.Params) == 0 || carriesSome(loop) || holdsOperators(loop) {
		return nil
	}
	p, ok := o.parts(s, loop)
	if !ok {
		return nil
	}
	work, left := weigh(p.first), weigh(p.second)+storedCost*float64(len(p.stored))
	if work < orderedCost || left > work/2 {
		return nil
	}
	var out []*ir.Stmt
	e := emitter{&resolver{names: o.names, defs: map[*ir.Var]*ir.Stmt{}}, &out, s.Pos}
	n := e.turns(loop)
	if o.reducer.counts(loop, atTop) {
		p.write(e, loop.Lo, n, loop.Init, s.Dst)
	} else {
		p.strips(e, n, stripTurns)
	}
	return out
}

// parts divides a turn of a loop into what does not depend on what the loop carries, and what does. It reports whether
// that can be, and there is something to store between the two, and not too much.
func (o *orderer) parts(s *ir.Stmt, loop *ir.Loop) (pieces, bool) {
	d := &division{names: o.names, needs: map[*ir.Var]bool{}, updates: carriesSome(loop)}
	for _, p := range loop.Params {
		d.needs[p] = true
	}
	body := loop.Body.Clone(ir.Subst{}, o.names)
	before, after, ok := d.split(body)
	second := &ir.Block{Stmts: after, Results: body.Results}
	p := pieces{o, s, loop, &ir.Block{Stmts: before}, second, crossing(before, second)}
	for _, v := range p.stored {
		ok = ok && v.T.Rank == 0
		p.first.Results = append(p.first.Results, v)
	}
	return p, ok && len(p.stored) > 0 && len(p.stored) <= storedMost
}

// division is the body of a loop on its way to two.
type division struct {
	names *ir.Namer
	needs map[*ir.Var]bool // what depends on what the loop carries

	updates bool // the loop updates arrays
}

// split returns the statements of a block that do not depend on what the loop carries, and those that do. A condition
// may be among both. It is no use, and ok false, if a check depends on it: all checks are made before.
func (d *division) split(b *ir.Block) (before, after []*ir.Stmt, ok bool) {
	for _, s := range b.Stmts {
		if !dependsOn(s, d.needs) {
			before = append(before, s)
			continue
		}
		if op, isIf := s.Op.(*ir.If); isIf && !d.depends(op.Cond) {
			one, two, ok := d.condition(s, op)
			if !ok {
				return nil, nil, false
			}
			before, after = append(before, one...), append(after, two)
			continue
		}
		if !mayWait(s, d.updates) || d.early(s) {
			return nil, nil, false
		}
		for _, v := range s.Dst {
			d.needs[v] = true
		}
		after = append(after, s)
	}
	return before, after, true
}

// early reports whether a statement checks an index that is known before what it is checked against: what else is done
// with that index before may rest on the check, as arithmetic that is narrower for it.
func (d *division) early(s *ir.Stmt) bool {
	c, ok := s.Op.(*ir.Check)
	return ok && c.Kind == ir.CheckIndex && !d.depends(c.Args[0])
}

func (d *division) depends(a ir.Atom) bool {
	v, ok := a.(*ir.Var)
	return ok && d.needs[v]
}

// condition divides an If whose condition does not depend on what the loop carries. before is empty if nothing in it is
// worth computing there.
func (d *division) condition(s *ir.Stmt, op *ir.If) (before []*ir.Stmt, after *ir.Stmt, ok bool) {
	early := &ir.If{Cond: op.Cond, Then: &ir.Block{}, Else: &ir.Block{}}
	late := &ir.If{Cond: op.Cond, Then: &ir.Block{}, Else: &ir.Block{}}
	var dst, lateDst []*ir.Var
	var parts [2]struct{ before, after []*ir.Stmt }
	for i, c := range []*ir.Block{op.Then, op.Else} {
		if parts[i].before, parts[i].after, ok = d.split(c); !ok {
			return nil, nil, false
		}
	}
	for i, v := range s.Dst {
		x, y := op.Then.Results[i], op.Else.Results[i]
		if !d.depends(x) && !d.depends(y) {
			dst = append(dst, v)
			early.Then.Results, early.Else.Results = append(early.Then.Results, x), append(early.Else.Results, y)
			continue
		}
		lateDst = append(lateDst, v)
		late.Then.Results, late.Else.Results = append(late.Then.Results, x), append(late.Else.Results, y)
		d.needs[v] = true
	}
	for i, c := range []*ir.Block{late.Then, late.Else} {
		mine, other := early.Then, early.Else
		if i == 1 {
			mine, other = other, mine
		}
		mine.Stmts = parts[i].before
		c.Stmts = parts[i].after
		sub := ir.Subst{}
		for _, v := range crossing(mine.Stmts, c) {
			if v.T.Rank > 0 {
				return nil, nil, false
			}
			x := d.names.Var(v.Name, v.T)
			sub[v] = x
			dst = append(dst, x)
			mine.Results, other.Results = append(mine.Results, v), append(other.Results, ir.Const{Kind: v.T.Kind})
		}
		substitute(c, sub)
	}
	if len(early.Then.Stmts)+len(early.Else.Stmts)+len(dst) > 0 {
		before = []*ir.Stmt{{Dst: dst, Op: early, Pos: s.Pos}}
	}
	return before, &ir.Stmt{Dst: lateDst, Op: late, Pos: s.Pos}, true
}

// mayWait reports whether a statement may be left for the loop that accumulates: it makes no arrays, updates some only
// where the loop does, and does not leave the function. Where a kernel fails in several places, it may fail with
// another of its errors than plain Go: the indices that wait are checked behind all else.
func mayWait(s *ir.Stmt, updates bool) bool {
	ok := true
	ir.Walk(&ir.Block{Stmts: []*ir.Stmt{s}}, func(s *ir.Stmt) {
		switch op := s.Op.(type) {
		case *ir.Check:
			ok = ok && (op.Kind == ir.CheckIndex || op.Op == appendOp)
		case *ir.Alloc:
			ok = false
		case *ir.Update, *ir.Grow:
			ok = ok && updates
		}
	})
	return ok
}

// crossing returns the variables that statements bind at their own level and a block uses, in order.
func crossing(stmts []*ir.Stmt, b *ir.Block) (all []*ir.Var) {
	bound := map[*ir.Var]bool{}
	for _, s := range stmts {
		for _, v := range s.Dst {
			bound[v] = true
		}
	}
	for _, v := range ir.Free(b) {
		if bound[v] {
			all = append(all, v)
		}
	}
	return all
}

// pieces are the two parts of a loop.
type pieces struct {
	*orderer
	s             *ir.Stmt
	loop          *ir.Loop
	first, second *ir.Block
	stored        []*ir.Var // what the first yields and the second reads
}

// write writes the Map and the loop for n turns from lo on.
func (p *pieces) write(e emitter, lo, n ir.Atom, init []ir.Atom, dst []*ir.Var) {
	k, body := p.names.Var("k", tInt), &ir.Block{}
	i := e.into(body).bin(ir.Add, "i", lo, k)
	c := p.first.Clone(ir.Subst{p.loop.I: i}, p.names)
	body.Stmts, body.Results = append(body.Stmts, c.Stmts...), c.Results
	var xs []*ir.Var
	for _, v := range p.stored {
		xs = append(xs, p.names.Var(v.Name, v.T.Array()))
	}
	e.stmt(&ir.Map{N: n, I: k, Body: body}, xs...)

	then := &ir.Loop{I: p.names.Var("k", tInt), Lo: ir.IntConst(ir.Int, 0), Hi: n, Init: init, Body: &ir.Block{}}
	in := e.into(then.Body)
	sub := ir.Subst{p.loop.I: in.bin(ir.Add, "i", lo, then.I)}
	for j, v := range p.stored {
		sub[v] = in.let(v.Name, v.T, &ir.Index{X: xs[j], I: then.I})
	}
	for _, v := range p.loop.Params {
		x := p.names.Var(v.Name, v.T)
		sub[v], then.Params = x, append(then.Params, x)
	}
	c = p.second.Clone(sub, p.names)
	then.Body.Stmts, then.Body.Results = append(then.Body.Stmts, c.Stmts...), c.Results
	e.stmt(then, dst...)
}

// strips writes a loop over strips of most turns each, for n turns.
func (p *pieces) strips(e emitter, n ir.Atom, most int64) {
	size := ir.IntConst(ir.Int, most)
	rest := e.bin(ir.Rem, "rest", n, size)
	more := e.choose("more", e.bin(ir.Lt, "some", ir.IntConst(ir.Int, 0), rest), ir.IntConst(ir.Int, 1), ir.IntConst(ir.Int, 0))
	strips := e.bin(ir.Add, "strips", e.bin(ir.Div, "whole", n, size), more)
	over := &ir.Loop{I: p.names.Var("strip", tInt), Lo: ir.IntConst(ir.Int, 0), Hi: strips, Init: p.loop.Init, Body: &ir.Block{}}
	in := e.into(over.Body)
	done := in.bin(ir.Mul, "done", over.I, size)
	turns := in.let("turns", tInt, &ir.Binary{Fn: ir.Min, X: size, Y: in.bin(ir.Sub, "left", n, done)})
	var init []ir.Atom
	var dst []*ir.Var
	for _, v := range p.loop.Params {
		x, y := p.names.Var(v.Name, v.T), p.names.Var(v.Name, v.T)
		over.Params, init = append(over.Params, x), append(init, x)
		dst, over.Body.Results = append(dst, y), append(over.Body.Results, y)
	}
	p.write(in, in.bin(ir.Add, "first", p.loop.Lo, done), turns, init, dst)
	e.stmt(over, p.s.Dst...)
}
