package load

import (
	"go/ast"
	"go/token"
	"go/types"
)

// exchangesApart rewrites an exchange of slices that assigns other variables besides,
//
//	prev, cur, least = cur, prev, next
//
// to two statements: prev, cur = cur, prev, and least = next. What else is assigned uses none of the slices.
func (r *rewriter) exchangesApart(fd *ast.FuncDecl) {
	lists(fd.Body, func(list []ast.Stmt, _ token.Pos) []ast.Stmt {
		var out []ast.Stmt
		for _, s := range list {
			if a, ok := s.(*ast.AssignStmt); ok {
				if slices, others := r.apart(a); others != nil {
					out, r.changed = append(out, slices, others), true
					continue
				}
			}
			out = append(out, s)
		}
		return out
	})
}

// apart divides an assignment into that of slices by the names of others, two at least, and the rest; nil if it has no
// such parts, or they need each other.
func (r *rewriter) apart(a *ast.AssignStmt) (slices, others *ast.AssignStmt) {
	if a.Tok != token.ASSIGN || len(a.Lhs) < 3 || len(a.Lhs) != len(a.Rhs) {
		return nil, nil
	}
	slices, others = &ast.AssignStmt{Tok: a.Tok, TokPos: a.TokPos}, &ast.AssignStmt{Tok: a.Tok, TokPos: a.TokPos}
	assigned := map[*types.Var]bool{}
	for i, x := range a.Lhs {
		v, from, part := variable(r.info, x), variable(r.info, a.Rhs[i]), others
		if v == nil || isGlobal(v) {
			return nil, nil
		}
		if isSlice(v.Type()) {
			if from == nil {
				return nil, nil
			}
			part, assigned[v] = slices, true
		}
		part.Lhs, part.Rhs = append(part.Lhs, x), append(part.Rhs, a.Rhs[i])
	}
	if len(slices.Lhs) < 2 || len(others.Lhs) == 0 {
		return nil, nil
	}
	for _, x := range others.Rhs {
		if mayCall(r.info, x) || mentions(r.info, x, assigned) {
			return nil, nil
		}
	}
	return slices, others
}
