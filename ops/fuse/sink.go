package fuse

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// sink does what both branches of a condition do alike once, as where each of them appends an element to one slice:
// the place and the length are computed before the condition, and the update is made behind it, of what the branches
// choose.
//
//	a', n' = if c { m = add n 1; b = update a n x; yield b m } else { m = add n 1; b = update a n y; yield b m }
//
// becomes
//
//	n' = add n 1
//	z = if c { yield x } else { yield y }
//	a' = update a n z
//
// So a loop whose turns append one element each, whatever they come upon, counts its turns, and is a Map.
func sink(f *ir.Func, names *ir.Namer) {
	k := &sinker{names: names}
	k.block(f.Body)
}

// appendOp is the operator of checks that there is room for an element more.
const appendOp = "append"

type sinker struct{ names *ir.Namer }

// block looks at the conditions in a block, the innermost ones first.
func (k *sinker) block(b *ir.Block) {
	var out []*ir.Stmt
	lifted := ir.Subst{}
	for _, s := range b.Stmts {
		for _, a := range ir.Operands(s.Op) {
			*a = lifted.Atom(*a)
		}
		for _, c := range ir.Blocks(s.Op) {
			substitute(c, lifted)
			k.block(c)
		}
		op, ok := s.Op.(*ir.If)
		if !ok {
			out = append(out, s)
			continue
		}
		out = append(out, k.lift(s, op, lifted)...)
		out = append(append(out, k.checks(s, op)...), s)
		out = append(out, k.updates(s, op)...)
	}
	b.Stmts = out
	for i, r := range b.Results {
		b.Results[i] = lifted.Atom(r)
	}
}

// sides are the statements that compute a result of both branches of a condition; ok says that each does so itself.
func sides(op *ir.If, i int) (x, y *ir.Stmt, ok bool) {
	x, y = definitions(op.Then)[op.Then.Results[i]], definitions(op.Else)[op.Else.Results[i]]
	return x, y, x != nil && y != nil
}

// lift computes before a condition the scalars that both branches compute alike and yield, and returns what does;
// lifted receives what stands for the results of the condition that are these.
func (k *sinker) lift(s *ir.Stmt, op *ir.If, lifted ir.Subst) (before []*ir.Stmt) {
	for i := len(s.Dst) - 1; i >= 0; i-- {
		x, y, ok := sides(op, i)
		if !ok {
			continue
		}
		a, isBinary := x.Op.(*ir.Binary)
		b, isOther := y.Op.(*ir.Binary)
		if !isBinary || !isOther || *a != *b || a.Fn != ir.Add && a.Fn != ir.Sub && a.Fn != ir.Mul || computesAny(op.Then, a.X, a.Y) {
			continue
		}
		v := k.names.Var(s.Dst[i].Name, s.Dst[i].T)
		before = append(before, &ir.Stmt{Dst: []*ir.Var{v}, Op: a, Pos: s.Pos})
		lifted[s.Dst[i]] = v
		takeOut(op.Then, x, v)
		takeOut(op.Else, y, v)
		s.Dst = slices.Delete(s.Dst, i, i+1)
		op.Then.Results, op.Else.Results = slices.Delete(op.Then.Results, i, i+1), slices.Delete(op.Else.Results, i, i+1)
	}
	return before
}

// checks makes the checks that an array has room for one more element before a condition both branches of which append
// to it, and returns them, with what they ask for.
func (k *sinker) checks(s *ir.Stmt, op *ir.If) (before []*ir.Stmt) {
	for i := 0; i < len(op.Then.Stmts); i++ {
		x := op.Then.Stmts[i]
		a, ok := x.Op.(*ir.Check)
		if !ok || a.Op != appendOp {
			continue
		}
		for _, y := range op.Else.Stmts {
			b, ok := y.Op.(*ir.Check)
			if !ok || b.Op != a.Op || b.Kind != a.Kind || b.Arg != a.Arg || len(b.Args) != len(a.Args) {
				continue
			}
			more, args := k.alike(op, a.Args, b.Args)
			if args == nil {
				continue
			}
			before = append(append(before, more...), &ir.Stmt{Op: &ir.Check{Kind: a.Kind, Op: a.Op, Arg: a.Arg, Args: args}, Pos: x.Pos})
			op.Then.Stmts = slices.Delete(op.Then.Stmts, i, i+1)
			op.Else.Stmts = slices.DeleteFunc(op.Else.Stmts, func(t *ir.Stmt) bool { return t == y })
			i--
			break
		}
	}
	return before
}

// alike returns the atoms that are the same in both branches of a condition, and what computes them before it: lengths
// of arrays that both have; nil if some are not.
func (k *sinker) alike(op *ir.If, xs, ys []ir.Atom) (before []*ir.Stmt, atoms []ir.Atom) {
	then, els := definitions(op.Then), definitions(op.Else)
	for i, x := range xs {
		if y := ys[i]; then[x] == nil && els[y] == nil && x == y {
			atoms = append(atoms, x)
			continue
		}
		if then[x] == nil || els[ys[i]] == nil {
			return nil, nil
		}
		a, isLen := then[x].Op.(*ir.Len)
		b, isOther := els[ys[i]].Op.(*ir.Len)
		if !isLen || !isOther || a.X != b.X || then[a.X] != nil {
			return nil, nil
		}
		n := k.names.Var("room", ir.Type{Kind: ir.Int})
		before = append(before, &ir.Stmt{Dst: []*ir.Var{n}, Op: &ir.Len{X: a.X}, Pos: then[x].Pos})
		atoms = append(atoms, n)
	}
	return before, atoms
}

// updates makes the updates of one place of an array, which both branches of a condition yield, behind it, and returns
// them.
func (k *sinker) updates(s *ir.Stmt, op *ir.If) (after []*ir.Stmt) {
	for i, d := range s.Dst {
		x, y, ok := sides(op, i)
		if !ok {
			continue
		}
		a, isUpdate := x.Op.(*ir.Update)
		b, isOther := y.Op.(*ir.Update)
		if !isUpdate || !isOther || a.X != b.X || readsLater(op.Then, x) || readsLater(op.Else, y) {
			continue
		}
		at := placeOf(op.Then, a)
		if at != placeOf(op.Else, b) || computesAny(op.Then, a.X, at) {
			continue
		}
		z := k.names.Var(d.Name, a.Value.Type())
		takeOut(op.Then, x, a.Value)
		takeOut(op.Else, y, b.Value)
		s.Dst[i] = z
		after = append(after, &ir.Stmt{Dst: []*ir.Var{d}, Op: &ir.Update{X: a.X, I: at, Value: z}, Pos: s.Pos})
	}
	return after
}

// placeOf is the index of an update in a block, which may be a sum with 0: that of the first element that is appended.
func placeOf(b *ir.Block, u *ir.Update) ir.Atom {
	if s := definitions(b)[u.I]; s != nil {
		if sum, ok := s.Op.(*ir.Binary); ok && sum.Fn == ir.Add && ir.IsInt(sum.Y, 0) {
			return sum.X
		}
	}
	return u.I
}

// computesAny reports whether a block computes one of the atoms.
func computesAny(b *ir.Block, atoms ...ir.Atom) bool {
	made := definitions(b)
	return slices.ContainsFunc(atoms, func(a ir.Atom) bool { return made[a] != nil })
}

// readsLater reports whether a block uses what a statement of it computes for anything but a result.
func readsLater(b *ir.Block, s *ir.Stmt) bool {
	found := false
	ir.Walk(b, func(t *ir.Stmt) {
		found = found || slices.ContainsFunc(ir.Operands(t.Op), func(a *ir.Atom) bool { return *a == ir.Atom(s.Dst[0]) })
		for _, c := range ir.Blocks(t.Op) {
			found = found || slices.Contains(c.Results, ir.Atom(s.Dst[0]))
		}
	})
	return found || len(s.Dst) != 1
}

// takeOut takes a statement out of a block, and puts v in the place of what it computes.
func takeOut(b *ir.Block, s *ir.Stmt, v ir.Atom) {
	b.Stmts = slices.DeleteFunc(b.Stmts, func(t *ir.Stmt) bool { return t == s })
	substitute(b, ir.Subst{s.Dst[0]: v})
}
