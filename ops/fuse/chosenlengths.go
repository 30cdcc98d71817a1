package fuse

import "github.com/surge-ndp/surge/ops/ir"

// chosenLengths takes the ints out of the results of a condition that yields sequences as well, where these ints are
// known before it, and returns the statements that choose them. They are lengths of these sequences, mostly, and what
// asks for one need not compute what the branches do.
func chosenLengths(s *ir.Stmt) (picks []*ir.Stmt) {
	op, ok := s.Op.(*ir.If)
	if !ok {
		return nil
	}
	inside := map[ir.Atom]bool{}
	for _, b := range ir.Blocks(op) {
		ir.Walk(b, func(t *ir.Stmt) {
			for _, v := range t.Dst {
				inside[v] = true
			}
		})
	}
	arrays := false
	for _, d := range s.Dst {
		arrays = arrays || d.T.Rank > 0
	}
	for i := len(s.Dst) - 1; i >= 0 && arrays; i-- {
		x, y := op.Then.Results[i], op.Else.Results[i]
		if s.Dst[i].T != tInt || inside[x] || inside[y] {
			continue
		}
		picks = append(picks, &ir.Stmt{Dst: s.Dst[i : i+1 : i+1], Op: &ir.Select{Cond: op.Cond, X: x, Y: y}, Pos: s.Pos})
		s.Dst, op.Then.Results, op.Else.Results = without(s.Dst, i), without(op.Then.Results, i), without(op.Else.Results, i)
	}
	return picks
}
