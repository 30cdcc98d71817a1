package load

import (
	"go/ast"
	"go/types"
	"slices"
)

// binds notes the function literals that an assignment or a declaration binds variables to. A variable of function
// type is never assigned again, so that this is what it is wherever it is called.
func (e *effects) binds(name, to ast.Expr) {
	lit, isLit := ast.Unparen(to).(*ast.FuncLit)
	id, isIdent := name.(*ast.Ident)
	if !isLit || !isIdent {
		return
	}
	if v, ok := e.unit.info.Defs[id].(*types.Var); ok {
		e.bound[v] = &funcValue{unit: e.unit, lit: lit}
	}
}

// called is the literal that a call calls, if it is known.
func (e *effects) called(n *ast.CallExpr) *funcValue {
	if lit, ok := ast.Unparen(n.Fun).(*ast.FuncLit); ok {
		return &funcValue{unit: e.unit, lit: lit}
	}
	v := variable(e.unit.info, n.Fun)
	if v == nil {
		return nil
	}
	if fn := e.bound[v]; fn != nil {
		return fn
	}
	if e.literal != nil {
		return e.literal(v)
	}
	return nil
}

// callLiteral notes what a call of fn, a literal, assigns by way of its arguments.
func (e *effects) callLiteral(fn *funcValue, n *ast.CallExpr) {
	params := fn.params()
	written := e.literalWrites(fn)
	for i, a := range n.Args {
		switch {
		case i >= len(params) || len(n.Args) != len(params): // of a variadic function, or results of another call
			e.escapes(a)
		case written[params[i]] == 0:
		case isSlice(params[i].Type()) && isPath(a):
			for range written[params[i]] {
				a = &ast.IndexExpr{X: a, Index: a}
			}
			e.target(a)
		default:
			e.escapes(a)
		}
	}
}

// literalWrites returns the parameters of fn, a literal, through which it may assign, each with how deep below the
// parameter that may be: 1 for the elements of a slice.
func (e *effects) literalWrites(fn *funcValue) map[*types.Var]int {
	if w, ok := e.written[fn.lit]; ok {
		return w
	}
	w := map[*types.Var]int{} // what is known of one that calls itself, while that is found out
	for _, v := range fn.params() {
		if isSlice(v.Type()) || hasSlices(v.Type()) || isPointer(v.Type()) {
			w[v] = maxNesting
		}
	}
	e.written[fn.lit] = w
	inner := newEffects(e.prog, fn.unit)
	inner.literal, inner.bound, inner.written = e.literal, e.bound, e.written
	inner.walk(fn.lit.Body)
	inner.settle()
	w = map[*types.Var]int{}
	for _, v := range fn.params() {
		switch {
		case renamed(fn, v):
			w[v] = maxNesting
		case inner.elements[v] > 0:
			w[v] = inner.elements[v]
		case inner.through[v] || inner.direct[v] && (isSlice(v.Type()) || hasSlices(v.Type())):
			w[v] = maxNesting
		}
	}
	e.written[fn.lit] = w
	return w
}

// renamed reports whether fn, a literal, may get the elements of its parameter v under another name than those that
// [effects.row] follows.
func renamed(fn *funcValue, v *types.Var) bool {
	info := fn.unit.info
	is := func(x ast.Expr) bool {
		for {
			switch y := ast.Unparen(x).(type) {
			case *ast.IndexExpr:
				x = y.X
				continue
			case *ast.SliceExpr:
				x = y.X
				continue
			}
			return rootOf(info, x) == v && !flat(v.Type())
		}
	}
	found := false
	ast.Inspect(fn.lit.Body, func(n ast.Node) bool {
		var list []ast.Expr
		switch n := n.(type) {
		case *ast.AssignStmt:
			found = found || slices.ContainsFunc(n.Rhs, func(x ast.Expr) bool { return rootOf(info, x) == v && !flat(v.Type()) })
		case *ast.ValueSpec:
			list = n.Values
		case *ast.CompositeLit:
			list = n.Elts
		case *ast.KeyValueExpr:
			list = []ast.Expr{n.Value}
		case *ast.CallExpr:
			if isBuiltin(info, n, "append") {
				list = n.Args
			}
		}
		found = found || slices.ContainsFunc(list, is)
		return !found
	})
	return found
}

// isPath reports whether e names a variable, or something in it.
func isPath(e ast.Expr) bool { return pathIdent(e) != nil }

// pathIdent is the name that a path to something in a variable begins with; nil if e is no path.
func pathIdent(e ast.Expr) *ast.Ident {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.Ident:
			return x
		case *ast.SelectorExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		default:
			return nil
		}
	}
}
