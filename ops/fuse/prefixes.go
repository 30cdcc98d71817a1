package fuse

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// Prefixes makes Scans of the loops of a fused function that fill arrays with what they have accumulated so far: each
// turn combines what the loop carries with something that does not depend on it, as in a loop that becomes a Reduce
// (see reductions), and assigns elements of arrays, which may depend on it. One machine runs such loops in order, as
// memory is what bounds them; on a cluster blocks of their turns run side by side.
//
//	y, s = map once < 1 {
//	    y = alloc n
//	    z, s = loop (y, p) init y a for i = 0 to n { …; q = add p x; z = update y i q*q; yield z q }
//	    yield z s
//	}
//
// becomes
//
//	b = scan i < n init a { …; yield x } combine add
//	y = map i < n { …; p = index b i; q = add p x; yield q*q }
//	s = reduce i < n init a { …; yield x } combine add
//
// An array of n + 1 elements is the Scan itself, over one element more, if element i + 1 is what turn i has
// accumulated, or element i what there was before turn i, and the last one the total.
func Prefixes(f *ir.Func) *ir.Func {
	g := f.Clone()
	names := ir.NewNamer(g)
	stmts := g.Body.Stmts
	g.Body.Stmts = nil
	sub := ir.Subst{} // what opens the rows that Maps of one element yield, and what is there instead
	for n, s := range stmts {
		if len(s.Dst) == 1 && sub[s.Dst[0]] != nil {
			continue
		}
		if opened := openedRows(s, stmts[n+1:], g.Body.Results); opened != nil {
			once := s.Clone(ir.Subst{}, names)
			to := &ir.Block{}
			p := &prefixes{e: emitter{&resolver{names: names, defs: map[*ir.Var]*ir.Stmt{}}, &to.Stmts, s.Pos}, floats: f.Reassociate, sub: ir.Subst{},
				defs: analysis.Of(g.Body, &ir.Block{Stmts: stmts}, &ir.Block{Stmts: []*ir.Stmt{once}})}
			if p.take(once) {
				for i, v := range p.write() {
					for _, o := range opened[i] {
						sub[o] = v
					}
				}
				g.Body.Stmts = append(g.Body.Stmts, to.Stmts...)
				continue
			}
		}
		g.Body.Stmts = append(g.Body.Stmts, s)
	}
	if len(sub) == 0 {
		return f
	}
	g.Body = g.Body.Clone(sub, names)
	simplify(g)
	return g
}

// openedRows returns, for each result of a Map of one element, the values that are that element; nil if s is something
// else, or its results are read in another way.
func openedRows(s *ir.Stmt, behind []*ir.Stmt, results []ir.Atom) [][]*ir.Var {
	if m, ok := s.Op.(*ir.Map); !ok || m.N != ir.Atom(ir.IntConst(ir.Int, 1)) {
		return nil
	}
	opened := make([][]*ir.Var, len(s.Dst))
	for _, t := range behind {
		for i, d := range s.Dst {
			switch op := t.Op.(type) {
			case *ir.View:
				if op.Fn == ir.Flatten && slices.ContainsFunc(ir.Operands(op), func(a *ir.Atom) bool { return *a == ir.Atom(d) }) {
					opened[i] = append(opened[i], t.Dst[0])
					continue
				}
			case *ir.Index:
				if op.X == ir.Atom(d) {
					opened[i] = append(opened[i], t.Dst[0])
					continue
				}
			}
			if dependsOn(t, map[*ir.Var]bool{d: true}) {
				return nil
			}
		}
	}
	for _, d := range s.Dst {
		if slices.Contains(results, ir.Atom(d)) {
			return nil
		}
	}
	return opened
}

// prefixes writes a Map of one element anew that does nothing but one loop of prefixes.
type prefixes struct {
	e      emitter
	defs   analysis.Defs
	floats bool

	loop    *ir.Loop
	dst     []*ir.Var
	scalars []int // the parameters of the loop that are accumulated
	arrays  []*prefixArray
	each    *ir.Reduce // of all scalars
	results []ir.Atom  // what the Map yields
	sub     ir.Subst
}

// prefixArray is an array that the loop fills.
type prefixArray struct {
	param  int
	n      ir.Atom    // its length
	update *ir.Update // in the loop
	at     *ir.Stmt
	total  ir.Atom // what is assigned to element Hi behind the loop, nil if nothing is
	now    ir.Atom
	last   *ir.Var // what it is behind all
}

// take reports whether the work of a Map of one element is a loop of prefixes.
func (p *prefixes) take(s *ir.Stmt) bool {
	body := s.Op.(*ir.Map).Body
	made := map[ir.Atom]ir.Atom{} // the lengths of arrays that are made before the loop
	var before []*ir.Stmt
	for _, t := range body.Stmts {
		switch op := t.Op.(type) {
		case *ir.Alloc:
			if made[t.Dst[0]] = op.N; p.loop != nil {
				return false
			}
		case *ir.Loop:
			if p.loop != nil || op.I == nil || op.Cond != nil || op.Lo != ir.Atom(ir.IntConst(ir.Int, 0)) {
				return false
			}
			p.loop, p.dst = op, t.Dst
			if !p.split(made) {
				return false
			}
		case *ir.Update:
			if p.loop == nil || !p.behind(t, op) {
				return false
			}
		case *ir.Binary, *ir.FMA, *ir.Convert, *ir.Select, *ir.If, *ir.Len, *ir.Unary:
			if p.loop != nil || slices.ContainsFunc(t.Dst, isArray) {
				return false
			}
			before = append(before, t)
		default:
			return false
		}
	}
	if p.loop == nil || len(p.arrays) == 0 {
		return false
	}
	p.results = body.Results
	p.hoist(before, made)
	return p.accumulated() && p.shaped()
}

// split tells what the loop accumulates from arrays that it fills, each by one update a turn.
func (p *prefixes) split(made map[ir.Atom]ir.Atom) bool {
	for i, v := range p.loop.Params {
		if !isArray(v) {
			p.scalars = append(p.scalars, i)
			continue
		}
		a := &prefixArray{param: i, n: made[p.loop.Init[i]], last: p.dst[i]}
		for _, t := range p.loop.Body.Stmts {
			if u, ok := t.Op.(*ir.Update); ok && u.X == ir.Atom(v) && a.at == nil {
				a.update, a.at = u, t
			} else if dependsOn(t, map[*ir.Var]bool{v: true}) || a.at != nil && dependsOn(t, map[*ir.Var]bool{a.at.Dst[0]: true}) {
				return false
			}
		}
		if a.n == nil || a.at == nil || p.loop.Body.Results[i] != ir.Atom(a.at.Dst[0]) {
			return false
		}
		p.arrays = append(p.arrays, a)
	}
	return len(p.scalars) > 0
}

// behind takes an update behind the loop.
func (p *prefixes) behind(s *ir.Stmt, op *ir.Update) bool {
	for _, a := range p.arrays {
		if op.X == ir.Atom(a.last) && a.total == nil && op.I == p.loop.Hi {
			a.total, a.last = op.Value, s.Dst[0]
			return true
		}
	}
	return false
}

// hoist writes what is before the loop to the top level. What is read there of arrays that are just made is zero.
func (p *prefixes) hoist(before []*ir.Stmt, made map[ir.Atom]ir.Atom) {
	var zeros func(b *ir.Block)
	zeros = func(b *ir.Block) {
		b.Stmts = slices.DeleteFunc(b.Stmts, func(s *ir.Stmt) bool {
			if x, ok := s.Op.(*ir.Index); ok && made[x.X] != nil {
				p.sub[s.Dst[0]] = ir.Const{Kind: s.Dst[0].T.Kind}
				return true
			}
			for _, c := range ir.Blocks(s.Op) {
				zeros(c)
			}
			return false
		})
	}
	zeros(&ir.Block{Stmts: before})
	for _, s := range before {
		t := s.Clone(p.sub, p.e.r.names)
		if cond, ok := t.Op.(*ir.If); ok && len(cond.Then.Stmts)+len(cond.Else.Stmts) == 0 && slices.Equal(cond.Then.Results, cond.Else.Results) {
			for i, d := range s.Dst {
				p.sub[d] = cond.Then.Results[i]
			}
			continue
		}
		p.e.stmt(t.Op, t.Dst...)
	}
	for i, a := range p.loop.Init {
		p.loop.Init[i] = p.sub.Atom(a)
	}
}

// accumulated finds what each turn combines with what the loop carries.
func (p *prefixes) accumulated() bool {
	own := &ir.Loop{I: p.loop.I, Lo: p.loop.Lo, Hi: p.loop.Hi, Body: &ir.Block{}}
	for _, s := range p.loop.Body.Stmts {
		if !slices.ContainsFunc(p.arrays, func(a *prefixArray) bool { return a.at == s }) {
			own.Body.Stmts = append(own.Body.Stmts, s)
		}
	}
	var dst []*ir.Var
	for _, i := range p.scalars {
		own.Params, own.Init, dst = append(own.Params, p.loop.Params[i]), append(own.Init, p.loop.Init[i]), append(dst, p.dst[i])
		own.Body.Results = append(own.Body.Results, p.loop.Body.Results[i])
	}
	scalar := &ir.Block{Stmts: []*ir.Stmt{{Dst: dst, Op: own}}}
	scalar = scalar.Clone(ir.Subst{}, p.e.r.names)
	own = scalar.Stmts[0].Op.(*ir.Loop)
	dropDead(own.Body)
	to := &ir.Block{}
	r := &reducer{names: p.e.r.names, floats: p.floats}
	if !r.accumulates(p.e.into(to), scalar.Stmts[0], own) {
		return false
	}
	p.each = to.Stmts[len(to.Stmts)-1].Op.(*ir.Reduce)
	p.each.N = p.loop.Hi
	return analysis.Combining(p.each.Comb) != nil
}

// shaped reports whether all arrays are as long as there are turns, or prefixes alone, and one longer.
func (p *prefixes) shaped() bool {
	for _, a := range p.arrays {
		if p.whole(a) < 0 && (a.n != p.loop.Hi || a.total != nil || a.update.I != ir.Atom(p.loop.I)) {
			return false
		}
	}
	return true
}

// whole returns which of the scalars an array holds the prefixes of, before each turn and behind the last one; -1 if it
// is another array.
func (p *prefixes) whole(a *prefixArray) int {
	one := ir.Atom(ir.IntConst(ir.Int, 1))
	if add, ok := p.defs[a.n].(*ir.Binary); !ok || add.Fn != ir.Add || add.X != p.loop.Hi || add.Y != one {
		return -1
	}
	if _, ok := p.defs[p.loop.Hi].(*ir.Len); !ok {
		return -1
	}
	for k, i := range p.scalars {
		next, _ := p.defs[a.update.I].(*ir.Binary)
		switch {
		case a.update.I == ir.Atom(p.loop.I) && a.update.Value == ir.Atom(p.loop.Params[i]) && a.total == ir.Atom(p.dst[i]):
			return k
		case next != nil && next.Fn == ir.Add && next.X == ir.Atom(p.loop.I) && next.Y == one && a.total == nil &&
			a.update.Value == p.loop.Body.Results[i] && p.loop.Init[i] == ir.Atom(ir.Const{Kind: p.loop.Params[i].T.Kind}):
			return k
		}
	}
	return -1
}
