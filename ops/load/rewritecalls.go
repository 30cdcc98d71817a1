package load

import (
	"go/ast"
	"go/types"
)

// calleeIn is the name of the function of the package that is called, "" if the call is of something else.
func (r *rewriter) calleeIn(call *ast.CallExpr, pkg string) string {
	id := calleeIdent(call)
	if id == nil {
		return ""
	}
	f, ok := r.info.Uses[id].(*types.Func)
	if !ok || f.Pkg() == nil || f.Pkg().Path() != pkg || f.Signature().Recv() != nil {
		return ""
	}
	return f.Name()
}
