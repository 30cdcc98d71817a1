package load

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/surge-ndp/surge/ops/ir"
)

// ifStmt lowers s, and says whether it has lowered rest, the statements behind s, as well.
func (l *lowerer) ifStmt(s *ast.IfStmt, rest []ast.Stmt) bool {
	l.stmt(s.Init)
	l.adoptUpdated(s)
	defer l.reserveBranches(s, rest)()
	forget := l.callsFirst(s.Cond)
	cond := l.expr(s.Cond)
	forget()
	if cond.bad || len(cond.atoms) != 1 {
		return false
	}
	var els []ast.Stmt
	if s.Else != nil {
		els = []ast.Stmt{s.Else}
	}
	return l.branch(s.Pos(), cond.atoms[0], s.Body.List, func(rest []ast.Stmt) bool { l.run(join(els, rest)); return true }, rest)
}

// branch lowers a choice: then if cond holds, els otherwise. els takes statements to lower behind its own, and says
// whether it did. branch itself says whether it has lowered rest.
func (l *lowerer) branch(pos token.Pos, cond ir.Atom, then []ast.Stmt, els func(rest []ast.Stmt) bool, rest []ast.Stmt) bool {
	if c, ok := cond.(ir.Const); ok {
		if c.Bits != 0 {
			l.run(join(then, rest))
			return true
		}
		return els(rest)
	}
	t := l.arm(func() { l.run(then) })
	if l.isDead(t) {
		e := l.arm(func() {
			if !els(rest) {
				l.run(rest)
			}
		})
		l.join(pos, cond, t, e)
		return true
	}
	e := l.arm(func() { els(nil) })
	if l.isDead(e) {
		l.resume(t, func() { l.run(rest) })
		l.join(pos, cond, t, e)
		return true
	}
	l.join(pos, cond, t, e)
	return false
}

// switchStmt lowers s as a chain of conditions; see ifStmt.
func (l *lowerer) switchStmt(s *ast.SwitchStmt, rest []ast.Stmt) bool {
	label := l.takeLabel()
	l.stmt(s.Init)
	l.adoptUpdated(s)
	defer l.reserveBranches(s, rest)()
	var tag *value
	if s.Tag != nil {
		v := l.expr(s.Tag)
		if v.bad {
			return false
		}
		tag = &v
	}
	var clauses []*ast.CaseClause
	var otherwise []ast.Stmt
	breaks := false
	for _, c := range fallsThrough(s.Body.List) {
		c.Body = withoutBreak(c.Body)
		breaks = breaks || jumpsTo(c.Body, token.BREAK, label)
		if c.List == nil {
			otherwise = c.Body
		} else {
			clauses = append(clauses, c)
		}
	}
	var chain func(i int, rest []ast.Stmt) bool
	chain = func(i int, rest []ast.Stmt) bool {
		if i == len(clauses) {
			l.run(join(otherwise, rest))
			return true
		}
		c := clauses[i]
		cond, ok := l.caseCond(c, tag, s.Tag)
		if !ok {
			return false
		}
		return l.branch(c.Pos(), cond, c.Body, func(rest []ast.Stmt) bool { return chain(i+1, rest) }, rest)
	}
	if !breaks {
		return chain(0, rest)
	}
	broke := l.push("broke", label)
	chain(0, nil)
	l.pop(broke)
	return false
}

// fallsThrough returns the cases of a switch. Where one falls through, what follows in the next one is a part of it.
func fallsThrough(list []ast.Stmt) []*ast.CaseClause {
	out := make([]*ast.CaseClause, len(list))
	for i := len(list) - 1; i >= 0; i-- {
		c, ok := list[i].(*ast.CaseClause)
		if !ok {
			c = &ast.CaseClause{}
		}
		out[i] = &ast.CaseClause{Case: c.Case, List: c.List, Body: c.Body}
		if n := len(c.Body); n > 0 && i+1 < len(out) {
			if b, ok := c.Body[n-1].(*ast.BranchStmt); ok && b.Tok == token.FALLTHROUGH {
				out[i].Body = join(c.Body[:n-1], []ast.Stmt{&ast.BlockStmt{List: out[i+1].Body}})
			}
		}
	}
	return out
}

// caseCond lowers the condition of a case: the tag equals one of its expressions, or one of them is true.
func (l *lowerer) caseCond(c *ast.CaseClause, tag *value, tagExpr ast.Expr) (ir.Atom, bool) {
	var cond ir.Atom
	for _, e := range c.List {
		one := func() (ir.Atom, bool) {
			v := l.expr(e)
			if tag != nil && !v.bad {
				v = l.binary(token.EQL, *tag, v, e.Pos(), tagExpr, e)
			}
			if v.bad || len(v.atoms) != 1 {
				return nil, false
			}
			return v.atoms[0], true
		}
		var ok bool
		if cond == nil {
			if cond, ok = one(); !ok {
				return nil, false
			}
			continue
		}
		if cond, ok = l.shortCircuit(token.LOR, cond, one, e.Pos()); !ok {
			return nil, false
		}
	}
	return cond, cond != nil
}

// assigned returns the variables that n assigns, without those of function literals, which assign only their own.
func assigned(info *types.Info, nodes ...ast.Node) map[*types.Var]bool {
	vars := map[*types.Var]bool{}
	add := func(e ast.Expr) {
		for {
			switch x := ast.Unparen(e).(type) {
			case *ast.SelectorExpr:
				e = x.X
				continue
			case *ast.IndexExpr:
				e = x.X
				continue
			case *ast.Ident:
				if v, ok := info.Uses[x].(*types.Var); ok {
					vars[v] = true
				}
			}
			return
		}
	}
	for _, n := range nodes {
		ast.Inspect(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.AssignStmt:
				for _, e := range n.Lhs {
					add(e)
				}
			case *ast.IncDecStmt:
				add(n.X)
			case *ast.RangeStmt:
				if n.Tok == token.ASSIGN {
					add(n.Key)
					if n.Value != nil {
						add(n.Value)
					}
				}
			}
			return true
		})
	}
	return vars
}

// intConst returns the value of an integer constant expression.
func intConst(info *types.Info, e ast.Expr) (int64, bool) {
	tv := info.Types[e]
	if tv.Value == nil {
		return 0, false
	}
	return constant.Int64Val(constant.ToInt(tv.Value))
}
