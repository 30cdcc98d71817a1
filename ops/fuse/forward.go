package fuse

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// forward hands on from turn to turn what loops that update an array read again in the next turn: a processor waits
// for an element that it has just written several times as long as for a register.
//
//	c' = loop (c) init b for j = lo to hi { …; e = index c (at + j - 1); …; d = update c (at + j) v; yield d }
//
// becomes
//
//	first = if lo < hi && (at + lo - 1 is in b) { index b (at + lo - 1) } else { 0 }
//	c', e' = loop (c, e) init b first for j = lo to hi { …; d = update c (at + j) v; yield d v }
//
// This is exact: each turn updates one element and no other one, behind all reads, and what it reads is the element
// that the turn before has updated; what the first turn reads nobody has.
func forward(f *ir.Func, names *ir.Namer) {
	fw := &forwarder{names: names, defs: analysis.Of(f.Body), allocs: ir.Allocs(f.Body)}
	fw.block(f.Body)
}

type forwarder struct {
	names  *ir.Namer
	defs   analysis.Defs
	allocs map[*ir.Var]*ir.Stmt // versions of arrays, and what made them
}

func (fw *forwarder) block(b *ir.Block) {
	for at := 0; at < len(b.Stmts); at++ {
		s := b.Stmts[at]
		for _, c := range ir.Blocks(s.Op) {
			fw.block(c)
		}
		loop, ok := s.Op.(*ir.Loop)
		if !ok || loop.I == nil || loop.Cond != nil || loop.Independent {
			continue
		}
		for k := range len(loop.Params) {
			if before := fw.array(s, loop, k); before != nil {
				b.Stmts = slices.Insert(b.Stmts, at, before...)
				at += len(before)
			}
		}
	}
}

// array hands on the elements of array k of a loop. It returns the statements before the loop, nil if it is left as it
// is.
func (fw *forwarder) array(s *ir.Stmt, loop *ir.Loop, k int) []*ir.Stmt {
	p := loop.Params[k]
	made := fw.allocs[p]
	if p.T.Rank != 1 || made == nil || made.Op.(*ir.Alloc).Grows {
		return nil
	}
	update := onlyUpdate(loop, k)
	if update == nil {
		return nil
	}
	inside := map[ir.Atom]bool{loop.I: true}
	for _, v := range loop.Params {
		inside[v] = true
	}
	ir.Walk(loop.Body, func(s *ir.Stmt) {
		for _, v := range slices.Concat(s.Dst, ir.Bound(s.Op)) {
			inside[v] = true
		}
	})
	place := expanded(fw.defs, update.I)
	moves, ok := movesBy(place, loop.I, inside)
	if !ok || moves == 0 {
		return nil
	}
	again := map[*ir.Stmt]bool{} // the reads of what the turn before has updated
	ir.Walk(loop.Body, func(s *ir.Stmt) {
		if read, ok := s.Op.(*ir.Index); ok && read.X == ir.Atom(p) {
			far, ok := place.Minus(expanded(fw.defs, read.I)).Constant()
			again[s] = ok && far == moves
		}
	})
	e := fw.names.Var(p.Name, p.T.Elem())
	sub := ir.Subst{}
	for s, is := range again {
		if is {
			sub[s.Dst[0]] = e
		}
	}
	if len(sub) == 0 {
		return nil
	}
	loop.Body = leaveOut(loop.Body, again)
	substitute(loop.Body, sub)
	var before []*ir.Stmt
	out := emitter{&resolver{names: fw.names, defs: map[*ir.Var]*ir.Stmt{}}, &before, s.Pos}
	first := fw.first(out, loop, loop.Init[k], made, place, moves)
	loop.Params, loop.Init = append(loop.Params, e), append(loop.Init, first)
	loop.Body.Results = append(loop.Body.Results, onlyUpdate(loop, k).Value)
	s.Dst = append(s.Dst, fw.names.Var(p.Name, e.T))
	return before
}

// onlyUpdate returns the update that each turn of a loop makes of array k, if nothing else updates it or uses what it
// is then; else nil.
func onlyUpdate(loop *ir.Loop, k int) *ir.Update {
	var found *ir.Update
	var dst *ir.Var
	for _, s := range loop.Body.Stmts {
		if op, ok := s.Op.(*ir.Update); ok && loop.Body.Results[k] == ir.Atom(s.Dst[0]) && op.X == ir.Atom(loop.Params[k]) {
			found, dst = op, s.Dst[0]
		}
	}
	if found == nil {
		return nil
	}
	behind, uses := false, 0
	ir.Walk(loop.Body, func(s *ir.Stmt) {
		for _, a := range ir.Operands(s.Op) {
			switch s.Op.(type) {
			case *ir.Len:
				continue
			case *ir.Index:
				if *a == ir.Atom(loop.Params[k]) && !behind {
					continue
				}
			}
			if *a == ir.Atom(dst) || *a == ir.Atom(loop.Params[k]) {
				uses++
			}
		}
		behind = behind || s.Op == ir.Op(found)
		for _, c := range ir.Blocks(s.Op) {
			for _, r := range c.Results {
				if r == ir.Atom(dst) || r == ir.Atom(loop.Params[k]) {
					uses++
				}
			}
		}
	})
	if uses != 1 { // that update itself
		return nil
	}
	return found
}

// movesBy returns by how much a sum moves with an index, if all else in it stays as it is in a loop.
func movesBy(s analysis.Sum, i *ir.Var, inside map[ir.Atom]bool) (by int64, ok bool) {
	for _, p := range s {
		switch {
		case len(p.Of) == 1 && p.Of[0] == ir.Atom(i):
			by += p.C
		case slices.ContainsFunc(p.Of, func(a ir.Atom) bool { return inside[a] }):
			return 0, false
		}
	}
	return by, true
}

// first reads what the first turn reads, if there is one, and the element exists: where it does not, a check of the
// turn says so before anything uses it.
func (fw *forwarder) first(e emitter, loop *ir.Loop, array ir.Atom, made *ir.Stmt, place analysis.Sum, moves int64) ir.Atom {
	at := ir.Atom(ir.IntConst(ir.Int, -moves))
	for _, p := range place {
		x := ir.Atom(ir.IntConst(ir.Int, p.C))
		for _, a := range p.Of {
			if a == ir.Atom(loop.I) {
				a = loop.Lo
			}
			x = e.bin(ir.Mul, "t", x, a)
		}
		at = e.bin(ir.Add, "at", at, x)
	}
	some := e.bin(ir.Lt, "some", loop.Lo, loop.Hi)
	some = e.both(some, e.bin(ir.Le, "some", ir.IntConst(ir.Int, 0), at))
	some = e.both(some, e.bin(ir.Lt, "some", at, length(made)))
	then := &ir.Block{}
	kind := made.Dst[0].T.Kind
	then.Results = []ir.Atom{e.into(then).let("first", ir.Scalar(kind), &ir.Index{X: array, I: at})}
	return e.let("first", ir.Scalar(kind), &ir.If{Cond: some, Then: then, Else: &ir.Block{Results: []ir.Atom{zero(kind)}}})
}
