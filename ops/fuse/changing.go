package fuse

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// Note [Elements that change between runs]
//
// Inputs are bound once and run many times, and between runs their elements may change, but for those that say which
// elements are read or how many there are: indices, offsets, lengths. So scalar code at the top level that reads
// elements is done again in each run, unless all that it yields says where and how many: then it is done once, when
// inputs are bound, since variants are chosen by it and checks made of it.

// changing returns the statements of the host program whose results another run may have others of.
func (k *Kernel) changing() map[*ir.Stmt]bool {
	found := map[*ir.Stmt]bool{}
	var structural map[ir.Atom]bool
	Host(k.Func.Body, func(s *ir.Stmt, depth int) {
		if indexOf(s.Op) != nil || Controls(s) || !readsElements(s) {
			return
		}
		if structural == nil {
			structural = structuralOf(k.Func.Body)
		}
		found[s] = slices.ContainsFunc(s.Dst, func(d *ir.Var) bool { return !structural[d] })
	})
	return found
}

// readsElements reports whether a statement reads an element of a sequence.
func readsElements(s *ir.Stmt) bool {
	found := false
	ir.Walk(&ir.Block{Stmts: []*ir.Stmt{s}}, func(s *ir.Stmt) {
		_, index := s.Op.(*ir.Index)
		found = found || index && s.Dst[0].T.IsScalar()
	})
	return found
}

// structuralOf returns the values that decide which elements are read or written, or how many there are.
func structuralOf(b *ir.Block) map[ir.Atom]bool {
	structural := map[ir.Atom]bool{}
	changed := true
	add := func(as ...ir.Atom) {
		for _, a := range as {
			if v, ok := a.(*ir.Var); ok && !structural[v] {
				structural[v], changed = true, true
			}
		}
	}
	is := func(v *ir.Var) bool { return v != nil && structural[v] }
	for changed {
		changed = false
		ir.Walk(b, func(s *ir.Stmt) {
			switch op := s.Op.(type) {
			case *ir.Index:
				add(op.I)
			case *ir.Update:
				add(op.I)
			case *ir.Alloc:
				add(op.N)
			case *ir.View:
				for _, a := range op.Args {
					if a.Type().IsScalar() && a.Type().Kind == ir.Int {
						add(a)
					}
				}
			case *ir.Check:
				if op.Kind != ir.CheckPanic {
					add(op.Args...)
				}
			case *ir.Hist:
				add(op.N, op.W, op.Body.Results[0])
			case *ir.Scatter:
				add(op.N, op.W, op.Body.Results[0])
			case *ir.Loop:
				if is(op.I) {
					add(op.Lo, op.Hi)
				}
				for i, p := range op.Params {
					if is(p) || is(s.Dst[i]) {
						add(p, op.Init[i], op.Body.Results[i])
						if op.Cond != nil {
							add(op.Cond.Results...)
						} else {
							add(op.Lo, op.Hi)
						}
					}
				}
				return
			case *ir.If:
				for i, d := range s.Dst {
					if is(d) {
						add(op.Cond, op.Then.Results[i], op.Else.Results[i])
					}
				}
				return
			}
			if indexOf(s.Op) != nil {
				add(lengthOf(s.Op))
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
func panicsOnData(b *ir.Block, structural map[ir.Atom]bool) map[*ir.Check]bool {
	data, found := map[*ir.Var]bool{}, map[*ir.Check]bool{}
	var block func(b *ir.Block, under bool)
	block = func(b *ir.Block, under bool) {
		for _, s := range b.Stmts {
			depends := dependsOn(s, data)
			if index, ok := s.Op.(*ir.Index); ok && s.Dst[0].T.IsScalar() {
				depends = depends && data[index.X.(*ir.Var)] || !structural[s.Dst[0]]
			}
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
					data[v] = data[v] || depends && !structural[v]
				}
				block(inner, in)
				for _, r := range inner.Results {
					v, _ := r.(*ir.Var)
					depends = depends || data[v]
				}
			}
			for _, d := range s.Dst {
				data[d] = data[d] || depends && !structural[d]
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
