package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
)

// Note [Arrays that are the memory of slices]
//
// A part of a local array that has a name, or that a function of the user gets, and whose elements are assigned there,
//
//	var window [9]uint8
//	part := window[:n]
//	slices.Sort(part)
//
// is memory with two names. Arrays are values here, slices are memory: an array of which nothing but elements, parts
// and its length is asked for is a slice that is as long, window := make([]uint8, 9). And where all that is asked for
// is one empty part, which is appended to,
//
//	var memory [16]int
//	found := memory[:0]
//
// is found := make([]int, 0, 16). Both statements are in one list of statements, so that each slice has memory of its
// own, as each array has.

// buffers rewrites the arrays of a function that are the memory of slices.
func (r *rewriter) buffers(fd *ast.FuncDecl) {
	uses := r.arrayUses(fd.Body)
	if len(uses) == 0 {
		return
	}
	r.emptyParts(fd.Body, uses)
	lists(fd.Body, func(list []ast.Stmt, _ token.Pos) []ast.Stmt {
		for i, s := range list {
			v, array, values := r.declaredArray(s)
			u := uses[v]
			if u == nil || u.whole || !u.updated {
				continue
			}
			n, _, _ := isArray(v.Type())
			of := &ast.ArrayType{Lbrack: s.Pos(), Elt: array.Elt}
			var made ast.Expr = &ast.CallExpr{Fun: name("make", s.Pos()), Lparen: s.Pos(), Args: []ast.Expr{of, number(strconv.FormatInt(n, 10), s.Pos())}, Rparen: s.Pos()}
			if len(values) > 0 {
				made = &ast.CompositeLit{Type: of, Lbrace: s.Pos(), Elts: values, Rbrace: s.Pos()}
			}
			list[i] = set(name(v.Name(), v.Pos()), token.DEFINE, made, s.Pos())
			for _, c := range u.lengths {
				c.Fun, c.Args = name("int", c.Pos()), []ast.Expr{number(strconv.FormatInt(n, 10), c.Pos())}
			}
			r.changed = true
		}
		return list
	})
}

// emptyParts rewrites the arrays that have one use, as an empty part with a name behind their declaration.
func (r *rewriter) emptyParts(body *ast.BlockStmt, uses map[*types.Var]*arrayUse) {
	lists(body, func(list []ast.Stmt, _ token.Pos) []ast.Stmt {
		declared := map[*types.Var]int{}
		gone := map[int]bool{}
		for i, s := range list {
			if v, _, values := r.declaredArray(s); v != nil && len(values) == 0 {
				declared[v] = i
			}
			a, ok := s.(*ast.AssignStmt)
			if !ok || a.Tok != token.DEFINE || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
				continue
			}
			cut, ok := ast.Unparen(a.Rhs[0]).(*ast.SliceExpr)
			if !ok || cut.Slice3 || cut.High == nil || !fromStart(r.info, cut) {
				continue
			}
			v := variable(r.info, cut.X)
			at, ok := declared[v]
			if c, isConst := intConst(r.info, cut.High); !ok || !isConst || c != 0 || uses[v] == nil || uses[v].count != 1 {
				continue
			}
			_, array, _ := r.declaredArray(list[at])
			n, _, _ := isArray(v.Type())
			of := &ast.ArrayType{Lbrack: a.Pos(), Elt: array.Elt}
			a.Rhs[0] = &ast.CallExpr{Fun: name("make", a.Pos()), Lparen: a.Pos(), Rparen: a.Pos(),
				Args: []ast.Expr{of, number("0", a.Pos()), number(strconv.FormatInt(n, 10), a.Pos())}}
			gone[at] = true
			delete(uses, v)
			r.changed = true
		}
		var out []ast.Stmt
		for i, s := range list {
			if !gone[i] {
				out = append(out, s)
			}
		}
		return out
	})
}

// declaredArray is the variable that s declares as an array of numbers, if its type is written out and its elements
// are zero or all given.
func (r *rewriter) declaredArray(s ast.Stmt) (v *types.Var, t *ast.ArrayType, values []ast.Expr) {
	var id *ast.Ident
	var of, value ast.Expr
	switch s := s.(type) {
	case *ast.DeclStmt:
		g, ok := s.Decl.(*ast.GenDecl)
		if !ok || g.Tok != token.VAR || len(g.Specs) != 1 {
			return nil, nil, nil
		}
		spec := g.Specs[0].(*ast.ValueSpec)
		if len(spec.Names) != 1 {
			return nil, nil, nil
		}
		id, of = spec.Names[0], spec.Type
		if len(spec.Values) == 1 {
			value = spec.Values[0]
		}
	case *ast.AssignStmt:
		if s.Tok != token.DEFINE || len(s.Lhs) != 1 || len(s.Rhs) != 1 {
			return nil, nil, nil
		}
		id, _ = s.Lhs[0].(*ast.Ident)
		value = s.Rhs[0]
	}
	if id == nil {
		return nil, nil, nil
	}
	v, ok := r.info.Defs[id].(*types.Var)
	if !ok {
		return nil, nil, nil
	}
	if value != nil {
		lit, ok := ast.Unparen(value).(*ast.CompositeLit)
		if !ok {
			return nil, nil, nil
		}
		of, values = lit.Type, lit.Elts
	}
	t, ok = of.(*ast.ArrayType)
	n, elem, isArr := isArray(v.Type())
	if !ok || !isArr || len(values) > 0 && int64(len(values)) != n {
		return nil, nil, nil
	}
	for _, e := range values {
		if _, keyed := e.(*ast.KeyValueExpr); keyed {
			return nil, nil, nil
		}
	}
	if _, basic := elem.Underlying().(*types.Basic); !basic {
		return nil, nil, nil
	}
	return v, t, values
}

// arrayUse is what a function does with an array that it declares.
type arrayUse struct {
	count   int             // how often it is named
	whole   bool            // it is read or assigned as a whole
	updated bool            // elements are assigned under the name of a part, or by a function that gets one
	lengths []*ast.CallExpr // len and cap of it
}

// arrayUses are the uses of the arrays that n declares by statements of lists.
func (r *rewriter) arrayUses(n ast.Node) map[*types.Var]*arrayUse {
	uses := map[*types.Var]*arrayUse{}
	lists(n, func(list []ast.Stmt, _ token.Pos) []ast.Stmt {
		for _, s := range list {
			if v, _, _ := r.declaredArray(s); v != nil {
				uses[v] = &arrayUse{}
			}
		}
		return list
	})
	if len(uses) == 0 {
		return nil
	}
	parts := map[*types.Var]*arrayUse{} // by the names of parts
	ast.PreorderStack(n, nil, func(m ast.Node, stack []ast.Node) bool {
		id, ok := m.(*ast.Ident)
		if !ok {
			return true
		}
		v, _ := r.info.Uses[id].(*types.Var)
		if u := uses[v]; u != nil {
			u.count++
			r.noteUse(u, id, stack, parts)
		}
		return true
	})
	for v, u := range parts {
		u.updated = u.updated || r.updatesPart(n, v)
	}
	return uses
}

// noteUse notes the use of an array at the identifier id, which the stack leads to.
func (r *rewriter) noteUse(u *arrayUse, id *ast.Ident, stack []ast.Node, parts map[*types.Var]*arrayUse) {
	var of ast.Expr = id
	parent := func() ast.Node {
		for len(stack) > 0 {
			p := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			paren, ok := p.(*ast.ParenExpr)
			if !ok {
				return p
			}
			of = paren
		}
		return nil
	}
	switch p := parent().(type) {
	case *ast.IndexExpr:
		u.whole = u.whole || p.X != of
	case *ast.RangeStmt:
		u.whole = u.whole || p.X != of || p.Value != nil && !isBlank(p.Value)
	case *ast.CallExpr:
		if isBuiltin(r.info, p, "len") || isBuiltin(r.info, p, "cap") {
			u.lengths = append(u.lengths, p)
			return
		}
		u.whole = true
	case *ast.SliceExpr:
		if p.X != of {
			u.whole = true
			return
		}
		of = p
		switch q := parent().(type) {
		case *ast.AssignStmt:
			for i, e := range q.Rhs {
				if id, ok := q.Lhs[min(i, len(q.Lhs)-1)].(*ast.Ident); ok && e == of && len(q.Lhs) == len(q.Rhs) {
					if v, ok := r.info.ObjectOf(id).(*types.Var); ok {
						parts[v] = u
					}
				}
			}
		case *ast.CallExpr:
			id := calleeIdent(q)
			f, ok := r.info.Uses[id].(*types.Func)
			u.updated = u.updated || id != nil && ok && f.Pkg() == r.pkg
		}
	default:
		u.whole = true
	}
}

// updatesPart reports whether n assigns elements of the slice v, or gives it to a function that may.
func (r *rewriter) updatesPart(n ast.Node, v *types.Var) bool {
	found := false
	element := func(e ast.Expr) bool {
		x, ok := ast.Unparen(e).(*ast.IndexExpr)
		return ok && variable(r.info, x.X) == v
	}
	ast.Inspect(n, func(m ast.Node) bool {
		switch m := m.(type) {
		case *ast.AssignStmt:
			for _, e := range m.Lhs {
				found = found || element(e)
			}
		case *ast.IncDecStmt:
			found = found || element(m.X)
		case *ast.CallExpr:
			id := calleeIdent(m)
			if id != nil {
				switch f := r.info.Uses[id].(type) {
				case *types.Builtin:
					if f.Name() != "copy" && f.Name() != "clear" {
						return true
					}
				case *types.Func:
					if f.Pkg() != nil && f.Pkg().Path() == opsPath { // operators read what they get
						return true
					}
				}
			}
			for _, e := range m.Args {
				found = found || mentions(r.info, e, map[*types.Var]bool{v: true})
			}
		}
		return !found
	})
	return found
}
