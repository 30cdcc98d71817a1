package fuse

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// Note [Elements that change between runs]
//
// Inputs are bound once and run many times, and between runs their elements may change, but for those that say which
// elements are read or how many there are: indices, offsets, lengths. So scalar code at the top level is done again in
// each run, if it reads any other element, and what follows from it with it. The rest is done once, when inputs are
// bound: variants are chosen by it, and checks made of it. It is the same for panics that such elements decide about.

// waiting are the statements of the host program that wait for a run though no computation comes before them: those
// that make checks behind an exit, and those that read elements which may change.
func (k *Kernel) waiting() map[*ir.Stmt]bool {
	waiting := k.behindExits()
	structural := structuralOf(k.Func.Body)
	Host(k.Func.Body, func(s *ir.Stmt, _ int) {
		if indexOf(s.Op) != nil || Controls(s) {
			return
		}
		ir.Walk(&ir.Block{Stmts: []*ir.Stmt{s}}, func(t *ir.Stmt) {
			waiting[s] = waiting[s] || readsData(t, structural)
		})
	})
	return waiting
}

// readsData reports whether a statement reads an element that may change between runs.
func readsData(s *ir.Stmt, structural map[*ir.Var]bool) bool {
	_, read := s.Op.(*ir.Index)
	return read && s.Dst[0].T.IsScalar() && !structural[s.Dst[0]]
}

// structuralOf returns the values that say which elements are read or written, or how many there are. What a condition
// asks that chooses among such values is none.
func structuralOf(b *ir.Block) map[*ir.Var]bool {
	structural, changed := map[*ir.Var]bool{}, true
	add := func(as ...ir.Atom) {
		for _, a := range as {
			if v, ok := a.(*ir.Var); ok && !structural[v] {
				structural[v], changed = true, true
			}
		}
	}
	is := func(v *ir.Var) bool { return structural[v] }
	for changed {
		changed = false
		ir.Walk(b, func(s *ir.Stmt) {
			if indexOf(s.Op) != nil {
				add(lengthOf(s.Op))
			}
			switch op := s.Op.(type) {
			case *ir.Index:
				add(op.I)
			case *ir.Update:
				add(op.I)
			case *ir.Alloc:
				add(op.N)
			case *ir.View:
				for _, a := range op.Args {
					if a.Type() == tInt {
						add(a)
					}
				}
			case *ir.Check:
				if op.Kind != ir.CheckPanic {
					add(op.Args...)
				}
			case *ir.Hist:
				add(op.W, op.Body.Results[0])
			case *ir.Scatter:
				add(op.W, op.Body.Results[0])
			case *ir.Loop:
				for i, p := range op.Params {
					if is(p) || is(s.Dst[i]) {
						add(p, op.Init[i], op.Body.Results[i])
						if op.I != nil {
							add(op.I) // how many turns there are
						}
					}
				}
				if op.I != nil && is(op.I) {
					add(op.Lo, op.Hi)
				}
				return
			case *ir.If:
				for i, d := range s.Dst {
					if is(d) {
						add(op.Then.Results[i], op.Else.Results[i])
					}
				}
				return
			case *ir.Select:
				if is(s.Dst[0]) {
					add(op.X, op.Y)
				}
				return
			}
			if slices.ContainsFunc(s.Dst, is) {
				for _, a := range ir.Operands(s.Op) {
					add(*a)
				}
				for _, inner := range ir.Blocks(s.Op) {
					add(inner.Results...)
				}
			}
		})
	}
	return structural
}

// panicsOnData returns the panics of a computation that another run may meet, or not meet: where elements that may
// change decide about them.
func panicsOnData(b *ir.Block, structural map[*ir.Var]bool) map[*ir.Check]bool {
	data, found := map[*ir.Var]bool{}, map[*ir.Check]bool{}
	var block func(b *ir.Block, under bool)
	block = func(b *ir.Block, under bool) {
		for _, s := range b.Stmts {
			depends := dependsOn(s, data) || readsData(s, structural)
			if check, ok := s.Op.(*ir.Check); ok && check.Kind == ir.CheckPanic && (under || depends) {
				found[check] = true
			}
			in := under
			switch op := s.Op.(type) {
			case *ir.If:
				cond, _ := op.Cond.(*ir.Var)
				in = in || data[cond]
			case *ir.Loop:
				in = in || depends
			}
			for _, inner := range ir.Blocks(s.Op) {
				for _, v := range ir.Bound(s.Op) {
					data[v] = data[v] || depends
				}
				block(inner, in)
				for _, r := range inner.Results {
					v, _ := r.(*ir.Var)
					depends = depends || data[v]
				}
			}
			for _, d := range s.Dst {
				data[d] = data[d] || depends
			}
		}
	}
	block(b, false)
	return found
}

func hasPanics(b *ir.Block) bool {
	found := false
	ir.Walk(b, func(s *ir.Stmt) { found = found || panics(s) })
	return found
}
