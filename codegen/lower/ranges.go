package lower

import (
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// rangeLoop is the part [lo, hi) of an operator's index space.
type rangeLoop struct {
	body   *ir.Block
	i      *ir.Var
	n      ir.Atom // how many elements there are in all, for a Map
	lo, hi kir.Expr
	depth  int
	what   string
	pos    ir.Pos
	step   kir.Expr // nil is 1; otherwise a work-item's part of the range
	// several, if not nil, computes several vectors of elements at once, each in an environment of its own.
	several func(is []value, es []*env)
	// stores are the sequences that a Map writes.
	stores []*array
	// halves says that what is left after whole vectors may go through one of half the width. (Rows of 2 to 32
	// numbers that are added to bins take 1.19 of the time without that, and 1.27 with the narrower vectors alone.)
	halves bool
	// few says that there may be less than a vector of elements, as in short rows: then the vector code, and what begin
	// emits ahead of it, is left out.
	few   bool
	begin func()
	// combined is what the turns of the loop have in common, if it may run in lanes.
	combined []kir.Combined
	// tail, if not nil, computes what whole vectors leave of a row. Then few means less than tailLeast.
	tail func(i *kir.Var, hi kir.Expr, e *env)
	// first, if not nil, may compute whole vectors from i's value on up to hi, before the loop over those that are left.
	first func(i *kir.Var, hi kir.Expr, e *env)
}

// iterate runs element for every index of r: one by one, or as many at a time as the level has lanes and unrolling.
// The index value that element gets is contig in the vector part and uniform elsewhere; copy is the number of the
// unrolled copy. between, if not nil, is called after the vector loops and before the loop over what is left: it is
// done with the vector registers, and what it returns emits the scalar code that follows.
func (l *lowerer) iterate(r rangeLoop, lv level, e *env, element func(i value, copy int, e *env), between func() (after func())) {
	if lv.lanes() {
		l.iterateLanes(r, lv, e, element, between)
		return
	}
	plain := element
	element = func(i value, copy int, e *env) { l.on.eachElement(func() { plain(i, copy, e) }) }
	i := l.fresh(r.i.Name, kir.Int)
	l.on.counting(i, r.depth, r.lo, r.hi, func() {
		if lv.unroll > 1 {
			l.emit(&kir.Let{V: i, X: r.lo})
			l.steps(i, r.hi, lv.unroll, r, func() {
				for u := range lv.unroll {
					element(scalar(l.letExpr(r.i.Name, add(&kir.Ref{V: i}, intConst(u)))), u, e.child())
				}
			})
			rest := func() { element(scalar(&kir.Ref{V: i}), 0, e.child()) }
			if lv.unroll == 2 { // one is left, or none
				node := &kir.If{Cond: &kir.Bin{Fn: ir.Lt, X: &kir.Ref{V: i}, Y: r.hi, T: kir.ScalarType(ir.Bool)}}
				l.inside(&node.Then, rest)
				l.emit(node)
				return
			}
			l.steps(i, r.hi, 1, r, rest)
			return
		}
		l.on.counts(i)
		var body []kir.Stmt
		l.marking(lv, r.depth+1, func() {
			l.inside(&body, func() { element(scalar(&kir.Ref{V: i}), 0, e.child()) })
		})
		if r.step != nil {
			l.emit(&kir.Stride{V: i, Lo: r.lo, Hi: r.hi, Step: r.step, Pos: r.pos, What: r.what, Body: body})
			return
		}
		node := &kir.For{V: i, Lo: r.lo, Hi: r.hi, Step: 1, Pos: r.pos, What: r.what, Body: body}
		if lv.marked > 0 {
			node.Lanes, node.Combined = lv.marked, r.combined
			inLanesOf(node, r.depth+1)
		}
		l.emit(node)
	})
}

// steps emits a loop that goes on from i's value in steps while a whole step fits below hi.
func (l *lowerer) steps(i *kir.Var, hi kir.Expr, step int, r rangeLoop, body func()) {
	node := &kir.For{V: i, Hi: hi, Step: step, Whole: step > 1, Keep: true, Pos: r.pos, What: r.what}
	l.inside(&node.Body, body)
	l.emit(node)
}

func orZero(x kir.Expr) kir.Expr {
	if x == nil {
		return intConst(0)
	}
	return x
}

// skipDead makes lowering leave out the statements of a straight-line body that only reads made elsewhere needed, and
// returns the function that undoes it.
func (l *lowerer) skipDead(b *ir.Block, reads []*ir.Stmt) (restore func()) {
	leaf := map[*ir.Stmt]bool{}
	for _, s := range reads {
		leaf[s] = true
	}
	dead := deadIn(b, leaf, l.hoisted)
	var added []*ir.Stmt
	for s := range dead {
		if !l.skip[s] {
			l.skip[s] = true
			added = append(added, s)
		}
	}
	return func() {
		for _, s := range added {
			delete(l.skip, s)
		}
	}
}

// deadIn returns the statements of b and of the blocks inside it whose results nothing needs, if the checks in hoisted
// are not made and the statements in leaf read nothing.
func deadIn(b *ir.Block, leaf map[*ir.Stmt]bool, hoisted map[*ir.Check]bool) map[*ir.Stmt]bool {
	dead := map[*ir.Stmt]bool{}
	used := map[ir.Atom]bool{}
	var block func(b *ir.Block)
	block = func(b *ir.Block) {
		for _, r := range b.Results {
			used[r] = true
		}
		for i := len(b.Stmts) - 1; i >= 0; i-- {
			s := b.Stmts[i]
			c, check := s.Op.(*ir.Check)
			live := check && !hoisted[c] || !check && !ir.Pure(s)
			for _, d := range s.Dst {
				live = live || used[d]
			}
			if !live {
				dead[s] = true
				continue
			}
			for _, inner := range ir.Blocks(s.Op) {
				block(inner)
			}
			if !leaf[s] {
				for _, a := range ir.Operands(s.Op) {
					used[*a] = true
				}
			}
		}
	}
	block(b)
	return dead
}
