package load

import (
	"go/ast"
	"go/types"
	"slices"
)

// resultFrom returns which arguments of a call, by their numbers, and -1 for the receiver, its results may share memory
// with: all of them where the function is not known.
func (p *program) resultFrom(u *unit, call *ast.CallExpr) func(argument int) bool {
	all := func(int) bool { return true }
	id := calleeIdent(call)
	if id == nil {
		return all
	}
	if _, ok := u.info.Uses[id].(*types.Func); !ok {
		return all
	}
	f := p.callee(u, id)
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && u.info.Selections[sel] != nil {
		f = p.method(u.info.Selections[sel])
	}
	if f == nil || f.decl.Body == nil || f.obj.Signature().Variadic() {
		return all
	}
	effect := p.pure().of(f)
	params := len((&funcValue{unit: f.unit, decl: f}).params())
	if effect.impure != nil || len(effect.class) != params+f.obj.Signature().Results().Len() {
		return all
	}
	receivers := params - f.obj.Signature().Params().Len()
	return func(argument int) bool {
		i := argument + receivers
		if i < 0 || i >= params {
			return true
		}
		c := effect.class[i]
		return c >= 0 && (effect.shared[c] || slices.Contains(effect.class[params:], c))
	}
}
