package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// owners finds the slices for whose elements there is no other name.
func (s *spreader) owners() {
	s.owned = map[*types.Var]bool{}
	lost := map[*types.Var]bool{}
	for id, obj := range s.info.Defs {
		if v, ok := obj.(*types.Var); ok && within(s.fn.decl.Body, id.Pos()) && isSlice(v.Type()) {
			s.owned[v] = true
		}
	}
	if results := s.fn.decl.Type.Results; results != nil {
		for _, f := range results.List {
			for _, id := range f.Names {
				if v, ok := s.info.Defs[id].(*types.Var); ok && isSlice(v.Type()) {
					s.owned[v] = true
				}
			}
		}
	}
	uses(s.fn.decl.Body, func(id *ast.Ident, stack []ast.Node) {
		v, ok := s.info.ObjectOf(id).(*types.Var)
		if ok && s.owned[v] && !s.keeps(v, stack) {
			lost[v] = true
		}
	})
	for changed := true; changed; {
		changed = false
		ast.Inspect(s.fn.decl.Body, func(n ast.Node) bool { // one that is not owned may become another one
			if a, ok := n.(*ast.AssignStmt); ok {
				vs := s.permutes(a)
				if slices.ContainsFunc(vs, func(v *types.Var) bool { return lost[v] || !s.owned[v] }) {
					for _, v := range vs {
						changed, lost[v] = changed || !lost[v], true
					}
				}
			}
			return true
		})
	}
	for v := range lost {
		delete(s.owned, v)
	}
}

// permutes returns the variables that a statement gives each other's slices, nil if it does something else.
func (s *spreader) permutes(a *ast.AssignStmt) (vs []*types.Var) {
	places, _, ok := permutation(s.info, a)
	if !ok {
		return nil
	}
	for _, x := range places {
		v := variable(s.info, x)
		if v == nil {
			return nil
		}
		vs = append(vs, v)
	}
	return vs
}

// elsewhere reports whether something may change a slice where the function does not name it: its address is taken, or
// a function literal uses it that is not only given to a function that calls it.
func (s *spreader) elsewhere(v *types.Var) (found bool) {
	uses(s.fn.decl.Body, func(id *ast.Ident, st []ast.Node) {
		if len(st) < 2 || s.info.Uses[id] != types.Object(v) {
			return
		}
		up := len(st) - 2
		for ; up > 0; up-- {
			if _, ok := st[up].(*ast.ParenExpr); !ok {
				break
			}
		}
		switch x := st[up].(type) {
		case *ast.UnaryExpr:
			found = found || x.Op == token.AND
		case *ast.SelectorExpr:
			found = found || !plainUse(s.info, st[up:])
		}
		for at, n := range st {
			if lit, ok := n.(*ast.FuncLit); ok {
				call, ok := st[max(at-1, 0)].(*ast.CallExpr)
				_, loose := s.pure().loose[lit]
				found = found || !ok || !slices.Contains(call.Args, ast.Expr(lit)) || loose
			}
		}
	})
	return found
}

// keeps reports whether a use of a slice gives nobody else a name for its elements, and it none for those of others.
func (s *spreader) keeps(v *types.Var, stack []ast.Node) bool {
	at := len(stack) - 1
	id := stack[at].(*ast.Ident)
	if at == 0 {
		return false
	}
	switch p := stack[at-1].(type) {
	case *ast.IndexExpr:
		return p.X == id && !s.elementNamed(stack[:at])
	case *ast.CallExpr:
		if isBuiltin(s.info, p, "append") { // whose result is looked at where it goes
			a, ok := stack[at-2].(*ast.AssignStmt)
			return p.Args[0] != id && !refers(elementType(v)) || ok && len(a.Lhs) == 1 && variable(s.info, a.Lhs[0]) == v
		}
		return isBuiltin(s.info, p, "len") || isBuiltin(s.info, p, "cap") ||
			(isBuiltin(s.info, p, "copy") || isBuiltin(s.info, p, "clear")) && !refers(elementType(v))
	case *ast.RangeStmt:
		return p.X == id
	case *ast.ReturnStmt:
		return !slices.ContainsFunc(stack, func(n ast.Node) bool { _, ok := n.(*ast.FuncLit); return ok })
	case *ast.AssignStmt:
		if s.permutes(p) != nil {
			return true
		}
		i := slices.Index(p.Lhs, ast.Expr(id))
		return i >= 0 && len(p.Lhs) == len(p.Rhs) && s.isNew(v, p.Rhs[i])
	case *ast.ValueSpec:
		return len(p.Names) == 1 && p.Names[0] == id && (len(p.Values) == 0 || s.isNew(v, p.Values[0]))
	}
	return false
}

// isNew reports whether an expression is a new slice, or v with more elements.
func (s *spreader) isNew(v *types.Var, e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		return true
	case *ast.CallExpr:
		return isBuiltin(s.info, e, "make") || isBuiltin(s.info, e, "append") && variable(s.info, e.Args[0]) == v
	}
	return s.info.Types[e].IsNil()
}

// elementNamed reports whether the address of the element at the end of a stack, or of a part of it, is taken, or it is
// cut.
func (s *spreader) elementNamed(stack []ast.Node) bool {
	for at := len(stack) - 1; at > 0; at-- {
		x, ok := stack[at].(ast.Expr)
		if !ok || at < len(stack)-1 && isReference(s.info.TypeOf(x)) {
			return false
		}
		if at == len(stack)-1 && isReference(s.info.TypeOf(x)) {
			return false
		}
		switch p := stack[at-1].(type) {
		case *ast.UnaryExpr:
			return p.Op == token.AND
		case *ast.SliceExpr:
			return p.X == x
		case *ast.ParenExpr:
		case *ast.SelectorExpr:
			if sel := s.info.Selections[p]; sel == nil || sel.Kind() != types.FieldVal {
				return true // a method may have a pointer as its receiver
			}
		case *ast.IndexExpr:
			if p.X != x {
				return false
			}
		default:
			return false
		}
	}
	return false
}

// isReference reports whether a value of a type leads to what lies elsewhere.
func isReference(t types.Type) bool {
	if t == nil {
		return false
	}
	switch t.Underlying().(type) {
	case *types.Slice, *types.Pointer, *types.Map, *types.Interface:
		return true
	}
	return false
}
