package fuse

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// Note [Rows of at most so many elements]
//
// Where the rows that a Map computes lie is known when all their lengths are. A length that a loop finds, as that of
// the k best of what it looks at, takes this loop: the Map would run twice, first for the lengths alone. But such a row
// often comes of an array with room for k elements, and k does not change from element to element. Then the Map stores
// as many for each element, and how many of them there are, and another Map copies those.
//
//	y = map i < n { a = alloc k; …loops…; z = map j < m { …a[j]… }; yield z }
//
// becomes
//
//	check n·k is not more than mostCapped
//	y', m' = map i < n { a = alloc k; …loops…; z = map j < k { if j < m { …a[j]… } else { 0 } }; yield z m }
//	y      = map i < n { z = map j < m'[i] { y'[i][j] }; yield z }
//
// Where the check fails the kernel runs once more, as plain Go. It is left out where there is room for as many elements
// as a row of the input has.

// mostCapped is for how many elements the rows of a Map may have room together.
const mostCapped = 1 << 27

// cappedRows does so for the Maps of the host program.
func cappedRows(f *ir.Func, names *ir.Namer) {
	if cappedIn(f, f.Body, names) {
		simplify(f)
	}
}

func cappedIn(f *ir.Func, b *ir.Block, names *ir.Namer) (found bool) {
	var out []*ir.Stmt
	for _, s := range b.Stmts {
		if Controls(s) {
			for _, c := range ir.Blocks(s.Op) {
				found = cappedIn(f, c, names) || found
			}
		}
		if m, ok := s.Op.(*ir.Map); ok && m.By == nil && !ir.IsInt(m.N, 1) {
			if c := cappedOf(f, s, m); c != nil {
				c.write(emitter{&resolver{names: names, defs: map[*ir.Var]*ir.Stmt{}}, &out, s.Pos})
				found = true
				continue
			}
		}
		out = append(out, s)
	}
	b.Stmts = out
	return found
}

// capped are the rows of a Map that have at most so many elements each.
type capped struct {
	s      *ir.Stmt
	m      *ir.Map
	defs   analysis.Defs
	inside map[ir.Atom]bool  // what an element computes
	rows   map[int]cappedRow // by the result
}

type cappedRow struct{ n, most ir.Atom }

// cappedOf is nil if a row whose length takes a loop has no such bound, or if no length does.
func cappedOf(f *ir.Func, s *ir.Stmt, m *ir.Map) *capped {
	inside := map[ir.Atom]bool{m.I: true}
	ir.Walk(m.Body, func(t *ir.Stmt) {
		for _, d := range t.Dst {
			inside[d] = true
		}
	})
	defs, allocs := analysis.Of(m.Body), ir.Allocs(m.Body)
	c := &capped{s: s, m: m, defs: defs, inside: inside, rows: map[int]cappedRow{}}
	for r, a := range m.Body.Results {
		if a.Type().Rank == 0 {
			continue
		}
		n := lengthIn(a, defs, allocs)
		if a.Type().Rank > 1 || n == nil {
			return nil
		}
		if !inside[n] || !takesLoop(m.Body, n) {
			continue
		}
		most := mostRead(m.Body, n, allocs)
		if most == nil || inside[most] && !isRowLength(f, most, m.I, defs) {
			return nil
		}
		c.rows[r] = cappedRow{n, most}
	}
	if len(c.rows) == 0 {
		return nil
	}
	return c
}

// lengthIn is the length of a row that an element computes, nil if it is not known.
func lengthIn(row ir.Atom, defs analysis.Defs, allocs map[*ir.Var]*ir.Stmt) ir.Atom {
	if m, ok := defs[row].(*ir.Map); ok {
		return m.N
	}
	if v, ok := row.(*ir.Var); ok && allocs[v] != nil {
		if a := allocs[v].Op.(*ir.Alloc); !a.Grows {
			return a.N
		}
	}
	return nil
}

// isRowLength reports whether n is the length of the row of the element, in a parameter.
func isRowLength(f *ir.Func, n ir.Atom, i *ir.Var, defs analysis.Defs) bool {
	length, ok := defs[n].(*ir.Len)
	if !ok {
		return false
	}
	row, ok := defs[length.X].(*ir.Index)
	return ok && row.I == ir.Atom(i) && slices.ContainsFunc(f.Params, func(p *ir.Var) bool { return row.X == ir.Atom(p) })
}

// takesLoop reports whether a number in b is computed by a loop or an operator.
func takesLoop(b *ir.Block, n ir.Atom) bool {
	found := false
	ir.Walk(sliceBlock(b, []ir.Atom{n}, nil), func(s *ir.Stmt) {
		_, loop := s.Op.(*ir.Loop)
		found = found || loop || indexOf(s.Op) != nil
	})
	return found
}

// mostRead is the length of an array whose first n elements b reads, whatever they are, without a check: n is not more.
// It is nil if b reads none.
func mostRead(b *ir.Block, n ir.Atom, allocs map[*ir.Var]*ir.Stmt) ir.Atom {
	for _, s := range b.Stmts {
		var i *ir.Var
		var body *ir.Block
		switch op := s.Op.(type) {
		case *ir.Map:
			if op.N == n {
				i, body = op.I, op.Body
			}
		case *ir.Loop:
			if op.I != nil && op.Cond == nil && op.Hi == n && ir.IsInt(op.Lo, 0) {
				i, body = op.I, op.Body
			}
		}
		if body == nil || slices.ContainsFunc(body.Stmts, mayFail) {
			continue
		}
		for _, t := range body.Stmts {
			read, ok := t.Op.(*ir.Index)
			if !ok || read.I != ir.Atom(i) {
				continue
			}
			if v, ok := read.X.(*ir.Var); ok && allocs[v] != nil {
				if a := allocs[v].Op.(*ir.Alloc); !a.Grows && a.N != n {
					return a.N
				}
			}
		}
	}
	return nil
}

// write writes the two Maps.
func (c *capped) write(e emitter) {
	names, one := e.r.names, ir.IntConst(ir.Int, 1)
	body := &ir.Block{Stmts: slices.Clone(c.m.Body.Stmts)}
	in := e.into(body)
	copied := &ir.Map{N: c.m.N, I: names.Var(c.m.I.Name, tInt), Body: &ir.Block{}}
	from := e.into(copied.Body)
	var dst, after []*ir.Var
	lengths, width := map[ir.Atom]ir.Atom{}, map[ir.Atom]ir.Atom{}
	for r, a := range c.m.Body.Results {
		row, ok := c.rows[r]
		if !ok {
			body.Results, dst = append(body.Results, a), append(dst, c.s.Dst[r])
			continue
		}
		switch {
		case width[row.most] != nil:
		case c.inside[row.most]:
			width[row.most] = row.most
		default:
			width[row.most] = e.bin(ir.Max, "width", row.most, zero(ir.Int))
			room := e.bin(ir.Div, "most", ir.IntConst(ir.Int, mostCapped), e.bin(ir.Max, "rows", c.m.N, one))
			e.stmt(&ir.Check{Kind: ir.CheckSize, Op: "make", Arg: "the room for rows",
				Args: []ir.Atom{e.bin(ir.Add, "room", e.bin(ir.Sub, "room", room, width[row.most]), one)}})
		}
		if lengths[row.n] == nil {
			n := names.Var(c.s.Dst[r].Name+"_len", ir.Type{Kind: ir.Int, Rank: 1})
			body.Results, dst = append(body.Results, row.n), append(dst, n)
			lengths[row.n] = from.let("n", tInt, &ir.Index{X: n, I: copied.I})
		}
		all := names.Var(c.s.Dst[r].Name, c.s.Dst[r].T)
		body.Results, dst = append(body.Results, in.padded(a, row.n, width[row.most], c.defs)), append(dst, all)

		stored := from.let("row", a.Type(), &ir.Index{X: all, I: copied.I})
		some := &ir.Map{N: lengths[row.n], I: names.Var("j", tInt), Body: &ir.Block{}}
		some.Body.Results = []ir.Atom{from.into(some.Body).let("x", a.Type().Elem(), &ir.Index{X: stored, I: some.I})}
		copied.Body.Results = append(copied.Body.Results, from.let("row", a.Type(), some))
		after = append(after, c.s.Dst[r])
	}
	e.stmt(&ir.Map{N: c.m.N, I: c.m.I, Body: body}, dst...)
	e.stmt(copied, after...)
}

// padded writes a row of n elements as one of width, with zeros behind them.
func (e emitter) padded(row, n, width ir.Atom, defs analysis.Defs) ir.Atom {
	t := row.Type().Elem()
	m := &ir.Map{N: width, I: e.r.names.Var("j", tInt), Body: &ir.Block{}}
	in := e.into(m.Body)
	then, none := &ir.Block{}, &ir.Block{Results: []ir.Atom{zero(t.Kind)}}
	if made, ok := defs[row].(*ir.Map); ok && len(made.Body.Results) == 1 && !slices.ContainsFunc(made.Body.Stmts, mayFail) {
		then = made.Body.Clone(ir.Subst{made.I: m.I}, e.r.names)
	} else {
		then.Results = []ir.Atom{in.into(then).let("x", t, &ir.Index{X: row, I: m.I})}
	}
	x := in.let("x", t, &ir.If{Cond: in.bin(ir.Lt, "some", m.I, n), Then: then, Else: none})
	m.Body.Results = []ir.Atom{x}
	return e.let("row", row.Type(), m)
}
