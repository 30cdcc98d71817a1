package lower

import (
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// What the walk asks a team of work-items, beside what other files hold (see runner).

// computed has those who wait for a sequence see it.
func (dv *device) computed(s *ir.Stmt, depth int) {
	if depth > 0 {
		dv.written(s)
	}
}

// eachElement emits one element of a sequential level, which a group runs together or in step.
func (dv *device) eachElement(f func()) {
	if dv.team == kir.Group || dv.inStep() {
		dv.eachTurn(func() { dv.labelled("next", f) })
		return
	}
	f()
}

// loopBarriers allows barriers in a loop that all logical warps of a group turn equally often.
func (dv *device) loopBarriers(lo, hi kir.Expr, body []kir.Stmt) {
	if dv.team != kir.Warp || dv.hostExpr(lo) == nil || dv.hostExpr(hi) == nil {
		dv.barriersMet("a loop", body)
	}
}

func (dv *device) oneWorker(why string) {
	if dv.team != kir.Item {
		veto("%s, and here the work-items of a %s work together", why, dv.team)
	}
}

func (dv *device) bounded(n kir.Expr) bool { return dv.hostBound(n) != nil }

// row notes a part of memory that belongs to one element of level 1 alone.
func (dv *device) row(lo, n kir.Expr, of *kir.Array) {
	if dv.ownRow(lo) {
		dv.spans = append(dv.spans, span{lo, n, &kir.Length{A: of}})
	}
}

// staged reads what the group brought into local memory.
func (dv *device) staged(s *ir.Stmt, e *env) kir.Expr {
	a := dv.tiles[s]
	if a == nil {
		return nil
	}
	j, _ := e.get(dv.tileIndex)
	return &kir.Load{A: a, I: sub(j.x, dv.tile), T: kir.ScalarType(a.Kind)}
}

func (dv *device) declares(v *kir.Var, x kir.Expr) { dv.lets[v] = x }

func (dv *device) can() abilities { return abilities{fused: true} }
