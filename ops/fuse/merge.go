package fuse

import "github.com/surge-ndp/surge/ops/ir"

// merge fuses siblings: two Maps, or two Reduces, over the same length in one block become one with the results of
// both, if the second needs nothing of the first (nor of what stands between them and needs the first).
func merge(f *ir.Func) {
	sameLengths(f.Body)
	mergeBlock(f.Body)
}

// sameLengths replaces max x 0 by x behind a check that x is not negative: Maps over either have one length.
func sameLengths(b *ir.Block) {
	checked, same := map[ir.Atom]bool{}, ir.Subst{}
	for _, s := range b.Stmts {
		switch op := s.Op.(type) {
		case *ir.Check:
			checked[op.Args[0]] = checked[op.Args[0]] || op.Kind == ir.CheckNonneg
		case *ir.Binary:
			if op.Fn == ir.Max && ir.IsInt(op.Y, 0) && checked[op.X] {
				same[s.Dst[0]] = op.X
			}
		}
	}
	substitute(b, same)
}

func mergeBlock(b *ir.Block) {
	for i := 0; i < len(b.Stmts); i++ {
		first := b.Stmts[i]
		for _, c := range ir.Blocks(first.Op) {
			mergeBlock(c)
		}
		n := domain(first.Op)
		if n == nil {
			continue
		}
		tainted := map[*ir.Var]bool{} // what depends on first
		for _, d := range first.Dst {
			tainted[d] = true
		}
		for j := i + 1; j < len(b.Stmts); j++ {
			s := b.Stmts[j]
			if dependsOn(s, tainted) {
				for _, d := range s.Dst {
					tainted[d] = true
				}
				continue
			}
			if domain(s.Op) != n || !mergeable(first.Op, s.Op) {
				continue
			}
			// first moves down to the place of s, behind everything that s may need; what depends on first and stood
			// between the two has to move behind it too.
			b.Stmts = reorder(b.Stmts, i, j, tainted)
			i-- // look at this place again: another statement stands here now
			break
		}
	}
}

// reorder merges statement i into j and moves the statements between them that depend on i behind the result.
func reorder(stmts []*ir.Stmt, i, j int, tainted map[*ir.Var]bool) []*ir.Stmt {
	out := append([]*ir.Stmt(nil), stmts[:i]...)
	var late []*ir.Stmt
	for _, s := range stmts[i+1 : j] {
		if dependsOn(s, tainted) {
			late = append(late, s)
		} else {
			out = append(out, s)
		}
	}
	out = append(out, mergeStmts(stmts[i], stmts[j]))
	out = append(out, late...)
	return append(out, stmts[j+1:]...)
}

func domain(op ir.Op) ir.Atom {
	switch op := op.(type) {
	case *ir.Map:
		return op.N
	case *ir.Reduce:
		return op.N
	}
	return nil
}

func mergeable(a, b ir.Op) bool {
	switch a := a.(type) {
	case *ir.Map:
		m, ok := b.(*ir.Map)
		// Rows of two nested results may differ in length; only flat results share a loop.
		return ok && flatResults(a) && flatResults(m)
	case *ir.Reduce:
		_, ok := b.(*ir.Reduce)
		return ok
	}
	return false
}

func flatResults(m *ir.Map) bool {
	for _, r := range m.Body.Results {
		if r.Type().Rank > 0 {
			return false
		}
	}
	return true
}

func dependsOn(s *ir.Stmt, vars map[*ir.Var]bool) bool {
	for _, a := range ir.Operands(s.Op) {
		if v, ok := (*a).(*ir.Var); ok && vars[v] {
			return true
		}
	}
	for _, b := range ir.Blocks(s.Op) {
		for _, v := range ir.Free(b) {
			if vars[v] {
				return true
			}
		}
	}
	return false
}

func mergeStmts(a, b *ir.Stmt) *ir.Stmt {
	dst := append(append([]*ir.Var(nil), a.Dst...), b.Dst...)
	switch x := a.Op.(type) {
	case *ir.Map:
		y := b.Op.(*ir.Map)
		substitute(y.Body, ir.Subst{y.I: x.I})
		body := &ir.Block{Stmts: append(x.Body.Stmts, y.Body.Stmts...), Results: append(x.Body.Results, y.Body.Results...)}
		return &ir.Stmt{Dst: dst, Op: &ir.Map{N: x.N, I: x.I, Body: body}, Pos: a.Pos}
	case *ir.Reduce:
		y := b.Op.(*ir.Reduce)
		substitute(y.Body, ir.Subst{y.I: x.I})
		body := &ir.Block{Stmts: append(x.Body.Stmts, y.Body.Stmts...), Results: append(x.Body.Results, y.Body.Results...)}
		nx, ny := len(x.Init), len(y.Init)
		ps := append([]*ir.Var(nil), x.Comb.Params[:nx]...)
		ps = append(ps, y.Comb.Params[:ny]...)
		ps = append(ps, x.Comb.Params[nx:]...)
		ps = append(ps, y.Comb.Params[ny:]...)
		comb := &ir.Lambda{Params: ps, Body: &ir.Block{
			Stmts:   append(x.Comb.Body.Stmts, y.Comb.Body.Stmts...),
			Results: append(x.Comb.Body.Results, y.Comb.Body.Results...),
		}}
		init := append(append([]ir.Atom(nil), x.Init...), y.Init...)
		return &ir.Stmt{Dst: dst, Op: &ir.Reduce{N: x.N, I: x.I, Body: body, Comb: comb, Init: init}, Pos: a.Pos}
	}
	panic("fuse: merge of other operators")
}
