package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// frontiers rewrites frontier = next, of a slice that each turn of a loop makes anew by append, to
//
//	frontier = frontier[:0]
//	frontier = append(frontier, next...)
//
// so that the loop carries one slice. Nothing reads next behind that in the turn, and no loop around ranges over the
// old frontier. Who else has a name for the old frontier would see the difference: lowering refuses that, as frontier
// is updated. Two slices that exchange their memory, as in
//
//	next = next[:0]
//	…
//	frontier, next = next, frontier
//
// are such a pair, and so are those with frontier, next = next, frontier[:0] at the end.
func (r *rewriter) frontiers(fd *ast.FuncDecl, n ast.Node, around []ast.Stmt) {
	ast.Inspect(n, func(m ast.Node) bool {
		var body *ast.BlockStmt
		switch s := m.(type) {
		case *ast.ForStmt:
			body = s.Body
		case *ast.RangeStmt:
			body = s.Body
		}
		if body == nil || m == n {
			return true
		}
		loop := m.(ast.Stmt)
		all := append(around[:len(around):len(around)], loop)
		body.List = r.frontiersOf(fd, body.List, all)
		for _, s := range body.List {
			r.frontiers(fd, &ast.BlockStmt{List: []ast.Stmt{s}}, all)
		}
		return false
	})
}

func (r *rewriter) frontiersOf(fd *ast.FuncDecl, list, loops []ast.Stmt) []ast.Stmt {
	var out []ast.Stmt
	for i, s := range list {
		a, ok := s.(*ast.AssignStmt)
		if ok && len(a.Lhs) == 2 {
			if to, from, empties := r.exchangedFrontiers(fd, list, i, loops); to != nil {
				r.changed = true
				out = append(out, r.refilled(to, name(from.Name(), a.Pos()), a.Pos())...)
				if empties {
					out = append(out, r.emptied(from, a.Pos()))
				}
				continue
			}
		}
		if !ok || a.Tok != token.ASSIGN || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
			out = append(out, s)
			continue
		}
		to, from := variable(r.info, a.Lhs[0]), variable(r.info, a.Rhs[0])
		if to == nil || from == nil || to == from || !isSlice(to.Type()) || !flatElements(to.Type()) || isGlobal(to) ||
			!r.madeEmpty(list[:i], from) || r.usesAny(list[i+1:], from) || r.rangedOver(loops, to) || r.addressTaken(loops, to, from) ||
			within(loops[len(loops)-1], to.Pos()) || !r.own[to] || !r.appendsSometimes(list[:i], from) {
			out = append(out, s)
			continue
		}
		r.changed = true
		out = append(out, r.refilled(to, a.Rhs[0], a.Pos())...)
	}
	return out
}

// refilled are the statements that give v the elements of e in its own memory.
func (r *rewriter) refilled(v *types.Var, e ast.Expr, pos token.Pos) []ast.Stmt {
	all := &ast.CallExpr{Fun: name("append", pos), Lparen: pos, Args: []ast.Expr{name(v.Name(), pos), e}, Ellipsis: pos, Rparen: pos}
	return []ast.Stmt{r.emptied(v, pos), set(name(v.Name(), pos), token.ASSIGN, all, pos)}
}

// emptied is v = v[:0].
func (r *rewriter) emptied(v *types.Var, pos token.Pos) ast.Stmt {
	none := &ast.SliceExpr{X: name(v.Name(), pos), Lbrack: pos, High: number("0", pos), Rbrack: pos}
	return set(name(v.Name(), pos), token.ASSIGN, none, pos)
}

// exchangedFrontiers returns, for a statement that exchanges two slices at the end of a turn, the one that the next
// turn reads, and the one that it fills anew, which the statement empties itself, or the turn does before it does
// anything else with it; nil for other statements.
func (r *rewriter) exchangedFrontiers(fd *ast.FuncDecl, list []ast.Stmt, i int, loops []ast.Stmt) (to, from *types.Var, empties bool) {
	a := list[i].(*ast.AssignStmt)
	if a.Tok != token.ASSIGN || len(a.Rhs) != 2 {
		return nil, nil, false
	}
	x, y := variable(r.info, a.Lhs[0]), variable(r.info, a.Lhs[1])
	if x == nil || y == nil || x == y || !types.Identical(x.Type(), y.Type()) || !isSlice(x.Type()) || !flatElements(x.Type()) ||
		!r.own[x] || !r.own[y] || r.addressTaken(loops, x, y) {
		return nil, nil, false
	}
	is := func(e ast.Expr, v *types.Var) bool { return variable(r.info, e) == v }
	first, second := a.Rhs[0], a.Rhs[1]
	switch {
	case is(first, y) && r.isEmptied(second, x):
		to, from, empties = x, y, true
	case is(second, x) && r.isEmptied(first, y):
		to, from, empties = y, x, true
	case is(first, y) && is(second, x) && r.emptiedFirst(fd, list, i, loops, y):
		to, from = x, y
	case is(first, y) && is(second, x) && r.emptiedFirst(fd, list, i, loops, x):
		to, from = y, x
	}
	inner := loops[len(loops)-1]
	if to == nil || within(inner, to.Pos()) || within(inner, from.Pos()) || r.rangedOver(loops, to) || r.rangedOver(loops, from) ||
		!r.appendsSometimes(list[:i], from) {
		return nil, nil, false
	}
	return to, from, empties
}

// emptiedFirst reports whether the turn of the innermost loop, which ends with statement i of the list, empties v
// before it does anything else with it, and nothing outside of the loop uses v but to declare or to empty it.
func (r *rewriter) emptiedFirst(fd *ast.FuncDecl, list []ast.Stmt, i int, loops []ast.Stmt, v *types.Var) bool {
	empties := func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		return ok && a.Tok == token.ASSIGN && len(a.Lhs) == 1 && len(a.Rhs) == 1 && variable(r.info, a.Lhs[0]) == v && r.isEmptied(a.Rhs[0], v)
	}
	at := slices.IndexFunc(list[:i], func(s ast.Stmt) bool { return mentions(r.info, s, map[*types.Var]bool{v: true}) })
	if at < 0 || !empties(list[at]) || r.usesAny(list[i+1:], v) {
		return false
	}
	inside := &ast.BlockStmt{Lbrace: list[0].Pos(), List: list, Rbrace: list[len(list)-1].End()}
	only := true
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		if n == nil || empties(n) {
			return false
		}
		id, ok := n.(*ast.Ident)
		only = only && !(ok && r.info.Uses[id] == types.Object(v) && !within(inside, id.Pos()))
		return true
	})
	return only
}

// madeEmpty reports whether a statement of the list declares v as an empty slice, and others append to it.
func (r *rewriter) madeEmpty(list []ast.Stmt, v *types.Var) bool {
	empty, grows := false, false
	for _, s := range list {
		switch s := s.(type) {
		case *ast.DeclStmt:
			g, _ := s.Decl.(*ast.GenDecl)
			for _, spec := range g.Specs {
				vs, ok := spec.(*ast.ValueSpec)
				empty = empty || ok && len(vs.Values) == 0 && slices.ContainsFunc(vs.Names, func(id *ast.Ident) bool { return r.info.Defs[id] == types.Object(v) })
			}
		case *ast.AssignStmt:
			if id, ok := s.Lhs[0].(*ast.Ident); ok && s.Tok == token.DEFINE && len(s.Lhs) == 1 && r.info.Defs[id] == types.Object(v) {
				empty = r.isEmpty(s.Rhs[0])
			}
		}
		ast.Inspect(s, func(n ast.Node) bool {
			if u, _ := appendTarget(r.info, asStmt(n)); u == v {
				grows = true
			}
			return true
		})
	}
	return empty && grows
}

// appendsSometimes reports whether the list appends to v under a condition, or in loops in loops: a loop that appends
// one element a turn makes a slice as long as another one, which is replaced as a whole.
func (r *rewriter) appendsSometimes(list []ast.Stmt, v *types.Var) bool {
	found := false
	var look func(n ast.Node, loops int)
	look = func(n ast.Node, loops int) {
		ast.Inspect(n, func(m ast.Node) bool {
			if m == n {
				return true
			}
			switch s := m.(type) {
			case *ast.IfStmt, *ast.SwitchStmt:
				look(s, 2)
				return false
			case *ast.ForStmt, *ast.RangeStmt:
				inner := loops + 1
				if body, _ := loopParts(s.(ast.Stmt)); slices.ContainsFunc(body.List, leavesLoop) { // some turns may not
					inner++
				}
				look(s, inner)
				return false
			}
			if u, _ := appendTarget(r.info, asStmt(m)); u == v && loops > 1 {
				found = true
			}
			return true
		})
	}
	look(&ast.BlockStmt{List: list}, 0)
	return found
}
