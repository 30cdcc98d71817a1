package fuse

import "github.com/surge-ndp/surge/ops/ir"

// branch is one side of a condition while its code moves out.
type branch struct {
	*chooser
	cond    ir.Atom
	holds   bool // the branch is taken where cond holds; else where it does not
	pos     ir.Pos
	out     []*ir.Stmt
	group   []*ir.Stmt           // what has to stay under the condition and is not in out yet
	inGroup map[*ir.Var]bool     // what it yields
	sizes   map[ir.Atom]ir.Atom  // lengths, and what they are under the condition
	live    map[*ir.Stmt]*ir.Var // the valid versions of arrays that are updated in place, by what made them
	updated map[*ir.Var]*ir.Var  // versions at the beginning, and at the end
	first   map[*ir.Stmt]*ir.Var // those at the beginning
}

// branch moves the code of b out; the results of b are valid behind it.
func (c *chooser) branch(cond ir.Atom, holds bool, b *ir.Block, pos ir.Pos) *branch {
	br := &branch{chooser: c, cond: cond, holds: holds, pos: pos, inGroup: map[*ir.Var]bool{}, sizes: map[ir.Atom]ir.Atom{},
		live: map[*ir.Stmt]*ir.Var{}, updated: map[*ir.Var]*ir.Var{}, first: map[*ir.Stmt]*ir.Var{}}
	for _, v := range ir.Free(b) {
		if made := c.allocs[v]; made != nil {
			br.live[made], br.first[made] = v, v
		}
	}
	for i, s := range b.Stmts {
		br.move(s, &ir.Block{Stmts: b.Stmts[i+1:], Results: b.Results})
	}
	br.flush(&ir.Block{Results: b.Results})
	for made, v := range br.first {
		if now := br.live[made]; now != v {
			br.updated[v] = now
		}
	}
	return br
}

func (b *branch) put(op ir.Op, dst ...*ir.Var) {
	s := &ir.Stmt{Dst: dst, Op: op, Pos: b.pos}
	b.note(s)
	b.out = append(b.out, s)
}

func (b *branch) let(name string, t ir.Type, op ir.Op) *ir.Var {
	v := b.names.Var(name, t)
	b.put(op, v)
	return v
}

// under returns an If with code where the branch is taken, and only results where it is not.
func (b *branch) under(code *ir.Block, otherwise []ir.Atom) *ir.If {
	if b.holds {
		return &ir.If{Cond: b.cond, Then: code, Else: &ir.Block{Results: otherwise}}
	}
	return &ir.If{Cond: b.cond, Then: &ir.Block{Results: otherwise}, Else: code}
}

// size is n where the branch is taken, and 0 where it is not.
func (b *branch) size(n ir.Atom) ir.Atom {
	if ir.IsInt(n, 0) {
		return n
	}
	if m, ok := b.sizes[n]; ok {
		return m
	}
	sel := &ir.Select{Cond: b.cond, X: n, Y: ir.IntConst(ir.Int, 0)}
	if !b.holds {
		sel.X, sel.Y = sel.Y, sel.X
	}
	m := b.let("n", tInt, sel)
	b.sizes[n] = m
	return m
}

// empty reports whether a sequence has no elements.
func (c *chooser) empty(a ir.Atom) bool {
	of := c.defs[a.(*ir.Var)]
	if v, ok := of.(*ir.View); ok && v.Fn == ir.Replicate {
		return ir.IsInt(v.Args[1], 0)
	}
	n := ir.ResultLength(of)
	return n != nil && ir.IsInt(n, 0)
}

// emptied reports whether a sequence is computed in the branch, and has no elements where that is not taken.
func (b *branch) emptied(a ir.Atom) bool {
	of := b.defs[a.(*ir.Var)]
	if v, ok := of.(*ir.View); ok && v.Fn == ir.Flatten {
		return b.emptied(v.Args[0])
	}
	n := ir.ResultLength(of)
	for _, m := range b.sizes {
		if n != nil && m == n {
			return true
		}
	}
	return false
}

// move takes s out of the branch, or puts it into the group; rest is what follows.
func (b *branch) move(s *ir.Stmt, rest *ir.Block) {
	b.pos = s.Pos
	ready := func() { b.flush(&ir.Block{Stmts: append([]*ir.Stmt{s}, rest.Stmts...), Results: rest.Results}) }
	switch op := s.Op.(type) {
	case *ir.Map:
		ready()
		op.N = b.size(op.N)
	case *ir.Reduce:
		ready()
		op.N = b.size(op.N)
	case *ir.Scan:
		ready()
		op.N = b.size(op.N)
	case *ir.Scatter:
		ready()
		op.N, op.W = b.size(op.N), b.size(op.W)
	case *ir.Hist:
		ready()
		op.N, op.W = b.size(op.N), b.size(op.W)
	case *ir.Sort:
		ready()
		op.N = b.size(op.N)
	case *ir.Alloc:
		ready()
		op.N = b.size(op.N)
		b.live[s] = s.Dst[0]
	case *ir.View:
		ready()
		b.numbers(op)
		b.risky[s.Dst[0]] = true
	case *ir.Index:
		if s.Dst[0].T.Rank == 0 {
			b.hold(s)
			return
		}
		ready()
		b.row(s, op)
		return
	case *ir.Loop:
		if !b.chooses(s) {
			b.hold(s)
			return
		}
		ready()
		b.loop(s, op)
	default:
		if !b.free(s) {
			b.hold(s)
			return
		}
	}
	b.note(s)
	b.out = append(b.out, s)
}

// numbers makes the sizes and places that a view is given harmless where the branch is not taken: what is checked under
// the condition is not known to hold there, and who stores the view computes how long its rows are and reads them.
func (b *branch) numbers(op *ir.View) {
	switch op.Fn {
	case ir.Split, ir.Cyclic, ir.Striding:
		if _, known := op.Args[1].(ir.Const); known {
			return
		}
		sel := &ir.Select{Cond: b.cond, X: op.Args[1], Y: ir.IntConst(ir.Int, 1)}
		if !b.holds {
			sel.X, sel.Y = sel.Y, sel.X
		}
		op.Args[1] = b.let("size", tInt, sel)
	case ir.Replicate:
		op.Args[1] = b.size(op.Args[1])
	case ir.Slice:
		op.Args[1], op.Args[2] = b.size(op.Args[1]), b.size(op.Args[2])
	case ir.Gather:
		n := b.size(b.let("n", tInt, &ir.Len{X: op.Args[1]}))
		op.Args[1] = b.let("indices", op.Args[1].Type(), &ir.View{Fn: ir.Slice, Args: []ir.Atom{op.Args[1], ir.IntConst(ir.Int, 0), n}})
	case ir.Grid:
		op.Args[1] = b.size(op.Args[1])
		op.Args[2] = b.size(op.Args[2])
	case ir.Nest:
		op.Args[1] = b.offsets(op.Args[1])
	}
}

// offsets are those of no row where the branch is not taken.
func (b *branch) offsets(of ir.Atom) ir.Atom {
	elem := of.Type().Elem()
	n := &ir.Select{Cond: b.cond, X: b.let("n", tInt, &ir.Len{X: of}), Y: ir.IntConst(ir.Int, 1)}
	if !b.holds {
		n.X, n.Y = n.Y, n.X
	}
	i, read, offset := b.names.Var("i", tInt), b.names.Var("offset", elem), b.names.Var("offset", elem)
	code := &ir.Block{Stmts: []*ir.Stmt{{Dst: []*ir.Var{read}, Op: &ir.Index{X: of, I: i}, Pos: b.pos}}, Results: []ir.Atom{read}}
	body := &ir.Block{Stmts: []*ir.Stmt{{Dst: []*ir.Var{offset}, Op: b.under(code, []ir.Atom{zero(elem.Kind)}), Pos: b.pos}}, Results: []ir.Atom{offset}}
	return b.let("offsets", of.Type(), &ir.Map{N: b.let("n", tInt, n), I: i, Body: body})
}

// free reports whether s is scalar code that can as well run where the branch is not taken.
func (b *branch) free(s *ir.Stmt) bool {
	switch op := s.Op.(type) {
	case *ir.Len:
		if b.risky[op.X.(*ir.Var)] {
			return false
		}
	case *ir.Unary:
		if op.Fn.GoMath() != "" && op.Fn != ir.Abs {
			return false
		}
	case *ir.Binary:
		if op.Fn.GoMath() != "" {
			return false
		}
	case *ir.Convert, *ir.Select:
	default:
		return false
	}
	return (&hoister{}).movable(s.Op) && !dependsOn(s, b.inGroup)
}

func (b *branch) hold(s *ir.Stmt) {
	b.group = append(b.group, s)
	for _, d := range s.Dst {
		b.inGroup[d] = true
	}
}

// flush puts the group out, under the condition. Of its scalars it yields those that rest reads, which are 0 where the
// branch is not taken, and of each array that it updates the last version.
func (b *branch) flush(rest *ir.Block) {
	if len(b.group) == 0 {
		return
	}
	used := map[*ir.Var]bool{}
	for _, v := range ir.Free(rest) {
		used[v] = true
	}
	var yields []*ir.Var
	last := map[*ir.Stmt]int{} // positions in yields
	var otherwise []ir.Atom
	for _, s := range b.group {
		for _, d := range s.Dst {
			if made := b.allocs[d]; d.T.Rank > 0 && made != nil {
				if i, ok := last[made]; ok {
					yields[i] = d
					continue
				}
				last[made] = len(yields)
				yields, otherwise = append(yields, d), append(otherwise, b.live[made])
			} else if used[d] {
				yields, otherwise = append(yields, d), append(otherwise, zero(d.T.Kind))
			}
		}
	}
	for made, i := range last {
		b.live[made] = yields[i]
	}
	inner := ir.Subst{}
	code := (&ir.Block{Stmts: b.group}).Clone(inner, b.names)
	for _, v := range yields {
		code.Results = append(code.Results, inner.Atom(v))
	}
	b.group, b.inGroup = nil, map[*ir.Var]bool{}
	for from, to := range inner { // versions inside are of the same arrays
		if v, ok := to.(*ir.Var); ok && b.allocs[from] != nil {
			b.allocs[v] = b.allocs[from]
		}
	}
	b.put(b.under(code, otherwise), yields...)
}

// row moves out a read of a row: its elements are read one by one, so that none is where the branch is not taken.
func (b *branch) row(s *ir.Stmt, op *ir.Index) {
	t := s.Dst[0].T
	read := func() (*ir.Var, *ir.Stmt) {
		v := b.names.Var(s.Dst[0].Name, t)
		return v, &ir.Stmt{Dst: []*ir.Var{v}, Op: &ir.Index{X: op.X, I: op.I}, Pos: s.Pos}
	}
	row, at := read()
	m, n := b.names.Var("n", tInt), b.names.Var("n", tInt)
	b.put(b.under(&ir.Block{Stmts: []*ir.Stmt{at, {Dst: []*ir.Var{m}, Op: &ir.Len{X: row}, Pos: s.Pos}}, Results: []ir.Atom{m}},
		[]ir.Atom{ir.IntConst(ir.Int, 0)}), n)
	row, at = read()
	i, x := b.names.Var("i", tInt), b.names.Var(elementName(row), t.Elem())
	b.put(&ir.Map{N: n, I: i, Body: &ir.Block{Stmts: []*ir.Stmt{at, {Dst: []*ir.Var{x}, Op: &ir.Index{X: row, I: i}, Pos: s.Pos}}, Results: []ir.Atom{x}}}, s.Dst[0])
}

// loop lets a loop that carries sequences make no turn where the branch is not taken.
func (b *branch) loop(s *ir.Stmt, op *ir.Loop) {
	if op.I != nil {
		sel := &ir.Select{Cond: b.cond, X: op.Hi, Y: op.Lo}
		if !b.holds {
			sel.X, sel.Y = sel.Y, sel.X
		}
		op.Hi = b.let("end", tInt, sel)
	} else {
		going := b.names.Var("going", ir.Scalar(ir.Bool))
		test := b.under(op.Cond, []ir.Atom{ir.BoolConst(false)})
		op.Cond = &ir.Block{Stmts: []*ir.Stmt{{Dst: []*ir.Var{going}, Op: test, Pos: s.Pos}}, Results: []ir.Atom{going}}
	}
	for _, d := range s.Dst {
		if made := b.allocs[d]; d.T.Rank > 0 && made != nil {
			b.live[made] = d
		} else if d.T.Rank > 0 {
			b.risky[d] = true
		}
	}
}

// length returns the length of x, a result of the branch; what has to be computed for it goes to e.
func (b *branch) length(x *ir.Var, e *branch) ir.Atom {
	if n := ir.ResultLength(b.defs[x]); n != nil {
		return n
	}
	if made, ok := b.defs[x].(*ir.Alloc); ok {
		return made.N
	}
	if !b.risky[x] {
		return e.let("n", tInt, &ir.Len{X: x})
	}
	m := b.names.Var("n", tInt)
	return e.let("n", tInt, b.under(&ir.Block{Stmts: []*ir.Stmt{{Dst: []*ir.Var{m}, Op: &ir.Len{X: x}, Pos: b.pos}}, Results: []ir.Atom{m}}, []ir.Atom{ir.IntConst(ir.Int, 0)}))
}
