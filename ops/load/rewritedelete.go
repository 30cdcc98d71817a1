package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// deletions rewrites, in loops, a slice of the function's that elements are taken from in each turn,
//
//	alive = slices.DeleteFunc(alive, dead)
//
// to the loop that does it where the slice lies, which lowering knows in loops:
//
//	{
//		kept := 0
//		for _, element := range alive {
//			if !dead(element) {
//				alive[kept] = element
//				kept++
//			}
//		}
//		alive = alive[:kept]
//	}
//
// The function is called as often, in the same order, and looks at no elements of the slice but those that it is given.
// What lies behind the slice then is not zero, which only a longer part of it could tell.
func (r *rewriter) deletions(fd *ast.FuncDecl) {
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		body, _ := loopParts(asStmt(n))
		if body == nil {
			return true
		}
		lists(body, func(list []ast.Stmt, _ token.Pos) []ast.Stmt {
			for i, s := range list {
				v, drops := r.deletion(s)
				if v == nil || within(body, v.Pos()) || r.tellsRoom(fd, v) {
					continue
				}
				list[i] = r.kept(fd, v, drops, s.Pos())
				r.changed = true
			}
			return list
		})
		return true
	})
}

// deletion returns v and f in v = slices.DeleteFunc(v, f), of a slice of the function's, and a function with a name or
// a literal; nil for others.
func (r *rewriter) deletion(s ast.Stmt) (v *types.Var, drops ast.Expr) {
	a, ok := s.(*ast.AssignStmt)
	if !ok || a.Tok != token.ASSIGN || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
		return nil, nil
	}
	call, ok := ast.Unparen(a.Rhs[0]).(*ast.CallExpr)
	if !ok || len(call.Args) != 2 || !r.isCallOf(call, "slices", "DeleteFunc") {
		return nil, nil
	}
	v = variable(r.info, a.Lhs[0])
	if v == nil || !r.own[v] || variable(r.info, call.Args[0]) != v || !flatElements(v.Type()) {
		return nil, nil
	}
	switch f := ast.Unparen(call.Args[1]).(type) {
	case *ast.FuncLit:
		if !mentions(r.info, f, map[*types.Var]bool{v: true}) { // which has moved less then
			return v, f
		}
	case *ast.Ident:
		if _, declared := r.info.Uses[f].(*types.Func); declared {
			return v, f
		}
	}
	return nil, nil
}

// kept is the block that leaves in v what a function does not drop.
func (r *rewriter) kept(fd *ast.FuncDecl, v *types.Var, drops ast.Expr, pos token.Pos) ast.Stmt {
	count, element := unusedName(fd, "kept"), unusedName(fd, "element")
	block := &ast.BlockStmt{Lbrace: pos, Rbrace: pos}
	if _, literal := drops.(*ast.FuncLit); literal {
		f := unusedName(fd, "drops")
		block.List = append(block.List, set(name(f, pos), token.DEFINE, drops, pos))
		drops = name(f, pos)
	}
	stays := &ast.UnaryExpr{OpPos: pos, Op: token.NOT, X: &ast.CallExpr{Fun: drops, Lparen: pos, Args: []ast.Expr{name(element, pos)}, Rparen: pos}}
	at := &ast.IndexExpr{X: name(v.Name(), pos), Lbrack: pos, Index: name(count, pos), Rbrack: pos}
	moves := &ast.BlockStmt{Lbrace: pos, Rbrace: pos, List: []ast.Stmt{
		set(at, token.ASSIGN, name(element, pos), pos),
		&ast.IncDecStmt{X: name(count, pos), TokPos: pos, Tok: token.INC},
	}}
	loop := &ast.RangeStmt{For: pos, Key: name("_", pos), Value: name(element, pos), TokPos: pos, Tok: token.DEFINE, X: name(v.Name(), pos),
		Body: &ast.BlockStmt{Lbrace: pos, Rbrace: pos, List: []ast.Stmt{&ast.IfStmt{If: pos, Cond: stays, Body: moves}}}}
	cut := &ast.SliceExpr{X: name(v.Name(), pos), Lbrack: pos, High: name(count, pos), Rbrack: pos}
	block.List = slices.Concat([]ast.Stmt{set(name(count, pos), token.DEFINE, number("0", pos), pos)}, block.List,
		[]ast.Stmt{loop, set(name(v.Name(), pos), token.ASSIGN, cut, pos)})
	return block
}
