package fuse

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// outline puts the sequential code at the top level of a kernel that updates arrays in place into a Map of one element:
// a computation like the others, with a space of its own, whose arrays are rows and whose scalars are sequences of
// one. A Loop or an If that holds parallel operators goes the same way, so that these become its inner levels.
//
// What belongs together is all that stands between the first and the last statement that makes, updates or carries one
// of the arrays, except what needs nothing of it.
func outline(f *ir.Func, names *ir.Namer) { outlineAll(f, names, sequential) }

// outlineUpdates leaves the loops and conditions that the host program can run turn by turn.
func outlineUpdates(f *ir.Func, names *ir.Namer) {
	outlineAll(f, names, func(s *ir.Stmt) bool { return sequential(s) && !turnwise(s) })
}

func outlineAll(f *ir.Func, names *ir.Namer, begins func(*ir.Stmt) bool) {
	for at := 0; at < len(f.Body.Stmts); at++ {
		if begins(f.Body.Stmts[at]) {
			at = outlineAt(f, at, names)
		}
	}
}

// sequential reports whether a top-level statement cannot stay in host code.
func sequential(s *ir.Stmt) bool {
	switch s.Op.(type) {
	case *ir.Alloc, *ir.Update, *ir.Grow, *ir.Call:
		return true
	case *ir.If, *ir.Loop:
		found := ir.HasCalls(s.Op) || slices.ContainsFunc(s.Dst, func(d *ir.Var) bool { return d.T.Rank > 0 })
		for _, b := range ir.Blocks(s.Op) {
			ir.Walk(b, func(t *ir.Stmt) {
				switch t.Op.(type) {
				case *ir.Alloc, *ir.Update, *ir.Grow:
					found = true
				}
				found = found || indexOf(t.Op) != nil
			})
		}
		return found
	}
	return false
}

// outlineAt outlines the code that begins at statement at, and returns the position of the last statement that it put
// in its place.
func outlineAt(f *ir.Func, at int, names *ir.Namer) int {
	b := f.Body
	last := regionEnd(b, at)
	taken := map[*ir.Var]bool{} // results of the code
	var before, inside []*ir.Stmt
	for _, s := range b.Stmts[at : last+1] {
		if !sequential(s) && !dependsOn(s, taken) { // what the code does not reach moves before it
			before = append(before, s)
			continue
		}
		inside = append(inside, s)
		for _, d := range s.Dst {
			taken[d] = true
		}
	}
	rest := b.Stmts[last+1:]
	used := map[*ir.Var]bool{}
	for _, s := range rest {
		for _, a := range ir.Operands(s.Op) {
			mark(used, *a)
		}
		for _, c := range ir.Blocks(s.Op) {
			for _, v := range ir.Free(c) {
				used[v] = true
			}
		}
	}
	for _, a := range b.Results {
		mark(used, a)
	}
	zeroIndex := ir.IntConst(ir.Int, 0)
	body := &ir.Block{Stmts: inside}
	pos := inside[0].Pos
	m := &ir.Map{N: ir.IntConst(ir.Int, 1), I: names.Var("once", tInt), Body: body}
	stmt := &ir.Stmt{Op: m, Pos: pos}
	var reads []*ir.Stmt
	sub := ir.Subst{}
	for _, s := range inside {
		for _, d := range s.Dst {
			if !used[d] {
				continue
			}
			body.Results = append(body.Results, d)
			out := names.Var(d.Name, d.T.Array())
			stmt.Dst = append(stmt.Dst, out)
			v := names.Var(d.Name, d.T)
			if d.T.Rank > 0 {
				reads = append(reads, &ir.Stmt{Dst: []*ir.Var{v}, Op: &ir.View{Fn: ir.Flatten, Args: []ir.Atom{out}}, Pos: s.Pos})
			} else {
				reads = append(reads, &ir.Stmt{Dst: []*ir.Var{v}, Op: &ir.Index{X: out, I: zeroIndex}, Pos: s.Pos})
			}
			sub[d] = v
		}
	}
	outside := &ir.Block{Stmts: rest, Results: b.Results}
	substitute(outside, sub)
	stmts := append(append([]*ir.Stmt(nil), b.Stmts[:at]...), before...)
	if len(stmt.Dst) > 0 {
		stmts = append(stmts, stmt)
		stmts = append(stmts, reads...)
	} else { // only checks are left of it
		body.Results = []ir.Atom{zeroIndex}
		stmt.Dst = []*ir.Var{names.Var("once", ir.Seq(ir.Int))}
		stmts = append(stmts, stmt)
	}
	end := len(stmts) - 1
	b.Stmts = append(stmts, outside.Stmts...)
	b.Results = outside.Results
	return end
}

// regionEnd returns the position of the last statement that makes, updates or carries one of the arrays that are made
// from at on up to it.
func regionEnd(b *ir.Block, at int) int {
	allocs := ir.Allocs(b)
	mine := map[*ir.Stmt]bool{}
	for last := at; ; {
		for _, s := range b.Stmts[at : last+1] { // arrays that are made on the way come in as well
			if _, ok := s.Op.(*ir.Alloc); ok {
				mine[s] = true
			}
		}
		end := last
		for i, s := range b.Stmts[last+1:] {
			ir.Walk(&ir.Block{Stmts: []*ir.Stmt{s}}, func(s *ir.Stmt) { // what a branch makes of an array may be lost behind it
				for _, d := range s.Dst {
					if mine[allocs[d]] {
						end = last + 1 + i
					}
				}
			})
		}
		if end == last {
			return last
		}
		last = end
	}
}
