package fuse

import "github.com/surge-ndp/surge/ops/ir"

// prune leaves of a statement what some of its results need, and its checks: unlike [dropDead] it takes what a loop
// only hands to its own next turn for dead.
func prune(s *ir.Stmt, only map[*ir.Var]bool) {
	l := &liveness{live: only}
	around := &ir.Block{Stmts: []*ir.Stmt{s}}
	for l.changed = true; l.changed; {
		l.changed = false
		l.block(around)
	}
	l.sweep(around)
}

// liveness is what is known to be needed.
type liveness struct {
	live    map[*ir.Var]bool
	changed bool
}

func (l *liveness) mark(as ...ir.Atom) {
	for _, a := range as {
		if v, ok := a.(*ir.Var); ok && !l.live[v] {
			l.live[v], l.changed = true, true
		}
	}
}

// needed reports whether a statement yields something that is needed, or holds a check or a call.
func (l *liveness) needed(s *ir.Stmt) bool {
	switch s.Op.(type) {
	case *ir.Check, *ir.Call:
		return true
	}
	for _, d := range s.Dst {
		if l.live[d] {
			return true
		}
	}
	for _, b := range ir.Blocks(s.Op) {
		for _, t := range b.Stmts {
			if l.needed(t) {
				return true
			}
		}
	}
	return false
}

func (l *liveness) block(b *ir.Block) {
	for i := len(b.Stmts) - 1; i >= 0; i-- {
		s := b.Stmts[i]
		if !l.needed(s) {
			continue
		}
		switch op := s.Op.(type) {
		case *ir.Loop:
			for k, p := range op.Params {
				if l.live[s.Dst[k]] || l.live[p] {
					l.mark(p, op.Init[k], op.Body.Results[k])
				}
			}
			if op.I != nil {
				l.mark(op.Lo, op.Hi)
			}
			if op.Cond != nil {
				l.mark(op.Cond.Results...)
				l.block(op.Cond)
			}
			l.block(op.Body)
		case *ir.If:
			l.mark(op.Cond)
			for k, d := range s.Dst {
				if l.live[d] {
					l.mark(op.Then.Results[k], op.Else.Results[k])
				}
			}
			l.block(op.Then)
			l.block(op.Else)
		default:
			for _, a := range ir.Operands(op) {
				l.mark(*a)
			}
			for _, c := range ir.Blocks(op) {
				for _, v := range ir.Free(c) {
					l.mark(v)
				}
			}
		}
	}
}

// sweep removes what is not needed.
func (l *liveness) sweep(b *ir.Block) {
	var kept []*ir.Stmt
	for _, s := range b.Stmts {
		if !l.needed(s) {
			continue
		}
		switch op := s.Op.(type) {
		case *ir.Loop:
			keep := func(k int) bool { return l.live[op.Params[k]] || l.live[s.Dst[k]] }
			dst := only(s.Dst, keep)
			init, results := only(op.Init, keep), only(op.Body.Results, keep)
			op.Params, op.Init, op.Body.Results = only(op.Params, keep), init, results
			s.Dst = dst
			if op.Cond != nil {
				l.sweep(op.Cond)
			}
			l.sweep(op.Body)
		case *ir.If:
			keep := func(k int) bool { return l.live[s.Dst[k]] }
			op.Then.Results, op.Else.Results = only(op.Then.Results, keep), only(op.Else.Results, keep)
			s.Dst = only(s.Dst, keep)
			l.sweep(op.Then)
			l.sweep(op.Else)
		}
		kept = append(kept, s)
	}
	b.Stmts = kept
}
