package fuse

import (
	"fmt"

	"github.com/surge-ndp/surge/ops/ir"
)

// opKey is equal for operations that yield the same values; "" for those that are not compared. Names are unique, so
// the text of a blockless operation identifies it.
func opKey(op ir.Op) string {
	switch op := op.(type) {
	case *ir.Unary, *ir.Binary, *ir.FMA, *ir.Select, *ir.Len, *ir.Index, *ir.View:
		return (&ir.Stmt{Op: op}).String()
	case *ir.Check: // the message may differ, the condition does not
		return fmt.Sprint(op.Kind, op.Args)
	case *ir.Convert:
		return "convert " + op.To.String() + " " + op.X.String()
	case *ir.Reduce, *ir.Map, *ir.Scan, *ir.Scatter, *ir.Hist, *ir.Sort:
		return structuralKey(op)
	case *ir.Loop:
		if !carriesSome(op) && ir.Pure(&ir.Stmt{Op: op}) {
			return structuralKey(op)
		}
	}
	return ""
}

// structuralKey prints an operator with its bound variables numbered, so that two copies compare equal.
func structuralKey(op ir.Op) string {
	s := &ir.Stmt{Op: op}
	c := s.Clone(ir.Subst{}, ir.NewNamer(nil))
	stripPos(c)
	var rename func(st *ir.Stmt)
	n := 0
	set := func(v *ir.Var) { v.Name = fmt.Sprintf("%%%d", n); n++ }
	rename = func(st *ir.Stmt) {
		for _, v := range ir.Bound(st.Op) {
			set(v)
		}
		for _, b := range ir.Blocks(st.Op) {
			for _, t := range b.Stmts {
				rename(t)
				for _, d := range t.Dst {
					set(d)
				}
			}
		}
	}
	rename(c)
	return c.String()
}

func stripPos(s *ir.Stmt) {
	s.Pos = ir.Pos{}
	for _, b := range ir.Blocks(s.Op) {
		for _, t := range b.Stmts {
			stripPos(t)
		}
	}
}
