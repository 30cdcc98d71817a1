package lower

import (
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// alloc gives an array that is updated in place its memory: where the operator around it stores its result, if the array
// is that result, or scratch memory.
func (l *lowerer) alloc(s *ir.Stmt, op *ir.Alloc, e *env) {
	if l.width > 1 {
		veto("level %d cannot use lanes: each of its elements updates a sequence of its own (%s)", l.laneLevel, s.Dst[0].Name)
	}
	if l.dev != nil && l.dev.team != kir.Item {
		veto("a sequence that is updated in place (%s) belongs to one work-item, and here %s works together", s.Dst[0].Name, l.dev.team)
	}
	n := l.atom(op.N, e)
	arr := l.destination(s.Dst[0], n.x, e)
	l.emit(&kir.Call{R: &kir.Routine{Name: "zero", Args: []kir.Arg{{A: arr.a, X: orZero(arr.off)}, {X: n.x}}}})
}

// update writes an element where it lies: nothing else reads the old version.
func (l *lowerer) update(s *ir.Stmt, op *ir.Update, e *env) {
	arr := l.atom(op.X, e).arr
	i, x := l.atom(op.I, e), l.atom(op.Value, e)
	if l.width > 1 || i.form != uniform || x.form != uniform {
		veto("level %d cannot use lanes: a sequence is updated element by element", l.laneLevel)
	}
	l.emit(&kir.Store{A: arr.a, I: l.at(arr, i.x), X: x.x})
	e.m[s.Dst[0]] = value{arr: arr}
}

// scoped runs f with the scratch memory that it takes for the blocks given back at the end.
func (l *lowerer) scoped(f func(), blocks ...*ir.Block) {
	need := false
	for _, b := range blocks {
		need = need || l.needsScratch(b)
	}
	if l.width > 1 || !need || l.dev != nil {
		f()
		return
	}
	sc := &kir.Scoped{}
	l.inside(&sc.Body, f)
	l.emit(sc)
}
