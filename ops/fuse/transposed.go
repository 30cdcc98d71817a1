package fuse

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// transposed returns a loop over the columns of what is assigned as one over its rows, nil where s is no such loop.
//
//	z' = loop (z1) init z for i = 0 to w {
//	  z4 = loop (z2) init z1 for j = lo to hi { …; z3 = update z2 (j·w + i) x; yield z3 }
//	  yield z4
//	}
//
// becomes
//
//	z' = loop (z2) init z for j = lo to hi {
//	  z4 = loop (z1) init z2 for i = 0 to w { …; z3 = update z1 (j·w + i) x; yield z3 }
//	  yield z4
//	}
//
// Each turn assigns an element of its own, and reads none of the array: the order of the turns makes no difference, but
// to which of several indices that are out of range is reported.
func (x *exchange) transposed(s *ir.Stmt, outer *ir.Loop) *ir.Stmt {
	last := len(outer.Body.Stmts) - 1
	if last < 0 || !ir.IsInt(outer.Lo, 0) || !readsAt(outer) {
		return nil
	}
	row := outer.Body.Stmts[last]
	inner, ok := row.Op.(*ir.Loop)
	if !ok || inner.I == nil || len(inner.Params) != len(outer.Params) {
		return nil
	}
	from := make([]int, len(inner.Params)) // which of what the outer loop carries the inner one does
	for k, p := range inner.Init {
		from[k] = slices.IndexFunc(outer.Params, func(q *ir.Var) bool { return p == ir.Atom(q) })
		if from[k] < 0 || outer.Body.Results[from[k]] != ir.Atom(row.Dst[k]) {
			return nil
		}
	}
	before := &ir.Block{Stmts: outer.Body.Stmts[:last]}
	if hasLoop(before) || weigh(before) > turnCost || !x.ownElements(before, outer, inner) {
		return nil
	}
	return x.rowByRow(s, outer, inner, from)
}

// ownElements reports whether the turns of two loops, with what stands before the inner one, assign element j·w + i of
// arrays that they do not read, w being how many turns the outer one makes.
func (x *exchange) ownElements(before *ir.Block, outer, inner *ir.Loop) bool {
	allocs := versions(x.f.Body)
	carried := map[*ir.Stmt]bool{}
	for _, p := range outer.Params {
		carried[allocs[p]] = true
	}
	if carried[nil] {
		return false
	}
	ours := func(a ir.Atom) bool {
		v, _ := a.(*ir.Var)
		return v != nil && carried[allocs[v]]
	}
	defs := map[ir.Atom]ir.Op{}
	own := func(index ir.Atom) bool {
		at, ok := defs[index].(*ir.Binary)
		if !ok || at.Fn != ir.Add {
			return false
		}
		row, column := at.X, at.Y
		if row == ir.Atom(outer.I) {
			row, column = column, row
		}
		times, ok := defs[row].(*ir.Binary)
		return ok && column == ir.Atom(outer.I) && times.Fn == ir.Mul &&
			(times.X == ir.Atom(inner.I) && times.Y == outer.Hi || times.Y == ir.Atom(inner.I) && times.X == outer.Hi)
	}
	ok := true
	look := func(s *ir.Stmt) {
		for _, d := range s.Dst {
			defs[d] = s.Op
			ok = ok && inner.Lo != ir.Atom(d) && inner.Hi != ir.Atom(d)
		}
		switch op := s.Op.(type) {
		case *ir.Update:
			ok = ok && ours(op.X) && own(op.I)
		case *ir.If:
		case *ir.Len:
		case *ir.Alloc, *ir.Grow:
			ok = false
		default:
			ok = ok && !panics(s) && !slices.ContainsFunc(ir.Operands(s.Op), func(a *ir.Atom) bool { return ours(*a) })
		}
	}
	ir.Walk(before, look)
	ir.Walk(inner.Body, look)
	return ok && inner.Lo != ir.Atom(outer.I) && inner.Hi != ir.Atom(outer.I)
}

// rowByRow writes the loops with the inner one outside.
func (x *exchange) rowByRow(s *ir.Stmt, outer, inner *ir.Loop, from []int) *ir.Stmt {
	j, i := x.names.Var(inner.I.Name, tInt), x.names.Var(outer.I.Name, tInt)
	rows := &ir.Loop{I: j, Lo: inner.Lo, Hi: inner.Hi, Body: &ir.Block{}}
	row := &ir.Loop{I: i, Lo: outer.Lo, Hi: outer.Hi}
	sub := ir.Subst{outer.I: i, inner.I: j}
	var dst, left []*ir.Var
	for k, p := range inner.Params {
		array, version, now := x.names.Var(p.Name, p.T), x.names.Var(p.Name, p.T), x.names.Var(p.Name, p.T)
		rows.Params, rows.Init = append(rows.Params, array), append(rows.Init, outer.Init[from[k]])
		row.Params, row.Init = append(row.Params, version), append(row.Init, array)
		sub[p] = version
		left, rows.Body.Results = append(left, now), append(rows.Body.Results, now)
		dst = append(dst, s.Dst[from[k]])
	}
	turn := &ir.Block{Stmts: slices.Concat(outer.Body.Stmts[:len(outer.Body.Stmts)-1], inner.Body.Stmts), Results: inner.Body.Results}
	row.Body = turn.Clone(sub, x.names)
	rows.Body.Stmts = []*ir.Stmt{{Dst: left, Op: row, Pos: s.Pos}}
	return &ir.Stmt{Dst: dst, Op: rows, Pos: s.Pos}
}
