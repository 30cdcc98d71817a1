package load

import (
	"go/ast"
	"go/token"
	"go/types"
)

// bind finds the functions that variables may hold.
func (w *flow) bind(body ast.Node) {
	set := func(x ast.Expr, to ast.Expr) {
		id, ok := ast.Unparen(x).(*ast.Ident)
		if !ok {
			return
		}
		v, ok := w.info().ObjectOf(id).(*types.Var)
		if !ok || !isFunc(v.Type()) {
			return
		}
		c := w.calleesOf(v)
		if to == nil || variable(w.info(), to) != nil { // what another variable holds may change
			c.unknown = true
			return
		}
		more := w.functionsOf(to)
		c.lits, c.decls = append(c.lits, more.lits...), append(c.decls, more.decls...)
		c.unknown = c.unknown || more.unknown || more.param >= 0
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, x := range n.Lhs {
				if len(n.Lhs) == len(n.Rhs) {
					set(x, n.Rhs[i])
				} else {
					set(x, nil)
				}
			}
		case *ast.ValueSpec:
			for i, x := range n.Names {
				switch {
				case len(n.Values) == len(n.Names):
					set(x, n.Values[i])
				case len(n.Values) > 0:
					set(x, nil)
				}
			}
		case *ast.RangeStmt:
			for _, x := range []ast.Expr{n.Key, n.Value} {
				if x != nil {
					set(x, nil)
				}
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				set(n.X, nil)
			}
		}
		return true
	})
}

func (w *flow) calleesOf(v *types.Var) *callees {
	c := w.bound[v]
	if c == nil {
		c = &callees{param: -1}
		w.bound[v] = c
	}
	return c
}

// bindable goes through what becomes the value of x: a function that a local variable gets is known where that is
// called.
func (w *flow) bindable(x, to ast.Expr) *node {
	if v := variable(w.info(), x); v != nil && isFunc(v.Type()) && !isGlobal(v) && variable(w.info(), to) == nil && !w.functionsOf(to).unknown {
		return w.argument(to)
	}
	return w.value(to)
}

// functionsOf are the functions that an expression may stand for.
func (w *flow) functionsOf(e ast.Expr) callees {
	none := callees{param: -1, unknown: true}
	if w.info().Types[e].IsNil() {
		return callees{param: -1}
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.FuncLit:
		return callees{param: -1, lits: []*ast.FuncLit{e}}
	case *ast.IndexExpr, *ast.IndexListExpr, *ast.Ident, *ast.SelectorExpr:
		if sel, ok := e.(*ast.SelectorExpr); ok && w.info().Selections[sel] != nil {
			return none
		}
		id := funcIdent(e)
		if id == nil {
			return none
		}
		switch obj := w.info().Uses[id].(type) {
		case *types.Func:
			if f := w.prog.callee(w.unit, id); f != nil && !f.unit.standard {
				return callees{param: -1, decls: []*function{f}}
			}
			if obj.Pkg() != nil && allowed[obj.Pkg().Path()].takes(obj) {
				return callees{param: -1}
			}
		case *types.Var:
			if i, ok := w.params[obj]; ok && w.bound[obj] == nil {
				return callees{param: i}
			}
			if isGlobal(obj) || obj.IsField() {
				return none
			}
			if c := w.bound[obj]; c != nil {
				return *c
			}
		}
	}
	return none
}
