package load

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

func noOperator(full string) problem {
	return problem{CodeOperator, full + " is no operator", "kernels are compiled from the operators of package ops", "use one of " + operatorNames()}
}

// ioPackages are the packages whose functions act on the world, by path or beginning of a path.
var ioPackages = []string{"fmt", "os", "io", "log", "bufio", "net", "syscall", "time", "database", "embed", "testing"}

// use checks the use of a declared function, called or passed on.
func (c *checker) use(pos token.Pos, obj *types.Func, id *ast.Ident) {
	obj = obj.Origin()
	if obj.Signature().Recv() != nil {
		return // reported by the selector
	}
	path, name := "", obj.Name()
	if obj.Pkg() != nil {
		path = obj.Pkg().Path()
	}
	full := name
	if obj.Pkg() != nil {
		full = obj.Pkg().Name() + "." + name
	}
	switch {
	case path == opsPath:
		if operators[name] == nil {
			c.report(pos, noOperator(full))
		}
	case path == "math" && intrinsicOf(obj) == nil && c.prog.funcs[obj] == nil:
		if !knownMath(name) {
			c.report(pos, problem{CodeMathFunc, full + " is not compiled", "no form of it runs on every platform yet",
				mathFix(name)})
		}
	case intrinsicOf(obj) != nil:
	case c.prog.funcs[obj] != nil:
		f := c.prog.callee(c.unit, id)
		if f == nil {
			return // reported
		}
		if f.decl.Body == nil {
			c.report(pos, problem{CodeForeignCall, name + " has no Go body", "functions are inlined into the kernel from their Go text", "write it in Go"})
			return
		}
		c.calls = append(c.calls, call{f, pos})
	default:
		for _, io := range ioPackages {
			if path == io || strings.HasPrefix(path, io+"/") {
				c.report(pos, problem{CodeIO, "found a call of " + full,
					onlyPure + ", and not act on the world outside", "return the values, and do this where the kernel is called"})
				return
			}
		}
		if names := compiledOf(obj.Pkg(), c.prog.funcs); len(names) > 0 {
			c.report(pos, problem{CodeForeignCall, full + " is not compiled",
				"of package " + obj.Pkg().Name() + ", kernels may call " + strings.Join(names, ", "), cmp.Or(foreignFixes[path+"."+name], "write a function in this module that does the same, and call that")})
			return
		}
		c.report(pos, problem{CodeForeignCall, full + " is not a function of this module",
			"functions are inlined from their Go text, which is that of this module, or of some packages of the standard library",
			cmp.Or(foreignFixes[path+"."+name], "write the function in this module, if it is pure")})
	}
}

func (c *checker) call(e *ast.CallExpr) bool {
	info := c.unit.info
	if tv := info.Types[e.Fun]; tv.IsType() {
		return c.plain(e)
	}
	id := calleeIdent(e)
	if id == nil {
		return c.plain(e)
	}
	b, ok := info.Uses[id].(*types.Builtin)
	if !ok {
		if isErrorCall(info, e) {
			c.said(e)
			return false
		}
		return c.plain(e)
	}
	switch b.Name() {
	case "len":
		if p, bad := typeProblem(info.TypeOf(e.Args[0])); bad {
			if !c.isBad(e.Args[0]) {
				c.report(e.Args[0].Pos(), p)
			}
			return false
		}
		return true
	case "min", "max", "complex", "real", "imag":
		return c.plain(e)
	case "make":
		if t := info.TypeOf(e); t != nil {
			if p, bad := typeProblem(t); bad {
				c.report(e.Pos(), p)
				return false
			}
		}
		c.stack = append(c.stack, e)
		for _, a := range e.Args[1:] {
			c.walk(a)
		}
		c.stack = c.stack[:len(c.stack)-1]
	case "append":
		c.stack = append(c.stack, e)
		for _, a := range e.Args {
			if !c.unit.info.Types[a].IsNil() && !isNilSlice(info, a) {
				c.walk(a)
			}
		}
		c.stack = c.stack[:len(c.stack)-1]
	case "copy", "clear", "cap":
		c.stack = append(c.stack, e)
		for _, a := range e.Args {
			c.walk(a)
		}
		c.stack = c.stack[:len(c.stack)-1]
	case "panic": // what it is given is not computed: see Note [Panics]
	case "recover":
		c.report(e.Pos(), problem{CodePanic, "found recover", "a panic ends the whole run with an error: there is nothing to go on with",
			"leave it out, and handle the error where the kernel is called"})
	case "print", "println":
		c.report(e.Pos(), problem{CodeIO, "found " + b.Name(), onlyPure + ", and not act on the world outside", "return the values, and print them where the kernel is called"})
	case "new":
		return c.plain(e)
	case "close":
		if !c.isBad(e.Args[0]) {
			c.report(e.Pos(), problem{CodeChannel, "found close of a channel", onlyPure + ", and not communicate", "return the values"})
		}
	case "delete":
		if !c.isBad(e.Args[0]) {
			c.report(e.Pos(), problem{CodeMapType, "found delete", "a map is updated one entry at a time, and its order is not defined", "use a slice that is indexed by a number"})
		}
	default:
		c.report(e.Pos(), problem{CodeBuiltin, "found " + types.ExprString(e.Fun), "it has no meaning in a kernel", "use len for the number of elements"})
	}
	return false
}

// said checks what a call that makes an error, or text for one, is given.
func (c *checker) said(e *ast.CallExpr) {
	c.stack = append(c.stack, e)
	defer func() { c.stack = c.stack[:len(c.stack)-1] }()
	var look func(a ast.Expr)
	look = func(a ast.Expr) {
		a = ast.Unparen(a)
		tv := c.unit.info.Types[a]
		if tv.Value != nil || tv.IsNil() {
			return
		}
		switch a := a.(type) {
		case *ast.CallExpr:
			if _, ok := isTextCall(c.unit.info, a); ok {
				c.said(a)
				return
			}
		case *ast.BinaryExpr:
			if a.Op == token.ADD && isString(tv.Type) {
				look(a.X)
				look(a.Y)
				return
			}
		}
		c.walk(a)
	}
	for _, a := range e.Args {
		look(a)
	}
}

// plain checks the type of a call's result.
func (c *checker) plain(e *ast.CallExpr) bool {
	tv := c.unit.info.Types[e]
	if id := calleeIdent(e); id != nil {
		if f, ok := c.unit.info.Uses[id].(*types.Func); ok && !c.compiles(f) {
			c.stack = append(c.stack, e)
			c.walk(e.Fun)
			c.stack = c.stack[:len(c.stack)-1]
			return false // the function is the cause; its arguments may be right for it
		}
	}
	if !tv.IsValue() {
		return true
	}
	var p problem
	bad := false
	if tuple, ok := tv.Type.(*types.Tuple); ok {
		for v := range tuple.Variables() {
			if p, bad = typeProblem(v.Type()); bad {
				break
			}
		}
	} else if isFunc(tv.Type) {
		p, bad = problem{CodeFuncValue, "found a function that returns a function", "which function is called must be known when the kernel is compiled",
			"write a function literal where it is used"}, true
	} else {
		p, bad = typeProblem(tv.Type)
	}
	if bad {
		c.report(e.Pos(), p)
	}
	return !bad
}

// compiles reports whether calls of f can be compiled as far as f itself is concerned.
func (c *checker) compiles(f *types.Func) bool {
	f = f.Origin()
	if f.Pkg() == nil {
		return false
	}
	if f.Signature().Recv() != nil {
		return c.prog.funcs[f] != nil
	}
	return f.Pkg().Path() == opsPath && operators[f.Name()] != nil || f.Pkg().Path() == "math" && knownMath(f.Name()) ||
		intrinsicOf(f) != nil || c.prog.funcs[f] != nil
}

// funcLit checks where a function literal stands: it must be clear which function is called in the end.
func (c *checker) funcLit(e *ast.FuncLit) bool {
	switch parent := c.parent().(type) {
	case *ast.CallExpr, *ast.ValueSpec:
		// an argument, or called at once, or bound by var
	case *ast.AssignStmt:
		if parent.Tok != token.DEFINE {
			return false // reported with the target
		}
	case *ast.ReturnStmt:
		return false
	default:
		c.report(e.Pos(), problem{CodeFuncValue, "a function literal is stored", "which function is called must be known when the kernel is compiled",
			"pass it to the operator, call it at once, or bind it to a variable of its own"})
		return false
	}
	c.params(e.Type.Params)
	c.params(e.Type.Results)
	c.stack = append(c.stack, e)
	c.walk(e.Body)
	c.stack = c.stack[:len(c.stack)-1]
	return false
}
