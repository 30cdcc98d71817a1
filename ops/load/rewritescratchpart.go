package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// Note [Parts of scratch]
//
// A buffer that is made as long as any turn needs it, of which each turn uses the beginning alone,
//
//	buf := make([]float64, n)
//	for i := range n {
//		w := buf[:i+1]
//		…
//	}
//
// is [Scratch] as well: where a turn sets all elements of the part before it uses any, and no name of it is left behind
// the turn, the part may as well be memory of its own. What is left of the buffer says which parts there are:
//
//	for i := range n {
//		w := make([]float64, len(buf[:i+1]))
//		…
//	}

// partTurns is the loop among the statements behind the declaration of a buffer, or inside of that loop, whose turns
// may have memory of their own in place of a part of the buffer, and the statement that names this part; nil if there
// is none.
func (r *rewriter) partTurns(fd *ast.FuncDecl, decls funcDecls, b *scratch) (ast.Stmt, *ast.AssignStmt) {
	if b.length == nil && !b.array {
		return nil, nil
	}
	for loop := r.onlyWith(b.behind, b.v); loop != nil; {
		body, header := loopParts(loop)
		if body == nil || slices.ContainsFunc(header, func(n ast.Node) bool { return hasName(n, b.v.Name()) }) {
			return nil, nil
		}
		list := r.madeApart(body.List)
		inner := r.onlyWith(list, b.v)
		part, v := r.namedPart(inner, b.v)
		if part == nil {
			loop = inner
			continue
		}
		elem := r.elementSyntax(b)
		if elem == nil || !r.predeclared(part.Pos(), "make", "len") || !r.meansSame(elem, part.Pos()) || !r.ownPart(fd, decls, list, inner, part, v) {
			return nil, nil
		}
		body.List = list
		return loop, inner.(*ast.AssignStmt)
	}
	return nil, nil
}

// ownMemory lets s, which names a part of a buffer, name memory of its own that is as long.
func (r *rewriter) ownMemory(b *scratch, s *ast.AssignStmt) {
	pos := s.Rhs[0].Pos()
	list := &ast.ArrayType{Lbrack: pos, Elt: copyOf(r.elementSyntax(b))}
	s.Rhs[0] = callTo("make", pos, list, callTo("len", pos, s.Rhs[0]))
	r.changed = true
}

// namedPart is the beginning of v that a statement gives a name, and that name; nil if it does not.
func (r *rewriter) namedPart(s ast.Stmt, v *types.Var) (*ast.SliceExpr, *types.Var) {
	a, ok := s.(*ast.AssignStmt)
	if !ok || a.Tok != token.DEFINE || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
		return nil, nil
	}
	part, ok := ast.Unparen(a.Rhs[0]).(*ast.SliceExpr)
	if !ok || variable(r.info, part.X) != v || part.High == nil || part.Slice3 || mentionsIn(r.info, []ast.Expr{part.High}, v) {
		return nil, nil
	}
	if part.Low != nil {
		if c, isConst := intConst(r.info, part.Low); !isConst || c != 0 {
			return nil, nil
		}
	}
	named, ok := r.info.Defs[a.Lhs[0].(*ast.Ident)].(*types.Var)
	if !ok || !types.Identical(named.Type(), types.NewSlice(elementType(named))) {
		return nil, nil
	}
	return part, named
}

// ownPart reports whether a turn, a list of statements, sets all elements of the part of a buffer that statement s
// names v before it uses any, and leaves no name of it.
func (r *rewriter) ownPart(fd *ast.FuncDecl, decls funcDecls, list []ast.Stmt, s ast.Stmt, part *ast.SliceExpr,
	v *types.Var) bool {
	at := slices.Index(list, s)
	if at < 0 { // it has a label
		return false
	}
	behind := list[at+1:]
	f := &filling{r: r, fd: fd, decls: decls, v: v, behind: behind}
	length := f.sum(part.High)
	if length == nil || !f.isSteady(part.High) {
		return false
	}
	f.length = length
	if _, ok := f.before(behind); !ok {
		return false
	}
	return (&holding{r: r, decls: decls}).holds(&ast.BlockStmt{List: list}, v)
}

// elementSyntax is what the type of a buffer's elements is written as, where it is declared.
func (r *rewriter) elementSyntax(b *scratch) ast.Expr {
	var t ast.Expr
	switch s := b.decl.(type) {
	case *ast.DeclStmt:
		t = s.Decl.(*ast.GenDecl).Specs[0].(*ast.ValueSpec).Type
	case *ast.AssignStmt:
		switch e := ast.Unparen(s.Rhs[0]).(type) {
		case *ast.CompositeLit:
			t = e.Type
		case *ast.CallExpr:
			t = e.Args[0]
		}
	}
	list, ok := t.(*ast.ArrayType)
	if !ok {
		return nil
	}
	return list.Elt
}
