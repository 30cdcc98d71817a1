package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// renewals rewrites what fills a local slice anew, in the memory that it has,
//
//	stack = append(stack[:0], x)
//
// to stack = stack[:0] and stack = append(stack, x), and
//
//	keep = slices.Grow(keep[:0], n)[:n]
//	clear(keep)
//
// to keep = keep[:0] and keep = append(keep, make([]bool, n)...). What is appended does not use the slice itself. A
// slice that is emptied beside others, as in run, queue = 0, queue[:0], is emptied by itself.
func (r *rewriter) renewals(fd *ast.FuncDecl) {
	lists(fd.Body, func(list []ast.Stmt, _ token.Pos) []ast.Stmt {
		var out []ast.Stmt
		for i := 0; i < len(list); i++ {
			v, call, two := r.renewal(fd, list[i:])
			if v == nil {
				out = append(out, r.emptiedApart(list[i])...)
				continue
			}
			r.changed = true
			pos := list[i].Pos()
			empty := &ast.SliceExpr{X: name(v.Name(), pos), High: number("0", pos)}
			out = append(out, set(name(v.Name(), pos), token.ASSIGN, empty, pos), set(name(v.Name(), pos), token.ASSIGN, call, pos))
			if two {
				i++
			}
		}
		return out
	})
}

// renewal returns the slice that the statement at the beginning of a list fills anew, or it and the next one do, and
// what appends to it then; nil if that is something else.
func (r *rewriter) renewal(fd *ast.FuncDecl, list []ast.Stmt) (v *types.Var, appends *ast.CallExpr, two bool) {
	a, ok := list[0].(*ast.AssignStmt)
	if !ok || a.Tok != token.ASSIGN || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
		return nil, nil, false
	}
	v = variable(r.info, a.Lhs[0])
	if v == nil || isGlobal(v) || !isSlice(v.Type()) || inLiterals(r.info, fd.Body, v) {
		return nil, nil, false
	}
	pos := a.Rhs[0].Pos()
	switch e := ast.Unparen(a.Rhs[0]).(type) {
	case *ast.CallExpr:
		if !isBuiltin(r.info, e, "append") || !r.isEmptied(e.Args[0], v) || mentionsIn(r.info, e.Args[1:], v) {
			return nil, nil, false
		}
		return v, &ast.CallExpr{Fun: e.Fun, Lparen: e.Lparen, Args: append([]ast.Expr{name(v.Name(), pos)}, e.Args[1:]...), Ellipsis: e.Ellipsis, Rparen: e.Rparen}, false
	case *ast.SliceExpr:
		grown, ok := ast.Unparen(e.X).(*ast.CallExpr)
		of, isBasic := v.Type().Underlying().(*types.Slice).Elem().(*types.Basic)
		if !ok || !isBasic || r.pkg.Scope().Lookup(of.Name()) != nil || e.Low != nil || e.High == nil || e.Max != nil || len(list) < 2 ||
			!r.isCallOf(grown, "slices", "Grow") || !r.isEmptied(grown.Args[0], v) || mayCall(r.info, e.High) ||
			mentionsIn(r.info, []ast.Expr{e.High}, v) || text(grown.Args[1]) != text(e.High) || !r.isCleared(list[1], v) {
			return nil, nil, false
		}
		made := callTo("make", pos, &ast.ArrayType{Lbrack: pos, Elt: name(of.Name(), pos)}, e.High)
		return v, &ast.CallExpr{Fun: name("append", pos), Lparen: pos, Args: []ast.Expr{name(v.Name(), pos), made}, Ellipsis: pos, Rparen: pos}, true
	}
	return nil, nil, false
}

// emptiedApart is a statement, or two: that which empties a slice, and what it assigns besides.
func (r *rewriter) emptiedApart(s ast.Stmt) []ast.Stmt {
	a, ok := s.(*ast.AssignStmt)
	if !ok || a.Tok != token.ASSIGN || len(a.Lhs) < 2 || len(a.Lhs) != len(a.Rhs) {
		return []ast.Stmt{s}
	}
	for i, x := range a.Lhs {
		v := variable(r.info, x)
		if v == nil || isGlobal(v) || !r.isEmptied(a.Rhs[i], v) {
			continue
		}
		left, right := slices.Delete(slices.Clone(a.Lhs), i, i+1), slices.Delete(slices.Clone(a.Rhs), i, i+1)
		if mentionsIn(r.info, left, v) || mentionsIn(r.info, right, v) || slices.ContainsFunc(slices.Concat(left, right), func(e ast.Expr) bool { return mayCall(r.info, e) }) {
			return []ast.Stmt{s}
		}
		r.changed = true
		rest := &ast.AssignStmt{Lhs: left, TokPos: a.TokPos, Tok: a.Tok, Rhs: right}
		return []ast.Stmt{set(x, a.Tok, a.Rhs[i], a.TokPos), rest}
	}
	return []ast.Stmt{s}
}

// isEmptied reports whether e is v[:0].
func (r *rewriter) isEmptied(e ast.Expr, v *types.Var) bool {
	cut, ok := ast.Unparen(e).(*ast.SliceExpr)
	if !ok || variable(r.info, cut.X) != v || cut.Low != nil || cut.High == nil || cut.Max != nil {
		return false
	}
	n, isConst := intConst(r.info, cut.High)
	return isConst && n == 0
}

// isCleared reports whether s is clear(v).
func (r *rewriter) isCleared(s ast.Stmt, v *types.Var) bool {
	e, ok := s.(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := ast.Unparen(e.X).(*ast.CallExpr)
	return ok && isBuiltin(r.info, call, "clear") && variable(r.info, call.Args[0]) == v
}
