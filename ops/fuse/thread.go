package fuse

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// thread puts conditions in elements of operators into the branches of those that they are a part of: of a && b only b
// decides where a holds, and what b has read is there for what it decides about.
//
//	c = if a { …; yield b } else { yield false }
//	y = if c { …; yield x } else { yield z }
//
// becomes
//
//	y = if a { …; v = if b { …; yield x } else { yield z }; yield v } else { yield z }
//
// and likewise of a || b, where nothing is computed if it holds. A condition at the ends of a row, as a, is known in
// the vectors between them: then b is all that is left of it.
func thread(f *ir.Func) {
	uses := map[ir.Atom]int{}
	ir.Walk(f.Body, func(s *ir.Stmt) {
		for _, a := range ir.Operands(s.Op) {
			uses[*a]++
		}
		for _, b := range ir.Blocks(s.Op) {
			for _, a := range b.Results {
				uses[a]++
			}
		}
	})
	t := &threader{uses: uses, names: ir.NewNamer(f)}
	for _, s := range f.Body.Stmts {
		for _, b := range ir.Blocks(s.Op) {
			t.block(b)
		}
	}
}

type threader struct {
	uses  map[ir.Atom]int
	names *ir.Namer
}

func (t *threader) block(b *ir.Block) {
	for i := 0; i+1 < len(b.Stmts); i++ {
		if inner := t.inside(b.Stmts[i], b.Stmts[i+1]); inner != nil {
			b.Stmts = slices.Replace(b.Stmts, i, i+2, inner)
			i = max(i-2, -1) // what stands before may be a part of this one
		}
	}
	for _, s := range b.Stmts {
		for _, c := range ir.Blocks(s.Op) {
			t.block(c)
		}
	}
}

// inside returns the statement that first and second become, nil if first is no part of the condition of second alone.
func (t *threader) inside(first, second *ir.Stmt) *ir.Stmt {
	part, ok := first.Op.(*ir.If)
	whole, also := second.Op.(*ir.If)
	if !ok || !also || len(first.Dst) != 1 || whole.Cond != ir.Atom(first.Dst[0]) || t.uses[first.Dst[0]] != 1 ||
		slices.ContainsFunc(second.Dst, func(d *ir.Var) bool { return d.T.Rank > 0 }) {
		return nil
	}
	out := &ir.If{Cond: part.Cond}
	then := part.Then // the branch that does not decide by itself
	switch {
	case isBool(part.Else, false) && len(whole.Else.Stmts) == 0:
		out.Then, out.Else = part.Then, &ir.Block{Results: slices.Clone(whole.Else.Results)}
	case isBool(part.Then, true) && len(whole.Then.Stmts) == 0:
		then = part.Else
		out.Then, out.Else = &ir.Block{Results: slices.Clone(whole.Then.Results)}, part.Else
	default:
		return nil
	}
	left := &ir.Stmt{Op: &ir.If{Cond: then.Results[0], Then: whole.Then, Else: whole.Else}, Pos: second.Pos}
	then.Stmts = append(then.Stmts, left)
	then.Results = nil
	for _, d := range second.Dst {
		v := t.names.Var(d.Name, d.T)
		left.Dst, then.Results = append(left.Dst, v), append(then.Results, v)
	}
	return &ir.Stmt{Dst: second.Dst, Op: out, Pos: second.Pos}
}

// isBool reports whether a branch is nothing but the constant b.
func isBool(branch *ir.Block, b bool) bool {
	c, ok := branch.Results[0].(ir.Const)
	return ok && len(branch.Stmts) == 0 && c.Kind == ir.Bool && (c.Bits != 0) == b
}
