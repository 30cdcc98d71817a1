package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// checkAll reports everything in f, and in the functions that f calls, that kernels may not contain. One function is
// checked once, whichever kernel asks first; that is enough, as a problem anywhere makes the whole package fail.
func (p *program) checkAll(f *function) {
	var path []*function
	state := map[*function]int{} // 1: on the path, 2: done
	cyclic := map[*function]bool{}
	var visit func(*function)
	visit = func(f *function) {
		state[f] = 1
		path = append(path, f)
		c := &checker{prog: p, unit: f.unit, fn: f, isKernel: p.kernels[f], bad: map[types.Object]bool{}}
		for _, call := range c.function() {
			if p.asIs[call.callee] != nil {
				continue
			}
			switch g := call.callee; state[g] {
			case 0:
				visit(g)
			case 1:
				if !cyclic[g] {
					cyclic[g] = true
					p.rep.at(call.pos, recursive(cycle(path, g)))
				}
			}
		}
		path = path[:len(path)-1]
		state[f] = 2
	}
	visit(f)
}

func cycle(path []*function, back *function) []string {
	var names []string
	for i, f := range path {
		if f == back || names != nil {
			names = append(names, path[i].String())
		}
	}
	return append(names, back.String())
}

func recursive(cycle []string) problem {
	return problem{CodeRecursion, "recursion: " + strings.Join(cycle, " calls "),
		"functions are inlined into the kernel, and an operator's work must be known from its input's length",
		"write a loop"}
}

type call struct {
	callee *function
	pos    token.Pos
}

// checker walks one function. A construct that it reports is not entered, so that one cause gives one diagnostic.
type checker struct {
	prog     *program
	unit     *unit
	fn       *function
	isKernel bool                  // whose own parameters are checked by program.signature
	bad      map[types.Object]bool // variables of a type that is reported where they are declared
	stack    []ast.Node            // from the function to the parent of the node at hand
	calls    []call
}

// function checks the signature and the body, and returns the calls of the program's functions.
func (c *checker) function() []call {
	d := c.fn.decl
	if d.Type.TypeParams != nil {
		c.report(d.Type.TypeParams.Pos(), problem{CodeGeneric, "the kernel " + d.Name.Name + " has type parameters",
			"a kernel is compiled for the types that its signature names", "say for which types it is compiled, in a line of its doc comment: //surge:instantiate [" + someTypes(c.fn.obj.Signature()) + "]"})
		return nil
	}
	if r := c.fn.receiver(); r != nil && d.Recv != nil {
		if p, bad := typeProblem(r.Type()); bad && !c.isKernel && !isNothing(r.Type()) {
			c.report(d.Recv.Pos(), p)
			c.bad[r] = true
		}
	}
	c.params(d.Type.Params)
	c.params(d.Type.Results)
	if d.Body != nil {
		c.walk(d.Body)
	}
	return c.calls
}

func (c *checker) params(list *ast.FieldList) {
	if list == nil {
		return
	}
	for _, f := range list.List {
		t := c.unit.info.TypeOf(f.Type)
		p, bad := typeProblem(t)
		if bad && !(c.isKernel && len(c.stack) == 0) {
			c.report(f.Type.Pos(), p)
		}
		for _, name := range f.Names {
			c.bad[c.unit.info.Defs[name]] = bad
		}
	}
}

func (c *checker) report(pos token.Pos, p problem) { c.prog.rep.at(pos, p) }

func (c *checker) walk(n ast.Node) {
	if n == nil {
		return
	}
	ast.Inspect(n, func(n ast.Node) bool {
		if n == nil { // the children of the last node entered are done
			c.stack = c.stack[:len(c.stack)-1]
			return true
		}
		enter := c.node(n)
		if enter {
			c.stack = append(c.stack, n)
		}
		return enter
	})
}

// parent returns the closest enclosing node that is not a parenthesis.
func (c *checker) parent() ast.Node {
	for i := len(c.stack) - 1; i >= 0; i-- {
		if _, ok := c.stack[i].(*ast.ParenExpr); !ok {
			return c.stack[i]
		}
	}
	return nil
}

// node checks n itself and says whether its children are to be checked as well.
func (c *checker) node(n ast.Node) bool {
	if e, ok := n.(ast.Expr); ok {
		return c.expr(e)
	}
	pos := n.Pos()
	switch n := n.(type) {
	case *ast.GoStmt:
		c.report(pos, problem{CodeGoroutine, "found a go statement", "surge decides what runs at the same time, from the operators",
			"use ops.Map over the values that the goroutines would handle"})
		return false
	case *ast.DeferStmt:
		c.report(pos, problem{CodeDefer, "found a defer statement", "a kernel holds nothing that must be released, and cannot recover from a panic",
			"call the function where its result is needed"})
		return false
	case *ast.SelectStmt:
		c.report(pos, problem{CodeSelect, "found a select statement", onlyPure + ", and not communicate", "return the values"})
		return false
	case *ast.SendStmt:
		if !c.isBad(n.Chan) {
			c.report(pos, problem{CodeChannel, "found a send on a channel", onlyPure + ", and not communicate",
				"return the values: an operator such as ops.Map collects them"})
		}
		return false
	case *ast.LabeledStmt:
		return true
	case *ast.BranchStmt:
		if n.Tok == token.GOTO {
			c.report(pos, problem{CodeJump, "found goto " + n.Label.Name, "where control flow goes must be visible from loops and conditions",
				"write a loop, and leave it by break or go on by continue, which may name its label"})
		}
		return false
	case *ast.TypeSwitchStmt:
		c.report(pos, problem{CodeInterface, "found a type switch", "the type of every value must be known when the kernel is compiled", "use the concrete type"})
		return false
	case *ast.RangeStmt:
		return c.rangeStmt(n)
	case *ast.AssignStmt:
		return c.assign(n)
	case *ast.IncDecStmt:
		return c.target(n.X)
	case *ast.ReturnStmt:
		for _, e := range n.Results {
			if t := c.unit.info.TypeOf(e); t != nil && isFunc(t) {
				c.report(e.Pos(), problem{CodeFuncValue, "a function is returned", "which function is called must be known when the kernel is compiled",
					"return the value that it would compute"})
				return false
			}
		}
	case *ast.DeclStmt:
		if g, ok := n.Decl.(*ast.GenDecl); ok && g.Tok == token.TYPE {
			return false // a type matters only where a value has it
		}
	case *ast.ValueSpec:
		for _, name := range n.Names {
			obj := c.unit.info.Defs[name]
			if obj == nil {
				continue
			}
			if _, ok := obj.(*types.Var); ok && isFunc(obj.Type()) && len(n.Values) == 0 {
				c.report(name.Pos(), problem{CodeFuncValue, "the function variable " + name.Name + " has no value",
					"which function is called must be known when the kernel is compiled", "give " + name.Name + " its value where it is declared, with :="})
				return false
			}
		}
		if n.Type != nil {
			if p, bad := typeProblem(c.unit.info.TypeOf(n.Type)); bad {
				c.report(n.Type.Pos(), p)
				for _, name := range n.Names {
					c.bad[c.unit.info.Defs[name]] = true
				}
				return false
			}
			for _, v := range n.Values {
				c.stack = append(c.stack, n)
				c.walk(v)
				c.stack = c.stack[:len(c.stack)-1]
			}
			return false
		}
		for _, name := range n.Names {
			if obj := c.unit.info.Defs[name]; obj != nil {
				_, c.bad[obj] = typeProblem(obj.Type()) // reported at the value
			}
		}
	}
	return true
}

func (c *checker) isBad(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && c.bad[c.unit.info.ObjectOf(id)]
}

func (c *checker) rangeStmt(n *ast.RangeStmt) bool {
	for _, e := range []ast.Expr{n.Key, n.Value} {
		if e != nil && n.Tok == token.ASSIGN && !c.target(e) {
			return false
		}
	}
	t := c.unit.info.TypeOf(n.X)
	if t == nil || c.isBad(n.X) {
		return true
	}
	if p, ok := t.Underlying().(*types.Pointer); ok { // to an array
		t = p.Elem()
	}
	switch u := t.Underlying().(type) {
	case *types.Slice, *types.Array:
		if _, bad := typeProblem(t); !bad {
			return true
		}
	case *types.Basic:
		if u.Info()&(types.IsInteger|types.IsString) != 0 {
			return true
		}
	case *types.Signature:
		c.report(n.X.Pos(), problem{CodeRange, "range over a function", "how often the loop runs must be known from sizes or a condition", "range over a slice or an integer"})
		return false
	}
	if p, bad := typeProblem(t); bad {
		c.report(n.X.Pos(), p)
	} else {
		c.report(n.X.Pos(), problem{CodeRange, "range over " + typeName(t), "loops run over slices and integers", "range over a slice or an integer"})
	}
	return false
}

func (c *checker) assign(n *ast.AssignStmt) bool {
	if n.Tok != token.DEFINE {
		for _, l := range n.Lhs {
			if !c.target(l) {
				return false
			}
		}
		return true
	}
	ok := true
	for i, l := range n.Lhs {
		id, isIdent := l.(*ast.Ident)
		if !isIdent {
			continue
		}
		if c.unit.info.Defs[id] == nil && !c.target(l) { // an old variable in a :=
			return false
		}
		// A variable of a type without layout is reported at the value, which names the construct.
		if obj := c.unit.info.Defs[id]; obj != nil {
			if _, bad := typeProblem(obj.Type()); bad {
				c.bad[obj] = true
				if i > 0 && len(n.Rhs) == 1 {
					continue // v, ok := <-ch: the first variable or the value says it
				}
			}
		}
	}
	return ok
}

// target checks the left side of an assignment, and reports whether it may be assigned.
func (c *checker) target(e ast.Expr) bool {
	root := ast.Unparen(e)
	for {
		switch x := root.(type) {
		case *ast.SelectorExpr:
			if obj, ok := c.unit.info.Uses[x.Sel].(*types.Var); ok && isGlobal(obj) {
				c.globalWrite(e.Pos(), obj)
				return false
			}
			root = ast.Unparen(x.X)
			continue
		case *ast.IndexExpr:
			if t := c.unit.info.TypeOf(x.X); t != nil {
				if _, ok := t.Underlying().(*types.Map); ok {
					if !c.isBad(x.X) {
						p, _ := typeProblem(t)
						c.report(e.Pos(), p)
					}
					return false
				}
			}
			root = ast.Unparen(x.X)
			continue
		case *ast.StarExpr:
			root = ast.Unparen(x.X)
			continue
		}
		break
	}
	id, ok := root.(*ast.Ident)
	if !ok || id.Name == "_" {
		return true
	}
	obj, ok := c.unit.info.ObjectOf(id).(*types.Var)
	if !ok || c.bad[obj] {
		return !c.bad[obj]
	}
	switch {
	case isGlobal(obj):
		c.globalWrite(e.Pos(), obj)
		return false
	case isFunc(obj.Type()):
		c.report(e.Pos(), problem{CodeFuncValue, "the function variable " + obj.Name() + " is assigned again",
			"which function is called must be known when the kernel is compiled", "declare a second variable, or choose inside the function"})
		return false
	}
	return true
}

func (c *checker) globalWrite(pos token.Pos, obj *types.Var) {
	c.report(pos, globalWrite(obj))
}

func globalWrite(obj *types.Var) problem {
	return problem{CodeGlobalWrite, "the package-level variable " + obj.Name() + " is assigned",
		onlyPure + ", and share no variable", "return the value, and assign it where the kernel is called"}
}

func isGlobal(v *types.Var) bool {
	return v.Pkg() != nil && v.Parent() == v.Pkg().Scope()
}

// calleeIdent returns the identifier that names the called function, or nil.
func calleeIdent(call *ast.CallExpr) *ast.Ident { return funcIdent(call.Fun) }

func funcIdent(e ast.Expr) *ast.Ident {
	switch f := ast.Unparen(e).(type) {
	case *ast.Ident:
		return f
	case *ast.SelectorExpr:
		return f.Sel
	case *ast.IndexExpr:
		return funcIdent(f.X)
	case *ast.IndexListExpr:
		return funcIdent(f.X)
	}
	return nil
}
