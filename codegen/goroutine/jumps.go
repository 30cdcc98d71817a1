package goroutine

import (
	"slices"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/codegen/kir/pass"
	"github.com/surge-ndp/surge/ops/ir"
)

// Note [Loops that are left early]
//
// A return or a break inside a loop reaches the kernel IR as a flag: a condition sets it, the values of the next turn
// are chosen by it, and the loop stops before the next turn if it is set. The Go compiler keeps all of that, which
// doubles the time of a search loop. leaveEarly turns it back into a jump:
//
//	going = false                                while more {
//	while (!gone & more) {                         if c { …; gone = true; v = …; break }
//	  if c { …; g = true } else { g = false }  →   v = …
//	  v = …; gone = g                            }
//	}
//
// What follows the condition goes into both of its arms. The flag keeps its last value, for what reads it behind the
// loop. Of several flags, as of a break and a return, each is turned after the other.

// jumps leaves loops by a jump where a flag would stop them.
var jumps = pass.Pass[*kir.Func]{
	Name: "jumps", Doc: "loops that a flag stops are left by a jump",
	Behind: []string{"prune"},
	Run: func(f *kir.Func) error {
		if leaveEarly(f.Body) {
			f.Body = kir.Prune(f.Body)
		}
		return nil
	},
}

// maxThreaded bounds how many statements the copies of what follows a condition may have in all.
const maxThreaded = 200

// leaveEarly rewrites the loops in a body, inner ones first. It works in place, and reports whether it has changed
// something: then the flags may be of no use any more.
func leaveEarly(body []kir.Stmt) (changed bool) {
	for i, s := range body {
		for _, b := range kir.Blocks(s) {
			changed = leaveEarly(b) || changed
		}
		if loop, ok := s.(*kir.While); ok {
			t := &threading{room: maxThreaded}
			for _, flag := range stopFlags(loop) {
				if !startsFalse(body[:i], flag) {
					continue
				}
				if threaded, ok := t.thread(loop.Body, flag); ok {
					loop.Body = threaded
					dropFlag(loop, flag)
					changed = true
				}
			}
		}
	}
	return changed
}

// stopFlags are the variables whose truth stops the loop.
func stopFlags(loop *kir.While) (flags []*kir.Var) {
	for _, x := range conjuncts(loop) {
		if not, ok := x.(*kir.Un); ok && not.Fn == ir.Not && not.T.Lanes == 1 {
			if r, ok := not.X.(*kir.Ref); ok && !r.V.Host {
				flags = append(flags, r.V)
			}
		}
	}
	return flags
}

// conjuncts are the conditions of which each has to hold for the loop to go on.
func conjuncts(loop *kir.While) []kir.Expr {
	defined := map[*kir.Var]kir.Expr{}
	for _, s := range loop.Cond {
		let, ok := s.(*kir.Let)
		if !ok {
			return nil
		}
		defined[let.V] = let.X
	}
	var all []kir.Expr
	var add func(x kir.Expr)
	value := func(x kir.Expr) kir.Expr {
		for {
			r, ok := x.(*kir.Ref)
			if !ok || defined[r.V] == nil {
				return x
			}
			x = defined[r.V]
		}
	}
	add = func(x kir.Expr) {
		x = value(x)
		if not, ok := x.(*kir.Un); ok && not.Fn == ir.Not && not.T == kir.ScalarType(ir.Bool) {
			if or, ok := value(not.X).(*kir.Bin); ok && or.Fn == ir.Or && or.T == not.T {
				add(&kir.Un{Fn: ir.Not, X: or.X, T: not.T})
				add(&kir.Un{Fn: ir.Not, X: or.Y, T: not.T})
				return
			}
			x = &kir.Un{Fn: ir.Not, X: value(not.X), T: not.T}
		}
		if and, ok := x.(*kir.Bin); ok && and.Fn == ir.And && and.T == kir.ScalarType(ir.Bool) {
			add(and.X)
			add(and.Y)
			return
		}
		all = append(all, x)
	}
	add(loop.Test)
	return all
}

// dropFlag takes the flag out of the loop's condition.
func dropFlag(loop *kir.While, flag *kir.Var) {
	var test kir.Expr
	for _, x := range conjuncts(loop) {
		if not, ok := x.(*kir.Un); ok && not.Fn == ir.Not {
			if r, ok := not.X.(*kir.Ref); ok && r.V == flag {
				continue
			}
		}
		if test == nil {
			test = x
		} else {
			test = &kir.Bin{Fn: ir.And, X: test, Y: x, T: kir.ScalarType(ir.Bool)}
		}
	}
	if test == nil {
		test = &kir.Const{C: ir.BoolConst(true)}
	}
	loop.Test = test
	for { // what the condition declares may be used in the body
		used := map[*kir.Var]bool{}
		kir.Walk([]kir.Stmt{loop}, nil, func(x kir.Expr) {
			if r, ok := x.(*kir.Ref); ok {
				used[r.V] = true
			}
		})
		all := len(loop.Cond)
		loop.Cond = slices.DeleteFunc(loop.Cond, func(s kir.Stmt) bool {
			let, ok := s.(*kir.Let)
			return ok && !used[let.V]
		})
		if len(loop.Cond) == all {
			return
		}
	}
}

// startsFalse reports whether the statements before a loop declare the flag as false and assign it no more.
func startsFalse(before []kir.Stmt, flag *kir.Var) bool {
	for i := len(before) - 1; i >= 0; i-- {
		if let, ok := before[i].(*kir.Let); ok && let.V == flag {
			c, ok := let.X.(*kir.Const)
			return ok && c.C.Bits == 0
		}
		if assigns(before[i], flag) {
			return false
		}
	}
	return false
}

// threading moves what follows a condition into its arms.
type threading struct{ room int }

// thread rewrites a block that ends by assigning the flag, itself or in a condition, so that it leaves the loop where
// the flag becomes true.
func (t *threading) thread(block []kir.Stmt, flag *kir.Var) ([]kir.Stmt, bool) {
	at, source := -1, flag
	for i := len(block) - 1; i >= 0; i-- {
		switch s := block[i].(type) {
		case *kir.Set:
			if s.V == source {
				r, ok := s.X.(*kir.Ref)
				if !ok {
					return nil, false
				}
				source = r.V
			}
			continue
		case *kir.Let:
			if s.V == source {
				r, ok := s.X.(*kir.Ref)
				if !ok {
					return nil, false
				}
				source = r.V
			}
			continue
		case *kir.If:
			at = i
		}
		break
	}
	if at < 0 {
		return nil, false
	}
	choice, tail := block[at].(*kir.If), block[at+1:]
	if !sets(choice.Then, source) || !sets(choice.Else, source) {
		return nil, false
	}
	if t.room -= len(tail); t.room < 0 {
		return nil, false
	}
	then, ok := t.arm(choice.Then, copied(tail, map[*kir.Var]kir.Expr{}, nil), source)
	if !ok {
		return nil, false
	}
	els, ok := t.arm(choice.Else, tail, source)
	if !ok {
		return nil, false
	}
	return append(block[:at:at], &kir.If{Cond: choice.Cond, Then: then, Else: els}), true
}

// arm is an arm of a condition with what follows it, which leaves the loop if the flag is true in it.
func (t *threading) arm(arm, tail []kir.Stmt, flag *kir.Var) ([]kir.Stmt, bool) {
	if leaves(arm) {
		return arm, true
	}
	x := lastValue(arm, flag)
	all := append(arm[:len(arm):len(arm)], tail...)
	if c, ok := x.(*kir.Const); ok {
		if c.C.Bits != 0 {
			all = append(all, &kir.Break{})
		}
		return all, true
	}
	if inner, ok := t.thread(all, flag); ok {
		return inner, true
	}
	return append(all, &kir.If{Cond: &kir.Ref{V: flag}, Then: []kir.Stmt{&kir.Break{}}}), true
}

// sets reports whether a block ends by assigning a variable, itself or in both arms of a condition, or leaves the loop.
func sets(block []kir.Stmt, v *kir.Var) bool {
	if leaves(block) || lastSet(block, v) != nil {
		return true
	}
	if len(block) == 0 {
		return false
	}
	choice, ok := block[len(block)-1].(*kir.If)
	return ok && sets(choice.Then, v) && sets(choice.Else, v)
}

// leaves reports whether a block ends with a jump out of the loop.
func leaves(block []kir.Stmt) bool {
	if len(block) == 0 {
		return false
	}
	_, ok := block[len(block)-1].(*kir.Break)
	return ok
}

// lastSet is what a block, itself and not one inside it, assigns to a variable last; nil if a statement behind that,
// or around the assignment, may assign it too.
func lastSet(block []kir.Stmt, v *kir.Var) kir.Expr {
	for i := len(block) - 1; i >= 0; i-- {
		if set, ok := block[i].(*kir.Set); ok && set.V == v {
			return set.X
		}
		if assigns(block[i], v) {
			return nil
		}
	}
	return nil
}

// lastValue is lastSet, and where that is a copy, what was assigned to the variable that it copies.
func lastValue(block []kir.Stmt, v *kir.Var) kir.Expr {
	for i := len(block) - 1; i >= 0; i-- {
		if set, ok := block[i].(*kir.Set); ok && set.V == v {
			if r, ok := set.X.(*kir.Ref); ok {
				if x := lastValue(block[:i], r.V); x != nil {
					return x
				}
			}
			return set.X
		}
		if assigns(block[i], v) {
			return nil
		}
	}
	return nil
}

// assigns reports whether a statement, or one inside it, assigns a variable.
func assigns(s kir.Stmt, v *kir.Var) (found bool) {
	kir.Walk([]kir.Stmt{s}, func(s kir.Stmt) {
		if set, ok := s.(*kir.Set); ok && set.V == v {
			found = true
		}
	}, nil)
	return found
}
