package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strings"
)

// Note [Buffers that grow on demand]
//
// A buffer that each turn of a loop makes longer where it has to,
//
//	var buf []float64
//	for i, row := range rows {
//		if cap(buf) < len(row) {
//			buf = make([]float64, len(row))
//		}
//		buf = buf[:len(row)]
//		copy(buf, row)
//		…
//	}
//
// is a buffer that the turns use one after the other: see Note [Scratch]. Where every turn sets all elements before it
// uses any, each turn has one of its own, buf := make([]float64, len(row)). So it has where the condition asks for
// len(buf), and nothing cuts the buffer, if all that a turn uses are elements and parts that are known to be among the
// first ones, of which there are as many.

// lengthening is a statement that makes buffers longer where they have to be, and those behind it that cut them.
type lengthening struct {
	vars  []*types.Var
	made  []*ast.CallExpr // what makes each
	size  ast.Expr        // how many elements they have, at least
	exact bool            // they are cut to so many
	stmts int
}

// grownBuffers rewrites the buffers that Note [Buffers that grow on demand] is about.
func (r *rewriter) grownBuffers(files []*ast.File) bool {
	decls := r.declared(files)
	for _, fd := range functions(files) {
		if outOfOrder(fd.Body) {
			continue
		}
		ast.Inspect(fd.Body, func(n ast.Node) bool {
			loop, _ := n.(ast.Stmt)
			body, _ := loopParts(loop)
			if body == nil {
				return true
			}
			found, own, lengths := map[int]*lengthening{}, map[*types.Var]bool{}, map[*types.Var]sum{}
			for k := range body.List {
				g := r.lengthening(body.List[k:])
				if g == nil {
					g = r.growing(decls, body.List[k])
				}
				if g != nil && r.growsAlone(fd, decls, loop, body, k, g, lengths) {
					found[k] = g
					for _, v := range g.vars {
						own[v] = true
					}
				}
			}
			if len(found) == 0 || !r.apartBut(fd, loop, body, decls, own) {
				return true
			}
			r.changed = true
			var list []ast.Stmt
			for k := 0; k < len(body.List); k++ {
				g := found[k]
				if g == nil {
					list = append(list, body.List[k])
					continue
				}
				for i, v := range g.vars {
					pos := g.made[i].Pos()
					list = append(list, set(name(v.Name(), pos), token.DEFINE, callTo("make", pos, copyOf(g.made[i].Args[0]), copyOf(g.size)), pos))
					r.forgetDeclaration(fd, v)
				}
				k += g.stmts - 1
			}
			body.List = list
			return true
		})
	}
	return r.changed
}

// lengthening reads the one that a list of statements begins with, nil if it begins with something else.
func (r *rewriter) lengthening(list []ast.Stmt) *lengthening {
	s, ok := list[0].(*ast.IfStmt)
	if !ok || s.Init != nil || s.Else != nil || len(s.Body.List) == 0 {
		return nil
	}
	cond, ok := ast.Unparen(s.Cond).(*ast.BinaryExpr)
	if !ok || cond.Op != token.LSS && cond.Op != token.GTR {
		return nil
	}
	room, size := ast.Unparen(cond.X), cond.Y
	if cond.Op == token.GTR {
		room, size = ast.Unparen(cond.Y), cond.X
	}
	asked, ok := room.(*ast.CallExpr)
	g := &lengthening{size: size, stmts: 1}
	switch {
	case !ok:
		return nil
	case isBuiltin(r.info, asked, "cap"):
		g.exact = true
	case !isBuiltin(r.info, asked, "len"):
		return nil
	}
	for _, s := range s.Body.List {
		a, ok := s.(*ast.AssignStmt)
		if !ok || a.Tok != token.ASSIGN || len(a.Lhs) != len(a.Rhs) {
			return nil
		}
		for i, e := range a.Lhs {
			v := variable(r.info, e)
			made, ok := ast.Unparen(a.Rhs[i]).(*ast.CallExpr)
			if v == nil || !ok || !isBuiltin(r.info, made, "make") || len(made.Args) < 2 || slices.Contains(g.vars, v) ||
				!types.Identical(v.Type(), r.info.TypeOf(made)) ||
				text(made.Args[1]) != text(size) || len(made.Args) > 2 && !(g.exact && r.noLess(made.Args[2], size)) {
				return nil
			}
			g.vars, g.made = append(g.vars, v), append(g.made, made)
		}
	}
	if !slices.Contains(g.vars, variable(r.info, asked.Args[0])) || g.exact && !r.cutBehind(list, g) {
		return nil
	}
	return g
}

// noLess reports whether a capacity is so many times a size that is not negative, or more by a constant or
// a part of it.
func (r *rewriter) noLess(capacity, size ast.Expr) bool {
	e, ok := ast.Unparen(capacity).(*ast.BinaryExpr)
	if !ok {
		return text(capacity) == text(size)
	}
	c, isConst := intConst(r.info, e.Y)
	other := e.X
	if !isConst {
		c, isConst = intConst(r.info, e.X)
		other = e.Y
	}
	if part, ok := ast.Unparen(e.Y).(*ast.BinaryExpr); ok && e.Op == token.ADD && text(e.X) == text(size) && text(part.X) == text(size) {
		by, ok := intConst(r.info, part.Y)
		return ok && by > 0 && (part.Op == token.QUO || part.Op == token.MUL)
	}
	return isConst && text(other) == text(size) && (e.Op == token.ADD && c >= 0 || e.Op == token.MUL && c >= 1)
}

// cutBehind reports whether the statements behind the first one of a list cut all buffers to their size, and counts
// them.
func (r *rewriter) cutBehind(list []ast.Stmt, g *lengthening) bool {
	cut := map[*types.Var]bool{}
	for ; len(cut) < len(g.vars) && g.stmts < len(list); g.stmts++ {
		a, ok := list[g.stmts].(*ast.AssignStmt)
		if !ok || a.Tok != token.ASSIGN || len(a.Lhs) != len(a.Rhs) {
			return false
		}
		for i, e := range a.Lhs {
			v := variable(r.info, e)
			part, ok := ast.Unparen(a.Rhs[i]).(*ast.SliceExpr)
			if !ok || part.Slice3 || part.High == nil || !fromStart(r.info, part) || variable(r.info, part.X) != v || v == nil || text(part.High) != text(g.size) {
				return false
			}
			cut[v] = true
		}
	}
	return !slices.ContainsFunc(g.vars, func(v *types.Var) bool { return !cut[v] })
}

// growsAlone reports whether the buffers of the lengthening at place k of a loop's body may be those of a turn, and
// notes how many elements they have then, if they have no more, beside those before them.
func (r *rewriter) growsAlone(fd *ast.FuncDecl, decls funcDecls, loop ast.Stmt, body *ast.BlockStmt, k int,
	g *lengthening, lengths map[*types.Var]sum) bool {
	rest := &ast.BlockStmt{List: body.List[k+g.stmts:]}
	if len(rest.List) == 0 || callsAny(g.size) && !r.isLength(g.size) {
		return false
	}
	var fs fillings
	same := map[*types.Var]bool{}
	for _, v := range g.vars {
		elem := elementType(v)
		if isGlobal(v) || within(loop, v.Pos()) || !within(fd.Body, v.Pos()) || elem == nil || refers(elem) || !flat(elem) || mentionsIn(r.info, []ast.Expr{g.size}, v) {
			return false
		}
		f := &filling{r: r, fd: fd, decls: decls, v: v, others: lengths}
		if f.length = f.sum(g.size); f.length == nil || !f.isSteady(g.size) || !g.exact && !(f.length.ofLengths() && f.length[""] >= 0) {
			return false
		}
		outside := false // it is used
		uses(fd.Body, func(id *ast.Ident, _ []ast.Node) {
			outside = outside || r.info.Uses[id] == types.Object(v) && (id.Pos() < body.List[k].Pos() || id.Pos() > body.End())
		})
		used := mentions(r.info, rest, map[*types.Var]bool{v: true}) // else Go asks what it is for
		if outside || !used || r.declaresName(body.List, v.Name()) || !g.exact && !f.amongFirst(rest) {
			return false
		}
		fs, same[v] = append(fs, f), true
	}
	fs.together(true)
	if _, ok := fs.before(rest.List, make([]int, len(fs))); !ok {
		return false
	}
	for _, f := range fs {
		if h := (&holding{r: r, decls: decls, places: same}); !h.holds(rest, f.v) {
			return false
		}
	}
	if g.exact {
		for _, f := range fs {
			lengths[f.v] = f.length
		}
	}
	return true
}

// amongFirst reports whether all that n uses of the buffer are elements and parts that are known to be among the first
// ones, as many as its length says.
func (f *filling) amongFirst(n ast.Node) bool {
	ok := true
	uses(n, func(id *ast.Ident, st []ast.Node) {
		if !ok || variable(f.r.info, id) != f.v {
			return
		}
		switch x := st[len(st)-2].(type) {
		case *ast.IndexExpr:
			ok = x.X == ast.Expr(id) && f.isFirst(x.Index, st)
		case *ast.SliceExpr:
			ok = x.X == ast.Expr(id) && !x.Slice3 && x.High != nil && f.isSteady(x.High) && f.sum(x.High).equal(f.length)
		default:
			ok = false
		}
	})
	return ok
}

// isFirst reports whether an index is known to be less than the length: it is a constant, or what a loop around it
// counts by, and a constant away from that.
func (f *filling) isFirst(index ast.Expr, st []ast.Node) bool {
	at := f.sum(index)
	if c, ok := at.minus(sum{}); ok {
		return c < f.least()
	}
	for _, n := range st {
		counter, limit := f.staysBelow(n)
		if counter == nil {
			continue
		}
		if c, ok := at.minus(sum{f.key(counter): 1}); ok {
			over, ok := f.length.minus(limit)
			return ok && over >= c
		}
	}
	return false
}

// least is what the length is at least.
func (f *filling) least() int64 {
	for k, n := range f.length {
		if k != "" && (n < 0 || !strings.HasPrefix(k, "len:")) {
			return 0
		}
	}
	return f.length[""]
}

// staysBelow is what a loop counts by, and the limit that it stays below in its turns; nil for others.
func (f *filling) staysBelow(n ast.Node) (v *types.Var, limit sum) {
	var body *ast.BlockStmt
	switch s := n.(type) {
	case *ast.RangeStmt:
		if s.Tok != token.DEFINE || s.Key == nil {
			return nil, nil
		}
		v, _ = f.r.info.Defs[s.Key.(*ast.Ident)].(*types.Var)
		switch t := f.r.info.TypeOf(s.X); {
		case isIntType(t) && f.isSteady(s.X):
			limit = f.sum(s.X)
		case isSlice(t):
			limit = f.lengthOf(s.X)
		}
		body = s.Body
	case *ast.ForStmt:
		init, _ := s.Init.(*ast.AssignStmt)
		cond, _ := s.Cond.(*ast.BinaryExpr)
		if init == nil || cond == nil || init.Tok != token.DEFINE || len(init.Lhs) != 1 || cond.Op != token.LSS && cond.Op != token.LEQ {
			return nil, nil
		}
		v, _ = f.r.info.Defs[init.Lhs[0].(*ast.Ident)].(*types.Var)
		if v == nil || variable(f.r.info, cond.X) != v || !f.isSteady(cond.Y) {
			return nil, nil
		}
		if limit, body = f.sum(cond.Y), s.Body; limit != nil && cond.Op == token.LEQ {
			limit = limit.plus(constantSum(1), 1)
		}
	}
	if v == nil || limit == nil || f.r.changes(body, v) || f.addressed(v) {
		return nil, nil
	}
	return v, limit
}

// copyOf is a copy of e.
func copyOf(e ast.Expr) ast.Expr { return copied(reflect.ValueOf(e)).Interface().(ast.Expr) }

// forgetDeclaration lets the declaration of a variable, which has its name nowhere else any more, declare none.
func (r *rewriter) forgetDeclaration(fd *ast.FuncDecl, v *types.Var) {
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ValueSpec:
			for _, id := range n.Names {
				if r.info.Defs[id] == types.Object(v) {
					id.Name = "_"
				}
			}
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				return true
			}
			all := true
			for _, e := range n.Lhs {
				if id := e.(*ast.Ident); r.info.Defs[id] == types.Object(v) {
					id.Name = "_"
				}
				all = all && isBlank(e)
			}
			if all {
				n.Tok = token.ASSIGN
			}
		}
		return true
	})
}
