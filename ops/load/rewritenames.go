package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// Note [Other names of slices]
//
// cells := g.Cells, h := *q and out := dst give a slice another name. Lowering knows the memory that a function made by
// one name. Where the old name stands for the same slice as long as the new one is used, it takes the place of the new
// one everywhere. So it does where each assignment to the new name is followed by one of that to the old name, as
//
//	h = h[:n-1]
//	*q = h
//
// and where it is a variable that nothing reads any more, as a and b behind src, dst := a, b, whatever is assigned to
// src and dst later, as in src, dst = dst, src.

// funcDecls are the declarations of functions of the package.
type funcDecls map[*types.Func]*ast.FuncDecl

// declared are the functions that files declare.
func (r *rewriter) declared(files []*ast.File) funcDecls {
	decls := funcDecls{}
	for _, fd := range functions(files) {
		if obj, ok := r.info.Defs[fd.Name].(*types.Func); ok {
			decls[obj] = fd
		}
	}
	return decls
}

// otherNames rewrites the names that Note [Other names of slices] is about.
func (r *rewriter) otherNames(files []*ast.File) bool {
	decls := r.declared(files)
	for _, fd := range functions(files) {
		lists(fd.Body, func(list []ast.Stmt, _ token.Pos) []ast.Stmt {
			var out []ast.Stmt
			for i, s := range list {
				if s = r.withoutNames(fd, decls, list, i); s != nil {
					out = append(out, s)
				}
			}
			return out
		})
	}
	return r.changed
}

// withoutNames is statement i of a list without the new names for old ones, which take their places; nil if it has no
// other.
func (r *rewriter) withoutNames(fd *ast.FuncDecl, decls funcDecls, list []ast.Stmt, i int) ast.Stmt {
	s, ok := list[i].(*ast.AssignStmt)
	if !ok || s.Tok != token.DEFINE || len(s.Lhs) != len(s.Rhs) {
		return list[i]
	}
	var lhs, rhs []ast.Expr
	fresh := false
	for k, e := range s.Lhs {
		id := e.(*ast.Ident)
		v, isNew := r.info.Defs[id].(*types.Var)
		if p := r.slicePath(s.Rhs[k]); isNew && p != nil && isSlice(v.Type()) && types.Identical(v.Type(), r.info.TypeOf(s.Rhs[k])) &&
			!r.declaresName(list[i+1:], p.root.Name()) && (r.standsFor(fd, decls, list[i:], v, p) || r.takesOver(fd, list, i, v, p)) {
			for j, back := range list {
				if j > i && r.givesBack(back, v, p) {
					list[j] = &ast.EmptyStmt{Semicolon: back.Pos(), Implicit: true}
				}
			}
			replaceExprs(&ast.BlockStmt{List: list[i+1:]}, nil, func(e ast.Expr) ast.Expr {
				if variable(r.info, e) == v {
					return r.again(s.Rhs[k], e.Pos())
				}
				return e
			})
			r.changed = true
			continue
		}
		lhs, rhs = append(lhs, e), append(rhs, s.Rhs[k])
		fresh = fresh || isNew
	}
	switch {
	case len(lhs) == 0:
		return nil
	case !fresh:
		return &ast.AssignStmt{Lhs: lhs, TokPos: s.TokPos, Tok: token.ASSIGN, Rhs: rhs}
	}
	return &ast.AssignStmt{Lhs: lhs, TokPos: s.TokPos, Tok: token.DEFINE, Rhs: rhs}
}

// again is the path e once more, at another place.
func (r *rewriter) again(e ast.Expr, pos token.Pos) ast.Expr {
	var out ast.Expr
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		id := name(e.Name, pos)
		r.info.Uses[id] = r.info.Uses[e]
		out = id
	case *ast.StarExpr:
		out = &ast.ParenExpr{Lparen: pos, X: &ast.StarExpr{Star: pos, X: r.again(e.X, pos)}, Rparen: pos}
		r.info.Types[out.(*ast.ParenExpr).X] = r.info.Types[e]
	case *ast.SelectorExpr:
		sel := &ast.SelectorExpr{X: r.again(e.X, pos), Sel: name(e.Sel.Name, pos)}
		r.info.Uses[sel.Sel] = r.info.Uses[e.Sel]
		r.info.Selections[sel] = r.info.Selections[e]
		out = sel
	}
	r.info.Types[out] = r.info.Types[e]
	return out
}

// slicePath is a local variable, and fields from there, which lead to a slice, or a pointer to one.
type slicePath struct {
	root    *types.Var
	star    bool
	fields  []*types.Var
	structs []types.Type // which the fields are of
	slice   types.Type
}

// slicePath is what e names, nil if it is none.
func (r *rewriter) slicePath(e ast.Expr) *slicePath {
	p := &slicePath{slice: r.info.TypeOf(e)}
	if p.slice == nil || !isSlice(p.slice) {
		return nil
	}
	if star, ok := ast.Unparen(e).(*ast.StarExpr); ok {
		if _, isName := ast.Unparen(star.X).(*ast.Ident); !isName {
			return nil
		}
		p.star, e = true, star.X
	}
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.Ident:
			p.root = variable(r.info, x)
			if p.root == nil || isGlobal(p.root) || p.root.IsField() {
				return nil
			}
			return p
		case *ast.SelectorExpr:
			sel := r.info.Selections[x]
			if sel == nil || sel.Kind() != types.FieldVal || len(sel.Index()) != 1 {
				return nil
			}
			p.fields = append(p.fields, sel.Obj().(*types.Var).Origin())
			p.structs = append(p.structs, pointedTo(sel.Recv()))
			e = x.X
		default:
			return nil
		}
	}
}

// pointedTo is what a pointer type points to, and another type itself.
func pointedTo(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// declaresName reports whether statements declare something with a name.
func (r *rewriter) declaresName(list []ast.Stmt, name string) bool {
	found := false
	for _, s := range list {
		ast.Inspect(s, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			found = found || ok && id.Name == name && r.info.Defs[id] != nil
			return !found
		})
	}
	return found
}

// standsFor reports whether the variable v, which the first statement of a list declares, is the same slice as p until
// its last use.
func (r *rewriter) standsFor(fd *ast.FuncDecl, decls funcDecls, list []ast.Stmt, v *types.Var, p *slicePath) bool {
	last := 0
	for i, s := range list {
		if mentions(r.info, s, map[*types.Var]bool{v: true}) {
			last = i
		}
	}
	if inLiterals(r.info, fd.Body, v) {
		last = len(list) - 1
	}
	keeps := &pathKeeper{r: r, p: p, decls: decls, seen: map[ast.Node]bool{}, pointed: r.hasAddress(fd.Body, p.root)}
	for i, s := range list[:last+1] {
		if i > 0 && r.givesBack(s, v, p) {
			continue
		}
		if i > 0 && r.changes(s, v) {
			if i+1 == len(list) || !setsOnly(r.info, s, v) || !r.givesBack(list[i+1], v, p) {
				return false
			}
			keeps.visit(s.(*ast.AssignStmt).Rhs[0])
			continue
		}
		if a, ok := s.(*ast.AssignStmt); ok && (i == 0 || i == last && a.Tok == token.ASSIGN && !inLiterals(r.info, fd.Body, v)) {
			for _, e := range append(slices.Clone(a.Lhs), a.Rhs...) { // evaluated before anything is assigned
				keeps.visit(e)
			}
			continue
		}
		keeps.visit(s)
	}
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok {
			keeps.visit(lit.Body)
		}
		return true
	})
	return !keeps.lost
}

// givesBack reports whether s assigns the variable v to the path p.
func (r *rewriter) givesBack(s ast.Stmt, v *types.Var, p *slicePath) bool {
	a, ok := s.(*ast.AssignStmt)
	return ok && a.Tok == token.ASSIGN && len(a.Lhs) == 1 && len(a.Rhs) == 1 && variable(r.info, a.Rhs[0]) == v && p.same(r.slicePath(a.Lhs[0]))
}

// same reports whether two paths are the same one.
func (p *slicePath) same(q *slicePath) bool {
	return q != nil && p.root == q.root && p.star == q.star && slices.Equal(p.fields, q.fields)
}

// setsOnly reports whether s is v = e.
func setsOnly(info *types.Info, s ast.Stmt, v *types.Var) bool {
	a, ok := s.(*ast.AssignStmt)
	return ok && a.Tok == token.ASSIGN && len(a.Lhs) == 1 && len(a.Rhs) == 1 && variable(info, a.Lhs[0]) == v
}

// pathKeeper finds out whether syntax may give a path another slice.
type pathKeeper struct {
	r     *rewriter
	p     *slicePath
	decls funcDecls
	seen  map[ast.Node]bool
	lost  bool

	pointed bool // the address of the variable is taken somewhere
}

func (k *pathKeeper) visit(n ast.Node) {
	if k.lost || k.seen[n] {
		return
	}
	k.seen[n] = true
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			k.lost = k.lost || slices.ContainsFunc(n.Lhs, k.replacedBy)
		case *ast.RangeStmt:
			k.lost = k.lost || n.Tok == token.ASSIGN && (k.replacedBy(n.Key) || n.Value != nil && k.replacedBy(n.Value))
		case *ast.UnaryExpr:
			k.lost = k.lost || n.Op == token.AND && k.named(n.X)
		case *ast.Ident:
			k.mention(n)
		}
		return !k.lost
	})
}

// named reports whether e is the variable of the path, or a field on it.
func (k *pathKeeper) named(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return len(k.p.fields) == 0 && !k.p.star && k.r.info.ObjectOf(e) == types.Object(k.p.root)
	case *ast.SelectorExpr:
		v, ok := k.r.info.Uses[e.Sel].(*types.Var)
		return ok && slices.Contains(k.p.fields, v.Origin())
	}
	return false
}

// replacedBy reports whether assigning e may give the path another slice.
func (k *pathKeeper) replacedBy(e ast.Expr) bool {
	t := k.r.info.TypeOf(e)
	if k.named(e) || variable(k.r.info, e) == k.p.root {
		return true
	}
	if _, ok := ast.Unparen(e).(*ast.StarExpr); (ok || k.p.star) && t != nil && types.Identical(t, k.p.slice) {
		return true
	}
	return t != nil && slices.ContainsFunc(k.p.structs, func(s types.Type) bool { return types.Identical(s, t) })
}

// mention looks into the function that an identifier names. What is not known may assign fields, but no local variable.
func (k *pathKeeper) mention(id *ast.Ident) {
	if len(k.p.fields) == 0 && !k.p.star && !k.pointed {
		return
	}
	switch obj := k.r.info.Uses[id].(type) {
	case *types.Func:
		if fd := k.decls[obj.Origin()]; fd != nil {
			k.visit(fd.Body)
			return
		}
		sig := obj.Signature()
		k.lost = k.lost || sig.Recv() != nil && types.IsInterface(sig.Recv().Type())
		for _, t := range k.p.structs { // its own package may
			named, ok := types.Unalias(t).(*types.Named)
			k.lost = k.lost || ok && named.Obj().Pkg() == obj.Pkg()
		}
		for v := range sig.Params().Variables() { // methods of which it may call
			t, ok := v.Type().Underlying().(*types.Interface)
			k.lost = k.lost || ok && t.NumMethods() > 0
		}
	case *types.Var:
		k.lost = k.lost || isFunc(obj.Type()) && (obj.IsField() || obj.Kind() != types.LocalVar)
	}
}

// takesOver reports whether the variable of the path p, which statement i of a list gives to v, is not used any more.
func (r *rewriter) takesOver(fd *ast.FuncDecl, list []ast.Stmt, i int, v *types.Var, p *slicePath) bool {
	uses := 0
	ast.Inspect(list[i], func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if ok && r.info.Uses[id] == types.Object(p.root) {
			uses++
		}
		return true
	})
	jumps := false
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		b, ok := n.(*ast.BranchStmt)
		jumps = jumps || ok && b.Tok == token.GOTO
		return !jumps
	})
	return len(p.fields) == 0 && !p.star && uses == 1 && !jumps && !r.hasAddress(fd.Body, p.root) && !r.usesAny(list[i+1:], p.root) && !inLiterals(r.info, fd.Body, p.root) &&
		slices.ContainsFunc(list[:i], func(s ast.Stmt) bool { return r.declaresAmong(s, p.root) })
}

// hasAddress reports whether n takes the address of the variable v.
func (r *rewriter) hasAddress(n ast.Node, v *types.Var) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		u, ok := n.(*ast.UnaryExpr)
		found = found || ok && u.Op == token.AND && variable(r.info, u.X) == v
		return !found
	})
	return found
}

// declaresAmong reports whether s declares v, maybe among others.
func (r *rewriter) declaresAmong(s ast.Stmt, v *types.Var) bool {
	if a, ok := s.(*ast.AssignStmt); ok && a.Tok == token.DEFINE {
		return slices.ContainsFunc(a.Lhs, func(e ast.Expr) bool {
			id, ok := e.(*ast.Ident)
			return ok && r.info.Defs[id] == types.Object(v)
		})
	}
	return declares(r.info, s, v)
}

// listedSlices rewrites loops over a list of slices, for _, x := range [][]T{a, b}, to loops over an array of them,
// which are unrolled.
func (r *rewriter) listedSlices(fd *ast.FuncDecl) {
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		loop, ok := n.(*ast.RangeStmt)
		if !ok {
			return true
		}
		lit, ok := ast.Unparen(loop.X).(*ast.CompositeLit)
		if !ok {
			return true
		}
		t, ok := lit.Type.(*ast.ArrayType)
		if !ok || t.Len != nil || !isSlice(r.info.TypeOf(t.Elt)) ||
			!slices.ContainsFunc(lit.Elts, func(e ast.Expr) bool { return r.slicePath(e) != nil }) {
			return true
		}
		lit.Type = &ast.ArrayType{Lbrack: t.Lbrack, Len: &ast.Ellipsis{Ellipsis: t.Lbrack}, Elt: t.Elt}
		r.changed = true
		return true
	})
}
