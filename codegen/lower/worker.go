package lower

import (
	"fmt"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// worker is a worker of a processor's pool: it runs an element alone, and has the lanes of its vectors for it.
type worker struct{ *lowerer }

// takes leaves operators to the walk. It refuses to write out several elements where that saves nothing.
func (w *worker) takes(s *ir.Stmt, _ *env, depth int, lv level) bool {
	if lv.unroll > 1 {
		loops, size := extent(s.Op)
		if loops && !lv.lanes() {
			veto("level %d holds a loop: unrolling it would repeat that loop, not shorten it", depth+1)
		}
		if size > unrolledSize {
			veto("an element of level %d is %d operations or more: the processor overlaps no more of them if several are written out", depth+1, unrolledSize)
		}
	}
	return false
}

func (w *worker) spread(_ kir.Expr, _ string, depth int, _ level, _ *ir.Stmt, _ string, _ *env, _ func(kir.Expr, *env)) {
	panic(fmt.Sprintf("lower: level %d is spread over work-items, and a processor has none", depth+1))
}

// scratchOf takes scratch memory of the worker.
func (w *worker) scratchOf(d *ir.Var, n kir.Expr, times int, _ *env) *array {
	arr := &array{a: &kir.Array{Name: w.name(d.Name), Kind: d.T.Kind, Space: kir.Scratch}, n: n}
	w.emit(&kir.AllocScratch{A: arr.a, N: multiple(n, times)})
	return arr
}

func (w *worker) can() abilities {
	return abilities{lanes: true, tables: true, watch: true, scopes: true}
}

func (w *worker) takesTogether(*ir.Stmt, *ir.Map, []*env, int, level) bool { return false }
func (w *worker) eachElement(f func())                                     { f() }
func (w *worker) eachTurn(f func())                                        { f() }
func (w *worker) counting(_ *kir.Var, _ int, _, _ kir.Expr, f func())      { f() }
func (w *worker) inStep() bool                                             { return false }
func (w *worker) ifLeader(f func())                                        { f() }
func (w *worker) computed(*ir.Stmt, int)                                   {}
func (w *worker) loopBarriers(_, _ kir.Expr, _ []kir.Stmt)                 {}
func (w *worker) barriersMet(string, ...[]kir.Stmt)                        {}
func (w *worker) oneWorker(string)                                         {}
func (w *worker) bounded(kir.Expr) bool                                    { return true }
func (w *worker) row(_, _ kir.Expr, _ *kir.Array)                          {}
func (w *worker) staged(*ir.Stmt, *env) kir.Expr                           { return nil }
func (w *worker) leave([]kir.Expr) string                                  { return "" }
func (w *worker) declares(*kir.Var, kir.Expr)                              {}
func (w *worker) counts(*kir.Var)                                          {}
func (w *worker) wraps(ir.BinaryFn, kir.Expr, kir.Expr) bool               { return false }
