package fuse

import "github.com/surge-ndp/surge/ops/ir"

// Rotating returns the sequences that a loop carries and that change places from turn to turn, as the steps of a
// simulation have it (now, next = next, now): by their parameters, the one that the next turn finds in place of each,
// nil if the turn computes it. allocs are the arrays that are updated in place, which stay where they are.
func Rotating(loop *ir.Loop, allocs map[*ir.Var]*ir.Stmt) map[*ir.Var]*ir.Var {
	carried, from := map[*ir.Var]bool{}, map[*ir.Var]*ir.Var{}
	for _, p := range loop.Params {
		carried[p] = p.T.Rank == 1 && allocs[p] == nil
	}
	moved := map[*ir.Var]bool{}
	for i, p := range loop.Params {
		r, _ := loop.Body.Results[i].(*ir.Var)
		if carried[p] && carried[r] && !moved[r] && r.T == p.T {
			moved[r], from[p] = true, r
		}
	}
	for r := range moved {
		if _, ok := from[r]; !ok {
			from[r] = nil
		}
	}
	return from
}

// doubled finds the sequences that only a loop reads, to begin with. updated are the arrays that are updated in place.
func doubled(b *ir.Block, updated map[*ir.Var]*ir.Stmt) map[*ir.Var]bool {
	uses := map[ir.Atom]int{}
	found := map[*ir.Var]bool{}
	var visit func(b *ir.Block)
	visit = func(b *ir.Block) {
		for _, s := range b.Stmts {
			for _, a := range ir.Operands(s.Op) {
				uses[*a]++
			}
			if op, ok := s.Op.(*ir.Loop); ok {
				rotating := Rotating(op, updated)
				for i, p := range op.Params {
					_, rotates := rotating[p]
					if v, ok := op.Init[i].(*ir.Var); ok && p.T.Rank > 0 && updated[p] == nil && !rotates {
						found[v] = true
					}
				}
			}
			for _, c := range ir.Blocks(s.Op) {
				visit(c)
			}
		}
		for _, a := range b.Results {
			uses[a]++
		}
	}
	visit(b)
	for v := range found {
		if uses[v] > 1 {
			delete(found, v)
		}
	}
	return found
}
