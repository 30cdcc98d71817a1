package goroutine

import (
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/codegen/kir/pass"
	"github.com/surge-ndp/surge/ops/ir"
)

// leastMoved is how many elements a loop copies at least, where that is known, that a call does sooner.
const leastMoved = 16

// moves has the runtime's copy do what loops inside an element do that only copy consecutive elements: it moves a
// vector at a time, the Go compiler's loop an element.
var moves = pass.Pass[*kir.Func]{
	Name: "moves", Doc: "loops in an element that only copy elements are a call of the routine for that",
	Behind: []string{"jumps"},
	Run: func(f *kir.Func) error {
		moveIn(f.Body)
		return nil
	},
}

func moveIn(body []kir.Stmt) {
	for i, s := range body {
		for _, b := range kir.BlocksOf(s) {
			moveIn(*b)
		}
		if loop, ok := s.(*kir.For); ok {
			if r := moved(loop); r != nil {
				body[i] = &kir.Call{R: r}
			}
		}
	}
}

// moved is the routine that does what a loop does, nil if it does not only copy elements.
func moved(loop *kir.For) *kir.Routine {
	if loop.What != "" || loop.Step != 1 || loop.Keep || loop.Whole || loop.Outlined || loop.Lanes > 0 || !stays(loop.Hi, loop.V) {
		return nil
	}
	store := soleStore(loop.Body)
	if store == nil || store.Mask != nil || !inPlace(store.A) {
		return nil
	}
	load, ok := store.X.(*kir.Load)
	if !ok || load.Mask != nil || load.T.Lanes > 1 || !inPlace(load.A) || load.A.Kind != store.A.Kind {
		return nil
	}
	lo := loop.Lo
	if lo == nil {
		lo = &kir.Const{C: ir.IntConst(ir.Int, 0)}
	}
	hi, isConst := loop.Hi.(*kir.Const)
	if least, ok := lo.(*kir.Const); ok && isConst && hi.C.Int()-least.C.Int() < leastMoved {
		return nil
	}
	to, from := firstPlace(store.I, loop.V, lo), firstPlace(load.I, loop.V, lo)
	if to == nil || from == nil {
		return nil
	}
	n := loop.Hi
	if !isZero(lo) { // and may lie so far above the bound that the difference would overflow
		n = &kir.Bin{Fn: ir.Sub, X: &kir.Bin{Fn: ir.Max, X: loop.Hi, Y: lo, T: kir.Int}, Y: lo, T: kir.Int}
	}
	return &kir.Routine{Name: kir.Move, Args: []kir.Arg{{A: store.A, X: to}, {A: load.A, X: from}, {X: n}}}
}

// inPlace reports whether the elements of an array lie one behind the other, from an address on that the function has.
func inPlace(a *kir.Array) bool {
	return a.Field == nil && (a.Space == kir.Global || a.Space == kir.Scratch || a.Space == kir.Strip)
}

// soleStore is what a list of statements stores that does nothing else, with what it names in place of the names; nil
// if there are others.
func soleStore(list []kir.Stmt) *kir.Store {
	values := map[*kir.Var]kir.Expr{}
	for i, s := range list {
		switch s := s.(type) {
		case *kir.Let:
			values[s.V] = replaced(s.X, values)
		case *kir.Store:
			if i < len(list)-1 {
				return nil
			}
			return &kir.Store{A: s.A, I: replaced(s.I, values), X: replaced(s.X, values), Mask: s.Mask}
		default:
			return nil
		}
	}
	return nil
}

// firstPlace is what an index, which is a sum of the counter of a loop and something that does not change, is at first;
// nil if it is anything else.
func firstPlace(i kir.Expr, counter *kir.Var, lo kir.Expr) kir.Expr {
	switch x := i.(type) {
	case *kir.Ref:
		if x.V == counter {
			return lo
		}
	case *kir.Bin:
		if x.Fn != ir.Add && x.Fn != ir.Sub {
			return nil
		}
		if y := firstPlace(x.X, counter, lo); y != nil && stays(x.Y, counter) {
			return sumOf(x, y, x.Y)
		}
		if y := firstPlace(x.Y, counter, lo); y != nil && x.Fn == ir.Add && stays(x.X, counter) {
			return sumOf(x, x.X, y)
		}
	}
	return nil
}

// stays reports whether an expression is arithmetic of what the turns of a loop with such a counter do not change.
func stays(x kir.Expr, counter *kir.Var) bool {
	return !has(x, func(x kir.Expr) bool {
		switch x := x.(type) {
		case *kir.Ref:
			return x.V == counter
		case *kir.Const, *kir.Bin:
			return false
		}
		return true
	})
}

// sumOf is a sum, or a difference, of other parts.
func sumOf(of *kir.Bin, x, y kir.Expr) kir.Expr {
	switch {
	case isZero(x) && of.Fn == ir.Add:
		return y
	case isZero(y):
		return x
	}
	return &kir.Bin{Fn: of.Fn, X: x, Y: y, T: of.T}
}
