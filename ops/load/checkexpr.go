package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// expr checks one expression; see [checker.node].
func (c *checker) expr(e ast.Expr) bool {
	info := c.unit.info
	if tv, ok := info.Types[e]; ok && tv.Value != nil { // whatever it is made of, it is a constant
		if p, bad := typeProblem(tv.Type); bad {
			c.report(e.Pos(), p)
		}
		return false
	}
	switch e := e.(type) {
	case *ast.Ident:
		c.ident(e)
		return false
	case *ast.SelectorExpr:
		return c.selector(e)
	case *ast.CallExpr:
		return c.call(e)
	case *ast.FuncLit:
		return c.funcLit(e)
	case *ast.UnaryExpr:
		switch {
		case e.Op == token.ARROW:
			if !c.isBad(e.X) {
				c.report(e.Pos(), problem{CodeChannel, "found a receive from a channel", onlyPure + ", and not communicate", "take the values as a slice"})
			}
			return false
		}
	case *ast.StarExpr:
		if info.Types[e].IsType() || c.isBad(e.X) {
			return false
		}
	case *ast.TypeAssertExpr:
		if !c.isBad(e.X) {
			c.report(e.Pos(), problem{CodeInterface, "found a type assertion", "the type of every value must be known when the kernel is compiled", "use the concrete type"})
		}
		return false
	case *ast.SliceExpr:
		if e.Slice3 {
			c.report(e.Pos(), notYet(CodeSlice3, "a slice expression with a capacity", "a sequence has a length only", "leave the third index out: a kernel cannot see capacities"))
			return false
		}
	case *ast.BinaryExpr:
		if c.comparesNoScalars(e) {
			return false
		}
	case *ast.CompositeLit:
		if t := info.TypeOf(e); t != nil {
			if elem, ok := isSequence(t); ok {
				if _, bad := typeProblem(t); !bad && !flat(elem) && !isWritten(info, e) {
					c.report(e.Pos(), notYet(CodeSliceLit, "a literal of "+typeName(t), "only constants are known before the run, and a slice that the function makes is one array of numbers",
						"declare the constant ones as a package-level variable, and pass others as a parameter"))
					return false
				}
			}
		}
	case *ast.KeyValueExpr:
		// The key of a struct literal is a field name, not an expression.
		if _, ok := e.Key.(*ast.Ident); ok {
			c.stack = append(c.stack, e)
			c.walk(e.Value)
			c.stack = c.stack[:len(c.stack)-1]
			return false
		}
	case *ast.ArrayType, *ast.StructType, *ast.FuncType, *ast.MapType, *ast.ChanType, *ast.InterfaceType, *ast.Ellipsis:
		return false
	}
	if tv, ok := info.Types[e]; ok && tv.IsValue() {
		if p, bad := typeProblem(tv.Type); bad {
			c.report(e.Pos(), p)
			return false
		}
	}
	return true
}

// comparesNoScalars reports == and != of slices and functions, which Go allows with nil only.
func (c *checker) comparesNoScalars(e *ast.BinaryExpr) bool {
	for _, x := range []ast.Expr{e.X, e.Y} {
		if isError(c.unit.info.TypeOf(e.X)) || isError(c.unit.info.TypeOf(e.Y)) {
			return false
		}
		if tv := c.unit.info.Types[x]; tv.IsNil() && !c.isBad(e.X) && !c.isBad(e.Y) {
			c.report(e.Pos(), problem{CodeCompare, "found a comparison with nil", "a nil slice is an empty sequence, no value of its own", "compare len(s) with 0"})
			return true
		}
	}
	return false
}

// compares reports whether the node at hand is compared with something.
func (c *checker) compares() bool {
	switch c.parent().(type) {
	case *ast.BinaryExpr, *ast.CaseClause:
		return true
	}
	return false
}

// nilType is the type of nil, the node at hand, where it stands; nil if that is not known.
func (c *checker) nilType(id ast.Expr) types.Type {
	info := c.unit.info
	same := func(e ast.Expr) bool { return ast.Unparen(e) == id }
	switch n := c.parent().(type) {
	case *ast.BinaryExpr:
		if same(n.X) {
			return info.TypeOf(n.Y)
		}
		return info.TypeOf(n.X)
	case *ast.CaseClause:
		for i := len(c.stack) - 1; i >= 0; i-- {
			if s, ok := c.stack[i].(*ast.SwitchStmt); ok && s.Tag != nil {
				return info.TypeOf(s.Tag)
			}
		}
	case *ast.ReturnStmt:
		sig := c.fn.obj.Signature()
		for _, n := range c.stack {
			if lit, ok := n.(*ast.FuncLit); ok {
				sig, _ = info.TypeOf(lit).(*types.Signature)
			}
		}
		if i := slices.IndexFunc(n.Results, same); i >= 0 && i < sig.Results().Len() {
			return sig.Results().At(i).Type()
		}
	case *ast.CallExpr:
		if info.Types[n.Fun].IsType() {
			return info.TypeOf(n.Fun)
		}
		sig, ok := info.TypeOf(n.Fun).(*types.Signature)
		if i := slices.IndexFunc(n.Args, same); ok && i >= 0 && i < sig.Params().Len() {
			return sig.Params().At(i).Type()
		}
	case *ast.AssignStmt:
		if i := slices.IndexFunc(n.Rhs, same); i >= 0 && i < len(n.Lhs) {
			return info.TypeOf(n.Lhs[i])
		}
	case *ast.ValueSpec:
		return info.TypeOf(n.Type)
	}
	return info.TypeOf(id)
}

func (c *checker) ident(id *ast.Ident) {
	info := c.unit.info
	switch obj := info.Uses[id].(type) {
	case *types.Var:
		if isGlobal(obj) {
			c.global(id.Pos(), obj)
		} else if !c.bad[obj] {
			if p, bad := typeProblem(obj.Type()); bad && !obj.IsField() {
				c.report(id.Pos(), p)
			} else if c.copiesBuilder(id, obj.Type()) {
				c.report(id.Pos(), problem{CodePointer, "the strings.Builder " + id.Name + " is copied", "Go panics where a copy is written to that is not empty",
					"pass &" + id.Name + ", or the text, " + id.Name + ".String()"})
			}
		}
	case *types.Func:
		c.use(id.Pos(), obj, id)
	case *types.Nil:
		if t := c.nilType(id); isError(t) || isSlice(t) && !c.compares() {
			return
		} else if isPointer(t) {
			c.report(id.Pos(), *nilPointer(t, id.Pos()).late)
			return
		}
		if p, bad := typeProblem(info.Types[id].Type); bad && p.code != CodeCompare {
			return // what it is the nil of is reported
		}
		c.report(id.Pos(), problem{CodeCompare, "found nil", "a nil slice is an empty sequence, no value of its own",
			"return an empty sequence, for instance s[:0]"})
	case *types.Const:
		if p, bad := typeProblem(obj.Type()); bad {
			c.report(id.Pos(), p)
		}
	}
}

func globalRead(obj *types.Var) problem {
	if isFunc(obj.Type()) {
		return problem{CodeFuncValue, "the function variable " + obj.Name() + " is used", "which function is called must be known when the kernel is compiled",
			"declare it as a function: func " + obj.Name() + strings.TrimPrefix(typeName(obj.Type().Underlying()), "func")}
	}
	return problem{CodeGlobal, "the package-level variable " + obj.Name() + ", which the program assigns, is read",
		"a kernel's result depends on its arguments only, so that it can be checked, repeated and run elsewhere",
		"pass it as a parameter, or assign it in its declaration and in init only"}
}

// global checks the use of a package-level variable.
func (c *checker) global(pos token.Pos, obj *types.Var) {
	if p, bad := typeProblem(obj.Type()); bad {
		c.report(pos, p)
	} else if isFunc(obj.Type()) || c.prog.assigns(obj) {
		c.report(pos, globalRead(obj))
	}
}

func (c *checker) selector(e *ast.SelectorExpr) bool {
	info := c.unit.info
	if sel := info.Selections[e]; sel != nil {
		if sel.Kind() != types.FieldVal {
			f := c.prog.method(sel)
			switch {
			case f != nil:
				c.calls = append(c.calls, call{f, e.Sel.Pos()})
				if sel.Kind() == types.MethodVal && !(isNothing(info.TypeOf(e.X)) && isPlainPath(e.X)) {
					c.stack = append(c.stack, e)
					c.walk(e.X)
					c.stack = c.stack[:len(c.stack)-1]
				}
			case !c.isBad(e.X):
				c.report(e.Sel.Pos(), foreignMethod(sel))
			}
			return false
		}
		if p, bad := typeProblem(sel.Type()); bad {
			c.report(e.Pos(), p)
			return false
		}
		c.stack = append(c.stack, e)
		c.walk(e.X)
		c.stack = c.stack[:len(c.stack)-1]
		return false
	}
	switch obj := info.Uses[e.Sel].(type) { // a qualified name
	case *types.Var:
		if isGlobal(obj) {
			c.global(e.Pos(), obj)
		}
	case *types.Func:
		c.use(e.Pos(), obj, e.Sel)
	case *types.Const:
		if p, bad := typeProblem(obj.Type()); bad {
			c.report(e.Pos(), p)
		}
	}
	return false
}

// flat reports whether values of type t are scalars or structs of scalars.
func flat(t types.Type) bool {
	ts, err := layout(t)
	for _, e := range ts {
		if !e.IsScalar() {
			return false
		}
	}
	return err == nil
}

// isNilSlice reports whether e is []T(nil).
func isNilSlice(info *types.Info, e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	return ok && len(call.Args) == 1 && info.Types[call.Fun].IsType() && info.Types[call.Args[0]].IsNil()
}

// copiesBuilder reports whether e, the node at hand, of type t, is a strings.Builder that is copied.
func (c *checker) copiesBuilder(e ast.Expr, t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || named.Obj().Pkg().Path()+"."+named.Obj().Name() != "strings.Builder" {
		return false
	}
	switch n := c.parent().(type) {
	case *ast.AssignStmt:
		return slices.ContainsFunc(n.Rhs, func(x ast.Expr) bool { return ast.Unparen(x) == e })
	case *ast.CallExpr, *ast.ReturnStmt, *ast.CompositeLit, *ast.KeyValueExpr, *ast.ValueSpec:
		return true
	}
	return false
}
