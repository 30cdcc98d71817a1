package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// callTo is a call of a function with a name.
func callTo(f string, pos token.Pos, args ...ast.Expr) *ast.CallExpr {
	return &ast.CallExpr{Fun: name(f, pos), Lparen: pos, Args: args, Rparen: pos}
}

// callsAny reports whether e calls a function.
func callsAny(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		_, ok := n.(*ast.CallExpr)
		found = found || ok
		return !found
	})
	return found
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

func isBlank(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "_"
}

// inLiterals reports whether a function literal in n names v: calling it may change v, wherever that is.
func inLiterals(info *types.Info, n ast.Node, v *types.Var) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		lit, ok := n.(*ast.FuncLit)
		found = found || ok && mentions(info, lit, map[*types.Var]bool{v: true})
		return !found
	})
	return found
}

func isFuncLit(n ast.Node) bool {
	_, ok := n.(*ast.FuncLit)
	return ok
}
