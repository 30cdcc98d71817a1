package lower

import (
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
)

// carried is a sequence that goes from one turn of a loop to the next. A turn reads it where it lies at `at` and writes
// what comes in its place at `to`, and then these change places; or another sequence that the loop carries comes in its
// place, and nothing is written.
type carried struct {
	a    *kir.Array
	n    kir.Expr
	at   *kir.Var
	ends kir.Expr // where its two places begin, added up; nil for one of several that change places
	to   *kir.Var // where a turn writes, for one of these that a turn computes
	from *carried // what the next turn finds in its place, if that is carried as well
	next *array   // what the current turn writes
}

// carry gives the sequences that a loop carries their memory, and enters those that the first turn reads.
func (l *lowerer) carry(op *ir.Loop, init []value, e *env) {
	rotating := fuse.Rotating(op, l.allocs)
	for i, p := range op.Params {
		if p.T.Rank == 0 || l.allocs[p] != nil {
			continue
		}
		if l.width > 1 {
			veto("level %d cannot use lanes: each of its elements carries a sequence through a loop (%s)", l.laneLevel, p.Name)
		}
		if _, ok := rotating[p]; ok {
			continue
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
	done := map[ir.Type]bool{}
	for _, p := range op.Params { // memory holds numbers of one kind
		if _, ok := rotating[p]; ok && !done[p.T] {
			done[p.T] = true
			l.carryRotating(op, p.T, rotating, init, e)
		}
	}
}

// carryRotating gives the sequences of type t that change places from turn to turn one memory, with a place for each,
// and one for each that a turn computes.
func (l *lowerer) carryRotating(op *ir.Loop, t ir.Type, rotating map[*ir.Var]*ir.Var, init []value, e *env) {
	var all []*ir.Var
	places, most := 0, kir.Expr(nil) // most is the longest one: where they differ, a check ends the first turn
	lengths := map[*ir.Var]kir.Expr{}
	for i, p := range op.Params {
		from, ok := rotating[p]
		if !ok || p.T != t {
			continue
		}
		all = append(all, p)
		places++
		if from == nil {
			places++
		}
		n := l.letExpr("n", init[i].arr.length(l, e))
		lengths[p] = n
		if most == nil {
			most = n
		} else if !kir.Equal(most, n) {
			most = &kir.Bin{Fn: ir.Max, X: most, Y: n, T: kir.Int}
		}
	}
	memory := l.on.scratchOf(all[0], most, places, e)
	place := orZero(memory.off)
	take := func(name string) *kir.Var {
		v := l.fresh(name, kir.Int)
		l.emit(&kir.Let{V: v, X: place})
		place = add(&kir.Ref{V: v}, most)
		return v
	}
	for i, p := range op.Params {
		from, ok := rotating[p]
		if !ok || p.T != t {
			continue
		}
		c := &carried{a: memory.a, n: lengths[p], at: take(p.Name + "At")}
		if from == nil {
			c.to = take(p.Name + "To")
		}
		l.swapped[p] = c
		at := &array{a: c.a, off: &kir.Ref{V: c.at}, n: c.n}
		l.copyArray(at, init[i].arr, c.n)
		e.m[p] = value{arr: at}
	}
	for _, p := range all {
		if from := rotating[p]; from != nil {
			l.swapped[p].from = l.swapped[from]
		}
	}
}

// turnOf lowers the body of a loop: what it carries to the next turn is computed where that one reads it.
func (l *lowerer) turnOf(op *ir.Loop, e *env, depth int) []value {
	for i, p := range op.Params {
		c := l.swapped[p]
		if c == nil || c.from != nil {
			continue
		}
		c.next = &array{a: c.a, n: c.n}
		if c.to != nil {
			c.next.off = &kir.Ref{V: c.to}
		} else {
			c.next.off = l.letExpr("next", sub(c.ends, &kir.Ref{V: c.at}))
		}
		v := op.Body.Results[i].(*ir.Var)
		if made := l.allocs[v]; made != nil {
			v = made.Dst[0]
		} else if view, ok := l.defs[v].(*ir.View); ok && view.Fn == ir.Flatten { // rows lie as their elements do
			v = view.Args[0].(*ir.Var)
		}
		l.dest[v] = c.next
	}
	return l.block(op.Body, e, depth)
}

// rotate moves the sequences that a loop carries to where the next turn finds them.
func (l *lowerer) rotate(op *ir.Loop) {
	var sets []kir.Stmt
	set := func(v *kir.Var, x kir.Expr) { sets = append(sets, &kir.Set{V: v, X: x}) }
	was := map[*carried]kir.Expr{} // where sequences lie that change places
	for _, p := range op.Params {
		if c := l.swapped[p]; c != nil && c.ends == nil {
			v := l.fresh("was", kir.Int)
			l.emit(&kir.Let{V: v, X: &kir.Ref{V: c.at}})
			was[c] = &kir.Ref{V: v}
		}
	}
	kept := map[*carried]bool{}
	for _, p := range op.Params {
		switch c := l.swapped[p]; {
		case c == nil:
		case c.ends != nil:
			set(c.at, orZero(c.next.off))
		case c.from != nil:
			kept[c.from] = true
			set(c.at, was[c.from])
		default:
			set(c.at, &kir.Ref{V: c.to})
		}
	}
	var free []kir.Expr // the places of what no turn reads any more
	for _, p := range op.Params {
		if c := l.swapped[p]; c != nil && c.ends == nil && !kept[c] {
			free = append(free, was[c])
		}
	}
	for _, p := range op.Params {
		if c := l.swapped[p]; c != nil && c.to != nil {
			set(c.to, free[0])
			free = free[1:]
		}
	}
	for _, s := range sets {
		l.emit(s)
	}
}

// keep sees to it that the sequence that the next turn reads as p is where that one looks for it: what was computed
// before the loop, or is carried twice, is copied.
func (l *lowerer) keep(p *ir.Var, arr *array) {
	c := l.swapped[p]
	if c == nil || c.from != nil { // updated in place, or moved
		return
	}
	if arr.a != c.next.a || arr.off != c.next.off {
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
