package fuse

import (
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/analysis"
)

// rowSums has a Map of its own compute what loops in order sum up over the rows of a Map, where the elements of that
// hold operators besides: a level has lanes, or those inside it do, and sums in order have them on the outer one, a row
// a lane, where rows are packed ([PackedReads], [PackedRow]), while Maps over rows have them on the inner one. This is
// the distribution of a Map over its body, rule G6 of incremental flattening.
//
//	y = map i < n { s = loop (a) init 0 for j = 0 to d { …x[i·d+j]… }; r = f s; z = map j < d { …r… }; yield z }
//
// becomes
//
//	r' = map i < n { s = loop (a) init 0 for j = 0 to d { …x[i·d+j]… }; r = f s; yield r }
//	y = map i < n { r = index r' i; z = map j < d { …r… }; yield z }
//
// Rows are read twice for that; a thread does both for the same rows, one behind the other, where there is nothing
// between the Maps (the pass "follow"). Where a kernel fails in several places, it may fail with another of its errors
// than plain Go: the sums of all rows come first.
func rowSums(f *ir.Func, names *ir.Namer) {
	if rowSumsOf(f.Body, analysis.Of(f.Body), names) {
		simplify(f)
	}
}

// rowSumsOf does so in a block of the host program, and reports whether it found any.
func rowSumsOf(b *ir.Block, defs analysis.Defs, names *ir.Namer) (found bool) {
	var out []*ir.Stmt
	for _, s := range b.Stmts {
		if Controls(s) {
			for _, c := range ir.Blocks(s.Op) {
				found = rowSumsOf(c, defs, names) || found
			}
		}
		m, ok := s.Op.(*ir.Map)
		if !ok || m.By != nil || ir.IsInt(m.N, 1) {
			out = append(out, s)
			continue
		}
		if sums, rest := divideRows(s, m, defs, names); sums != nil {
			out, found = append(out, sums, rest), true
			continue
		}
		out = append(out, s)
	}
	b.Stmts = out
	return found
}

// divideRows returns the Maps that stand for one, nil if it stays as it is.
func divideRows(s *ir.Stmt, m *ir.Map, defs analysis.Defs, names *ir.Namer) (sums, rest *ir.Stmt) {
	// What waits for an operator, or is one, stays behind; what the sums decide of the rest goes before.
	behind, decided := map[*ir.Var]bool{}, map[*ir.Var]bool{}
	var first, second []*ir.Stmt
	for _, t := range m.Body.Stmts {
		turns := inTurn(t)
		switch {
		case dependsOn(t, behind) || !turns && !isPlain(t):
			second = append(second, t)
			markAll(behind, t.Dst)
		case turns && !sumsRow(m, t, defs):
			return nil, nil
		case turns || dependsOn(t, decided):
			first = append(first, t)
			markAll(decided, t.Dst)
		default: // for both
			first, second = append(first, t), append(second, t)
		}
	}
	if len(behind) == 0 || len(decided) == 0 {
		return nil, nil
	}
	return apportion(s, m, first, second, decided, names)
}

func markAll(set map[*ir.Var]bool, vars []*ir.Var) {
	for _, v := range vars {
		set[v] = true
	}
}

// apportion writes the two Maps: first computes what is decided there, second reads that. It returns nil if there is
// nothing left for one of them, or too much to store.
func apportion(s *ir.Stmt, m *ir.Map, first, second []*ir.Stmt, decided map[*ir.Var]bool,
	names *ir.Namer) (sums, rest *ir.Stmt) {
	var results []ir.Atom
	one, stored := &ir.Block{Stmts: first}, map[*ir.Var]*ir.Var{} // the arrays that keep what is decided
	var dst, after []*ir.Var
	for k, r := range m.Body.Results {
		if v, ok := r.(*ir.Var); ok && decided[v] {
			if v.T.Rank > 0 {
				return nil, nil
			}
			one.Results, dst, stored[v] = append(one.Results, v), append(dst, s.Dst[k]), s.Dst[k]
			continue
		}
		results, after = append(results, r), append(after, s.Dst[k])
	}
	two := &ir.Block{Results: results}
	for _, v := range crossing(first, &ir.Block{Stmts: second, Results: results}) {
		if !decided[v] {
			continue
		}
		if v.T.Rank > 0 {
			return nil, nil
		}
		if stored[v] == nil {
			stored[v] = names.Var(v.Name, v.T.Array())
			one.Results, dst = append(one.Results, v), append(dst, stored[v])
		}
		two.Stmts = append(two.Stmts, &ir.Stmt{Dst: []*ir.Var{v}, Op: &ir.Index{X: stored[v], I: m.I}, Pos: s.Pos})
	}
	if len(results) == 0 || len(dst) == 0 || len(dst) > storedMost {
		return nil, nil
	}
	two.Stmts = append(two.Stmts, second...)
	i := names.Var(m.I.Name, tInt)
	sums = &ir.Stmt{Dst: dst, Op: &ir.Map{N: m.N, I: i, Body: one.Clone(ir.Subst{m.I: i}, names)}, Pos: s.Pos}
	return sums, &ir.Stmt{Dst: after, Op: &ir.Map{N: m.N, I: m.I, Body: two}, Pos: s.Pos}
}

// inTurn reports whether a statement is a counted loop in order that carries numbers and holds no operators.
func inTurn(s *ir.Stmt) bool {
	loop, ok := s.Op.(*ir.Loop)
	return ok && !loop.Independent && loop.I != nil && loop.Cond == nil && len(loop.Params) > 0 && !carriesSome(loop) && !holdsOperators(loop)
}

// isPlain reports whether a statement computes numbers, or views, of what is given, without a loop or an operator.
func isPlain(s *ir.Stmt) bool {
	switch s.Op.(type) {
	case *ir.Unary, *ir.Binary, *ir.FMA, *ir.Convert, *ir.Select, *ir.Index, *ir.Len, *ir.Check:
		return true
	}
	return false
}

// sumsRow reports whether a loop in the elements of a Map reads a row that lanes of the Map would have packed.
func sumsRow(m *ir.Map, s *ir.Stmt, defs analysis.Defs) bool {
	reads := PackedReads(m.Body, m.I, defs, nil)
	rows := map[ir.Atom]bool{}
	for _, t := range m.Body.Stmts {
		if op, ok := t.Op.(*ir.Index); ok && op.X.Type().Rank == 2 && op.I == ir.Atom(m.I) {
			rows[t.Dst[0]] = true
		}
	}
	found := false
	ir.Walk(&ir.Block{Stmts: []*ir.Stmt{s}}, func(s *ir.Stmt) {
		read, ok := s.Op.(*ir.Index)
		_, packed := reads[s]
		found = found || packed || ok && rows[read.X]
	})
	return found
}
