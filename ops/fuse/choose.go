package fuse

import "github.com/surge-ndp/surge/ops/ir"

// choose replaces the conditions that choose between sequences. What a branch computes in parallel is computed in any
// case, but of no elements where the condition says otherwise; scalar code that may fail, or takes long, stays under
// the condition; and the chosen sequence takes each of its elements from one branch or the other:
//
//	y = if c { z = map i < n { … }; z } else { x }
//
// becomes
//
//	m = select c n 0; z = map i < m { … }
//	k = select c m (len x); y = map i < k { if c { z[i] } else { x[i] } }
//
// and where x has no elements, as at the end of most functions that begin with a check, y is z itself. So everything
// after this pass meets only conditions that choose scalars (or update one array, or not), and
// what is computed under a condition at the top level is a computation like any other.
func choose(f *ir.Func, names *ir.Namer) {
	c := &chooser{names: names, allocs: ir.Allocs(f.Body), defs: map[*ir.Var]ir.Op{}, risky: map[*ir.Var]bool{}}
	c.block(f.Body)
}

type chooser struct {
	names  *ir.Namer
	allocs map[*ir.Var]*ir.Stmt // what made the arrays that are updated in place
	defs   map[*ir.Var]ir.Op    // what yields an array
	risky  map[*ir.Var]bool     // arrays whose very length may be asked for only under the condition that they came from
}

func (c *chooser) block(b *ir.Block) {
	var out []*ir.Stmt
	sub := ir.Subst{}
	for _, s := range b.Stmts {
		for _, a := range ir.Operands(s.Op) {
			*a = sub.Atom(*a)
		}
		for _, in := range ir.Blocks(s.Op) {
			substitute(in, sub)
			c.block(in)
		}
		if op, ok := s.Op.(*ir.If); ok && c.chooses(s) {
			out = append(out, c.replace(s, op, sub)...)
			continue
		}
		c.note(s)
		out = append(out, s)
	}
	b.Stmts = out
	for i := range b.Results {
		b.Results[i] = sub.Atom(b.Results[i])
	}
}

func (c *chooser) note(s *ir.Stmt) {
	for _, d := range s.Dst {
		if d.T.Rank > 0 {
			c.defs[d] = s.Op
		}
	}
}

// chooses reports whether an If yields one sequence or another.
func (c *chooser) chooses(s *ir.Stmt) bool {
	for _, d := range s.Dst {
		if d.T.Rank > 0 && c.allocs[d] == nil {
			return true
		}
	}
	return false
}

// replace returns the statements that stand in for the condition s; sub receives what stands for arrays that it
// updates.
func (c *chooser) replace(s *ir.Stmt, op *ir.If, sub ir.Subst) []*ir.Stmt {
	then := c.branch(op.Cond, true, op.Then, s.Pos)
	updated := ir.Subst{} // the other branch updates the versions that this one leaves: where this one is not taken, they are unchanged
	for from, to := range then.updated {
		updated[from] = to
	}
	substitute(op.Else, updated)
	els := c.branch(op.Cond, false, op.Else, s.Pos)
	e := &branch{chooser: c, cond: op.Cond, pos: s.Pos, out: append(then.out, els.out...)}
	chosen := map[ir.Atom]bool{}
	for i, d := range s.Dst {
		x, y := op.Then.Results[i], op.Else.Results[i]
		switch {
		case d.T.Rank == 0:
			e.put(&ir.Select{Cond: op.Cond, X: x, Y: y}, d)
		case c.allocs[d] != nil:
			sub[d] = y
		case c.empty(x) && els.emptied(y) && !chosen[y]:
			sub[d], chosen[y] = y, true
		case c.empty(y) && then.emptied(x) && !chosen[x]:
			sub[d], chosen[x] = x, true
		default:
			nx, ny := then.length(x.(*ir.Var), e), els.length(y.(*ir.Var), e)
			n := e.let("n", tInt, &ir.Select{Cond: op.Cond, X: nx, Y: ny})
			at := c.names.Var("i", tInt)
			elem := c.names.Var(elementName(d), d.T.Elem())
			read := func(a ir.Atom) *ir.Block {
				if _, made := c.defs[a.(*ir.Var)].(*ir.Alloc); made && elem.T.IsScalar() { // nothing is written to what it was at first
					return &ir.Block{Results: []ir.Atom{zero(elem.T.Kind)}}
				}
				v := c.names.Var(elementName(a), elem.T)
				return &ir.Block{Stmts: []*ir.Stmt{{Dst: []*ir.Var{v}, Op: &ir.Index{X: a, I: at}, Pos: s.Pos}}, Results: []ir.Atom{v}}
			}
			body := &ir.Block{Stmts: []*ir.Stmt{{Dst: []*ir.Var{elem}, Op: &ir.If{Cond: op.Cond, Then: read(x), Else: read(y)}, Pos: s.Pos}}, Results: []ir.Atom{elem}}
			c.block(body)
			e.put(&ir.Map{N: n, I: at, Body: body}, d)
		}
	}
	return e.out
}
