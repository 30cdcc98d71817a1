package load

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Note [Effects]
//
// What a loop assigns must be known before its body is lowered: these variables are what it carries. They are not only
// those that stand on the left of an assignment: methods with pointer receivers, functions that get an address, and
// function literals that are bound to a variable assign as well. The list may be too long, never too short.

// assigned returns the keys in env of the variables that running the nodes, of the function at hand, may assign.
func (l *lowerer) assigned(nodes ...ast.Node) map[any]bool {
	e := l.effects(l.unit, nodes...)
	keys := e.others
	for v := range e.direct {
		keys[v] = true
		if ref := l.env.vals[v].ref; ref != nil {
			keys[ref.root] = true
		}
	}
	for v := range e.through {
		if val, ok := l.env.vals[v]; ok && val.ptr != nil {
			for _, root := range val.ptr.roots() {
				keys[root] = true
			}
		}
	}
	for _, key := range l.env.keys {
		if keys[key] {
			for _, field := range l.env.vals[key].held {
				keys[field] = true
			}
		}
	}
	return keys
}

// effects are those of the nodes, and of the functions that they name as variables.
func (l *lowerer) effects(u *unit, nodes ...ast.Node) *effects {
	e := newEffects(l.prog, u)
	seen := map[*types.Var]bool{}
	e.function = func(v *types.Var) {
		val, ok := l.env.vals[v]
		if !ok || val.fn == nil || seen[v] {
			return
		}
		seen[v] = true
		switch fn := val.fn; {
		case fn.lit != nil:
			saved := e.unit
			e.unit = fn.unit
			e.walk(fn.lit.Body)
			e.unit = saved
		case fn.decl != nil && fn.recv != nil && fn.recv.ptr != nil && l.prog.writes(fn.decl)[fn.decl.receiver()]:
			for _, root := range fn.recv.ptr.roots() {
				e.others[root] = true
			}
		}
	}
	e.literal = func(v *types.Var) *funcValue {
		if val, ok := l.env.vals[v]; ok && val.fn != nil && val.fn.lit != nil {
			return val.fn
		}
		return nil
	}
	for _, n := range nodes {
		e.walk(n)
	}
	e.settle()
	return e
}

// effects collects what syntax assigns.
type effects struct {
	prog     *program
	unit     *unit
	direct   map[*types.Var]bool                 // variables, or parts of them
	through  map[*types.Var]bool                 // what these pointers point to
	others   map[any]bool                        // the receivers of method values
	elements map[*types.Var]int                  // slices whose elements are assigned: how deep they lie
	rows     []rowName                           // in the order of the source
	function func(v *types.Var)                  // called for every variable of function type
	literal  func(v *types.Var) *funcValue       // what a variable of function type is, if that is known
	captured []*types.Var                        // slices, and structs with slices, that function literals name
	returned []*types.Var                        // names of what variables of function type have returned
	without  ast.Node                            // is not looked at
	bound    map[*types.Var]*funcValue           // the literals that what is walked binds variables to
	written  map[*ast.FuncLit]map[*types.Var]int // see [effects.literalWrites]
}

// rowName is a variable that is another name of an element of another one, as row in row := z[i].
type rowName struct {
	row, of *types.Var
	deep    int // how deep it lies in that; 0: a part of the same slice
}

// newEffects are none so far.
func newEffects(p *program, u *unit) *effects {
	return &effects{prog: p, unit: u, direct: map[*types.Var]bool{}, through: map[*types.Var]bool{}, others: map[any]bool{}, elements: map[*types.Var]int{},
		bound: map[*types.Var]*funcValue{}, written: map[*ast.FuncLit]map[*types.Var]int{}}
}

// writes returns the parameters of f, its receiver among them, through which it may assign: pointers and slices.
func (p *program) writes(f *function) map[*types.Var]bool {
	if w, ok := p.written[f]; ok {
		return w
	}
	p.written[f] = map[*types.Var]bool{} // of a recursive function, which is refused
	e := newEffects(p, f.unit)
	if f.decl.Body != nil {
		e.walk(f.decl.Body)
	}
	e.settle()
	w := map[*types.Var]bool{}
	for v := range e.through {
		w[v] = true
	}
	for v := range e.direct {
		if isSlice(v.Type()) || hasSlices(v.Type()) {
			w[v] = true
		}
	}
	p.written[f], p.deepest[f] = w, e.elements
	return w
}

// target notes that e is assigned, or something in it.
func (e *effects) target(x ast.Expr) {
	pointer, deep := false, 0
	for {
		switch y := ast.Unparen(x).(type) {
		case *ast.SelectorExpr:
			if v, ok := e.unit.info.Uses[y.Sel].(*types.Var); ok && e.unit.info.Selections[y] == nil { // of another package
				e.direct[v] = true
				return
			}
			x = y.X
		case *ast.IndexExpr:
			x, deep = y.X, deep+1
		case *ast.SliceExpr:
			x = y.X
		case *ast.StarExpr: // of an argument: what the function assigns of it
			x, deep = y.X, deep+2
		case *ast.Ident:
			v, ok := e.unit.info.ObjectOf(y).(*types.Var)
			if ok && deep > 0 {
				e.elements[v] = max(e.elements[v], deep)
			}
			switch {
			case !ok:
			case pointer:
				e.through[v] = true
			default:
				e.direct[v] = true
			}
			return
		case *ast.CallExpr: // a function that returns a pointer: into one of its arguments, perhaps
			from := e.prog.resultFrom(e.unit, y)
			for i, a := range y.Args {
				if from(i) {
					e.escapes(a)
				}
			}
			if sel, ok := ast.Unparen(y.Fun).(*ast.SelectorExpr); ok && from(-1) {
				e.escapes(sel.X)
			}
			return
		default:
			return
		}
		if isPointer(e.unit.info.TypeOf(x)) {
			pointer = true
		}
	}
}

// escapes notes that what x points to, or whose address it takes, may be assigned from now on.
func (e *effects) escapes(x ast.Expr) {
	switch y := ast.Unparen(x).(type) {
	case *ast.UnaryExpr:
		if y.Op == token.AND {
			e.target(y.X)
		}
	default:
		if t := e.unit.info.TypeOf(x); isPointer(t) || t != nil && (isSlice(t) || hasSlices(t)) {
			e.target(&ast.StarExpr{X: x})
		}
	}
}

// deepens notes that elements of x are assigned, so many levels below it.
func (e *effects) deepens(x ast.Expr, by int) {
	for {
		switch y := ast.Unparen(x).(type) {
		case *ast.IndexExpr:
			x, by = y.X, by+1
		case *ast.SliceExpr:
			x = y.X
		case *ast.Ident:
			if v, ok := e.unit.info.ObjectOf(y).(*types.Var); ok && isSlice(v.Type()) {
				e.elements[v] = max(e.elements[v], by)
			}
			return
		default:
			return
		}
	}
}

func (e *effects) walk(n ast.Node) {
	info := e.unit.info
	ast.Inspect(n, func(n ast.Node) bool {
		if n != nil && n == e.without {
			return false
		}
		switch n := n.(type) {
		case *ast.FuncLit:
			e.captures(e.unit, n)
		case *ast.AssignStmt:
			_, _, exchanges := rowExchange(info, n)
			_, _, permutes := permutation(info, n)
			for i, x := range n.Lhs {
				e.target(x)
				if permutes { // the elements of each may be those of the others
					e.row(x, n.Rhs[i])
				}
				if i < len(n.Rhs) {
					e.binds(x, n.Rhs[i])
				}
				if exchanges { // the elements are
					e.target(&ast.IndexExpr{X: x, Index: x})
				}
				if i < len(n.Rhs) {
					switch of := ast.Unparen(n.Rhs[i]).(type) {
					case *ast.IndexExpr, *ast.SliceExpr:
						e.row(x, of)
					case *ast.CallExpr:
						if !info.Types[of.Fun].IsType() && !info.Types[of.Fun].IsBuiltin() {
							e.row(x, of)
						}
					}
				}
				if i < len(n.Rhs) && isPointer(info.TypeOf(n.Rhs[i])) && !e.unit.onlyRead(n, x, n.Rhs[i]) {
					e.escapes(n.Rhs[i])
				}
			}
		case *ast.ValueSpec:
			for i, x := range n.Values {
				if isPointer(info.TypeOf(x)) {
					e.escapes(x)
				}
				if i < len(n.Names) {
					e.binds(n.Names[i], x)
				}
			}
		case *ast.ReturnStmt:
			for _, x := range n.Results {
				if isPointer(info.TypeOf(x)) {
					e.escapes(x)
				}
			}
		case *ast.IncDecStmt:
			e.target(n.X)
		case *ast.RangeStmt:
			if n.Value != nil {
				e.row(n.Value, &ast.IndexExpr{X: n.X, Index: n.X})
			}
			if n.Tok == token.ASSIGN {
				e.target(n.Key)
				if n.Value != nil {
					e.target(n.Value)
				}
			}
		case *ast.CallExpr:
			e.call(n)
		case *ast.SelectorExpr:
			if sel := info.Selections[n]; sel != nil && sel.Kind() == types.MethodVal {
				if f := e.prog.method(sel); f != nil && e.prog.writes(f)[f.receiver()] {
					if isPointer(info.TypeOf(n.X)) {
						e.escapes(n.X)
					} else {
						e.target(n.X)
					}
				}
			}
		case *ast.Ident:
			if v, ok := info.Uses[n].(*types.Var); ok && e.function != nil && isFunc(v.Type()) {
				e.function(v)
			}
		}
		return true
	})
}

// call notes what a call assigns by way of its arguments.
func (e *effects) call(n *ast.CallExpr) {
	info := e.unit.info
	if tv := info.Types[n.Fun]; tv.IsType() {
		return
	}
	if fn := e.called(n); fn != nil {
		e.callLiteral(fn, n)
		return
	}
	id := calleeIdent(n)
	if id == nil {
		return
	}
	var params []*types.Var
	written, deepest := map[*types.Var]bool{}, map[*types.Var]int{}
	switch obj := info.Uses[id].(type) {
	case *types.Builtin:
		if obj.Name() == "clear" || obj.Name() == "copy" {
			e.target(&ast.IndexExpr{X: n.Args[0], Index: n.Args[0]}) // the elements are
		}
		return
	case *types.Func:
		f := e.prog.callee(e.unit, id)
		if sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok && info.Selections[sel] != nil {
			f = e.prog.method(info.Selections[sel])
		}
		if f == nil {
			return
		}
		params, written = (&funcValue{unit: f.unit, decl: f}).params(), e.prog.writes(f)
		deepest = e.prog.deepest[f]
		if sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok && info.Selections[sel] != nil && info.Selections[sel].Kind() == types.MethodVal {
			params = params[1:]
		}
	}
	for i, a := range n.Args {
		switch {
		case params == nil: // a variable of function type: it may be any function
			e.escapes(a)
		case i < len(params) && written[params[i]]:
			e.escapes(a)
			e.deepens(a, deepest[params[i]])
		case i >= len(params) && len(params) > 0 && written[params[len(params)-1]]:
			e.escapes(a)
		}
	}
}
