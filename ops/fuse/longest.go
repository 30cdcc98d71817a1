package fuse

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// Longest returns a block that computes how long a sequence gets in one element of an operator whose body is b: what n
// is where the statement at runs, the greatest value if that is many times, and 0 if it never does. The statements
// before compute n and stand in front of at. What the element computes besides is left out, and so are the hoisted
// checks. It returns nil if the rest may be most of the work: if n depends on what a loop carries, or on floats that
// are calculated, which need not be the same bit by bit where they are calculated twice.
func Longest(b *ir.Block, at *ir.Stmt, before []*ir.Stmt, n ir.Atom, hoisted map[*ir.Check]bool) *ir.Block {
	for i, s := range b.Stmts {
		stmts := slices.Clone(b.Stmts[:i])
		if s == at {
			stmts = append(stmts, before...)
			return onlyInts(Slice(&ir.Block{Stmts: stmts}, []ir.Atom{n}, hoisted))
		}
		if !holds(s.Op, at) {
			continue
		}
		if loop, ok := s.Op.(*ir.Loop); ok && loop.I == nil { // what is known before it is the same in all turns
			stmts = append(stmts, before...)
			known := Slice(&ir.Block{Stmts: stmts}, []ir.Atom{n}, hoisted)
			if bound := boundIn(loop); slices.ContainsFunc(ir.Free(known), func(v *ir.Var) bool { return bound[v] }) {
				return nil
			}
			return onlyInts(known)
		}
		longest := inside(s, at, before, n, hoisted)
		if longest == nil {
			return nil
		}
		stmts = append(stmts, longest)
		return onlyInts(Slice(&ir.Block{Stmts: stmts}, []ir.Atom{longest.Dst[0]}, hoisted))
	}
	return nil
}

// holds reports whether a statement is in a block of op.
func holds(op ir.Op, at *ir.Stmt) bool {
	found := false
	for _, b := range ir.Blocks(op) {
		ir.Walk(b, func(s *ir.Stmt) { found = found || s == at })
	}
	return found
}

// boundIn are the variables that have a value in a loop alone.
func boundIn(loop *ir.Loop) map[*ir.Var]bool {
	bound := map[*ir.Var]bool{}
	for _, v := range loop.Params {
		bound[v] = true
	}
	for _, b := range ir.Blocks(loop) {
		ir.Walk(b, func(s *ir.Stmt) {
			for _, v := range slices.Concat(s.Dst, ir.Bound(s.Op)) {
				bound[v] = true
			}
		})
	}
	return bound
}

// inside is [Longest] for what a statement holds: it returns a statement that yields the greatest value.
func inside(s, at *ir.Stmt, before []*ir.Stmt, n ir.Atom, hoisted map[*ir.Check]bool) *ir.Stmt {
	zero := ir.IntConst(ir.Int, 0)
	integer := func(name string) *ir.Var { return &ir.Var{Name: name, T: tInt} }
	if branch, ok := s.Op.(*ir.If); ok {
		both := []*ir.Block{branch.Then, branch.Else}
		for i, b := range both {
			both[i] = &ir.Block{Results: []ir.Atom{zero}}
			if slices.ContainsFunc(b.Stmts, func(s *ir.Stmt) bool { return s == at || holds(s.Op, at) }) {
				if both[i] = Longest(b, at, before, n, hoisted); both[i] == nil {
					return nil
				}
			}
		}
		return &ir.Stmt{Dst: []*ir.Var{integer("longest")}, Op: &ir.If{Cond: branch.Cond, Then: both[0], Else: both[1]}, Pos: s.Pos}
	}
	i, lo, hi := indexOf(s.Op), ir.Atom(zero), lengthOf(s.Op)
	body := ir.Blocks(s.Op)[0]
	var carried []*ir.Var
	if loop, ok := s.Op.(*ir.Loop); ok {
		i, lo, hi, body, carried = loop.I, loop.Lo, loop.Hi, loop.Body, loop.Params
	}
	if i == nil {
		return nil
	}
	turn := Longest(body, at, before, n, hoisted)
	if turn == nil || slices.ContainsFunc(ir.Free(turn), func(v *ir.Var) bool { return slices.Contains(carried, v) }) {
		return nil
	}
	so, longer := integer("so"), integer("longer")
	turn.Stmts = append(turn.Stmts, &ir.Stmt{Dst: []*ir.Var{longer}, Op: &ir.Binary{Fn: ir.Max, X: so, Y: turn.Results[0]}})
	turn.Results = []ir.Atom{longer}
	return &ir.Stmt{Dst: []*ir.Var{integer("longest")}, Pos: s.Pos,
		Op: &ir.Loop{Params: []*ir.Var{so}, Init: []ir.Atom{zero}, I: i, Lo: lo, Hi: hi, Body: turn}}
}

// onlyInts returns b if no floats are calculated in it, else nil. They may be compared and converted.
func onlyInts(b *ir.Block) *ir.Block {
	floats := false
	ir.Walk(b, func(s *ir.Stmt) {
		switch s.Op.(type) {
		case *ir.Binary, *ir.Unary, *ir.Call:
			floats = floats || slices.ContainsFunc(s.Dst, func(d *ir.Var) bool { return d.T.Kind.IsFloat() })
		}
	})
	if floats {
		return nil
	}
	return b
}
