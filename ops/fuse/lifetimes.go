package fuse

import (
	"slices"

	"github.com/surge-ndp/surge/ops/ir"
)

// lifetimes says when the arrays of a function that are updated in place change, by the numbers of statements in the
// order of [ir.Walk].
type lifetimes struct {
	allocs  map[*ir.Var]*ir.Stmt
	at      map[*ir.Stmt]int
	ends    map[*ir.Stmt]int       // the number of the last statement in one, or its own
	around  map[*ir.Stmt][]stretch // the loops and operators around a statement
	changes map[*ir.Stmt][]int     // of each Alloc: where a version is updated, or carried further
}

// stretch are the numbers of the first and the last statement in a loop or an operator, itself included.
type stretch struct{ first, last int }

func lifetimesOf(b *ir.Block) *lifetimes {
	l := &lifetimes{allocs: ir.Allocs(b), at: map[*ir.Stmt]int{}, ends: map[*ir.Stmt]int{}, around: map[*ir.Stmt][]stretch{}, changes: map[*ir.Stmt][]int{}}
	n := 0
	change := func(at int, as ...ir.Atom) {
		for _, a := range as {
			if v, ok := a.(*ir.Var); ok && l.allocs[v] != nil {
				l.changes[l.allocs[v]] = append(l.changes[l.allocs[v]], at)
			}
		}
	}
	var block func(b *ir.Block, loops []*ir.Stmt)
	outer := map[*ir.Stmt][]*ir.Stmt{}
	block = func(b *ir.Block, loops []*ir.Stmt) {
		for _, s := range b.Stmts {
			n++
			l.at[s], outer[s] = n, loops
			inner := loops
			switch op := s.Op.(type) {
			case *ir.Update:
				change(n, op.X)
			case *ir.Grow:
				change(n, op.X)
			case *ir.Loop:
				change(n, op.Init...)
				inner = append(loops[:len(loops):len(loops)], s)
			case *ir.If:
			default:
				if indexOf(op) != nil {
					inner = append(loops[:len(loops):len(loops)], s)
				}
			}
			for _, c := range ir.Blocks(s.Op) {
				block(c, inner)
				change(n, c.Results...)
			}
			l.ends[s] = n
		}
	}
	block(b, nil)
	for s, loops := range outer {
		for _, loop := range loops {
			l.around[s] = append(l.around[s], stretch{l.at[loop], l.ends[loop]})
		}
	}
	return l
}

// keep reports whether a loop reads nothing that is updated in place behind it, in this turn of the loops around it or
// in the next, besides the arrays that it carries: then an operator may stand for it (see [ir.Alloc]).
func (l *lifetimes) keep(s *ir.Stmt) bool {
	carried := map[*ir.Stmt]bool{}
	for _, p := range s.Op.(*ir.Loop).Params {
		carried[l.allocs[p]] = true
	}
	for _, b := range ir.Blocks(s.Op) {
		for _, v := range ir.Free(b) {
			made := l.allocs[v]
			if !carried[made] && made != nil && l.changesBehind(made, s, l.at[s]) {
				return false
			}
		}
	}
	return true
}

// last reports whether the arrays that a loop carries do not change any more when it has ended.
func (l *lifetimes) last(s *ir.Stmt) bool {
	for _, p := range s.Op.(*ir.Loop).Params {
		if made := l.allocs[p]; made != nil && l.changesBehind(made, s, l.ends[s]) {
			return false
		}
	}
	return true
}

// changesBehind reports whether an array changes behind the statement of number last, which is s or the last one in
// it, or again in the next turn of a loop around s that does not make it anew.
func (l *lifetimes) changesBehind(made, s *ir.Stmt, last int) bool {
	return slices.ContainsFunc(l.changes[made], func(at int) bool {
		return at > last || slices.ContainsFunc(l.around[s], func(loop stretch) bool {
			return at >= loop.first && at <= loop.last && (l.at[made] < loop.first || l.at[made] > loop.last)
		})
	})
}

// zeros reports whether a version of an array is that which was made, as nothing has changed it.
func (l *lifetimes) zeros(a ir.Atom) bool {
	v, _ := a.(*ir.Var)
	return l.allocs[v] != nil && l.allocs[v].Dst[0] == v
}
