package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// Note [Several bounds]
//
//	for k := 0; k < len(a) && k < len(rows[j]); k++
//
// counts to the least of its bounds. Where they are the same in all turns it becomes
//
//	if k := 0; k < len(a) {
//		for k := k; k < min(len(a), len(rows[j])); k++
//
// which lowering knows. The condition in front stands where a bound reads an element: the source reads it if the
// bounds before are not reached. What one turn can read all can: nothing that they read by is assigned.

// bounds rewrites the loops of a function that Note [Several bounds] is about.
func (r *rewriter) bounds(fd *ast.FuncDecl) {
	lists(fd.Body, func(list []ast.Stmt, _ token.Pos) []ast.Stmt {
		for i, s := range list {
			if loop, ok := s.(*ast.ForStmt); ok {
				if s := r.leastBound(fd, loop); s != nil {
					r.changed = true
					list[i] = s
				}
			}
		}
		return list
	})
}

// leastBound is what a loop becomes, nil if that is not known to be the same.
func (r *rewriter) leastBound(fd *ast.FuncDecl, loop *ast.ForStmt) ast.Stmt {
	init, ok := loop.Init.(*ast.AssignStmt)
	if !ok || init.Tok != token.DEFINE || len(init.Lhs) != 1 {
		return nil
	}
	id, _ := init.Lhs[0].(*ast.Ident)
	i, ok := r.info.Defs[id].(*types.Var)
	step, counts := loop.Post.(*ast.IncDecStmt)
	if !ok || !counts || step.Tok != token.INC || variable(r.info, step.X) != i || r.changes(loop.Body, i) {
		return nil
	}
	if !r.predeclared(loop.Body.Pos(), "min") {
		return nil
	}
	var list []ast.Expr
	last := 0 // the last bound that reads an element
	all := conjuncts(loop.Cond)
	for k, c := range all {
		below, ok := c.(*ast.BinaryExpr)
		if !ok || below.Op != token.LSS || variable(r.info, below.X) != i || !r.sameEachTurn(fd, loop, below.Y) {
			return nil
		}
		list = append(list, below.Y)
		if readsElement(below.Y) {
			last = k
		}
	}
	if len(list) < 2 {
		return nil
	}
	pos := loop.Cond.Pos()
	declared := func(x ast.Expr) *ast.AssignStmt { return set(name(id.Name, id.Pos()), token.DEFINE, x, init.TokPos) }
	counted := &ast.ForStmt{For: loop.For, Init: init, Post: loop.Post, Body: loop.Body,
		Cond: &ast.BinaryExpr{X: name(id.Name, pos), OpPos: pos, Op: token.LSS, Y: callTo("min", pos, list...)}}
	if last == 0 {
		return counted
	}
	counted.Init = declared(name(id.Name, id.Pos()))
	front := all[0]
	for _, c := range all[1:last] {
		front = &ast.BinaryExpr{X: front, OpPos: pos, Op: token.LAND, Y: c}
	}
	return &ast.IfStmt{If: loop.For, Init: declared(init.Rhs[0]), Cond: front,
		Body: &ast.BlockStmt{Lbrace: loop.For, List: []ast.Stmt{counted}, Rbrace: loop.End()}}
}

// predeclared reports whether names stand at a place for what Go predeclares.
func (r *rewriter) predeclared(pos token.Pos, names ...string) bool {
	for _, name := range names {
		if _, obj := r.pkg.Scope().Innermost(pos).LookupParent(name, pos); obj != types.Universe.Lookup(name) {
			return false
		}
	}
	return true
}

// meansSame reports whether the names in a type, as it is written somewhere, mean the same at another place: they are
// not hidden there, and no type parameters or packages of another file.
func (r *rewriter) meansSame(t ast.Expr, pos token.Pos) bool {
	same := true
	ast.Inspect(t, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			same = same && r.meansSame(n.X, pos)
			return false
		case *ast.Ident:
			_, obj := r.pkg.Scope().Innermost(pos).LookupParent(n.Name, pos)
			same = same && obj != nil && obj == r.info.Uses[n]
		}
		return same
	})
	return same
}

// conjuncts are the parts of a condition that all have to hold.
func conjuncts(e ast.Expr) []ast.Expr {
	and, ok := ast.Unparen(e).(*ast.BinaryExpr)
	if !ok || and.Op != token.LAND {
		return []ast.Expr{ast.Unparen(e)}
	}
	return append(conjuncts(and.X), conjuncts(and.Y)...)
}

func readsElement(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		_, ok := n.(*ast.IndexExpr)
		found = found || ok
		return !found
	})
	return found
}

// sameEachTurn reports whether e can be evaluated in each turn of a loop if it can in the first one: it is arithmetic
// on constants, lengths, and elements of variables, by variables, that the loop does not assign.
func (r *rewriter) sameEachTurn(fd *ast.FuncDecl, loop *ast.ForStmt, e ast.Expr) bool {
	e = ast.Unparen(e)
	if r.info.Types[e].Value != nil {
		return true
	}
	switch e := e.(type) {
	case *ast.Ident:
		v := variable(r.info, e)
		return v != nil && !isGlobal(v) && v.Parent() != nil && !within(loop, v.Pos()) && r.keeps(fd, loop, v)
	case *ast.IndexExpr:
		return variable(r.info, e.X) != nil && r.sameEachTurn(fd, loop, e.X) && isInteger(r.info.TypeOf(e.Index)) && !readsElement(e.Index) && r.sameEachTurn(fd, loop, e.Index)
	case *ast.BinaryExpr:
		return (e.Op == token.ADD || e.Op == token.SUB || e.Op == token.MUL) && r.sameEachTurn(fd, loop, e.X) && r.sameEachTurn(fd, loop, e.Y)
	case *ast.CallExpr:
		id := calleeIdent(e)
		if id == nil {
			return false
		}
		b, ok := r.info.Uses[id].(*types.Builtin)
		return ok && (b.Name() == "len" || b.Name() == "min" || b.Name() == "max") &&
			!slices.ContainsFunc(e.Args, func(a ast.Expr) bool { return !r.sameEachTurn(fd, loop, a) })
	}
	return false
}

// keeps reports whether v, a number, a slice or a string, is assigned neither in the loop nor by a function that the
// loop may call, and nobody has its address.
func (r *rewriter) keeps(fd *ast.FuncDecl, loop ast.Node, v *types.Var) bool {
	switch v.Type().Underlying().(type) {
	case *types.Basic, *types.Slice:
	default:
		return false
	}
	kept := !r.changes(loop, v)
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			kept = kept && (within(n, loop.Pos()) || !mentions(r.info, n, map[*types.Var]bool{v: true}))
		case *ast.UnaryExpr:
			kept = kept && !(n.Op == token.AND && variable(r.info, n.X) == v)
		case *ast.SelectorExpr: // of a method, which may take the address
			kept = kept && variable(r.info, n.X) != v
		}
		return kept
	})
	return kept
}

// changes reports whether v is assigned anew in n.
func (r *rewriter) changes(n ast.Node, v *types.Var) bool {
	found := false
	is := func(e ast.Expr) bool { return e != nil && variable(r.info, e) == v }
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			found = found || slices.ContainsFunc(n.Lhs, is)
		case *ast.IncDecStmt:
			found = found || is(n.X)
		case *ast.RangeStmt:
			found = found || is(n.Key) || is(n.Value)
		case *ast.UnaryExpr:
			found = found || n.Op == token.AND && is(n.X)
		}
		return !found
	})
	return found
}
