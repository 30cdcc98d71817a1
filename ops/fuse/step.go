package fuse

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// A step between what elements read, as convolutions and samplers have it for a parameter, is 1 more often than not:
// then vectors read what lies side by side.

// StepOf finds such a step in the body of a level with index i, and where it multiplies the index: an int that is no
// extent of anything, as those are by which the index of a column is multiplied. It returns nil if there is none.
func StepOf(f *ir.Func, body *ir.Block, i ir.Atom) (step ir.Atom, products map[*ir.Stmt]ir.Atom) {
	inside := map[ir.Atom]bool{i: true}
	ir.Walk(body, func(s *ir.Stmt) {
		for _, v := range slices.Concat(s.Dst, ir.Bound(s.Op)) {
			inside[v] = true
		}
	})
	products = map[*ir.Stmt]ir.Atom{}
	from := map[ir.Atom]bool{} // what is computed of the products
	reads := false
	ir.Walk(body, func(s *ir.Stmt) {
		switch op := s.Op.(type) {
		case *ir.Binary:
			x, y := op.X, op.Y
			if y == i {
				x, y = y, x
			}
			if _, isVar := y.(*ir.Var); isVar && op.Fn == ir.Mul && x == i && !inside[y] && (step == nil || step == y) {
				step, products[s] = y, x
				from[s.Dst[0]] = true
			} else if from[x] || from[y] {
				from[s.Dst[0]] = !op.Fn.IsComparison()
			}
		case *ir.Index:
			reads = reads || from[op.I]
		}
	})
	if step == nil || !reads || isExtent(f, step) {
		return nil, nil
	}
	return step, products
}

// isExtent reports whether a is how long something is, how often something is done, or what something is compared with.
func isExtent(f *ir.Func, a ir.Atom) bool {
	found := false
	ir.Walk(f.Body, func(s *ir.Stmt) {
		switch op := s.Op.(type) {
		case *ir.Index, *ir.Update:
		case *ir.Binary:
			found = found || (op.X == a || op.Y == a) && (op.Fn.IsComparison() || op.Fn == ir.Max || op.Fn == ir.Min)
		case *ir.Check:
			found = found || op.Kind != ir.CheckNonzero && slices.Contains(op.Args, a)
		default:
			for _, x := range ir.Operands(s.Op) {
				found = found || *x == a
			}
		}
	})
	return found
}

// innerStep is the step of the innermost level that has one; nil if none has, or it is not known before the
// computation.
func innerStep(f *ir.Func, top *ir.Stmt) (step ir.Atom) {
	inside := map[ir.Atom]bool{}
	ir.Walk(&ir.Block{Stmts: []*ir.Stmt{top}}, func(s *ir.Stmt) {
		for _, v := range slices.Concat(s.Dst, ir.Bound(s.Op)) {
			inside[v] = true
		}
		if i := indexOf(s.Op); i != nil {
			if of, _ := StepOf(f, ir.Blocks(s.Op)[0], i); of != nil && !inside[of] {
				step = of
			}
		}
	})
	return step
}
