package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// placedRows puts the assignment of a row that a turn makes behind what fills it: of
//
//	row := make([]T, n)
//	out[i] = row
//	if c {
//		continue
//	}
//	row[j] = …
//
// the turn becomes
//
//	row := make([]T, n)
//	if !c {
//		row[j] = …
//	}
//	out[i] = row
//
// Nothing between names out, nor assigns row as a whole, nor what i is computed from, so that nobody sees the
// difference. So it is where each turn assigns the row in the end, in branches that continue as well as behind them.
func (r *rewriter) placedRows(fd *ast.FuncDecl) {
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		switch s := n.(type) {
		case *ast.ForStmt:
			r.placeRows(fd, s.Body)
		case *ast.RangeStmt:
			r.placeRows(fd, s.Body)
		}
		return true
	})
}

// placement is the statement x[i] = row.
type placement struct {
	x, i, row *types.Var
}

// placementOf recognises one, of a slice and a row that a function has as variables.
func (r *rewriter) placementOf(s ast.Stmt) *placement {
	a, ok := s.(*ast.AssignStmt)
	if !ok || a.Tok != token.ASSIGN || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
		return nil
	}
	index, ok := a.Lhs[0].(*ast.IndexExpr)
	if !ok || variable(r.info, index.Index) == nil {
		return nil
	}
	x, row := variable(r.info, index.X), variable(r.info, a.Rhs[0])
	if x == nil || row == nil || x == row || isGlobal(x) || isGlobal(row) || !isSlice(x.Type()) || !isSlice(row.Type()) {
		return nil
	}
	return &placement{x, variable(r.info, index.Index), row}
}

// same reports whether two statements assign the same row to the same place.
func (p *placement) same(q *placement) bool {
	return q != nil && *p == *q
}

// placed is another statement like a placement.
func (r *rewriter) placed(p *placement, pos token.Pos) ast.Stmt {
	use := func(v *types.Var) ast.Expr {
		id := name(v.Name(), pos)
		r.info.Uses[id] = v
		return id
	}
	at := &ast.IndexExpr{X: use(p.x), Lbrack: pos, Index: use(p.i), Rbrack: pos}
	return set(at, token.ASSIGN, use(p.row), pos)
}

// placeRows does so in the body of a loop.
func (r *rewriter) placeRows(fd *ast.FuncDecl, body *ast.BlockStmt) {
	for at := 0; at < len(body.List); at++ {
		p := r.placementOf(body.List[at])
		if p == nil || at == len(body.List)-1 || !r.declaredIn(body.List[:at], p.row) || !r.mayWait(fd, p, body.List[at+1:]) {
			continue
		}
		rest := body.List[at+1:]
		r.beforeContinue(rest, p)
		end := rest[len(rest)-1].End()
		body.List = append(slices.Concat(body.List[:at], rest), r.placed(p, end))
		r.changed = true
		at--
	}
	r.joinPlacements(body)
}

// declaredIn reports whether one of some statements declares a row, alone.
func (r *rewriter) declaredIn(list []ast.Stmt, row *types.Var) bool {
	return slices.ContainsFunc(list, func(s ast.Stmt) bool { return declares(r.info, s, row) })
}

// mayWait reports whether a placement may come behind some statements: these fill the row, and see nothing else of it.
func (r *rewriter) mayWait(fd *ast.FuncDecl, p *placement, rest []ast.Stmt) bool {
	if r.hasOtherNames(fd, p.x) || inLiterals(r.info, fd.Body, p.x) || inLiterals(r.info, fd.Body, p.row) || r.usesAny(rest, p.x) || !r.usesAny(rest, p.row) {
		return false
	}
	of := map[*types.Var]bool{p.row: true, p.i: true}
	named := slices.ContainsFunc(resultVars(r.info, fd), func(v *types.Var) bool { return v == p.x })
	ok := !shadowed(rest, p.x.Name(), p.i.Name(), p.row.Name())
	assigned := func(e ast.Expr) {
		ok = ok && !of[variable(r.info, e)]
	}
	for _, s := range rest {
		ast.Inspect(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for _, e := range n.Lhs {
					assigned(e)
				}
			case *ast.IncDecStmt:
				assigned(n.X)
			case *ast.RangeStmt:
				if n.Tok == token.ASSIGN {
					assigned(n.Key)
					if n.Value != nil {
						assigned(n.Value)
					}
				}
			case *ast.UnaryExpr:
				ok = ok && (n.Op != token.AND || !of[variable(r.info, n.X)])
			case *ast.BranchStmt:
				ok = ok && n.Label == nil && n.Tok != token.GOTO
			case *ast.ReturnStmt:
				ok = ok && !(named && len(n.Results) == 0)
			}
			return ok
		})
	}
	return ok && !jumpsTo(rest, token.BREAK, "")
}

// hasOtherNames reports whether a use of x in a function may be that of the slice as a whole, which gives it another
// name.
func (r *rewriter) hasOtherNames(fd *ast.FuncDecl, x *types.Var) (found bool) {
	uses(fd.Body, func(id *ast.Ident, stack []ast.Node) {
		if found || r.info.Uses[id] != types.Object(x) {
			return
		}
		found = true
		switch p := stack[len(stack)-2].(type) {
		case *ast.IndexExpr:
			found = p.X != id
		case *ast.CallExpr:
			found = !isBuiltin(r.info, p, "len") && !isBuiltin(r.info, p, "cap")
		case *ast.RangeStmt:
			found = p.X != id
		case *ast.AssignStmt:
			found = !slices.Contains(p.Lhs, ast.Expr(id))
		case *ast.ReturnStmt:
			found = false
		}
	})
	return found
}

// shadowed reports whether statements declare one of some names anew.
func shadowed(list []ast.Stmt, names ...string) (found bool) {
	for _, s := range list {
		ast.Inspect(s, func(n ast.Node) bool {
			var declared []ast.Expr
			switch n := n.(type) {
			case *ast.AssignStmt:
				if n.Tok == token.DEFINE {
					declared = n.Lhs
				}
			case *ast.RangeStmt:
				if n.Tok == token.DEFINE {
					declared = []ast.Expr{n.Key, n.Value}
				}
			case *ast.ValueSpec:
				for _, id := range n.Names {
					declared = append(declared, id)
				}
			}
			for _, e := range declared {
				id, ok := e.(*ast.Ident)
				found = found || ok && slices.Contains(names, id.Name)
			}
			return !found
		})
	}
	return found
}

// resultVars are the named results of a function.
func resultVars(info *types.Info, fd *ast.FuncDecl) (vars []*types.Var) {
	if fd.Type.Results == nil {
		return nil
	}
	for _, f := range fd.Type.Results.List {
		for _, id := range f.Names {
			if v, ok := info.Defs[id].(*types.Var); ok {
				vars = append(vars, v)
			}
		}
	}
	return vars
}

// beforeContinue puts the placement in front of what ends the turn early.
func (r *rewriter) beforeContinue(list []ast.Stmt, p *placement) {
	for _, s := range list {
		ast.Inspect(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit, *ast.ForStmt, *ast.RangeStmt:
				return false
			case *ast.BlockStmt:
				n.List = r.withPlacement(n.List, p)
			case *ast.CaseClause:
				n.Body = r.withPlacement(n.Body, p)
			}
			return true
		})
	}
}

func (r *rewriter) withPlacement(list []ast.Stmt, p *placement) []ast.Stmt {
	n := len(list)
	if n == 0 {
		return list
	}
	if b, ok := list[n-1].(*ast.BranchStmt); ok && b.Tok == token.CONTINUE {
		return append(slices.Clone(list[:n-1]), r.placed(p, b.Pos()), b)
	}
	return list
}

// joinPlacements makes one of the placements at the end of a body and at the end of branches that continue.
func (r *rewriter) joinPlacements(body *ast.BlockStmt) {
	last := len(body.List) - 1
	if last < 1 {
		return
	}
	p := r.placementOf(body.List[last])
	if p == nil {
		return
	}
	for at := last - 1; at >= 0; at-- {
		s, ok := body.List[at].(*ast.IfStmt)
		if !ok || s.Init != nil || s.Else != nil {
			continue
		}
		then := s.Body.List
		n := len(then)
		if n < 2 || !p.same(r.placementOf(then[n-2])) || !isContinue(then[n-1]) {
			continue
		}
		rest := slices.Clone(body.List[at+1 : len(body.List)-1])
		s.Body.List = then[:n-2]
		if len(rest) > 0 {
			s.Else = &ast.BlockStmt{Lbrace: rest[0].Pos(), List: rest, Rbrace: rest[len(rest)-1].End()}
		}
		body.List = append(slices.Clone(body.List[:at+1]), body.List[len(body.List)-1])
		r.changed = true
	}
}
