package form

import (
	"fmt"
	"math"
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// delinearise makes a nest of a Map that takes its index apart:
//
//	map i < n { … i / w … i % w … }
//
// becomes, with rows = ⌈n / w⌉ and a last row that may be shorter,
//
//	map y < rows {
//		map x < min(y·w + w, n) - y·w { … y … x … }
//	}
//
// The quotient, and all that depends on it alone, is computed once a row; the remainder is the index of the inner Map;
// and what was read at (i / w)·w + i % w is read at consecutive places. The argument is w. Elements may be rows of one
// length: then they become rows of rows.
//
// w may be any number that does not change from element to element. Rows are as long as it is without its sign: in Go
// i / w is the quotient by |w| with the sign of w, and i % w does not depend on that sign. Where w is 0 the rows have
// one element, and the check that stands before the division fails in the first of them, or before the run.
var delinearise = Rule{
	Name:      "delinearise",
	Doc:       "a Map that takes its index apart by / w and % w becomes a nest of rows of w elements",
	Arguments: divisors,
	None:      "nothing divides the index of its elements, or takes a remainder of it",
	Apply:     intoRows,
}

// divisions calls f with all quotients and remainders of an operator's index.
func divisions(s *ir.Stmt, f func(*ir.Binary)) {
	i := ir.OperatorIndex(s.Op)
	ir.Walk(ir.Blocks(s.Op)[0], func(t *ir.Stmt) {
		if op, ok := t.Op.(*ir.Binary); ok && op.X == ir.Atom(i) && (op.Fn == ir.Div || op.Fn == ir.Rem) {
			f(op)
		}
	})
}

// divisors are the names of what an operator's index is divided by.
func divisors(at Site) (names []string) {
	defs := analysis.Of(at.Func.Body)
	divisions(at.Stmt, func(op *ir.Binary) {
		if name := word(op.Y, defs); !slices.Contains(names, name) {
			names = append(names, name)
		}
	})
	return names
}

// word is how an atom is called in the name of a form.
func word(a ir.Atom, defs analysis.Defs) string {
	if c, ok := a.(ir.Const); ok {
		return fmt.Sprint(c.Int())
	}
	if n, ok := defs[a].(*ir.Len); ok {
		return "len_" + n.X.String()
	}
	return a.String()
}

func intoRows(at Site, argument string) (to Rewriting, reason string) {
	m, ok := at.Stmt.Op.(*ir.Map)
	if !ok {
		return to, "only the elements of a Map lie where a nest puts them; this is a " + ir.OperatorName(at.Stmt.Op)
	}
	var w ir.Atom
	defs := analysis.Of(at.Func.Body)
	divisions(at.Stmt, func(op *ir.Binary) {
		if word(op.Y, defs) == argument {
			w = op.Y
		}
	})
	switch c, constant := w.(ir.Const); {
	case constant && c.Int() <= 0:
		return to, "rows of " + argument + " elements do not exist"
	case !constant && !outside(w, at):
		return to, argument + " is another one for each element"
	}
	for i, d := range at.Stmt.Dst {
		switch {
		case d.T.Rank > 2:
			return to, "its elements are rows of rows already"
		case d.T.Rank == 2 && !alike(m.Body, m.Body.Results[i], at):
			return to, "its elements are rows that may differ in length"
		}
	}
	r := rowing{at: at, m: m, w: w, subst: ir.Subst{}}
	r.size(defs)
	return Rewriting{Before: r.before, Stmt: r.nest()}, ""
}

// outside reports whether a value is known before the computation.
func outside(a ir.Atom, at Site) bool {
	known := false
	for _, p := range at.Func.Params {
		known = known || a == ir.Atom(p)
	}
	for _, s := range at.Func.Body.Stmts {
		for _, d := range s.Dst {
			known = known || a == ir.Atom(d) && s != at.Stmt
		}
	}
	return known
}

// alike reports whether a result of a Map's body is a row that has as many elements in each of them.
func alike(b *ir.Block, result ir.Atom, at Site) bool {
	row, ok := analysis.Of(b)[result].(*ir.Map)
	if !ok {
		return false
	}
	_, constant := row.N.(ir.Const)
	return constant || outside(row.N, at)
}

// rowing is a Map on its way to rows of w elements.
type rowing struct {
	at     Site
	m      *ir.Map
	w      ir.Atom
	before []*ir.Stmt
	width  ir.Atom // |w|, 1 where w is 0
	sign   ir.Atom // of w, nil where it is known not to be negative
	rows   ir.Atom
	subst  ir.Subst
}

// bind adds a statement that computes an int, or a bool, to a list.
func (r *rowing) bind(to *[]*ir.Stmt, name string, op ir.Op) *ir.Var {
	t := ir.Scalar(ir.Int)
	if b, ok := op.(*ir.Binary); ok && b.Fn == ir.Lt {
		t = ir.Scalar(ir.Bool)
	}
	v := r.at.Names.Var(name, t)
	*to = append(*to, &ir.Stmt{Dst: []*ir.Var{v}, Op: op, Pos: r.at.Stmt.Pos})
	return v
}

// size computes how many rows there are, and how long they are.
func (r *rowing) size(defs analysis.Defs) {
	integer := func(i int64) ir.Atom { return ir.IntConst(ir.Int, i) }
	let := func(name string, op ir.Op) ir.Atom { return r.bind(&r.before, name, op) }
	binary := func(name string, fn ir.BinaryFn, x, y ir.Atom) ir.Atom {
		return let(name, &ir.Binary{Fn: fn, X: x, Y: y})
	}
	_, length := defs[r.w].(*ir.Len)
	_, constant := r.w.(ir.Const)
	switch {
	case constant, positive(defs[r.w]):
		r.width = r.w
	case length:
		r.width = binary("width", ir.Max, r.w, integer(1))
	default: // the least int has no number without sign; but no index reaches the next one either
		least := binary("least", ir.Max, r.w, integer(-math.MaxInt64))
		size := binary("size", ir.Max, least, let("opposite", &ir.Unary{Fn: ir.Neg, X: least}))
		r.width = binary("width", ir.Max, size, integer(1))
		r.sign = let("sign", &ir.Select{Cond: binary("negative", ir.Lt, r.w, integer(0)), X: integer(-1), Y: integer(1)})
	}
	some := binary("some", ir.Min, binary("rest", ir.Rem, r.m.N, r.width), integer(1))
	r.rows = binary("rows", ir.Add, binary("full", ir.Div, r.m.N, r.width), some)
}

// positive reports whether an operation yields the greater one of something and a positive constant.
func positive(op ir.Op) bool {
	b, ok := op.(*ir.Binary)
	if !ok || b.Fn != ir.Max {
		return false
	}
	return slices.ContainsFunc([]ir.Atom{b.X, b.Y}, func(a ir.Atom) bool { c, ok := a.(ir.Const); return ok && c.Int() > 0 })
}

// nest is the Map of rows.
func (r *rowing) nest() *ir.Stmt {
	names := r.at.Names
	y, x := names.Var("y", ir.Scalar(ir.Int)), names.Var("x", ir.Scalar(ir.Int))
	row := &ir.Block{}
	let := func(name string, fn ir.BinaryFn, x, y ir.Atom) *ir.Var {
		return r.bind(&row.Stmts, name, &ir.Binary{Fn: fn, X: x, Y: y})
	}
	lo := let("lo", ir.Mul, y, r.width)
	hi := let("hi", ir.Min, let("end", ir.Add, lo, r.width), r.m.N)
	n := let("n", ir.Sub, hi, lo)
	quotient := y
	if r.sign != nil {
		quotient = let("quotient", ir.Mul, y, r.sign)
	}
	element := &ir.Block{}
	i := r.bind(&element.Stmts, r.m.I.Name, &ir.Binary{Fn: ir.Add, X: lo, Y: x})
	r.subst[r.m.I] = i
	body := r.m.Body.Clone(r.subst, names)
	known := map[ir.Binary]ir.Atom{
		{Fn: ir.Div, X: i, Y: r.w}: quotient, {Fn: ir.Rem, X: i, Y: r.w}: x,
		{Fn: ir.Mul, X: quotient, Y: r.w}: lo, {Fn: ir.Mul, X: r.w, Y: quotient}: lo,
		{Fn: ir.Add, X: lo, Y: x}: i, {Fn: ir.Add, X: x, Y: lo}: i,
	}
	replace(body, known, ir.Subst{})
	l := lifting{inside: map[*ir.Var]bool{i: true, x: true}}
	l.block(body, true)
	row.Stmts = append(row.Stmts, l.lifted...)
	element.Stmts, element.Results = append(element.Stmts, body.Stmts...), body.Results
	inner := &ir.Stmt{Op: &ir.Map{N: n, I: x, Body: element}, Pos: r.at.Stmt.Pos}
	outer := &ir.Stmt{Op: &ir.Map{N: r.rows, I: y, Body: row}, Pos: r.at.Stmt.Pos}
	for _, d := range r.at.Stmt.Dst {
		of := names.Var("row", d.T)
		inner.Dst = append(inner.Dst, of)
		row.Results = append(row.Results, of)
		outer.Dst = append(outer.Dst, &ir.Var{Name: d.Name, T: d.T.Array()})
	}
	row.Stmts = append(row.Stmts, inner)
	return outer
}

// replace removes the statements whose results are known, and puts these in their place.
func replace(b *ir.Block, known map[ir.Binary]ir.Atom, s ir.Subst) {
	var kept []*ir.Stmt
	for _, t := range b.Stmts {
		for _, a := range ir.Operands(t.Op) {
			*a = s.Atom(*a)
		}
		if op, ok := t.Op.(*ir.Binary); ok {
			if is, ok := known[*op]; ok {
				s[t.Dst[0]] = is
				continue
			}
		}
		for _, c := range ir.Blocks(t.Op) {
			replace(c, known, s)
		}
		kept = append(kept, t)
	}
	b.Stmts = kept
	for i := range b.Results {
		b.Results[i] = s.Atom(b.Results[i])
	}
}

// lifting takes statements out of an element that are the same for all elements of a row.
type lifting struct {
	inside map[*ir.Var]bool // what differs between elements
	lifted []*ir.Stmt
	panics bool // a panic stays inside: what comes behind it does not fail before it
}

// block takes them out of a block. Where it always runs, reads and checks go too: there is no row without elements.
func (l *lifting) block(b *ir.Block, always bool) {
	var kept []*ir.Stmt
	for _, s := range b.Stmts {
		if l.same(s) && l.movable(s.Op, always) {
			l.lifted = append(l.lifted, s)
			continue
		}
		if op, ok := s.Op.(*ir.If); ok {
			l.block(op.Then, false)
			l.block(op.Else, false)
		}
		if c, ok := s.Op.(*ir.Check); ok && c.Kind == ir.CheckPanic {
			l.panics = true
		}
		kept = append(kept, s)
		for _, d := range s.Dst {
			l.inside[d] = true
		}
	}
	b.Stmts = kept
}

// same reports whether a statement depends on nothing that differs between elements.
func (l *lifting) same(s *ir.Stmt) bool {
	for _, a := range ir.Operands(s.Op) {
		if v, ok := (*a).(*ir.Var); ok && l.inside[v] {
			return false
		}
	}
	return len(ir.Blocks(s.Op)) == 0
}

// movable reports whether an operation may run before an element does.
func (l *lifting) movable(op ir.Op, always bool) bool {
	switch op := op.(type) {
	case *ir.Binary:
		divides := (op.Fn == ir.Div || op.Fn == ir.Rem) && op.X.Type().Kind.IsInteger()
		return always && !l.panics || !divides && op.Fn != ir.Shl && op.Fn != ir.Shr
	case *ir.Unary, *ir.FMA, *ir.Convert, *ir.Select, *ir.Len:
		return true
	case *ir.Index, *ir.Check:
		return always && !l.panics
	}
	return false
}
