package fuse

import (
	"maps"
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// choose puts what write writes, under a condition, in the place of a loop, which is statement at of a block, and which
// stays for where the condition does not hold. It moves at to the statement that the loop is then.
func (t *turnLoop) choose(b *ir.Block, at *int, condition func(e emitter) ir.Atom, write func(e emitter, then *ir.Block)) {
	var before []*ir.Stmt
	e := emitter{&resolver{names: t.names, defs: map[*ir.Var]*ir.Stmt{}}, &before, t.s.Pos}
	ok := condition(e)
	then := &ir.Block{}
	write(e.into(then), then)
	old := &ir.Stmt{Op: t.op, Pos: t.s.Pos}
	for _, d := range t.s.Dst {
		old.Dst = append(old.Dst, t.names.Var(d.Name, d.T))
	}
	els := &ir.Block{Stmts: []*ir.Stmt{old}}
	for _, d := range old.Dst {
		els.Results = append(els.Results, d)
	}
	before = append(before, &ir.Stmt{Dst: t.s.Dst, Op: &ir.If{Cond: ok, Then: then, Else: els}, Pos: t.s.Pos})
	b.Stmts = slices.Replace(b.Stmts, *at, *at+1, before...)
	*at += len(before) - 1
	t.found = true
}

// eachSum calls f for the sums that are computed for the condition, and for that of the turn that divides the loop.
func (t *turnLoop) eachSum(f func(analysis.Sum)) {
	for _, s := range t.d.always {
		f(s)
	}
	for _, ways := range t.d.either {
		for _, way := range ways {
			for _, s := range way {
				f(s)
			}
		}
	}
	f(t.d.split)
}

// extent computes where the loop begins, and how many turns it makes.
func (t *turnLoop) extent(e emitter) {
	none := ir.IntConst(ir.Int, 0)
	if t.counter == nil {
		t.lo = t.op.Lo
		t.n = e.bin(ir.Max, "n", e.bin(ir.Sub, "n", t.op.Hi, t.lo), none)
		return
	}
	test := t.op.Cond.Clone(ir.Subst{}, t.names)
	for i, s := range t.op.Cond.Stmts {
		if s.Dst[0] != t.op.Cond.Results[0] {
			*e.out = append(*e.out, test.Stmts[i])
		}
	}
	below := t.counter.below
	for i, s := range t.op.Cond.Stmts {
		if ir.Atom(s.Dst[0]) == below {
			below = test.Stmts[i].Dst[0]
		}
	}
	t.lo = t.op.Init[t.counter.param]
	step := ir.IntConst(ir.Int, t.counter.step)
	reach := e.bin(ir.Add, "reach", e.bin(ir.Sub, "reach", below, t.lo), ir.IntConst(ir.Int, t.counter.step-1))
	t.n = e.bin(ir.Max, "n", e.bin(ir.Div, "n", reach, step), none)
}

// condition computes whether the turns are independent; where there are fewer than least, it says that they are not.
func (t *turnLoop) condition(e emitter, least int64) ir.Atom {
	if least > 0 {
		many := e.bin(ir.Le, "many", ir.IntConst(ir.Int, least), t.n)
		then, no := &ir.Block{}, &ir.Block{Results: []ir.Atom{ir.BoolConst(false)}}
		then.Results = []ir.Atom{t.condition(e.into(then), 0)}
		return e.let("ok", ir.Scalar(ir.Bool), &ir.If{Cond: many, Then: then, Else: no})
	}
	ok := ir.Atom(ir.BoolConst(true))
	within := func(a ir.Atom, most int64) {
		v, isVar := a.(*ir.Var)
		if far := t.bounded[a]; !isVar || far > 0 && far <= most {
			return
		}
		t.bounded[v] = most
		ok = e.both(ok, e.bin(ir.Lt, "near", ir.IntConst(ir.Int, -most), v))
		ok = e.both(ok, e.bin(ir.Lt, "near", v, ir.IntConst(ir.Int, most)))
	}
	near := func(a ir.Atom) { within(a, t.far) }
	values := func(s analysis.Sum) {
		for _, p := range s {
			for _, a := range p.Of {
				if t.cubed[a] {
					near(a)
				} else { // the length of a volume, where its sides are multiplied
					within(a, farthest)
				}
			}
		}
	}
	t.bounded = maps.Clone(t.bounded)
	for _, bound := range []analysis.Affine{t.d.own.lo, t.d.own.last} {
		values(bound.Base)
	}
	near(t.n)
	near(t.lo)
	for _, x := range t.d.all {
		values(x.form.Base)
		for _, p := range x.form.Parts {
			values(p.Times)
		}
	}
	for _, a := range t.d.near {
		near(a)
	}
	t.eachSum(values)
	negative := func(s analysis.Sum) ir.Atom {
		return e.bin(ir.Lt, "apart", t.sum(e, s), ir.IntConst(ir.Int, 0))
	}
	for _, s := range t.d.always {
		ok = e.both(ok, negative(s))
	}
	for _, ways := range t.d.either {
		any := ir.Atom(nil)
		for _, way := range ways {
			all := ir.Atom(ir.BoolConst(true))
			for _, s := range way {
				all = e.both(all, negative(s))
			}
			if any == nil {
				any = all
			} else {
				any = e.let("any", ir.Scalar(ir.Bool), &ir.Binary{Fn: ir.Or, X: any, Y: all})
			}
		}
		ok = e.both(ok, any)
	}
	return ok
}

// sum computes a sum.
func (t *turnLoop) sum(e emitter, s analysis.Sum) ir.Atom {
	total := ir.Atom(ir.IntConst(ir.Int, 0))
	for _, p := range s {
		x := ir.Atom(ir.IntConst(ir.Int, 1))
		for _, a := range p.Of {
			x = e.bin(ir.Mul, "t", x, a)
		}
		switch {
		case p.C == -1:
			total = e.bin(ir.Sub, "t", total, x)
		default:
			total = e.bin(ir.Add, "t", total, e.bin(ir.Mul, "t", x, ir.IntConst(ir.Int, p.C)))
		}
	}
	return total
}

// write writes the loop of independent turns into a block, which yields what it does, and returns its body.
func (t *turnLoop) write(e emitter, out *ir.Block) (body *ir.Block) {
	var init []ir.Atom
	for i, a := range t.op.Init {
		if t.counter == nil || i != t.counter.param {
			init = append(init, a)
		}
	}
	var arrays []*ir.Var
	if !t.d.divided {
		arrays, body = t.independent(e, init, t.lo, t.n)
	} else {
		// Those before the turn, the turn, and those behind it.
		hi := e.bin(ir.Add, "hi", t.lo, t.n)
		turn := t.sum(e, t.d.split)
		clamp := func(a ir.Atom) ir.Atom { return e.bin(ir.Min, "m", e.bin(ir.Max, "m", a, t.lo), hi) }
		first, second := clamp(turn), clamp(e.bin(ir.Add, "t", turn, ir.IntConst(ir.Int, 1)))
		parts := &ir.Loop{I: t.names.Var("part", tInt), Lo: ir.IntConst(ir.Int, 0), Hi: ir.IntConst(ir.Int, 3), Init: init, Body: &ir.Block{}}
		var carried []ir.Atom
		for _, p := range t.op.Params {
			if p.T.Rank > 0 {
				v := t.names.Var(p.Name, p.T)
				parts.Params, carried = append(parts.Params, v), append(carried, v)
				arrays = append(arrays, t.names.Var(p.Name, p.T))
			}
		}
		in := e.into(parts.Body)
		is := func(part int64) ir.Atom { return in.bin(ir.Eq, "is", parts.I, ir.IntConst(ir.Int, part)) }
		choose := func(c, x, y ir.Atom) ir.Atom { return in.let("bound", tInt, &ir.Select{Cond: c, X: x, Y: y}) }
		is0, is1 := is(0), is(1)
		from := choose(is0, t.lo, choose(is1, first, second))
		to := choose(is0, first, choose(is1, second, hi))
		made, inner := t.independent(in, carried, from, in.bin(ir.Sub, "n", to, from))
		for _, v := range made {
			parts.Body.Results = append(parts.Body.Results, v)
		}
		body = inner
		e.stmt(parts, arrays...)
	}
	for i := range t.op.Params {
		if t.counter != nil && i == t.counter.param {
			out.Results = append(out.Results, e.bin(ir.Add, "next", t.lo, e.bin(ir.Mul, "t", t.n, ir.IntConst(ir.Int, t.counter.step))))
			continue
		}
		out.Results, arrays = append(out.Results, arrays[0]), arrays[1:]
	}
	return body
}

// independent writes a loop of n independent turns from lo on.
func (t *turnLoop) independent(e emitter, init []ir.Atom, lo, n ir.Atom) (arrays []*ir.Var, body *ir.Block) {
	loop := &ir.Loop{Init: init, Lo: ir.IntConst(ir.Int, 0), Hi: n, Independent: true, Ahead: t.d.ahead}
	sub := ir.Subst{}
	index := ir.Atom(nil)
	start := &ir.Block{}
	in := e.into(start)
	if t.counter == nil {
		loop.I = t.names.Var(t.op.I.Name, tInt)
		index = in.bin(ir.Add, t.op.I.Name, lo, loop.I)
		sub[t.op.I] = index
	} else {
		x := t.op.Params[t.counter.param]
		loop.I = t.names.Var("turn", tInt)
		index = in.bin(ir.Add, x.Name, lo, in.bin(ir.Mul, "t", loop.I, ir.IntConst(ir.Int, t.counter.step)))
		sub[x] = index
	}
	for _, p := range t.op.Params {
		if p.T.Rank > 0 {
			v := t.names.Var(p.Name, p.T)
			loop.Params = append(loop.Params, v)
			arrays = append(arrays, t.names.Var(p.Name, p.T))
			sub[p] = v
		}
	}
	t.bounded[index], t.bounded[loop.I] = t.far, t.far
	body = leaveOut(t.op.Body, t.dropped).Clone(sub, t.names)
	if t.counter != nil {
		body.Results = slices.Delete(body.Results, t.counter.param, t.counter.param+1)
	}
	body.Stmts = append(start.Stmts, body.Stmts...)
	loop.Body = body
	e.stmt(loop, arrays...)
	return arrays, body
}

// leaveOut returns a block without some of its statements, and of those in the blocks inside it.
func leaveOut(b *ir.Block, out map[*ir.Stmt]bool) *ir.Block {
	c := &ir.Block{Results: slices.Clone(b.Results)}
	for _, s := range b.Stmts {
		if out[s] {
			continue
		}
		switch op := s.Op.(type) {
		case *ir.If:
			s = &ir.Stmt{Dst: s.Dst, Op: &ir.If{Cond: op.Cond, Then: leaveOut(op.Then, out), Else: leaveOut(op.Else, out)}, Pos: s.Pos}
		case *ir.Loop:
			loop := *op
			loop.Body = leaveOut(op.Body, out)
			s = &ir.Stmt{Dst: s.Dst, Op: &loop, Pos: s.Pos}
		}
		c.Stmts = append(c.Stmts, s)
	}
	return c
}
