package fuse

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// late has turns of loops wait for the turns before them as shortly as possible: in a chain of one operation, what the
// scalars that a loop carries decide about comes last.
//
//	c' = loop (c) init … { …; x = max c a; y = max x b; yield y }
//
// becomes
//
//	c' = loop (c) init … { …; x = max a b; y = max x c; yield y }
//
// This is exact for integers, whose sums and products wrap around, and for extremes of floats.
func late(f *ir.Func, names *ir.Namer) {
	uses := map[ir.Atom]int{}
	count := func(as []ir.Atom) {
		for _, a := range as {
			uses[a]++
		}
	}
	count(f.Body.Results)
	ir.Walk(f.Body, func(s *ir.Stmt) {
		for _, a := range ir.Operands(s.Op) {
			uses[*a]++
		}
		for _, b := range ir.Blocks(s.Op) {
			count(b.Results)
		}
	})
	ir.Walk(f.Body, func(s *ir.Stmt) {
		if loop, ok := s.Op.(*ir.Loop); ok && !loop.Independent {
			putLast(loop, uses, names)
		}
	})
}

// putLast reorders the chains that stand in the body of a loop.
func putLast(loop *ir.Loop, uses map[ir.Atom]int, names *ir.Namer) {
	c := &chains{uses: uses, waits: map[ir.Atom]bool{}, made: map[ir.Atom]*ir.Stmt{}}
	for _, p := range loop.Params {
		c.waits[p] = isScalar(p)
	}
	var body []*ir.Stmt
	for _, s := range loop.Body.Stmts {
		c.look(s)
		var leaves []ir.Atom
		if c.combines(s) {
			leaves = c.leaves(s)
		}
		early := slices.DeleteFunc(slices.Clone(leaves), func(a ir.Atom) bool { return c.waits[a] })
		if len(early) < 2 || len(early) == len(leaves) || c.ordered(leaves) {
			body = append(body, s)
			continue
		}
		body = slices.DeleteFunc(body, func(t *ir.Stmt) bool { return c.inner[t] })
		op := s.Op.(*ir.Binary)
		all := append(early, slices.DeleteFunc(leaves, func(a ir.Atom) bool { return !c.waits[a] })...)
		x := all[0]
		for _, y := range all[1 : len(all)-1] {
			v := names.Var(s.Dst[0].Name, s.Dst[0].T)
			t := &ir.Stmt{Dst: []*ir.Var{v}, Op: &ir.Binary{Fn: op.Fn, X: x, Y: y}, Pos: s.Pos}
			body, x = append(body, t), v
			uses[v] = 1
			c.look(t)
		}
		op.X, op.Y = x, all[len(all)-1]
		body = append(body, s)
	}
	loop.Body.Stmts = body
}

// chains are those of the statements of a block.
type chains struct {
	uses  map[ir.Atom]int
	waits map[ir.Atom]bool     // for the turn before
	made  map[ir.Atom]*ir.Stmt // by the statements of the block
	inner map[*ir.Stmt]bool    // all statements of a chain but the last one
}

// look notes what a statement of the block makes, and whether that waits for the turn before.
func (c *chains) look(s *ir.Stmt) {
	waits := false
	for _, a := range ir.Operands(s.Op) {
		waits = waits || c.waits[*a]
	}
	for _, b := range ir.Blocks(s.Op) {
		for _, v := range ir.Free(b) {
			waits = waits || c.waits[v]
		}
	}
	for _, d := range s.Dst {
		c.made[d], c.waits[d] = s, waits
	}
}

// combines reports whether a statement combines two numbers by what may be done in any order.
func (c *chains) combines(s *ir.Stmt) bool {
	op, ok := s.Op.(*ir.Binary)
	if !ok {
		return false
	}
	switch op.Fn {
	case ir.Min, ir.Max, ir.FMin, ir.FMax:
		return true
	case ir.Add, ir.Mul, ir.And, ir.Or, ir.Xor:
		return s.Dst[0].T.Kind.IsInteger()
	}
	return false
}

// leaves returns what the chain combines that ends with a statement.
func (c *chains) leaves(s *ir.Stmt) (all []ir.Atom) {
	c.inner = map[*ir.Stmt]bool{}
	op := s.Op.(*ir.Binary)
	var visit func(a ir.Atom)
	visit = func(a ir.Atom) {
		t := c.made[a]
		if t == nil || c.uses[a] != 1 || !c.combines(t) || t.Op.(*ir.Binary).Fn != op.Fn {
			all = append(all, a)
			return
		}
		c.inner[t] = true
		visit(t.Op.(*ir.Binary).X)
		visit(t.Op.(*ir.Binary).Y)
	}
	visit(op.X)
	visit(op.Y)
	return all
}

// ordered reports whether a chain is well as it is: at most its last operations wait for the turn before, one for each
// of the leaves that do.
func (c *chains) ordered(leaves []ir.Atom) bool {
	waiting := 0
	for t := range c.inner {
		if c.waits[t.Dst[0]] {
			waiting++
		}
	}
	return waiting < len(slices.DeleteFunc(slices.Clone(leaves), func(a ir.Atom) bool { return !c.waits[a] }))
}
