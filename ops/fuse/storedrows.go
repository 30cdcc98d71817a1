package fuse

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// PackedRow reports whether a statement reads the row of a nested sequence that element i of a level has, in its body
// b, and loops in order read elements of it: such rows are worth packing where the level has lanes. Nothing else is
// asked of the row but its length.
func PackedRow(b *ir.Block, i *ir.Var, s *ir.Stmt) bool { return packedRow(b, i, s) > 0 }

// packedRow is PackedRow with how many loops are around what reads the row, added up, 0 where it is not packed.
func packedRow(b *ir.Block, i *ir.Var, s *ir.Stmt) (times int) {
	op, ok := s.Op.(*ir.Index)
	if !ok || op.X.Type().Rank != 2 || op.I != ir.Atom(i) {
		return 0
	}
	row, reads, only := s.Dst[0], 0, true
	var visit func(b *ir.Block, loops int)
	visit = func(b *ir.Block, loops int) {
		for _, s := range b.Stmts {
			for _, a := range ir.Operands(s.Op) {
				if *a != ir.Atom(row) {
					continue
				}
				switch s.Op.(type) {
				case *ir.Index:
					reads += loops
				case *ir.Len:
				default:
					only = false
				}
			}
			inside := loops
			if _, ok := s.Op.(*ir.Loop); ok {
				inside++
			}
			for _, c := range ir.Blocks(s.Op) {
				if indexOf(s.Op) == nil {
					visit(c, inside)
				} else { // has lanes of its own, or is in order for another reason
					only = only && !slices.Contains(ir.Free(c), row)
				}
			}
		}
		for _, a := range b.Results {
			only = only && a != ir.Atom(row)
		}
	}
	visit(b, 0)
	if !only {
		return 0
	}
	return reads
}

// PackedReads returns what in the body b of element i of a level reads elements of rows of d that lie one behind the
// other, x[i·d+j] in loops in order of j from 0 to d: the rows are worth packing where the level has lanes.
func PackedReads(b *ir.Block, i *ir.Var) map[*ir.Stmt]bool {
	reads, _ := rowReads(b, i)
	return reads
}

// rowReads is PackedReads with how many loops are around those of each sequence, added up.
func rowReads(b *ir.Block, i *ir.Var) (reads map[*ir.Stmt]bool, times map[ir.Atom]int) {
	begins := map[ir.Atom]ir.Atom{} // of rows, and how long these are
	for _, s := range b.Stmts {
		if op, ok := s.Op.(*ir.Binary); ok && op.Fn == ir.Mul && op.X.Type() == tInt && (op.X == ir.Atom(i)) != (op.Y == ir.Atom(i)) {
			begins[s.Dst[0]] = op.X
			if op.X == ir.Atom(i) {
				begins[s.Dst[0]] = op.Y
			}
		}
	}
	if len(begins) == 0 {
		return nil, nil
	}
	turns := map[ir.Atom]ir.Atom{} // of the loops around, by their counters
	sums := map[ir.Atom]*ir.Binary{}
	reads, times = map[*ir.Stmt]bool{}, map[ir.Atom]int{}
	var visit func(b *ir.Block, loops int)
	visit = func(b *ir.Block, loops int) {
		for _, s := range b.Stmts {
			switch op := s.Op.(type) {
			case *ir.Binary:
				if op.Fn == ir.Add {
					sums[s.Dst[0]] = op
				}
			case *ir.Index:
				at := sums[op.I]
				if at == nil || op.X.Type().Rank != 1 {
					continue
				}
				for _, a := range [][2]ir.Atom{{at.X, at.Y}, {at.Y, at.X}} {
					if d, ok := begins[a[0]]; ok && turns[a[1]] == d {
						reads[s] = true
						times[op.X] += loops
					}
				}
			case *ir.Loop:
				if op.I != nil && !op.Independent && ir.IsInt(op.Lo, 0) {
					turns[op.I] = op.Hi
				}
				visit(op.Body, loops+1)
				continue
			}
			if indexOf(s.Op) == nil {
				for _, c := range ir.Blocks(s.Op) {
					visit(c, loops)
				}
			}
		}
	}
	visit(b, 0)
	return reads, times
}
