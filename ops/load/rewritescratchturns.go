package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// toTurns moves the declarations of buffers, which are statements of a list, to the turns of the loops that use them,
// if that means the same and makes these independent, and lets turns have memory of their own in place of parts of
// buffers. It returns the declarations that it has moved.
func (r *rewriter) toTurns(fd *ast.FuncDecl, decls funcDecls, list []ast.Stmt) map[ast.Stmt]*scratch {
	of, parts := map[ast.Stmt][]*scratch{}, map[*scratch]*ast.AssignStmt{} // by loops; what names a part of a buffer
	var rest []*scratch
	for i, s := range list {
		if b := r.scratch(s); b != nil {
			b.behind = list[i+1:]
			if loop := r.turnsWith(fd, decls, b); loop != nil {
				of[loop] = append(of[loop], b)
			} else if loop, part := r.partTurns(fd, decls, b); loop != nil {
				of[loop], parts[b] = append(of[loop], b), part
			} else {
				rest = append(rest, b)
			}
		}
	}
	for _, together := range r.together(rest) {
		if loop := r.turnsWith(fd, decls, together...); loop != nil {
			of[loop] = append(of[loop], together...)
		}
	}
	moved := map[ast.Stmt]*scratch{}
	for loop, buffers := range of {
		body, _ := loopParts(loop)
		own := map[*types.Var]bool{}
		for _, b := range buffers {
			own[b.v] = true
		}
		if !r.apartBut(fd, loop, body, decls, own) {
			continue
		}
		var decls []ast.Stmt
		for _, b := range buffers {
			if part := parts[b]; part != nil {
				r.ownMemory(b, part)
				continue
			}
			decls, moved[b.decl] = append(decls, b.decl), b
		}
		body.List = append(decls, body.List...)
	}
	return moved
}

// together are the buffers that change places in a statement, or that one function gets, two at least.
func (r *rewriter) together(buffers []*scratch) (all [][]*scratch) {
	taken := map[*scratch]bool{}
	for _, first := range buffers {
		for _, s := range first.behind {
			ast.Inspect(s, func(n ast.Node) bool {
				var named []ast.Expr
				switch n := n.(type) {
				case *ast.AssignStmt:
					named = n.Lhs
				case *ast.CallExpr:
					named = n.Args
				}
				var group []*scratch
				for _, b := range buffers {
					if !taken[b] && slices.ContainsFunc(named, func(e ast.Expr) bool {
						if cut, isCut := ast.Unparen(e).(*ast.SliceExpr); isCut {
							e = cut.X
						}
						return variable(r.info, e) == b.v
					}) {
						group = append(group, b)
					}
				}
				if len(group) > 1 && slices.Contains(group, first) {
					for _, b := range group {
						taken[b] = true
					}
					all = append(all, group)
				}
				return true
			})
		}
	}
	return all
}

// turnsWith is the loop among the statements behind the declarations of buffers, or inside of that loop, whose turns
// may have one each; nil if there is none.
func (r *rewriter) turnsWith(fd *ast.FuncDecl, decls funcDecls, buffers ...*scratch) ast.Stmt {
	loop := r.onlyWith(buffers[0].behind, buffers[0].v)
	for _, b := range buffers {
		if r.onlyWith(b.behind, b.v) != loop {
			return nil
		}
	}
	for loop != nil {
		body, header := loopParts(loop)
		for _, b := range buffers {
			if body == nil || slices.ContainsFunc(header, func(n ast.Node) bool { return hasName(n, b.v.Name()) }) ||
				r.declaresName(body.List, b.v.Name()) {
				return nil
			}
		}
		if r.ownInTurns(fd, decls, body, buffers) {
			return loop
		}
		loop = r.onlyWith(body.List, buffers[0].v)
		for _, b := range buffers {
			if r.onlyWith(body.List, b.v) != loop {
				return nil
			}
		}
	}
	return nil
}

// apartBut reports whether the turns of a loop need each other for nothing but some buffers, as far as can be seen:
// what they assign from outside of the loop are elements whose indices depend on the turn, which they do not read
// elsewhere, and numbers that they add to. Nothing goes wrong if it is not so.
func (r *rewriter) apartBut(fd *ast.FuncDecl, loop ast.Stmt, body *ast.BlockStmt, decls funcDecls,
	buffers map[*types.Var]bool) bool {
	f := &filling{r: r, fd: fd, decls: decls}
	outside := func(e ast.Expr) *types.Var {
		v := slicedFrom(r.info, e)
		if v == nil || buffers[v] || within(loop, v.Pos()) {
			return nil
		}
		return v
	}
	byTurn := func(e ast.Expr) (found bool) {
		ast.Inspect(e, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if v, isVar := r.info.Uses[id].(*types.Var); ok && isVar && !v.IsField() {
				found = found || within(loop, v.Pos())
			}
			return !found
		})
		return found
	}
	ok := true
	conditions := 0 // around a statement, that mention what is assigned outside
	var look func(n ast.Node)
	target := func(e ast.Expr, tok token.Token) {
		v := outside(e)
		switch {
		case v == nil || tok == token.DEFINE && variable(r.info, e) == nil:
		case variable(r.info, e) == v: // as a whole
			ok = ok && (tok != token.ASSIGN || conditions > 0)
		case tok == token.ASSIGN:
			ok = ok && byTurn(e) && !f.readsElsewhere(loop, body, v, e)
		}
	}
	look = func(n ast.Node) {
		ast.Inspect(n, func(m ast.Node) bool {
			switch m := m.(type) {
			case *ast.IfStmt:
				if m != n {
					conditions++
					look(m)
					conditions--
					return false
				}
			case *ast.AssignStmt:
				if appendsTo(r.info, m) {
					return true
				}
				for _, e := range m.Lhs {
					target(e, m.Tok)
				}
			case *ast.CallExpr:
				passed, _ := r.passed(m)
				for at, e := range passed {
					v := outside(e)
					fd, p := r.parameter(decls, m, at)
					changes := fd != nil && isSlice(p.Type()) && r.setsElements(fd.Body, p) || at == 0 && isBuiltin(r.info, m, "copy")
					ok = ok && (v == nil || !changes || byTurn(e) && !f.readsElsewhere(loop, body, v, e))
				}
			}
			return ok
		})
	}
	look(body)
	return ok
}

// slicedFrom is the variable that e is, or is an element or a part of.
func slicedFrom(info *types.Info, e ast.Expr) *types.Var {
	id := pathIdent(e)
	if id == nil {
		return nil
	}
	v, _ := info.ObjectOf(id).(*types.Var)
	return v
}

// readsElsewhere reports whether a turn of a loop reads elements of v that may belong to another turn than e does: they
// have another index, in which the counter of the loop does not stand as it does in that of e.
func (f *filling) readsElsewhere(loop ast.Stmt, body ast.Node, v *types.Var, e ast.Expr) (found bool) {
	first, of := text(e), f.rootIndex(v, e)
	uses(body, func(id *ast.Ident, st []ast.Node) {
		if found || variable(f.r.info, id) != v {
			return
		}
		at := len(st) - 1
		for ; at > 0; at-- {
			if x, ok := st[at-1].(ast.Expr); !ok || slicedFrom(f.r.info, x) != v {
				break
			}
		}
		x := st[at].(ast.Expr)
		found = x != ast.Expr(id) && text(x) != first && !isTarget(st, len(st)-1) && !f.sameTurn(loop, of, f.rootIndex(v, x))
	})
	return found
}

// rootIndex is the index of e, an element of v or a part of one; nil if it is not known.
func (f *filling) rootIndex(v *types.Var, e ast.Expr) sum {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.SelectorExpr:
			e = x.X
		case *ast.IndexExpr:
			if variable(f.r.info, x.X) == v {
				return f.sum(x.Index)
			}
			e = x.X
		default:
			return nil
		}
	}
}

// sameTurn reports whether two indices are most likely those of one turn of a loop: the counter stands in both as
// often, and times something, or what they differ by is less than how often it does.
func (f *filling) sameTurn(loop ast.Stmt, a, b sum) bool {
	i, _ := f.staysBelow(loop)
	if i == nil || a == nil || b == nil {
		return false
	}
	key := f.key(i)
	of := a.with(key)
	if !of.equal(b.with(key)) || len(of) == 0 {
		return false
	}
	times := of[key]
	d, constant := a.minus(b)
	return times == 0 || constant && max(d, -d) < max(times, -times)
}

// appendsTo reports whether s is v = append(v, …).
func appendsTo(info *types.Info, s *ast.AssignStmt) bool {
	u, _ := appendTarget(info, s)
	return u != nil
}
