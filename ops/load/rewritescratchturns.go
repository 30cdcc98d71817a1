package load

import (
	"go/ast"
	"go/token"
	"go/types"
)

// apartBut reports whether the turns of a loop need each other for nothing but some buffers, as far as can be seen:
// what they assign from outside of the loop are elements whose indices depend on the turn, which they do not read
// elsewhere, and numbers that they add to. Nothing goes wrong if it is not so.
func (r *rewriter) apartBut(loop ast.Stmt, body *ast.BlockStmt, decls funcDecls, buffers map[*types.Var]bool) bool {
	outside := func(e ast.Expr) *types.Var {
		v := slicedFrom(r.info, e)
		if v == nil || buffers[v] || within(loop, v.Pos()) {
			return nil
		}
		return v
	}
	byTurn := func(e ast.Expr) (found bool) {
		ast.Inspect(e, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if v, isVar := r.info.Uses[id].(*types.Var); ok && isVar && !v.IsField() {
				found = found || within(loop, v.Pos())
			}
			return !found
		})
		return found
	}
	ok := true
	conditions := 0 // around a statement, that mention what is assigned outside
	var look func(n ast.Node)
	target := func(e ast.Expr, tok token.Token) {
		v := outside(e)
		switch {
		case v == nil || tok == token.DEFINE && variable(r.info, e) == nil:
		case variable(r.info, e) == v: // as a whole
			ok = ok && (tok != token.ASSIGN || conditions > 0)
		case tok == token.ASSIGN:
			ok = ok && byTurn(e) && !r.readsElsewhere(body, v, e)
		}
	}
	look = func(n ast.Node) {
		ast.Inspect(n, func(m ast.Node) bool {
			switch m := m.(type) {
			case *ast.IfStmt:
				if m != n {
					conditions++
					look(m)
					conditions--
					return false
				}
			case *ast.AssignStmt:
				if appendsTo(r.info, m) {
					return true
				}
				for _, e := range m.Lhs {
					target(e, m.Tok)
				}
			case *ast.CallExpr:
				for at, e := range m.Args {
					v := outside(e)
					fd, p := r.parameter(decls, m, at)
					changes := fd != nil && isSlice(p.Type()) && r.setsElements(fd.Body, p) || at == 0 && isBuiltin(r.info, m, "copy")
					ok = ok && (v == nil || !changes || byTurn(e) && !r.readsElsewhere(body, v, e))
				}
			}
			return ok
		})
	}
	look(body)
	return ok
}

// slicedFrom is the variable that e is, or is an element or a part of.
func slicedFrom(info *types.Info, e ast.Expr) *types.Var {
	id := pathIdent(e)
	if id == nil {
		return nil
	}
	v, _ := info.ObjectOf(id).(*types.Var)
	return v
}

// readsElsewhere reports whether a body reads elements of v that have another index than those of e.
func (r *rewriter) readsElsewhere(body ast.Node, v *types.Var, e ast.Expr) (found bool) {
	first := text(e)
	uses(body, func(id *ast.Ident, st []ast.Node) {
		if found || variable(r.info, id) != v {
			return
		}
		at := len(st) - 1
		for ; at > 0; at-- {
			if x, ok := st[at-1].(ast.Expr); !ok || slicedFrom(r.info, x) != v {
				break
			}
		}
		x := st[at].(ast.Expr)
		found = x != ast.Expr(id) && text(x) != first && !isTarget(st, len(st)-1)
	})
	return found
}

// appendsTo reports whether s is v = append(v, …).
func appendsTo(info *types.Info, s *ast.AssignStmt) bool {
	u, _ := appendTarget(info, s)
	return u != nil
}
