package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// rangeStmt goes through a range loop; rest are the statements behind it.
func (w *flow) rangeStmt(s *ast.RangeStmt, rest []ast.Stmt) {
	n := w.value(s.X)
	if isArrayType(w.info().TypeOf(s.X)) {
		n = nil
		if refers(w.info().TypeOf(s.X)) {
			n, _ = w.place(s.X)
		}
	}
	switch w.info().TypeOf(s.X).Underlying().(type) {
	case *types.Map:
		if !w.anyOrder(s, n, rest) {
			w.refuse(s.Pos(), "ranges over a map, and what comes of it may depend on the order")
		}
	case *types.Signature:
		w.refuse(s.Pos(), "ranges over a function")
	case *types.Chan:
		w.refuse(s.Pos(), "communicates")
	}
	for _, x := range []ast.Expr{s.Key, s.Value} {
		if x != nil {
			w.target(x, n)
		}
	}
	w.block(s.Body.List)
}

// anyOrder reports whether a loop over a map does the same in whatever order it comes to the entries: all that it does
// to what outlives a turn is to add up integers, to take their least or greatest, to set a flag, to set entries of
// another map at keys that do not repeat, or to collect values in a slice that is sorted right behind the loop.
func (w *flow) anyOrder(s *ast.RangeStmt, n *node, rest []ast.Stmt) bool {
	if s.Tok == token.ASSIGN {
		return false
	}
	o := &orderless{flow: w, loop: s, by: map[*types.Var]string{}, own: map[*types.Var]bool{}}
	for _, x := range []ast.Expr{s.Key, s.Value} {
		if id, ok := x.(*ast.Ident); ok {
			if v, ok := w.info().Defs[id].(*types.Var); ok {
				o.own[v] = true
				if x == s.Key {
					o.key = v
				}
			}
		}
	}
	if !o.block(s.Body.List) {
		return false
	}
	for v, by := range o.by {
		if by == "append" {
			if !w.sortedNext(v, rest) {
				return false
			}
			w.single = append(w.single, v)
		}
		if strings.HasPrefix(by, "entry") {
			w.apart = append(w.apart, [2]*node{w.node(v), n})
		}
	}
	return o.readsNone(s.Body)
}

// orderless looks at the body of a loop over a map.
type orderless struct {
	*flow
	loop *ast.RangeStmt
	key  *types.Var
	by   map[*types.Var]string // what is done to variables from outside of the loop
	own  map[*types.Var]bool   // variables of a turn
	skip []ast.Node            // uses of such a variable that are a part of what is done to it
}

func (o *orderless) block(list []ast.Stmt) bool {
	for _, s := range list {
		if !o.stmt(s) {
			return false
		}
	}
	return true
}

func (o *orderless) stmt(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.BlockStmt:
		return o.block(s.List)
	case *ast.IfStmt:
		if s.Init != nil && !o.stmt(s.Init) || o.extreme(s) {
			return s.Init == nil
		}
		if !o.calm(s.Cond) || !o.block(s.Body.List) {
			return false
		}
		return s.Else == nil || o.stmt(s.Else)
	case *ast.IncDecStmt:
		return o.update(s.X, "add", nil)
	case *ast.BranchStmt:
		return s.Tok == token.CONTINUE && s.Label == nil
	case *ast.AssignStmt:
		return o.assign(s)
	}
	return false
}

func (o *orderless) assign(s *ast.AssignStmt) bool {
	collects := o.collects(s)
	for _, x := range s.Rhs {
		if collects {
			x = ast.Unparen(x).(*ast.CallExpr).Args[1]
		}
		if !o.calm(x) {
			return false
		}
	}
	if s.Tok == token.DEFINE {
		for _, x := range s.Lhs {
			if v, ok := o.info().ObjectOf(x.(*ast.Ident)).(*types.Var); ok {
				if o.info().Defs[x.(*ast.Ident)] == nil {
					return false
				}
				o.own[v] = true
			}
		}
		return true
	}
	if len(s.Lhs) != 1 || len(s.Rhs) != 1 {
		return false
	}
	to, from := s.Lhs[0], s.Rhs[0]
	switch s.Tok {
	case token.ADD_ASSIGN, token.SUB_ASSIGN:
		return o.update(to, "add", nil)
	case token.OR_ASSIGN:
		return o.update(to, "or", nil)
	case token.AND_ASSIGN:
		return o.update(to, "and", nil)
	case token.XOR_ASSIGN:
		return o.update(to, "xor", nil)
	case token.MUL_ASSIGN:
		return o.update(to, "mul", nil)
	case token.ASSIGN:
	default:
		return false
	}
	if index, ok := ast.Unparen(to).(*ast.IndexExpr); ok { // another map, at the key
		m, isVar := ast.Unparen(index.X).(*ast.Ident)
		k := variable(o.info(), index.Index)
		if _, isMap := o.info().TypeOf(index.X).Underlying().(*types.Map); !isMap || !isVar || k == nil || k != o.key {
			return false
		}
		v, ok := o.info().Uses[m].(*types.Var)
		if !ok || variable(o.info(), o.loop.X) == v || o.reassigned(k) {
			return false
		}
		return o.note(v, "entry", m)
	}
	v := variable(o.info(), to)
	if v == nil {
		return false
	}
	if collects {
		return o.note(v, "append", ast.Unparen(from).(*ast.CallExpr).Args[0])
	}
	if o.own[v] {
		return true
	}
	if c := o.info().Types[from].Value; c != nil {
		return o.note(v, "="+c.ExactString(), nil)
	}
	call, ok := ast.Unparen(from).(*ast.CallExpr)
	if !ok || len(call.Args) != 2 {
		return false
	}
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok || !o.info().Types[call.Fun].IsBuiltin() {
		return false
	}
	switch id.Name {
	case "min", "max":
		for _, a := range call.Args {
			if variable(o.info(), a) == v {
				return o.update(to, id.Name, a)
			}
		}
	}
	return false
}

// collects recognises v = append(v, x), of a variable from outside and values of which equal ones are the same.
func (o *orderless) collects(s *ast.AssignStmt) bool {
	if s.Tok != token.ASSIGN || len(s.Lhs) != 1 || len(s.Rhs) != 1 {
		return false
	}
	call, ok := ast.Unparen(s.Rhs[0]).(*ast.CallExpr)
	v := variable(o.info(), s.Lhs[0])
	return ok && v != nil && !o.own[v] && isBuiltin(o.info(), call, "append") && len(call.Args) == 2 && !call.Ellipsis.IsValid() &&
		variable(o.info(), call.Args[0]) == v && discrete(o.info().TypeOf(call.Args[1]))
}

// discrete reports whether equal values of a type cannot be told apart, and are ordered.
func discrete(t types.Type) bool {
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsInteger|types.IsString) != 0
}

// update notes that an integer from outside is combined with something, or an entry of a map of integers.
func (o *orderless) update(to ast.Expr, by string, also ast.Node) bool {
	t := o.info().TypeOf(to)
	if b, ok := t.Underlying().(*types.Basic); !ok || b.Info()&types.IsInteger == 0 {
		return false
	}
	if index, ok := ast.Unparen(to).(*ast.IndexExpr); ok {
		m, isVar := ast.Unparen(index.X).(*ast.Ident)
		if _, isMap := o.info().TypeOf(index.X).Underlying().(*types.Map); !isMap || !isVar || !o.calm(index.Index) {
			return false
		}
		v, ok := o.info().Uses[m].(*types.Var)
		return ok && variable(o.info(), o.loop.X) != v && o.note(v, "entry "+by, m)
	}
	v := variable(o.info(), to)
	if v == nil {
		return false
	}
	if o.own[v] {
		return true
	}
	return o.note(v, by, also)
}

// extreme recognises if x > most { most = x }, of integers.
func (o *orderless) extreme(s *ast.IfStmt) bool {
	cond, ok := ast.Unparen(s.Cond).(*ast.BinaryExpr)
	if !ok || s.Else != nil || len(s.Body.List) != 1 {
		return false
	}
	set, ok := s.Body.List[0].(*ast.AssignStmt)
	if !ok || set.Tok != token.ASSIGN || len(set.Lhs) != 1 || len(set.Rhs) != 1 {
		return false
	}
	v, x := variable(o.info(), set.Lhs[0]), set.Rhs[0]
	if v == nil || o.own[v] || !discrete(v.Type()) || !o.calm(x) {
		return false
	}
	by := map[token.Token]string{token.LSS: "less", token.LEQ: "less", token.GTR: "greater", token.GEQ: "greater"}[cond.Op]
	a, b := cond.X, cond.Y
	if variable(o.info(), a) == v {
		a, b = b, a
		by = map[string]string{"less": "greater", "greater": "less"}[by]
	}
	if by == "" || variable(o.info(), b) != v || text(a) != text(x) {
		return false
	}
	o.skip = append(o.skip, ast.Unparen(b))
	return o.note(v, by, nil)
}

// note notes what is done to a variable, which has to be the same everywhere in the loop.
func (o *orderless) note(v *types.Var, by string, use ast.Node) bool {
	if isGlobal(v) || o.own[v] {
		return false
	}
	if had, ok := o.by[v]; ok && had != by {
		return false
	}
	o.by[v] = by
	if use != nil {
		if e, ok := use.(ast.Expr); ok {
			use = ast.Unparen(e)
		}
		o.skip = append(o.skip, use)
	}
	return true
}

// calm reports whether an expression changes nothing: it calls nothing but conversions, some of the built-in functions,
// and functions of the standard library that write nothing.
// called is the function of the program that a call names, nil for others and for methods.
// reassigned reports whether the loop assigns its own key.
// readsNone reports whether the loop looks at what it changes in no other way than to change it.
// sortedNext reports whether the first statement behind a loop sorts a slice.
