package fuse

import (
	"math"
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// nest is a loop at the top level that fills arrays: each turn i updates the element base + i, or base - i, or a row of
// elements (i + up)·width + (j + along), where j is the index of loops inside.
type nest struct {
	*filler
	loop      *ir.Loop
	before    []*ir.Stmt           // the statements of its body before the first one that has to do with the arrays
	along     map[*ir.Var]*ir.Loop // the loops inside that go along a row, by their indices
	places    []place              // at most one of them has rows
	most      bool                 // it updates all elements, but for a few at the ends, as far as is known
	redundant map[*ir.Stmt]bool    // checks of the elements that are updated: [place.check] stands for them
}

// place says which elements of which arrays a nest fills.
type place struct {
	arrays    []int   // the positions of the arrays among what the loop carries
	n         ir.Atom // their length
	backwards bool    // base - i
	base      analysis.Sum
	width     ir.Atom // nil where turns have one element each
	up, along int64
	rows      ir.Atom  // how many rows the arrays were made for, nil if that is not known
	only      ir.Atom  // says whether there are turns at all, nil where their bounds say so
	low, high bool     // elements, or rows, before the first one, or behind the last one, that are updated
	framed    bool     // what the loops inside update lies in a row if the first row is not negative, and the width is not
	check     *ir.Stmt // made of the first and the last element before the Map runs; nil if they are in the array
}

// access is where a nest reads or updates an element of an array, and form is which one.
type access struct {
	array *ir.Stmt
	index ir.Atom
	form  analysis.Affine
}

// nest returns the nest of loop, or nil if turns of it depend on others, or not all of what it does is known.
func (fl *filler) nest(loop *ir.Loop) *nest {
	n := &nest{filler: fl, loop: loop, along: map[*ir.Var]*ir.Loop{}, redundant: map[*ir.Stmt]bool{}}
	if !n.place() {
		return nil
	}
	for i, s := range loop.Body.Stmts {
		var all []access
		if n.accesses(&ir.Block{Stmts: []*ir.Stmt{s}}, &all); len(all) > 0 {
			n.before = loop.Body.Stmts[:i]
			break
		}
	}
	if p := n.rowPlace(); p != nil && (p.low || p.high || p.rows == nil) && n.fails() && n.keepsArrays() {
		return nil // each element would make them
	}
	return n
}

// place finds out where the accesses are, and reports whether each turn has elements of its own.
func (n *nest) place() bool {
	var all []access
	if !n.accesses(n.loop.Body, &all) {
		return false
	}
	inside := map[*ir.Var]bool{n.loop.I: true}
	loops := map[ir.Atom]*ir.Loop{}
	ir.Walk(n.loop.Body, func(s *ir.Stmt) {
		for _, v := range slices.Concat(s.Dst, ir.Bound(s.Op)) {
			inside[v] = true
		}
		if loop, ok := s.Op.(*ir.Loop); ok && carriesArrays(loop, func(p *ir.Var) bool { return n.carried(p) != nil }) {
			loops[loop.I] = loop
		}
	})
	form := analysis.Form{Defs: analysis.Of(n.loop.Body), Known: func(a ir.Atom) (analysis.Affine, bool) {
		v, ok := a.(*ir.Var)
		switch _, defined := n.defs[a]; {
		case !ok:
			return analysis.Affine{}, false
		case !inside[v]:
			return analysis.Outside(a), true
		case !defined:
			return analysis.On(a), true
		}
		return analysis.Affine{}, false
	}}
	placed := map[*ir.Stmt]int{} // arrays → positions in n.places
	for i := range all {
		a := &all[i]
		var ok bool
		if a.form, ok = form.Affine(a.index); !ok {
			return false
		}
	}
	for _, a := range all {
		if _, ok := placed[a.array]; ok {
			continue
		}
		p, ok := n.placeOf(a, inside, loops)
		if !ok {
			return false
		}
		at := slices.IndexFunc(n.places, func(q place) bool { return q.n == p.n && q.same(p) })
		if at < 0 {
			at = len(n.places)
			n.places = append(n.places, p)
		}
		placed[a.array] = at
	}
	for i, param := range n.loop.Params {
		at, ok := placed[n.allocs[param]]
		if !ok {
			return false
		}
		n.places[at].arrays = append(n.places[at].arrays, i)
	}
	for _, a := range all {
		if p, ok := n.placeOf(a, inside, loops); !ok || !n.places[placed[a.array]].same(p) {
			return false
		}
	}
	rows := 0
	for i := range n.places {
		p := &n.places[i]
		if p.width != nil {
			rows++
		} else if slices.ContainsFunc(p.arrays, n.carriedAlong) { // what a row is made of would depend on what is left of it
			return false
		}
		if !n.covered(p, form, loops) {
			return false
		}
	}
	return rows <= 1
}

// carriedAlong reports whether a loop along a row carries array i.
func (n *nest) carriedAlong(i int) bool {
	for _, along := range n.along {
		if slices.ContainsFunc(along.Params, func(p *ir.Var) bool { return n.allocs[p] == n.allocs[n.loop.Params[i]] }) {
			return true
		}
	}
	return false
}

// rowPlace is the place that has rows, nil if none has.
func (n *nest) rowPlace() *place {
	for i := range n.places {
		if n.places[i].width != nil {
			return &n.places[i]
		}
	}
	return nil
}

// same reports whether two places are the same elements.
func (p place) same(q place) bool {
	diff, ok := p.base.Minus(q.base).Constant()
	return ok && diff == 0 && p.backwards == q.backwards && p.width == q.width && p.up == q.up && p.along == q.along
}

// placeOf reads a form as a place. loops are those inside that may go along a row.
func (n *nest) placeOf(a access, inside map[*ir.Var]bool, loops map[ir.Atom]*ir.Loop) (p place, ok bool) {
	outside := func(s analysis.Sum) bool {
		return !slices.ContainsFunc(s, func(p analysis.Product) bool {
			return slices.ContainsFunc(p.Of, func(a ir.Atom) bool { v, ok := a.(*ir.Var); return ok && inside[v] })
		})
	}
	p.n = length(a.array)
	times := a.form.Factor(analysis.Index{V: n.loop.I})
	if len(a.form.Parts) == 1 {
		c, ok := times.Constant()
		p.base, p.backwards = a.form.Base, c == -1
		return p, ok && (c == 1 || c == -1) && outside(p.base)
	}
	if len(a.form.Parts) != 2 || len(times) != 1 || !outside(times) {
		return p, false
	}
	row := a.form.Parts[0]
	if row.Of.V == ir.Atom(n.loop.I) {
		row = a.form.Parts[1]
	}
	along := loops[row.Of.V]
	if c, ok := row.Times.Constant(); !ok || c != 1 || row.Of.Fn != "" || along == nil {
		return p, false
	}
	n.along[along.I] = along
	switch w := times[0]; {
	case len(w.Of) == 0 && w.C > 0:
		p.width = ir.IntConst(ir.Int, w.C)
	case len(w.Of) == 1 && w.C == 1:
		p.width = w.Of[0]
	case equal(n.expand(times), n.sum(along.Hi)): // a product, up to which the rows go
		p.width = along.Hi
	default:
		return p, false
	}
	for _, b := range a.form.Base {
		switch {
		case len(b.Of) == 0:
			p.along = b.C
		case len(b.Of) == 1 && b.Of[0] == p.width:
			p.up = b.C
		default:
			return p, false
		}
	}
	return p, true
}

// accesses collects where a block reads and updates elements of the arrays, and reports whether it does nothing else
// with them.
func (n *nest) accesses(b *ir.Block, all *[]access) bool {
	for _, s := range b.Stmts {
		switch op := s.Op.(type) {
		case *ir.If, *ir.Loop:
			for _, c := range ir.Blocks(op) {
				if !n.accesses(c, all) {
					return false
				}
			}
		case *ir.Index:
			if array := n.carried(op.X); array != nil {
				*all = append(*all, access{array: array, index: op.I})
			}
		case *ir.Update:
			if array := n.carried(op.X); array != nil {
				*all = append(*all, access{array: array, index: op.I})
			}
		default:
			uses := ir.Free(&ir.Block{Stmts: []*ir.Stmt{s}})
			if slices.ContainsFunc(uses, func(v *ir.Var) bool { return v.T.Rank > 0 && n.carried(v) != nil }) {
				return false
			}
		}
	}
	return true
}

// carried returns the array of which a is a version, if the loops carry it.
func (n *nest) carried(a ir.Atom) *ir.Stmt {
	v, _ := a.(*ir.Var)
	array := n.allocs[v]
	if array != nil && slices.ContainsFunc(n.loop.Params, func(p *ir.Var) bool { return n.allocs[p] == array }) {
		return array
	}
	return nil
}

// sum returns a value as a sum of products of what no addition, subtraction or multiplication yields.
func (n *nest) sum(a ir.Atom) analysis.Sum {
	form, _ := analysis.Form{Defs: n.defs, Known: func(a ir.Atom) (analysis.Affine, bool) {
		b, ok := n.defs[a].(*ir.Binary)
		switch {
		case ok && (b.Fn == ir.Add || b.Fn == ir.Sub || b.Fn == ir.Mul):
			return analysis.Affine{}, false
		case ok && b.Fn == ir.Min && ir.IsInt(b.Y, math.MaxInt64-1): // the last turn of a loop up to a value
			return analysis.Affine{Base: n.sum(b.X)}, true
		}
		return analysis.Outside(a), true
	}}.Affine(a)
	return form.Base
}

// equal reports whether two sums are known to be the same.
func equal(a, b analysis.Sum) bool { return len(a.Minus(b)) == 0 }

func number(i int64) analysis.Sum { return analysis.Outside(ir.IntConst(ir.Int, i)).Base }

// atMost reports whether a is known to be at most b.
func atMost(a, b analysis.Sum) bool {
	c, ok := b.Minus(a).Constant()
	return ok && c >= 0
}

// upTo reports whether a + by is known to be at most limit. What is the lesser one of two values is at most both.
func (n *nest) upTo(a ir.Atom, by, limit analysis.Sum) bool {
	if atMost(n.sum(a).Plus(by), limit) {
		return true
	}
	least, ok := n.defs[a].(*ir.Binary)
	return ok && least.Fn == ir.Min && (n.upTo(least.X, by, limit) || n.upTo(least.Y, by, limit))
}

// covered finds out which elements the turns update. It reports whether all of them are known to be in the array, or a
// check says so that every turn makes.
func (n *nest) covered(p *place, form analysis.Form, loops map[ir.Atom]*ir.Loop) bool {
	end := n.loop.Hi
	if op, ok := n.defs[end].(*ir.Select); ok && p.width != nil && ir.IsInt(op.Y, 0) && ir.IsInt(n.loop.Lo, 0) {
		end, p.only = op.X, op.Cond
	}
	lo, hi, size, inside := n.sum(n.loop.Lo), n.sum(end), n.sum(p.n), false
	n.most = n.mostOf(size, lo, hi)
	switch base := n.expand(p.base); {
	case p.width != nil:
		p.rows = n.rowsOf(p, end)
		lo, hi = lo.Plus(number(p.up)), hi.Plus(number(p.up))
		p.low, p.high = !atMost(lo, nil), p.rows == nil || !atMost(n.sum(p.rows), hi)
		inside = p.rows != nil && atMost(nil, lo) && n.upTo(end, number(p.up), n.sum(p.rows))
		for _, along := range n.along {
			left, over := n.bounds(p, along)
			n.most = n.most && n.mostOf(n.sum(p.width), left, over)
			// Where the first row is not negative: the check of the first element says so.
			fromRow := atMost(lo, left) && atMost(over.Plus(lo), n.sum(p.width))
			inRow := atMost(nil, left) && n.upTo(along.Hi, number(p.along), n.sum(p.width))
			if !inRow && !fromRow || !n.fixed(along.Lo) || !n.fixed(along.Hi) {
				return false
			}
			p.framed = p.framed || !inRow
		}
	case p.backwards:
		behind := base.Plus(number(1))
		p.high, p.low = !atMost(behind, hi), !atMost(lo.Plus(size), behind)
		inside = atMost(behind, lo.Plus(size)) && n.upTo(n.loop.Hi, nil, behind)
	default:
		lo, hi = lo.Plus(base), hi.Plus(base)
		p.low, p.high = !atMost(lo, nil), !atMost(size, hi)
		inside = atMost(nil, lo) && n.upTo(n.loop.Hi, base, size)
	}
	always := n.loop.Body.Stmts // what every turn does
	for _, s := range n.loop.Body.Stmts {
		if loop, ok := s.Op.(*ir.Loop); ok && len(n.along) == 1 && n.along[loop.I] == loop {
			always = slices.Concat(always, loop.Body.Stmts)
		}
	}
	ir.Walk(n.loop.Body, func(s *ir.Stmt) {
		c, ok := s.Op.(*ir.Check)
		if !ok || c.Kind != ir.CheckIndex || c.Args[1] != p.n {
			return
		}
		a := access{array: n.allocs[n.loop.Params[p.arrays[0]]]}
		if a.form, ok = form.Affine(c.Args[0]); !ok {
			return
		}
		if q, ok := n.placeOf(a, nil, loops); ok && p.same(q) {
			n.redundant[s] = true
			if slices.Contains(always, s) {
				p.check = s
			}
		}
	})
	if inside {
		p.check = nil
	}
	return inside || p.check != nil
}

// mostOf reports whether the turns from lo to hi are all of size but for a few, or else as many as an input says, from
// the first one on: then size is expected to be meant.
func (n *nest) mostOf(size, lo, hi analysis.Sum) bool {
	const few = 64
	if rest, ok := size.Minus(hi.Minus(lo)).Constant(); ok {
		return rest <= few
	}
	first, ok := lo.Constant()
	if _, isConst := hi.Constant(); !ok || isConst || first > few {
		return false
	}
	return !slices.ContainsFunc(hi, func(p analysis.Product) bool {
		return slices.ContainsFunc(p.Of, func(a ir.Atom) bool { return !n.given[a] })
	})
}

// rowsOf returns how many rows the arrays of a place were made for; end is the turn behind the last one. Their
// length is that times the width. It returns nil if that is not known.
func (n *nest) rowsOf(p *place, end ir.Atom) ir.Atom {
	made, ok := n.defs[p.n].(*ir.Binary)
	if !ok || made.Fn != ir.Mul {
		return nil
	}
	width := n.sum(p.width)
	for _, q := range [][2]ir.Atom{{made.X, made.Y}, {made.Y, made.X}} {
		if equal(n.sum(q[0]), width) {
			return q[1]
		}
	}
	if rows := (analysis.Affine{Base: n.sum(end)}); equal(n.sum(p.n), rows.Times(width).Base) {
		return end
	}
	return nil
}

// bounds are the first element of a row that a loop along it updates, and the one behind the last.
func (n *nest) bounds(p *place, along *ir.Loop) (left, over analysis.Sum) {
	return n.sum(along.Lo).Plus(number(p.along)), n.sum(along.Hi).Plus(number(p.along))
}

// expand puts what the function was called with into a sum.
func (n *nest) expand(s analysis.Sum) analysis.Sum {
	var all analysis.Sum
	for _, p := range s {
		f := analysis.Outside(ir.IntConst(ir.Int, p.C))
		for _, a := range p.Of {
			f = f.Times(n.sum(a))
		}
		all = all.Plus(f.Base)
	}
	return all
}

// fixed reports whether a value is the same in all turns of the outer loop.
func (n *nest) fixed(a ir.Atom) bool {
	v, ok := a.(*ir.Var)
	return !ok || v != n.loop.I && !definedIn(n.loop.Body, v) && !slices.Contains(n.loop.Params, v)
}

// nonnegative reports whether a is known not to be negative: it is the length of something, or a constant.
func (n *nest) nonnegative(a ir.Atom) bool {
	if c, ok := a.(ir.Const); ok {
		return c.Int() >= 0
	}
	_, ok := n.defs[a].(*ir.Len)
	return ok
}
