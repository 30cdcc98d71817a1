package cut

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// comb is a combining function with what its operator begins with.
type comb struct {
	lambda  *ir.Lambda
	init    []ir.Atom
	fns     []ir.BinaryFn // of each component, nil if they are not known
	neutral bool          // init is neutral
}

func newComb(l *ir.Lambda, init []ir.Atom) *comb {
	c := &comb{lambda: l, init: init, fns: analysis.Combining(l)}
	c.neutral = c.fns != nil
	for i, fn := range c.fns {
		e, _ := analysis.Neutral(fn, l.Body.Results[i].Type().Kind)
		c.neutral = c.neutral && init[i] == ir.Atom(e)
	}
	return c
}

// exact reports whether elements may be combined in any groups: floats round.
func (c *comb) exact() bool {
	return !slices.ContainsFunc(c.init, func(a ir.Atom) bool { return a.Type().Kind.IsFloat() })
}

// neutrals are the neutral elements of known functions.
func (c *comb) neutrals() (es []ir.Atom) {
	for i, fn := range c.fns {
		e, _ := analysis.Neutral(fn, c.lambda.Body.Results[i].Type().Kind)
		es = append(es, e)
	}
	return es
}

func cloneLambda(l *ir.Lambda, names *ir.Namer) *ir.Lambda {
	as := ir.Subst{}
	var params []*ir.Var
	for _, p := range l.Params {
		q := names.Var(p.Name, p.T)
		as[p] = q
		params = append(params, q)
	}
	return &ir.Lambda{Params: params, Body: l.Body.Clone(as, names)}
}

// apply appends the statements of a function of accumulators and elements to b, and returns its results.
func apply(l *ir.Lambda, b *ir.Block, accs, elements []ir.Atom, names *ir.Namer) []ir.Atom {
	as := ir.Subst{}
	for i, a := range slices.Concat(accs, elements) {
		as[l.Params[i]] = a
	}
	body := l.Body.Clone(as, names)
	b.Stmts = append(b.Stmts, body.Stmts...)
	return body.Results
}

// met is a combining function with a first component that says whether there was an element: without one, the others
// mean nothing. So a function of which no neutral element is known has one.
func (c *comb) met(names *ir.Namer) *ir.Lambda {
	n := len(c.init)
	l := &ir.Lambda{Body: &ir.Block{}}
	for _, side := range []string{"a", "b"} {
		l.Params = append(l.Params, names.Var(side, ir.Scalar(ir.Bool)))
		for _, p := range c.lambda.Params[:n] {
			l.Params = append(l.Params, names.Var(side, p.T))
		}
	}
	a, b := l.Params[:n+1], l.Params[n+1:]
	either := names.Var("met", ir.Scalar(ir.Bool))
	l.Body.Stmts = append(l.Body.Stmts, &ir.Stmt{Dst: []*ir.Var{either}, Op: &ir.Binary{Fn: ir.Or, X: a[0], Y: b[0]}})
	l.Body.Results = append(l.Body.Results, either)
	chosen := func() (dst []*ir.Var) {
		for _, p := range a[1:] {
			dst = append(dst, names.Var(p.Name, p.T))
		}
		return dst
	}
	both := &ir.Block{}
	both.Results = apply(c.lambda, both, atoms(a[1:]), atoms(b[1:]), names)
	inner := chosen()
	earlier := &ir.Block{Stmts: []*ir.Stmt{{Dst: inner, Op: &ir.If{Cond: b[0], Then: both, Else: &ir.Block{Results: atoms(a[1:])}}}}, Results: atoms(inner)}
	outer := chosen()
	l.Body.Stmts = append(l.Body.Stmts, &ir.Stmt{Dst: outer, Op: &ir.If{Cond: a[0], Then: earlier, Else: &ir.Block{Results: atoms(b[1:])}}})
	l.Body.Results = append(l.Body.Results, atoms(outer)...)
	return l
}

func atoms(vs []*ir.Var) (as []ir.Atom) {
	for _, v := range vs {
		as = append(as, v)
	}
	return as
}

// fromNeutral is the operator from neutral elements on.
func (c *comb) fromNeutral(op ir.Op, names *ir.Namer) ir.Op {
	switch op := op.(type) {
	case *ir.Hist:
		own := *op
		if c.fns != nil {
			own.Init = c.neutrals()
			return &own
		}
		results := slices.Concat(op.Body.Results[:1], []ir.Atom{ir.BoolConst(true)}, op.Body.Results[1:]) // the bin is the first
		own.Body = &ir.Block{Stmts: op.Body.Stmts, Results: results}
		own.Comb, own.Init = c.met(names), append([]ir.Atom{ir.BoolConst(false)}, op.Init...)
		return &own
	case *ir.Reduce:
		own := *op
		if c.fns != nil {
			own.Init = c.neutrals()
			return &own
		}
		own.Body = &ir.Block{Stmts: op.Body.Stmts, Results: append([]ir.Atom{ir.BoolConst(true)}, op.Body.Results...)}
		own.Comb, own.Init = c.met(names), append([]ir.Atom{ir.BoolConst(false)}, op.Init...)
		return &own
	}
	panic("cut: no operator that combines")
}

// behind returns the variables that blocks compute in place of those of s, and the statements that combine them with
// the initial values.
func (c *comb) behind(s *ir.Stmt, names *ir.Namer) (dst []*ir.Var, after []*ir.Stmt) {
	if c.fns == nil {
		dst = append(dst, names.Var("met", ir.Type{Kind: ir.Bool, Rank: s.Dst[0].T.Rank}))
	}
	var own []*ir.Var
	for _, v := range s.Dst {
		own = append(own, names.Var(v.Name, v.T))
	}
	dst = append(dst, own...)
	if h, ok := s.Op.(*ir.Hist); ok {
		i := names.Var("i", ir.Scalar(ir.Int))
		body := &ir.Block{}
		var bins []ir.Atom
		for _, v := range dst {
			e := names.Var(v.Name, ir.Scalar(v.T.Kind))
			body.Stmts = append(body.Stmts, &ir.Stmt{Dst: []*ir.Var{e}, Op: &ir.Index{X: v, I: i}, Pos: s.Pos})
			bins = append(bins, e)
		}
		if c.fns != nil {
			body.Results = apply(c.lambda, body, c.init, bins, names)
		} else {
			var each []*ir.Var
			for _, v := range s.Dst {
				each = append(each, names.Var(v.Name, ir.Scalar(v.T.Kind)))
			}
			body.Stmts = append(body.Stmts, c.withInit(each, bins[0], bins[1:], s.Pos, names))
			body.Results = atoms(each)
		}
		return dst, []*ir.Stmt{{Dst: s.Dst, Op: &ir.Map{N: h.W, I: i, Body: body}, Pos: s.Pos}}
	}
	if c.fns == nil {
		return dst, []*ir.Stmt{c.withInit(s.Dst, dst[0], atoms(own), s.Pos, names)}
	}
	with := &ir.Block{}
	with.Results = apply(c.lambda, with, c.init, atoms(own), names)
	for i, r := range with.Results {
		with.Stmts = slices.Clone(with.Stmts)
		for _, t := range with.Stmts {
			if len(t.Dst) == 1 && ir.Atom(t.Dst[0]) == r {
				t.Dst[0] = s.Dst[i]
			}
		}
	}
	return dst, with.Stmts
}

// withInit is the initial values, combined with what blocks have met if they have met something.
func (c *comb) withInit(dst []*ir.Var, met ir.Atom, own []ir.Atom, pos ir.Pos, names *ir.Namer) *ir.Stmt {
	with := &ir.Block{}
	with.Results = apply(c.lambda, with, c.init, own, names)
	return &ir.Stmt{Dst: dst, Op: &ir.If{Cond: met, Then: with, Else: &ir.Block{Results: slices.Clone(c.init)}}, Pos: pos}
}

// combining is the function of two groups of partial results, the earlier blocks' and the later blocks', that yields
// those of both.
func combining(name string, partials []partial, names *ir.Namer) *ir.Func {
	f := &ir.Func{Name: name, Body: &ir.Block{}}
	side := func(suffix string) (all [][]*ir.Var) {
		for _, p := range partials {
			var vs []*ir.Var
			for _, v := range p.dst {
				vs = append(vs, names.Var(after(v.Name, suffix), v.T))
			}
			f.Params = append(f.Params, vs...)
			all = append(all, vs)
		}
		return all
	}
	earlier, later := side("A"), side("B")
	for k, p := range partials {
		f.Pos = p.of.Pos
		l := p.comb.lambda
		if p.comb.fns == nil {
			l = p.comb.met(names)
		}
		if p.dst[0].T.Rank == 0 {
			f.Body.Results = append(f.Body.Results, apply(l, f.Body, atoms(earlier[k]), atoms(later[k]), names)...)
			continue
		}
		n, i := names.Var("n", ir.Scalar(ir.Int)), names.Var("i", ir.Scalar(ir.Int))
		f.Body.Stmts = append(f.Body.Stmts, &ir.Stmt{Dst: []*ir.Var{n}, Op: &ir.Len{X: earlier[k][0]}, Pos: p.of.Pos})
		body := &ir.Block{}
		read := func(vs []*ir.Var) (as []ir.Atom) {
			for _, v := range vs {
				e := names.Var(v.Name, ir.Scalar(v.T.Kind))
				body.Stmts = append(body.Stmts, &ir.Stmt{Dst: []*ir.Var{e}, Op: &ir.Index{X: v, I: i}, Pos: p.of.Pos})
				as = append(as, e)
			}
			return as
		}
		accs := read(earlier[k])
		body.Results = apply(l, body, accs, read(later[k]), names)
		var dst []*ir.Var
		for _, v := range p.dst {
			dst = append(dst, names.Var(v.Name, v.T))
		}
		f.Body.Stmts = append(f.Body.Stmts, &ir.Stmt{Dst: dst, Op: &ir.Map{N: n, I: i, Body: body}, Pos: p.of.Pos})
		f.Body.Results = append(f.Body.Results, atoms(dst)...)
	}
	return f
}
