package lower

import (
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// carried is a sequence that goes from one turn of a loop to the next. Its memory holds two of them: a turn reads the
// one at `at` and writes the other, and then they change places.
type carried struct {
	a    *kir.Array
	n    kir.Expr
	at   *kir.Var
	ends kir.Expr // where the two begin, added up
	next *array   // what the current turn writes
}

// doubleBuffered finds the sequences that only a loop reads, to begin with: they get memory for a second one.
func doubleBuffered(b *ir.Block, updated map[*ir.Var]*ir.Stmt) map[*ir.Var]bool {
	uses := map[ir.Atom]int{}
	found := map[*ir.Var]bool{}
	var visit func(b *ir.Block)
	visit = func(b *ir.Block) {
		for _, s := range b.Stmts {
			for _, a := range ir.Operands(s.Op) {
				uses[*a]++
			}
			if op, ok := s.Op.(*ir.Loop); ok {
				for i, p := range op.Params {
					if v, ok := op.Init[i].(*ir.Var); ok && p.T.Rank > 0 && updated[p] == nil {
						found[v] = true
					}
				}
			}
			for _, c := range ir.Blocks(s.Op) {
				visit(c)
			}
		}
		for _, a := range b.Results {
			uses[a]++
		}
	}
	visit(b)
	for v := range found {
		if uses[v] > 1 {
			delete(found, v)
		}
	}
	return found
}

// carry gives the sequences that a loop carries their memory, and enters those that the first turn reads.
func (l *lowerer) carry(op *ir.Loop, init []value, e *env) {
	for i, p := range op.Params {
		if p.T.Rank == 0 || l.allocs[p] != nil {
			continue
		}
		if l.width > 1 {
			veto("level %d cannot use lanes: each of its elements carries a sequence through a loop (%s)", l.laneLevel, p.Name)
		}
		from := init[i].arr
		both := from
		n := l.letExpr("n", from.length(l, e))
		if !from.doubled {
			both = l.scratchFor(p, n, true, e)
			l.copyArray(both, from, n)
		}
		c := &carried{a: both.a, n: n, at: l.fresh(p.Name+"At", kir.Int)}
		c.ends = l.letExpr("ends", add(add(both.off, both.off), n))
		l.emit(&kir.Let{V: c.at, X: orZero(both.off)})
		l.swapped[p] = c
		e.m[p] = value{arr: &array{a: c.a, off: &kir.Ref{V: c.at}, n: n}}
	}
}

// turnOf lowers the body of a loop: what it carries to the next turn is computed where that one reads it.
func (l *lowerer) turnOf(op *ir.Loop, e *env, depth int) []value {
	for i, p := range op.Params {
		c := l.swapped[p]
		if c == nil {
			continue
		}
		c.next = &array{a: c.a, off: l.letExpr("next", sub(c.ends, &kir.Ref{V: c.at})), n: c.n}
		v := op.Body.Results[i].(*ir.Var)
		if made := l.allocs[v]; made != nil {
			v = made.Dst[0]
		}
		l.dest[v] = c.next
	}
	return l.block(op.Body, e, depth)
}

// keep sees to it that the sequence that the next turn reads as p is where that one looks for it: what was computed
// before the loop, or is carried twice, is copied.
func (l *lowerer) keep(p *ir.Var, arr *array) {
	c := l.swapped[p]
	if c == nil { // updated in place
		return
	}
	if arr != c.next {
		l.copyArray(c.next, arr, c.n)
	}
}

func (l *lowerer) copyArray(to, from *array, n kir.Expr) {
	l.on.oneWorker("a sequence that a loop carries is computed outside of it")
	i := l.fresh("i", kir.Int)
	node := &kir.For{V: i, Lo: intConst(0), Hi: n, Step: 1}
	l.inside(&node.Body, func() {
		at := &kir.Ref{V: i}
		l.emit(&kir.Store{A: to.a, I: l.at(to, at), X: &kir.Load{A: from.a, I: l.at(from, at), T: kir.ScalarType(from.a.Kind)}})
	})
	l.emit(node)
}

// scratchFor takes scratch memory for the n elements of d, or for two sequences as long.
func (l *lowerer) scratchFor(d *ir.Var, n kir.Expr, doubled bool, e *env) *array {
	times := 1
	if doubled {
		times = 2
	}
	arr := l.on.scratchOf(d, n, times, e)
	arr.doubled = doubled
	return arr
}
