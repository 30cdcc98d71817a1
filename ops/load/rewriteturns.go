package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// Note [Exchanged parameters]
//
// A function whose caller gives it the buffers that it exchanges,
//
//	func distance(a, b string, prev, cur []int) int {
//		for … {
//			prev, cur = cur, prev
//		}
//		return prev[len(b)]
//	}
//
// exchanges names, and its caller's slices stay where they are. Parameters are other names of the caller's slices here,
// and what is exchanged are these (see Note [Exchanged slices]). So the exchanges are counted, and where the function
// returns it goes on until all are in their places again:
//
//	const order = 2
//	turns := 0
//	…
//	prev, cur = cur, prev
//	turns++
//	…
//	result := prev[len(b)]
//	for ; turns%order != 0; turns++ {
//		prev, cur = cur, prev
//	}
//	return result

// orderName is the name of the constant that says after how many exchanges all are in their places, by which lowering
// knows such a function.
const orderName = "order·"

// exchangedParameters rewrites the functions that Note [Exchanged parameters] is about: the exchange is one statement,
// in a loop, and elements of what it exchanges are assigned.
func (r *rewriter) exchangedParameters(fd *ast.FuncDecl) {
	var exchange *ast.AssignStmt
	var from []int
	again, inLoop := false, false
	returns := map[ast.Stmt]bool{}
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			returns[n] = true
		case *ast.AssignStmt:
			if _, order, ok := permutation(r.info, n); ok {
				again = again || exchange != nil
				exchange, from = n, order
			}
		}
		return true
	})
	if exchange == nil || again || isMarked(fd) || !r.onlyExchanged(fd, exchange) {
		return
	}
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt:
			inLoop = inLoop || within(n.Body, exchange.Pos())
		case *ast.RangeStmt:
			inLoop = inLoop || within(n.Body, exchange.Pos())
		}
		return true
	})
	assigned := slices.ContainsFunc(exchange.Lhs, func(e ast.Expr) bool { return r.setsElements(fd.Body, variable(r.info, e)) })
	if !inLoop || !assigned || !inLists(fd.Body, exchange, returns) {
		return
	}
	results := 0
	if fd.Type.Results != nil {
		for _, field := range fd.Type.Results.List {
			if t := r.info.TypeOf(field.Type); hasSlices(t) || isPointer(t) || len(field.Names) > 0 {
				return
			}
			results++
		}
	}
	r.changed = true
	pos, turns := fd.Body.Pos(), unusedName(fd, "turns")
	count := func(at token.Pos) ast.Stmt {
		return &ast.IncDecStmt{X: name(turns, at), TokPos: at, Tok: token.INC}
	}
	back := func(at token.Pos) ast.Stmt {
		order := &ast.BinaryExpr{X: name(turns, at), OpPos: at, Op: token.REM, Y: name(orderName, at)}
		one := *exchange
		one.Lhs, one.Rhs, one.TokPos = namesAt(exchange.Lhs, at), namesAt(exchange.Rhs, at), at
		return &ast.ForStmt{For: at, Cond: &ast.BinaryExpr{X: order, OpPos: at, Op: token.NEQ, Y: number("0", at)}, Post: count(at),
			Body: &ast.BlockStmt{Lbrace: at, List: []ast.Stmt{&one}, Rbrace: at}}
	}
	done := map[ast.Stmt]bool{}
	lists(fd.Body, func(list []ast.Stmt, _ token.Pos) []ast.Stmt {
		var out []ast.Stmt
		for _, s := range list {
			if done[s] {
				return list
			}
			if s == ast.Stmt(exchange) {
				out = append(out, s, count(s.End()))
				continue
			}
			ret, ok := s.(*ast.ReturnStmt)
			if !ok || !returns[ret] {
				out = append(out, s)
				continue
			}
			done[ret] = true
			var block []ast.Stmt
			if results > 0 {
				block = r.heldResults(fd, ret)
			}
			out = append(out, &ast.BlockStmt{Lbrace: ret.Pos(), List: append(block, back(ret.Pos()), ret), Rbrace: ret.End()})
		}
		return out
	})
	order := &ast.ValueSpec{Names: []*ast.Ident{name(orderName, pos)}, Values: []ast.Expr{number(strconv.Itoa(orderOf(from)), pos)}}
	fd.Body.List = slices.Insert[[]ast.Stmt, ast.Stmt](fd.Body.List, 0, &ast.DeclStmt{Decl: &ast.GenDecl{TokPos: pos, Tok: token.CONST, Specs: []ast.Spec{order}}},
		set(name(turns, pos), token.DEFINE, number("0", pos), pos))
	if results == 0 {
		fd.Body.List = append(fd.Body.List, back(fd.Body.Rbrace))
	}
}

// inLists reports whether a statement, and all of others, are in lists of statements, to which more can be added.
func inLists(body *ast.BlockStmt, s ast.Stmt, others map[ast.Stmt]bool) bool {
	in := map[ast.Stmt]bool{}
	lists(body, func(list []ast.Stmt, _ token.Pos) []ast.Stmt {
		for _, s := range list {
			in[s] = true
		}
		return list
	})
	for o := range others {
		if !in[o] {
			return false
		}
	}
	return in[s]
}

// heldResults declares variables with what ret returns, which returns these then.
func (r *rewriter) heldResults(fd *ast.FuncDecl, ret *ast.ReturnStmt) []ast.Stmt {
	var names, types []ast.Expr
	for i, field := range fd.Type.Results.List {
		names = append(names, name(unusedName(fd, "result"+strconv.Itoa(i)), ret.Pos()))
		types = append(types, field.Type)
	}
	values := ret.Results
	ret.Results = nil
	for _, n := range names {
		ret.Results = append(ret.Results, name(n.(*ast.Ident).Name, ret.Pos()))
	}
	if len(values) != len(names) { // one call returns all
		return []ast.Stmt{&ast.AssignStmt{Lhs: names, TokPos: ret.Pos(), Tok: token.DEFINE, Rhs: values}}
	}
	var out []ast.Stmt
	for i, n := range names {
		spec := &ast.ValueSpec{Names: []*ast.Ident{n.(*ast.Ident)}, Type: types[i], Values: values[i : i+1]}
		out = append(out, &ast.DeclStmt{Decl: &ast.GenDecl{TokPos: ret.Pos(), Tok: token.VAR, Specs: []ast.Spec{spec}}})
	}
	return out
}

// onlyExchanged reports whether what s exchanges are parameters of fd that nothing else assigns, takes the address of,
// or names in a function literal, and no parameter is a function, which might know the slices by other names.
func (r *rewriter) onlyExchanged(fd *ast.FuncDecl, s *ast.AssignStmt) bool {
	params := map[*types.Var]bool{}
	for _, field := range fd.Type.Params.List {
		if _, isFunc := r.info.TypeOf(field.Type).Underlying().(*types.Signature); isFunc {
			return false
		}
		for _, id := range field.Names {
			if v, ok := r.info.Defs[id].(*types.Var); ok {
				params[v] = true
			}
		}
	}
	exchanged := map[*types.Var]bool{}
	for _, e := range s.Lhs {
		v := variable(r.info, e)
		if v == nil || !params[v] || r.addressTaken([]ast.Stmt{fd.Body}, v) {
			return false
		}
		exchanged[v] = true
	}
	only := true
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && r.info.Defs[id] != nil {
			only = only && !slices.ContainsFunc(s.Lhs, func(e ast.Expr) bool { return variable(r.info, e).Name() == id.Name })
		}
		if a, ok := n.(*ast.AssignStmt); ok && a != s {
			for _, e := range a.Lhs {
				v := variable(r.info, e)
				only = only && (v == nil || !exchanged[v])
			}
			for _, e := range a.Rhs { // another name of one of them
				t := r.info.TypeOf(e)
				only = only && !(t != nil && hasSlices(t) && mentions(r.info, e, exchanged))
			}
		}
		if l, ok := n.(*ast.RangeStmt); ok && within(l, s.Pos()) {
			only = only && !mentions(r.info, l.X, exchanged)
		}
		return only
	})
	return only
}

// isMarked reports whether a directive makes fd a kernel.
func isMarked(fd *ast.FuncDecl) bool {
	return fd.Doc != nil && slices.ContainsFunc(fd.Doc.List, func(c *ast.Comment) bool { return strings.HasPrefix(c.Text, "//surge:") })
}

// countsExchanges reports whether the function with a body is rewritten as Note [Exchanged parameters] says.
func countsExchanges(body ast.Node) bool {
	b, ok := body.(*ast.BlockStmt)
	if !ok || len(b.List) == 0 {
		return false
	}
	d, ok := b.List[0].(*ast.DeclStmt)
	if !ok {
		return false
	}
	g, ok := d.Decl.(*ast.GenDecl)
	return ok && g.Tok == token.CONST && g.Specs[0].(*ast.ValueSpec).Names[0].Name == orderName
}

// orderOf is how often a permutation is to be done until all is as before.
func orderOf(from []int) int {
	now := slices.Clone(from)
	for n := 1; ; n++ {
		if slices.IsSorted(now) {
			return n
		}
		for i, k := range now {
			now[i] = from[k]
		}
	}
}

func namesAt(list []ast.Expr, pos token.Pos) []ast.Expr {
	var out []ast.Expr
	for _, e := range list {
		out = append(out, name(ast.Unparen(e).(*ast.Ident).Name, pos))
	}
	return out
}
