package fuse

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// condition returns what one side of a condition costs. Where that differs from element to element it is the average
// of both, if they are costly, and lanes carry out the other side besides.
func (m *meter) condition(op *ir.If, depth int, times float64) float64 {
	if depth+1 < len(m.levels) && inCase(op) { // else only the loop in order is counted, for both
		total := m.block(op.Then, depth, times)
		m.block(op.Else, depth, 0)
		return total
	}
	m.mask(op.Cond, 1)
	often := times
	if m.rare(op.Cond) {
		often *= rareShare
	}
	guessed := m.levels[depth].Guessed
	x, y := m.block(op.Then, depth, often), m.block(op.Else, depth, times)
	m.mask(op.Cond, -1)
	one := max(x, y)
	if slices.ContainsFunc(m.moves[op.Cond], func(move int) bool { return move != still }) {
		one = min(one, (x+y)/2+times*branchCost)
	}
	if inside := m.levels[depth].Guessed - guessed; x+y > 0 { // as much of it as counts of the branches
		m.levels[depth].Guessed = guessed + inside*one/(x+y)
	}
	for l := range m.levels[depth].Masked {
		if m.move(op.Cond, l) != still {
			m.levels[depth].Masked[l] += x + y - one
		}
	}
	return one
}

// inCase reports whether the second branch of a condition is a loop in order that stays in case that the turns of the
// loop in the first branch, which is made of it, depend on each other: see [turnLoop.choose].
func inCase(op *ir.If) (is bool) {
	if len(op.Else.Stmts) != 1 {
		return false
	}
	stays := op.Else.Stmts[0]
	if loop, ok := stays.Op.(*ir.Loop); !ok || loop.Independent {
		return false
	}
	ir.Walk(op.Then, func(s *ir.Stmt) { is = is || isUpdate(s) && s.Pos == stays.Pos })
	return is
}

// rareShare is how often a float is equal to a constant, for which nothing speaks.
const rareShare = 1. / 16

// rare reports whether a condition holds only where a float is equal to a constant.
func (m *meter) rare(cond ir.Atom) bool {
	op, ok := m.defs[cond].(*ir.Binary)
	if !ok {
		return false
	}
	_, constant := op.Y.(ir.Const)
	return op.Fn == ir.Eq && constant && op.X.Type().Kind.IsFloat() || op.Fn == ir.And && (m.rare(op.X) || m.rare(op.Y))
}

// quotient adds what vectors of integers take longer for a quotient than for one of a single lane: no processor has
// instructions for them. Those by powers of two are shifts.
func (m *meter) quotient(k ir.Kind, op *ir.Binary, depth int, times float64) {
	if op.Fn != ir.Div && op.Fn != ir.Rem || !k.IsInteger() || binaryCost(op) < quotientCost/2 {
		return
	}
	for l := range m.levels[depth].Scalarised {
		if m.move(op.X, l) != still || m.move(op.Y, l) != still {
			m.levels[depth].Scalarised[l] += times * float64(k.Bytes()) / quotientSize
		}
	}
}
