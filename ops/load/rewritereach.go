package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// mayReach reports whether an argument of a call in fd may be a way to what the variable v holds: a pointer, or a
// function that may call others, or names v.
func (r *rewriter) mayReach(fd *ast.FuncDecl, e ast.Expr, v *types.Var) bool {
	if !isFunc(r.info.TypeOf(e)) {
		return holdsFuncs(r.info.TypeOf(e), 0) || isPointer(r.info.TypeOf(e)) || !r.callsOnlyByName(e)
	}
	f, isLit := ast.Unparen(e).(*ast.FuncLit)
	if id, ok := ast.Unparen(e).(*ast.Ident); ok {
		if _, declared := r.info.Uses[id].(*types.Func); declared {
			return false
		}
		f, isLit = r.onlyLiteral(fd, variable(r.info, id))
	}
	if !isLit {
		return true
	}
	reaches := !r.callsOnlyByName(f.Body)
	ast.Inspect(f.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			u, isVar := r.info.Uses[id].(*types.Var)
			reaches = reaches || u == v || isVar && isPointer(u.Type())
		}
		return !reaches
	})
	return reaches
}

// holdsFuncs reports whether a value may hold a function.
func holdsFuncs(t types.Type, depth int) bool {
	switch u := t.Underlying().(type) {
	case *types.Signature, *types.Interface:
		return true
	case *types.Struct:
		for f := range u.Fields() {
			if depth > 8 || holdsFuncs(f.Type(), depth+1) {
				return true
			}
		}
	case *types.Slice:
		return depth > 8 || holdsFuncs(u.Elem(), depth+1)
	case *types.Array:
		return holdsFuncs(u.Elem(), depth+1)
	}
	return false
}

// onlyLiteral is the function literal that the variable f of fd always holds.
func (r *rewriter) onlyLiteral(fd *ast.FuncDecl, f *types.Var) (lit *ast.FuncLit, ok bool) {
	assigned := f == nil
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, e := range n.Lhs {
				id, isName := e.(*ast.Ident)
				if isName && f != nil && r.info.Defs[id] == types.Object(f) && len(n.Rhs) == len(n.Lhs) {
					lit, ok = ast.Unparen(n.Rhs[i]).(*ast.FuncLit)
					continue
				}
				assigned = assigned || variable(r.info, e) == f
			}
		case *ast.UnaryExpr:
			assigned = assigned || n.Op == token.AND && variable(r.info, n.X) == f
		}
		return true
	})
	return lit, ok && !assigned
}

// callsOnlyByName reports whether what n calls are conversions, and functions of the language and of packages, which
// get no pointers and no functions.
func (r *rewriter) callsOnlyByName(n ast.Node) bool {
	only := true
	ast.Inspect(n, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || r.info.Types[call.Fun].IsType() || r.info.Types[call.Fun].IsBuiltin() {
			return only
		}
		id := calleeIdent(call)
		f, isFunction := r.info.Uses[id].(*types.Func)
		only = only && id != nil && isFunction && f.Signature().Recv() == nil &&
			!slices.ContainsFunc(call.Args, func(e ast.Expr) bool { return isPointer(r.info.TypeOf(e)) || isFunc(r.info.TypeOf(e)) })
		return only
	})
	return only
}
