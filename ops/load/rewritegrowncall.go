package load

import (
	"go/ast"
	"go/token"
	"go/types"
)

// growing reads a statement that leaves it to a function of the package to make a buffer longer where it has to be, and
// to cut it: buf = grow(buf, n). It returns nil for others.
//
//	func grow[T any](buf []T, n int) []T {
//		if cap(buf) < n {
//			return make([]T, n)
//		}
//		return buf[:n]
//	}
//
// The condition may be the other way round, and the function may assign buf before it cuts it.
func (r *rewriter) growing(decls funcDecls, s ast.Stmt) *lengthening {
	a, ok := s.(*ast.AssignStmt)
	if !ok || a.Tok != token.ASSIGN || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
		return nil
	}
	v := variable(r.info, a.Lhs[0])
	call, ok := ast.Unparen(a.Rhs[0]).(*ast.CallExpr)
	if v == nil || !ok || len(call.Args) != 2 || call.Ellipsis.IsValid() {
		return nil
	}
	id := calleeIdent(call)
	if id == nil {
		return nil
	}
	f, ok := r.info.Uses[id].(*types.Func)
	if !ok || decls[f.Origin()] == nil {
		return nil
	}
	var args [2]ast.Expr // of the buffer, and of its length
	fd := decls[f.Origin()]
	buffer, size := r.grows(fd)
	if buffer == nil {
		return nil
	}
	for i, p := range r.parameters(fd) {
		switch p {
		case buffer:
			args[0] = call.Args[i]
		case size:
			args[1] = call.Args[i]
		}
	}
	made, ok := v.Type().(*types.Slice)
	if !ok || variable(r.info, args[0]) != v || !isIntType(r.info.TypeOf(args[1])) {
		return nil
	}
	t := r.nameOf(made.Elem(), a.Pos())
	if t == nil || !r.predeclared(a.Pos(), "make") {
		return nil
	}
	n := args[1]
	return &lengthening{vars: []*types.Var{v}, size: n, exact: true, stmts: 1,
		made: []*ast.CallExpr{callTo("make", a.Pos(), &ast.ArrayType{Lbrack: a.Pos(), Elt: t}, copyOf(n))}}
}

// nameOf is an expression for a type that has a name at a place of the source; nil for others.
func (r *rewriter) nameOf(t types.Type, pos token.Pos) ast.Expr {
	var obj types.Object
	switch t := t.(type) {
	case *types.Basic:
		obj = types.Universe.Lookup(t.Name())
	case *types.Named:
		if t.TypeArgs().Len() == 0 {
			obj = t.Obj()
		}
	}
	if obj == nil {
		return nil
	}
	if _, at := r.pkg.Scope().Innermost(pos).LookupParent(obj.Name(), pos); at != obj {
		return nil
	}
	return name(obj.Name(), pos)
}

// parameters are those of a function that have names.
func (r *rewriter) parameters(fd *ast.FuncDecl) (all []*types.Var) {
	for _, f := range fd.Type.Params.List {
		for _, id := range f.Names {
			v, _ := r.info.Defs[id].(*types.Var)
			all = append(all, v)
		}
	}
	return all
}

// grows returns the parameters of a function that does nothing but to return one of them, a slice, as long as the other
// one says, or a new slice where there is no room; nil for others.
func (r *rewriter) grows(fd *ast.FuncDecl) (buffer, size *types.Var) {
	ps := r.parameters(fd)
	if fd.Recv != nil || fd.Body == nil || len(ps) != 2 || ps[0] == nil || ps[1] == nil || len(fd.Body.List) != 2 {
		return nil, nil
	}
	test, ok := fd.Body.List[0].(*ast.IfStmt)
	if !ok || test.Init != nil || test.Else != nil || len(test.Body.List) != 1 {
		return nil, nil
	}
	cond, ok := ast.Unparen(test.Cond).(*ast.BinaryExpr)
	if !ok {
		return nil, nil
	}
	room, n, op := ast.Unparen(cond.X), cond.Y, cond.Op
	if o, ok := opposite[op]; ok {
		room, n, op = ast.Unparen(cond.Y), cond.X, o
	}
	asked, ok := room.(*ast.CallExpr)
	if !ok || !isBuiltin(r.info, asked, "cap") {
		return nil, nil
	}
	buffer, size = variable(r.info, asked.Args[0]), variable(r.info, n)
	if !(buffer == ps[0] && size == ps[1] || buffer == ps[1] && size == ps[0]) {
		return nil, nil
	}
	makes := func(e ast.Expr) bool {
		c, ok := ast.Unparen(e).(*ast.CallExpr)
		return ok && isBuiltin(r.info, c, "make") && len(c.Args) > 1 && variable(r.info, c.Args[1]) == size && (len(c.Args) == 2 || r.noLess(c.Args[2], c.Args[1]))
	}
	cuts := func(e ast.Expr) bool {
		c, ok := ast.Unparen(e).(*ast.SliceExpr)
		return ok && !c.Slice3 && c.High != nil && fromStart(r.info, c) && variable(r.info, c.X) == buffer && variable(r.info, c.High) == size
	}
	then, last := returned(test.Body.List[0]), returned(fd.Body.List[1])
	assigned, isAssigned := test.Body.List[0].(*ast.AssignStmt)
	switch {
	case op == token.LSS && isAssigned && assigned.Tok == token.ASSIGN && len(assigned.Lhs) == 1 && len(assigned.Rhs) == 1:
		ok = variable(r.info, assigned.Lhs[0]) == buffer && makes(assigned.Rhs[0]) && last != nil && cuts(last)
	case then == nil || last == nil:
		ok = false
	case op == token.LSS:
		ok = makes(then) && cuts(last)
	case op == token.GEQ:
		ok = cuts(then) && makes(last)
	default:
		ok = false
	}
	if !ok {
		return nil, nil
	}
	return buffer, size
}

// opposite are comparisons with their operands exchanged.
var opposite = map[token.Token]token.Token{token.GTR: token.LSS, token.LEQ: token.GEQ}

// returned is the one value that a statement returns, nil for others.
func returned(s ast.Stmt) ast.Expr {
	if ret, ok := s.(*ast.ReturnStmt); ok && len(ret.Results) == 1 {
		return ret.Results[0]
	}
	return nil
}
