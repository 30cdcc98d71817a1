package fuse

import "github.com/surge-ndp/surge/ops/ir"

// sharedCopies drops the arrays that only copy another one, where nothing changes either of them behind the copy: as an
// array that is the value of a range, or of a receiver, is such a copy.
//
//	made = alloc n
//	c    = loop (b) init made for i = 0 to n { x = index a (off + i); b1 = update b i x; yield b1 }
//	y    = index c j
//
// becomes
//
//	y = index a (off + j)
func sharedCopies(f *ir.Func, names *ir.Namer) {
	s := &sharer{names: names, changed: map[ir.Atom]bool{}, allocs: map[ir.Atom]*ir.Alloc{}, copies: map[ir.Atom]sharedCopy{}}
	s.note(f.Body)
	if s.find(f.Body); len(s.copies) > 0 {
		s.replace(f.Body)
		simplify(f)
	}
}

// sharedCopy says of an array that it is of's elements from off on, n of them.
type sharedCopy struct{ of, off, n ir.Atom }

type sharer struct {
	names   *ir.Namer
	changed map[ir.Atom]bool // what has uses other than to read an element, or the length, and may be changed by them
	allocs  map[ir.Atom]*ir.Alloc
	copies  map[ir.Atom]sharedCopy
}

// note finds out which arrays are only read.
func (s *sharer) note(b *ir.Block) {
	for _, st := range b.Stmts {
		if a, ok := st.Op.(*ir.Alloc); ok {
			s.allocs[st.Dst[0]] = a
		}
		for _, x := range ir.Operands(st.Op) {
			switch op := st.Op.(type) {
			case *ir.Index:
				s.changed[*x] = s.changed[*x] || *x != op.X
			case *ir.Len:
			default:
				s.changed[*x] = true
			}
		}
		for _, inner := range ir.Blocks(st.Op) {
			s.note(inner)
		}
	}
	for _, r := range b.Results {
		s.changed[r] = true
	}
}

// find finds the loops that copy.
func (s *sharer) find(b *ir.Block) {
	for _, st := range b.Stmts {
		if loop, ok := st.Op.(*ir.Loop); ok && loop.I != nil && loop.Cond == nil && ir.IsInt(loop.Lo, 0) {
			s.copied(st, loop)
		}
		for _, inner := range ir.Blocks(st.Op) {
			s.find(inner)
		}
	}
}

// copied notes what a loop copies, if it does nothing else and all of it is only read.
func (s *sharer) copied(st *ir.Stmt, loop *ir.Loop) {
	index, off := ir.Atom(loop.I), ir.Atom(ir.IntConst(ir.Int, 0))
	read, written := map[ir.Atom]ir.Atom{}, map[ir.Atom]ir.Atom{} // elements → their array; arrays → the element
	for _, in := range loop.Body.Stmts {
		switch op := in.Op.(type) {
		case *ir.Binary: // where the copy begins
			if op.Fn != ir.Add || index != ir.Atom(loop.I) || op.Y != ir.Atom(loop.I) || len(read) > 0 { // not in each turn elsewhere
				return
			}
			index, off = in.Dst[0], op.X
		case *ir.Index:
			if op.I != index || s.changed[op.X] {
				return
			}
			read[in.Dst[0]] = op.X
		case *ir.Update:
			if op.I != ir.Atom(loop.I) || read[op.Value] == nil {
				return
			}
			written[op.X] = op.Value
			read[in.Dst[0]] = op.X // what is yielded
		default:
			return
		}
	}
	found := map[ir.Atom]sharedCopy{}
	for i, p := range loop.Params {
		made := s.allocs[loop.Init[i]]
		if made == nil || made.Grows || made.N != loop.Hi || written[p] == nil || read[loop.Body.Results[i]] != ir.Atom(p) || s.changed[st.Dst[i]] {
			return
		}
		found[st.Dst[i]] = sharedCopy{read[written[p]], off, loop.Hi}
	}
	for d, c := range found {
		s.copies[d] = c
	}
}

// replace puts what is copied in the place of the copies.
func (s *sharer) replace(b *ir.Block) {
	stmts := b.Stmts
	b.Stmts = nil
	for _, st := range stmts {
		switch op := st.Op.(type) {
		case *ir.Len:
			if c, ok := s.copies[op.X]; ok {
				st.Op = &ir.Binary{Fn: ir.Add, X: c.n, Y: ir.IntConst(ir.Int, 0)}
			}
		case *ir.Index:
			for c, ok := s.copies[op.X]; ok; c, ok = s.copies[op.X] {
				if op.X = c.of; !ir.IsInt(c.off, 0) {
					at := &ir.Stmt{Dst: []*ir.Var{s.names.Var("at", tInt)}, Op: &ir.Binary{Fn: ir.Add, X: c.off, Y: op.I}, Pos: st.Pos}
					b.Stmts, op.I = append(b.Stmts, at), at.Dst[0]
				}
			}
		}
		for _, inner := range ir.Blocks(st.Op) {
			s.replace(inner)
		}
		b.Stmts = append(b.Stmts, st)
	}
}
