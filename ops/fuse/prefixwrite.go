package fuse

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// write writes Scans, Maps and Reduces, and returns what each result of the Map of one element is now.
func (p *prefixes) write() []ir.Atom {
	var before, within []*ir.Var // the prefixes before each turn, and of one element more
	var mapped []*prefixArray
	for _, a := range p.arrays {
		switch k := p.whole(a); {
		case k >= 0:
			if within == nil {
				within = p.scan(a.n)
			}
			a.now = within[k]
		default:
			mapped = append(mapped, a)
		}
	}
	if len(mapped) > 0 {
		before = p.scan(p.loop.Hi)
		p.fill(before, mapped)
	}
	now := map[ir.Atom]ir.Atom{}
	for _, a := range p.arrays {
		now[a.last] = a.now
	}
	if slices.ContainsFunc(p.results, func(r ir.Atom) bool { return now[r] == nil }) {
		n := p.loop.Hi
		if before == nil { // over what the Scan is over, so that both are one level
			n = p.arrays[0].n
		}
		totals := p.components("total", 0)
		k, body := p.turns(n)
		p.e.stmt(&ir.Reduce{N: n, I: k, Body: body, Comb: p.comb(), Init: p.init()}, totals...)
		for k, v := range totals {
			now[p.dst[p.scalars[k]]] = v
		}
	}
	out := make([]ir.Atom, len(p.results))
	for i, r := range p.results {
		if out[i] = now[r]; out[i] == nil {
			out[i] = p.sub.Atom(r)
		}
	}
	return out
}

// components are a value for each scalar.
func (p *prefixes) components(name string, rank int) (vs []*ir.Var) {
	for _, i := range p.scalars {
		vs = append(vs, p.e.r.names.Var(name, ir.Type{Kind: p.loop.Params[i].T.Kind, Rank: rank}))
	}
	return vs
}

func (p *prefixes) init() (init []ir.Atom) {
	for _, i := range p.scalars {
		init = append(init, p.loop.Init[i])
	}
	return init
}

func (p *prefixes) comb() *ir.Lambda {
	as := ir.Subst{}
	c := &ir.Lambda{}
	for _, v := range p.each.Comb.Params {
		w := p.e.r.names.Var(v.Name, v.T)
		as[v] = w
		c.Params = append(c.Params, w)
	}
	c.Body = p.each.Comb.Body.Clone(as, p.e.r.names)
	return c
}

// scan writes the Scan of what n turns combine.
func (p *prefixes) scan(n ir.Atom) []*ir.Var {
	k, body := p.turns(n)
	dst := p.components("before", 1)
	p.e.stmt(&ir.Scan{N: n, I: k, Body: body, Comb: p.comb(), Init: p.init()}, dst...)
	return dst
}

// turns is what each of n turns combines. If there is one more than the loop has, it combines nothing.
func (p *prefixes) turns(n ir.Atom) (k *ir.Var, body *ir.Block) {
	k = p.e.r.names.Var("k", tInt)
	body = p.each.Body.Clone(ir.Subst{p.each.I: k}, p.e.r.names)
	if n == p.loop.Hi {
		return k, body
	}
	turn, none := body, &ir.Block{}
	for i, fn := range analysis.Combining(p.each.Comb) {
		neutral, _ := analysis.Neutral(fn, p.each.Comb.Body.Results[i].Type().Kind)
		none.Results = append(none.Results, neutral)
	}
	body = &ir.Block{}
	in := p.e.into(body)
	some := in.bin(ir.Lt, "some", k, p.loop.Hi)
	xs := p.components("x", 0)
	in.stmt(&ir.If{Cond: some, Then: turn, Else: none}, xs...)
	for _, x := range xs {
		body.Results = append(body.Results, x)
	}
	return k, body
}

// fill writes the Map of arrays' elements.
func (p *prefixes) fill(before []*ir.Var, arrays []*prefixArray) {
	m := &ir.Map{N: p.loop.Hi, I: p.e.r.names.Var("i", tInt), Body: &ir.Block{}}
	in := p.e.into(m.Body)
	as := ir.Subst{p.loop.I: m.I}
	for k, i := range p.scalars {
		as[p.loop.Params[i]] = in.let("p", p.loop.Params[i].T, &ir.Index{X: before[k], I: m.I})
	}
	turn := &ir.Block{}
	for _, s := range p.loop.Body.Stmts {
		if !slices.ContainsFunc(p.arrays, func(a *prefixArray) bool { return a.at == s }) {
			turn.Stmts = append(turn.Stmts, s)
		}
	}
	var dst []*ir.Var
	for _, a := range arrays {
		turn.Results = append(turn.Results, a.update.Value)
		v := p.e.r.names.Var("y", ir.Type{Kind: a.update.Value.Type().Kind, Rank: 1})
		dst, a.now = append(dst, v), v
	}
	turn = turn.Clone(as, p.e.r.names)
	m.Body.Stmts = append(m.Body.Stmts, turn.Stmts...)
	m.Body.Results = turn.Results
	dropDead(m.Body)
	p.e.stmt(m, dst...)
}
