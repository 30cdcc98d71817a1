package goroutine

import (
	"slices"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/codegen/kir/pass"
	"github.com/surge-ndp/surge/ops/ir"
)

// bounded has loops that are known to end not look whether the run was stopped: that costs a short turn much of its
// time.
var bounded = pass.Pass[*kir.Func]{
	Name: "bounded", Doc: "loops that count to a bound do not look whether the run was stopped",
	Behind: []string{"jumps"},
	Run: func(f *kir.Func) error {
		kir.Walk(f.Body, func(s kir.Stmt) {
			if loop, ok := s.(*kir.While); ok && loop.Watched && countsTo(loop) {
				loop.Watched = false
			}
		}, nil)
		return nil
	},
}

// mostTurns is the most that a constant bound, or step, may be: a loop to [math.MaxInt] is one without a bound.
const mostTurns = 1 << 32

// countsTo reports whether a loop ends because one of its conditions is i < n, where each turn adds a positive
// constant to i and does not change n; or i > n, where each turn takes a positive constant away.
func countsTo(loop *kir.While) bool {
	sets := map[*kir.Var][]kir.Expr{}
	defined := map[*kir.Var]kir.Expr{}
	kir.Walk(loop.Body, func(s kir.Stmt) {
		if let, ok := s.(*kir.Let); ok {
			defined[let.V] = let.X
		}
	}, nil)
	kir.Walk([]kir.Stmt{loop}, func(s kir.Stmt) {
		if set, ok := s.(*kir.Set); ok {
			sets[set.V] = append(sets[set.V], set.X)
		}
	}, nil)
	before := map[*kir.Var]kir.Expr{} // what the condition declares
	for _, s := range loop.Cond {
		if let, ok := s.(*kir.Let); ok {
			before[let.V] = let.X
		}
	}
	chosenBefore := func(x kir.Expr) bool {
		r, ok := x.(*kir.Ref)
		return ok && before[r.V] != nil && len(sets[r.V]) > 0
	}
	for _, x := range necessary(loop) {
		compare, ok := x.(*kir.Bin)
		if !ok || compare.X.Type() != kir.Int || !fixedIn(compare.Y, sets, defined, before) {
			continue
		}
		if c, ok := compare.Y.(*kir.Const); ok && (c.C.Int() > mostTurns || c.C.Int() < -mostTurns) {
			continue
		}
		direction := int64(0)
		switch compare.Fn {
		case ir.Lt:
			direction = 1
		case ir.Gt:
			direction = -1
		}
		i, ok := counter(compare.X, before)
		if ok && !has(compare.X, chosenBefore) && direction != 0 && everySets(loop.Body, i.V) && allStep(sets[i.V], i, direction, sets, defined) {
			return true
		}
	}
	return false
}

// counter is the variable of which, but for a constant, a side of a comparison consists. before is what the condition
// declares.
func counter(x kir.Expr, before map[*kir.Var]kir.Expr) (i *kir.Ref, ok bool) {
	if i, ok = x.(*kir.Ref); ok && before[i.V] == nil {
		return i, true
	}
	if ok {
		x = before[i.V]
	}
	sum, ok := x.(*kir.Bin)
	if !ok || sum.Fn != ir.Add && sum.Fn != ir.Sub {
		return nil, false
	}
	if _, ok := sum.Y.(*kir.Const); !ok {
		return nil, false
	}
	i, ok = sum.X.(*kir.Ref)
	return i, ok && before[i.V] == nil
}

// allStep reports whether each of the values that are assigned to i is i and a constant, or i less a constant where the
// direction is negative.
func allStep(values []kir.Expr, i *kir.Ref, direction int64, sets map[*kir.Var][]kir.Expr, defined map[*kir.Var]kir.Expr) bool {
	for _, x := range values {
		if r, ok := x.(*kir.Ref); ok && defined[r.V] != nil && len(sets[r.V]) == 0 {
			x = defined[r.V]
		}
		step, ok := x.(*kir.Bin)
		if !ok || !kir.Equal(step.X, i) {
			return false
		}
		c, ok := step.Y.(*kir.Const)
		if !ok || step.Fn != ir.Add && step.Fn != ir.Sub {
			return false
		}
		by := c.C.Int() * direction
		if step.Fn == ir.Sub {
			by = -by
		}
		if by <= 0 || by > mostTurns { // from near the end of the range, i + by may be less than i
			return false
		}
	}
	return true
}

// necessary are conditions without which the loop does not go on. Besides [conjuncts] these are conditions of which
// another is asked only if they hold: t is false unless c is true in
//
//	t := false
//	if c { …; t = … } else { t = false }
func necessary(loop *kir.While) []kir.Expr {
	defined, chosen := map[*kir.Var]kir.Expr{}, map[*kir.Var]kir.Expr{}
	for i, s := range loop.Cond {
		switch s := s.(type) {
		case *kir.Let:
			if !slices.ContainsFunc(loop.Cond[i+1:], func(later kir.Stmt) bool { return assigns(later, s.V) }) {
				defined[s.V] = s.X
			}
		case *kir.If:
			if len(s.Else) != 1 {
				continue
			}
			set, ok := s.Else[0].(*kir.Set)
			if !ok {
				continue
			}
			later := slices.ContainsFunc(loop.Cond[i+1:], func(s kir.Stmt) bool { return assigns(s, set.V) })
			if c, ok := set.X.(*kir.Const); ok && c.C.Kind == ir.Bool && c.C.Bits == 0 && !later {
				chosen[set.V] = s.Cond
			}
		}
	}
	if len(chosen) == 0 {
		return conjuncts(loop)
	}
	var all []kir.Expr
	var add func(x kir.Expr)
	add = func(x kir.Expr) {
		if r, ok := x.(*kir.Ref); ok {
			switch {
			case chosen[r.V] != nil:
				add(chosen[r.V])
				return
			case defined[r.V] != nil:
				add(defined[r.V])
				return
			}
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

// fixedIn reports whether an expression has the same value in all turns of a loop. before is what its condition
// declares.
func fixedIn(x kir.Expr, sets map[*kir.Var][]kir.Expr, defined, before map[*kir.Var]kir.Expr) bool {
	fixed := true
	kir.WalkExpr(x, func(x kir.Expr) {
		switch x := x.(type) {
		case *kir.Ref:
			fixed = fixed && len(sets[x.V]) == 0 && defined[x.V] == nil && (before[x.V] == nil || fixedIn(before[x.V], sets, defined, before))
		case *kir.Const, *kir.Length, *kir.Bin:
		default:
			fixed = false
		}
	})
	return fixed
}

// everySets reports whether a block assigns the variable on every way through it that does not leave the loop.
func everySets(block []kir.Stmt, v *kir.Var) bool {
	for _, s := range block {
		switch s := s.(type) {
		case *kir.Set:
			if s.V == v {
				return true
			}
		case *kir.Break:
			return true
		case *kir.Scoped:
			if everySets(s.Body, v) {
				return true
			}
		case *kir.If:
			if everySets(s.Then, v) && everySets(s.Else, v) {
				return true
			}
		}
	}
	return false
}
