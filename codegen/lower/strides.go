package lower

import (
	"maps"
	"slices"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// A step between what elements read, as convolutions and samplers have it for a parameter, is 1 more often than not:
// then vectors read what lies side by side. Which step it is is asked before the vector loop, of which there are two.

// strideOf finds such a step in the body of a loop on lanes, and where it multiplies the index: an int that is no
// extent of anything, as those are by which the index of a column is multiplied. It returns nil if there is none.
func (l *lowerer) strideOf(r rangeLoop, e *env) (step ir.Atom, products map[*ir.Stmt]ir.Atom) {
	inside := map[ir.Atom]bool{r.i: true}
	ir.Walk(r.body, func(s *ir.Stmt) {
		for _, v := range slices.Concat(s.Dst, ir.Bound(s.Op)) {
			inside[v] = true
		}
	})
	products = map[*ir.Stmt]ir.Atom{}
	from := map[ir.Atom]bool{} // what is computed of the products
	reads := false
	ir.Walk(r.body, func(s *ir.Stmt) {
		switch op := s.Op.(type) {
		case *ir.Binary:
			x, y := op.X, op.Y
			if y == ir.Atom(r.i) {
				x, y = y, x
			}
			if _, isVar := y.(*ir.Var); isVar && op.Fn == ir.Mul && x == ir.Atom(r.i) && !inside[y] && (step == nil || step == y) {
				step, products[s] = y, x
				from[s.Dst[0]] = true
			} else if from[x] || from[y] {
				from[s.Dst[0]] = !op.Fn.IsComparison()
			}
		case *ir.Index:
			reads = reads || from[op.I]
		}
	})
	if step == nil || !reads || l.isExtent(step) {
		return nil, nil
	}
	return step, products
}

// isExtent reports whether a is how long something is, how often something is done, or what something is compared with.
func (l *lowerer) isExtent(a ir.Atom) bool {
	found := false
	ir.Walk(l.k.Func.Body, func(s *ir.Stmt) {
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

// byOne emits vector loops for a step of 1 and for others.
func (l *lowerer) byOne(step ir.Atom, products map[*ir.Stmt]ir.Atom, e *env, vectors func()) {
	x, known := e.getAtom(step)
	if !known || x.form != uniform || x.arr != nil {
		vectors()
		return
	}
	node := &kir.If{Cond: compare(ir.Eq, x.x, intConst(1))}
	same := l.same
	l.inside(&node.Then, func() {
		l.same = maps.Clone(same)
		if l.same == nil {
			l.same = map[*ir.Stmt]ir.Atom{}
		}
		maps.Copy(l.same, products)
		vectors()
	})
	l.same = same
	l.inside(&node.Else, vectors)
	l.emit(node)
}
