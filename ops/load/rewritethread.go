package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"
)

// threads rewrites calls of functions that get a slice, change it, and return it, as in
//
//	buf = appendVarint(buf, x)
//
// to calls of functions that get the address of the slice, appendVarint·in(&buf, x), which lowering knows: nothing else
// has a name for the slice that the variable had before. The function itself stays, for other calls.
func (r *rewriter) threads(files []*ast.File) bool {
	found := map[*types.Func]*thread{}
	for _, d := range functions(files) {
		if obj, t := r.threadOf(d); t != nil {
			found[obj] = t
		}
	}
	if len(found) == 0 {
		return false
	}
	for _, d := range functions(files) {
		r.threadCalls(d, found)
	}
	for _, f := range files {
		for _, d := range slices.Clone(f.Decls) {
			if fd, ok := d.(*ast.FuncDecl); ok {
				if obj, ok := r.info.Defs[fd.Name].(*types.Func); ok && found[obj] != nil && found[obj].used {
					f.Decls = append(f.Decls, r.threaded(found[obj]))
				}
			}
		}
	}
	return r.changed
}

// functions are the functions with bodies that the files declare.
func functions(files []*ast.File) []*ast.FuncDecl {
	var list []*ast.FuncDecl
	for _, f := range files {
		for _, d := range f.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok && fd.Body != nil {
				list = append(list, fd)
			}
		}
	}
	return list
}

// thread is a function that returns its parameter.
type thread struct {
	decl  *ast.FuncDecl
	param *types.Var
	at    int // number of the parameter
	used  bool
}

// threadOf returns the function that fd declares, and its thread; nil if it has none.
func (r *rewriter) threadOf(fd *ast.FuncDecl) (*types.Func, *thread) {
	obj, ok := r.info.Defs[fd.Name].(*types.Func)
	if !ok || fd.Recv != nil || obj.Signature().Results().Len() != 1 || obj.Signature().Results().At(0).Name() != "" {
		return nil, nil
	}
	var param *types.Var
	grows := false
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			ok = false
		case *ast.ReturnStmt:
			e := ast.Unparen(n.Results[0])
			if call, isCall := e.(*ast.CallExpr); isCall && isBuiltin(r.info, call, "append") {
				e, grows = call.Args[0], true
			}
			v := variable(r.info, e)
			ok = ok && v != nil && (param == nil || v == param)
			param = v
		}
		return ok
	})
	if !ok || param == nil || !isSlice(param.Type()) || !flatElements(param.Type()) && fd.Type.TypeParams == nil || !types.Identical(param.Type(), obj.Signature().Results().At(0).Type()) {
		return nil, nil
	}
	params := obj.Signature().Params()
	at := -1
	for i := range params.Len() {
		if params.At(i) == param && !(obj.Signature().Variadic() && i == params.Len()-1) {
			at = i
		}
	}
	if at < 0 || !grows && !r.resizes(fd.Body, param) || r.plainThread(fd.Body, param) {
		return nil, nil
	}
	return obj, &thread{decl: fd, param: param, at: at}
}

// plainThread reports whether all that the function does to the length of v is to append to it, whatever the conditions
// are, before its only return: lowering knows such a function as it is.
func (r *rewriter) plainThread(body *ast.BlockStmt, v *types.Var) bool {
	returns, rest := 0, &ast.BlockStmt{}
	for _, s := range body.List {
		if u, _ := appendTarget(r.info, s); u != v {
			rest.List = append(rest.List, s)
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		if _, ok := n.(*ast.ReturnStmt); ok {
			returns++
		}
		return true
	})
	return returns == 1 && onlyReturn(body) != nil && !r.resizes(rest, v)
}

// resizes reports whether n appends to v, assigns a part of it to it, or gives its address away.
func (r *rewriter) resizes(n ast.Node, v *types.Var) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			cut, _ := cutTarget(r.info, n)
			grown, _ := appendTarget(r.info, n)
			found = found || cut == v || grown == v
		case *ast.UnaryExpr:
			found = found || n.Op == token.AND && variable(r.info, n.X) == v
		}
		return !found
	})
	return found
}

// threadCalls rewrites the calls in a function.
func (r *rewriter) threadCalls(fd *ast.FuncDecl, found map[*types.Func]*thread) {
	lists(fd.Body, func(list []ast.Stmt, _ token.Pos) []ast.Stmt {
		for i, s := range list {
			a, ok := s.(*ast.AssignStmt)
			if !ok || a.Tok != token.ASSIGN || len(a.Lhs) != 1 || len(a.Rhs) != 1 || !isPlainPath(a.Lhs[0]) {
				continue
			}
			call, ok := ast.Unparen(a.Rhs[0]).(*ast.CallExpr)
			if !ok {
				continue
			}
			id, ok := ast.Unparen(call.Fun).(*ast.Ident)
			if !ok {
				continue
			}
			f, _ := r.info.Uses[id].(*types.Func)
			t := found[f]
			root := rootOf(r.info, a.Lhs[0])
			if t == nil || root == nil || isGlobal(root) || len(call.Args) <= t.at || text(call.Args[t.at]) != text(a.Lhs[0]) || !flatElements(r.info.TypeOf(a.Lhs[0])) ||
				!types.Identical(r.info.TypeOf(a.Lhs[0]), r.info.TypeOf(id).(*types.Signature).Params().At(t.at).Type()) {
				continue
			}
			others := slices.Delete(slices.Clone(call.Args), t.at, t.at+1)
			if slices.ContainsFunc(others, func(e ast.Expr) bool { return r.mayReach(fd, e, root) }) {
				continue
			}
			t.used, r.changed = true, true
			pos := a.Pos()
			args := slices.Clone(call.Args)
			args[t.at] = &ast.UnaryExpr{OpPos: pos, Op: token.AND, X: a.Lhs[0]}
			list[i] = &ast.ExprStmt{X: &ast.CallExpr{Fun: name(t.name(), pos), Lparen: pos, Args: args, Ellipsis: call.Ellipsis, Rparen: call.Rparen}}
		}
		return list
	})
}

func (t *thread) name() string { return t.decl.Name.Name + "·in" }

// threaded declares the function that gets the address.
func (r *rewriter) threaded(t *thread) *ast.FuncDecl {
	isParam := map[token.Pos]bool{}
	ast.Inspect(t.decl.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && r.info.Uses[id] == types.Object(t.param) {
			isParam[id.Pos()] = true
		}
		return true
	})
	fd := copied(reflect.ValueOf(t.decl)).Interface().(*ast.FuncDecl)
	fd.Name.Name, fd.Doc, fd.Type.Results = t.name(), nil, nil
	var fields []*ast.Field
	k := 0
	for _, f := range fd.Type.Params.List {
		for _, id := range f.Names {
			one := &ast.Field{Names: []*ast.Ident{id}, Type: f.Type}
			if k == t.at {
				one.Type = &ast.StarExpr{Star: f.Type.Pos(), X: f.Type}
			}
			fields = append(fields, one)
			k++
		}
	}
	fd.Type.Params.List = fields
	is := func(e ast.Expr) bool {
		id, ok := e.(*ast.Ident)
		return ok && id.Name == t.param.Name() && isParam[id.Pos()]
	}
	lists(fd.Body, func(list []ast.Stmt, _ token.Pos) []ast.Stmt {
		var out []ast.Stmt
		for _, s := range list {
			if ret, ok := s.(*ast.ReturnStmt); ok {
				if e := ast.Unparen(ret.Results[0]); !is(e) {
					id := name(t.param.Name(), e.Pos())
					isParam[e.Pos()] = true
					out = append(out, set(id, token.ASSIGN, e, e.Pos()))
				}
				ret.Results = nil
			}
			out = append(out, s)
		}
		return out
	})
	replaceExprs(fd.Body, nil, func(e ast.Expr) ast.Expr {
		if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
			if p, ok := u.X.(*ast.ParenExpr); ok {
				if star, ok := p.X.(*ast.StarExpr); ok && is(star.X) {
					return star.X
				}
			}
		}
		if is(e) {
			return &ast.ParenExpr{Lparen: e.Pos(), X: &ast.StarExpr{Star: e.Pos(), X: e}, Rparen: e.End()}
		}
		return e
	})
	return fd
}

// copied is a copy of syntax, whose positions are the same.
func copied(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			return v
		}
		out := reflect.New(v.Type()).Elem()
		out.Set(copied(v.Elem()))
		return out
	case reflect.Pointer:
		//lint:ignore SA1019 the parser's nodes have fields of these types, which lead out of the syntax
		if v.IsNil() || v.Type() == reflect.TypeFor[*ast.Object]() || v.Type() == reflect.TypeFor[*ast.Scope]() {
			return v
		}
		out := reflect.New(v.Type().Elem())
		out.Elem().Set(copied(v.Elem()))
		return out
	case reflect.Struct:
		out := reflect.New(v.Type()).Elem()
		for i := range v.NumField() {
			out.Field(i).Set(copied(v.Field(i)))
		}
		return out
	case reflect.Slice:
		if v.IsNil() {
			return v
		}
		out := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			out.Index(i).Set(copied(v.Index(i)))
		}
		return out
	}
	return v
}
