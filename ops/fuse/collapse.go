package fuse

import (
	"maps"
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// collapse makes one loop over rows of two loops around what fills the elements of a row: the channels and rows of a
// convolution, the products of a batch and their rows. Later passes make a nest of Maps of the rows and their elements
// then, and the form delinearise.k has the two levels again.
//
//	z' = loop (z1) init z for c = 0 to m {
//	  z4 = loop (z2) init z1 for y = 0 to h { …; z3 = loop … { … update z (c·h·w + y·w + x) … }; yield z3 }
//	  yield z4
//	}
//
// becomes
//
//	k  = max h 1
//	n  = select (0 < h) (m·h) 0
//	z' = loop (z2) init z for r = 0 to n { c = r / k; y = r % k; …; z3 = loop … { … update z (r·w + x) … }; yield z3 }
//
// Turns are the same, in the same order, and the elements that they update and read are: where the factor of c is h
// times that of y, c·h + y is r. The product m·h must not overflow, which is checked, as the number of rows of a nest
// is. What stands in the outer loop before the inner one is repeated for each y, and therefore cheap, and cannot fail.
//
// Where the factor of y is m times that of c, the rows of a position lie one behind the other, such as those of the
// heads of attention: then all turns c for the first y come first, and r is y·m + c. Each row is computed in the same
// order. Of several checks that fail another one may be reported than in plain Go; loops with panics of the source
// stay.
func collapse(f *ir.Func, names *ir.Namer) {
	nested := func(l *ir.Loop) bool { return carriesArrays(l, isArray) && hasLoop(l.Body) }
	if !slices.ContainsFunc(loopsOutside(f.Body), nested) {
		return
	}
	g := f.Clone()
	lengths(g)
	simplify(g)
	hoist(g, names)
	simplify(g)
	if hasPanics(g.Body) {
		dropProved(g, names)
		simplify(g)
	}
	c := &collapser{f: g, names: names}
	if c.block(g.Body); c.found {
		simplify(g)
		*f = *g
	}
}

type collapser struct {
	f     *ir.Func
	names *ir.Namer
	found bool
}

// block collapses the loops at the top level.
func (c *collapser) block(b *ir.Block) {
	for at := 0; at < len(b.Stmts); at++ {
		s := b.Stmts[at]
		switch op := s.Op.(type) {
		case *ir.If:
			c.block(op.Then)
			c.block(op.Else)
		case *ir.Loop:
			if n := c.rows(b, at, op); n > 0 {
				c.found = true
				at += n - 1
			}
		}
	}
}

const (
	// deepest is how many loops become one with the loop inside of them, at most.
	deepest = 3
	// repeatedCost is what may stand before the inner loop, in additions: a row is as much work. It has room for the
	// quotient and the remainder of loops that have become one before.
	repeatedCost = turnCost + 3*quotientCost
)

// rows puts one loop over rows in the place of the loops of statement at of a block, if that becomes a Map then, which
// they do not. It returns how many statements stand there, 0 if it did nothing.
func (c *collapser) rows(b *ir.Block, at int, loop *ir.Loop) int {
	if !carriesArrays(loop, isArray) || holdsOperators(loop) {
		return 0
	}
	filler := &distributor{f: c.f, names: c.names}
	s := b.Stmts[at]
	if _, filled := filler.filled(s); filled {
		return 0
	}
	was := b.Stmts
	var stmts []*ir.Stmt
	for range deepest {
		more := c.collapsed(s, false)
		if more == nil {
			more = c.collapsed(s, true)
		}
		if more == nil {
			break
		}
		stmts = append(stmts, more...)
		s = stmts[len(stmts)-1]
		b.Stmts = slices.Concat(was[:at], stmts, was[at+1:])
		if n, filled := filler.filled(s); filled && n.rowPlace() != nil {
			return len(stmts)
		}
		stmts = stmts[:len(stmts)-1]
	}
	b.Stmts = was
	c.block(loop.Body) // of the steps of a simulation
	return 0
}

// collapsed returns the loop of both indices, behind what it needs; nil where that is not known to be the same. Its
// turns are in the order of the source, or swapped: all turns of the outer loop for each one of the inner loop.
func (c *collapser) collapsed(s *ir.Stmt, swapped bool) []*ir.Stmt {
	allocs, dst := versions(c.f.Body), s.Dst
	s = s.Clone(ir.Subst{}, c.names)
	outer := s.Op.(*ir.Loop)
	last := len(outer.Body.Stmts) - 1
	if last < 0 || !ir.IsInt(outer.Lo, 0) {
		return nil
	}
	row, before := outer.Body.Stmts[last], &ir.Block{Stmts: outer.Body.Stmts[:last]}
	inner, ok := row.Op.(*ir.Loop)
	if !ok || inner.I == nil || !ir.IsInt(inner.Lo, 0) || !hasLoop(inner.Body) || len(inner.Params) != len(outer.Params) {
		return nil
	}
	if changesIn(outer, inner.Hi) || !c.repeatable(before, outer) || swapped && hasPanics(inner.Body) {
		return nil
	}
	first, second := outer, inner
	if swapped {
		first, second = inner, outer
	}
	m := &merging{outer: first.I, inner: second.I, of: map[*ir.Var]*ir.Stmt{}}
	results := make([]ir.Atom, len(outer.Params))
	for i, p := range outer.Params {
		k := slices.Index(inner.Init, ir.Atom(p))
		if k < 0 || outer.Body.Results[i] != ir.Atom(row.Dst[k]) || !sized(allocs[dst[i]]) {
			return nil
		}
		m.of[inner.Params[k]], results[i] = allocs[dst[i]], inner.Body.Results[k]
	}
	filled := slices.Collect(maps.Values(m.of))
	if !newVersions(inner.Body, m.of) {
		return nil
	}
	maps.DeleteFunc(m.of, func(_ *ir.Var, made *ir.Stmt) bool { return !slices.Contains(filled, made) }) // a turn's own
	var out []*ir.Stmt
	e := emitter{&resolver{names: c.names, defs: map[*ir.Var]*ir.Stmt{}}, &out, s.Pos}
	zero, one := ir.IntConst(ir.Int, 0), ir.IntConst(ir.Int, 1)
	k := e.bin(ir.Max, "rows", second.Hi, one)
	(&nest{}).fitting(e, e.bin(ir.Max, "rows", first.Hi, zero), k)
	n := e.choose("rows", e.bin(ir.Lt, "some", zero, second.Hi), e.bin(ir.Mul, "rows", first.Hi, second.Hi), zero)
	body := &ir.Block{}
	in := e.into(body)
	m.both = c.names.Var(inner.I.Name, tInt)
	in.stmt(&ir.Binary{Fn: ir.Div, X: m.both, Y: k}, first.I)
	in.stmt(&ir.Binary{Fn: ir.Rem, X: m.both, Y: k}, second.I)
	if m.prepare(c.f, outer, second.Hi); !m.block(e, inner.Body) {
		return nil
	}
	body.Stmts = slices.Concat(body.Stmts, before.Stmts, inner.Body.Stmts)
	body.Results = results
	to := &ir.Loop{I: m.both, Lo: zero, Hi: n, Body: body, Init: outer.Init}
	for _, p := range outer.Params {
		to.Params = append(to.Params, inner.Params[slices.Index(inner.Init, ir.Atom(p))])
	}
	return append(out, &ir.Stmt{Dst: dst, Op: to, Pos: s.Pos})
}

// repeatable reports whether what stands before the inner loop may be done for each of its turns, and when there is
// none: it is little, cannot fail, and has nothing to do with the arrays.
func (c *collapser) repeatable(before *ir.Block, outer *ir.Loop) bool {
	h := &hoister{positive: positives(c.f.Body)}
	ok := !hasLoop(before) && weigh(before) <= repeatedCost
	ir.Walk(before, func(t *ir.Stmt) { ok = ok && h.movable(t.Op) })
	return ok && !slices.ContainsFunc(ir.Free(before), func(v *ir.Var) bool { return slices.Contains(outer.Params, v) })
}

// merging puts one index in the place of two where elements of arrays are meant.
type merging struct {
	outer, inner, both *ir.Var
	of                 map[*ir.Var]*ir.Stmt // the versions of the arrays
	turns              analysis.Sum         // of the inner loop
	form               analysis.Form
	sums               *nest
}

// prepare gets ready to read indices in a loop that is not part of f yet.
func (m *merging) prepare(f *ir.Func, outer *ir.Loop, turns ir.Atom) {
	inside := map[*ir.Var]bool{outer.I: true}
	inner := analysis.Of(outer.Body)
	ir.Walk(outer.Body, func(s *ir.Stmt) {
		for _, v := range slices.Concat(s.Dst, ir.Bound(s.Op)) {
			inside[v] = true
		}
	})
	m.form = analysis.Form{Defs: inner, Known: func(a ir.Atom) (analysis.Affine, bool) {
		v, ok := a.(*ir.Var)
		switch {
		case !ok:
			return analysis.Affine{}, false
		case !inside[v]:
			return analysis.Outside(a), true
		case inner[a] == nil:
			return analysis.On(a), true
		}
		return analysis.Affine{}, false
	}}
	m.sums = &nest{filler: &filler{defs: analysis.Of(f.Body)}}
	m.turns = m.sums.sum(turns)
}

// block rewrites the indices of a block, and reports whether that goes for all of them.
func (m *merging) block(e emitter, b *ir.Block) bool {
	stmts := b.Stmts
	b.Stmts = nil
	e = e.into(b)
	ok := true
	for _, s := range stmts {
		e.pos = s.Pos
		switch op := s.Op.(type) {
		case *ir.Index:
			if v, _ := op.X.(*ir.Var); m.of[v] != nil {
				op.I, ok = m.index(e, op.I, ok)
			} else if at, is := m.index(e, op.I, op.X.Type().Rank == 1); is {
				op.I = at
			}
		case *ir.Update:
			if v, _ := op.X.(*ir.Var); m.of[v] != nil {
				op.I, ok = m.index(e, op.I, ok)
			}
		case *ir.Check:
			if at, is := m.index(e, op.Args[0], op.Kind == ir.CheckIndex); is {
				op.Args[0] = at
			}
		case *ir.If, *ir.Loop:
			for _, c := range ir.Blocks(op) {
				ok = m.block(e, c) && ok
			}
		}
		b.Stmts = append(b.Stmts, s)
	}
	return ok
}

// index is an index in terms of the one for both. It reports false where it is not ok, or no such.
func (m *merging) index(e emitter, a ir.Atom, ok bool) (ir.Atom, bool) {
	form, affine := m.form.Affine(a)
	if !ok || !affine {
		return a, false
	}
	up, along := form.Factor(analysis.Index{V: m.outer}), form.Factor(analysis.Index{V: m.inner})
	if len(up) == 0 && len(along) == 0 {
		return a, true
	}
	if !equal(m.sums.expand(up), analysis.Affine{Base: m.sums.expand(along)}.Times(m.turns).Base) {
		return a, false
	}
	total := e.sum(form.Base)
	for _, p := range form.Parts {
		of := p.Of.V
		switch {
		case p.Of.Fn != "":
			return a, false
		case of == ir.Atom(m.outer):
			continue
		case of == ir.Atom(m.inner):
			of = m.both
		}
		total = e.bin(ir.Add, "at", total, e.bin(ir.Mul, "t", of, e.sum(p.Times)))
	}
	return total, true
}
