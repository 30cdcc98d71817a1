package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// edits rewrites statements that put elements into the middle of a slice, or take them out,
//
//	s = slices.Insert(s, i, v)              insert·(&s, i, v)
//	s = append(s[:i], append([]T{v}, s[i:]...)...)
//	s = slices.Delete(s, i, j)              remove·(&s, i, j)
//	s = append(s[:i], s[j:]...)             joined·(&s, i, j)
//
// to calls of functions that append to s, move elements, and cut s at its end, which lowering knows. Of a field that is
// edited so somewhere, s = s[n:] is joined·(&s, 0, n), which takes no longer than the other edits do. What a function
// returns may be such a value of a parameter or a variable, which is assigned first.
func (r *rewriter) edits(n ast.Node) {
	lists(n, func(list []ast.Stmt, _ token.Pos) []ast.Stmt {
		var out []ast.Stmt
		for _, s := range list {
			switch s := s.(type) {
			case *ast.AssignStmt:
				if s.Tok == token.ASSIGN && len(s.Lhs) == 1 && len(s.Rhs) == 1 {
					if call := r.edited(s.Lhs[0], s.Rhs[0]); call != nil {
						out = append(out, &ast.ExprStmt{X: call})
						continue
					}
				}
			case *ast.ReturnStmt:
				if of := r.returnsEdited(s); of != nil {
					if call := r.edited(of, s.Results[0]); call != nil {
						s.Results[0] = name(of.Name, s.Results[0].Pos())
						out = append(out, &ast.ExprStmt{X: call})
					}
				}
			}
			out = append(out, s)
		}
		return out
	})
}

// returnsEdited is the variable in return append(s[:i], …), and the like; nil for others.
func (r *rewriter) returnsEdited(s *ast.ReturnStmt) *ast.Ident {
	if len(s.Results) != 1 {
		return nil
	}
	call, ok := ast.Unparen(s.Results[0]).(*ast.CallExpr)
	if !ok || len(call.Args) < 2 {
		return nil
	}
	of := ast.Unparen(call.Args[0])
	if cut, ok := of.(*ast.SliceExpr); ok {
		of = ast.Unparen(cut.X)
	}
	id, ok := of.(*ast.Ident)
	if !ok || variable(r.info, id) == nil || !types.Identical(r.info.TypeOf(id), r.info.TypeOf(call)) {
		return nil
	}
	return id
}

// edited is the call that assigns value to the slice to, nil if there is none.
func (r *rewriter) edited(to, value ast.Expr) ast.Expr {
	t := r.info.TypeOf(to)
	if t == nil || !isSlice(t) || !flatElements(t) || !isPlainPath(to) {
		return nil
	}
	if v := rootOf(r.info, to); v == nil || isGlobal(v) {
		return nil
	}
	name, args, ellipsis := "", []ast.Expr(nil), token.NoPos
	switch e := ast.Unparen(value).(type) {
	case *ast.CallExpr:
		name, args = r.edit(e, text(to))
		if r.calleeIn(e, "slices") != "" {
			ellipsis = e.Ellipsis
		}
		if ellipsis.IsValid() && mentionsIn(r.info, e.Args[len(e.Args)-1:], rootOf(r.info, to)) {
			return nil
		}
	case *ast.SliceExpr:
		if r.editedFields[r.fieldOf(to)] && r.partOf(e, text(to)) != nil && e.Low != nil && e.High == nil {
			name, args = "joined·", []ast.Expr{number("0", e.Pos()), e.Low}
		}
	}
	if name == "" {
		return nil
	}
	r.changed, r.helpers[name] = true, true
	pos := to.Pos()
	call := callTo(name, pos, append([]ast.Expr{&ast.UnaryExpr{OpPos: pos, Op: token.AND, X: to}}, args...)...)
	call.Ellipsis = ellipsis
	return call
}

// fieldOf is the field that e names, nil if it is no selector.
func (r *rewriter) fieldOf(e ast.Expr) *types.Var {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok || r.info.Selections[sel] == nil {
		return nil
	}
	v, _ := r.info.Selections[sel].Obj().(*types.Var)
	return v
}

// findEdited notes the fields that statements in the files edit.
func (r *rewriter) findEdited(files []*ast.File) {
	r.editedFields = map[*types.Var]bool{}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			if a, ok := n.(*ast.AssignStmt); ok && a.Tok == token.ASSIGN && len(a.Lhs) == 1 && len(a.Rhs) == 1 {
				if call, ok := ast.Unparen(a.Rhs[0]).(*ast.CallExpr); ok {
					if field := r.fieldOf(a.Lhs[0]); field != nil {
						name, _ := r.edit(call, text(a.Lhs[0]))
						r.editedFields[field] = r.editedFields[field] || name != ""
					}
				}
			}
			return true
		})
	}
}

// splitShifts rewrites s = append(s[n:], v), of a variable, to s = s[n:] and s = append(s, v).
func (r *rewriter) splitShifts(n ast.Node) {
	lists(n, func(list []ast.Stmt, _ token.Pos) []ast.Stmt {
		var out []ast.Stmt
		for _, s := range list {
			a, ok := s.(*ast.AssignStmt)
			if ok && a.Tok == token.ASSIGN && len(a.Lhs) == 1 && len(a.Rhs) == 1 {
				v := variable(r.info, a.Lhs[0])
				call, isCall := ast.Unparen(a.Rhs[0]).(*ast.CallExpr)
				if v != nil && isCall && isBuiltin(r.info, call, "append") && flatElements(v.Type()) && !mentionsIn(r.info, call.Args[1:], v) {
					if cut := r.partOf(call.Args[0], v.Name()); cut != nil && (cut.Low == nil) != (cut.High == nil) && variable(r.info, cut.X) == v &&
						!slices.ContainsFunc(call.Args[1:], callsAny) {
						r.changed = true
						id := name(v.Name(), a.Pos())
						r.info.Uses[id] = v
						to := name(v.Name(), a.Pos())
						r.info.Uses[to] = v
						out = append(out, set(to, token.ASSIGN, cut, a.Pos()))
						call.Args[0] = id
					}
				}
			}
			out = append(out, s)
		}
		return out
	})
}

// edit returns the function that does what assigning the call to the slice with a name does, and its arguments behind
// the slice; none if there is no such function.
func (r *rewriter) edit(call *ast.CallExpr, of string) (name string, args []ast.Expr) {
	switch {
	case r.isCallOf(call, "slices", "Insert") && len(call.Args) > 2 && text(call.Args[0]) == of:
		if !call.Ellipsis.IsValid() {
			return inserting(call.Args[1:])
		}
		return "insert·", call.Args[1:]
	case r.isCallOf(call, "slices", "Delete") && text(call.Args[0]) == of:
		return "remove·", call.Args[1:]
	case !isBuiltin(r.info, call, "append") || !call.Ellipsis.IsValid() || len(call.Args) != 2:
		return "", nil
	}
	front := r.partOf(call.Args[0], of)
	if front == nil || front.Low != nil || front.High == nil || callsAny(front.High) {
		return "", nil
	}
	if back := r.partOf(call.Args[1], of); back != nil {
		if back.Low != nil && back.High == nil {
			return "joined·", []ast.Expr{front.High, back.Low}
		}
		return "", nil
	}
	inner, ok := ast.Unparen(call.Args[1]).(*ast.CallExpr)
	if !ok || !isBuiltin(r.info, inner, "append") || !inner.Ellipsis.IsValid() || len(inner.Args) != 2 {
		return "", nil
	}
	lit, ok := ast.Unparen(inner.Args[0]).(*ast.CompositeLit)
	back := r.partOf(inner.Args[1], of)
	if !ok || back == nil || back.Low == nil || back.High != nil || text(back.Low) != text(front.High) || len(lit.Elts) == 0 {
		return "", nil
	}
	for _, e := range lit.Elts {
		if c, ok := e.(*ast.CompositeLit); ok && c.Type == nil {
			return "", nil
		}
		if _, ok := e.(*ast.KeyValueExpr); ok {
			return "", nil
		}
	}
	return inserting(append([]ast.Expr{front.High}, lit.Elts...))
}

// inserting is the function that inserts one element, or several, at the place that is the first argument.
func inserting(args []ast.Expr) (name string, _ []ast.Expr) {
	if len(args) == 2 {
		return "insertOne·", args
	}
	return "insert·", args
}

// partOf is e, if it is a part of the slice with a name.
func (r *rewriter) partOf(e ast.Expr, of string) *ast.SliceExpr {
	cut, ok := ast.Unparen(e).(*ast.SliceExpr)
	if !ok || cut.Slice3 || text(ast.Unparen(cut.X)) != of {
		return nil
	}
	return cut
}

// isCallOf reports whether the call is one of a function of a package.
func (r *rewriter) isCallOf(call *ast.CallExpr, pkg, name string) bool {
	f := r.calleeIn(call, pkg)
	return f == name
}
