package fuse

import (
	"maps"
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// emit writes the Maps of a nest. init are the arrays as they are before, and set receives what takes the place of
// result i of the loop.
func (n *nest) emit(e emitter, init []ir.Atom, set func(i int, x *ir.Var)) {
	for i := range n.places {
		n.checked(e, &n.places[i])
	}
	if p := n.rowPlace(); p != nil && len(n.places) == 1 { // else the Map of elements makes all turns
		n.withoutRows(e, p)
	}
	for i := range n.places {
		p := &n.places[i]
		if p.width == nil {
			n.elements(e, p, init, set)
		} else {
			n.rows(e, p, init, set)
		}
	}
}

// elements writes a Map of the elements of a place.
func (n *nest) elements(e emitter, p *place, init []ir.Atom, set func(i int, x *ir.Var)) {
	base := e.sum(p.base)
	k, body := n.names.Var("k", tInt), &ir.Block{}
	in := e.into(body)
	i := ir.Atom(k)
	switch {
	case p.backwards:
		i = in.bin(ir.Sub, "i", base, k)
	case !ir.IsInt(base, 0):
		i = in.bin(ir.Sub, "i", k, base)
	}
	turn := n.between(in, p, i)
	pr := newProjection(n, i)
	for _, j := range p.arrays {
		pr.now[n.loop.Params[j]] = in.let(elementName(init[j]), n.loop.Params[j].T.Elem(), &ir.Index{X: init[j], I: k})
	}
	body.Results = n.turn(in, p, turn, n.loop.Body, init, pr)
	if from := n.moved(p, body, k, init); from != nil {
		for i, j := range p.arrays {
			set(j, from[i])
		}
		return
	}
	n.result(e, p, &ir.Map{N: p.n, I: k, Body: body}, 1, set)
}

// moved returns the arrays that those of a place become if all elements of them do, and nothing else happens: what
// exchanges them.
func (n *nest) moved(p *place, b *ir.Block, k *ir.Var, init []ir.Atom) []*ir.Var {
	read := map[ir.Atom]*ir.Var{}
	for _, s := range b.Stmts {
		op, ok := s.Op.(*ir.Index)
		if !ok || op.I != ir.Atom(k) || !slices.ContainsFunc(p.arrays, func(j int) bool { return init[j] == op.X }) {
			return nil // of other sequences the length is not known to be the same
		}
		read[s.Dst[0]], _ = op.X.(*ir.Var)
	}
	var from []*ir.Var
	for i, r := range b.Results {
		if read[r] == nil || read[r].T != n.loop.Params[p.arrays[i]].T {
			return nil
		}
		from = append(from, read[r])
	}
	return from
}

// rows writes a Map of the rows of a place, of which each is a Map of its elements.
func (n *nest) rows(e emitter, p *place, init []ir.Atom, set func(i int, x *ir.Var)) {
	width := e.bin(ir.Max, "width", p.width, ir.IntConst(ir.Int, 1))
	some := e.bin(ir.Lt, "some", ir.IntConst(ir.Int, 0), p.width)
	count, length := e.ceilDiv(p.n, width), width
	switch {
	case p.rows != nil && n.perRow():
		count, length = n.whole(e, p, width)
	case p.rows != nil:
		count, length = n.even(e, p, width, some)
	}
	q, rowBody := n.names.Var("q", tInt), &ir.Block{}
	inRow := e.into(rowBody)
	i := inRow.bin(ir.Sub, "i", q, ir.IntConst(ir.Int, p.up))
	turn := n.between(inRow, p, i)
	if !n.nonnegative(p.rows) && !(p.rows != nil && n.perRow()) { // where both sizes are negative, or only the width is given, there may be elements, but no row
		turn = inRow.both(some, turn)
	}
	r := n.names.Var("r", tInt)
	pr := newProjection(n, i)
	rest := n.rowCode(inRow, turn, pr.sub)
	begin := inRow.bin(ir.Mul, "lo", q, width)
	if p.rows == nil { // the last one may be shorter
		end := inRow.bin(ir.Min, "hi", inRow.bin(ir.Add, "end", begin, width), p.n)
		length = inRow.bin(ir.Sub, "n", end, begin)
	}
	body := &ir.Block{}
	in := e.into(body)
	pr.j = in.bin(ir.Sub, "j", r, ir.IntConst(ir.Int, p.along))
	at := in.bin(ir.Add, "at", begin, r)
	for _, j := range p.arrays {
		pr.now[n.loop.Params[j]] = in.let(elementName(init[j]), n.loop.Params[j].T.Elem(), &ir.Index{X: init[j], I: at})
	}
	body.Results = n.turn(in, p, turn, rest, init, pr)
	var filled []*ir.Var
	for _, j := range p.arrays {
		filled = append(filled, n.names.Var(n.loop.Params[j].Name, n.loop.Params[j].T))
	}
	inRow.stmt(&ir.Map{N: length, I: r, Body: body}, filled...)
	for _, x := range filled {
		rowBody.Results = append(rowBody.Results, x)
	}
	n.result(e, p, &ir.Map{N: count, I: q, Body: rowBody}, 2, set)
}

// between is whether i is a turn, for an element, or a row, of a place.
func (n *nest) between(e emitter, p *place, i ir.Atom) ir.Atom {
	in := e.between(p.low, n.loop.Lo, i, n.loop.Hi, p.high)
	if p.only != nil && !p.high && !(n.perRow() && p.onlySize(n.defs) != nil) { // else see whole
		in = e.both(p.only, in)
	}
	return in
}

// whole returns the number of rows of an array that was made for whole rows, and their length, and writes the checks
// that their product does not overflow, and is not that of two negative sizes: such an array has elements, and no rows,
// and plain Go makes it (see [Kernel.ChecksRows]).
func (n *nest) whole(e emitter, p *place, width ir.Atom) (count, length ir.Atom) {
	zero, turns := ir.IntConst(ir.Int, 0), p.onlySize(n.defs)
	e.when(e.bin(ir.Lt, "some", zero, p.n), func(e emitter) {
		e.stmt(&ir.Check{Kind: ir.CheckSize, Op: "make", Arg: "the length of a row", Args: []ir.Atom{p.width}})
		if turns != nil {
			e.stmt(&ir.Check{Kind: ir.CheckSize, Op: "make", Arg: "a number of rows", Args: []ir.Atom{turns}})
		}
	})
	count = p.rows
	if turns != nil {
		count = n.loop.Hi
	}
	count = e.bin(ir.Max, "rows", count, zero)
	n.fitting(e, count, width)
	return count, e.bin(ir.Max, "width", p.width, zero)
}

// fitting checks that the product of two sizes does not overflow.
func (n *nest) fitting(e emitter, rows, width ir.Atom) {
	most := e.bin(ir.Div, "most", ir.IntConst(ir.Int, maxOffset), width)
	e.stmt(&ir.Check{Kind: ir.CheckCount, Op: "make", Arg: "the number of rows", Args: []ir.Atom{rows, most}})
}

// even returns the number of rows of an array that was made for whole rows, and their length, and writes the check that
// their product does not overflow. Of two negative sizes the product is the length of an array, too: then it has rows
// of one element.
func (n *nest) even(e emitter, p *place, width, some ir.Atom) (count, length ir.Atom) {
	zero := ir.IntConst(ir.Int, 0)
	length, count = width, p.rows
	if n.nonnegative(p.rows) {
		length = e.bin(ir.Max, "width", p.width, zero)
	} else {
		count = e.bin(ir.Max, "rows", p.rows, zero)
	}
	n.fitting(e, count, width)
	if length == width {
		count = e.choose("rows", some, count, p.n)
	}
	return count, length
}

// result writes m, of which the elements have one dimension less than rank, and hands on what it yields.
func (n *nest) result(e emitter, p *place, m *ir.Map, rank int, set func(i int, x *ir.Var)) {
	var made []*ir.Var
	for _, j := range p.arrays {
		t := n.loop.Params[j].T
		t.Rank = rank
		made = append(made, n.names.Var(n.loop.Params[j].Name, t))
	}
	e.stmt(m, made...)
	for i, j := range p.arrays {
		x := made[i]
		if rank > 1 {
			x = e.let(x.Name, n.loop.Params[j].T, &ir.View{Fn: ir.Flatten, Args: []ir.Atom{x}})
		}
		set(j, x)
	}
}

// checked writes what says of the first and the last turn whether their elements are in the arrays, if there is a turn.
func (n *nest) checked(e emitter, p *place) {
	c := &ir.Check{Kind: ir.CheckIndex, Op: "index", Arg: "of the last row"}
	switch {
	case p.check != nil:
		c = p.check.Op.(*ir.Check)
		e.pos = p.check.Pos
	case p.width == nil:
		return
	}
	some := e.bin(ir.Lt, "some", n.loop.Lo, n.loop.Hi)
	if p.width != nil {
		for _, along := range n.along {
			some = e.both(some, e.bin(ir.Lt, "some", along.Lo, along.Hi))
		}
	}
	e.when(some, func(e emitter) {
		check := func(i, n ir.Atom) {
			e.stmt(&ir.Check{Kind: ir.CheckIndex, Op: c.Op, Arg: c.Arg, Args: []ir.Atom{i, n}})
		}
		one := ir.IntConst(ir.Int, 1)
		final := e.bin(ir.Sub, "last", n.loop.Hi, one)
		if p.width == nil {
			check(p.element(e, n.loop.Lo), p.n)
			check(p.element(e, final), p.n)
			return
		}
		if p.framed {
			e.stmt(&ir.Check{Kind: ir.CheckNonneg, Op: "make", Arg: "the length of a row", Args: []ir.Atom{p.width}})
		}
		width := e.bin(ir.Max, "width", p.width, one)
		row := func(i ir.Atom) ir.Atom { return e.bin(ir.Add, "row", i, ir.IntConst(ir.Int, p.up)) }
		last := row(final)
		if p.low {
			for _, along := range n.along { // negative where the first row is, or else it overflows
				left := e.bin(ir.Add, "left", along.Lo, ir.IntConst(ir.Int, p.along))
				check(e.bin(ir.Add, "at", e.bin(ir.Mul, "begin", row(n.loop.Lo), p.width), left), p.n)
			}
		}
		if p.rows != nil { // it is among them, but for a length that overflowed
			rows := e.bin(ir.Div, "rows", p.n, width)
			if p.low {
				check(row(n.loop.Lo), rows)
			}
			check(last, rows)
			return
		}
		rest := e.bin(ir.Sub, "n", p.n, e.bin(ir.Mul, "begin", last, width))
		rows := e.ceilDiv(p.n, width)
		check(row(n.loop.Lo), rows)
		check(last, rows)
		for _, along := range n.along {
			check(e.bin(ir.Add, "at", e.bin(ir.Sub, "last", along.Hi, one), ir.IntConst(ir.Int, p.along)), rest)
		}
	})
}

// withoutRows writes the loop without its arrays for the case that there are no rows: what it checks beside them is
// checked then as well.
func (n *nest) withoutRows(e emitter, p *place) {
	if p.rows != nil && n.perRow() { // there are rows of no elements
		return
	}
	if !slices.ContainsFunc(n.loop.Body.Stmts, func(s *ir.Stmt) bool { return !n.alongRow(s) && !ir.Pure(s) }) {
		return
	}
	var none ir.Atom = ir.BoolConst(true)
	if p.rows != nil {
		none = e.bin(ir.Lt, "none", p.width, ir.IntConst(ir.Int, 1))
	}
	for _, along := range n.along {
		none = e.both(none, e.bin(ir.Le, "none", along.Hi, along.Lo))
	}
	e.when(none, func(e emitter) {
		turns, next, i := n.names.Var("turns", tInt), n.names.Var("turns", tInt), n.names.Var("i", tInt)
		body := &ir.Block{Results: []ir.Atom{next}}
		in := e.into(body)
		pr := newProjection(n, i)
		for _, p := range n.loop.Params {
			pr.now[p] = zero(p.T.Kind)
		}
		pr.block(in, n.loop.Body)
		in.stmt(&ir.Binary{Fn: ir.Add, X: turns, Y: ir.IntConst(ir.Int, 1)}, next)
		e.stmt(&ir.Loop{Params: []*ir.Var{turns}, Init: []ir.Atom{ir.IntConst(ir.Int, 0)}, I: i, Lo: n.loop.Lo, Hi: n.loop.Hi, Body: body}, n.names.Var("turns", tInt))
	})
}

// alongRow reports whether s is a loop along a row.
func (n *nest) alongRow(s *ir.Stmt) bool {
	loop, ok := s.Op.(*ir.Loop)
	return ok && n.along[loop.I] == loop
}

// rowCode writes what a turn does before it comes to the elements of its row, where there is a turn, and returns what
// is left to the elements: the rest, and the views that they read.
func (n *nest) rowCode(e emitter, turn ir.Atom, sub ir.Subst) *ir.Block {
	rest := &ir.Block{Stmts: n.loop.Body.Stmts[len(n.before):], Results: n.loop.Body.Results}
	if !n.fails() || turn == ir.Atom(ir.BoolConst(true)) {
		for _, s := range n.before {
			*e.out = append(*e.out, s.Clone(sub, n.names))
		}
		return rest
	}
	var yields []*ir.Var
	var views, before []*ir.Stmt
	for _, s := range n.before {
		switch s.Op.(type) {
		case *ir.View:
			views = append(views, s)
		case *ir.Alloc:
			*e.out = append(*e.out, s.Clone(sub, n.names))
			continue
		default:
			yields = append(yields, s.Dst...)
		}
		before = append(before, s)
	}
	inner, allocs := maps.Clone(sub), ir.Allocs(&ir.Block{Stmts: n.before})
	then, els := (&ir.Block{Stmts: before}).Clone(inner, n.names), &ir.Block{}
	var dst []*ir.Var
	for _, d := range yields {
		var otherwise ir.Atom = zero(d.T.Kind)
		if d.T.Rank > 0 {
			otherwise = sub[allocs[d].Dst[0]]
		}
		then.Results, els.Results = append(then.Results, inner[d]), append(els.Results, otherwise)
		x := n.names.Var(d.Name, d.T)
		dst, sub[d] = append(dst, x), x
	}
	if len(before) > 0 {
		e.stmt(&ir.If{Cond: turn, Then: then, Else: els}, dst...)
	}
	rest.Stmts = slices.Concat(views, rest.Stmts)
	return rest
}

// fails reports whether what a turn does before it comes to the elements of its row may only be done where there is a
// turn.
func (n *nest) fails() bool {
	return slices.ContainsFunc(n.before, func(s *ir.Stmt) bool { return !n.hoister.movable(s.Op) })
}

// perRow reports whether that is so, or takes time.
func (n *nest) perRow() bool {
	return n.fails() || slices.ContainsFunc(n.before, func(s *ir.Stmt) bool { _, loop := s.Op.(*ir.Loop); return loop })
}

// turn writes what a turn does to its elements of the arrays of a place, or leaves them as they are where turn says
// that there is none. init are all the arrays: the turn may read its own elements of those of other places.
func (n *nest) turn(e emitter, p *place, turn ir.Atom, body *ir.Block, init []ir.Atom, pr *projection) []ir.Atom {
	then, els := &ir.Block{}, &ir.Block{}
	in := e.into(then)
	var dst []*ir.Var
	for _, j := range p.arrays {
		els.Results = append(els.Results, pr.now[n.loop.Params[j]])
		dst = append(dst, n.names.Var("x", n.loop.Params[j].T.Elem()))
	}
	for _, q := range n.places {
		for _, j := range q.arrays {
			param := n.loop.Params[j]
			switch {
			case pr.now[param] != nil:
			case q.width != nil: // read in the loops along its rows only, which leave this place alone
				pr.now[param] = zero(param.T.Kind)
			default:
				pr.now[param] = in.let(elementName(init[j]), param.T.Elem(), &ir.Index{X: init[j], I: q.element(in, pr.value(n.loop.I))})
			}
		}
	}
	pr.block(in, body)
	for _, j := range p.arrays {
		then.Results = append(then.Results, pr.value(n.loop.Body.Results[j]))
	}
	return e.under(turn, then, els, dst)
}

// element is the element that turn i updates.
func (p *place) element(e emitter, i ir.Atom) ir.Atom {
	if p.backwards {
		return e.bin(ir.Sub, "at", e.sum(p.base), i)
	}
	return e.bin(ir.Add, "at", e.sum(p.base), i)
}
