package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// filledRows rewrites a loop that makes one row, or string, a turn, and may return from within, as in
//
//	out := make([]string, len(lines))
//	for i, line := range lines {
//		if line == "" {
//			return nil, errEmpty
//		}
//		out[i] = line + "."
//	}
//
// to one that appends: out := make([]string, 0, len(lines)) and out = append(out, line+"."). Every turn that ends
// assigns out[i] at its end, once, or goes on to the next turn without that: what it appends is a variable then, which
// has its zero value at first. Nothing else in the loop names out, and the loop is not left but by a return of
// something else: so there are as many elements behind the loop, in the same places.
func (r *rewriter) filledRows(fd *ast.FuncDecl) {
	lists(fd.Body, func(list []ast.Stmt, _ token.Pos) []ast.Stmt {
		for i, s := range list {
			loop, ok := s.(*ast.RangeStmt)
			if !ok || i == 0 || loop.Tok != token.DEFINE {
				continue
			}
			if _, isSlice := r.info.TypeOf(loop.X).Underlying().(*types.Slice); !isSlice || variable(r.info, loop.X) == nil {
				continue
			}
			key, ok := loop.Key.(*ast.Ident)
			index, isVar := r.info.Defs[key].(*types.Var)
			if !ok || !isVar || !returns(loop.Body) || r.reassigned(fd, variable(r.info, loop.X)) {
				continue
			}
			for _, made := range list[:i] {
				if v, call := r.rowsOf(made, loop.X); v != nil && !r.usesBetween(list[:i], made, v, loop) {
					r.fillsByTurns(fd, loop, v, index, call)
				}
			}
		}
		return list
	})
}

// rowsOf returns out and the call in out := make([]T, len(x)), where an element is no number; nil for others.
func (r *rewriter) rowsOf(s ast.Stmt, x ast.Expr) (*types.Var, *ast.CallExpr) {
	a, ok := s.(*ast.AssignStmt)
	if !ok || a.Tok != token.DEFINE || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
		return nil, nil
	}
	id, _ := a.Lhs[0].(*ast.Ident)
	v, _ := r.info.Defs[id].(*types.Var)
	call, ok := ast.Unparen(a.Rhs[0]).(*ast.CallExpr)
	if v == nil || !ok || !isBuiltin(r.info, call, "make") || len(call.Args) != 2 || !isSlice(v.Type()) || flatElements(v.Type()) {
		return nil, nil
	}
	n, ok := ast.Unparen(call.Args[1]).(*ast.CallExpr)
	if !ok || !isBuiltin(r.info, n, "len") || variable(r.info, n.Args[0]) != variable(r.info, x) {
		return nil, nil
	}
	return v, call
}

// usesBetween reports whether statements between the one that makes v and the loop name v, or assign what it ranges
// over.
func (r *rewriter) usesBetween(list []ast.Stmt, made ast.Stmt, v *types.Var, loop *ast.RangeStmt) bool {
	x := variable(r.info, loop.X)
	for _, s := range list[slices.Index(list, made)+1:] {
		if mentions(r.info, s, map[*types.Var]bool{v: true}) || assigned(r.info, s)[x] {
			return true
		}
	}
	return false
}

// fillsByTurns rewrites the loop, if it is such a one.
func (r *rewriter) fillsByTurns(fd *ast.FuncDecl, loop *ast.RangeStmt, v, index *types.Var, call *ast.CallExpr) {
	of := map[*types.Var]bool{v: true}
	if x := variable(r.info, loop.X); assigned(r.info, loop.Body)[x] || assigned(r.info, loop.Body)[index] {
		return
	}
	var fills []*ast.AssignStmt
	leaves := map[ast.Stmt]bool{} // the continue statements
	ok := true
	var look func(list []ast.Stmt, last bool)
	look = func(list []ast.Stmt, last bool) {
		for i, s := range list {
			ends := last && i == len(list)-1
			next := i+1 < len(list) && isContinue(list[i+1])
			switch s := s.(type) {
			case *ast.AssignStmt:
				if r.fills(s, v, index) && (ends || next) {
					fills = append(fills, s)
					continue
				}
			case *ast.IfStmt:
				if s.Init == nil && !mentions(r.info, s.Cond, of) && s.Else == nil {
					look(s.Body.List, false)
					continue
				}
			case *ast.BranchStmt:
				ok = ok && isContinue(s)
				leaves[s] = true
				continue
			}
			ok = ok && !mentions(r.info, s, of) && !leavesLoop(s)
		}
	}
	look(loop.Body.List, true)
	if n := len(loop.Body.List); !ok || n == 0 || len(fills) == 0 || loop.Body.List[n-1] != ast.Stmt(fills[len(fills)-1]) {
		return
	}
	bare := false
	ast.Inspect(loop.Body, func(n ast.Node) bool {
		s, isReturn := n.(*ast.ReturnStmt)
		bare = bare || isReturn && len(s.Results) == 0
		return !bare
	})
	if bare {
		return
	}
	rows, isList := call.Args[0].(*ast.ArrayType)
	several := len(fills) > 1 || len(leaves) > 0
	if several && !(isList && r.meansSame(rows.Elt, loop.Body.Lbrace)) || !r.predeclared(loop.Body.Lbrace, "append") {
		return
	}
	r.changed = true
	call.Args = []ast.Expr{call.Args[0], number("0", call.Pos()), call.Args[1]}
	row := unusedName(fd, v.Name()+"_row")
	for _, s := range fills {
		if several {
			s.Lhs = []ast.Expr{name(row, s.Pos())}
		} else {
			*s = *r.appends(v, s.Rhs[0], s.Pos())
		}
	}
	if several {
		loop.Body.List = r.rowOfTurn(loop.Body, rows.Elt, row, unusedName(fd, "turn"), leaves)
		loop.Body.List = append(loop.Body.List, r.appends(v, name(row, loop.Body.Rbrace), loop.Body.Rbrace))
	}
	if !mentions(r.info, loop.Body, map[*types.Var]bool{index: true}) {
		if loop.Value != nil {
			loop.Key = name("_", loop.Key.Pos())
		} else {
			loop.Key, loop.Tok = nil, token.ILLEGAL
		}
	}
}

// appends is v = append(v, e).
func (r *rewriter) appends(v *types.Var, e ast.Expr, pos token.Pos) *ast.AssignStmt {
	return set(name(v.Name(), pos), token.ASSIGN, callTo("append", pos, name(v.Name(), pos), e), pos)
}

// rowOfTurn is the body of a loop as a statement, which its continue statements leave, behind the declaration of the
// variable that it sets:
//
//	var row []T
//	turn:
//		switch {
//		default:
//			…; break turn; …
//		}
func (r *rewriter) rowOfTurn(body *ast.BlockStmt, t ast.Expr, row, label string, leaves map[ast.Stmt]bool) []ast.Stmt {
	for s := range leaves {
		b := s.(*ast.BranchStmt)
		b.Tok, b.Label = token.BREAK, name(label, b.Pos())
	}
	pos := body.Lbrace
	variable := &ast.GenDecl{TokPos: pos, Tok: token.VAR, Specs: []ast.Spec{&ast.ValueSpec{Names: []*ast.Ident{name(row, pos)}, Type: t}}}
	turn := &ast.CaseClause{Case: pos, Colon: pos, Body: body.List}
	all := &ast.SwitchStmt{Switch: pos, Body: &ast.BlockStmt{Lbrace: pos, List: []ast.Stmt{turn}, Rbrace: body.Rbrace}}
	list := []ast.Stmt{&ast.DeclStmt{Decl: variable}}
	if len(leaves) > 0 {
		return append(list, &ast.LabeledStmt{Label: name(label, pos), Colon: pos, Stmt: all})
	}
	return append(list, all)
}

// fills reports whether s is v[index] = e, where e does not name v.
func (r *rewriter) fills(s *ast.AssignStmt, v, index *types.Var) bool {
	if s.Tok != token.ASSIGN || len(s.Lhs) != 1 || len(s.Rhs) != 1 || mentionsIn(r.info, s.Rhs, v) {
		return false
	}
	x, ok := ast.Unparen(s.Lhs[0]).(*ast.IndexExpr)
	return ok && variable(r.info, x.X) == v && variable(r.info, x.Index) == index
}

func isContinue(s ast.Stmt) bool {
	b, ok := s.(*ast.BranchStmt)
	return ok && b.Tok == token.CONTINUE && b.Label == nil
}

// leavesLoop reports whether s may end the turn, or the loop, around it, but by a return: a jump with a label, or one
// that no loop or switch in s is for.
func leavesLoop(s ast.Stmt) bool {
	found := false
	var look func(n ast.Node, inLoop, inSwitch bool)
	look = func(n ast.Node, inLoop, inSwitch bool) {
		ast.Inspect(n, func(m ast.Node) bool {
			switch m := m.(type) {
			case *ast.FuncLit:
				return false
			case *ast.ForStmt:
				if m != n {
					look(m.Body, true, true)
					return false
				}
			case *ast.RangeStmt:
				if m != n {
					look(m.Body, true, true)
					return false
				}
			case *ast.SwitchStmt:
				look(m.Body, inLoop, true)
				return false
			case *ast.BranchStmt:
				found = found || m.Label != nil || m.Tok == token.CONTINUE && !inLoop || m.Tok == token.BREAK && !inSwitch
			}
			return true
		})
	}
	look(&ast.BlockStmt{List: []ast.Stmt{s}}, false, false)
	return found
}

// reassigned reports whether the function assigns v anew, or takes its address.
func (r *rewriter) reassigned(fd *ast.FuncDecl, v *types.Var) bool {
	found := false
	is := func(e ast.Expr) bool {
		id, ok := ast.Unparen(e).(*ast.Ident)
		return ok && r.info.Uses[id] == types.Object(v)
	}
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			found = found || slices.ContainsFunc(n.Lhs, is)
		case *ast.RangeStmt:
			found = found || n.Tok == token.ASSIGN && (n.Key != nil && is(n.Key) || n.Value != nil && is(n.Value))
		case *ast.UnaryExpr:
			found = found || n.Op == token.AND && is(n.X)
		}
		return !found
	})
	return found
}
