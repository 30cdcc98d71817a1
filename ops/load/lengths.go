package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// Note [Lengths in conditions]
//
//	for i := 0; i < len(x)-1; i++ {
//		x[i] += x[i+1]
//
// The length of a slice is the same in all turns of a loop that assigns its elements only: not the variable, field or
// element that the slice is, nor anything that has it inside.

// lengthStays reports whether e names the same slice, of the same length, in all turns of a loop with that body: a
// variable, a field, or an element by indices that are the same.
func (l *lowerer) lengthStays(e ast.Expr, body ast.Node, same func(ast.Expr) bool) bool {
	root, ok := l.pathRoot(e, same)
	if !ok || body == nil {
		return false
	}
	info, val := l.unit.info, l.env.vals[root]
	keys := []any{root}
	if val.ptr != nil {
		keys = append(keys, val.ptr.roots()...)
	}
	if val.ref != nil {
		keys = append(keys, val.ref.root)
	}
	own := map[types.Object]bool{} // what the body declares
	ast.Inspect(body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && info.Defs[id] != nil {
			own[info.Defs[id]] = true
		}
		return true
	})
	kept := true
	target := func(x ast.Expr) {
		id, _ := ast.Unparen(x).(*ast.Ident)
		kept = kept && (x == nil || id != nil && (id.Name == "_" || own[info.ObjectOf(id)]) || !hasHeader(info.TypeOf(x)))
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				target(x)
			}
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN {
				target(n.Key)
				target(n.Value)
			}
		case *ast.CallExpr:
			if info.Types[n.Fun].IsType() || info.Types[n.Fun].IsBuiltin() {
				return kept
			}
			changed := l.assigned(n)
			kept = kept && !slices.ContainsFunc(keys, func(key any) bool { return changed[key] })
		}
		return kept
	})
	return kept
}

// pathRoot is the variable that e begins with, if e is that, or a field or an element of it by indices that are the
// same in all turns.
func (l *lowerer) pathRoot(e ast.Expr, same func(ast.Expr) bool) (*types.Var, bool) {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, ok := l.unit.info.Uses[e].(*types.Var)
		return v, ok && !isGlobal(v)
	case *ast.SelectorExpr:
		sel := l.unit.info.Selections[e]
		if sel == nil || sel.Kind() != types.FieldVal {
			return nil, false
		}
		return l.pathRoot(e.X, same)
	case *ast.IndexExpr:
		if _, isRow := isSequence(l.unit.info.TypeOf(e.X)); !isRow || !same(e.Index) {
			return nil, false
		}
		return l.pathRoot(e.X, same)
	}
	return nil, false
}

// hasHeader reports whether to assign something of type t may make a slice or a string another one.
func hasHeader(t types.Type) bool {
	if t == nil {
		return true
	}
	if _, isScalar := scalarKind(t); isScalar {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		return anyField(t, hasHeader)
	case *types.Array:
		return hasHeader(u.Elem())
	}
	return true
}
