package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// Note [Lists of turns]
//
// A kernel often collects what it finds in a grid,
//
//	var found []Peak
//	for y := range rows {
//		for x := range width {
//			if … {
//				found = append(found, Peak{y, x})
//			}
//		}
//	}
//
// Where the turns of the outer loop do nothing else that another turn sees, each may have a list of its own, and those
// of all turns are found one behind the other:
//
//	var lists [][]Peak
//	for y := range rows {
//		var found []Peak
//		…
//		lists = append(lists, found)
//	}
//	found = flatten·(lists)
//
// The turns are a Map then, whose rows differ in length.

// listsApart rewrites the loops of kernels that Note [Lists of turns] is about.
func (r *rewriter) listsApart(files []*ast.File) bool {
	decls := r.declared(files)
	for _, fd := range functions(files) {
		if !isKernelDecl(fd) || outOfOrder(fd.Body) {
			continue
		}
		var out []ast.Stmt
		for i, s := range fd.Body.List {
			v, typ := r.findings(fd, decls, i)
			if v == nil {
				out = append(out, s)
				continue
			}
			pos := s.Pos()
			lists := unusedName(fd, "lists")
			body, _ := loopParts(s)
			of := &ast.ArrayType{Lbrack: pos, Elt: copyOf(typ)}
			own := declareEmpty(v.Name(), copyOf(typ), body.Lbrace)
			all := &ast.CallExpr{Fun: name("append", pos), Lparen: pos, Args: []ast.Expr{name(lists, pos), name(v.Name(), pos)}, Rparen: pos}
			body.List = slices.Concat([]ast.Stmt{own}, body.List, []ast.Stmt{set(name(lists, pos), token.ASSIGN, all, pos)})
			out = append(out, declareEmpty(lists, of, pos), s, set(name(v.Name(), pos), token.ASSIGN, callTo("flatten·", pos, name(lists, pos)), pos))
			r.helpers["flatten·"], r.changed = true, true
		}
		fd.Body.List = out
	}
	return r.changed
}

// declareEmpty is var name t.
func declareEmpty(of string, t ast.Expr, pos token.Pos) ast.Stmt {
	spec := &ast.ValueSpec{Names: []*ast.Ident{name(of, pos)}, Type: t}
	return &ast.DeclStmt{Decl: &ast.GenDecl{TokPos: pos, Tok: token.VAR, Specs: []ast.Spec{spec}}}
}

// findings returns the slice that the turns of the loop which is statement i of a function append to in loops inside,
// and its type, where Note [Lists of turns] is about it; nil for others.
func (r *rewriter) findings(fd *ast.FuncDecl, decls funcDecls, i int) (v *types.Var, typ ast.Expr) {
	list := fd.Body.List
	body, _ := loopParts(list[i])
	if body == nil || returnsIn(body) || slices.ContainsFunc(body.List, leavesLoop) {
		return nil, nil
	}
	switch s := list[i].(type) {
	case *ast.RangeStmt:
		if t := r.info.TypeOf(s.X); s.Tok == token.ASSIGN || !isSlice(t) && !isIntType(t) {
			return nil, nil
		}
	case *ast.ForStmt:
		if by, _ := (&filling{r: r, fd: fd, decls: decls}).staysBelow(s); by == nil {
			return nil, nil
		}
	}
	for _, s := range body.List { // an append in a loop inside
		if inner, _ := loopParts(s); inner != nil {
			ast.Inspect(inner, func(n ast.Node) bool {
				if u, _ := appendTarget(r.info, asStmt(n)); u != nil && !within(list[i], u.Pos()) {
					v = u
				}
				return true
			})
		}
	}
	if v == nil || !flatElements(v.Type()) {
		return nil, nil
	}
	at := slices.IndexFunc(list[:i], func(s ast.Stmt) bool { return declares(r.info, s, v) })
	if at < 0 || r.usesAny(list[at+1:i], v) || !r.onlyRead(list[i+1:], v) {
		return nil, nil
	}
	if typ = r.emptyType(list[at], v); typ == nil || !(&turnsApart{r: r, fd: fd, decls: decls, v: v, seen: map[ast.Node]bool{}}).apart(body, body) {
		return nil, nil
	}
	return v, typ
}

// emptyType is the type that a statement declares v with, as an empty slice; nil for others.
func (r *rewriter) emptyType(s ast.Stmt, v *types.Var) ast.Expr {
	switch s := s.(type) {
	case *ast.DeclStmt:
		for _, spec := range s.Decl.(*ast.GenDecl).Specs {
			if vs, ok := spec.(*ast.ValueSpec); ok && len(vs.Names) == 1 && len(vs.Values) == 0 && r.info.Defs[vs.Names[0]] == types.Object(v) {
				return vs.Type
			}
		}
	case *ast.AssignStmt:
		if len(s.Lhs) != 1 || len(s.Rhs) != 1 || !r.isEmpty(s.Rhs[0]) {
			return nil
		}
		switch e := ast.Unparen(s.Rhs[0]).(type) {
		case *ast.CompositeLit:
			return e.Type
		case *ast.CallExpr:
			if isBuiltin(r.info, e, "make") {
				return e.Args[0]
			}
		}
	}
	return nil
}

// onlyRead reports whether statements do nothing with v but to return it, to take its length, and to read elements.
func (r *rewriter) onlyRead(list []ast.Stmt, v *types.Var) bool {
	ok := true
	uses(&ast.BlockStmt{List: list}, func(id *ast.Ident, stack []ast.Node) {
		if variable(r.info, id) != v {
			return
		}
		above := stack[max(len(stack)-3, 0)]
		switch p := stack[max(len(stack)-2, 0)].(type) {
		case *ast.ReturnStmt:
		case *ast.RangeStmt:
			ok = ok && p.X == ast.Expr(id)
		case *ast.CallExpr:
			ok = ok && isBuiltin(r.info, p, "len")
		case *ast.IndexExpr:
			_, address := above.(*ast.UnaryExpr)
			_, field := above.(*ast.SelectorExpr)
			a, assigns := above.(*ast.AssignStmt)
			_, steps := above.(*ast.IncDecStmt)
			ok = ok && p.X == ast.Expr(id) && !address && !field && !steps && !(assigns && slices.Contains(a.Lhs, ast.Expr(p)))
		default:
			ok = false
		}
	})
	return ok
}

// turnsApart finds out whether the turns of a loop have nothing to do with each other but that they append to v.
type turnsApart struct {
	r     *rewriter
	fd    *ast.FuncDecl
	decls funcDecls
	v     *types.Var
	seen  map[ast.Node]bool
}

// apart reports whether n changes nothing but v and what is declared inside.
func (t *turnsApart) apart(n, inside ast.Node) bool {
	ok := true
	changes := func(e ast.Expr) {
		id, isName := ast.Unparen(e).(*ast.Ident)
		if at, isIndex := ast.Unparen(e).(*ast.IndexExpr); isIndex { // of an array, or of a slice that was made inside
			id, isName = ast.Unparen(at.X).(*ast.Ident)
			u := variable(t.r.info, at.X)
			_, _, array := isArray(t.r.info.TypeOf(at.X))
			isName = isName && u != nil && (array || t.r.owned(inside)[u])
		} else if field, isField := ast.Unparen(e).(*ast.SelectorExpr); isField {
			id, isName = ast.Unparen(field.X).(*ast.Ident)
			isName = isName && !isPointer(t.r.info.TypeOf(field.X))
		}
		if isName && isBlank(id) {
			return
		}
		u := (*types.Var)(nil)
		if isName {
			u = variable(t.r.info, id)
		}
		ok = ok && u != nil && within(inside, u.Pos())
	}
	ast.Inspect(n, func(m ast.Node) bool {
		switch s := m.(type) {
		case *ast.AssignStmt:
			if u, call := appendTarget(t.r.info, s); u == t.v {
				ok = ok && !mentionsIn(t.r.info, call.Args[1:], t.v)
				for _, e := range call.Args[1:] {
					ok = ok && t.apart(e, inside)
				}
				return false
			}
			if s.Tok != token.DEFINE {
				for _, e := range s.Lhs {
					changes(e)
				}
			}
		case *ast.IncDecStmt:
			changes(s.X)
		case *ast.RangeStmt:
			if s.Tok == token.ASSIGN {
				ok = false
			}
		case *ast.UnaryExpr:
			ok = ok && s.Op != token.AND && s.Op != token.ARROW
		case *ast.GoStmt, *ast.DeferStmt, *ast.SendStmt, *ast.SelectStmt, *ast.LabeledStmt:
			ok = false
		case *ast.Ident:
			ok = ok && variable(t.r.info, s) != t.v
		case *ast.CallExpr:
			ok = ok && t.calls(s)
			if isBuiltin(t.r.info, s, "append") {
				ok = ok && t.r.owned(inside)[variable(t.r.info, s.Args[0])]
			}
		}
		return ok
	})
	return ok
}

// calls reports whether what is called changes nothing but variables of its own: a builtin function or a conversion, a
// function for numbers of the standard library, or one of the user's that does not.
func (t *turnsApart) calls(call *ast.CallExpr) bool {
	if t.r.info.Types[call.Fun].IsType() {
		return true
	}
	id := calleeIdent(call)
	if id == nil {
		return false
	}
	switch f := t.r.info.Uses[id].(type) {
	case *types.Builtin:
		return slices.Contains([]string{"len", "cap", "min", "max", "append", "make", "abs", "complex", "real", "imag", "panic"}, f.Name())
	case *types.Var:
		lit, ok := t.r.onlyLiteral(t.fd, f)
		return ok && t.once(lit.Body)
	case *types.Func:
		if decl := t.decls[f.Origin()]; decl != nil {
			return t.once(decl.Body)
		}
		return f.Pkg() != nil && slices.Contains([]string{"math", "math/bits", "math/cmplx", "cmp"}, f.Pkg().Path())
	}
	return false
}

// once is apart for the body of a function, which is looked at once.
func (t *turnsApart) once(body *ast.BlockStmt) bool {
	if t.seen[body] {
		return true
	}
	t.seen[body] = true
	return t.apart(body, body)
}
