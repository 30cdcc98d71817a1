package fuse

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// turnRange are bounds that conditions set to the turns of the loop that come to a use, nil for those that none sets,
// and a turn that does not come to it.
type turnRange struct{ first, last, but *analysis.Affine }

// all reports whether no condition bounds the turns.
func (t turnRange) all() bool { return t.first == nil && t.last == nil }

// leavesOut reports whether a turn does not come to the use.
func (t turnRange) leavesOut(turn analysis.Sum) bool {
	return t.but != nil && len(t.but.Base.Minus(turn)) == 0
}

// only narrows the turns that come to the position to those in which a condition holds, or does not.
func (a *uses) only(cond ir.Atom, holds bool) {
	switch op := a.form.Defs[cond].(type) {
	case *ir.Unary:
		if op.Fn == ir.Not {
			a.only(op.X, !holds)
		}
	case *ir.Binary:
		switch {
		case op.Fn == ir.And && holds, op.Fn == ir.Or && !holds:
			a.only(op.X, holds)
			a.only(op.Y, holds)
		case op.X.Type() == ir.Scalar(ir.Int):
			fn := op.Fn
			if !holds {
				fn = contrary[fn]
			}
			a.compared(fn, op.X, op.Y)
		}
	}
}

// compared narrows the turns by a comparison of the loop's index, and what is added to it, with what does not change.
func (a *uses) compared(fn ir.BinaryFn, x, y ir.Atom) {
	failed := a.failed
	left, ok := a.form.Affine(x)
	right, ok2 := a.form.Affine(y)
	ok = ok && ok2 && !a.failed && len(a.counts.Parts) == 1
	a.failed = failed
	if !ok {
		return
	}
	minus := analysis.Sum{{C: -1}}
	over := left.Plus(right.Times(minus)) // below 0, or above, or 0
	factor, _ := over.Factor(a.counts.Parts[0].Of).Constant()
	far := func(p analysis.Product) bool { return len(p.Of) == 0 && (p.C <= -farthest || p.C >= farthest) } // it may wrap around
	if len(over.Parts) != 1 || factor != 1 && factor != -1 || !a.outside(over.Base) || slices.ContainsFunc(over.Base, far) {
		return
	}
	rest := analysis.Affine{Base: over.Base}
	if factor == 1 {
		rest = rest.Times(minus)
	} else if fn != ir.Ne {
		fn = mirrored[fn]
	}
	switch fn { // the index compared with rest
	case ir.Ne:
		a.turns.but = &rest
	case ir.Lt, ir.Le:
		if fn == ir.Lt {
			rest = rest.Plus(constantForm(-1))
		}
		a.turns.last = &rest
	case ir.Gt, ir.Ge:
		if fn == ir.Gt {
			rest = rest.Plus(constantForm(1))
		}
		a.turns.first = &rest
	}
}
