package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
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

// exchangedStructs rewrites a, b = b, a of structs with slices to a.X, b.X = b.X, a.X for each field X: each slice
// gives its memory to another one.
func (r *rewriter) exchangedStructs(fd *ast.FuncDecl) {
	lists(fd.Body, func(list []ast.Stmt, _ token.Pos) []ast.Stmt {
		var out []ast.Stmt
		for _, s := range list {
			a, ok := s.(*ast.AssignStmt)
			if !ok || !r.exchangesStructs(a) {
				out = append(out, s)
				continue
			}
			r.changed = true
			out = append(out, exchangedFields(a, r.info.TypeOf(a.Lhs[0]))...)
		}
		return out
	})
}

// exchangesStructs reports whether a statement gives structs with slices, variables or fields, each other's values.
func (r *rewriter) exchangesStructs(a *ast.AssignStmt) bool {
	if a.Tok != token.ASSIGN || len(a.Lhs) != 2 || len(a.Rhs) != 2 {
		return false
	}
	t := r.info.TypeOf(a.Lhs[0])
	for _, e := range slices.Concat(a.Lhs, a.Rhs) {
		if u := r.info.TypeOf(e); u == nil || !isStruct(u) || !hasSlices(u) || !types.Identical(u, t) || !isPlainPath(e) {
			return false
		}
	}
	if !r.mayName(t) {
		return false
	}
	return text(a.Lhs[0]) == text(a.Rhs[1]) && text(a.Lhs[1]) == text(a.Rhs[0]) && text(a.Lhs[0]) != text(a.Lhs[1])
}

// mayName reports whether the package may name all fields of a struct, and of structs with slices in it.
func (r *rewriter) mayName(t types.Type) bool {
	for f := range t.Underlying().(*types.Struct).Fields() {
		deep := isStruct(f.Type()) && hasSlices(f.Type())
		if !f.Exported() && f.Pkg() != r.pkg || deep && !r.mayName(f.Type()) {
			return false
		}
	}
	return true
}

// exchangedFields are an exchange of structs of type t field by field.
func exchangedFields(a *ast.AssignStmt, t types.Type) (list []ast.Stmt) {
	for f := range t.Underlying().(*types.Struct).Fields() {
		if f.Name() == "_" {
			continue
		}
		part := &ast.AssignStmt{Tok: token.ASSIGN, TokPos: a.TokPos}
		for i := range a.Lhs {
			of := func(e ast.Expr) ast.Expr { return &ast.SelectorExpr{X: e, Sel: name(f.Name(), e.Pos())} }
			part.Lhs, part.Rhs = append(part.Lhs, of(a.Lhs[i])), append(part.Rhs, of(a.Rhs[i]))
		}
		if isStruct(f.Type()) && hasSlices(f.Type()) {
			list = append(list, exchangedFields(part, f.Type())...)
		} else {
			list = append(list, part)
		}
	}
	return list
}
