package fuse

import "github.com/surge-ndp/surge/ops/ir"

// realise turns the arrays that have to exist in memory but are only views into Maps: results of the kernel that
// rename elements of others, and the sequences below a Flatten that are not already stored row after row.
func realise(f *ir.Func, names *ir.Namer) {
	defs := map[*ir.Var]ir.Op{}
	ir.Walk(f.Body, func(s *ir.Stmt) {
		for _, d := range s.Dst {
			if d.T.Rank > 0 {
				defs[d] = s.Op
			}
		}
	})
	r := &realiser{names: names, defs: defs, even: evenRows(f.Body), row: map[ir.Atom]bool{}, inside: map[*ir.Var]bool{}}
	ir.Walk(f.Body, func(s *ir.Stmt) {
		if m, ok := s.Op.(*ir.Map); ok {
			for _, a := range m.Body.Results {
				r.row[a] = true
			}
		}
	})
	r.flattens(f.Body, 0)
	r.allocs = ir.Allocs(f.Body)
	r.rows(f.Body)
	r.loops(f.Body, true)
	for i, a := range f.Body.Results {
		v, ok := a.(*ir.Var)
		if !ok || v.T.Rank == 0 || r.stored(v) {
			continue
		}
		m := r.copy(v, f.Pos)
		f.Body.Stmts = append(f.Body.Stmts, m...)
		f.Body.Results[i] = m[1].Dst[0]
	}
}

type realiser struct {
	names  *ir.Namer
	defs   map[*ir.Var]ir.Op
	allocs map[*ir.Var]*ir.Stmt
	even   map[*ir.Var]bool // see [evenRows]
	row    map[ir.Atom]bool // what Maps yield
	inside map[*ir.Var]bool // defined in an operator's body
}

// stored reports whether v is computed by an operator (or is a free flattening of one).
func (r *realiser) stored(v *ir.Var) bool {
	switch r.defs[v].(type) {
	case *ir.Map, *ir.Scan, *ir.Scatter, *ir.Hist, *ir.Sort:
		return true
	}
	return r.flattened(v)
}

// flattened reports whether v flattens what a Map stores, or the rows in that.
func (r *realiser) flattened(v *ir.Var) bool {
	op, ok := r.defs[v].(*ir.View)
	if !ok || op.Fn != ir.Flatten {
		return false
	}
	inner := op.Args[0].(*ir.Var)
	_, isMap := r.defs[inner].(*ir.Map)
	return isMap || r.flattened(inner)
}

// flattens realises what a Flatten cannot see through. It works block by block, because the copy stands before its use.
// Inside an operator rows cannot be stored one after the other by one: a loop puts their elements into a local array.
func (r *realiser) flattens(b *ir.Block, depth int) {
	var out []*ir.Stmt
	for _, s := range b.Stmts {
		below := depth
		if indexOf(s.Op) != nil {
			below++
		}
		for _, c := range ir.Blocks(s.Op) {
			r.flattens(c, below)
		}
		for _, d := range s.Dst {
			r.inside[d] = depth > 0
		}
		if v, ok := s.Op.(*ir.View); ok && v.Fn == ir.Flatten {
			inner := v.Args[0].(*ir.Var)
			if r.inside[inner] && inner.T.Rank == 2 && !lined(r.defs[inner]) && (!r.even[inner] || r.row[s.Dst[0]]) {
				out = append(out, r.lineUp(s, inner)...)
				continue
			}
			if iv, ok := r.defs[inner].(*ir.View); ok && !(inner.T.Rank == 2 && linesUp(iv.Fn)) && !r.flattened(inner) {
				m := r.copy(inner, s.Pos)
				out = append(out, m...)
				v.Args[0] = m[1].Dst[0]
			}
		}
		out = append(out, s)
	}
	b.Stmts = out
}

// lined reports whether the rows that op yields lie one after the other in another sequence.
func lined(op ir.Op) bool {
	v, ok := op.(*ir.View)
	return ok && linesUp(v.Fn)
}

// linesUp reports whether the rows of the view lie one after the other in its argument.
func linesUp(fn ir.ViewFn) bool { return fn == ir.Split || fn == ir.Nest || fn == ir.Grid }

// lineUp returns what counts the elements of all rows, and a loop that puts them into an array, in place of the
// Flatten s.
func (r *realiser) lineUp(s *ir.Stmt, rows *ir.Var) []*ir.Stmt {
	seq := s.Dst[0].T
	name := func(base string, t ir.Type) *ir.Var { return r.names.Var(base, t) }
	stmt := func(op ir.Op, dst ...*ir.Var) *ir.Stmt { return &ir.Stmt{Dst: dst, Op: op, Pos: s.Pos} }
	zero := ir.IntConst(ir.Int, 0)
	rowOf := func(i *ir.Var) (row, m *ir.Var, stmts []*ir.Stmt) {
		row, m = name("row", seq), name("m", tInt)
		return row, m, []*ir.Stmt{stmt(&ir.Index{X: rows, I: i}, row), stmt(&ir.Len{X: row}, m)}
	}

	n, total := name("n", tInt), name("total", tInt)
	sum, next, i := name("sum", tInt), name("sum", tInt), name("i", tInt)
	_, m, body := rowOf(i)
	body = append(body, stmt(&ir.Binary{Fn: ir.Add, X: sum, Y: m}, next))
	var count ir.Op = &ir.Loop{Params: []*ir.Var{sum}, Init: []ir.Atom{zero}, I: i, Lo: zero, Hi: n, Body: &ir.Block{Stmts: body, Results: []ir.Atom{next}}}
	if v, ok := r.defs[rows].(*ir.View); ok && v.Fn == ir.Cyclic { // its rows have each element once
		count = &ir.Len{X: v.Args[0]}
	}

	made, whole, at, end := name("flat", seq), name("flat", seq), name("at", tInt), name("end", tInt)
	i = name("i", tInt)
	row, m, body := rowOf(i)
	part, j, k, x := name("flat", seq), name("j", tInt), name("k", tInt), name("x", seq.Elem())
	set, filled := name("flat", seq), name("flat", seq)
	fill := &ir.Loop{Params: []*ir.Var{part}, Init: []ir.Atom{whole}, I: j, Lo: zero, Hi: m, Body: &ir.Block{Stmts: []*ir.Stmt{
		stmt(&ir.Index{X: row, I: j}, x), stmt(&ir.Binary{Fn: ir.Add, X: at, Y: j}, k), stmt(&ir.Update{X: part, I: k, Value: x}, set)}, Results: []ir.Atom{set}}}
	behind := name("at", tInt)
	body = append(body, stmt(fill, filled), stmt(&ir.Binary{Fn: ir.Add, X: at, Y: m}, behind))
	all := &ir.Loop{Params: []*ir.Var{whole, at}, Init: []ir.Atom{made, zero}, I: i, Lo: zero, Hi: n, Body: &ir.Block{Stmts: body, Results: []ir.Atom{filled, behind}}}

	last := stmt(all, s.Dst[0], end)
	r.defs[s.Dst[0]] = all
	return []*ir.Stmt{stmt(&ir.Len{X: rows}, n), stmt(count, total), stmt(&ir.Alloc{Kind: seq.Kind, N: total}, made), last}
}

// rows realises the inner sequences that a Map yields but that are only views: each becomes a Map of its own, which
// writes its row where the outer one stores it.
func (r *realiser) rows(b *ir.Block) {
	for _, s := range b.Stmts {
		for _, c := range ir.Blocks(s.Op) {
			r.rows(c)
		}
		m, ok := s.Op.(*ir.Map)
		if !ok {
			continue
		}
		seen := map[*ir.Var]bool{} // what is written where the Map stores a row: Maps, Scans, arrays made in the body
		for i, a := range m.Body.Results {
			v, ok := a.(*ir.Var)
			if !ok || v.T.Rank == 0 {
				continue
			}
			if def := r.storedIn(m.Body, v); def != nil && !seen[def] {
				seen[def] = true
				continue
			}
			c := r.copy(v, s.Pos)
			m.Body.Stmts = append(m.Body.Stmts, c...)
			m.Body.Results[i] = c[1].Dst[0]
		}
	}
}

// loops realises the sequences that go from one turn of a loop to the next: each turn reads one and computes the
// other, so that what a turn ends with is computed in the turn, and what the first one begins with belongs to the
// loop alone. In the host program it is enough that both are stored: memory is found for them while it runs.
func (r *realiser) loops(b *ir.Block, host bool) {
	var out []*ir.Stmt
	for _, s := range b.Stmts {
		control := host && Controls(s)
		for _, c := range ir.Blocks(s.Op) {
			r.loops(c, control)
		}
		loop, ok := s.Op.(*ir.Loop)
		switch {
		case ok && control:
			for i, p := range loop.Params {
				if p.T.Rank == 0 {
					continue
				}
				if init := loop.Init[i].(*ir.Var); !r.inMemory(init) {
					first := r.copy(init, s.Pos)
					out, loop.Init[i] = append(out, first...), first[1].Dst[0]
				}
				if v := loop.Body.Results[i].(*ir.Var); !r.inMemory(v) {
					next := r.copy(v, s.Pos)
					loop.Body.Stmts, loop.Body.Results[i] = append(loop.Body.Stmts, next...), next[1].Dst[0]
				}
			}
		case ok:
			seen := map[*ir.Var]bool{}
			rotating := Rotating(loop, r.allocs)
			for i, p := range loop.Params {
				if p.T.Rank == 0 || r.allocs[p] != nil {
					continue
				}
				from, moves := rotating[p]
				if init := loop.Init[i].(*ir.Var); !moves || !r.computed(init) {
					first := r.copy(init, s.Pos)
					out, loop.Init[i] = append(out, first...), first[1].Dst[0]
				}
				if from != nil {
					continue
				}
				v := loop.Body.Results[i].(*ir.Var)
				if def := r.storedIn(loop.Body, v); def != nil && !seen[def] {
					seen[def] = true
					continue
				}
				next := r.copy(v, s.Pos)
				loop.Body.Stmts, loop.Body.Results[i] = append(loop.Body.Stmts, next...), next[1].Dst[0]
			}
		}
		out = append(out, s)
	}
	b.Stmts = out
}

// inMemory reports whether v is a sequence that lies in memory, of the host program: given, computed, or carried.
func (r *realiser) inMemory(v *ir.Var) bool {
	_, carried := r.defs[v].(*ir.Loop)
	return carried || r.defs[v] == nil || r.stored(v)
}

// storedIn returns the variable of block b that stands for the memory of v: v itself if an operator of b computes it,
// or the array made in b that v is the last version of. It returns nil if there is none.
func (r *realiser) storedIn(b *ir.Block, v *ir.Var) *ir.Var {
	if a := r.allocs[v]; a != nil {
		if definedIn(b, a.Dst[0]) && definedIn(b, v) {
			return a.Dst[0]
		}
		return nil
	}
	if definedIn(b, v) && r.computed(v) {
		return v
	}
	if view, ok := r.defs[v].(*ir.View); ok && view.Fn == ir.Flatten && definedIn(b, v) {
		if rows := view.Args[0].(*ir.Var); r.even[rows] && definedIn(b, rows) {
			return rows
		}
	}
	return nil
}

func (r *realiser) computed(v *ir.Var) bool {
	switch r.defs[v].(type) {
	case *ir.Map, *ir.Scan, *ir.Scatter, *ir.Hist, *ir.Sort:
		return true
	}
	return false
}

func definedIn(b *ir.Block, v *ir.Var) bool {
	for _, s := range b.Stmts {
		for _, d := range s.Dst {
			if d == v {
				return true
			}
		}
	}
	return false
}

// copy returns `n = len x; map i < n { x[i] }`, nested as deep as x is; the last statement is the Map.
func (r *realiser) copy(x *ir.Var, pos ir.Pos) []*ir.Stmt {
	n := r.names.Var("n", tInt)
	i := r.names.Var("i", tInt)
	elem := r.names.Var(elementName(x), x.T.Elem())
	body := &ir.Block{Stmts: []*ir.Stmt{{Dst: []*ir.Var{elem}, Op: &ir.Index{X: x, I: i}, Pos: pos}}, Results: []ir.Atom{elem}}
	if elem.T.Rank > 0 {
		inner := r.copy(elem, pos)
		body.Stmts = append(body.Stmts, inner...)
		body.Results[0] = inner[1].Dst[0]
	}
	out := r.names.Var(x.Name, x.T)
	m := &ir.Map{N: n, I: i, Body: body}
	r.defs[out] = m
	return []*ir.Stmt{{Dst: []*ir.Var{n}, Op: &ir.Len{X: x}, Pos: pos}, {Dst: []*ir.Var{out}, Op: m, Pos: pos}}
}
