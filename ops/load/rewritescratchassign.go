package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// Note [The first turns of a loop]
//
// A loop that sets the elements of a buffer may do so in another way in its first turns,
//
//	for k := range n {
//		if k == 0 {
//			c[0] = upper / diagonal
//			continue
//		}
//		c[k] = upper / (diagonal - lower*c[k-1])
//	}
//
// and the others may use the elements of turns before. Conditions around a use, and a condition before it whose turns
// continue, say what the counter is at least.

// assigns reports whether a turn assigns the element with an index, and uses none but this one, behind that, and those
// that turns before have set. The innermost loop around counts by i, which indices grow by, or nil: then nobody knows
// which elements lie before.
func (f *filling) assigns(body *ast.BlockStmt, i *types.Var, at sum) bool {
	ok, is := true, sum(nil)
	if i != nil {
		is = sum{f.key(i): 1}
	}
	f.early = map[*ast.IndexExpr]bool{}
	uses(body, func(id *ast.Ident, st []ast.Node) {
		if !ok || variable(f.r.info, id) != f.v {
			return
		}
		x, of := f.elementAt(st)
		if ok = x != nil && !slices.ContainsFunc(st, isFuncLit); !ok {
			return
		}
		least, known := f.counterAt(body, i, st)
		if of.equal(at) || known && of != nil && at.equal(is) && of.equal(constantSum(least)) {
			return
		}
		back, ok2 := at.minus(of)
		f.early[x], ok = true, ok2 && 1 <= back && back <= least
	})
	return ok && f.assignsIn(body.List)
}

// elementAt is the element that a use of the buffer, with which a stack ends, is about: what takes an index of the
// buffer, and the number of the element, which is nil if it is not known; nil for other uses.
func (f *filling) elementAt(st []ast.Node) (x *ast.IndexExpr, number sum) {
	t := f.v.Type()
	if of := pointee(t); of != nil {
		t = of
	}
	e, number := st[len(st)-1].(ast.Expr), constantSum(0)
	for at := len(st) - 2; ; at-- {
		p, isIndex := st[max(at, 0)].(*ast.IndexExpr)
		if !isIndex || p.X != e {
			return nil, nil
		}
		if x == nil {
			x = p
		}
		i := f.sum(p.Index)
		if i == nil {
			number = nil
		} else if number != nil {
			number = number.plus(i, 1)
		}
		n, elem, _ := isArray(t)
		if _, inside := arrayBase(t); !f.nested || inside == n {
			return x, number
		}
		if n, _, _ = isArray(elem); number != nil {
			number = number.times(constantSum(n))
		}
		e, t = p, elem
	}
}

// element is what takes an index of the buffer in e, which is an element of it; nil if it is none.
func (f *filling) element(e ast.Expr) *ast.IndexExpr {
	x, ok := ast.Unparen(e).(*ast.IndexExpr)
	for ok && f.nested && variable(f.r.info, x.X) != f.v {
		x, ok = x.X.(*ast.IndexExpr)
	}
	if !ok || variable(f.r.info, x.X) != f.v || f.nested && isArrayType(f.r.info.TypeOf(e)) {
		return nil
	}
	return x
}

// usesOther reports whether a part of the source uses elements that no turn before has set.
func (f *filling) usesOther(n ast.Node) bool {
	found := false
	uses(n, func(id *ast.Ident, st []ast.Node) {
		if variable(f.r.info, id) == f.v {
			x, isIndex := st[max(len(st)-2, 0)].(*ast.IndexExpr)
			found = found || !isIndex || !f.early[x]
		}
	})
	return found
}

// assignsIn is assigns for statements, all uses of which are of these elements.
func (f *filling) assignsIn(list []ast.Stmt) bool {
	other := func(e ast.Expr) bool { return f.usesOther(e) }
	for k, s := range list {
		if first := continuing(s); first != nil {
			return first.Init == nil && !f.usesOther(first.Cond) && f.assignsIn(first.Body.List) && f.assignsIn(list[k+1:])
		}
		if !f.usesOther(s) {
			continue
		}
		switch s := s.(type) {
		case *ast.AssignStmt:
			if s.Tok != token.ASSIGN || slices.ContainsFunc(s.Rhs, other) {
				return false
			}
			at := slices.IndexFunc(s.Lhs, func(e ast.Expr) bool {
				x := f.element(e)
				return x != nil && !f.early[x]
			})
			return at >= 0 && !slices.ContainsFunc(slices.Delete(slices.Clone(s.Lhs), at, at+1), other)
		case *ast.IfStmt:
			if s.Else == nil || s.Init != nil && f.usesOther(s.Init) || f.usesOther(s.Cond) {
				return false
			}
			return f.assignsIn(s.Body.List) && f.assignsIn([]ast.Stmt{s.Else})
		case *ast.BlockStmt:
			return f.assignsIn(s.List)
		default:
			return false
		}
	}
	return false
}

// counterAt is what the counter of a loop is at least at a use of the buffer, and whether it is known to be just that.
func (f *filling) counterAt(body *ast.BlockStmt, i *types.Var, st []ast.Node) (least int64, known bool) {
	if i == nil {
		return 0, false
	}
	least = int64(f.start)
	for _, s := range body.List {
		if slices.Contains(st, ast.Node(s)) {
			break
		}
		if first := continuing(s); first != nil {
			least = f.whereNot(first.Cond, i, least)
		}
	}
	for _, n := range st {
		s, isIf := n.(*ast.IfStmt)
		if !isIf {
			continue
		}
		switch {
		case slices.Contains(st, ast.Node(s.Body)):
			op, c := f.compared(s.Cond, i)
			switch op {
			case token.EQL:
				least, known = c, true
			case token.GTR:
				least = max(least, c+1)
			case token.GEQ:
				least = max(least, c)
			case token.NEQ:
				if c == least {
					least++
				}
			}
		case s.Else != nil && slices.Contains(st, ast.Node(s.Else)):
			least = f.whereNot(s.Cond, i, least)
		}
	}
	return least, known
}

// whereNot is what a counter is at least where a condition does not hold.
func (f *filling) whereNot(cond ast.Expr, i *types.Var, least int64) int64 {
	switch op, c := f.compared(cond, i); {
	case op == token.EQL && c == least:
		return least + 1
	case op == token.LSS:
		return max(least, c)
	case op == token.LEQ:
		return max(least, c+1)
	}
	return least
}

// compared takes a condition apart that compares a variable with a constant; any other is token.ILLEGAL.
func (f *filling) compared(cond ast.Expr, i *types.Var) (token.Token, int64) {
	b, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	if !ok || variable(f.r.info, b.X) != i {
		return token.ILLEGAL, 0
	}
	c, isConst := intConst(f.r.info, b.Y)
	if !isConst || c < 0 || c > maxFirst {
		return token.ILLEGAL, 0
	}
	return b.Op, c
}

// maxFirst is how many turns at the beginning of a loop may be what a condition is about.
const maxFirst = 1 << 20

// continuing is a statement without another branch that ends with a continue, nil if s is none.
func continuing(s ast.Stmt) *ast.IfStmt {
	first, ok := s.(*ast.IfStmt)
	if !ok || first.Else != nil || len(first.Body.List) == 0 {
		return nil
	}
	last, ok := first.Body.List[len(first.Body.List)-1].(*ast.BranchStmt)
	if !ok || last.Tok != token.CONTINUE || last.Label != nil {
		return nil
	}
	return first
}

// leavesEarly reports whether the body of a loop has a break, a continue or the like but at the end of a condition in
// its list of statements.
func (f *filling) leavesEarly(body *ast.BlockStmt) bool {
	return slices.ContainsFunc(body.List, func(s ast.Stmt) bool {
		first := continuing(s)
		if first == nil {
			return branches(s)
		}
		return slices.ContainsFunc(first.Body.List[:len(first.Body.List)-1], func(s ast.Stmt) bool { return branches(s) })
	})
}
