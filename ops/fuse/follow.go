package fuse

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// TraitFollows marks the outermost level of a computation that follows the one before it: that one is a Map of equal
// length, both read an input at the element that they are at, and what the second needs of the first's results is the
// element that it is at too. Platforms can run the two chunk by chunk in turns, so that the input is in a cache the
// second time.
const TraitFollows = "follows"

// follow moves computations behind those that they follow.
func follow(f *ir.Func) {
	stmts, fails := f.Body.Stmts, Split(f).failing()
	for at := 0; at < len(stmts); at++ {
		for j := at + 1; j < len(stmts); j++ {
			if !follows(stmts[at], stmts[j], fails) {
				continue
			}
			if moved := behind(stmts, at, j, fails); moved != nil {
				stmts = moved
				for stmts[at+1] != f.Body.Stmts[j] { // what the second needs stands before both now
					at++
				}
				at++ // a pair is no more than two
				break
			}
		}
		f.Body.Stmts = stmts
	}
}

// failing returns what reports whether a statement can fail while the kernel runs: it is or holds a check that the
// inputs alone do not decide.
func (k *Kernel) failing() func(*ir.Stmt) bool {
	hoisted, late := k.HoistedChecks(), k.Late()
	return func(s *ir.Stmt) bool {
		if indexOf(s.Op) == nil {
			return late[s] && !ir.Pure(s)
		}
		found := false
		for _, b := range ir.Blocks(s.Op) {
			ir.Walk(b, func(t *ir.Stmt) {
				c, check := t.Op.(*ir.Check)
				_, call := t.Op.(*ir.Call)
				found = found || check && !hoisted[c] || call
			})
		}
		return found
	}
}

// markFollowing marks the computations that follow the one before them.
func (k *Kernel) markFollowing() {
	fails := k.failing()
	for i := 1; i < len(k.Computations); i++ {
		first, c := k.Computations[i-1], k.Computations[i]
		beside := slices.Index(k.Func.Body.Stmts, c.Stmt) == slices.Index(k.Func.Body.Stmts, first.Stmt)+1
		if beside && !first.Follows && c.Probe == nil && follows(first.Stmt, c.Stmt, fails) {
			c.Follows = true
			c.Sequence[0].Traits = append(c.Sequence[0].Traits, TraitFollows)
		}
	}
}

// behind moves statement j right behind the Map at, and what j needs of the statements between to before both. It
// returns nil if something there cannot be moved, or if another one of two statements that can fail would then run
// first.
func behind(stmts []*ir.Stmt, at, j int, fails func(*ir.Stmt) bool) []*ir.Stmt {
	tainted := map[*ir.Var]bool{} // results of computations from at on, and what depends on them
	mark := func(s *ir.Stmt) {
		for _, d := range s.Dst {
			tainted[d] = true
		}
	}
	mark(stmts[at])
	failed := fails(stmts[at]) // whether a statement that can fail would now run behind one that moves to before it
	var before, after []*ir.Stmt
	for _, s := range stmts[at+1 : j] {
		if indexOf(s.Op) == nil && !dependsOn(s, tainted) {
			if failed && fails(s) {
				return nil
			}
			before = append(before, s)
			continue
		}
		failed = failed || fails(s)
		if indexOf(s.Op) == nil && !ir.Pure(s) || fails(s) && fails(stmts[j]) {
			return nil
		}
		after = append(after, s)
		mark(s)
	}
	for _, d := range stmts[at].Dst {
		delete(tainted, d)
	}
	if dependsOn(stmts[j], tainted) {
		return nil
	}
	return slices.Concat(stmts[:at], before, []*ir.Stmt{stmts[at], stmts[j]}, after, stmts[j+1:])
}

// follows reports whether a computation may share chunks with a Map before it, and whether that saves reading
// something. Of two that can fail the first one has to fail first.
func follows(first, s *ir.Stmt, fails func(*ir.Stmt) bool) bool {
	m, ok := first.Op.(*ir.Map)
	if !ok || ir.OperatorLength(s.Op) != m.N || slices.ContainsFunc(first.Dst, nested) || slices.ContainsFunc(s.Dst, nested) {
		return false
	}
	if _, known := m.N.(ir.Const); known {
		return false
	}
	switch s.Op.(type) {
	case *ir.Map, *ir.Reduce, *ir.Hist:
	default:
		return false
	}
	results := map[*ir.Var]bool{}
	for _, d := range first.Dst {
		results[d] = true
	}
	if !elementwise(s, results) || fails(first) && fails(s) {
		return false
	}
	inputs := ownReads(m)
	for x := range ownReads(s.Op) {
		if inputs[x] {
			return true
		}
	}
	return false
}

func nested(v *ir.Var) bool { return v.T.Rank > 1 }

// elementwise reports whether an operator reads arrays at its own index only.
func elementwise(s *ir.Stmt, arrays map[*ir.Var]bool) bool {
	is := func(a ir.Atom) bool {
		v, ok := a.(*ir.Var)
		return ok && arrays[v]
	}
	ok := true
	for _, a := range ir.Operands(s.Op) {
		ok = ok && !is(*a)
	}
	own := indexOf(s.Op)
	var visit func(b *ir.Block)
	visit = func(b *ir.Block) {
		for _, t := range b.Stmts {
			if read, isRead := t.Op.(*ir.Index); isRead && is(read.X) && read.I == ir.Atom(own) {
				continue
			}
			for _, a := range ir.Operands(t.Op) {
				ok = ok && !is(*a)
			}
			for _, c := range ir.Blocks(t.Op) {
				visit(c)
			}
		}
		ok = ok && !slices.ContainsFunc(b.Results, is)
	}
	for _, b := range ir.Blocks(s.Op) {
		visit(b)
	}
	return ok
}

// ownReads returns the sequences that an operator reads at places that its index and arithmetic give.
func ownReads(op ir.Op) map[*ir.Var]bool {
	from := map[ir.Atom]bool{indexOf(op): true} // the index, and what is computed from it
	arrays := map[*ir.Var]bool{}
	for _, b := range ir.Blocks(op) {
		ir.Walk(b, func(s *ir.Stmt) {
			switch s.Op.(type) {
			case *ir.Unary, *ir.Binary, *ir.FMA, *ir.Convert, *ir.Select:
				for _, a := range ir.Operands(s.Op) {
					if from[*a] {
						from[s.Dst[0]] = true
					}
				}
			case *ir.Index:
				read := s.Op.(*ir.Index)
				if x, ok := read.X.(*ir.Var); ok && from[read.I] {
					arrays[x] = true
				}
			}
		})
	}
	return arrays
}
