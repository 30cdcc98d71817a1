package fuse

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// divided divides a loop in sequential code that updates arrays and accumulates in the same turns, as the one that
// gives each point its group and counts those that change theirs:
//
//	a', s' = loop (b, s) init a z for i = 0 to n { …; b1 = update b i d; t = add s y; yield b1 t }
//
// becomes
//
//	x = alloc n
//	a', x' = loop (b, x1) init a x for i = 0 to n independent { …; b1 = update b i d; x2 = update x1 i y; yield b1 x2 }
//	s' = loop (s) init z for k = 0 to n { y = index x' k; t = add s y; yield t }
//
// where the turns are independent then, are much work, and are as many as something has elements, so that what is
// stored is no more than there is already. A sum of floats in the order of the source stays where it is. It moves at to
// the last of the statements.
func (u *updater) divided(b *ir.Block, at *int) bool {
	loop := b.Stmts[*at].Op.(*ir.Loop)
	if !mixes(loop) || !ir.IsInt(loop.Lo, 0) || !hasLoop(loop.Body) {
		return false
	}
	r := &reducer{defs: analysis.Of(u.f.Body), made: madeOf(u.f.Body)}
	p := &parting{distributor: &distributor{f: u.f, names: u.names, floats: u.f.Reassociate}, s: b.Stmts[*at], allocs: versions(u.f.Body)}
	if !r.measured(loop.Hi) || !p.accumulates() || p.work < orderedCost {
		return false
	}
	stmts := p.expanded()
	if stmts == nil {
		return false
	}
	before := b.Stmts
	b.Stmts = slices.Concat(before[:*at], stmts, before[*at+1:])
	u.refresh()
	u.bounded = map[ir.Atom]int64{}
	fill := *at + len(stmts) - 2
	body := u.apart(b, &fill, leastTurns)
	if body == nil {
		b.Stmts = before
		return false
	}
	u.inner(body)
	*at = fill + 1
	return true
}
