package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// filters rewrites a slice that takes the place of another one while a loop reads that, as in
//
//	kept := all[:1]
//	for _, v := range all[1:] {
//		if … { kept = append(kept, v) }
//	}
//
// or all[:0] and all. kept gets memory of its own, with room for as many elements. That is the same if nothing sees all
// any more but the loop, and the loop sees none of what is written: a turn appends one element at most, so that kept is
// no longer than what the loop has read, including the element at hand, which was copied to v. all is one that the
// function made itself: otherwise whoever made it would see what is written. So it is where all = kept comes behind the
// loop, and nothing else has a name for all, whatever an earlier turn of a loop around has done to it.
func (r *rewriter) filters(fd *ast.FuncDecl) {
	lists(fd.Body, func(list []ast.Stmt, _ token.Pos) []ast.Stmt {
		for i := 0; i+1 < len(list); i++ {
			kept, all, n, ok := r.prefix(list[i])
			fresh := func(s ast.Stmt) bool { return declares(r.info, s, all) }
			replaces := ok && i+2 < len(list) && r.becomes(list[i+2], all, kept) && !r.usesAny(list[i+3:], kept)
			once := ok && slices.ContainsFunc(list[:i], fresh) && !r.usesAny(list[i+2:], all)
			if !ok || !r.own[all] || !replaces && !once || r.sharedBefore(fd, all, kept, replaces) ||
				!r.filtersInto(list[i+1], kept, all, n) || r.tellsRoom(fd, kept) || replaces && r.tellsRoom(fd, all) {
				continue
			}
			a := list[i].(*ast.AssignStmt)
			pos := a.Rhs[0].Pos()
			length := callTo("len", pos, name(all.Name(), pos))
			if n == 0 {
				a.Rhs[0] = callTo("emptyFor·", pos, name(all.Name(), pos), length)
				r.helpers["emptyFor·"] = true
			} else {
				a.Rhs[0] = callTo("roomFor·", pos, a.Rhs[0], length)
				r.helpers["roomFor·"] = true
			}
			r.changed = true
		}
		return list
	})
}

// nones rewrites x[:0:0], which has no elements, and no room for any: an empty slice, whatever x is.
func (r *rewriter) nones(fd *ast.FuncDecl) {
	replaceExprs(fd.Body, nil, func(e ast.Expr) ast.Expr {
		cut, ok := e.(*ast.SliceExpr)
		if !ok || !cut.Slice3 || variable(r.info, cut.X) == nil || !isSlice(r.info.TypeOf(cut.X)) {
			return e
		}
		for _, at := range []ast.Expr{cut.Low, cut.High, cut.Max} {
			if n, isConst := intConst(r.info, at); at != nil && (!isConst || n != 0) {
				return e
			}
		}
		r.helpers["none·"] = true
		r.changed = true
		return callTo("none·", e.Pos(), cut.X)
	})
}

// prefix matches kept := all[:n] with a constant n.
func (r *rewriter) prefix(s ast.Stmt) (kept, all *types.Var, n int64, ok bool) {
	a, isAssign := s.(*ast.AssignStmt)
	if !isAssign || a.Tok != token.DEFINE || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
		return nil, nil, 0, false
	}
	id, isIdent := a.Lhs[0].(*ast.Ident)
	cut, isCut := ast.Unparen(a.Rhs[0]).(*ast.SliceExpr)
	if !isIdent || !isCut || cut.Slice3 || cut.High == nil {
		return nil, nil, 0, false
	}
	if low, isConst := intConst(r.info, cut.Low); cut.Low != nil && (!isConst || low != 0) {
		return nil, nil, 0, false
	}
	n, ok = intConst(r.info, cut.High)
	kept, _ = r.info.Defs[id].(*types.Var)
	all = variable(r.info, cut.X)
	return kept, all, n, ok && n >= 0 && kept != nil && all != nil && isSlice(all.Type()) && flatElements(all.Type())
}

// becomes reports whether s is to = from.
func (r *rewriter) becomes(s ast.Stmt, to, from *types.Var) bool {
	a, ok := s.(*ast.AssignStmt)
	return ok && a.Tok == token.ASSIGN && len(a.Lhs) == 1 && len(a.Rhs) == 1 && variable(r.info, a.Lhs[0]) == to && variable(r.info, a.Rhs[0]) == from
}

// filtersInto reports whether s is the loop over what of all lies behind its first n elements, which appends one
// element to kept in a turn at most.
func (r *rewriter) filtersInto(s ast.Stmt, kept, all *types.Var, n int64) bool {
	loop, ok := s.(*ast.RangeStmt)
	if !ok || loop.Tok != token.DEFINE || mentions(r.info, loop.Body, map[*types.Var]bool{all: true}) {
		return false
	}
	from := int64(0)
	over := ast.Unparen(loop.X)
	if cut, isCut := over.(*ast.SliceExpr); isCut && !cut.Slice3 && cut.High == nil && cut.Low != nil {
		if from, ok = intConst(r.info, cut.Low); !ok {
			return false
		}
		over = cut.X
	}
	return variable(r.info, over) == all && from == n && r.appendsOnce(loop.Body, kept)
}

// appendsOnce reports whether the body of a loop appends one element to v, at one place that is in no loop inside it,
// and does nothing else with v but to make it shorter, to take its length, and to use its elements.
func (r *rewriter) appendsOnce(body *ast.BlockStmt, v *types.Var) bool {
	appends, good := 0, true
	var path []ast.Node
	ast.Inspect(body, func(n ast.Node) bool {
		if n == nil {
			path = path[:len(path)-1]
			return true
		}
		if id, ok := n.(*ast.Ident); ok && r.info.Uses[id] == types.Object(v) {
			up := func(k int) ast.Node { return path[max(len(path)-k, 0)] }
			switch p := up(1).(type) {
			case *ast.IndexExpr:
				good = good && p.X == ast.Expr(id)
			case *ast.AssignStmt: // what stands on the right side is looked at with its own name
				good = good && len(p.Lhs) == 1 && len(p.Rhs) == 1 && p.Lhs[0] == ast.Expr(id)
				if good {
					u, _ := appendTarget(r.info, p)
					cut, isCut := ast.Unparen(p.Rhs[0]).(*ast.SliceExpr)
					good = u == v || isCut && r.shortens(cut, v)
				}
			case *ast.CallExpr:
				a, ok := up(2).(*ast.AssignStmt)
				switch {
				case isBuiltin(r.info, p, "len"):
				case isBuiltin(r.info, p, "append") && ok && len(a.Lhs) == 1 && variable(r.info, a.Lhs[0]) == v && len(p.Args) == 2 && p.Args[0] == ast.Expr(id) && !p.Ellipsis.IsValid():
					appends++
					good = good && !slices.ContainsFunc(path, isLoop)
				default:
					good = false
				}
			case *ast.SliceExpr:
				a, ok := up(2).(*ast.AssignStmt)
				good = good && ok && len(a.Lhs) == 1 && variable(r.info, a.Lhs[0]) == v && a.Rhs[0] == ast.Expr(p)
			default:
				good = false
			}
		}
		path = append(path, n)
		return true
	})
	return good && appends == 1
}

func isLoop(n ast.Node) bool {
	switch n.(type) {
	case *ast.ForStmt, *ast.RangeStmt, *ast.FuncLit:
		return true
	}
	return false
}

// shortens reports whether the part v[:len(v)-n] or v[:n], with a constant n, is no longer than v: one with a constant
// n may reach behind the end of v, unless n is 0.
func (r *rewriter) shortens(cut *ast.SliceExpr, v *types.Var) bool {
	if variable(r.info, cut.X) != v || cut.Slice3 || cut.Low != nil || cut.High == nil {
		return false
	}
	if n, ok := intConst(r.info, cut.High); ok {
		return n == 0
	}
	b, ok := ast.Unparen(cut.High).(*ast.BinaryExpr)
	if !ok || b.Op != token.SUB {
		return false
	}
	c, ok := ast.Unparen(b.X).(*ast.CallExpr)
	n, isConst := intConst(r.info, b.Y)
	return ok && isBuiltin(r.info, c, "len") && variable(r.info, c.Args[0]) == v && isConst && n >= 0
}

// sharedBefore reports whether something else in the function may have a name for elements of all: another variable, a
// function that got it, or a pointer. Where kept replaces all, no other part of it is cut off, which could be longer.
func (r *rewriter) sharedBefore(fd *ast.FuncDecl, all, kept *types.Var, replaces bool) bool {
	shared, parts, most := false, 0, 2
	if replaces {
		most = 1
	}
	var path []ast.Node
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		if n == nil {
			path = path[:len(path)-1]
			return true
		}
		if b, ok := n.(*ast.BranchStmt); ok && b.Tok == token.GOTO {
			shared = true
		}
		if id, ok := n.(*ast.Ident); ok && r.info.Uses[id] == types.Object(all) {
			itself := func(n ast.Node) bool { // whether n assigns all alone
				a, ok := n.(*ast.AssignStmt)
				return ok && a.Tok == token.ASSIGN && len(a.Lhs) == 1 && len(a.Rhs) == 1 && variable(r.info, a.Lhs[0]) == all
			}
			switch p := path[len(path)-1].(type) {
			case *ast.IndexExpr:
				shared = shared || p.X != ast.Expr(id)
			case *ast.RangeStmt:
			case *ast.CallExpr:
				_, alone := path[len(path)-2].(*ast.ExprStmt)
				switch {
				case isBuiltin(r.info, p, "len"), r.callsSorting(p) && (alone || itself(path[len(path)-2])):
				case isBuiltin(r.info, p, "append"):
					shared = shared || p.Args[0] == ast.Expr(id) && !itself(path[len(path)-2]) || p.Args[0] != ast.Expr(id) && !p.Ellipsis.IsValid()
				default:
					shared = true
				}
			case *ast.SliceExpr: // the prefix, and what the loop ranges over
				parts++
			case *ast.AssignStmt:
				c, isCall := ast.Unparen(p.Rhs[0]).(*ast.CallExpr)
				if replaces && r.becomes(p, all, kept) {
					break
				}
				shared = shared || !itself(p) || !isCall || len(c.Args) == 0 || variable(r.info, c.Args[0]) != all
			default:
				shared = true
			}
			for i, around := range path {
				switch a := around.(type) {
				case *ast.UnaryExpr:
					shared = shared || a.Op == token.AND
				case *ast.SelectorExpr: // a method may return the address of its receiver
					sel := r.info.Selections[a]
					shared = shared || sel != nil && sel.Kind() == types.MethodVal
				case *ast.FuncLit:
					shared = shared || i == 0 || !r.callsSorting(path[i-1])
				}
			}
		}
		path = append(path, n)
		return true
	})
	return shared || parts > most
}

// tellsRoom reports whether something asks for the capacity of v, or cuts it with one.
func (r *rewriter) tellsRoom(fd *ast.FuncDecl, v *types.Var) bool {
	found := false
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			found = found || isBuiltin(r.info, n, "cap") && mentionsIn(r.info, n.Args, v)
		case *ast.SliceExpr:
			found = found || n.Slice3 && mentionsIn(r.info, []ast.Expr{n.X}, v)
		}
		return !found
	})
	return found
}
