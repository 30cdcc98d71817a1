package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// Note [Fields that get rows]
//
//	g := grid{seed: 1}                       g := grid{seed: 1}
//	for _, row := range rows {               g.rows = make([][]int, len(rows))
//		g.rows = append(g.rows, f(row))  →   for i, row := range rows {
//	}                                            g.rows[i] = f(row)
//	                                         }
//
// A field of a struct that the function has just made is empty, and gets one row a turn: so there are as many in the
// end. A loop that makes the rows of a slice, each turn its own, is one that lowering knows.

// fieldRows rewrites the loops of all functions that Note [Fields that get rows] is about.
func (r *rewriter) fieldRows(files []*ast.File) bool {
	written := map[*types.Var]ast.Expr{} // how the types of fields are written
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			if s, ok := n.(*ast.StructType); ok {
				for _, field := range s.Fields.List {
					for _, id := range field.Names {
						if v, ok := r.info.Defs[id].(*types.Var); ok {
							written[v] = field.Type
						}
					}
				}
			}
			return true
		})
	}
	for _, fd := range functions(files) {
		lists(fd.Body, func(list []ast.Stmt, _ token.Pos) (out []ast.Stmt) {
			for i, s := range list {
				if loop, ok := s.(*ast.RangeStmt); ok {
					out = append(out, r.rowsByTurns(fd, list[:i], loop, written)...)
				}
				out = append(out, s)
			}
			return out
		})
	}
	return r.changed
}

// rowsByTurns rewrites what a loop appends to fields, and returns the statements that make these before it.
func (r *rewriter) rowsByTurns(fd *ast.FuncDecl, before []ast.Stmt, loop *ast.RangeStmt,
	written map[*types.Var]ast.Expr) (made []ast.Stmt) {

	x := variable(r.info, loop.X)
	if x == nil || !isSlice(x.Type()) || loop.Tok == token.ASSIGN || returns(loop.Body) ||
		!r.predeclared(loop.Pos(), "make", "len") || r.changes(loop.Body, x) || inLiterals(r.info, fd.Body, x) {
		return nil
	}
	key, _ := loop.Key.(*ast.Ident)
	if key != nil && key.Name != "_" {
		if v, ok := r.info.Defs[key].(*types.Var); !ok || r.changes(loop.Body, v) {
			return nil
		}
	}
	for _, s := range loop.Body.List {
		if leavesLoop(s) {
			return nil
		}
		a, ok := s.(*ast.AssignStmt)
		if !ok || a.Tok != token.ASSIGN || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
			continue
		}
		call, ok := ast.Unparen(a.Rhs[0]).(*ast.CallExpr)
		if !ok || !isBuiltin(r.info, call, "append") || len(call.Args) != 2 || call.Ellipsis.IsValid() || text(call.Args[0]) != text(a.Lhs[0]) {
			continue
		}
		p := r.slicePath(a.Lhs[0])
		if p == nil || len(p.fields) != 1 || flatElements(p.slice) || !r.justMade(fd, before, p) {
			continue
		}
		t, ok := written[p.fields[0]].(*ast.ArrayType)
		uses, others := r.fieldUses(loop.Body.List, p)
		if !ok || !r.meansSame(t.Elt, loop.For) || uses != others+2 { // the two in the call and the assignment
			continue
		}
		if key == nil || key.Name == "_" {
			key = name(unusedName(fd, "at"), loop.For)
			loop.Key, loop.Tok = key, token.DEFINE
		}
		pos := a.Pos()
		made = append(made, set(r.again(a.Lhs[0], loop.For), token.ASSIGN,
			callTo("make", loop.For, &ast.ArrayType{Lbrack: loop.For, Elt: t.Elt}, callTo("len", loop.For, r.again(loop.X, loop.For))), loop.For))
		a.Lhs[0] = &ast.IndexExpr{X: a.Lhs[0], Lbrack: pos, Index: name(key.Name, pos), Rbrack: pos}
		a.Rhs[0] = call.Args[1]
		r.changed = true
	}
	return made
}

// justMade reports whether the last of the statements that declare the variable of p makes a struct without that field,
// and nothing behind it but other fields of the struct is named.
func (r *rewriter) justMade(fd *ast.FuncDecl, before []ast.Stmt, p *slicePath) bool {
	at := slices.IndexFunc(before, func(s ast.Stmt) bool { return r.declaresAmong(s, p.root) })
	if at < 0 || inLiterals(r.info, fd.Body, p.root) {
		return false
	}
	switch s := before[at].(type) {
	case *ast.AssignStmt:
		if len(s.Lhs) != 1 || len(s.Rhs) != 1 {
			return false
		}
		e := ast.Unparen(s.Rhs[0])
		if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
			e = ast.Unparen(u.X)
		}
		lit, ok := e.(*ast.CompositeLit)
		if !ok || slices.ContainsFunc(lit.Elts, func(e ast.Expr) bool {
			kv, keyed := e.(*ast.KeyValueExpr)
			return !keyed || r.namesField(kv.Key, p)
		}) {
			return false
		}
	case *ast.DeclStmt:
		if spec, ok := s.Decl.(*ast.GenDecl).Specs[0].(*ast.ValueSpec); !ok || len(spec.Values) > 0 || isPointer(p.root.Type()) {
			return false
		}
	default:
		return false
	}
	uses, others := r.fieldUses(before[at+1:], p)
	return uses == others
}

// fieldUses is how often statements name the variable of p, or take an address by it, and how often for other fields
// than that of p.
func (r *rewriter) fieldUses(list []ast.Stmt, p *slicePath) (uses, others int) {
	for _, s := range list {
		ast.Inspect(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				if r.info.Uses[n] == types.Object(p.root) {
					uses++
				}
			case *ast.SelectorExpr:
				sel := r.info.Selections[n]
				if variable(r.info, n.X) == p.root && sel != nil && sel.Kind() == types.FieldVal && !r.namesField(n.Sel, p) {
					others++
				}
			case *ast.UnaryExpr: // by whose address something may be changed
				if n.Op == token.AND && mentions(r.info, n.X, map[*types.Var]bool{p.root: true}) {
					uses++
				}
			}
			return true
		})
	}
	return uses, others
}

// namesField reports whether n names the last field of p.
func (r *rewriter) namesField(n ast.Node, p *slicePath) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		v, isVar := r.info.Uses[id].(*types.Var)
		found = found || ok && isVar && v.Origin() == p.fields[0]
		return !found
	})
	return found
}
