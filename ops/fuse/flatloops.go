package fuse

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// leastWidth is how many elements rows have at least, where their length is a constant, to be worth a loop.
const leastWidth = 16

// flatLoops makes a loop over rows, and one over the elements of a row, of a loop inside of another one, or of a
// condition, whose turns take their number apart, as steps of a simulation on flat arrays do:
//
//	z' = loop (z1) init z for i = 0 to w·h { …; y = i / w; x = i % w; … }
//
// becomes
//
//	z' = loop (z2) init z for y = 0 to h {
//	  lo = y·w
//	  z3 = loop (z1) init z2 for x = 0 to w { i = lo + x; … }
//	  yield z3
//	}
//
// Turns are the same, in the same order, and later passes make of them what they make of such loops of the source. That
// w·h does not overflow, and that not both are negative, is checked: else plain Go runs (see [Kernel.ChecksRows]).
// Quotients and remainders by products that w is a factor of are such of y. Loops at the top level stay: of the Map
// that each becomes there are forms of both kinds.
func flatLoops(f *ir.Func, names *ir.Namer) {
	if !slices.ContainsFunc(loopsOutside(f.Body), func(l *ir.Loop) bool { return l.I != nil && divides(l) }) {
		return
	}
	g := f.Clone()
	lengths(g)
	simplify(g)
	hoist(g, names)
	simplify(g)
	r := &rowing{names: names, defs: analysis.Of(g.Body)}
	for _, s := range g.Body.Stmts {
		for _, b := range ir.Blocks(s.Op) {
			r.block(b)
		}
	}
	if r.found {
		simplify(g)
		*f = *g
	}
}

// divides reports whether the number of a turn is divided in it.
func divides(l *ir.Loop) bool {
	found := false
	ir.Walk(l.Body, func(s *ir.Stmt) { found = found || isDivision(s.Op, l.I) })
	return found
}

func isDivision(op ir.Op, i *ir.Var) bool {
	b, ok := op.(*ir.Binary)
	return ok && (b.Fn == ir.Div || b.Fn == ir.Rem) && b.X == ir.Atom(i)
}

// rowing makes loops over rows.
type rowing struct {
	names *ir.Namer
	defs  analysis.Defs
	found bool
}

// block looks at the loops of a block and those inside of them, but for operators.
func (r *rowing) block(b *ir.Block) {
	stmts := b.Stmts
	b.Stmts = nil
	for _, s := range stmts {
		e := emitter{&resolver{names: r.names, defs: map[*ir.Var]*ir.Stmt{}}, &b.Stmts, s.Pos}
		if loop, ok := s.Op.(*ir.Loop); ok {
			r.rows(e, loop)
		}
		if indexOf(s.Op) == nil {
			for _, c := range ir.Blocks(s.Op) {
				r.block(c)
			}
		}
		b.Stmts = append(b.Stmts, s)
	}
}

// rows makes a loop over rows of one over elements, if that takes its number apart.
func (r *rowing) rows(e emitter, loop *ir.Loop) {
	if loop.I == nil || !ir.IsInt(loop.Lo, 0) || loop.Cond != nil || !carriesArrays(loop, isArray) {
		return
	}
	if w := r.shape(e, loop); w != nil {
		r.found = true
		r.split(e, loop, w)
	}
}

// rowWidth is how long rows are, and how many there are.
type rowWidth struct {
	width, rows ir.Atom
	of          []ir.Atom // the factors of width
	rest        []ir.Atom // those of rows
}

// shape returns the rows of a loop: their length is what the number of a turn is taken the remainder by that is the
// product of the fewest factors of the number of turns. It writes the checks that all turns are in such rows, and
// returns nil if nothing is such. Of quotients alone, as where each element is repeated, no rows are made: these may be
// short.
func (r *rowing) shape(e emitter, loop *ir.Loop) (found *rowWidth) {
	all := factors(r.defs, loop.Hi)
	ir.Walk(loop.Body, func(s *ir.Stmt) {
		if !isDivision(s.Op, loop.I) {
			return
		}
		op := s.Op.(*ir.Binary)
		by := op.Y
		if c, ok := by.(ir.Const); ok && c.Int() < leastWidth || op.Fn != ir.Rem {
			return
		}
		of := factors(r.defs, by)
		if slices.ContainsFunc(of, func(a ir.Atom) bool { return changesIn(loop, a) }) {
			return
		}
		if more, ok := quotientOf(all, of); ok && len(more) > 0 && (found == nil || len(of) < len(found.of)) {
			found = &rowWidth{width: by, of: of, rest: more}
		}
	})
	if found == nil {
		return nil
	}
	check := func(e emitter, what string, a ir.Atom) {
		e.stmt(&ir.Check{Kind: ir.CheckSize, Op: "make", Arg: what, Args: []ir.Atom{a}})
	}
	if changesIn(loop, found.width) { // it is computed in the loop
		found.width = e.product(found.of)
	}
	found.rows = e.product(found.rest)
	zero, one := ir.IntConst(ir.Int, 0), ir.IntConst(ir.Int, 1)
	most := e.bin(ir.Div, "most", ir.IntConst(ir.Int, maxOffset), e.bin(ir.Max, "width", found.width, one))
	check(e, "the room for rows", e.bin(ir.Sub, "room", e.bin(ir.Add, "most", most, one), e.bin(ir.Max, "rows", found.rows, zero)))
	e.when(e.bin(ir.Lt, "some", zero, loop.Hi), func(e emitter) {
		check(e, "the length of a row", found.width)
		check(e, "a number of rows", found.rows)
	})
	return found
}

// factors are what a product is the product of.
func factors(defs analysis.Defs, a ir.Atom) []ir.Atom {
	if b, ok := defs[a].(*ir.Binary); ok && b.Fn == ir.Mul && a.Type() == tInt {
		return slices.Concat(factors(defs, b.X), factors(defs, b.Y))
	}
	return []ir.Atom{a}
}

// quotientOf returns what is left of factors where others are taken away, and reports whether these are among them.
func quotientOf(all, those []ir.Atom) (rest []ir.Atom, ok bool) {
	rest = slices.Clone(all)
	for _, a := range those {
		i := slices.Index(rest, a)
		if i < 0 {
			return nil, false
		}
		rest = slices.Delete(rest, i, i+1)
	}
	return rest, true
}

// product writes a product.
func (e emitter) product(of []ir.Atom) ir.Atom {
	all := of[0]
	for _, a := range of[1:] {
		all = e.bin(ir.Mul, "t", all, a)
	}
	return all
}

// split puts the loop over the elements of a row into one over rows.
func (r *rowing) split(e emitter, loop *ir.Loop, w *rowWidth) {
	y, x := r.names.Var("y", tInt), r.names.Var("x", tInt)
	row, element := &ir.Block{}, &ir.Loop{I: x, Lo: loop.Lo, Hi: w.width, Params: loop.Params, Body: &ir.Block{}}
	lo := e.into(row).bin(ir.Mul, "lo", y, w.width)
	e.into(element.Body).stmt(&ir.Binary{Fn: ir.Add, X: lo, Y: x}, loop.I)
	t := &takingApart{rowing: r, i: loop.I, y: y, x: x, rowWidth: w, sub: ir.Subst{}}
	t.block(e, loop.Body)
	substitute(loop.Body, t.sub)
	element.Body.Stmts = append(element.Body.Stmts, loop.Body.Stmts...)
	element.Body.Results = loop.Body.Results
	loop.Params = nil
	var made []*ir.Var
	for _, p := range element.Params {
		carried, v := r.names.Var(p.Name, p.T), r.names.Var(p.Name, p.T)
		loop.Params, made = append(loop.Params, carried), append(made, v)
		element.Init, row.Results = append(element.Init, carried), append(row.Results, v)
	}
	e.into(row).stmt(element, made...)
	loop.I, loop.Hi, loop.Body = y, w.rows, row
}

// takingApart puts the index of a row, and that in it, in place of quotients and remainders of their number.
type takingApart struct {
	*rowing
	*rowWidth
	i, y, x *ir.Var
	sub     ir.Subst
}

func (t *takingApart) block(e emitter, b *ir.Block) {
	stmts := b.Stmts
	b.Stmts = nil
	for _, s := range stmts {
		in := e.into(b)
		in.pos = s.Pos
		if isDivision(s.Op, t.i) {
			t.division(in, s)
		}
		for _, c := range ir.Blocks(s.Op) {
			t.block(e, c)
		}
		b.Stmts = append(b.Stmts, s)
	}
}

// division puts another operation in place of a quotient or a remainder. By a multiple of the width it is one of y, if
// the number of turns is a multiple of that in turn: other products may overflow.
func (t *takingApart) division(e emitter, s *ir.Stmt) {
	op := s.Op.(*ir.Binary)
	more, ok := quotientOf(factors(t.defs, op.Y), t.of)
	_, divides := quotientOf(t.rest, more)
	switch {
	case !ok || !divides:
	case len(more) == 0 && op.Fn == ir.Div:
		t.sub[s.Dst[0]] = t.y
	case len(more) == 0:
		t.sub[s.Dst[0]] = t.x
	case op.Fn == ir.Div:
		s.Op = &ir.Binary{Fn: ir.Div, X: t.y, Y: e.product(more)}
	default:
		rest := e.bin(ir.Rem, "rest", t.y, e.product(more))
		s.Op = &ir.Binary{Fn: ir.Add, X: e.bin(ir.Mul, "t", rest, t.width), Y: t.x}
	}
}
