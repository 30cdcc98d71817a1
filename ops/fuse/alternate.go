package fuse

import (
	"maps"
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// alternate makes two turns at a time of loops in sequential code whose turns end with an exchange of two arrays, as
// the steps of a simulation do (now, next = next, now): the second turn has each in the place of the other one, and
// then both lie where they were. Arrays that are updated in place stay in their memory, so that an exchange moves all
// of their elements; only a last turn without another one behind it still does.
//
//	a', b' = loop (a, b) init x y for i = lo to hi { …a1…b1…; a2, b2 = (exchange a1 b1); yield a2 b2 }
//
// becomes
//
//	a', b' = loop (a, b) init x y for k = 0 to (hi - lo + 1) / 2 {
//	  i = lo + 2·k; …a1…b1…
//	  a3, b3 = if i + 1 < hi {
//	    (the same for i + 1, with b1 in place of a, and a1 in place of b, which yields b1' and a1'); yield a1' b1'
//	  } else {
//	    a2, b2 = (exchange a1 b1); yield a2 b2
//	  }
//	  yield a3 b3
//	}
func alternate(f *ir.Func, names *ir.Namer) {
	a := &alternator{names: names, allocs: ir.Allocs(f.Body), defs: analysis.Of(f.Body), equal: map[ir.Atom]ir.Atom{}}
	for _, s := range f.Body.Stmts {
		if m, ok := s.Op.(*ir.Map); ok && ir.IsInt(m.N, 1) {
			a.block(m.Body)
		}
	}
}

// mostAlternated is how many statements a turn may have: they stand there twice then.
const mostAlternated = 400

type alternator struct {
	names  *ir.Namer
	allocs map[*ir.Var]*ir.Stmt // versions of arrays, and what made them
	defs   analysis.Defs
	equal  map[ir.Atom]ir.Atom // lengths that checks before the position compare, and what they are equal to
}

func (a *alternator) block(b *ir.Block) {
	before := maps.Clone(a.equal)
	defer func() { a.equal = before }()
	for at := 0; at < len(b.Stmts); at++ {
		s := b.Stmts[at]
		a.checked(s)
		for _, c := range ir.Blocks(s.Op) {
			a.block(c)
		}
		if loop, ok := s.Op.(*ir.Loop); ok && loop.I != nil && loop.Cond == nil && !loop.Independent {
			if to := a.doubled(s, loop); to != nil {
				b.Stmts = slices.Replace(b.Stmts, at, at+1, to...)
				at += len(to) - 1
			}
		}
	}
}

// checked notes what a check of lengths says of all that comes after it.
func (a *alternator) checked(s *ir.Stmt) {
	if c, ok := s.Op.(*ir.Check); ok && c.Kind == ir.CheckLength {
		if x, y := a.same(c.Args[0]), a.same(c.Args[1]); x != y {
			a.equal[y] = x
		}
	}
}

// same is one of the lengths that are known to be equal to n.
func (a *alternator) same(n ir.Atom) ir.Atom {
	for a.equal[n] != nil {
		n = a.equal[n]
	}
	return n
}

// sameLength reports whether two lengths are equal, which may be products of lengths that checks have compared.
func (a *alternator) sameLength(n, m ir.Atom) bool {
	form := analysis.Form{Defs: a.defs}
	form.Known = func(x ir.Atom) (analysis.Affine, bool) {
		if y := a.same(x); y != x {
			return form.Affine(y)
		}
		_, computed := a.defs[x].(*ir.Binary)
		return analysis.Outside(x), !computed
	}
	x, ok := form.Affine(n)
	y, also := form.Affine(m)
	return ok && also && len(x.Parts)+len(y.Parts) == 0 && len(x.Base.Minus(y.Base)) == 0
}

// doubled returns a loop of half as many turns, and what comes before it; nil if no two arrays are exchanged in the
// end.
func (a *alternator) doubled(s *ir.Stmt, loop *ir.Loop) (out []*ir.Stmt) {
	lo, ok := loop.Lo.(ir.Const)
	last := len(loop.Body.Stmts) - 1
	size := 0
	ir.Walk(loop.Body, func(*ir.Stmt) { size++ })
	if !ok || lo.Int() < 0 || last < 1 || size > mostAlternated {
		return nil
	}
	exchange := loop.Body.Stmts[last]
	before := maps.Clone(a.equal)
	for _, s := range loop.Body.Stmts[:last] {
		a.checked(s)
	}
	p, q, ok := a.exchanged(loop, exchange)
	a.equal = before
	if !ok {
		return nil
	}
	body := &ir.Block{}
	in := emitter{&resolver{names: a.names, defs: map[*ir.Var]*ir.Stmt{}}, &body.Stmts, s.Pos}
	k := a.names.Var(loop.I.Name, tInt)
	one, two := ir.IntConst(ir.Int, 1), ir.IntConst(ir.Int, 2)
	turn := &ir.Block{Stmts: loop.Body.Stmts[:last]}
	init := exchange.Op.(*ir.Loop).Init
	for i, r := range loop.Body.Results { // what a turn has before the exchange
		switch i {
		case p:
			r = init[0]
		case q:
			r = init[1]
		}
		turn.Results = append(turn.Results, r)
	}
	write := func(e emitter, i ir.Atom, params []ir.Atom) []ir.Atom {
		sub := ir.Subst{loop.I: i}
		for n, v := range loop.Params {
			sub[v] = params[n]
		}
		c := turn.Clone(sub, a.names)
		*e.out = append(*e.out, c.Stmts...)
		return c.Results
	}
	double := &ir.Loop{I: k, Lo: ir.IntConst(ir.Int, 0), Init: loop.Init, Body: body}
	var params []ir.Atom
	for _, v := range loop.Params {
		x := a.names.Var(v.Name, v.T)
		double.Params, params = append(double.Params, x), append(params, x)
	}
	i := in.bin(ir.Add, loop.I.Name, loop.Lo, in.bin(ir.Mul, "t", k, two))
	first := write(in, i, params)

	then, els := &ir.Block{}, &ir.Block{}
	swapped := slices.Clone(first)
	swapped[p], swapped[q] = first[q], first[p]
	then.Results = write(in.into(then), in.bin(ir.Add, loop.I.Name, i, one), swapped)
	then.Results[p], then.Results[q] = then.Results[q], then.Results[p]
	move := exchange.Clone(ir.Subst{}, a.names)
	move.Op.(*ir.Loop).Init = []ir.Atom{first[p], first[q]}
	els.Stmts, els.Results = []*ir.Stmt{move}, slices.Clone(first)
	els.Results[p], els.Results[q] = move.Dst[0], move.Dst[1]
	more := in.bin(ir.Lt, "more", in.bin(ir.Add, "t", i, one), loop.Hi)
	var dst []*ir.Var
	for _, v := range loop.Params {
		x := a.names.Var(v.Name, v.T)
		dst, body.Results = append(dst, x), append(body.Results, x)
	}
	in.stmt(&ir.If{Cond: more, Then: then, Else: els}, dst...)
	ahead := emitter{in.r, &out, s.Pos}
	n := ahead.turns(loop)
	double.Hi = ahead.bin(ir.Add, "half", ahead.bin(ir.Div, "half", n, two), ahead.bin(ir.Rem, "odd", n, two))
	ahead.stmt(double, s.Dst...)
	return out
}

// exchanged returns which two of what a loop carries the last statement of its turns exchanges: whole arrays of one
// length, or of two that the turn has compared before, element by element, behind all other uses.
func (a *alternator) exchanged(loop *ir.Loop, s *ir.Stmt) (p, q int, ok bool) {
	move, ok := s.Op.(*ir.Loop)
	if !ok || move.I == nil || move.Cond != nil || !ir.IsInt(move.Lo, 0) || len(move.Params) != 2 || len(move.Body.Stmts) != 4 {
		return 0, 0, false
	}
	x, y := move.Params[0], move.Params[1]
	defs := analysis.Of(move.Body)
	swaps := func(i int, own, other *ir.Var) bool {
		update, ok := defs[move.Body.Results[i]].(*ir.Update)
		if !ok || update.X != ir.Atom(own) || update.I != ir.Atom(move.I) {
			return false
		}
		read, ok := defs[update.Value].(*ir.Index)
		return ok && read.X == ir.Atom(other) && read.I == ir.Atom(move.I)
	}
	if !swaps(0, x, y) || !swaps(1, y, x) {
		return 0, 0, false
	}
	made := [2]*ir.Stmt{a.allocs[x], a.allocs[y]}
	for _, m := range made {
		if m == nil || m.Op.(*ir.Alloc).Grows || length(m) != move.Hi && !a.sameLength(length(m), move.Hi) {
			return 0, 0, false
		}
	}
	p = slices.Index(loop.Body.Results, ir.Atom(s.Dst[0]))
	q = slices.Index(loop.Body.Results, ir.Atom(s.Dst[1]))
	if p < 0 || q < 0 || made[0] == made[1] || a.allocs[loop.Params[p]] != made[0] || a.allocs[loop.Params[q]] != made[1] {
		return 0, 0, false
	}
	return p, q, loop.Params[p].T == loop.Params[q].T
}
