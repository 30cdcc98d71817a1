package fuse

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// A loop that looks for the place of an extreme becomes a Map and two Reduces: what is compared, the least of that, and
// the first turn that has it. What the loop carries is then computed for that turn alone.
//
//	m, at = loop (p, q) init m0 at0 for i = lo to hi {
//	  …; c = lt v p
//	  r, s = if c { yield v i } else { yield p q }
//	  yield r s
//	}
//
// becomes
//
//	x = map k < hi - lo { i = add lo k; …; yield v }
//	least = reduce k init +Inf { e = index x k; yield e < +Inf ? e : +Inf } combine min
//	first = reduce k init most { e = index x k; yield e == least ? k : most } combine min
//	m, at = if least < m0 { i = add lo first; …; yield v i } else { yield m0 at0 }
//
// This is exact. In order, p falls from m0 to the least of the v, each time strictly, so that it stays at the first
// turn that has it; where the comparison holds for equal values as well, it ends at the last one. A v that is NaN
// never compares, as an infinity that nothing is less than; an m0 that is NaN stays. Zeros of either sign are equal in
// all comparisons, and what is carried in the end is the value of the turn itself. The greatest is found in the same
// way. Instead of p the loop may compare with d[q], where v is d[i] and s is i.

// extremum is what is known of such a loop.
type extremum struct {
	cond     ir.Atom
	v        ir.Atom    // what is compared
	key      int        // the position of p in what the loop carries, -1 if it compares with an element
	at       int        // the position of q then
	of       ir.Atom    // and d
	what     string     // d[q] in the source
	least    bool       // the least is looked for
	strict   bool       // the first one is
	skip     []*ir.Stmt // what depends on what the loop carries
	chosen   []ir.Atom  // what is carried on from a turn that is chosen
	branches []*ir.Block
}

// searches writes the operators of a loop that looks for the place of an extreme, or nothing if it does not.
func (r *reducer) searches(e emitter, s *ir.Stmt, loop *ir.Loop) bool {
	if carriesSome(loop) {
		return false
	}
	x, ok := r.extremum(loop)
	if !ok {
		return false
	}
	kind := x.v.Type().Kind
	fn, limit := ir.Min, identity(ir.Min, kind)
	better, find, nowhere := ir.Lt, ir.Min, identity(ir.Min, ir.Int)
	if !x.least {
		fn, limit, better = ir.Max, identity(ir.Max, kind), ir.Gt
	}
	if limit == nil {
		return false
	}
	inside := better
	if !x.strict {
		find, nowhere = ir.Max, ir.IntConst(ir.Int, -1)
		better = map[ir.BinaryFn]ir.BinaryFn{ir.Lt: ir.Le, ir.Gt: ir.Ge}[better]
	}
	n := e.turns(loop)
	k, body := r.names.Var("k", tInt), &ir.Block{}
	in := e.into(body)
	v := x.turn(in, r, loop, k, []ir.Atom{x.v})
	body.Results = v
	values := e.let("values", ir.Seq(kind), &ir.Map{N: n, I: k, Body: body})
	reduce := func(name string, fn ir.BinaryFn, init ir.Atom, element func(e emitter, v *ir.Var, k *ir.Var) ir.Atom) *ir.Var {
		k, body, comb := r.names.Var("k", tInt), &ir.Block{}, &ir.Block{}
		in := e.into(body)
		body.Results = []ir.Atom{element(in, in.let("v", ir.Scalar(kind), &ir.Index{X: values, I: k}), k)}
		a, b := r.names.Var("a", init.Type()), r.names.Var("b", init.Type())
		comb.Results = []ir.Atom{e.into(comb).let("c", init.Type(), &ir.Binary{Fn: fn, X: a, Y: b})}
		return e.let(name, init.Type(), &ir.Reduce{N: n, I: k, Body: body, Comb: &ir.Lambda{Params: []*ir.Var{a, b}, Body: comb}, Init: []ir.Atom{init}})
	}
	extreme := reduce("extreme", fn, limit, func(e emitter, v, _ *ir.Var) ir.Atom {
		if !kind.IsFloat() {
			return v
		}
		return e.choose("v", e.bin(inside, "comes", v, limit), v, limit)
	})
	turn := reduce("turn", find, nowhere, func(e emitter, v, k *ir.Var) ir.Atom {
		return e.choose("k", e.bin(ir.Eq, "here", v, extreme), k, nowhere)
	})
	var first ir.Atom // what the first turn compares with
	if x.key >= 0 {
		first = loop.Init[x.key]
	} else {
		dst := r.names.Var("first", ir.Scalar(kind))
		then := &ir.Block{}
		in := e.into(then)
		size := in.let("n", tInt, &ir.Len{X: x.of})
		in.stmt(&ir.Check{Kind: ir.CheckIndex, Op: "index", Arg: x.what, Args: []ir.Atom{loop.Init[x.at], size}})
		then.Results = []ir.Atom{in.let("first", ir.Scalar(kind), &ir.Index{X: x.of, I: loop.Init[x.at]})}
		some := e.bin(ir.Gt, "some", n, ir.IntConst(ir.Int, 0))
		e.stmt(&ir.If{Cond: some, Then: then, Else: &ir.Block{Results: []ir.Atom{zero(kind)}}}, dst)
		first = dst
	}
	found := e.let("found", ir.Scalar(ir.Bool), &ir.Binary{Fn: better, X: extreme, Y: first})
	if !x.strict {
		any := e.let("any", ir.Scalar(ir.Bool), &ir.Binary{Fn: ir.Ge, X: turn, Y: ir.IntConst(ir.Int, 0)})
		found = e.let("found", ir.Scalar(ir.Bool), &ir.Binary{Fn: ir.And, X: found, Y: any})
	}
	then := &ir.Block{}
	then.Results = x.turn(e.into(then), r, loop, turn, x.chosen)
	e.stmt(&ir.If{Cond: found, Then: then, Else: &ir.Block{Results: slices.Clone(loop.Init)}}, s.Dst...)
	return true
}

// turn writes what turn k of a loop computes, and returns what some values are in it.
func (x *extremum) turn(e emitter, r *reducer, loop *ir.Loop, k *ir.Var, values []ir.Atom) []ir.Atom {
	sub := ir.Subst{loop.I: e.bin(ir.Add, "i", loop.Lo, k)}
	write := func(b *ir.Block) {
		for _, s := range b.Stmts {
			if !slices.Contains(x.skip, s) {
				*e.out = append(*e.out, s.Clone(sub, r.names))
			}
		}
	}
	write(loop.Body)
	if len(values) > 1 || values[0] != x.v {
		for _, b := range x.branches {
			write(b)
		}
	}
	out := make([]ir.Atom, len(values))
	for i, v := range values {
		out[i] = sub.Atom(v)
	}
	return out
}

// extremum reads a loop as the search of an extreme.
func (r *reducer) extremum(loop *ir.Loop) (*extremum, bool) {
	x := &extremum{key: -1, at: -1, chosen: make([]ir.Atom, len(loop.Params))}
	param := func(a ir.Atom) int {
		return slices.IndexFunc(loop.Params, func(p *ir.Var) bool { return ir.Atom(p) == a })
	}
	defs := map[ir.Atom]*ir.Stmt{}
	for _, s := range loop.Body.Stmts {
		for _, d := range s.Dst {
			defs[d] = s
		}
	}
	for i, res := range loop.Body.Results {
		s := defs[res]
		if s == nil {
			return nil, false
		}
		var cond, yes, no ir.Atom
		switch op := s.Op.(type) {
		case *ir.Select:
			cond, yes, no = op.Cond, op.X, op.Y
		case *ir.If:
			at := resultAt(s, res)
			cond, yes, no = op.Cond, op.Then.Results[at], op.Else.Results[at]
			if len(op.Else.Stmts) > 0 {
				return nil, false
			}
			if !slices.Contains(x.branches, op.Then) {
				x.branches = append(x.branches, op.Then)
			}
		default:
			return nil, false
		}
		if no != ir.Atom(loop.Params[i]) || x.cond != nil && cond != x.cond || param(yes) >= 0 {
			return nil, false
		}
		x.cond, x.chosen[i] = cond, yes
		if !slices.Contains(x.skip, s) {
			x.skip = append(x.skip, s)
		}
	}
	if defs[x.cond] == nil {
		return nil, false
	}
	compare, ok := defs[x.cond].Op.(*ir.Binary)
	if !ok {
		return nil, false
	}
	fn, now := compare.Fn, ir.Atom(nil)
	element := func(a ir.Atom) (*ir.Index, bool) {
		if defs[a] == nil {
			return nil, false
		}
		read, ok := defs[a].Op.(*ir.Index)
		return read, ok && a.Type().Rank == 0
	}
	current := func(a ir.Atom) bool { // what the loop carries, or the element where it is
		read, ok := element(a)
		return param(a) >= 0 || ok && param(read.I) >= 0
	}
	switch {
	case current(compare.Y) && !current(compare.X):
		x.v, now = compare.X, compare.Y
	case current(compare.X) && !current(compare.Y):
		x.v, now = compare.Y, compare.X
		fn = mirrored[fn]
	default:
		return nil, false
	}
	switch fn {
	case ir.Lt, ir.Le, ir.Gt, ir.Ge:
	default:
		return nil, false
	}
	x.least, x.strict = fn == ir.Lt || fn == ir.Le, fn == ir.Lt || fn == ir.Gt
	x.skip = append(x.skip, defs[x.cond])
	if x.key = param(now); x.key >= 0 {
		if x.chosen[x.key] != x.v {
			return nil, false
		}
	} else {
		read, _ := element(now)
		own, ok := element(x.v)
		x.at, x.of = param(read.I), read.X
		if d, isVar := read.X.(*ir.Var); !ok || own.X != read.X || x.chosen[x.at] != own.I || !isVar || param(d) >= 0 || defs[d] != nil {
			return nil, false
		}
		x.skip = append(x.skip, defs[now])
		for _, s := range loop.Body.Stmts { // that element was read before, but for the first one
			if c, ok := s.Op.(*ir.Check); ok && c.Kind == ir.CheckIndex && c.Args[0] == ir.Atom(loop.Params[x.at]) {
				n, isLen := r.defs[c.Args[1]].(*ir.Len)
				if defs[c.Args[1]] != nil || !(isLen && n.X == x.of) && c.Args[1] != loop.Hi {
					return nil, false
				}
				x.skip, x.what = append(x.skip, s), c.Arg
			}
		}
	}
	carried := map[*ir.Var]bool{}
	for _, p := range loop.Params {
		carried[p] = true
	}
	for _, s := range x.skip {
		for _, d := range s.Dst {
			carried[d] = true
		}
	}
	for _, b := range append([]*ir.Block{loop.Body}, x.branches...) {
		for _, s := range b.Stmts {
			if !slices.Contains(x.skip, s) && dependsOn(s, carried) {
				return nil, false
			}
		}
	}
	for _, a := range append([]ir.Atom{x.v}, x.chosen...) {
		if v, ok := a.(*ir.Var); ok && carried[v] {
			return nil, false
		}
	}
	return x, true
}
