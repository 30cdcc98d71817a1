package fuse

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// clamp makes the lesser and the greater one of two ints, and one after the other, of conditions that choose them:
//
//	x = if v < 0 { yield 0 } else { y = if most < v { yield most } else { yield v }; yield y }
//
// becomes
//
//	m = min v most; x = max m 0
//
// where most is not negative, as a length less one is where there is an index below it. Vectors know clamped indices,
// and so do proofs that these are inside.
func clamp(f *ir.Func, names *ir.Namer) {
	c := &clamper{defs: map[ir.Atom]*ir.Binary{}, lengths: map[ir.Atom]ir.Atom{}, some: map[ir.Atom]int{}}
	c.block(emitter{r: &resolver{names: names, defs: map[*ir.Var]*ir.Stmt{}}}, f.Body)
}

type clamper struct {
	defs    map[ir.Atom]*ir.Binary
	lengths map[ir.Atom]ir.Atom // of what
	some    map[ir.Atom]int     // lengths, and ends of loops, of which there is an index: by how many operators and loops around
}

func (c *clamper) block(e emitter, b *ir.Block) {
	stmts := b.Stmts
	b.Stmts = nil
	e = e.into(b)
	for _, s := range stmts {
		e.pos = s.Pos
		end := ir.OperatorLength(s.Op)
		if loop, ok := s.Op.(*ir.Loop); ok {
			if lo, ok := loop.Lo.(ir.Const); ok && loop.I != nil && lo.Int() >= 0 {
				end = loop.Hi
			}
		}
		if end != nil {
			c.some[c.of(end)]++
		}
		for _, inner := range ir.Blocks(s.Op) {
			c.block(e, inner)
		}
		if end != nil {
			c.some[c.of(end)]--
		}
		if op := c.choice(e, s); op != nil {
			s.Op = op
		}
		switch op := s.Op.(type) {
		case *ir.Binary:
			c.defs[s.Dst[0]] = op
		case *ir.Len:
			c.lengths[s.Dst[0]] = op.X
		}
		b.Stmts = append(b.Stmts, s)
	}
}

// of returns what a value is the length of, or itself.
func (c *clamper) of(a ir.Atom) ir.Atom {
	if x := c.lengths[a]; x != nil {
		return x
	}
	return a
}

// choice returns what a statement chooses, without a condition, nil if it is something else.
func (c *clamper) choice(e emitter, s *ir.Stmt) ir.Op {
	if len(s.Dst) != 1 || s.Dst[0].T != tInt {
		return nil
	}
	switch op := s.Op.(type) {
	case *ir.Select:
		return c.chosen(e, op.Cond, op.X, op.Y)
	case *ir.If:
		if len(op.Then.Stmts) > 0 || slices.ContainsFunc(op.Else.Stmts, func(s *ir.Stmt) bool { return !computes(s) }) {
			return nil
		}
		clamped := c.chosen(e, op.Cond, op.Then.Results[0], op.Else.Results[0])
		if clamped != nil {
			*e.out = append(*e.out, op.Else.Stmts...)
		}
		return clamped
	}
	return nil
}

// computes reports whether a statement is arithmetic that cannot fail.
func computes(s *ir.Stmt) bool {
	op, ok := s.Op.(*ir.Binary)
	return ok && (op.Fn.IsComparison() || op.Fn == ir.Min || op.Fn == ir.Max || op.Fn == ir.Add || op.Fn == ir.Sub)
}

func (c *clamper) chosen(e emitter, cond, x, y ir.Atom) ir.Op {
	if op := chosen(e, cond, x, y, c.defs); op != nil {
		return op
	}
	if inner := c.defs[y]; inner != nil {
		return c.both(cond, x, y, inner)
	}
	return nil
}

// both returns the greater one of an end x and of y, which is the lesser one of v and another end, where cond says that
// v is less than x; or the other way round; nil if it is something else, or the ends may be the wrong way round.
func (c *clamper) both(cond, x, y ir.Atom, inner *ir.Binary) ir.Op {
	is := c.defs[cond]
	if is == nil {
		return nil
	}
	v, less := is.X, is.Fn == ir.Lt || is.Fn == ir.Le
	if is.Y != x {
		v, less = is.Y, is.Fn == ir.Gt || is.Fn == ir.Ge
		if is.X != x {
			return nil
		}
	}
	greater := !less && (is.Fn == ir.Lt || is.Fn == ir.Le || is.Fn == ir.Gt || is.Fn == ir.Ge)
	end := inner.Y
	if inner.X != v {
		if end = inner.X; inner.Y != v {
			return nil
		}
	}
	switch {
	case less && inner.Fn == ir.Min && ir.IsInt(x, 0) && c.nonnegative(end):
		return &ir.Binary{Fn: ir.Max, X: y, Y: x}
	case greater && inner.Fn == ir.Max && ir.IsInt(end, 0) && c.nonnegative(x):
		return &ir.Binary{Fn: ir.Min, X: y, Y: x}
	}
	return nil
}

// nonnegative reports whether a value is known not to be negative: a constant, or a length of which there is an index,
// or that less one.
func (c *clamper) nonnegative(a ir.Atom) bool {
	if n, ok := a.(ir.Const); ok {
		return n.Int() >= 0
	}
	less := c.defs[a]
	return c.some[c.of(a)] > 0 || less != nil && less.Fn == ir.Sub && c.some[c.of(less.X)] > 0 && ir.IsInt(less.Y, 1)
}
