package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// Note [What no turn sets]
//
// Elements of a buffer that no turn sets are what they were when it was made, in memory of a turn as well:
//
//	back := make([]uint8, steps*states)
//	for i := range sequences {
//		for t := 1; t < steps; t++ {
//			for s := range states {
//				back[t*states+s] = …
//			}
//		}
//		for t := steps - 1; t >= 0; t-- {
//			path[t], state = state, back[t*states+state]
//		}
//	}
//
// Here those of t = 0 are 0 in each turn. A loop sets all the others, and what else the turn does with the buffer is to
// read it, or to set elements again that are none of the first ones:
//
//	for k := 1; k < n; k++ {
//		weights[k] *= scale
//	}

// lacks reports whether a turn sets none of the elements before one with a number but in a loop, which sets none of
// them, and that this is known.
func (f *filling) lacks(loop ast.Stmt, from int) bool {
	return f.turn != nil && f.setsFrom(f.turn, f.v, loop, from, 0)
}

// setsFrom reports whether nothing in n sets elements of v before one with a number; what it does in a loop is known.
func (f *filling) setsFrom(n ast.Node, v *types.Var, loop ast.Stmt, from, calls int) bool {
	ok := true
	uses(n, func(id *ast.Ident, st []ast.Node) {
		if !ok || variable(f.r.info, id) != v || slices.Contains(st, ast.Node(loop)) {
			return
		}
		x, at := ast.Expr(id), max(len(st)-2, 0)
		if cut, isCut := st[at].(*ast.SliceExpr); isCut && cut.X == x {
			x, at = cut, max(at-1, 0)
		}
		switch p := st[at].(type) {
		case *ast.IndexExpr:
			ok = p.X == x && (!isTarget(st, at) || x == ast.Expr(id) && f.countsFrom(p.Index, st, from))
		case *ast.RangeStmt:
			ok = p.X == x
		case *ast.CallExpr:
			ok = f.onlyReads(p, x, calls)
		default:
			ok = false
		}
	})
	return ok
}

// sameInTurns reports whether a loop counts to the same number in all turns: none of its variables is one of theirs.
func (f *filling) sameInTurns(loop ast.Stmt) bool {
	if f.turn == nil {
		return false
	}
	var to ast.Expr
	switch s := loop.(type) {
	case *ast.RangeStmt:
		to = s.X
	case *ast.ForStmt:
		to = s.Cond.(*ast.BinaryExpr).Y
	}
	ofTurns := map[*types.Var]bool{}
	for _, s := range f.behind { // the loop with the turns is one of these, or in one
		ast.Inspect(s, func(n ast.Node) bool {
			if id, isIdent := n.(*ast.Ident); isIdent {
				if v, isVar := f.r.info.Defs[id].(*types.Var); isVar {
					ofTurns[v] = true
				}
			}
			return true
		})
	}
	return len(f.behind) > 0 && f.isSteady(to) && !mentions(f.r.info, to, ofTurns)
}

// countsFrom reports whether an index is what a loop around it counts by, from a number on that is given, or from a
// greater one.
func (f *filling) countsFrom(index ast.Expr, st []ast.Node, from int) bool {
	v := variable(f.r.info, index)
	for _, n := range st {
		loop, isFor := n.(*ast.ForStmt)
		if !isFor || v == nil || from < 0 {
			continue
		}
		init, isInit := loop.Init.(*ast.AssignStmt)
		post, isPost := loop.Post.(*ast.IncDecStmt)
		if !isInit || !isPost || init.Tok != token.DEFINE || len(init.Lhs) != 1 || len(init.Rhs) != 1 || post.Tok != token.INC ||
			variable(f.r.info, post.X) != v || f.r.info.Defs[init.Lhs[0].(*ast.Ident)] != types.Object(v) {
			continue
		}
		c, isConst := intConst(f.r.info, init.Rhs[0])
		return isConst && c >= int64(from) && isIntType(v.Type()) && !f.r.changes(loop.Body, v)
	}
	return false
}

// onlyReads reports whether a call does not assign what it gets as x.
func (f *filling) onlyReads(call *ast.CallExpr, x ast.Expr, calls int) bool {
	if isBuiltin(f.r.info, call, "len") {
		return true
	}
	passed, _ := f.r.passed(call)
	at := slices.Index(passed, x)
	if isBuiltin(f.r.info, call, "copy") {
		return at == 1
	}
	id := calleeIdent(call)
	if at < 0 || id == nil {
		return false
	}
	if fd, p := f.r.parameter(f.decls, call, at); fd != nil {
		return calls < 4 && !outOfOrder(fd.Body) && f.setsFrom(fd.Body, p, nil, -1, calls+1)
	}
	fn, ok := f.r.info.Uses[id].(*types.Func)
	if !ok || fn.Pkg() == nil {
		return false
	}
	std := allowed[fn.Pkg().Path()]
	return std.takes(fn) && !named(std.writes, fn.Name()) && !keeps(f.r.info.TypeOf(call))
}
