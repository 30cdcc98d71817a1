package load

import (
	"go/ast"
	"go/token"
	"go/types"
)

func (o *orderless) calm(e ast.Expr) bool {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			ok = false
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.AND && n.Op != token.ARROW
		case *ast.CallExpr:
			tv := o.info().Types[n.Fun]
			id := calleeIdent(n)
			switch {
			case tv.IsType():
			case tv.IsBuiltin() && id != nil:
				switch id.Name {
				case "len", "min", "max":
				default:
					ok = false
				}
			default:
				f, isFunc := (*types.Func)(nil), false
				if id != nil {
					f, isFunc = o.info().Uses[id].(*types.Func)
				}
				if g := o.called(n, id, isFunc); g != nil {
					e := o.effect(g)
					ok = ok && e.impure == nil && e.written() == 0 && e.calls|e.keeps == 0 && e.opened == nil
					return ok
				}
				ok = ok && isFunc && f.Pkg() != nil && !o.modules[f.Pkg()] && allowed[f.Pkg().Path()].takes(f) && !named(allowed[f.Pkg().Path()].writes, f.Name())
			}
		}
		return ok
	})
	return ok
}

func (o *orderless) called(e *ast.CallExpr, id *ast.Ident, isFunc bool) *function {
	if sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr); !isFunc || ok && o.info().Selections[sel] != nil {
		return nil
	}
	if f := o.prog.callee(o.unit, id); f != nil && !f.unit.standard {
		return f
	}
	return nil
}

func (o *orderless) reassigned(k *types.Var) bool {
	found := false
	ast.Inspect(o.loop.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				found = found || variable(o.info(), x) == k
			}
		case *ast.IncDecStmt:
			found = found || variable(o.info(), n.X) == k
		}
		return !found
	})
	return found
}

func (o *orderless) readsNone(body *ast.BlockStmt) bool {
	skip := map[ast.Node]bool{}
	for _, n := range o.skip {
		skip[n] = true
	}
	ast.Inspect(body, func(n ast.Node) bool { // the left sides
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				skip[ast.Unparen(x)] = true
			}
		case *ast.IncDecStmt:
			skip[ast.Unparen(n.X)] = true
		}
		return true
	})
	ok := true
	ast.Inspect(body, func(n ast.Node) bool {
		id, isIdent := n.(*ast.Ident)
		if !isIdent || skip[id] {
			return true
		}
		if v, isVar := o.info().Uses[id].(*types.Var); isVar {
			if _, changed := o.by[v]; changed {
				ok = false
			}
		}
		return true
	})
	return ok
}

func (w *flow) sortedNext(v *types.Var, rest []ast.Stmt) bool {
	if len(rest) == 0 {
		return false
	}
	x, ok := rest[0].(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := x.X.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 || variable(w.info(), call.Args[0]) != v {
		return false
	}
	id := calleeIdent(call)
	if id == nil {
		return false
	}
	f, ok := w.info().Uses[id].(*types.Func)
	if !ok || f.Pkg() == nil {
		return false
	}
	switch f.Pkg().Path() + "." + f.Name() {
	case "slices.Sort", "sort.Ints", "sort.Strings":
		return true
	}
	return false
}
