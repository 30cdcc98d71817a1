package fuse

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// soon makes the checks of a loop's counter once, before the loop, in sequential code: a check in every turn of a short
// loop costs as much as what else the turn does. Checks of Maps are mostly made when inputs are bound.
//
//	s = loop (a) init x for i = lo to hi { …; check index i n; …; check index i m; …; yield b }
//
// becomes
//
//	least = min n m; bad = lo < 0 ? lo : max least lo; fails = bad < hi
//	if fails { check index bad n; check index bad m }
//	s = loop (a) init x for i = lo to hi { …; yield b }
//
// where nothing else in the loop can fail, and all of it ends: turns before number bad succeed, and that turn fails as
// it would in its place, with the first of the checks that does not hold. What n and m are read from moves out before,
// which passes that look for what turns read do not expect.
func soon(f *ir.Func, names *ir.Namer) {
	for _, s := range f.Body.Stmts {
		if m, ok := s.Op.(*ir.Map); ok && ir.IsInt(m.N, 1) {
			h := newHoister(f, names)
			h.inOrder = true
			h.block(m.Body)
			soonIn(m.Body, names)
		}
	}
}

func soonIn(b *ir.Block, names *ir.Namer) {
	for at := 0; at < len(b.Stmts); at++ {
		s := b.Stmts[at]
		for _, c := range ir.Blocks(s.Op) {
			soonIn(c, names)
		}
		if loop, ok := s.Op.(*ir.Loop); ok && onlyCounterFails(loop) {
			before := checksBefore(loop, names)
			b.Stmts = slices.Insert(b.Stmts, at, before...)
			at += len(before)
		}
	}
}

// onlyCounterFails reports whether a counted loop makes checks, each of them one of its counter, in every turn, against
// a number that no turn changes; and whether each turn ends.
func onlyCounterFails(loop *ir.Loop) bool {
	if loop.I == nil || loop.Cond != nil || ir.HasCalls(loop) {
		return false
	}
	inside := map[*ir.Var]bool{loop.I: true}
	for _, p := range loop.Params {
		inside[p] = true
	}
	ours, only := 0, true
	for _, s := range loop.Body.Stmts {
		if c, ok := s.Op.(*ir.Check); ok {
			n, isVar := c.Args[len(c.Args)-1].(*ir.Var)
			only = only && c.Kind == ir.CheckIndex && c.Args[0] == ir.Atom(loop.I) && !(isVar && inside[n])
			ours++
		}
		for _, d := range s.Dst {
			inside[d] = true
		}
	}
	all := 0
	ir.Walk(loop.Body, func(s *ir.Stmt) {
		switch op := s.Op.(type) {
		case *ir.Check:
			all++
		case *ir.Loop:
			only = only && op.I != nil
		}
	})
	return only && ours > 0 && all == ours
}

// checksBefore takes the checks out of a loop, and returns what makes them before it.
func checksBefore(loop *ir.Loop, names *ir.Namer) (before []*ir.Stmt) {
	var checks []*ir.Stmt
	loop.Body.Stmts = slices.DeleteFunc(loop.Body.Stmts, func(s *ir.Stmt) bool {
		_, ok := s.Op.(*ir.Check)
		if ok {
			checks = append(checks, s)
		}
		return ok
	})
	let := func(name string, fn ir.BinaryFn, x, y ir.Atom, t ir.Type) *ir.Var {
		v := names.Var(name, t)
		before = append(before, &ir.Stmt{Dst: []*ir.Var{v}, Op: &ir.Binary{Fn: fn, X: x, Y: y}, Pos: checks[0].Pos})
		return v
	}
	least := checks[0].Op.(*ir.Check).Args[1]
	for _, s := range checks[1:] {
		if n := s.Op.(*ir.Check).Args[1]; n != least {
			least = let("least", ir.Min, least, n, tInt)
		}
	}
	bad := let("bad", ir.Max, least, loop.Lo, tInt)
	if c, ok := loop.Lo.(ir.Const); !ok || c.Int() < 0 { // below zero the first turn fails
		below := let("below", ir.Lt, loop.Lo, ir.IntConst(ir.Int, 0), ir.Scalar(ir.Bool))
		first := names.Var("bad", tInt)
		before = append(before, &ir.Stmt{Dst: []*ir.Var{first}, Op: &ir.Select{Cond: below, X: loop.Lo, Y: bad}, Pos: checks[0].Pos})
		bad = first
	}
	fails := let("fails", ir.Lt, bad, loop.Hi, ir.Scalar(ir.Bool))
	then := &ir.Block{}
	for _, s := range checks {
		c := *s.Op.(*ir.Check)
		c.Args = []ir.Atom{bad, c.Args[1]}
		then.Stmts = append(then.Stmts, &ir.Stmt{Op: &c, Pos: s.Pos})
	}
	return append(before, &ir.Stmt{Op: &ir.If{Cond: fails, Then: then, Else: &ir.Block{}}, Pos: checks[0].Pos})
}
