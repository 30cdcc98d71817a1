package load

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"
)

// Note [Scratch]
//
// A buffer that the turns of a loop use one after the other,
//
//	buf := make([]float64, n)
//	for i, row := range rows {
//		copy(buf, row[:n])
//		…
//	}
//
// is memory that they share, so that each waits for the one before. Where every turn sets all elements, or empties the
// slice, before it uses any, and no other name of it is left when the turn ends, each turn may as well have memory of
// its own:
//
//	_ = make([]float64, n)
//	for i, row := range rows {
//		buf := make([]float64, n)
//		copy(buf, row[:n])
//		…
//	}
//
// The statement in front is left where the length may be negative, or fail. The turns are one after the other still if
// they need each other for something else; then the buffer stays where it is, so that no turn makes one.

// scratch is a buffer that a statement declares, alone.
type scratch struct {
	v      *types.Var
	decl   ast.Stmt
	length ast.Expr // of a slice that is made with its elements; nil: it is empty at first, or an array
	room   ast.Expr // of a slice that is made empty; nil: none is said
	array  bool
	behind []ast.Stmt // the declaration, in its list
}

// scratches rewrites the loops that Note [Scratch] is about.
func (r *rewriter) scratches(files []*ast.File) bool {
	decls := r.declared(files)
	for _, fd := range functions(files) {
		if outOfOrder(fd.Body) {
			continue
		}
		lists(fd.Body, func(list []ast.Stmt, _ token.Pos) []ast.Stmt {
			apart := r.madeApart(list)
			moved := r.toTurns(fd, decls, apart)
			if len(moved) == 0 {
				return list
			}
			r.changed = true
			var out []ast.Stmt
			for _, s := range apart {
				b := moved[s]
				if b == nil {
					out = append(out, s)
				} else if size := cmp.Or(b.length, b.room); size != nil && (!r.isLength(size) || takesPart(size)) {
					made := copySyntax(reflect.ValueOf(s.(*ast.AssignStmt).Rhs[0]), func(ast.Node) ast.Node { return nil }, func(ast.Node, ast.Node) {})
					out = append(out, set(name("_", s.Pos()), token.ASSIGN, made.Interface().(ast.Expr), s.Pos()))
				}
			}
			return out
		})
	}
	return r.changed
}

// outOfOrder reports whether n has a goto, or statements that are done at another time.
func outOfOrder(n ast.Node) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BranchStmt:
			found = found || n.Tok == token.GOTO
		case *ast.GoStmt, *ast.DeferStmt, *ast.SelectStmt:
			found = true
		}
		return !found
	})
	return found
}

// madeApart is a list of statements in which a, n := make(…), 0 are two, as are v, w := a[:m], b[:n].
func (r *rewriter) madeApart(list []ast.Stmt) []ast.Stmt {
	var out []ast.Stmt
	for _, s := range list {
		a, ok := s.(*ast.AssignStmt)
		if !ok || a.Tok != token.DEFINE || len(a.Lhs) < 2 || len(a.Lhs) != len(a.Rhs) || !r.mayPart(a) {
			out = append(out, s)
			continue
		}
		for i := range a.Lhs {
			out = append(out, set(a.Lhs[i], token.DEFINE, a.Rhs[i], a.Lhs[i].Pos()))
		}
	}
	return out
}

// partsApart makes statements of their own of those that give a part of a slice a name beside other variables, so that
// the part is named alone: row, sum := out[lo:hi], 0.0.
func (r *rewriter) partsApart(fd *ast.FuncDecl) {
	isPart := func(e ast.Expr) bool { _, is := ast.Unparen(e).(*ast.SliceExpr); return is }
	lists(fd.Body, func(list []ast.Stmt, _ token.Pos) []ast.Stmt {
		var out []ast.Stmt
		for _, s := range list {
			a, ok := s.(*ast.AssignStmt)
			if !ok || !slices.ContainsFunc(a.Rhs, isPart) || !slices.ContainsFunc(a.Rhs, func(e ast.Expr) bool { return !isPart(e) }) {
				out = append(out, s)
				continue
			}
			apart := r.madeApart([]ast.Stmt{s})
			r.changed = r.changed || len(apart) > 1
			out = append(out, apart...)
		}
		return out
	})
}

// mayPart reports whether a statement that declares several variables makes one, or gives a part of a slice a name, and
// no value has the name of another.
func (r *rewriter) mayPart(a *ast.AssignStmt) bool {
	made := false
	for i, e := range a.Lhs {
		id := e.(*ast.Ident)
		call, isCall := ast.Unparen(a.Rhs[i]).(*ast.CallExpr)
		_, isPart := ast.Unparen(a.Rhs[i]).(*ast.SliceExpr)
		made = made || isPart || isCall && isBuiltin(r.info, call, "make")
		if r.info.Defs[id] == nil || slices.ContainsFunc(a.Rhs, func(e ast.Expr) bool { return hasName(e, id.Name) }) {
			return false
		}
	}
	return made
}

// scratch is the buffer that s declares, nil if it declares none.
func (r *rewriter) scratch(s ast.Stmt) *scratch {
	b := &scratch{decl: s}
	var id *ast.Ident
	switch s := s.(type) {
	case *ast.DeclStmt: // var v []T, var v [N]T
		g, ok := s.Decl.(*ast.GenDecl)
		if !ok || g.Tok != token.VAR || len(g.Specs) != 1 {
			return nil
		}
		spec := g.Specs[0].(*ast.ValueSpec)
		if len(spec.Names) != 1 || len(spec.Values) > 0 {
			return nil
		}
		id = spec.Names[0]
	case *ast.AssignStmt:
		if s.Tok != token.DEFINE || len(s.Lhs) != 1 || len(s.Rhs) != 1 {
			return nil
		}
		id = s.Lhs[0].(*ast.Ident)
		switch e := ast.Unparen(s.Rhs[0]).(type) {
		case *ast.CompositeLit:
			if len(e.Elts) > 0 {
				return nil
			}
		case *ast.CallExpr:
			if !isBuiltin(r.info, e, "make") || len(e.Args) < 2 {
				return nil
			}
			switch {
			case !r.isEmpty(e) && len(e.Args) > 2:
				return nil
			case !r.isEmpty(e):
				b.length = e.Args[1]
			case len(e.Args) > 2:
				b.room = e.Args[2]
			}
		default:
			return nil
		}
	default:
		return nil
	}
	v, ok := r.info.Defs[id].(*types.Var)
	if !ok || id.Name == "_" {
		return nil
	}
	_, elem, isArr := isArray(v.Type())
	if !isArr && isSlice(v.Type()) {
		elem = elementType(v)
	}
	if elem == nil || refers(elem) || !flat(elem) {
		return nil
	}
	b.v, b.array = v, isArr
	return b
}

// onlyWith is the statement of a list that alone names v; nil if there is none, or another one.
func (r *rewriter) onlyWith(list []ast.Stmt, v *types.Var) (with ast.Stmt) {
	for _, s := range list {
		if !mentions(r.info, s, map[*types.Var]bool{v: true}) {
			continue
		}
		if with != nil {
			return nil
		}
		with = s
	}
	if l, ok := with.(*ast.LabeledStmt); ok {
		return l.Stmt
	}
	return with
}

// ownInTurns reports whether each turn of a loop may have buffers of its own.
func (r *rewriter) ownInTurns(fd *ast.FuncDecl, decls funcDecls, body *ast.BlockStmt, buffers []*scratch) bool {
	var fs fillings
	same, equal := map[*types.Var]bool{}, true
	for _, b := range buffers {
		f := &filling{r: r, fd: fd, decls: decls, v: b.v, array: b.array, grows: b.length == nil && !b.array, behind: b.behind}
		switch {
		case !r.sameInside(b, body):
			return false
		case b.length != nil:
			if f.length = f.sum(b.length); f.length == nil || !f.isSteady(b.length) {
				return false
			}
			f.turn = body
		case b.room != nil: // it is evaluated in each turn, and has no effect
			if f.sum(b.room) == nil || !f.isSteady(b.room) {
				return false
			}
		case b.array:
			n, _, _ := isArray(b.v.Type())
			f.length = constantSum(n)
		}
		if len(buffers) > 1 && b.length == nil {
			return false
		}
		fs, same[b.v] = append(fs, f), true
		equal = equal && f.length.equal(fs[0].length)
	}
	if fs.together(equal); !equal { // in the next turn their names would have other lengths
		same = nil
	}
	_, ok := fs.before(body.List, make([]int, len(fs)))
	if !ok && fs.nest() {
		_, ok = fs.before(body.List, make([]int, len(fs)))
	}
	if !ok {
		return false
	}
	for _, f := range fs {
		h := &holding{r: r, decls: decls, grows: f.grows, array: f.array, places: same}
		if !h.holds(body, f.v) {
			return false
		}
	}
	return true
}

// loopParts are the body of a loop and what else it has; nil if s is none.
func loopParts(s ast.Stmt) (body *ast.BlockStmt, header []ast.Node) {
	add := func(n ast.Node, is bool) {
		if is {
			header = append(header, n)
		}
	}
	switch s := s.(type) {
	case *ast.ForStmt:
		add(s.Init, s.Init != nil)
		add(s.Cond, s.Cond != nil)
		add(s.Post, s.Post != nil)
		return s.Body, header
	case *ast.RangeStmt:
		add(s.X, true)
		add(s.Key, s.Key != nil)
		add(s.Value, s.Value != nil)
		return s.Body, header
	}
	return nil, nil
}

// hasName reports whether n has an identifier of that name.
func hasName(n ast.Node, name string) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == name
		return !found
	})
	return found
}

// sameInside reports whether the names in a declaration mean the same at the beginning of a loop's body.
func (r *rewriter) sameInside(b *scratch, body *ast.BlockStmt) bool {
	switch s := b.decl.(type) {
	case *ast.DeclStmt:
		return r.meansSame(s.Decl.(*ast.GenDecl).Specs[0].(*ast.ValueSpec).Type, body.Lbrace+1)
	case *ast.AssignStmt:
		switch e := ast.Unparen(s.Rhs[0]).(type) {
		case *ast.CompositeLit:
			return r.meansSame(e.Type, body.Lbrace+1)
		case *ast.CallExpr:
			return r.meansSame(e, body.Lbrace+1)
		}
	}
	return false
}

// takesPart reports whether e has an index or a slice expression, which may fail.
func takesPart(e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.IndexExpr, *ast.SliceExpr, *ast.StarExpr:
			found = true
		}
		return !found
	})
	return found
}

// isLength reports whether e is not negative: a constant, the length of something, or a sum or product of such.
func (r *rewriter) isLength(e ast.Expr) bool {
	e = ast.Unparen(e)
	if c, ok := intConst(r.info, e); ok {
		return c >= 0
	}
	switch e := e.(type) {
	case *ast.BinaryExpr:
		return (e.Op == token.ADD || e.Op == token.MUL) && r.isLength(e.X) && r.isLength(e.Y)
	case *ast.CallExpr:
		return isBuiltin(r.info, e, "len")
	}
	return false
}
