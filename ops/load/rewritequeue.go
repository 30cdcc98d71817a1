package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// queues rewrites the slices of a function that it cuts at their beginning, and appends to: queue = queue[1:] counts
// what is taken, in a variable head, queue[0] is queue[head], and len(queue) is len(queue)-head. That is so where
// nothing else is done with the slice; where it would be seen that the memory stays, as by cap, it is left alone.
func (r *rewriter) queues(fd *ast.FuncDecl) {
	uses := map[*types.Var]*queue{}
	var order []*types.Var
	at := func(e ast.Expr) *queue {
		v := variable(r.info, e)
		if v == nil || !isSlice(v.Type()) || !flatElements(v.Type()) || isGlobal(v) || !within(fd.Body, v.Pos()) {
			return nil
		}
		if uses[v] == nil {
			uses[v] = &queue{v: v}
			order = append(order, v)
		}
		return uses[v]
	}
	known := map[*ast.Ident]bool{} // uses that can be rewritten
	mark := func(e ast.Expr) { known[ast.Unparen(e).(*ast.Ident)] = true }
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if v, call := appendTarget(r.info, n); v != nil && !mentionsIn(r.info, call.Args[1:], v) {
				if q := at(call.Args[0]); q != nil {
					q.grows = true
					mark(n.Lhs[0])
					mark(call.Args[0])
				}
				return true
			}
			if len(n.Lhs) != 1 || len(n.Rhs) != 1 || n.Tok != token.ASSIGN {
				return true
			}
			cut, ok := ast.Unparen(n.Rhs[0]).(*ast.SliceExpr)
			if ok && cut.Low != nil && cut.High == nil && !cut.Slice3 {
				q, of := at(n.Lhs[0]), at(cut.X)
				if c, isConst := intConst(r.info, cut.Low); q != nil && q == of && isConst && c >= 0 {
					q.cuts = append(q.cuts, n)
					mark(n.Lhs[0])
					mark(cut.X)
				}
			}
		case *ast.IndexExpr:
			if q := at(n.X); q != nil {
				if c, ok := intConst(r.info, n.Index); ok && c >= 0 {
					q.reads = append(q.reads, n)
					mark(n.X)
				}
			}
		case *ast.CallExpr:
			if isBuiltin(r.info, n, "len") {
				if q := at(n.Args[0]); q != nil {
					q.lens = append(q.lens, n)
					mark(n.Args[0])
				}
			}
		}
		return true
	})
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := r.info.Uses[id].(*types.Var); ok && uses[v] != nil && !known[id] {
				uses[v].others = true
			}
		}
		return true
	})
	for _, v := range order {
		if q := uses[v]; q.grows && len(q.cuts) > 0 && !q.others {
			r.queue(fd, q)
		}
	}
}

// queue is what a function does with a slice.
type queue struct {
	v      *types.Var
	grows  bool
	others bool // it does something else, too
	cuts   []*ast.AssignStmt
	reads  []*ast.IndexExpr
	lens   []*ast.CallExpr
}

// queue rewrites one, whose declaration must be a statement of its own.
func (r *rewriter) queue(fd *ast.FuncDecl, q *queue) {
	head := unusedName(fd, q.v.Name()+"Head")
	declared := false
	lists(fd.Body, func(list []ast.Stmt, _ token.Pos) []ast.Stmt {
		for i, s := range list {
			if !declared && declares(r.info, s, q.v) {
				declared = true
				return slices.Insert(slices.Clone(list), i+1, ast.Stmt(set(name(head, s.Pos()), token.DEFINE, number("0", s.Pos()), s.Pos())))
			}
		}
		return list
	})
	if !declared {
		return
	}
	r.changed = true
	rest := func(pos token.Pos) ast.Expr { // how many elements there are
		return &ast.ParenExpr{Lparen: pos, X: &ast.BinaryExpr{
			X:  &ast.CallExpr{Fun: name("len", pos), Lparen: pos, Args: []ast.Expr{name(q.v.Name(), pos)}, Rparen: pos},
			Op: token.SUB, OpPos: pos, Y: name(head, pos)}, Rparen: pos}
	}
	for _, e := range q.reads {
		e.Index = &ast.BinaryExpr{X: name(head, e.Index.Pos()), Op: token.ADD, OpPos: e.Index.Pos(), Y: e.Index}
	}
	replaceExprs(fd.Body, nil, func(e ast.Expr) ast.Expr {
		if call, ok := e.(*ast.CallExpr); ok && slices.Contains(q.lens, call) {
			return rest(call.Pos())
		}
		return e
	})
	lists(fd.Body, func(list []ast.Stmt, _ token.Pos) []ast.Stmt {
		var out []ast.Stmt
		for _, s := range list {
			a, ok := s.(*ast.AssignStmt)
			if !ok || !slices.Contains(q.cuts, a) {
				out = append(out, s)
				continue
			}
			pos := a.Pos()
			cut := ast.Unparen(a.Rhs[0]).(*ast.SliceExpr)
			out = append(out, &ast.IfStmt{If: pos, Cond: &ast.BinaryExpr{X: rest(pos), Op: token.LSS, OpPos: pos, Y: cut.Low},
				Body: &ast.BlockStmt{Lbrace: pos, Rbrace: pos, List: []ast.Stmt{&ast.ExprStmt{X: &ast.CallExpr{Fun: name("panic", pos), Lparen: pos, Rparen: pos,
					Args: []ast.Expr{&ast.BasicLit{Kind: token.STRING, Value: "\"slice bounds out of range\"", ValuePos: pos}}}}}}},
				&ast.AssignStmt{Lhs: []ast.Expr{name(head, pos)}, Tok: token.ADD_ASSIGN, TokPos: pos, Rhs: []ast.Expr{cut.Low}})
		}
		return out
	})
}

// declares reports whether s declares v, and nothing else.
func declares(info *types.Info, s ast.Stmt, v *types.Var) bool {
	switch s := s.(type) {
	case *ast.AssignStmt:
		id, ok := s.Lhs[0].(*ast.Ident)
		return ok && s.Tok == token.DEFINE && len(s.Lhs) == 1 && info.Defs[id] == types.Object(v)
	case *ast.DeclStmt:
		g, _ := s.Decl.(*ast.GenDecl)
		return slices.ContainsFunc(g.Specs, func(spec ast.Spec) bool {
			vs, ok := spec.(*ast.ValueSpec)
			return ok && slices.ContainsFunc(vs.Names, func(id *ast.Ident) bool { return info.Defs[id] == types.Object(v) })
		})
	}
	return false
}

func mentionsIn(info *types.Info, list []ast.Expr, v *types.Var) bool {
	return slices.ContainsFunc(list, func(e ast.Expr) bool { return mentions(info, e, map[*types.Var]bool{v: true}) })
}

// unusedName is a name that nothing in the function has, and that begins as base.
func unusedName(fd *ast.FuncDecl, base string) string {
	used := map[string]bool{}
	ast.Inspect(fd, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			used[id.Name] = true
		}
		return true
	})
	for used[base] {
		base += "_"
	}
	return base
}
