package fuse

import (
	"maps"
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
	sizes     map[ir.Atom]bool     // what checks before the loop have found not to be negative
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
	n := &nest{filler: fl, loop: loop, along: map[*ir.Var]*ir.Loop{}, redundant: map[*ir.Stmt]bool{}, sizes: maps.Clone(fl.checked)}
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
	if p := n.rowPlace(); p != nil && n.fails() && n.keepsArrays() {
		some := p.low || p.high || p.rows == nil // turns may have no row
		if some && !n.fillsAll() || (some || p.only != nil && p.onlySize(n.defs) == nil) && !n.sizesKnown() {
			return nil // a turn without a row makes them as well, or no condition yields them
		}
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
