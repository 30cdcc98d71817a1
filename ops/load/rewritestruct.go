package load

import (
	"go/ast"
	"go/token"
	"go/types"
)

// wholeStructs rewrites s = T{a, b}, in a loop, of a struct with slices that the function has made by such a literal
// before the loop, to s.A = a and s.B = b: a loop carries the slices one by one. The literal has all fields, and names
// neither s nor a pointer, nor calls anything, so that the order does not matter.
func (r *rewriter) wholeStructs(fd *ast.FuncDecl) {
	made := map[*types.Var]bool{}
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && a.Tok == token.DEFINE && len(a.Lhs) == 1 && len(a.Rhs) == 1 {
			if id, ok := a.Lhs[0].(*ast.Ident); ok {
				if v, ok := r.info.Defs[id].(*types.Var); ok && hasSlices(v.Type()) {
					_, made[v] = ast.Unparen(a.Rhs[0]).(*ast.CompositeLit)
				}
			}
		}
		return true
	})
	if len(made) == 0 {
		return
	}
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		var body *ast.BlockStmt
		switch n := n.(type) {
		case *ast.ForStmt:
			body = n.Body
		case *ast.RangeStmt:
			body = n.Body
		default:
			return true
		}
		lists(body, func(list []ast.Stmt, _ token.Pos) []ast.Stmt {
			var out []ast.Stmt
			for _, s := range list {
				if fields := r.fieldByField(s, made, body); fields != nil {
					r.changed = true
					out = append(out, fields...)
					continue
				}
				out = append(out, s)
			}
			return out
		})
		return true
	})
}

// fieldByField are the assignments to the fields in place of s, nil if s is no such assignment of a variable from
// before the loop.
func (r *rewriter) fieldByField(s ast.Stmt, made map[*types.Var]bool, body *ast.BlockStmt) []ast.Stmt {
	a, ok := s.(*ast.AssignStmt)
	if !ok || a.Tok != token.ASSIGN || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
		return nil
	}
	v := variable(r.info, a.Lhs[0])
	lit, ok := ast.Unparen(a.Rhs[0]).(*ast.CompositeLit)
	if v == nil || !ok || !made[v] || within(body, v.Pos()) || mentions(r.info, lit, map[*types.Var]bool{v: true}) || callsAny(lit) || r.namesPointer(lit) {
		return nil
	}
	t, ok := v.Type().Underlying().(*types.Struct)
	if !ok || len(lit.Elts) != t.NumFields() || !types.Identical(r.info.TypeOf(lit), v.Type()) {
		return nil
	}
	var out []ast.Stmt
	for i, e := range lit.Elts {
		field := t.Field(i).Name()
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			id, _ := kv.Key.(*ast.Ident)
			field, e = id.Name, kv.Value
		}
		if inner, ok := e.(*ast.CompositeLit); field == "_" || ok && inner.Type == nil {
			return nil
		}
		to := &ast.SelectorExpr{X: name(v.Name(), a.Pos()), Sel: name(field, a.Pos())}
		out = append(out, set(to, token.ASSIGN, e, a.Pos()))
	}
	return out
}

// namesPointer reports whether e names a variable or a field that is a pointer.
func (r *rewriter) namesPointer(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			v, isVar := r.info.Uses[id].(*types.Var)
			found = found || isVar && isPointer(v.Type())
		}
		return !found
	})
	return found
}
