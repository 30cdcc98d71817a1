package load

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/surge-ndp/surge/ops/ir"
)

// compacts gives slices that the loop at hand compacts the form of those that grow, which are cut where they lie, as in
//
//	n := 0
//	for _, v := range alive {
//		if … {
//			alive[n] = v
//			n++
//		}
//	}
//	alive = alive[:n]
//
// The loop assigns elements of such a slice, and cuts it at its end. There is room for the elements that the slice has
// before the loop, and so nothing in the function may append to it: see Note [Growing slices].
func (l *lowerer) compacts(lp *loop) {
	if len(l.stack) == 0 {
		return
	}
	body := l.bodyOf(l.stack[len(l.stack)-1])
	for _, key := range l.env.keys {
		v, _ := key.(*types.Var)
		x := l.env.vals[key]
		if v == nil || !lp.changed[key] || !isSlice(v.Type()) || !flatElements(v.Type()) || x.bad || x.unset || x.grows || x.own == nil ||
			x.own.isArray || x.own.escaped.IsValid() || x.own.depth != l.ops || x.grow != nil || x.grid != nil || x.row != nil ||
			x.ref != nil || x.held != nil || inMemory(x) || l.env.captured(key) || !l.compactsIn(lp, v) || l.mayGrowIn(body, v) {
			continue
		}
		n := l.length(x)
		x.typ, x.grows, x.own.given = v.Type(), true, true
		x.atoms = append(append([]ir.Atom{}, x.atoms...), n)
		l.bind(v, x)
	}
}

// mayGrowIn reports whether a function of the user's with the given body may append to v: it does, or gives v or its
// address to another one.
func (l *lowerer) mayGrowIn(body ast.Node, v *types.Var) (may bool) {
	uses(body, func(id *ast.Ident, stack []ast.Node) {
		if may || variable(l.unit.info, id) != v {
			return
		}
		call, ok := stack[max(len(stack)-2, 0)].(*ast.CallExpr)
		if !ok {
			switch p := stack[max(len(stack)-2, 0)].(type) {
			case *ast.UnaryExpr:
				may = p.Op == token.AND
			case *ast.SelectorExpr: // a method
				may = true
			}
			return
		}
		callee := calleeIdent(call)
		switch {
		case isBuiltin(l.unit.info, call, "append"):
			may = call.Args[0] == ast.Expr(id)
		case callee == nil:
			may = true
		default:
			f := l.unit.info.Uses[callee]
			may = f == nil || f.Pkg() != nil && f.Pkg() == l.unit.pkg
		}
	})
	return may
}

// compactsIn reports whether the loop cuts v at its end, and assigns elements of it.
func (l *lowerer) compactsIn(lp *loop, v *types.Var) bool {
	cuts, assigns := false, false
	ast.Inspect(lp.body, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok {
			_, isLit := n.(*ast.FuncLit)
			return !isLit
		}
		if u, _ := cutTarget(l.unit.info, a); u == v {
			cuts = true
		}
		for _, to := range a.Lhs {
			e := ast.Unparen(to)
			if field, ok := e.(*ast.SelectorExpr); ok {
				e = ast.Unparen(field.X)
			}
			at, ok := e.(*ast.IndexExpr)
			assigns = assigns || ok && variable(l.unit.info, at.X) == v
		}
		return true
	})
	return cuts && assigns
}
