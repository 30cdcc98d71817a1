package lower

import (
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// runner is what runs the statements of a computation: a worker of a processor's pool (see worker), or a team of a
// device's work-items (see device). The walk over the IR is one. Where it matters who runs the code, it asks the
// runner.
type runner interface {
	// takes lowers an operator of a level that is spread over resources in a way of the runner's own, and reports
	// whether it did.
	takes(s *ir.Stmt, e *env, depth int, lv level) bool
	// takesTogether lowers a Map for several elements of the level around it in a way of the runner's own, and reports
	// whether it did.
	takesTogether(s *ir.Stmt, op *ir.Map, es []*env, depth int, lv level) bool
	// computed is called when an operator that the runner did not take has been lowered.
	computed(s *ir.Stmt, depth int)
	// spread emits a loop over n elements that are handed to the resources of a level, and their bodies.
	spread(n kir.Expr, name string, depth int, lv level, s *ir.Stmt, what string, e *env, element func(i kir.Expr, e *env))
	// eachElement emits one element of an operator by f, eachTurn one turn of a loop.
	eachElement(f func())
	eachTurn(f func())
	// counting emits a loop over i between bounds by f.
	counting(i *kir.Var, depth int, lo, hi kir.Expr, f func())
	// loopBarriers refuses barriers in the body of a loop over [lo, hi) to which not all come who wait for each
	// other, and barriersMet in the bodies of what else differs between them.
	loopBarriers(lo, hi kir.Expr, body []kir.Stmt)
	barriersMet(what string, bodies ...[]kir.Stmt)
	// ifLeader emits what one of those who run the code does for all.
	ifLeader(f func())
	// inStep reports whether workers go through an element each at the same time, some of them through one again.
	inStep() bool
	// oneWorker refuses, with the reason why, what belongs to one worker, where several work together.
	oneWorker(why string)
	// scratchOf gives d, of n elements, memory that one worker or one team owns, so many times over. bounded reports
	// whether it can, for a length that is known where it is computed alone.
	scratchOf(d *ir.Var, n kir.Expr, times int, e *env) *array
	bounded(n kir.Expr) bool
	// row is told that a row of n elements from lo on was taken of a stored nested sequence.
	row(lo, n kir.Expr, of *kir.Array)
	// staged is the read of a statement where it was made before for all who run the code, nil for most.
	staged(s *ir.Stmt, e *env) kir.Expr
	// leave is where a failed check of these values goes.
	leave(args []kir.Expr) string
	// declares is told what a variable is declared as, and counts that it counts the turns of a loop: it is less than
	// an int.
	declares(v *kir.Var, x kir.Expr)
	counts(v *kir.Var)
	// wraps reports whether an operation of the user on integers may leave their range, where that is to be said.
	wraps(fn ir.BinaryFn, x, y kir.Expr) bool
	// can says what the runner has.
	can() abilities
}

// abilities are what not every runner has.
type abilities struct {
	lanes  bool // vectors inside an element
	tables bool // memory for several tables of bins
	watch  bool // loops that may look whether the run was stopped
	scopes bool // scratch memory is given back
	fused  bool // multiply-adds of scalars, in register tiles
}
