package load

import (
	"go/ast"
	"go/token"
	"go/types"
)

// splitNames rewrites h, row := len(rows), rows[y] to two declarations, where one of several variables is a row, or a
// part of a slice, and another one no slice: lowering takes such a name for that of a place. Nothing is called but len,
// and no value names a variable that the same statement declares before it.
func (r *rewriter) splitNames(fd *ast.FuncDecl) {
	lists(fd.Body, func(list []ast.Stmt, _ token.Pos) (out []ast.Stmt) {
		for _, s := range list {
			a, ok := s.(*ast.AssignStmt)
			if !ok || !r.splits(a) {
				out = append(out, s)
				continue
			}
			r.changed = true
			for i, e := range a.Lhs {
				out = append(out, set(e, token.DEFINE, a.Rhs[i], e.Pos()))
			}
		}
		return out
	})
}

func (r *rewriter) splits(a *ast.AssignStmt) bool {
	if a.Tok != token.DEFINE || len(a.Lhs) < 2 || len(a.Lhs) != len(a.Rhs) {
		return false
	}
	names := map[string]bool{}
	part, other := false, false
	for i, e := range a.Rhs {
		id := a.Lhs[i].(*ast.Ident)
		v, isNew := r.info.Defs[id].(*types.Var)
		if !isNew {
			return false
		}
		switch ast.Unparen(e).(type) {
		case *ast.IndexExpr, *ast.SliceExpr:
			part = part || isSlice(v.Type())
		}
		other = other || !isSlice(v.Type())
		alone := true
		ast.Inspect(e, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				alone = alone && !names[n.Name]
			case *ast.CallExpr:
				alone = alone && (r.info.Types[n.Fun].IsType() || isBuiltin(r.info, n, "len"))
			case *ast.FuncLit:
				alone = false
			case *ast.UnaryExpr:
				alone = alone && n.Op != token.AND && n.Op != token.ARROW
			}
			return alone
		})
		if !alone {
			return false
		}
		names[id.Name] = true
	}
	return part && other
}
