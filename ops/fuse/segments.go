package fuse

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// segments makes rows of the segments of an array that the turns of a loop at the top level fill, those between
// offsets that are one behind the other in a sequence, as the rows of a sparse matrix are:
//
//	z = alloc n
//	z' = loop (z1) init z for r = 0 to hi {
//	  z4 = loop (z2) init z1 for e = p[r] to p[r+1] { …; z3 = update z2 e x; yield z3 }
//	  yield z4
//	}
//
// becomes
//
//	z' = if p[0] = 0, p[hi] = n, and p never goes down {
//	  rows = map r < hi {
//	    row = alloc p[r+1]-p[r]
//	    row' = loop (w) init row for e = p[r] to p[r+1] { …; w' = update w e-p[r] x; yield w' }
//	    yield row'
//	  }
//	  yield flatten rows
//	} else { the loop as it stands }
//
// Turns may read what is in their own segment, by other loops over it, and nothing else of the array. The offsets say
// that all elements are within it, and so the checks of that go.
func segments(f *ir.Func, names *ir.Namer) {
	if !hasFills(f) {
		return
	}
	g := f.Clone()
	lengths(g)
	simplify(g)
	consumed, found := consumes(g.Body), false
	var out []*ir.Stmt
	for at, s := range g.Body.Stmts {
		if loop, ok := s.Op.(*ir.Loop); ok && !slices.ContainsFunc(s.Dst, func(d *ir.Var) bool { return consumed[d] }) {
			if sg := segmented(g, at, loop); sg != nil {
				out, found = sg.emit(out, s, names), true
				continue
			}
		}
		out = append(out, s)
	}
	if g.Body.Stmts = out; found {
		*f = *g
	}
}

// segment is what is known of a loop each turn of which fills one, of each of some arrays.
type segment struct {
	loop    *ir.Loop
	allocs  []*ir.Stmt // what makes the arrays
	defs    analysis.Defs
	arrays  map[*ir.Var]bool // their versions in the loop
	offsets *ir.Var          // says where segments begin: that of turn r at r+first
	first   int64
	own     map[ir.Atom]bool // indices that are within a turn's own segment
}

// segmented returns what is known of the loop that is statement at of f, nil if its turns fill no segments.
func segmented(f *ir.Func, at int, loop *ir.Loop) *segment {
	allocs := versions(f.Body)
	if loop.Independent || !carriesArrays(loop, func(p *ir.Var) bool { return sized(allocs[p]) && !allocs[p].Op.(*ir.Alloc).Grows }) {
		return nil
	}
	sg := &segment{loop: loop, defs: analysis.Of(f.Body), own: map[ir.Atom]bool{}, arrays: map[*ir.Var]bool{}}
	for i, p := range loop.Params {
		if loop.Init[i] != ir.Atom(allocs[p].Dst[0]) || !slices.Contains(f.Body.Stmts[:at], allocs[p]) {
			return nil
		}
		sg.allocs = append(sg.allocs, allocs[p])
	}
	for v, a := range allocs {
		sg.arrays[v] = slices.Contains(sg.allocs, a)
	}
	for i, s := range f.Body.Stmts { // nothing else reads or changes the arrays before
		if i != at && sg.mentions(s) {
			return nil
		}
	}
	if !sg.segments(loop.Body) || allocs[sg.offsets] != nil || !slices.Contains(ir.Free(loop.Body), sg.offsets) || !sg.within(loop.Body) {
		return nil
	}
	return sg
}

// mentions reports whether a statement outside of the loop needs an array as it is before the loop, but for its length.
func (sg *segment) mentions(s *ir.Stmt) (found bool) {
	array := func(a ir.Atom) bool {
		return slices.ContainsFunc(sg.allocs, func(alloc *ir.Stmt) bool { return a == ir.Atom(alloc.Dst[0]) })
	}
	check := func(s *ir.Stmt) {
		if _, isLen := s.Op.(*ir.Len); !isLen {
			found = found || slices.ContainsFunc(ir.Operands(s.Op), func(a *ir.Atom) bool { return array(*a) })
		}
		for _, b := range ir.Blocks(s.Op) {
			found = found || slices.ContainsFunc(b.Results, array)
		}
	}
	check(s)
	for _, b := range ir.Blocks(s.Op) {
		ir.Walk(b, check)
	}
	return found
}

// bound returns the sequence of which a is an element in each turn, and how far behind the turn; nil for none.
func (sg *segment) bound(a ir.Atom) (offsets *ir.Var, behind int64) {
	switch op := sg.defs[a].(type) {
	case *ir.Convert:
		if op.To.Holds(op.X.Type().Kind) {
			return sg.bound(op.X)
		}
	case *ir.Index:
		x, ok := op.X.(*ir.Var)
		if !ok || x.T.Rank != 1 {
			return nil, 0
		}
		if op.I == ir.Atom(sg.loop.I) {
			return x, 0
		}
		at, ok := sg.defs[op.I].(*ir.Binary)
		if !ok || at.X != ir.Atom(sg.loop.I) {
			return nil, 0
		}
		c, ok := at.Y.(ir.Const)
		switch {
		case !ok:
		case at.Fn == ir.Add:
			return x, c.Int()
		case at.Fn == ir.Sub:
			return x, -c.Int()
		}
	}
	return nil, 0
}

// is reports whether lo and hi are the ends of a turn's segment, and those of the first loop over one say what that is.
func (sg *segment) is(lo, hi ir.Atom) bool {
	x, first := sg.bound(lo)
	y, last := sg.bound(hi)
	if x == nil || x != y || last != first+1 {
		return false
	}
	if sg.offsets == nil {
		sg.offsets, sg.first = x, first
	}
	return x == sg.offsets && first == sg.first
}

// begins reports whether a value is the beginning of a turn's segment.
func (sg *segment) begins(a ir.Atom) bool {
	x, first := sg.bound(a)
	return x != nil && x == sg.offsets && first == sg.first
}

// segments finds the loops over a turn's segment, and so the indices within it: their counters, or what is as far
// behind the beginning as one that counts from 0.
func (sg *segment) segments(b *ir.Block) bool {
	counts := map[ir.Atom]bool{}
	ir.Walk(b, func(s *ir.Stmt) {
		switch op := s.Op.(type) {
		case *ir.Loop:
			switch {
			case op.I == nil:
			case sg.is(op.Lo, op.Hi):
				sg.own[op.I] = true
			case ir.IsInt(op.Lo, 0) && sg.long(op.Hi):
				counts[op.I] = true
			}
		case *ir.Convert: // of an index that is no greater than an offset
			if sg.own[op.X] && op.To.Holds(sg.offsets.T.Kind) {
				sg.own[s.Dst[0]] = true
			}
		case *ir.Binary:
			if op.Fn == ir.Add && (counts[op.Y] && sg.begins(op.X) || counts[op.X] && sg.begins(op.Y)) {
				sg.own[s.Dst[0]] = true
			}
		}
	})
	return len(sg.own) > 0
}

// long reports whether a value is the length of a turn's segment.
func (sg *segment) long(a ir.Atom) bool {
	switch op := sg.defs[a].(type) {
	case *ir.Binary:
		return op.Fn == ir.Sub && sg.is(op.Y, op.X)
	case *ir.Len:
		v, ok := sg.defs[op.X].(*ir.View)
		return ok && v.Fn == ir.Slice && sg.is(v.Args[1], v.Args[2])
	}
	return false
}

// within reports whether a block reads and updates the arrays at indices of its own segment alone.
func (sg *segment) within(b *ir.Block) bool {
	ok := true
	is := func(a ir.Atom) bool { v, isVar := a.(*ir.Var); return isVar && sg.arrays[v] }
	ir.Walk(b, func(s *ir.Stmt) {
		switch op := s.Op.(type) {
		case *ir.Index:
			ok = ok && (!is(op.X) || sg.own[op.I])
		case *ir.Update:
			ok = ok && (!is(op.X) || sg.own[op.I])
		case *ir.Loop, *ir.If:
		case *ir.Call:
			ok = false
		case *ir.Check:
			ok = ok && op.Kind != ir.CheckPanic
		default:
			ok = ok && !slices.ContainsFunc(ir.Operands(s.Op), func(a *ir.Atom) bool { return is(*a) })
		}
	})
	return ok
}

// emit appends the rows, behind what says that they are such, and the loop.
func (sg *segment) emit(out []*ir.Stmt, s *ir.Stmt, names *ir.Namer) []*ir.Stmt {
	out = slices.DeleteFunc(out, func(o *ir.Stmt) bool { return slices.Contains(sg.allocs, o) })
	e := emitter{&resolver{names: names, defs: map[*ir.Var]*ir.Stmt{}}, &out, s.Pos}
	ordered := sg.inOrder(e)
	then, loop := &ir.Block{}, &ir.Stmt{Op: s.Op, Pos: s.Pos}
	els := &ir.Block{Stmts: append(slices.Clone(sg.allocs), loop)}
	in := e.into(then)
	for i, rows := range sg.rows(in) {
		z := s.Dst[i]
		then.Results = append(then.Results, in.let(z.Name, z.T, &ir.View{Fn: ir.Flatten, Args: []ir.Atom{rows}}))
		loop.Dst = append(loop.Dst, names.Var(z.Name, z.T))
	}
	for i, alloc := range sg.allocs { // a branch yields a copy of what is updated
		copied := &ir.Block{}
		k, in := names.Var("k", tInt), e.into(copied)
		copied.Results = []ir.Atom{in.let(elementName(s.Dst[i]), s.Dst[i].T.Elem(), &ir.Index{X: loop.Dst[i], I: k})}
		els.Results = append(els.Results, e.into(els).let(s.Dst[i].Name, s.Dst[i].T, &ir.Map{N: length(alloc), I: k, Body: copied}))
	}
	e.stmt(&ir.If{Cond: ordered, Then: then, Else: els}, s.Dst...)
	return out
}

// rows writes the Map whose elements are what the turns fill.
func (sg *segment) rows(e emitter) (rows []*ir.Var) {
	body, loop := &ir.Block{}, sg.loop
	i := e.r.names.Var(loop.I.Name, tInt)
	in := e.into(body)
	r := ir.Atom(i)
	if !ir.IsInt(loop.Lo, 0) {
		r = in.bin(ir.Add, loop.I.Name, loop.Lo, i)
	}
	w := &segmentWriter{segment: sg, names: e.r.names, sub: ir.Subst{loop.I: r}, place: map[ir.Atom]ir.Atom{}, index: map[ir.Atom]ir.Atom{}}
	w.from = sg.at(in, r, 0)
	w.n = in.bin(ir.Sub, "n", sg.at(in, r, 1), w.from)
	for _, p := range loop.Params {
		w.sub[p] = in.let(p.Name, p.T, &ir.Alloc{Kind: p.T.Kind, N: w.n})
		rows = append(rows, e.r.names.Var("rows", p.T.Array()))
	}
	w.block(in, loop.Body)
	for _, r := range loop.Body.Results {
		body.Results = append(body.Results, w.sub.Atom(r))
	}
	e.stmt(&ir.Map{N: e.bin(ir.Sub, "n", loop.Hi, loop.Lo), I: i, Body: body}, rows...)
	return rows
}

// at writes the beginning of the segment of the turn that is so many behind turn r.
func (sg *segment) at(e emitter, r ir.Atom, behind int64) ir.Atom {
	i := e.bin(ir.Add, "t", r, ir.IntConst(ir.Int, sg.first+behind))
	return e.toInt(e.let("e", sg.offsets.T.Elem(), &ir.Index{X: sg.offsets, I: i}))
}

// inOrder writes whether the segments of all turns lie one behind the other, and are all of each array.
func (sg *segment) inOrder(e emitter) ir.Atom {
	bools := ir.Scalar(ir.Bool)
	no := &ir.Block{Results: []ir.Atom{ir.BoolConst(false)}}
	count := e.let("n", tInt, &ir.Len{X: sg.offsets})
	some := e.both(e.bin(ir.Le, "some", ir.IntConst(ir.Int, -sg.first), sg.loop.Lo), e.bin(ir.Lt, "some", sg.loop.Lo, sg.loop.Hi))
	some = e.both(some, e.bin(ir.Lt, "few", sg.loop.Hi, e.bin(ir.Sub, "n", count, ir.IntConst(ir.Int, sg.first))))
	yes := &ir.Block{}
	in := e.into(yes)
	whole := in.bin(ir.Eq, "first", sg.at(in, sg.loop.Lo, 0), ir.IntConst(ir.Int, 0))
	last := sg.at(in, sg.loop.Hi, 0)
	for _, alloc := range sg.allocs {
		whole = in.both(whole, in.bin(ir.Eq, "last", last, length(alloc)))
	}
	turn := &ir.Block{}
	i, up := e.r.names.Var("r", tInt), e.r.names.Var("up", bools)
	inTurn := e.into(turn)
	turn.Results = []ir.Atom{inTurn.both(up, inTurn.bin(ir.Le, "le", sg.at(inTurn, i, 0), sg.at(inTurn, i, 1)))}
	ups := in.let("ups", bools, &ir.Loop{Params: []*ir.Var{up}, Init: []ir.Atom{ir.BoolConst(true)}, I: i, Lo: sg.loop.Lo, Hi: sg.loop.Hi, Body: turn})
	yes.Results = []ir.Atom{in.both(whole, ups)}
	return e.let("ordered", bools, &ir.If{Cond: some, Then: yes, Else: no})
}
