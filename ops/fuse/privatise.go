package fuse

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// Loops that accumulate at computed places are privatised: turns are divided into parts, each part accumulates into an
// array of its own, and these are combined place by place.
//
//	z' = loop (z1) init z for i = lo to hi { …; e = index z1 b; y = add e x; z2 = update z1 b y; yield z2 }
//
// becomes
//
//	p  = map c < parts { own = alloc w; q = loop (z1) init own for i = first to last { … }; yield q }
//	z' = map k < w {
//	  old = index z k
//	  r = reduce c < parts init old { row = index p c; e = index row k; yield e } combine add
//	  yield r
//	}
//
// This is exact: what a place holds in the end is its first value combined with some x, each of which a turn computes
// from nothing that is accumulated, by a function for which neither order nor grouping matters. What a turn checks is
// checked in its part.

const (
	// mostParts is how many parts there are at most: enough for the cores of large machines, and for uneven parts.
	mostParts = 64
	// partWork is how often as many places as the arrays have a part accumulates at least, since the parts' arrays are
	// made and combined besides.
	partWork = 16
	// partTurns is how many turns a part has at least, those of loops inside counted.
	partTurns = 512
	// nestedTurns is how many turns loops inside are expected to have, where that is not known before.
	nestedTurns = 16
	// mostTurns is how many turns of a loop inside are counted at most, so that products of some do not overflow.
	mostTurns = 1 << 16
)

// places is how values are combined in the arrays that a loop accumulates into, by what made these.
type places struct{ arrays map[*ir.Stmt]ir.BinaryFn }

// scattered finds out whether the arrays of a loop only accumulate: each read of an element is combined with something
// and put back where it was read, before anything else happens to the array, and is used for nothing else.
func (r *reducer) scattered(loop *ir.Loop) (places, bool) {
	p := places{arrays: map[*ir.Stmt]ir.BinaryFn{}}
	for _, v := range loop.Params {
		if v.T.Rank == 0 {
			continue
		}
		made := r.arrays.allocs[v]
		if made == nil || made.Op.(*ir.Alloc).Grows {
			return p, false
		}
		p.arrays[made] = ""
	}
	of := func(a ir.Atom) *ir.Stmt {
		v, _ := a.(*ir.Var)
		made := r.arrays.allocs[v]
		if _, ours := p.arrays[made]; !ours {
			return nil
		}
		return made
	}
	uses, kept := map[ir.Atom]int{}, map[ir.Atom]int{} // all uses of a value, and those that accumulate
	read := map[ir.Atom]*ir.Index{}                    // an element, or one that something was combined with → where it was read
	ok := true
	var block func(b *ir.Block)
	block = func(b *ir.Block) {
		for _, s := range b.Stmts {
			for _, a := range ir.Operands(s.Op) {
				uses[*a]++
			}
			switch op := s.Op.(type) {
			case *ir.Index:
				if of(op.X) != nil {
					read[s.Dst[0]] = op
				}
				continue
			case *ir.Update:
				if of(op.X) != nil {
					from := read[op.Value]
					ok = ok && from != nil && from.X == op.X && from.I == op.I && op.Value != op.I
					kept[op.Value]++
				}
				continue
			case *ir.Binary:
				x, y := read[op.X], read[op.Y]
				from, old, fn := x, op.X, op.Fn
				if y != nil {
					from, old = y, op.Y
				} else if fn == ir.Sub {
					fn = ir.Add
				}
				if from == nil {
					continue
				}
				made := of(from.X)
				ok = ok && (x == nil || y == nil) && (p.arrays[made] == "" || p.arrays[made] == fn) && r.identity(fn, old.Type().Kind) != nil
				p.arrays[made], read[s.Dst[0]] = fn, from
				kept[old]++
				continue
			case *ir.If, *ir.Loop:
				for _, c := range ir.Blocks(op) {
					block(c)
				}
				continue
			}
			for _, a := range ir.Operands(s.Op) {
				ok = ok && of(*a) == nil
			}
			for _, c := range ir.Blocks(s.Op) {
				for _, v := range ir.Free(c) {
					ok = ok && of(v) == nil && read[v] == nil
				}
			}
		}
		for _, a := range b.Results {
			uses[a]++
		}
	}
	block(r.accumulated(loop))
	for a := range read {
		ok = ok && uses[a] == 1 && kept[a] == 1
	}
	for _, fn := range p.arrays {
		ok = ok && fn != ""
	}
	return p, ok && len(p.arrays) > 0
}

// privatises writes the operators of a loop that accumulates into arrays, or nothing if it does something else. What it
// carries besides arrays are accumulations too.
func (r *reducer) privatises(e emitter, s *ir.Stmt, loop *ir.Loop) bool {
	p, ok := r.scattered(loop)
	if !ok || !r.arrays.last(s) {
		return false
	}
	a := accumulation{floats: r.floats, of: map[ir.Atom]int{}, by: make([]ir.BinaryFn, len(loop.Params))}
	for i, v := range loop.Params {
		if v.T.Rank == 0 {
			a.of[v] = i
		}
	}
	if !a.find(loop.Body) {
		return false
	}
	fns := make([]ir.BinaryFn, len(loop.Params))
	seen := map[*ir.Stmt]bool{}
	for i, v := range loop.Params {
		if v.T.Rank > 0 {
			made := r.arrays.allocs[v]
			res, _ := loop.Body.Results[i].(*ir.Var)
			if seen[made] || r.arrays.allocs[res] != made {
				return false
			}
			fns[i], seen[made] = p.arrays[made], true
		} else if at, ok := a.of[loop.Body.Results[i]]; !ok || at != i || a.by[i] == "" {
			return false
		} else {
			fns[i] = a.by[i]
		}
	}
	n := e.turns(loop)
	parts := e.parts(r, loop, n)
	one := ir.IntConst(ir.Int, 1)
	each, rest := e.bin(ir.Div, "each", n, parts), e.bin(ir.Rem, "rest", n, parts)

	c, body := r.names.Var("part", tInt), &ir.Block{}
	in := e.into(body)
	before := func(c ir.Atom) ir.Atom { // the first turn of a part: the first parts have one more
		more := in.let("more", tInt, &ir.Binary{Fn: ir.Min, X: c, Y: rest})
		return in.bin(ir.Add, "first", loop.Lo, in.bin(ir.Add, "turns", in.bin(ir.Mul, "turns", c, each), more))
	}
	first, last := before(c), before(in.bin(ir.Add, "next", c, one))
	part := s.Clone(ir.Subst{}, r.names)
	own := part.Op.(*ir.Loop)
	own.Lo, own.Hi = first, last
	for i, v := range loop.Params {
		id := r.identity(fns[i], v.T.Kind)
		own.Init[i] = id
		if v.T.Rank > 0 {
			own.Init[i] = in.filled(v, id, length(r.arrays.allocs[v]))
		}
	}
	body.Stmts = append(body.Stmts, part)
	m := &ir.Stmt{Op: &ir.Map{N: parts, I: c, Body: body}, Pos: s.Pos}
	for _, d := range part.Dst {
		body.Results = append(body.Results, d)
		m.Dst = append(m.Dst, r.names.Var(d.Name, d.T.Array()))
	}
	*e.out = append(*e.out, m)
	for i, d := range s.Dst {
		if d.T.Rank == 0 {
			e.combined(d, m.Dst[i], parts, loop.Init[i], fns[i], nil)
			continue
		}
		k, place := r.names.Var("k", tInt), &ir.Block{}
		at := e.into(place)
		old := ir.Atom(zero(d.T.Kind))
		if !r.arrays.zeros(loop.Init[i]) {
			old = at.let("old", d.T.Elem(), &ir.Index{X: loop.Init[i], I: k})
		}
		sum := r.names.Var(elementName(d), d.T.Elem())
		at.combined(sum, m.Dst[i], parts, old, fns[i], k)
		place.Results = []ir.Atom{sum}
		e.stmt(&ir.Map{N: length(r.arrays.allocs[d]), I: k, Body: place}, d)
	}
	return true
}

// identity is that of [accumulation].
func (r *reducer) identity(fn ir.BinaryFn, k ir.Kind) ir.Atom {
	return (&accumulation{floats: r.floats}).identity(fn, k)
}

// parts is how many parts the n turns of a loop are divided into.
func (e emitter) parts(r *reducer, loop *ir.Loop, n ir.Atom) ir.Atom {
	one := ir.IntConst(ir.Int, 1)
	size := ir.Atom(ir.IntConst(ir.Int, 0))
	for _, v := range loop.Params {
		if v.T.Rank > 0 {
			size = e.bin(ir.Add, "places", size, length(r.arrays.allocs[v]))
		}
	}
	least := ir.Atom(e.let("least", tInt, &ir.Binary{Fn: ir.Max, X: e.bin(ir.Mul, "work", size, ir.IntConst(ir.Int, partWork)), Y: ir.IntConst(ir.Int, partTurns)}))
	if inside := e.turnsInside(loop.Body, fixedIn(loop)); inside != nil {
		inside = e.let("inside", tInt, &ir.Binary{Fn: ir.Max, X: inside, Y: one})
		least = e.bin(ir.Div, "least", least, inside)
		least = e.let("least", tInt, &ir.Binary{Fn: ir.Max, X: least, Y: one})
	}
	parts := ir.Atom(e.bin(ir.Div, "parts", n, least))
	parts = e.let("parts", tInt, &ir.Binary{Fn: ir.Min, X: parts, Y: ir.IntConst(ir.Int, mostParts)})
	return e.let("parts", tInt, &ir.Binary{Fn: ir.Max, X: parts, Y: one})
}

// fixedIn are the variables from outside of a loop that its body uses.
func fixedIn(loop *ir.Loop) map[*ir.Var]bool {
	fixed := map[*ir.Var]bool{}
	for _, v := range ir.Free(loop.Body) {
		fixed[v] = v != loop.I && !slices.Contains(loop.Params, v)
	}
	return fixed
}

// turnsInside writes how many turns the loops of a block have that update arrays, those of loops inside them counted,
// and returns it; nil if there are none.
func (e emitter) turnsInside(b *ir.Block, fixed map[*ir.Var]bool) (all ir.Atom) {
	for _, s := range b.Stmts {
		var some ir.Atom
		if inner, ok := s.Op.(*ir.Loop); ok && carriesSome(inner) {
			some = ir.IntConst(ir.Int, nestedTurns)
			if hi, isVar := inner.Hi.(*ir.Var); inner.I != nil && ir.IsInt(inner.Lo, 0) && (!isVar || fixed[hi]) {
				some = e.bin(ir.Min, "turns", inner.Hi, ir.IntConst(ir.Int, mostTurns))
			}
			if more := e.turnsInside(inner.Body, fixed); more != nil {
				some = e.bin(ir.Mul, "turns", some, more)
			}
		} else if indexOf(s.Op) == nil {
			for _, c := range ir.Blocks(s.Op) {
				if more := e.turnsInside(c, fixed); more != nil && some == nil {
					some = more
				}
			}
		}
		switch {
		case all == nil:
			all = some
		case some != nil:
			all = e.bin(ir.Add, "inside", all, some)
		}
	}
	return all
}

// carriesSome reports whether a loop carries an array.
func carriesSome(loop *ir.Loop) bool {
	return slices.ContainsFunc(loop.Params, func(p *ir.Var) bool { return p.T.Rank > 0 })
}

// filled is a new array like v of n elements that all are x.
func (e emitter) filled(v *ir.Var, x, n ir.Atom) ir.Atom {
	z := e.let(v.Name, v.T, &ir.Alloc{Kind: v.T.Kind, N: n})
	if c := x.(ir.Const); c.Bits == 0 {
		return z
	}
	i, p, q := e.r.names.Var("i", tInt), e.r.names.Var(v.Name, v.T), e.r.names.Var(v.Name, v.T)
	body := &ir.Block{Stmts: []*ir.Stmt{{Dst: []*ir.Var{q}, Op: &ir.Update{X: p, I: i, Value: x}, Pos: e.pos}}, Results: []ir.Atom{q}}
	return e.let(v.Name, v.T, &ir.Loop{Params: []*ir.Var{p}, Init: []ir.Atom{z}, I: i, Lo: ir.IntConst(ir.Int, 0), Hi: n, Body: body})
}

// combined writes that d is what all parts have together with init, at place k of theirs if that is not nil.
func (e emitter) combined(d, of *ir.Var, parts, init ir.Atom, fn ir.BinaryFn, k *ir.Var) {
	c, body := e.r.names.Var("part", tInt), &ir.Block{}
	in := e.into(body)
	x := ir.Atom(in.let("x", of.T.Elem(), &ir.Index{X: of, I: c}))
	if k != nil {
		x = in.let("x", d.T, &ir.Index{X: x, I: k})
	}
	body.Results = []ir.Atom{x}
	a, b := e.r.names.Var("a", d.T), e.r.names.Var("b", d.T)
	comb := &ir.Lambda{Params: []*ir.Var{a, b}, Body: &ir.Block{}}
	comb.Body.Results = []ir.Atom{e.into(comb.Body).let("c", d.T, &ir.Binary{Fn: fn, X: a, Y: b})}
	e.stmt(&ir.Reduce{N: parts, I: c, Body: body, Comb: comb, Init: []ir.Atom{init}}, d)
}
