package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// Note [Beginnings of scratch]
//
// A buffer of which each turn uses the beginning alone need not have a name for that,
//
//	scores := make([]float64, n)
//	for i := 0; i < n; i++ {
//		for j := 0; j <= i; j++ {
//			scores[j] = …
//		}
//		softmax(scores[:i+1])
//		…
//	}
//
// It gets one, scoresPart := scores[:i+1], so that it is a part as in Note [Parts of scratch]. All elements and parts
// that the turn uses are known to be in it, and it is known to be one of the buffer: i is at least 0, and less than n.

// beginnings rewrites the loops of a function that Note [Beginnings of scratch] is about.
func (r *rewriter) beginnings(fd *ast.FuncDecl) {
	if outOfOrder(fd.Body) {
		return
	}
	lists(fd.Body, func(list []ast.Stmt, _ token.Pos) []ast.Stmt {
		for k, s := range list {
			b := r.scratch(s)
			if b == nil || b.length == nil || inLiterals(r.info, fd.Body, b.v) {
				continue
			}
			b.behind = list[k+1:]
			loop := r.onlyWith(b.behind, b.v)
			body, header := loopParts(loop)
			if body == nil || slices.ContainsFunc(header, func(n ast.Node) bool { return hasName(n, b.v.Name()) }) {
				continue
			}
			if end := r.beginningOf(fd, b, loop, body); end != nil {
				r.nameBeginning(fd, b, body, end)
			}
		}
		return list
	})
}

// beginningOf is where the beginning of a buffer ends that the turns of a loop use, nil if that is not known.
func (r *rewriter) beginningOf(fd *ast.FuncDecl, b *scratch, loop ast.Stmt, body *ast.BlockStmt) ast.Expr {
	var end ast.Expr
	uses(body, func(id *ast.Ident, st []ast.Node) {
		if part, ok := st[len(st)-2].(*ast.SliceExpr); ok && end == nil && variable(r.info, id) == b.v && part.X == ast.Expr(id) && part.High != nil {
			end = part.High
		}
	})
	if end == nil || callsAny(end) || r.usesWithin(body, end) {
		return nil
	}
	f := &filling{r: r, fd: fd, v: b.v, behind: b.behind}
	counter, limit := f.staysBelow(loop)
	all := f.sum(b.length)
	if counter == nil || all == nil || !f.isSteady(b.length) || !r.fromNone(loop) {
		return nil
	}
	over, ok := f.sum(end).minus(sum{f.key(counter): 1}) // by which it is more than the counter
	less, ok2 := all.minus(limit)                        // by which the buffer is longer than there are turns
	if !ok || !ok2 || over < 0 || over-1 > less {
		return nil
	}
	f.length, f.counts = f.sum(end), map[*types.Var]bool{counter: true}
	if !f.amongFirst(body) {
		return nil
	}
	return end
}

// usesWithin reports whether an expression has a variable that a body declares or assigns.
func (r *rewriter) usesWithin(body *ast.BlockStmt, e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			v, isVar := r.info.Uses[id].(*types.Var)
			found = found || isVar && (within(body, v.Pos()) || r.changes(body, v))
		}
		return !found
	})
	return found
}

// fromNone reports whether a loop counts from 0, or from a constant above that.
func (r *rewriter) fromNone(loop ast.Stmt) bool {
	s, ok := loop.(*ast.ForStmt)
	if !ok {
		return true
	}
	first, ok := intConst(r.info, s.Init.(*ast.AssignStmt).Rhs[0])
	step, counts := s.Post.(*ast.IncDecStmt)
	return ok && first >= 0 && counts && step.Tok == token.INC
}

// nameBeginning gives the beginning of a buffer a name in a turn, which is used in place of it.
func (r *rewriter) nameBeginning(fd *ast.FuncDecl, b *scratch, body *ast.BlockStmt, end ast.Expr) {
	r.changed = true
	of := unusedName(fd, b.v.Name()+"Part")
	uses(body, func(id *ast.Ident, _ []ast.Node) {
		if variable(r.info, id) == b.v {
			id.Name = of
		}
	})
	pos := body.Lbrace
	part := &ast.SliceExpr{X: name(b.v.Name(), pos), Lbrack: pos, High: copyOf(end), Rbrack: pos}
	body.List = append([]ast.Stmt{set(name(of, pos), token.DEFINE, part, pos)}, body.List...)
}
