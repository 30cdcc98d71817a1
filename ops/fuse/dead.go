package fuse

import (
	"github.com/surge-ndp/surge/ops/ir"
)

// dropDead removes statements of a block whose results nothing uses. A check is kept, and a call, which may panic; an
// operator with checks inside goes when its results are unused, unless they are exits: compiled code checks what it
// reads.
func dropDead(b *ir.Block) {
	used, asked := map[*ir.Var]bool{}, liveIn(b)
	var block func(b *ir.Block)
	block = func(b *ir.Block) {
		for _, a := range b.Results {
			mark(used, a)
		}
		var kept []*ir.Stmt
		for i := len(b.Stmts) - 1; i >= 0; i-- {
			s := b.Stmts[i]
			_, check := s.Op.(*ir.Check)
			live := check || indexOf(s.Op) == nil && ir.HasCalls(s.Op) || HasExits(s)
			for _, d := range s.Dst {
				live = live || used[d]
			}
			if len(s.Dst) == 0 && !check { // If or Loop without results: kept for the checks inside
				live = !ir.Pure(s)
			}
			if !live {
				continue
			}
			dropColumns(s, used, asked)
			for _, c := range ir.Blocks(s.Op) {
				block(c)
			}
			for _, a := range ir.Operands(s.Op) {
				mark(used, *a)
			}
			kept = append(kept, s)
		}
		for i, j := 0, len(kept)-1; i < j; i, j = i+1, j-1 {
			kept[i], kept[j] = kept[j], kept[i]
		}
		b.Stmts = kept
	}
	block(b)
}

// dropColumns removes the results of a statement that nothing uses, such as the fields of structs that only a condition
// reads: arrays of a Map or a Scatter, and what a loop carries that nothing asks for but its own turns.
func dropColumns(s *ir.Stmt, used, asked map[*ir.Var]bool) {
	keep := func(i int) bool { return used[s.Dst[i]] }
	if len(s.Dst) > 0 && len(only(s.Dst, keep)) == 0 { // there is nothing without a result
		keep = func(i int) bool { return i == 0 }
	}
	switch op := s.Op.(type) {
	case *ir.Map:
		op.Body.Results = only(op.Body.Results, keep)
	case *ir.Scatter:
		op.Body.Results = append(op.Body.Results[:1:1], only(op.Body.Results[1:], keep)...)
	case *ir.Loop:
		params := op.Params
		keep = func(i int) bool { return asked[s.Dst[i]] || asked[params[i]] }
		if len(only(params, keep)) == 0 { // only its checks are left
			return
		}
		op.Params, op.Init, op.Body.Results = only(params, keep), only(op.Init, keep), only(op.Body.Results, keep)
	case *ir.If:
		keep = func(i int) bool { return asked[s.Dst[i]] }
		op.Then.Results, op.Else.Results = only(op.Then.Results, keep), only(op.Else.Results, keep)
	default:
		return
	}
	s.Dst = only(s.Dst, keep)
}

// only returns the elements of xs at the positions that are to be kept.
func only[T any](xs []T, keep func(i int) bool) []T {
	var ys []T
	for i, x := range xs {
		if keep(i) {
			ys = append(ys, x)
		}
	}
	return ys
}

func mark(used map[*ir.Var]bool, a ir.Atom) {
	if v, ok := a.(*ir.Var); ok {
		used[v] = true
	}
}
