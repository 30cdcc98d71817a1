package fuse

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// PackedRow reports whether a statement reads the row of a nested sequence that element i of a level has, in its body
// b, and loops in order read elements of it: such rows are worth packing where the level has lanes. Nothing else is
// asked of the row but its length.
func PackedRow(b *ir.Block, i *ir.Var, s *ir.Stmt) bool { return packedRow(b, i, s) > 0 }

// rowsOnLanes returns the nested sequence whose rows are packed where the elements of a computation have lanes, nil if
// there is none before it starts. Of several ones it is the first.
func rowsOnLanes(top *ir.Stmt) *ir.Var {
	body := ir.Blocks(top.Op)[0]
	made := map[*ir.Var]bool{}
	for _, s := range body.Stmts {
		if packedRow(body, indexOf(top.Op), s) > 0 {
			if rows := s.Op.(*ir.Index).X.(*ir.Var); !made[rows] {
				return rows
			}
		}
		for _, d := range s.Dst {
			made[d] = true
		}
	}
	return nil
}

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
