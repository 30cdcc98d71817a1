package load

import (
	"go/ast"
	"go/token"
	"go/types"
)

// returnedAppends rewrites return append(out, v), of a slice that the function made, to
//
//	out = append(out, v)
//	return out
//
// so that memory for v is counted where that for out is made. Other results name nothing that this changes.
func (r *rewriter) returnedAppends(fd *ast.FuncDecl) {
	lists(fd.Body, func(list []ast.Stmt, _ token.Pos) (out []ast.Stmt) {
		for _, s := range list {
			if ret, ok := s.(*ast.ReturnStmt); ok {
				if i, v := r.returnedAppend(fd, ret); v != nil {
					call := ast.Unparen(ret.Results[i])
					out = append(out, set(name(v.Name(), call.Pos()), token.ASSIGN, call, call.Pos()))
					ret.Results[i] = name(v.Name(), call.Pos())
					r.changed = true
				}
			}
			out = append(out, s)
		}
		return out
	})
}

// returnedAppend is the result of ret that appends to a variable, and that variable; nil if there is none.
func (r *rewriter) returnedAppend(fd *ast.FuncDecl, ret *ast.ReturnStmt) (int, *types.Var) {
	for i, e := range ret.Results {
		call, ok := ast.Unparen(e).(*ast.CallExpr)
		if !ok || !isBuiltin(r.info, call, "append") || len(call.Args) < 2 {
			continue
		}
		v := variable(r.info, call.Args[0])
		if v == nil || !within(fd.Body, v.Pos()) || !flatElements(v.Type()) || inLiterals(r.info, fd.Body, v) || r.hasAddress(fd.Body, v) {
			return 0, nil
		}
		for k, other := range ret.Results {
			if k != i && (mayCall(r.info, other) || mentions(r.info, other, map[*types.Var]bool{v: true})) {
				return 0, nil
			}
		}
		return i, v
	}
	return 0, nil
}
