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
// where the turns are independent then, are much work, and are no more than an array that is updated has elements, so
// that what is stored is no more than there is already: if that is not known, it is a condition. A sum of floats in the
// order of the source stays where it is. Where a turn has no loops, and what it does with scalars needs little but the
// elements that it has updated, a second loop does that, in order, and nothing is stored: so it finds the best cell of
// a table along whose diagonals the first one goes. It moves at to the statement that the loop is then.
func (u *updater) divided(b *ir.Block, at *int) bool {
	s := b.Stmts[*at]
	loop := s.Op.(*ir.Loop)
	if !mixes(loop) {
		return false
	}
	r := &reducer{defs: analysis.Of(u.f.Body), made: madeOf(u.f)}
	p := &parting{distributor: &distributor{f: u.f, names: u.names, floats: u.f.Reassociate}, s: s, allocs: versions(u.f.Body)}
	stmts := p.forUpdates()
	if stmts == nil {
		return false
	}
	fill, sums := stmts[len(stmts)-2], stmts[len(stmts)-1]
	before := b.Stmts
	b.Stmts = slices.Concat(before[:*at], stmts, before[*at+1:])
	u.refresh()
	u.bounded = map[ir.Atom]int64{}
	t := &turnLoop{updater: u, s: fill, op: fill.Op.(*ir.Loop)}
	independent := t.decide()
	b.Stmts = before
	if !independent {
		return false
	}
	var stored []*ir.Stmt // what is allocated
	var body *ir.Block
	(&turnLoop{updater: u, s: s, op: loop}).choose(b, at, func(e emitter) ir.Atom {
		for _, s := range stmts[:len(stmts)-2] {
			if _, ok := s.Op.(*ir.Alloc); ok {
				stored = append(stored, s)
			} else {
				*e.out = append(*e.out, s)
			}
		}
		t.extent(e)
		ok := t.condition(e, leastTurns)
		if len(stored) > 0 && (!ir.IsInt(loop.Lo, 0) || !r.measured(loop.Hi)) {
			ok = e.both(ok, e.bin(ir.Le, "few", t.n, u.updatedLength(loop)))
		}
		return ok
	}, func(e emitter, then *ir.Block) {
		then.Stmts = append(then.Stmts, stored...)
		filled := &ir.Block{}
		body = t.write(e, filled)
		sub := ir.Subst{}
		for i, d := range fill.Dst {
			sub[d] = filled.Results[i]
		}
		last := sums.Clone(sub, u.names)
		then.Stmts = append(then.Stmts, last)
		for i, d := range sums.Dst {
			sub[d] = last.Dst[i]
		}
		for _, d := range s.Dst {
			then.Results = append(then.Results, sub.Atom(d))
		}
	})
	u.inner(body)
	return true
}

// forUpdates returns the loops that a loop of updates is divided into, with what stands before; nil if it stays one.
func (p *parting) forUpdates() []*ir.Stmt {
	if hasLoop(p.loop().Body) {
		if !p.accumulates() || p.work < orderedCost {
			return nil
		}
		return p.expanded()
	}
	if !p.copied() {
		return nil
	}
	p.ordered, p.work = true, weigh(p.loop().Body)
	if p.work < orderedCost {
		return nil
	}
	stmts := p.reread()
	if stmts == nil || slices.ContainsFunc(stmts[0].Dst, isScalar) || slices.ContainsFunc(stmts[1].Dst, isArray) { // one needs the other
		return nil
	}
	return stmts
}

// updatedLength is the length of the first array that a loop carries.
func (u *updater) updatedLength(loop *ir.Loop) ir.Atom {
	for _, v := range loop.Init {
		if v, ok := v.(*ir.Var); ok && u.arrays[v] != nil {
			return u.arrays[v].Op.(*ir.Alloc).N
		}
	}
	return ir.IntConst(ir.Int, 0)
}
