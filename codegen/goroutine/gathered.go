package goroutine

import (
	"slices"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/codegen/kir/pass"
	"github.com/surge-ndp/surge/ops/ir"
)

// gathered has the checks of indices stand together where nothing but loads and sums lies between them: they fail in
// the same order, with one condition in place of several, and what is loaded is loaded where it is used.
var gathered = pass.Pass[*kir.Func]{
	Name: "gathered", Doc: "checks of indices stand together; choices between two values are such",
	Behind: []string{"jumps"},
	Run: func(f *kir.Func) error {
		changes := map[*kir.Var]bool{}
		kir.Walk(f.Body, func(s kir.Stmt) {
			if set, ok := s.(*kir.Set); ok {
				changes[set.V] = true
			}
		}, nil)
		f.Body = gather(f.Body, changes)
		return pass.Prune.Run(f)
	},
}

func gather(body []kir.Stmt, changes map[*kir.Var]bool) []kir.Stmt {
	for _, s := range body {
		kir.Rewrite(s, func(inner []kir.Stmt) []kir.Stmt { return gather(inner, changes) })
	}
	var out []kir.Stmt
	for len(body) > 0 {
		if moved, rest := gatherChecks(body); len(moved) > 0 {
			out, body = append(out, moved...), rest
			continue
		}
		out = append(out, body[0])
		body = body[1:]
	}
	return choices(out, changes)
}

// gatherChecks returns the checks that a body begins with and those that can be made right after them, with the sums
// that these need before them, and what is left of the body. Nothing is moved if it begins with no check.
func gatherChecks(body []kir.Stmt) (moved, rest []kir.Stmt) {
	if !isIndexCheck(body[0]) {
		return nil, body
	}
	checks := []kir.Stmt{body[0]}
	sums := map[*kir.Var]*kir.Let{} // what may be computed earlier
	stays := map[*kir.Var]bool{}    // what may not
	earlier := map[*kir.Let]bool{}  // what is
	var needs func(x kir.Expr) []*kir.Let
	needs = func(x kir.Expr) (all []*kir.Let) {
		kir.WalkExpr(x, func(x kir.Expr) {
			if r, ok := x.(*kir.Ref); ok && sums[r.V] != nil {
				all = append(append(all, needs(sums[r.V].X)...), sums[r.V])
			}
		})
		return all
	}
	var between, last []kir.Stmt
	end := 1
scan:
	for i, s := range body[1:] {
		switch s := s.(type) {
		case *kir.Let:
			switch {
			case s.V.Memory != nil || s.V.Host || s.V.Saved || hasCall(s.X):
				break scan
			case s.V.T.Lanes == 1 && isSum(s.X) && !names(s.X, stays):
				sums[s.V] = s
			default:
				stays[s.V] = true
			}
			between = append(between, s)
		case *kir.Check:
			if !isIndexCheck(s) || slices.ContainsFunc(operands(s), func(x kir.Expr) bool { return names(x, stays) }) {
				break scan
			}
			for _, x := range operands(s) {
				for _, let := range needs(x) {
					earlier[let] = true
				}
			}
			checks, end = append(checks, s), i+2
			last = slices.Clone(between)
		default:
			break scan
		}
	}
	if len(checks) == 1 {
		return nil, body
	}
	for _, s := range last {
		if let := s.(*kir.Let); earlier[let] {
			moved = append(moved, let)
		} else {
			rest = append(rest, let)
		}
	}
	moved = append(moved, checks...)
	return moved, append(rest, body[end:]...)
}

func isIndexCheck(s kir.Stmt) bool {
	c, ok := s.(*kir.Check)
	return ok && c.Kind == ir.CheckIndex && !slices.ContainsFunc(operands(c), func(x kir.Expr) bool { return has(x, reads) || hasCall(x) })
}

// operands are the expressions of a check.
func operands(c *kir.Check) []kir.Expr {
	if c.Position == nil {
		return c.Args
	}
	return append(slices.Clone(c.Args), c.Position)
}

func hasCall(x kir.Expr) bool {
	return has(x, func(x kir.Expr) bool { _, routine := x.(*kir.Routine); return routine || calls(x) })
}

// isSum reports whether an expression is one of sums, products and conversions: what takes next to no time and cannot
// fail.
func isSum(x kir.Expr) bool {
	return !has(x, func(x kir.Expr) bool {
		switch x := x.(type) {
		case *kir.Ref, *kir.Const, *kir.Convert:
			return false
		case *kir.Bin:
			return x.Fn != ir.Add && x.Fn != ir.Sub && x.Fn != ir.Mul
		}
		return true
	})
}

func names(x kir.Expr, vs map[*kir.Var]bool) bool {
	return has(x, func(x kir.Expr) bool { r, ok := x.(*kir.Ref); return ok && vs[r.V] })
}

// choices makes a choice of a condition whose arms do nothing but set a scalar to values that are there, and leaves out
// of an arm what it sets to the constant that it is already, or where it keeps what variables are: changes has these.
func choices(body []kir.Stmt, changes map[*kir.Var]bool) []kir.Stmt {
	if !slices.ContainsFunc(body, func(s kir.Stmt) bool {
		switch s.(type) {
		case *kir.If, *kir.Set:
			return true
		}
		return false
	}) {
		return body
	}
	is := map[*kir.Var]*kir.Const{}  // what holds a constant since the block began
	at := map[*kir.Var]int{}         // where that is declared in out
	known := map[*kir.Var]kir.Expr{} // what values are
	var out []kir.Stmt
	undeclare := func(v *kir.Var) {
		i := at[v]
		out = slices.Delete(out, i, i+1)
		delete(at, v)
		for v, j := range at {
			if j > i {
				at[v] = j - 1
			}
		}
	}
	for _, s := range body {
		before := s
		if c, ok := s.(*kir.If); ok {
			c = withoutEffect(c, is)
			s = c
			if set := choice(c); set != nil {
				s = set
			} else if set := magnitude(c, known, changes); set != nil {
				s = set
			} else if sets := kept(c, at, changes); sets != nil {
				for _, set := range sets {
					undeclare(set.V)
					delete(is, set.V)
					delete(at, set.X.(*kir.Ref).V)
					out = append(out, &kir.Let{V: set.V, X: set.X})
				}
				s = &kir.If{Cond: c.Cond, Then: c.Then}
			}
		}
		kir.Walk([]kir.Stmt{s}, func(inner kir.Stmt) {
			switch inner := inner.(type) {
			case *kir.Set:
				delete(is, inner.V)
				if inner != s {
					delete(at, inner.V)
				}
			case *kir.Let:
				known[inner.V] = inner.X
				if c, ok := inner.X.(*kir.Const); ok && inner == s && inner.V.Memory == nil && !inner.V.Host {
					is[inner.V], at[inner.V] = c, len(out)
				}
			}
		}, func(x kir.Expr) {
			if r, ok := x.(*kir.Ref); ok {
				delete(at, r.V) // it is read
			}
		})
		if set, ok := s.(*kir.Set); ok {
			if _, unread := at[set.V]; unread {
				if _, ok := set.X.(*kir.Select); (ok || s != before) && set.V.T.Lanes == 1 {
					s = &kir.Let{V: set.V, X: set.X}
					undeclare(set.V)
				}
			}
			delete(at, set.V)
		}
		out = append(out, s)
	}
	return out
}

// withoutEffect leaves out of the second arm of a condition what sets variables to the constants that they are.
func withoutEffect(c *kir.If, is map[*kir.Var]*kir.Const) *kir.If {
	if len(c.Then) == 0 {
		return c
	}
	for _, s := range c.Else {
		set, ok := s.(*kir.Set)
		if !ok {
			return c
		}
		x, constant := set.X.(*kir.Const)
		if before := is[set.V]; !constant || before == nil || before.C != x.C {
			return c
		}
	}
	return &kir.If{Cond: c.Cond, Then: c.Then}
}

// kept returns what the second arm of a condition does, if that can be done before the condition: it sets several
// integers, which nothing has read yet and the first arm sets as well, to what variables are. In the source there is
// most likely no such arm, and Go makes conditional moves of one that sets several only if there is no other, and it
// takes two instructions at most. It makes none of floats and bytes.
func kept(c *kir.If, at map[*kir.Var]int, changes map[*kir.Var]bool) (sets []*kir.Set) {
	targets := map[*kir.Var]bool{}
	for _, s := range c.Else {
		set, ok := s.(*kir.Set)
		if !ok || set.V.T.Lanes != 1 || targets[set.V] || !everySets(c.Then, set.V) {
			return nil
		}
		if k := set.V.T.Kind; !k.IsInteger() || k.Bytes() == 1 {
			return nil
		}
		from, ok := set.X.(*kir.Ref)
		if _, unread := at[set.V]; !ok || !changes[from.V] || targets[from.V] || !unread {
			return nil
		}
		targets[set.V] = true
		sets = append(sets, set)
	}
	read, computed := names(c.Cond, targets), 0
	for _, s := range c.Then {
		var x kir.Expr
		switch s := s.(type) {
		case *kir.Let:
			x = s.X
		case *kir.Set:
			x = s.X
		default:
			return nil
		}
		kir.WalkExpr(x, func(x kir.Expr) {
			if !isAtom(x) {
				computed++
			}
		})
		read = read || names(x, targets) || has(x, reads) || hasCall(x)
	}
	if read || computed > 2 || len(sets) < 2 {
		return nil
	}
	return sets
}

// choice returns the choice that a condition is, nil if it is none.
func choice(c *kir.If) *kir.Set {
	if len(c.Then) != 1 || len(c.Else) != 1 {
		return nil
	}
	x, ok := c.Then[0].(*kir.Set)
	y, ok2 := c.Else[0].(*kir.Set)
	if !ok || !ok2 || x.V != y.V || x.V.T.Lanes != 1 || x.V.Host || !isAtom(x.X) || !isAtom(y.X) {
		return nil
	}
	return &kir.Set{V: x.V, X: &kir.Select{C: c.Cond, X: x.X, Y: y.X}}
}

// isChoice reports whether a scalar is chosen between values that are there.
func isChoice(x *kir.Select) bool { return x.X.Type().Lanes == 1 && isAtom(x.X) && isAtom(x.Y) }

// magnitude returns what sets a variable to the absolute value of an integer, without a jump, if a condition does
// that, else nil: Go makes no conditional move of what an index is computed from, and no processor foresees signs.
func magnitude(c *kir.If, known map[*kir.Var]kir.Expr, changes map[*kir.Var]bool) *kir.Set {
	x, y := onlySets(c.Then), onlySets(c.Else)
	when := c.Cond
	r, named := when.(*kir.Ref)
	if named && !changes[r.V] {
		when = known[r.V]
	}
	cond, ok := when.(*kir.Bin)
	if x == nil || y == nil || !ok || x.V != y.V || x.V.Host {
		return nil
	}
	negative, other := x, y
	switch cond.Fn {
	case ir.Lt, ir.Le:
	case ir.Gt, ir.Ge:
		negative, other = y, x
	default:
		return nil
	}
	d, ok := other.X.(*kir.Ref)
	neg, ok2 := negative.X.(*kir.Un)
	zero, ok3 := cond.Y.(*kir.Const)
	is := func(x kir.Expr) bool { r, same := x.(*kir.Ref); return same && r.V == d.V }
	if !ok || !ok2 || !ok3 || neg.Fn != ir.Neg || !is(neg.X) || !is(cond.X) || zero.C.Int() != 0 ||
		named && changes[d.V] || d.V.T.Lanes != 1 || !d.V.T.Kind.IsInteger() || d.V.T.Kind.IsUnsigned() {
		return nil
	}
	t := d.V.T
	sign := &kir.Bin{Fn: ir.Shr, X: d, Y: &kir.Const{C: ir.IntConst(ir.Int, int64(8*t.Kind.Bytes()-1))}, T: t}
	return &kir.Set{V: x.V, X: &kir.Bin{Fn: ir.Sub, X: &kir.Bin{Fn: ir.Xor, X: d, Y: sign, T: t}, Y: sign, T: t}}
}

// onlySets is what an arm sets that does nothing but set a variable, be it by way of another one; else nil.
func onlySets(arm []kir.Stmt) *kir.Set {
	if len(arm) == 0 || len(arm) > 2 {
		return nil
	}
	set, ok := arm[len(arm)-1].(*kir.Set)
	if !ok || len(arm) == 1 {
		return set
	}
	let, ok := arm[0].(*kir.Let)
	if r, same := set.X.(*kir.Ref); !ok || !same || r.V != let.V {
		return nil
	}
	return &kir.Set{V: set.V, X: let.X}
}

func isAtom(x kir.Expr) bool {
	switch x.(type) {
	case *kir.Ref, *kir.Const:
		return true
	}
	return false
}
