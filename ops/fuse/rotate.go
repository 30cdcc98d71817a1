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
