package load

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Note [Parts of rows]
//
//	for i, row := range rows[a:b] { row[0] = … }
//
// assigns elements of rows under another name than theirs. It becomes
//
//	lo, hi := a, b
//	if lo < 0 || lo > hi || hi > len(rows) { panic(…) }
//	for i := range hi - lo { row := rows[lo+i]; row[0] = … }
//
// where the loop does not replace rows.

// parts rewrites the loops of a function that Note [Parts of rows] is about.
func (r *rewriter) parts(fd *ast.FuncDecl) {
	lists(fd.Body, func(list []ast.Stmt, _ token.Pos) []ast.Stmt {
		for i, s := range list {
			if loop, ok := s.(*ast.RangeStmt); ok {
				if s := r.overPart(fd, loop); s != nil {
					r.changed = true
					list[i] = s
				}
			}
		}
		return list
	})
}

// overPart is what a loop becomes, nil if it is none over a part of rows whose elements it assigns.
func (r *rewriter) overPart(fd *ast.FuncDecl, loop *ast.RangeStmt) ast.Stmt {
	part, ok := ast.Unparen(loop.X).(*ast.SliceExpr)
	if !ok || part.Slice3 || loop.Tok != token.DEFINE || loop.Value == nil || isBlank(loop.Value) {
		return nil
	}
	x := variable(r.info, part.X)
	id, _ := loop.Value.(*ast.Ident)
	row, isVar := r.info.Defs[id].(*types.Var)
	if x == nil || !isSlice(x.Type()) || !isVar || !isSlice(row.Type()) || !r.keeps(fd, loop, x) || !r.setsElements(loop.Body, row) {
		return nil
	}
	pos := loop.Pos()
	if !r.predeclared(loop.Body.Pos(), "int", "len", "panic") {
		return nil
	}
	var before []ast.Stmt
	bound := func(e ast.Expr, base string) ast.Expr {
		e = callTo("int", pos, e)
		if _, constant := intConst(r.info, e.(*ast.CallExpr).Args[0]); constant {
			return e
		}
		v := unusedName(fd, base)
		before = append(before, set(name(v, pos), token.DEFINE, e, pos))
		return name(v, pos)
	}
	binary := func(x ast.Expr, op token.Token, y ast.Expr) ast.Expr {
		return &ast.BinaryExpr{X: x, Op: op, OpPos: pos, Y: y}
	}
	rows := func() ast.Expr { return name(x.Name(), pos) }
	zero := number("0", pos)
	var lo, hi ast.Expr = zero, callTo("len", pos, rows())
	if part.Low != nil {
		lo = bound(part.Low, "low")
	}
	if part.High != nil {
		hi = bound(part.High, "high")
	}
	wrong := binary(binary(lo, token.LSS, zero), token.LOR, binary(lo, token.GTR, hi))
	wrong = binary(wrong, token.LOR, binary(hi, token.GTR, callTo("len", pos, rows())))
	fails := &ast.ExprStmt{X: callTo("panic", pos, &ast.BasicLit{Kind: token.STRING, Value: `"slice bounds out of range"`, ValuePos: pos})}
	before = append(before, &ast.IfStmt{If: pos, Cond: wrong, Body: &ast.BlockStmt{Lbrace: pos, List: []ast.Stmt{fails}, Rbrace: pos}})
	i, ok := loop.Key.(*ast.Ident)
	if !ok || isBlank(i) {
		i = name(unusedName(fd, "turn"), pos)
	}
	if i.Name == x.Name() {
		return nil
	}
	at := &ast.IndexExpr{X: rows(), Lbrack: pos, Index: binary(lo, token.ADD, name(i.Name, pos)), Rbrack: pos}
	body := &ast.BlockStmt{Lbrace: loop.Body.Lbrace, List: append([]ast.Stmt{set(id, token.DEFINE, at, pos)}, loop.Body.List...), Rbrace: loop.Body.Rbrace}
	counted := &ast.RangeStmt{For: pos, Key: i, TokPos: pos, Tok: token.DEFINE, Range: pos, X: binary(hi, token.SUB, lo), Body: body}
	return &ast.BlockStmt{Lbrace: pos, List: append(before, counted), Rbrace: loop.End()}
}

// setsElements reports whether a body assigns elements of v, by its name.
func (r *rewriter) setsElements(body *ast.BlockStmt, v *types.Var) bool {
	found := false
	element := func(e ast.Expr) bool { // or a part of one
		inside := false
		for {
			switch x := ast.Unparen(e).(type) {
			case *ast.IndexExpr:
				e, inside = x.X, true
			case *ast.SelectorExpr:
				e = x.X
			default:
				return inside && variable(r.info, e) == v
			}
		}
	}
	slice := func(e ast.Expr) bool { // or a part of it
		if part, ok := ast.Unparen(e).(*ast.SliceExpr); ok {
			e = part.X
		}
		return variable(r.info, e) == v
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				found = found || element(e)
			}
		case *ast.IncDecStmt:
			found = found || element(n.X)
		case *ast.CallExpr:
			changes := isBuiltin(r.info, n, "copy") || isBuiltin(r.info, n, "clear")
			found = found || changes && slice(n.Args[0])
		}
		return !found
	})
	return found
}
