package load

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Note [Order of evaluation]
//
// Go orders the calls of a statement, and leaves open when variables are read. Its compiler makes all calls first,
// from left to right: in x.n + x.next() the method has moved x.n on. Where a call assigns variables we do the same,
// so that compiled code gives what plain Go gives.

// callsFirst lowers the calls in the expressions if one of them assigns a variable. Their results are taken when the
// expressions are lowered; the function that it returns forgets those that were not.
func (l *lowerer) callsFirst(list ...ast.Expr) func() {
	var units []ast.Expr
	effect := false
	for _, e := range list {
		for _, u := range callsIn(l.unit.info, e) {
			if _, done := l.early[u]; !done {
				units = append(units, u)
				effect = effect || len(l.assigned(u)) > 0
			}
		}
	}
	if !effect || len(units) == 1 && len(list) == 1 && ast.Unparen(list[0]) == units[0] {
		return func() {}
	}
	for _, u := range units {
		var vs []value
		if call, ok := u.(*ast.CallExpr); ok {
			vs = l.call(call)
		} else {
			vs = []value{l.expr(u)}
		}
		l.early[u] = vs
	}
	return func() {
		for _, u := range units {
			delete(l.early, u)
		}
	}
}

// taken returns the results of a call that was made before its turn.
func (l *lowerer) taken(e ast.Expr) ([]value, bool) {
	vs, ok := l.early[e]
	delete(l.early, e)
	return vs, ok
}

// callsIn lists the calls in e from left to right, without those inside others. What && and || may leave out is one
// unit.
func callsIn(info *types.Info, e ast.Expr) []ast.Expr {
	var units []ast.Expr
	if e == nil {
		return nil
	}
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			tv := info.Types[n.Fun]
			if tv.IsBuiltin() && !isBuiltin(info, n, "copy") || tv.IsType() || info.Types[n].Value != nil {
				return true
			}
			units = append(units, n)
			return false
		case *ast.BinaryExpr:
			if (n.Op == token.LAND || n.Op == token.LOR) && len(callsIn(info, n.X))+len(callsIn(info, n.Y)) > 0 {
				units = append(units, n)
				return false
			}
		}
		return true
	})
	return units
}
