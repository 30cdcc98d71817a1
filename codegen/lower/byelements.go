package lower

import (
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// byElements emits a Map of rows that threads share by elements: chunks of rows of which each is one thread's, and then
// the rows that are too long for that, of which all threads take parts if a level inside is theirs.
func (l *lowerer) byElements(s *ir.Stmt, op *ir.Map, n kir.Expr, e *env, depth int, lv level, run func(lo, hi kir.Expr, e *env), element func(i value, e *env)) {
	switch {
	case depth > 0 || !lv.pool:
		veto("rows are shared by elements among threads, and level %d is not divided among them", depth+1)
	case lv.lanes():
		veto("level %d cannot use lanes: its rows differ in length", depth+1)
	}
	levels := l.levels
	defer func() { l.levels = levels }()
	divided := false
	l.levels = append([]level(nil), levels...)
	for d := depth + 1; d < len(levels); d++ {
		divided = divided || levels[d].pool
		l.levels[d].pool = false
	}
	p := l.par(n, depth, s.Pos, "map", func(p *kir.Par) { run(&kir.Ref{V: p.Lo}, &kir.Ref{V: p.Hi}, e.child()) })
	p.By = l.rowOffsets(op.By.(*ir.Var), e)
	if !divided {
		return
	}
	l.levels = levels
	p.Long = &kir.LongRows{I: l.fresh(op.I.Name, kir.Int)}
	l.inside(&p.Long.Body, func() {
		l.withRooms(func() { element(scalar(&kir.Ref{V: p.Long.I}), e.child()) })
	})
}

// rowOffsets returns the offsets of rows: a sequence that has them, or those of a nested one.
func (l *lowerer) rowOffsets(by *ir.Var, e *env) *kir.Array {
	v, ok := e.get(by)
	switch {
	case !ok || v.arr == nil:
		veto("nothing says how long the rows are that are to be shared by elements")
	case by.T.Rank == 1:
		return v.arr.a
	case v.arr.rows == nil || v.arr.rows.offsets == nil:
		veto("the rows that are to be shared by elements are all as long")
	}
	return v.arr.rows.offsets
}
