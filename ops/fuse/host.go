package fuse

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// The host program of a kernel is a tree: the statements of its top level, and those of the loops and conditions there
// that hold computations. Such a loop runs its computations turn by turn, each by the variant that was chosen for it:
// the sequences that it carries change places, and are not copied. The other way, which suits short turns, is the
// whole loop as one computation: see [outline].

// Controls reports whether a statement of the host program is a loop or a condition that holds computations, or a loop
// that carries sequences.
func Controls(s *ir.Stmt) bool {
	switch op := s.Op.(type) {
	case *ir.Loop:
		return !op.Independent && (slices.ContainsFunc(s.Dst, func(d *ir.Var) bool { return d.T.Rank > 0 }) || slices.ContainsFunc(ir.Blocks(s.Op), holdsComputation))
	case *ir.If:
		return slices.ContainsFunc(ir.Blocks(s.Op), holdsComputation)
	}
	return false
}

func holdsComputation(b *ir.Block) bool {
	return slices.ContainsFunc(b.Stmts, func(s *ir.Stmt) bool { return indexOf(s.Op) != nil || Controls(s) })
}

// Host visits the host program that begins with block b: every statement in order, those that control others before
// these. depth is the number of loops and conditions around a statement.
func Host(b *ir.Block, visit func(s *ir.Stmt, depth int)) { hostFrom(b, 0, visit) }

func hostFrom(b *ir.Block, depth int, visit func(s *ir.Stmt, depth int)) {
	for _, s := range b.Stmts {
		visit(s, depth)
		if Controls(s) {
			for _, c := range ir.Blocks(s.Op) {
				hostFrom(c, depth+1, visit)
			}
		}
	}
}

// Steps returns the statements of the host program that do something themselves, computations among them, in the order
// in which they stand there.
func (k *Kernel) Steps() []*ir.Stmt { return steps(k.Func) }

func steps(f *ir.Func) (all []*ir.Stmt) {
	Host(f.Body, func(s *ir.Stmt, _ int) {
		if !Controls(s) {
			all = append(all, s)
		}
	})
	return all
}

// Turning returns the variables of the host program that its loops and conditions give values: what loops carry and
// count, and what is left of it.
func (k *Kernel) Turning() []*ir.Var { return turning(k.Func) }

func turning(f *ir.Func) (all []*ir.Var) {
	Host(f.Body, func(s *ir.Stmt, _ int) {
		if Controls(s) {
			all = append(append(all, ir.Bound(s.Op)...), s.Dst...)
		}
	})
	return all
}

// Nested reports whether a computation stands in a loop or under a condition of the host program.
func (k *Kernel) Nested(c *Computation) bool { return !slices.Contains(k.Func.Body.Stmts, c.Stmt) }

// IsTree reports whether the host program has loops or conditions that hold computations.
func (k *Kernel) IsTree() bool { return slices.ContainsFunc(k.Func.Body.Stmts, Controls) }

// Carried returns the sequences that loops of the host program carry, and those that they begin with and that a turn
// ends with: of each one that stands for all that it may share memory with.
func (k *Kernel) Carried() map[*ir.Var]*ir.Var {
	of := map[*ir.Var]*ir.Var{}
	find := func(v *ir.Var) *ir.Var {
		for of[v] != nil && of[v] != v {
			v = of[v]
		}
		return v
	}
	join := func(a ir.Atom, v *ir.Var) {
		x, v := find(k.Stored(a)), find(v)
		of[x], of[v] = v, v
	}
	Host(k.Func.Body, func(s *ir.Stmt, _ int) {
		if loop, ok := s.Op.(*ir.Loop); ok && Controls(s) {
			for i, p := range loop.Params {
				if p.T.Rank > 0 {
					join(loop.Init[i], p)
					join(loop.Body.Results[i], p)
					join(s.Dst[i], p)
				}
			}
		}
	})
	all := map[*ir.Var]*ir.Var{}
	for v := range of {
		all[v] = find(v)
	}
	return all
}

// turnwise reports whether a loop or a condition can be a part of the host program, before later passes make
// computations of what it holds: it holds operators, carries scalars and flat sequences, updates no array in place, and
// calls no function as it stands but in operators.
func turnwise(s *ir.Stmt) bool {
	if !Controls(s) {
		return false
	}
	ok := !slices.ContainsFunc(s.Dst, func(d *ir.Var) bool {
		_, branch := s.Op.(*ir.If)
		return d.T.Rank > 1 || branch && d.T.Rank > 0
	})
	for _, b := range ir.Blocks(s.Op) {
		for _, t := range b.Stmts {
			ok = ok && (Controls(t) && turnwise(t) || !Controls(t) && !inPlace(t) && (indexOf(t.Op) != nil || !ir.HasCalls(t.Op)))
		}
	}
	return ok
}

// inPlace reports whether a statement of the host program updates arrays where they lie.
func inPlace(s *ir.Stmt) bool {
	switch op := s.Op.(type) {
	case *ir.Alloc, *ir.Update, *ir.Grow:
		return true
	case *ir.Loop:
		if op.Independent {
			return true
		}
	}
	if indexOf(s.Op) != nil {
		return false
	}
	for _, b := range ir.Blocks(s.Op) {
		if slices.ContainsFunc(b.Stmts, inPlace) {
			return true
		}
	}
	return false
}

// turnsSupported refuses loops and conditions of the host program that cannot be run.
func turnsSupported(f *ir.Func) error {
	var bad *ir.Stmt
	Host(f.Body, func(s *ir.Stmt, _ int) {
		if bad == nil && Controls(s) && !turnwise(s) {
			bad = s
		}
	})
	if bad == nil {
		return nil
	}
	return &Unsupported{bad.Pos, "host-loop", "a loop or a condition at the top level of a kernel holds operators, and carries rows or updates arrays in place",
		"each operator there is a computation of its own, and what passes between them are whole sequences", "compute flat sequences, or put the loop inside the operator's function"}
}
