package load

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// prune drops results of If and parameters of Loop that nothing reads. Joining control flow makes one for every
// variable that a branch or a turn assigns, also for those whose value does not matter afterwards.
func prune(f *ir.Func) {
	for {
		used := map[*ir.Var]bool{}
		mark(f.Body, used)
		if !pruneBlock(f.Body, used) {
			return
		}
	}
}

// mark notes every variable that b reads.
func mark(b *ir.Block, used map[*ir.Var]bool) {
	use := func(a ir.Atom) {
		if v, ok := a.(*ir.Var); ok {
			used[v] = true
		}
	}
	for _, s := range b.Stmts {
		for _, a := range ir.Operands(s.Op) {
			use(*a)
		}
		switch op := s.Op.(type) {
		case *ir.Reduce:
			mark(op.Comb.Body, used)
			mark(op.Body, used)
		case *ir.Scan:
			mark(op.Comb.Body, used)
			mark(op.Body, used)
		case *ir.Hist:
			mark(op.Comb.Body, used)
			mark(op.Body, used)
		default:
			for _, c := range ir.Blocks(op) {
				mark(c, used)
			}
		}
	}
	for _, r := range b.Results {
		use(r)
	}
}

func pruneBlock(b *ir.Block, used map[*ir.Var]bool) bool {
	changed := false
	for _, s := range b.Stmts {
		switch op := s.Op.(type) {
		case *ir.If:
			for i := len(s.Dst) - 1; i >= 0; i-- {
				if !used[s.Dst[i]] {
					s.Dst = cut(s.Dst, i)
					op.Then.Results, op.Else.Results = cut(op.Then.Results, i), cut(op.Else.Results, i)
					changed = true
				}
			}
		case *ir.Loop:
			for i := len(s.Dst) - 1; i >= 0; i-- {
				if used[s.Dst[i]] {
					continue
				}
				if kept, ok := onlyItself(op, i); ok {
					op.Body.Stmts = kept
					s.Dst, op.Params, op.Init = cut(s.Dst, i), cut(op.Params, i), cut(op.Init, i)
					op.Body.Results = cut(op.Body.Results, i)
					changed = true
				}
			}
		}
		for _, c := range ir.Blocks(s.Op) {
			changed = pruneBlock(c, used) || changed
		}
	}
	return changed
}

// onlyItself reports whether parameter i of the loop is read by nothing but, perhaps, its own next value. It returns
// the statements of the body that are needed without it.
func onlyItself(l *ir.Loop, i int) (kept []*ir.Stmt, ok bool) {
	needs := map[*ir.Var]bool{}
	if l.Cond != nil {
		mark(l.Cond, needs)
	}
	for j, r := range l.Body.Results {
		if v, ok := r.(*ir.Var); ok && j != i {
			needs[v] = true
		}
	}
	// Walk backwards from what must stay: the other results, and statements that are impure.
	for j := len(l.Body.Stmts) - 1; j >= 0; j-- {
		s := l.Body.Stmts[j]
		need := !ir.Pure(s)
		for _, d := range s.Dst {
			need = need || needs[d]
		}
		if need {
			mark(&ir.Block{Stmts: []*ir.Stmt{s}}, needs)
			kept = append(kept, s)
		}
	}
	slices.Reverse(kept)
	return kept, !needs[l.Params[i]]
}

func cut[T any](s []T, i int) []T { return append(s[:i:i], s[i+1:]...) }
