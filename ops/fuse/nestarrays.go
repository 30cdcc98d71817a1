package fuse

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// keepsArrays reports whether it makes arrays.
func (n *nest) keepsArrays() bool { return len(n.arraysBefore()) > 0 }

// arraysBefore are the arrays that it makes, or writes to.
func (n *nest) arraysBefore() (all []*ir.Var) {
	for _, s := range n.before {
		if _, view := s.Op.(*ir.View); view {
			continue
		}
		for _, d := range s.Dst {
			if d.T.Rank > 0 {
				all = append(all, d)
			}
		}
	}
	return all
}

// fillsAll reports whether each turn fills elements of its row, so that one without a row fails.
func (n *nest) fillsAll() bool {
	return slices.ContainsFunc(n.loop.Body.Stmts, func(s *ir.Stmt) bool {
		along, ok := s.Op.(*ir.Loop)
		if !ok || !n.alongRow(s) || !updatesEachTurn(along) {
			return false
		}
		lo, known := along.Lo.(ir.Const)
		hi, fixed := along.Hi.(ir.Const)
		return known && fixed && lo.Int() < hi.Int()
	})
}

// updatesEachTurn reports whether a loop updates an array in each turn, whatever conditions say.
func updatesEachTurn(loop *ir.Loop) bool {
	return slices.ContainsFunc(loop.Body.Stmts, func(s *ir.Stmt) bool { _, ok := s.Op.(*ir.Update); return ok })
}

// sizesKnown reports whether these arrays can be made where there is no turn, too: their lengths are not computed
// there.
func (n *nest) sizesKnown() bool {
	before := &ir.Block{Stmts: n.before}
	allocs := ir.Allocs(before)
	return !slices.ContainsFunc(n.arraysBefore(), func(d *ir.Var) bool {
		if allocs[d] == nil {
			return true
		}
		made := allocs[d].Op.(*ir.Alloc)
		v, computed := made.N.(*ir.Var)
		return made.Grows || !n.nonnegative(made.N) || computed && definedIn(before, v)
	})
}
