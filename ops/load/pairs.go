package load

import (
	"go/ast"
	"go/token"
	"go/types"
)

// splitAppends makes statements of their own of the appends in a, b = append(a, x), append(b, y), in all blocks of the
// files: no x or y names a or b, so that it does not matter which comes first.
func splitAppends(files []*ast.File, info *types.Info) {
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BlockStmt:
				n.List = splitIn(n.List, info)
			case *ast.CaseClause:
				n.Body = splitIn(n.Body, info)
			}
			return true
		})
	}
}

func splitIn(list []ast.Stmt, info *types.Info) []ast.Stmt {
	var out []ast.Stmt
	for _, s := range list {
		if a, ok := s.(*ast.AssignStmt); ok && appendsSeparately(a, info) {
			for i, to := range a.Lhs {
				out = append(out, &ast.AssignStmt{Lhs: []ast.Expr{to}, TokPos: a.TokPos, Tok: a.Tok, Rhs: []ast.Expr{a.Rhs[i]}})
			}
			continue
		}
		out = append(out, s)
	}
	return out
}

// appendsSeparately reports whether a is several appends that have nothing to do with each other.
func appendsSeparately(a *ast.AssignStmt, info *types.Info) bool {
	if a.Tok != token.ASSIGN || len(a.Lhs) < 2 || len(a.Lhs) != len(a.Rhs) {
		return false
	}
	targets := map[*types.Var]bool{}
	var others []ast.Expr
	for i, to := range a.Lhs {
		call, ok := ast.Unparen(a.Rhs[i]).(*ast.CallExpr)
		v := variable(info, to)
		if !ok || !isBuiltin(info, call, "append") || v == nil || variable(info, call.Args[0]) != v || targets[v] {
			return false
		}
		targets[v] = true
		others = append(others, call.Args[1:]...)
	}
	for _, e := range others {
		calls := false // a function may read or assign what it is around
		ast.Inspect(e, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				f := info.Types[call.Fun]
				calls = calls || !f.IsType() && !f.IsBuiltin()
			}
			return true
		})
		if calls || mentions(info, e, targets) {
			return false
		}
	}
	return true
}
