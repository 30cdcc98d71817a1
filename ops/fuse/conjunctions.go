package fuse

import "github.com/surge-ndp/surge/ops/ir"

// conjunctions divides the conditions among kept, statements of the body of a loop, that all of several others hold: it
// returns what all of them come to that do not change in the loop, to be computed before it, and the statements that
// stay, with one condition in place of these. inside is what the loop changes. Whether the turns of an inner loop have
// nothing to do with each other is such a condition: of twenty parts three may change.
func conjunctions(kept []*ir.Stmt, results []ir.Atom, inside map[*ir.Var]bool) (moved, stay []*ir.Stmt) {
	ands := map[ir.Atom]*ir.Stmt{}
	for _, s := range kept {
		if op, ok := s.Op.(*ir.Binary); ok && op.Fn == ir.And && s.Dst[0].T == ir.Scalar(ir.Bool) {
			ands[s.Dst[0]] = s
		}
	}
	if len(ands) < 2 {
		return nil, kept
	}
	uses := map[ir.Atom]int{}
	ir.Walk(&ir.Block{Stmts: kept, Results: results}, func(s *ir.Stmt) {
		for _, a := range ir.Operands(s.Op) {
			uses[*a]++
		}
		for _, b := range ir.Blocks(s.Op) {
			for _, a := range b.Results {
				uses[a]++
			}
		}
	})
	for _, a := range results {
		uses[a]++
	}
	partOf := map[ir.Atom]bool{} // conjunctions that are a part of one other, and nothing else
	for _, s := range ands {
		op := s.Op.(*ir.Binary)
		for _, a := range []ir.Atom{op.X, op.Y} {
			partOf[a] = ands[a] != nil && uses[a] == 1
		}
	}
	dropped := map[*ir.Stmt]bool{}
	instead := map[*ir.Stmt][]*ir.Stmt{}
	for _, s := range kept {
		if len(s.Dst) == 0 || ands[s.Dst[0]] != s || partOf[s.Dst[0]] {
			continue
		}
		var fixed, changing []ir.Atom
		var inner []*ir.Stmt
		var parts func(a ir.Atom)
		parts = func(a ir.Atom) {
			v, isVar := a.(*ir.Var)
			switch {
			case partOf[a]:
				inner = append(inner, ands[a])
				op := ands[a].Op.(*ir.Binary)
				parts(op.X)
				parts(op.Y)
			case isVar && inside[v]:
				changing = append(changing, a)
			default:
				fixed = append(fixed, a)
			}
		}
		op := s.Op.(*ir.Binary)
		parts(op.X)
		parts(op.Y)
		if len(fixed) < 2 || len(changing) == 0 {
			continue
		}
		free := inner // their variables are free for the new order
		next := func(x, y ir.Atom) *ir.Stmt {
			d := free[0].Dst
			free = free[1:]
			return &ir.Stmt{Dst: d, Op: &ir.Binary{Fn: ir.And, X: x, Y: y}, Pos: s.Pos}
		}
		all := fixed[0]
		for _, a := range fixed[1:] {
			one := next(all, a)
			moved, all = append(moved, one), one.Dst[0]
		}
		var list []*ir.Stmt
		for _, a := range changing[:len(changing)-1] {
			one := next(all, a)
			list, all = append(list, one), one.Dst[0]
		}
		instead[s] = append(list, &ir.Stmt{Dst: s.Dst, Op: &ir.Binary{Fn: ir.And, X: all, Y: changing[len(changing)-1]}, Pos: s.Pos})
		for _, i := range inner {
			dropped[i] = true
		}
	}
	for _, s := range kept {
		switch {
		case dropped[s]:
		case instead[s] != nil:
			stay = append(stay, instead[s]...)
		default:
			stay = append(stay, s)
		}
	}
	return moved, stay
}
