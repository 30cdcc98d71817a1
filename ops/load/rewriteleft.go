package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
)

// Note [Exits before an exchange]
//
// A loop that is left before what ends its turns, an exchange of slices,
//
//	for round < most {
//		…
//		if changed == 0 {
//			break
//		}
//		now, next = next, now
//	}
//
// exchanges them in some turns only, so that lowering does not know which is which. It is the loop
//
//	left := false
//	for round < most {
//		…
//		left = changed == 0
//		now, next = next, now
//		if left {
//			break
//		}
//	}
//	if left {
//		now, next = next, now
//	}
//
// where each turn that comes so far exchanges them. What else the condition does before it leaves the loop stays before
// the exchange, and what it returns is returned behind the loop.

// exitsLast rewrites the loops that Note [Exits before an exchange] is about.
func (r *rewriter) exitsLast(fd *ast.FuncDecl) {
	lists(fd.Body, func(list []ast.Stmt, _ token.Pos) []ast.Stmt {
		var out []ast.Stmt
		for _, s := range list {
			body, _ := loopParts(s)
			if body == nil {
				out = append(out, s)
				continue
			}
			before, after := r.exitLast(fd, s, body)
			out = append(append(append(out, before...), s), after...)
		}
		return out
	})
}

// exitLast rewrites the body of a loop, and returns what comes before and behind it; nothing if it is no such loop.
func (r *rewriter) exitLast(fd *ast.FuncDecl, loop ast.Stmt, body *ast.BlockStmt) (before, after []ast.Stmt) {
	n := len(body.List)
	if n < 2 || outOfOrder(fd.Body) {
		return nil, nil
	}
	exit, isIf := body.List[n-2].(*ast.IfStmt)
	exchange, isSet := body.List[n-1].(*ast.AssignStmt)
	if !isIf || !isSet || exit.Init != nil || exit.Else != nil || len(exit.Body.List) == 0 || !isBool(r.info.TypeOf(exit.Cond)) ||
		!r.ownSlices(fd, exchange) || slices.ContainsFunc(exchange.Lhs, func(e ast.Expr) bool { return r.namesInside(loop, e) }) {
		return nil, nil
	}
	last := exit.Body.List[len(exit.Body.List)-1]
	var back []ast.Stmt // behind the loop, if it was left here
	switch leave := last.(type) {
	case *ast.BranchStmt:
		if leave.Tok != token.BREAK || leave.Label != nil {
			return nil, nil
		}
	case *ast.ReturnStmt:
		if slices.ContainsFunc(leave.Results, func(e ast.Expr) bool { return r.namesInside(loop, e) }) {
			return nil, nil
		}
		back = append(back, leave)
		last = &ast.BranchStmt{TokPos: leave.Pos(), Tok: token.BREAK}
	default:
		return nil, nil
	}
	if jumpsTo(exit.Body.List[:len(exit.Body.List)-1], token.BREAK, "") ||
		jumpsTo(exit.Body.List[:len(exit.Body.List)-1], token.CONTINUE, "") {
		return nil, nil
	}
	r.changed = true
	r.lefts++ // what has been made is in no list yet
	left := unusedName(fd, "left"+strconv.Itoa(r.lefts))
	pos, end := exit.Pos(), loop.End()
	if rest := exit.Body.List[:len(exit.Body.List)-1]; len(rest) > 0 {
		done := &ast.IfStmt{If: pos, Cond: name(left, pos), Body: &ast.BlockStmt{Lbrace: exit.Body.Lbrace, List: rest, Rbrace: exit.Body.Rbrace}}
		body.List = append(body.List[:n-2:n-2], set(name(left, pos), token.ASSIGN, exit.Cond, pos), done, exchange)
	} else {
		body.List = append(body.List[:n-2:n-2], set(name(left, pos), token.ASSIGN, exit.Cond, pos), exchange)
	}
	body.List = append(body.List, &ast.IfStmt{If: exchange.End(), Cond: name(left, exchange.End()),
		Body: &ast.BlockStmt{Lbrace: exchange.End(), List: []ast.Stmt{last}, Rbrace: exchange.End()}})
	again := &ast.AssignStmt{Lhs: namesAt(exchange.Lhs, end), TokPos: end, Tok: token.ASSIGN, Rhs: namesAt(exchange.Rhs, end)}
	again.Lhs, again.Rhs = again.Rhs, again.Lhs // the way back
	behind := &ast.IfStmt{If: end, Cond: name(left, end), Body: &ast.BlockStmt{Lbrace: end, List: append([]ast.Stmt{again}, back...), Rbrace: end}}
	return []ast.Stmt{set(name(left, loop.Pos()), token.DEFINE, name("false", loop.Pos()), loop.Pos())}, []ast.Stmt{behind}
}

// ownSlices reports whether a statement exchanges slices that the function itself declares.
func (r *rewriter) ownSlices(fd *ast.FuncDecl, s *ast.AssignStmt) bool {
	if _, _, ok := permutation(r.info, s); !ok {
		return false
	}
	return !slices.ContainsFunc(s.Lhs, func(e ast.Expr) bool {
		v := variable(r.info, e)
		return v == nil || !isSlice(v.Type()) || !within(fd.Body, v.Pos())
	})
}

// isBool reports whether t is bool itself, and no other type of that kind.
func isBool(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

// namesInside reports whether e has the name of something that a loop declares.
func (r *rewriter) namesInside(loop ast.Stmt, e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			obj := r.info.Uses[id]
			found = found || obj != nil && within(loop, obj.Pos())
		}
		return !found
	})
	return found
}
