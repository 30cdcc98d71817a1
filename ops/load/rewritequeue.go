package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// queues rewrites the slices of a function that it cuts at their beginning, and appends to: queue = queue[1:] counts
// what is taken, in a variable head, queue[i] is queue[head+i], and len(queue) is len(queue)-head. That is so where
// nothing tells that the memory stays: by cap, by an address, or by a comparison with nil. Such a slice is left alone.
// A use that runs before anything is taken stays as it is: the head is 0 there, and the slice is whole.
func (r *rewriter) queues(fd *ast.FuncDecl) {
	uses := map[*types.Var]*queue{}
	var order []*types.Var
	var path []ast.Node // around the node at hand
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		if n == nil {
			path = path[:len(path)-1]
			return true
		}
		if id, ok := n.(*ast.Ident); ok {
			v, isVar := r.info.Uses[id].(*types.Var)
			if isVar && isSlice(v.Type()) && flatElements(v.Type()) && !isGlobal(v) && within(fd.Body, v.Pos()) {
				if uses[v] == nil {
					uses[v] = &queue{v: v, taken: r.takenFrom(fd, v)}
					order = append(order, v)
				}
				if q := uses[v]; !r.runsBefore(id, path, q) {
					q.note(r, id, path)
					q.literals = q.literals || slices.ContainsFunc(path, isFuncLit)
				}
			}
		}
		path = append(path, n)
		return true
	})
	for _, v := range order {
		if q := uses[v]; q.grows && len(q.cuts) > 0 && !q.others && !(len(q.ranges) > 0 && q.literals) {
			r.queue(fd, q)
		}
	}
}

// queue is what a function does with a slice.
type queue struct {
	v      *types.Var
	grows  bool
	others bool              // it does something else, too
	cuts   []*ast.AssignStmt // v = v[n:]
	ends   []*ast.AssignStmt // v = v[:n]
	resets []*ast.AssignStmt // v = something else
	reads  []*ast.IndexExpr
	parts  []*ast.SliceExpr
	lens   []*ast.CallExpr
	wholes []*ast.Ident
	ranges []*ast.RangeStmt // over v
	taken  token.Pos        // nothing is taken before it
	// literals: a function literal names v, and calling it may change v, wherever that is.
	literals bool
}

// takenFrom is where the first statement of the function begins that may take elements of v: a cut, or the outermost
// loop around one. Function literals run wherever they are called, and goto goes back: with them it is the beginning.
func (r *rewriter) takenFrom(fd *ast.FuncDecl, v *types.Var) token.Pos {
	first := fd.Body.End()
	var path []ast.Node
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		if n == nil {
			path = path[:len(path)-1]
			return true
		}
		switch s := n.(type) {
		case *ast.BranchStmt:
			if s.Tok == token.GOTO {
				first = fd.Body.Pos()
			}
		case *ast.AssignStmt:
			if len(s.Lhs) != 1 || len(s.Rhs) != 1 || variable(r.info, s.Lhs[0]) != v {
				break
			}
			if cut, ok := ast.Unparen(s.Rhs[0]).(*ast.SliceExpr); !ok || variable(r.info, cut.X) != v || cut.Low == nil {
				break
			}
			at := s.Pos()
			for _, around := range slices.Backward(path) {
				switch around.(type) {
				case *ast.ForStmt, *ast.RangeStmt:
					at = around.Pos()
				case *ast.FuncLit:
					at = fd.Body.Pos()
				}
			}
			first = min(first, at)
		}
		path = append(path, n)
		return true
	})
	return first
}

// runsBefore reports whether the use id of a queue, with path around it, does nothing but read or sort its elements,
// before any is taken. Uses in a function literal do if it is an argument of a function of the standard library for
// slices, which calls it and keeps it not.
func (r *rewriter) runsBefore(id *ast.Ident, path []ast.Node, q *queue) bool {
	if id.Pos() >= q.taken {
		return false
	}
	for i, n := range path {
		if _, ok := n.(*ast.FuncLit); ok && (i == 0 || !r.callsSorting(path[i-1])) {
			return false
		}
	}
	switch p := path[len(path)-1].(type) {
	case *ast.IndexExpr:
		return p.X == ast.Expr(id)
	case *ast.CallExpr:
		return isBuiltin(r.info, p, "len") || r.callsSorting(p)
	}
	return false
}

// callsSorting reports whether n calls a function of package slices or sort.
func (r *rewriter) callsSorting(n ast.Node) bool {
	c, ok := n.(*ast.CallExpr)
	if !ok {
		return false
	}
	id := calleeIdent(c)
	if id == nil {
		return false
	}
	f, ok := r.info.Uses[id].(*types.Func)
	return ok && f.Pkg() != nil && (f.Pkg().Path() == "slices" || f.Pkg().Path() == "sort") && f.Signature().Recv() == nil
}

// note adds the use id, around which path is.
func (q *queue) note(r *rewriter, id *ast.Ident, path []ast.Node) {
	up := func(k int) ast.Node {
		if k > len(path) {
			return nil
		}
		return path[len(path)-k]
	}
	switch p := up(1).(type) {
	case *ast.IndexExpr:
		if p.X == ast.Expr(id) {
			q.reads = append(q.reads, p)
			return
		}
		q.others = true
	case *ast.SliceExpr:
		a, ok := up(2).(*ast.AssignStmt)
		switch {
		case p.Slice3 || p.X != ast.Expr(id):
			q.others = true
		case ok && q.assigns(r, a) && a.Rhs[0] == ast.Expr(p): // noted with its left side
		default:
			q.parts = append(q.parts, p)
		}
	case *ast.AssignStmt:
		if slices.Contains(p.Lhs, ast.Expr(id)) {
			q.assignment(r, p)
		} else {
			q.wholes = append(q.wholes, id)
		}
	case *ast.CallExpr:
		a, ok := up(2).(*ast.AssignStmt)
		switch {
		case isBuiltin(r.info, p, "len"):
			q.lens = append(q.lens, p)
		case isBuiltin(r.info, p, "append") && ok && q.assigns(r, a) && p.Args[0] == ast.Expr(id):
		case isBuiltin(r.info, p, "cap"), isBuiltin(r.info, p, "append") && p.Args[0] == ast.Expr(id):
			q.others = true
		default:
			q.wholes = append(q.wholes, id)
		}
	case *ast.RangeStmt:
		if p.X != ast.Expr(id) {
			q.others = true
			return
		}
		if assigned(r.info, p.Body)[q.v] || p.Tok == token.ASSIGN {
			q.wholes = append(q.wholes, id)
		} else {
			q.ranges = append(q.ranges, p)
		}
	case *ast.ReturnStmt, *ast.KeyValueExpr:
		q.wholes = append(q.wholes, id)
	default:
		q.others = true
	}
}

// assigns reports whether a assigns the slice, and nothing else.
func (q *queue) assigns(r *rewriter, a *ast.AssignStmt) bool {
	return a.Tok == token.ASSIGN && len(a.Lhs) == 1 && len(a.Rhs) == 1 && variable(r.info, a.Lhs[0]) == q.v
}

// assignment adds an assignment to the slice.
func (q *queue) assignment(r *rewriter, a *ast.AssignStmt) {
	if !q.assigns(r, a) {
		q.others = true
		return
	}
	if v, _ := appendTarget(r.info, a); v == q.v {
		q.grows = true
		return
	}
	cut, ok := ast.Unparen(a.Rhs[0]).(*ast.SliceExpr)
	switch {
	case !ok || variable(r.info, cut.X) != q.v:
		q.resets = append(q.resets, a)
	case cut != a.Rhs[0] || cut.Slice3 || (cut.Low == nil) == (cut.High == nil):
		q.others = true
	case cut.Low != nil:
		c, isConst := intConst(r.info, cut.Low)
		q.others = q.others || isConst && c < 0 || !isConst && (callsAny(cut.Low) || !types.Identical(r.info.TypeOf(cut.Low), types.Typ[types.Int]))
		q.cuts = append(q.cuts, a)
	default:
		q.ends = append(q.ends, a)
	}
}

// queue rewrites one, whose declaration must be a statement of its own.
func (r *rewriter) queue(fd *ast.FuncDecl, q *queue) {
	head := unusedName(fd, q.v.Name()+"Head")
	declared := false
	lists(fd.Body, func(list []ast.Stmt, _ token.Pos) []ast.Stmt {
		for i, s := range list {
			if !declared && declares(r.info, s, q.v) {
				declared = true
				return slices.Insert(slices.Clone(list), i+1, ast.Stmt(set(name(head, s.Pos()), token.DEFINE, number("0", s.Pos()), s.Pos())))
			}
		}
		return list
	})
	if !declared {
		return
	}
	r.changed = true
	behind := func(e ast.Expr) ast.Expr { // the place in memory of element e
		pos := e.Pos()
		if c, ok := intConst(r.info, e); !ok || c < 0 {
			if t := r.info.TypeOf(e); t != nil && !types.Identical(t, types.Typ[types.Int]) {
				e = callTo("int", pos, e)
			}
			r.helpers["count·"] = true
			e = callTo("count·", pos, e)
		}
		return &ast.BinaryExpr{X: name(head, pos), Op: token.ADD, OpPos: pos, Y: e}
	}
	rest := func(pos token.Pos) ast.Expr { // how many elements there are
		return &ast.ParenExpr{Lparen: pos, X: &ast.BinaryExpr{X: callTo("len", pos, name(q.v.Name(), pos)), Op: token.SUB, OpPos: pos, Y: name(head, pos)}, Rparen: pos}
	}
	for _, e := range q.reads {
		e.Index = behind(e.Index)
	}
	for _, e := range q.parts {
		if e.Low != nil {
			e.Low = behind(e.Low)
		} else {
			e.Low = name(head, e.Pos())
		}
		if e.High != nil {
			e.High = behind(e.High)
		}
	}
	for _, s := range q.ranges { // one over the elements behind the head, none of which the loop takes or moves
		pos := s.Pos()
		s.X = rest(pos)
		if s.Value == nil || isBlank(s.Value) {
			s.Value = nil
			continue
		}
		key, ok := s.Key.(*ast.Ident)
		if !ok || key.Name == "_" {
			key = name(unusedName(fd, q.v.Name()+"At"), pos)
		}
		at := &ast.BinaryExpr{X: name(head, pos), Op: token.ADD, OpPos: pos, Y: name(key.Name, pos)}
		element := set(s.Value, token.DEFINE, &ast.IndexExpr{X: name(q.v.Name(), pos), Lbrack: pos, Index: at, Rbrack: pos}, pos)
		s.Key, s.Value = key, nil
		s.Body.List = append([]ast.Stmt{element}, s.Body.List...)
	}
	for _, a := range q.ends {
		cut := ast.Unparen(a.Rhs[0]).(*ast.SliceExpr)
		cut.High = behind(cut.High)
	}
	replaceExprs(fd.Body, nil, func(e ast.Expr) ast.Expr {
		pos := e.Pos()
		switch e := e.(type) {
		case *ast.CallExpr:
			if slices.Contains(q.lens, e) {
				return rest(pos)
			}
		case *ast.Ident:
			if slices.Contains(q.wholes, e) {
				return &ast.SliceExpr{X: e, Lbrack: pos, Low: name(head, pos), Rbrack: pos}
			}
		}
		return e
	})
	lists(fd.Body, func(list []ast.Stmt, _ token.Pos) []ast.Stmt {
		var out []ast.Stmt
		for _, s := range list {
			a, ok := s.(*ast.AssignStmt)
			switch {
			case ok && slices.Contains(q.cuts, a):
				out = append(out, cutHead(a, head, rest(a.Pos()))...)
			case ok && slices.Contains(q.resets, a):
				out = append(out, a, set(name(head, a.Pos()), token.ASSIGN, number("0", a.Pos()), a.Pos()))
			default:
				out = append(out, s)
			}
		}
		return out
	})
}

// cutHead is what stands in place of the assignment a, which cuts a slice of which there are rest elements.
func cutHead(a *ast.AssignStmt, head string, rest ast.Expr) []ast.Stmt {
	pos := a.Pos()
	by := ast.Unparen(a.Rhs[0]).(*ast.SliceExpr).Low
	short := &ast.BinaryExpr{X: rest, Op: token.LSS, OpPos: pos, Y: by}
	if _, ok := by.(*ast.BasicLit); !ok {
		short = &ast.BinaryExpr{X: short, Op: token.LOR, OpPos: pos, Y: &ast.BinaryExpr{X: by, Op: token.LSS, OpPos: pos, Y: number("0", pos)}}
	}
	message := &ast.BasicLit{Kind: token.STRING, Value: "\"slice bounds out of range\"", ValuePos: pos}
	return []ast.Stmt{
		&ast.IfStmt{If: pos, Cond: short,
			Body: &ast.BlockStmt{Lbrace: pos, Rbrace: pos, List: []ast.Stmt{&ast.ExprStmt{X: callTo("panic", pos, message)}}}},
		&ast.AssignStmt{Lhs: []ast.Expr{name(head, pos)}, Tok: token.ADD_ASSIGN, TokPos: pos, Rhs: []ast.Expr{by}},
	}
}
