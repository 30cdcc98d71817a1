package load

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"reflect"
	"slices"
)

// Note [Iterators]
//
// A loop over an iterator of the standard library, as slices.Backward(x), is one over the slice, and what collects an
// iterator of that kind gets the slice. A loop over an iterator of the package is a call of it: the body of the loop is
// the function that it yields to.

// iterators rewrites the loops and calls of a function that Note [Iterators] is about.
func (r *rewriter) iterators(fd *ast.FuncDecl) {
	replaceExprs(fd.Body, nil, r.collected)
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		if labeled, ok := n.(*ast.LabeledStmt); ok {
			if loop, ok := labeled.Stmt.(*ast.RangeStmt); ok {
				if s := r.overSlice(fd, loop); s != nil {
					labeled.Stmt = s
				}
			}
		}
		return true
	})
	lists(fd.Body, func(list []ast.Stmt, _ token.Pos) []ast.Stmt {
		for i, s := range list {
			if loop, ok := s.(*ast.RangeStmt); ok {
				if s := r.overSlice(fd, loop); s != nil {
					list[i] = s
				}
			}
		}
		return list
	})
}

// collected is e, or what does the same without an iterator.
func (r *rewriter) collected(e ast.Expr) ast.Expr {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return e
	}
	pos := call.Pos()
	values := func(i int) ast.Expr { // the slice whose values argument i is the iterator over
		if len(call.Args) <= i {
			return nil
		}
		of, ok := ast.Unparen(call.Args[i]).(*ast.CallExpr)
		if !ok || r.calleeIn(of, "slices") != "Values" {
			return nil
		}
		return of.Args[0]
	}
	switch r.calleeIn(call, "slices") {
	case "Collect":
		if x := values(0); x != nil {
			r.changed, r.helpers["collected·"] = true, true
			return callTo("collected·", pos, x)
		}
	case "Sorted":
		if x := values(0); x != nil {
			r.changed, r.helpers["sorted·"] = true, true
			return callTo("sorted·", pos, x)
		}
	case "SortedFunc":
		if x := values(0); x != nil {
			r.changed, r.helpers["sortedFunc·"] = true, true
			return callTo("sortedFunc·", pos, x, call.Args[1])
		}
	case "AppendSeq":
		if x := values(1); x != nil {
			r.changed = true
			return &ast.CallExpr{Fun: name("append", pos), Lparen: pos, Args: []ast.Expr{call.Args[0], x}, Ellipsis: pos, Rparen: call.Rparen}
		}
	}
	return e
}

// overSlice is the loop that does what one over an iterator of the standard library does; nil if there is none.
func (r *rewriter) overSlice(fd *ast.FuncDecl, loop *ast.RangeStmt) ast.Stmt {
	call, ok := ast.Unparen(loop.X).(*ast.CallExpr)
	if !ok || len(call.Args) == 0 {
		return nil
	}
	pos := loop.Pos()
	behind := func() ast.Stmt { // the elements are what the first variable gets
		if loop.Key != nil {
			loop.Key, loop.Value = name("_", pos), loop.Key
		}
		return loop
	}
	switch r.calleeIn(call, "slices") {
	case "All":
		loop.X, r.changed = call.Args[0], true
		return loop
	case "Values":
		loop.X, r.changed = call.Args[0], true
		return behind()
	case "Backward":
		return r.backward(fd, loop, call.Args[0])
	}
	for seq, list := range map[string]string{"SplitSeq": "Split", "FieldsSeq": "Fields", "FieldsFuncSeq": "FieldsFunc"} {
		if r.calleeIn(call, "strings") == seq {
			if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
				sel.Sel, r.changed = name(list, sel.Sel.Pos()), true
				return behind()
			}
		}
	}
	return nil
}

// backward is a loop over x from its end, where x is a variable that the loop does not replace.
func (r *rewriter) backward(fd *ast.FuncDecl, loop *ast.RangeStmt, x ast.Expr) ast.Stmt {
	root := rootOf(r.info, x)
	if !isPlainPath(x) || root == nil || loop.Tok == token.ASSIGN || isPointer(root.Type()) || inLiterals(r.info, fd.Body, root) {
		return nil
	}
	replaced := false
	ast.Inspect(loop.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			replaced = replaced || slices.ContainsFunc(n.Lhs, func(e ast.Expr) bool { return isPlainPath(e) && rootOf(r.info, e) == root && n.Tok != token.DEFINE })
		case *ast.UnaryExpr:
			replaced = replaced || n.Op == token.AND && isPlainPath(n.X) && rootOf(r.info, n.X) == root
		case *ast.CallExpr:
			replaced = replaced || !isSlice(root.Type()) && callsMethodOf(r.info, n, root)
		}
		return !replaced
	})
	if replaced {
		return nil
	}
	r.changed = true
	pos := loop.Pos()
	i := unusedName(fd, "backward")
	var first []ast.Stmt
	if loop.Key != nil && !isBlank(loop.Key) {
		first = append(first, set(loop.Key, token.DEFINE, name(i, pos), pos))
	}
	if loop.Value != nil && !isBlank(loop.Value) {
		first = append(first, set(loop.Value, token.DEFINE, &ast.IndexExpr{X: x, Lbrack: pos, Index: name(i, pos), Rbrack: pos}, pos))
	}
	last := &ast.BinaryExpr{X: callTo("len", pos, x), Op: token.SUB, OpPos: pos, Y: number("1", pos)}
	loop.Body.List = append(first, loop.Body.List...)
	return &ast.ForStmt{For: pos, Init: set(name(i, pos), token.DEFINE, last, pos),
		Cond: &ast.BinaryExpr{X: name(i, pos), Op: token.GEQ, OpPos: pos, Y: number("0", pos)},
		Post: &ast.IncDecStmt{X: name(i, pos), TokPos: pos, Tok: token.DEC}, Body: loop.Body}
}

// callsMethodOf reports whether the call is one of a method of v, which may replace what v holds.
func callsMethodOf(info *types.Info, call *ast.CallExpr, v *types.Var) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	return ok && rootOf(info, sel.X) == v
}

// yields rewrites loops over iterators of the package.
func (r *rewriter) yields(files []*ast.File) bool {
	made := map[*types.Func]*ast.FuncDecl{}
	decls := map[*types.Func]*ast.FuncDecl{}
	var fileOf = map[*ast.FuncDecl]*ast.File{}
	for _, f := range files {
		for _, d := range f.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok && fd.Body != nil {
				if obj, ok := r.info.Defs[fd.Name].(*types.Func); ok {
					decls[obj], fileOf[fd] = fd, f
				}
			}
		}
	}
	for _, fd := range functions(files) {
		lists(fd.Body, func(list []ast.Stmt, _ token.Pos) []ast.Stmt {
			var out []ast.Stmt
			for _, s := range list {
				out = append(out, s)
				loop, ok := s.(*ast.RangeStmt)
				if !ok || !isFunc(r.info.TypeOf(loop.X)) {
					continue
				}
				body := r.yieldBody(fd, loop)
				if body == nil {
					continue
				}
				call := r.yieldCall(loop, decls, made)
				if call == nil {
					continue
				}
				call.Args = append(call.Args, body.lit)
				r.changed = true
				out = append(out[:len(out)-1], append(body.before, &ast.ExprStmt{X: call})...)
			}
			return out
		})
	}
	for obj, fd := range made {
		f := fileOf[decls[obj]]
		f.Decls = append(f.Decls, fd)
	}
	return r.changed
}

// yieldCall is the call that yields to a function, its last argument, which is missing still.
func (r *rewriter) yieldCall(loop *ast.RangeStmt, decls map[*types.Func]*ast.FuncDecl, made map[*types.Func]*ast.FuncDecl) *ast.CallExpr {
	pos := loop.Pos()
	switch x := ast.Unparen(loop.X).(type) {
	case *ast.Ident:
		return &ast.CallExpr{Fun: x, Lparen: pos, Rparen: pos}
	case *ast.CallExpr:
		id := calleeIdent(x)
		if id == nil {
			return nil
		}
		f, _ := r.info.Uses[id].(*types.Func)
		fd := decls[f]
		if fd == nil || fd.Type.TypeParams != nil || f.Signature().Variadic() {
			return nil
		}
		lit, ok := ast.Unparen(onlyReturn(fd.Body)).(*ast.FuncLit)
		if !ok || lit == nil || len(fd.Body.List) != 1 {
			return nil
		}
		named := fd.Name.Name + "·to"
		if made[f] == nil {
			to := copied(reflect.ValueOf(fd)).Interface().(*ast.FuncDecl)
			inner := ast.Unparen(onlyReturn(to.Body)).(*ast.FuncLit)
			to.Name.Name, to.Doc, to.Type.Results = named, nil, nil
			to.Type.Params.List = append(to.Type.Params.List, inner.Type.Params.List...)
			to.Body = inner.Body
			made[f] = to
		}
		switch fun := ast.Unparen(x.Fun).(type) {
		case *ast.Ident:
			return &ast.CallExpr{Fun: name(named, pos), Lparen: pos, Args: slices.Clone(x.Args), Rparen: pos}
		case *ast.SelectorExpr:
			if r.info.Selections[fun] == nil {
				return nil
			}
			return &ast.CallExpr{Fun: &ast.SelectorExpr{X: fun.X, Sel: name(named, pos)}, Lparen: pos, Args: slices.Clone(x.Args), Rparen: pos}
		}
	}
	return nil
}

// yieldBody is the body of a loop as a function that says whether the loop goes on, and what stands before it.
type yieldBody struct {
	lit    *ast.FuncLit
	before []ast.Stmt
}

// yieldBody makes the function of the body of a loop over an iterator; nil if the body leaves more than this loop.
func (r *rewriter) yieldBody(fd *ast.FuncDecl, loop *ast.RangeStmt) *yieldBody {
	sig, ok := r.info.TypeOf(loop.X).Underlying().(*types.Signature)
	if !ok || loop.Tok == token.ASSIGN || returns(loop.Body) || defers(loop.Body) {
		return nil
	}
	yield, ok := sig.Params().At(0).Type().Underlying().(*types.Signature)
	if !ok {
		return nil
	}
	pos := loop.Pos()
	params := &ast.FieldList{}
	for i := range yield.Params().Len() {
		t := yield.Params().At(i).Type()
		if !localType(r.pkg, t) {
			return nil
		}
		e, err := parser.ParseExpr(types.TypeString(t, func(*types.Package) string { return "" }))
		if err != nil {
			return nil
		}
		param := name("_", pos)
		for k, v := range []ast.Expr{loop.Key, loop.Value} {
			if id, ok := v.(*ast.Ident); ok && k == i {
				param = id
			}
		}
		params.List = append(params.List, &ast.Field{Names: []*ast.Ident{param}, Type: e})
	}
	stopped := unusedName(fd, "stopped")
	stops, labelled := false, false
	var look func(list []ast.Stmt, inLoop, inSwitch bool) []ast.Stmt
	going := func(goesOn string, pos token.Pos) ast.Stmt {
		return &ast.ReturnStmt{Return: pos, Results: []ast.Expr{name(goesOn, pos)}}
	}
	var in func(s ast.Stmt, inLoop, inSwitch bool)
	look = func(list []ast.Stmt, inLoop, inSwitch bool) []ast.Stmt {
		var out []ast.Stmt
		for _, s := range list {
			b, ok := s.(*ast.BranchStmt)
			switch {
			case ok && (b.Label != nil || b.Tok == token.GOTO):
				labelled = true
			case ok && b.Tok == token.CONTINUE && !inLoop:
				s = going("true", s.Pos())
			case ok && b.Tok == token.BREAK && !inSwitch:
				stops = true
				out = append(out, set(name(stopped, s.Pos()), token.ASSIGN, name("true", s.Pos()), s.Pos()))
				s = going("false", s.Pos())
			default:
				in(s, inLoop, inSwitch)
			}
			out = append(out, s)
		}
		return out
	}
	in = func(s ast.Stmt, inLoop, inSwitch bool) {
		switch s := s.(type) {
		case *ast.BlockStmt:
			s.List = look(s.List, inLoop, inSwitch)
		case *ast.IfStmt:
			in(s.Body, inLoop, inSwitch)
			if s.Else != nil {
				in(s.Else, inLoop, inSwitch)
			}
		case *ast.ForStmt:
			in(s.Body, true, true)
		case *ast.RangeStmt:
			in(s.Body, true, true)
		case *ast.LabeledStmt:
			in(s.Stmt, inLoop, inSwitch)
		case *ast.SwitchStmt:
			for _, c := range s.Body.List {
				if c, ok := c.(*ast.CaseClause); ok {
					c.Body = look(c.Body, inLoop, true)
				}
			}
		}
	}
	body := copied(reflect.ValueOf(loop.Body)).Interface().(*ast.BlockStmt)
	body.List = append(look(body.List, false, false), going("true", loop.End()))
	if labelled {
		return nil
	}
	out := &yieldBody{}
	if stops {
		out.before = []ast.Stmt{set(name(stopped, pos), token.DEFINE, name("false", pos), pos)}
		message := &ast.BasicLit{Kind: token.STRING, Value: "\"range function continued iteration after function for loop body returned false\"", ValuePos: pos}
		body.List = append([]ast.Stmt{&ast.IfStmt{If: pos, Cond: name(stopped, pos), Body: &ast.BlockStmt{Lbrace: pos, Rbrace: pos,
			List: []ast.Stmt{&ast.ExprStmt{X: callTo("panic", pos, message)}}}}}, body.List...)
	}
	out.lit = &ast.FuncLit{Type: &ast.FuncType{Func: pos, Params: params, Results: &ast.FieldList{List: []*ast.Field{{Type: name("bool", pos)}}}}, Body: body}
	return out
}

// defers reports whether n holds what no function literal may stand around: defer, go or select.
func defers(n ast.Node) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.DeferStmt, *ast.GoStmt, *ast.SelectStmt:
			found = true
		}
		return !found
	})
	return found
}
