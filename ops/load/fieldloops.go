package load

import (
	"go/ast"
	"go/types"
	"maps"
	"reflect"
)

// Note [Rows of fields]
//
// t := &Net{W: make([][]float64, n)} and a loop with t.W[i] = make([]float64, m) make rows of a field. For such a loop
// the slices of the struct, which are kept as variables (see Note [Slices in structs]), get names, in place of t.W, and
// it is a loop that makes rows of a variable, as any other. Who comes to the slices in another way meanwhile, by a
// method or a pointer, is refused.

// fieldsAsVariables gives the slices of structs names, in the body of a loop that makes rows of some. The function that
// it returns is to be called behind the loop.
func (l *lowerer) fieldsAsVariables(lp *loop) func() {
	if !lp.counted || lp.index == nil {
		return func() {}
	}
	roots := l.rowFields(lp)
	if len(roots) == 0 {
		return func() {}
	}
	before := l.assigned(lp.body)
	names := map[*slot]*types.Var{}
	var order []*slot
	lp.body, _ = copySyntax(reflect.ValueOf(lp.body), func(n ast.Node) ast.Node {
		e, ok := n.(*ast.SelectorExpr)
		if !ok || !roots[rootOf(l.unit.info, e)] {
			return nil
		}
		key, _ := l.fieldSlot(e)
		if key == nil {
			return nil
		}
		if names[key] == nil {
			names[key] = types.NewVar(e.Pos(), l.unit.pkg, key.name, l.unit.info.TypeOf(e))
			order = append(order, key)
		}
		return l.identifier(names[key], types.ExprString(e), e)
	}, l.describe).Interface().(*ast.BlockStmt)
	for _, key := range order {
		v := names[key]
		l.env.set(v, l.env.vals[key])
		l.env.depth[v] = l.env.depth[key]
		away := problem{CodeRows, "the field " + key.name + " is reached by another name than its own in a loop that makes rows of fields",
			"such a loop works on the slices of the struct one by one", "make the rows in a loop that does nothing else"}
		l.env.vals[key] = value{typ: key.typ, bad: true, late: &away, at: lp.pos}
	}
	for key := range before { // what the header assigns stays
		delete(lp.changed, key)
	}
	maps.Copy(lp.changed, l.assigned(lp.body))
	return func() {
		for _, key := range order {
			l.env.vals[key] = l.env.vals[names[key]]
			l.env.forget(names[key])
		}
	}
}

// rowFields are the structs of whose fields the loop makes rows, t.W[i] = …, and that it uses in no other way than by
// naming fields.
func (l *lowerer) rowFields(lp *loop) map[*types.Var]bool {
	info := l.unit.info
	roots := map[*types.Var]bool{}
	ast.Inspect(lp.body, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok {
			return true
		}
		for _, e := range a.Lhs {
			x, ok := ast.Unparen(e).(*ast.IndexExpr)
			if !ok || variable(info, x.Index) != lp.index || gridRank(info.TypeOf(x.X)) == 0 {
				continue
			}
			if key, _ := l.fieldSlot(x.X); key != nil && l.makesRows(l.env.vals[key]) {
				roots[rootOf(info, x.X)] = true
			}
		}
		return true
	})
	plain := map[*ast.Ident]bool{} // the beginnings of fields
	ast.Inspect(lp.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			sel := info.Selections[n]
			id, ok := ast.Unparen(n.X).(*ast.Ident)
			plain[id] = ok && sel != nil && sel.Kind() == types.FieldVal
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				if key, _ := l.fieldSlot(e); key != nil { // as a whole
					delete(roots, rootOf(info, e))
				}
			}
		}
		return true
	})
	ast.Inspect(lp.body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && !plain[id] {
			if v, isVar := info.Uses[id].(*types.Var); isVar {
				delete(roots, v)
			}
		}
		return true
	})
	return roots
}
