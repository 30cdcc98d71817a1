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
		if loop, ok := s.Op.(*ir.Loop); ok && len(s.Dst) == 1 && !consumed[s.Dst[0]] {
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

// segment is what is known of a loop each turn of which fills one.
type segment struct {
	loop    *ir.Loop
	alloc   *ir.Stmt // of the array
	defs    analysis.Defs
	arrays  map[*ir.Var]bool // its versions in the loop
	offsets *ir.Var          // says where segments begin
	own     map[ir.Atom]bool // indices that are within a turn's own segment
}

// segmented returns what is known of the loop that is statement at of f, nil if its turns fill no segments.
func segmented(f *ir.Func, at int, loop *ir.Loop) *segment {
	if loop.I == nil || len(loop.Params) != 1 || loop.Params[0].T.Rank != 1 || loop.Independent {
		return nil
	}
	allocs := versions(f.Body)
	sg := &segment{loop: loop, alloc: allocs[loop.Params[0]], defs: analysis.Of(f.Body), own: map[ir.Atom]bool{}, arrays: map[*ir.Var]bool{}}
	if !sized(sg.alloc) || sg.alloc.Dst[0] != loop.Init[0] || sg.alloc.Op.(*ir.Alloc).Grows || !slices.Contains(f.Body.Stmts[:at], sg.alloc) {
		return nil
	}
	for v, a := range allocs {
		sg.arrays[v] = a == sg.alloc
	}
	for i, s := range f.Body.Stmts { // nothing else reads or changes the array before
		if i != at && sg.mentions(s) {
			return nil
		}
	}
	if !sg.segments(loop.Body) || sg.offsets == nil || allocs[sg.offsets] != nil || !sg.within(loop.Body) {
		return nil
	}
	return sg
}

// mentions reports whether a statement outside of the loop needs the array as it is before the loop, but for its length.
func (sg *segment) mentions(s *ir.Stmt) (found bool) {
	array := func(a ir.Atom) bool { return a == ir.Atom(sg.alloc.Dst[0]) }
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

// bound returns the sequence, and how far behind the turn, of which a is an element in each turn; nil for none.
func (sg *segment) bound(a ir.Atom) (offsets *ir.Var, behind int64) {
	v, ok := a.(*ir.Var)
	if !ok {
		return nil, 0
	}
	if c, ok := sg.defs[v].(*ir.Convert); ok {
		if c.X.Type().Kind == ir.Uint64 || !c.X.Type().Kind.IsInteger() {
			return nil, 0
		}
		return sg.bound(c.X)
	}
	read, ok := sg.defs[v].(*ir.Index)
	if !ok || v.T.Rank > 0 {
		return nil, 0
	}
	x, ok := read.X.(*ir.Var)
	if !ok {
		return nil, 0
	}
	if read.I == ir.Atom(sg.loop.I) {
		return x, 0
	}
	if add, ok := sg.defs[read.I].(*ir.Binary); ok && add.Fn == ir.Add && add.X == ir.Atom(sg.loop.I) && ir.IsInt(add.Y, 1) {
		return x, 1
	}
	return nil, 0
}

// ends reports whether a value is the beginning of a turn's segment, or its end.
func (sg *segment) ends(a ir.Atom, behind int64) bool {
	x, at := sg.bound(a)
	if x == nil || at != behind || x.T.Rank != 1 || sg.offsets != nil && x != sg.offsets {
		return false
	}
	return true
}

// segments finds the loops over a turn's segment, and so the indices within it: their counters, or what is as far behind
// the beginning as one that counts from 0.
func (sg *segment) segments(b *ir.Block) bool {
	counts := map[ir.Atom]bool{}
	ir.Walk(b, func(s *ir.Stmt) {
		switch op := s.Op.(type) {
		case *ir.Loop:
			if op.I == nil {
				return
			}
			lo, _ := sg.bound(op.Lo)
			switch {
			case lo != nil && (sg.offsets == nil || lo == sg.offsets) && sg.ends(op.Lo, 0) && sg.ends(op.Hi, 1):
				if end, _ := sg.bound(op.Hi); end == lo {
					sg.offsets, sg.own[op.I] = lo, true
				}
			case ir.IsInt(op.Lo, 0) && sg.long(op.Hi):
				counts[op.I] = true
			}
		case *ir.Convert: // of an index that is no greater than an offset
			if k := s.Dst[0].T.Kind; sg.own[op.X] && k.IsInteger() && k.Bytes() >= sg.offsets.T.Kind.Bytes() {
				sg.own[s.Dst[0]] = true
			}
		case *ir.Binary:
			if op.Fn == ir.Add && (counts[op.Y] && sg.ends(op.X, 0) || counts[op.X] && sg.ends(op.Y, 0)) {
				sg.own[s.Dst[0]] = true
			}
		}
	})
	return len(sg.own) > 0
}

// long reports whether a value is the length of a turn's segment.
func (sg *segment) long(a ir.Atom) bool {
	var lo, hi ir.Atom
	switch op := sg.defs[a].(type) {
	case *ir.Binary:
		if op.Fn == ir.Sub {
			lo, hi = op.Y, op.X
		}
	case *ir.Len:
		if v, ok := sg.defs[op.X].(*ir.View); ok && v.Fn == ir.Slice {
			lo, hi = v.Args[1], v.Args[2]
		}
	}
	from, at := sg.bound(lo)
	to, behind := sg.bound(hi)
	if from == nil || from != to || at != 0 || behind != 1 || from.T.Rank != 1 || sg.offsets != nil && from != sg.offsets {
		return false
	}
	sg.offsets = from
	return true
}

// within reports whether a block reads and updates the array at indices of its own segment alone.
func (sg *segment) within(b *ir.Block) bool {
	ok := true
	is := func(a ir.Atom) bool { v, isVar := a.(*ir.Var); return isVar && sg.arrays[v] }
	ir.Walk(b, func(s *ir.Stmt) {
		switch op := s.Op.(type) {
		case *ir.Len:
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
	out = slices.DeleteFunc(out, func(o *ir.Stmt) bool { return o == sg.alloc })
	e := emitter{&resolver{names: names, defs: map[*ir.Var]*ir.Stmt{}}, &out, s.Pos}
	ordered := sg.inOrder(e, length(sg.alloc))
	z := s.Dst[0]
	then := &ir.Block{}
	in := e.into(then)
	rows := sg.rows(in)
	then.Results = []ir.Atom{in.let(z.Name, z.T, &ir.View{Fn: ir.Flatten, Args: []ir.Atom{rows}})}
	other := names.Var(z.Name, z.T)
	els := &ir.Block{Stmts: []*ir.Stmt{sg.alloc, {Dst: []*ir.Var{other}, Op: s.Op, Pos: s.Pos}}, Results: []ir.Atom{other}}
	e.stmt(&ir.If{Cond: ordered, Then: then, Else: els}, z)
	return out
}

// rows writes the Map whose elements are what the turns fill.
func (sg *segment) rows(e emitter) *ir.Var {
	body, loop := &ir.Block{}, sg.loop
	i := e.r.names.Var(loop.I.Name, tInt)
	in := e.into(body)
	r := in.bin(ir.Add, loop.I.Name, loop.Lo, i)
	if ir.IsInt(loop.Lo, 0) {
		r = i
	}
	w := &segmentWriter{segment: sg, names: e.r.names, sub: ir.Subst{}, place: map[ir.Atom]ir.Atom{}}
	w.from = sg.at(in, r)
	w.n = in.bin(ir.Sub, "n", sg.at(in, in.bin(ir.Add, "t", r, ir.IntConst(ir.Int, 1))), w.from)
	row := in.let(loop.Params[0].Name, loop.Params[0].T, &ir.Alloc{Kind: loop.Params[0].T.Kind, N: w.n})
	w.sub[loop.I], w.sub[loop.Params[0]] = r, row
	w.block(in, loop.Body)
	body.Results = []ir.Atom{w.sub.Atom(loop.Body.Results[0])}
	return e.let("rows", row.T.Array(), &ir.Map{N: e.bin(ir.Sub, "n", loop.Hi, loop.Lo), I: i, Body: body})
}

// at writes the beginning of a turn's segment.
func (sg *segment) at(e emitter, i ir.Atom) ir.Atom {
	return e.toInt(e.let("e", sg.offsets.T.Elem(), &ir.Index{X: sg.offsets, I: i}))
}

// segmentWriter copies what a turn does to its segment as what makes a row.
type segmentWriter struct {
	*segment
	names   *ir.Namer
	sub     ir.Subst
	from, n ir.Atom             // where the segment begins, and its length
	place   map[ir.Atom]ir.Atom // where an index of the source is in the row
}

// block copies the statements of a block.
func (w *segmentWriter) block(e emitter, b *ir.Block) {
	for _, s := range b.Stmts {
		e.pos = s.Pos
		w.stmt(e, s)
	}
}

func (w *segmentWriter) isArray(a ir.Atom) bool { v, ok := a.(*ir.Var); return ok && w.arrays[v] }

// inner is a copy of a block inside a statement.
func (w *segmentWriter) inner(e emitter, b *ir.Block) *ir.Block {
	c := &ir.Block{}
	w.block(e.into(c), b)
	for _, r := range b.Results {
		c.Results = append(c.Results, w.sub.Atom(r))
	}
	return c
}

func (w *segmentWriter) stmt(e emitter, s *ir.Stmt) {
	let := func(op ir.Op) {
		var dst []*ir.Var
		for _, d := range s.Dst {
			v := w.names.Var(d.Name, d.T)
			w.sub[d] = v
			dst = append(dst, v)
		}
		e.stmt(op, dst...)
	}
	switch op := s.Op.(type) {
	case *ir.Check:
		if n, ok := w.defs[op.Args[len(op.Args)-1]].(*ir.Len); ok && w.isArray(n.X) || len(op.Args) == 2 && w.own[op.Args[0]] && op.Args[1] == length(w.alloc) {
			return // it is within the array
		}
	case *ir.Len:
		if w.isArray(op.X) {
			w.sub[s.Dst[0]] = length(w.alloc)
			return
		}
	case *ir.Index:
		if w.isArray(op.X) {
			let(&ir.Index{X: w.sub.Atom(op.X), I: w.place[op.I]})
			return
		}
	case *ir.Update:
		if w.isArray(op.X) {
			let(&ir.Update{X: w.sub.Atom(op.X), I: w.place[op.I], Value: w.sub.Atom(op.Value)})
			return
		}
	case *ir.Convert:
		if w.own[s.Dst[0]] {
			w.place[s.Dst[0]] = w.place[op.X]
		}
	case *ir.Binary:
		if w.own[s.Dst[0]] { // how far it is behind the beginning
			w.place[s.Dst[0]] = w.sub.Atom(op.Y)
			if w.ends(op.Y, 0) {
				w.place[s.Dst[0]] = w.sub.Atom(op.X)
			}
		}
	case *ir.If:
		c := &ir.If{Cond: w.sub.Atom(op.Cond), Then: w.inner(e, op.Then), Else: w.inner(e, op.Else)}
		let(c)
		return
	case *ir.Loop:
		w.loop(e, op, let)
		return
	}
	c := s.Clone(w.sub, w.names)
	*e.out = append(*e.out, c)
}

// loop copies a loop. One over the segment counts from 0.
func (w *segmentWriter) loop(e emitter, op *ir.Loop, let func(ir.Op)) {
	c := &ir.Loop{Body: &ir.Block{}}
	for i, p := range op.Params {
		v := w.names.Var(p.Name, p.T)
		c.Params, c.Init = append(c.Params, v), append(c.Init, w.sub.Atom(op.Init[i]))
		w.sub[p] = v
	}
	in := e.into(c.Body)
	switch {
	case op.I == nil:
		c.Cond = w.inner(e, op.Cond)
	case w.own[op.I]:
		c.I, c.Lo, c.Hi = w.names.Var("j", tInt), ir.IntConst(ir.Int, 0), w.n
		w.sub[op.I] = in.bin(ir.Add, op.I.Name, w.from, c.I)
		w.place[op.I] = c.I
	default:
		c.I, c.Lo, c.Hi = w.names.Var(op.I.Name, tInt), w.sub.Atom(op.Lo), w.sub.Atom(op.Hi)
		w.sub[op.I] = c.I
	}
	w.block(in, op.Body)
	for _, r := range op.Body.Results {
		c.Body.Results = append(c.Body.Results, w.sub.Atom(r))
	}
	let(c)
}

// inOrder writes whether the segments of all turns lie one behind the other, and are all of the array.
func (sg *segment) inOrder(e emitter, n ir.Atom) ir.Atom {
	bools := ir.Scalar(ir.Bool)
	no := &ir.Block{Results: []ir.Atom{ir.BoolConst(false)}}
	count := e.let("n", tInt, &ir.Len{X: sg.offsets})
	some := e.both(e.bin(ir.Le, "some", ir.IntConst(ir.Int, 0), sg.loop.Lo), e.bin(ir.Lt, "some", sg.loop.Lo, sg.loop.Hi))
	some = e.both(some, e.bin(ir.Lt, "few", sg.loop.Hi, count))
	yes := &ir.Block{}
	in := e.into(yes)
	whole := in.bin(ir.Eq, "first", sg.at(in, sg.loop.Lo), ir.IntConst(ir.Int, 0))
	whole = in.both(whole, in.bin(ir.Eq, "last", sg.at(in, sg.loop.Hi), n))
	turn := &ir.Block{}
	i, up := e.r.names.Var("r", tInt), e.r.names.Var("up", bools)
	inTurn := e.into(turn)
	next := inTurn.bin(ir.Add, "t", i, ir.IntConst(ir.Int, 1))
	turn.Results = []ir.Atom{inTurn.both(up, inTurn.bin(ir.Le, "le", sg.at(inTurn, i), sg.at(inTurn, next)))}
	ups := in.let("ups", bools, &ir.Loop{Params: []*ir.Var{up}, Init: []ir.Atom{ir.BoolConst(true)}, I: i, Lo: sg.loop.Lo, Hi: sg.loop.Hi, Body: turn})
	yes.Results = []ir.Atom{in.both(whole, ups)}
	return e.let("ordered", bools, &ir.If{Cond: some, Then: yes, Else: no})
}
