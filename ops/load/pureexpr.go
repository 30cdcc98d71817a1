package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// value goes through an expression, and returns the class that its value belongs to, nil for one without references.
func (w *flow) value(e ast.Expr) *node {
	info := w.info()
	tv := info.Types[e]
	if tv.Value != nil || tv.IsType() || tv.IsNil() {
		w.meet(tv.Type)
		return nil
	}
	if tv.IsValue() {
		w.meet(tv.Type)
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return w.value(e.X)
	case *ast.Ident:
		return w.variable(e, e)
	case *ast.BasicLit:
		return nil
	case *ast.FuncLit:
		w.literal(e)
		w.escape(e)
		return nil
	case *ast.CompositeLit:
		return w.composite(e)
	case *ast.SelectorExpr:
		return w.selector(e)
	case *ast.IndexExpr:
		if info.Types[e.Index].IsType() { // a function for some types
			w.escape(e)
			return nil
		}
		w.value(e.Index)
		return w.part(e.X, tv.Type)
	case *ast.IndexListExpr:
		w.escape(e)
		return nil
	case *ast.SliceExpr:
		for _, x := range []ast.Expr{e.Low, e.High, e.Max} {
			if x != nil {
				w.value(x)
			}
		}
		if isArrayType(info.TypeOf(e.X)) {
			w.takesPart(info.TypeOf(e.X))
			n, _ := w.place(e.X)
			return n
		}
		if isPointer(info.TypeOf(e.X)) {
			w.takesPart(pointee(info.TypeOf(e.X)))
		}
		return w.part(e.X, tv.Type)
	case *ast.StarExpr:
		return w.part(e.X, tv.Type)
	case *ast.UnaryExpr:
		switch e.Op {
		case token.AND:
			if _, ok := ast.Unparen(e.X).(*ast.CompositeLit); ok {
				if n := w.value(e.X); n != nil {
					return n
				}
				return &node{}
			}
			w.takesAddress(e.X)
			if isFunc(info.TypeOf(e.X)) {
				w.escape(e.X)
			}
			n, _ := w.place(e.X)
			return n
		case token.ARROW:
			w.refuse(e.Pos(), "communicates")
		}
		w.value(e.X)
		return nil
	case *ast.BinaryExpr:
		x, y := w.argument(e.X), w.argument(e.Y)
		if info.Types[e.Y].IsNil() && isSlice(info.TypeOf(e.X)) {
			w.peek(e, x)
		}
		if info.Types[e.X].IsNil() && isSlice(info.TypeOf(e.Y)) {
			w.peek(e, y)
		}
		return nil
	case *ast.TypeAssertExpr:
		n := w.value(e.X)
		if !refers(info.TypeOf(e.Type)) {
			return nil
		}
		return n
	case *ast.CallExpr:
		return first(w.call(e))
	case *ast.KeyValueExpr:
		return unite(w.value(e.Key), w.value(e.Value))
	}
	w.refuse(e.Pos(), "has an expression that is not known")
	return nil
}

func first(list []*node) *node {
	if len(list) == 0 {
		return nil
	}
	return list[0]
}

// part is the class of a part of x, which is of type t.
func (w *flow) part(x ast.Expr, t types.Type) *node {
	n := w.value(x)
	if tuple, ok := t.(*types.Tuple); ok && tuple.Len() > 0 { // v, ok
		t = tuple.At(0).Type()
	}
	if !refers(t) {
		return nil
	}
	return n
}

// variable is the class of a variable that is named here.
func (w *flow) variable(e ast.Expr, id *ast.Ident) *node {
	v, ok := w.info().Uses[id].(*types.Var)
	if !ok {
		if v, ok = w.info().Defs[id].(*types.Var); !ok {
			if _, isFunc := w.info().Uses[id].(*types.Func); isFunc {
				w.escape(e)
			}
			return nil
		}
	}
	if isGlobal(v) {
		w.read(v, e.Pos())
	} else if isFunc(v.Type()) {
		w.escape(e)
	}
	if !refers(v.Type()) {
		return nil
	}
	return w.node(v)
}

func (w *flow) composite(e *ast.CompositeLit) *node {
	n := &node{}
	_, fields := underlying(w.info().TypeOf(e)).(*types.Struct)
	for _, x := range e.Elts {
		if kv, ok := x.(*ast.KeyValueExpr); ok {
			if !fields && !isArrayType(underlying(w.info().TypeOf(e))) && !isSlice(underlying(w.info().TypeOf(e))) { // the key of a map
				unite(n, w.value(kv.Key))
			}
			x = kv.Value
		}
		unite(n, w.value(x))
	}
	if !refers(w.info().TypeOf(e)) {
		return nil
	}
	return n
}

// underlying is that of a type, or of what a pointer points to.
func underlying(t types.Type) types.Type {
	if t == nil {
		return types.Typ[types.Invalid]
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem().Underlying()
	}
	return t.Underlying()
}

func (w *flow) selector(e *ast.SelectorExpr) *node {
	sel := w.info().Selections[e]
	if sel == nil { // of another package
		return w.variable(e, e.Sel)
	}
	if sel.Kind() != types.FieldVal {
		w.methodValue(e, sel)
		return nil
	}
	n := w.value(e.X)
	if !refers(sel.Type()) {
		return nil
	}
	if n == nil { // a struct of which only this part holds references has a class
		n, _ = w.place(e.X)
	}
	return n
}

// read notes that a package-level variable is read.
func (w *flow) read(v *types.Var, pos token.Pos) {
	switch {
	case !w.modules[v.Pkg()]:
		if !allowed[v.Pkg().Path()].reads(v) {
			w.refuse(pos, "reads "+v.Pkg().Name()+"."+v.Name()+", which anybody may assign")
		}
	case isError(v.Type()) && !w.madeOfText(v):
		w.refuse(pos, "reads the error "+v.Name()+", which may be of any type")
	case w.prog.assigns(v) || !w.onlyRead(v):
		w.refuse(pos, "reads the package-level variable "+v.Name()+", which the program may change")
	case !isError(v.Type()) && !isConstantType(v.Type()) && holdsFunctions(v.Type(), 0) && !w.initial(v):
		w.refuse(pos, "uses functions of the package-level variable "+v.Name())
	}
}

// madeOfText reports whether a package-level variable is an error that a function of the standard library makes.
func (w *flow) madeOfText(v *types.Var) bool {
	g, ok := w.prog.declared(v)
	if !ok || g.init == nil {
		return false
	}
	call, ok := ast.Unparen(g.init).(*ast.CallExpr)
	if !ok {
		return false
	}
	id := calleeIdent(call)
	if id == nil {
		return false
	}
	f, ok := g.unit.info.Uses[id].(*types.Func)
	return ok && f.Pkg() != nil && f.Pkg().Path() == "errors" && f.Name() == "New"
}

// onlyRead reports whether a package-level variable holds nothing that can be changed by another name, or that nothing
// but what reads it has a name for.
func (w *flow) onlyRead(v *types.Var) bool {
	if !reaches(v.Type(), 0) || isError(v.Type()) {
		return true
	}
	only, ok := w.reading[v]
	if !ok {
		only = true
		for _, u := range w.prog.units {
			for _, f := range u.files {
				for _, d := range f.Decls {
					fd, isFunc := d.(*ast.FuncDecl)
					only = only && readsOnly(u.info, d, v, isFunc && fd.Recv == nil && fd.Name.Name == "init")
				}
			}
		}
		if v.Exported() && !isConstantType(v.Type()) {
			only = false
		}
		w.reading[v] = only
	}
	return only
}

// reaches reports whether a type has maps, pointers or interfaces: what changes there, [program.assigns] does not see.
func reaches(t types.Type, depth int) bool {
	if depth > maxNesting {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return false
	case *types.Slice:
		return reaches(u.Elem(), depth+1)
	case *types.Array:
		return reaches(u.Elem(), depth+1)
	case *types.Struct:
		for f := range u.Fields() {
			if reaches(f.Type(), depth+1) {
				return true
			}
		}
		return false
	}
	return true
}

// isConstantType reports whether values of a type of the standard library do not change once they are made.
func isConstantType(t types.Type) bool {
	switch typeName(t) {
	case "*regexp.Regexp", "*strings.Replacer", "*unicode.RangeTable", "*crc32.Table", "*crc64.Table":
		return true
	}
	return false
}

// readsOnly reports whether a body uses a package-level variable in ways that read it alone: it takes elements without
// references out of it, asks for its length, or calls methods of what does not change. What runs before all else may
// assign it, and its elements.
func readsOnly(info *types.Info, body ast.Node, v *types.Var, initial bool) bool {
	ok := true
	var stack []ast.Node
	ast.Inspect(body, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		stack = append(stack, n)
		id, isIdent := n.(*ast.Ident)
		if !isIdent || info.Uses[id] != types.Object(v) {
			return true
		}
		at := len(stack) - 1
		x := ast.Expr(id)
		up := func() ast.Node {
			if at == 0 {
				return nil
			}
			return stack[at-1]
		}
		for {
			switch p := up().(type) {
			case *ast.ParenExpr:
				x, at = p, at-1
				continue
			case *ast.SelectorExpr:
				if p.Sel == x || info.Selections[p] != nil && info.Selections[p].Kind() == types.FieldVal {
					x, at = p, at-1
					continue
				}
				if isConstantType(info.TypeOf(x)) && p.Sel.Name != "Longest" {
					return true
				}
			case *ast.IndexExpr:
				if p.X == x {
					x, at = p, at-1
					if !refers(valueType(info.TypeOf(p))) && (initial || !isTarget(stack, at)) {
						return true
					}
					continue
				}
			case *ast.CallExpr:
				if f, isLen := ast.Unparen(p.Fun).(*ast.Ident); isLen && f.Name == "len" {
					return true
				}
			case *ast.RangeStmt:
				if p.X == x && (p.Value == nil || !refers(info.TypeOf(p.Value))) {
					return true
				}
			}
			if !refers(info.TypeOf(x)) && (initial || !isTarget(stack, at)) || initial && isAssigned(up(), x) {
				return true
			}
			ok = false
			return true
		}
	})
	return ok
}

// isAssigned reports whether a statement assigns to x.
func isAssigned(s ast.Node, x ast.Expr) bool {
	a, ok := s.(*ast.AssignStmt)
	return ok && slices.Contains(a.Lhs, x)
}

// valueType is a type, or that of the first of several values.
func valueType(t types.Type) types.Type {
	if tuple, ok := t.(*types.Tuple); ok && tuple.Len() > 0 {
		return tuple.At(0).Type()
	}
	return t
}

// isTarget reports whether the node at a place of a stack is assigned, or its address is taken.
func isTarget(stack []ast.Node, at int) bool {
	for ; at > 0; at-- {
		x, isExpr := stack[at].(ast.Expr)
		if !isExpr {
			return false
		}
		switch p := stack[at-1].(type) {
		case *ast.AssignStmt:
			for _, l := range p.Lhs {
				if l == x {
					return true
				}
			}
			return false
		case *ast.IncDecStmt:
			return true
		case *ast.RangeStmt:
			return p.Key == x || p.Value == x
		case *ast.UnaryExpr:
			return p.Op == token.AND
		case *ast.SliceExpr:
			return p.X == x
		case *ast.ParenExpr, *ast.SelectorExpr:
		case *ast.IndexExpr:
			if p.X != x {
				return false
			}
		default:
			return false
		}
	}
	return false
}
