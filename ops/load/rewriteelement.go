package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// Note [Elements with arrays]
//
//	for i := range stats {          for i := range stats {
//		s := &stats[i]                  element := stats[i]
//		s.bins[f(i)]++            →     s := &element
//	}                                       s.bins[f(i)]++
//	                                        stats[i] = element
//	                                }
//
// Elements of a slice of structs are numbers of columns, and an element of their arrays at an index that only the run
// knows is chosen among these. In a variable the array lies in memory (see Note [Arrays in structs]). Nothing else in
// the turn names the slice, and the pointer does not outlive it.

// elementsApart rewrites the loops of a function that Note [Elements with arrays] is about.
func (r *rewriter) elementsApart(fd *ast.FuncDecl) {
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		var body *ast.BlockStmt
		switch loop := n.(type) {
		case *ast.ForStmt:
			body = loop.Body
		case *ast.RangeStmt:
			body = loop.Body
		}
		if body == nil {
			return true
		}
		for j, s := range body.List {
			p, at := r.elementPointer(s)
			if p == nil || !r.turnOwns(fd, body.List, j, p, at) {
				continue
			}
			pos := s.Pos()
			element := unusedName(fd, "element")
			list := slices.Clone(body.List[:j])
			list = append(list, set(name(element, pos), token.DEFINE, at, pos),
				set(name(p.Name(), pos), token.DEFINE, &ast.UnaryExpr{OpPos: pos, Op: token.AND, X: name(element, pos)}, pos))
			list = append(list, body.List[j+1:]...)
			end := body.Rbrace
			back := &ast.IndexExpr{X: r.again(at.X, end), Lbrack: end, Index: r.again(at.Index, end), Rbrack: end}
			body.List = append(list, set(back, token.ASSIGN, name(element, end), end))
			r.changed = true
			break
		}
		return true
	})
}

// elementPointer is the variable that s declares as a pointer to an element of a slice of structs with arrays, and the
// element; nil for others.
func (r *rewriter) elementPointer(s ast.Stmt) (p *types.Var, at *ast.IndexExpr) {
	a, ok := s.(*ast.AssignStmt)
	if !ok || a.Tok != token.DEFINE || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
		return nil, nil
	}
	address, ok := ast.Unparen(a.Rhs[0]).(*ast.UnaryExpr)
	if !ok || address.Op != token.AND {
		return nil, nil
	}
	at, ok = ast.Unparen(address.X).(*ast.IndexExpr)
	if !ok || variable(r.info, at.X) == nil || variable(r.info, at.Index) == nil || !isSlice(r.info.TypeOf(at.X)) {
		return nil, nil
	}
	arrays := anyField(r.info.TypeOf(at), func(f types.Type) bool {
		base, n := arrayBase(f)
		return n > maxFieldReplaced && flat(base) && !isLarge(f)
	})
	p, _ = r.info.Defs[a.Lhs[0].(*ast.Ident)].(*types.Var)
	if !arrays || !r.own[variable(r.info, at.X)] { // whose elements may not be assigned
		return nil, nil
	}
	return p, at
}

// turnOwns reports whether what stands behind statement j of the body of a loop uses the element that it has the
// pointer p to under that name alone, and is not left before its end.
func (r *rewriter) turnOwns(fd *ast.FuncDecl, body []ast.Stmt, j int, p *types.Var, at *ast.IndexExpr) bool {
	xs, i := variable(r.info, at.X), variable(r.info, at.Index)
	for k, s := range body {
		if k != j && mentions(r.info, s, map[*types.Var]bool{xs: true}) || r.changes(s, i) {
			return false
		}
		if _, returned := s.(*ast.ReturnStmt); returned || k > j && (returns(s) || leavesLoop(s)) {
			return false
		}
	}
	return !inLiterals(r.info, fd.Body, p) && !inLiterals(r.info, fd.Body, xs) && r.usedOnly(fd.Body, xs, true) && r.usedOnly(fd.Body, p, false)
}

// usedOnly reports whether a function uses a slice only element by element, in ranges, and as a result, and has one
// address in it; or a pointer only for what it points to, and as an argument of functions that return none, and has no
// address by it.
func (r *rewriter) usedOnly(n ast.Node, v *types.Var, isSlice bool) bool {
	uses, known, addresses := 0, 0, 0
	is := func(e ast.Expr) bool { return variable(r.info, e) == v }
	of, calls := map[*types.Var]bool{v: true}, map[ast.Expr]bool{} // the functions that are called, and return no address
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if r.info.Uses[n] == types.Object(v) {
				uses++
			}
		case *ast.IndexExpr:
			if isSlice && is(n.X) {
				known++
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND && mentions(r.info, n.X, of) {
				addresses++
			}
		case *ast.SliceExpr:
			if mentions(r.info, n.X, of) {
				addresses++
			}
		case *ast.RangeStmt:
			if isSlice && is(n.X) {
				known++
			}
		case *ast.ReturnStmt:
			for _, e := range n.Results {
				if isSlice && is(e) {
					known++
				}
			}
		case *ast.SelectorExpr:
			if !isSlice && is(n.X) {
				known++
			}
			if sel := r.info.Selections[n]; sel != nil && sel.Kind() == types.MethodVal && !calls[n] && mentions(r.info, n.X, of) {
				addresses++
			}
		case *ast.StarExpr:
			if !isSlice && is(n.X) {
				known++
			}
		case *ast.CallExpr:
			t := r.info.TypeOf(n)
			results, several := t.(*types.Tuple)
			none := several && results.Len() == 0 || !holdsSlices(t)
			calls[n.Fun] = none
			for _, e := range n.Args {
				if is(e) && (isSlice && isBuiltin(r.info, n, "len") || !isSlice && none) {
					known++
				}
			}
		}
		return true
	})
	return uses == known && (addresses == 0 || isSlice && addresses == 1)
}
