package load

import (
	"go/ast"
	"go/token"
	"go/types"
)

// mayOpen reports whether turns may call unknown functions: none of those that these may be (see Note [Functions as
// values]) writes to what it has not made, or reads what turns write to.
func (c *captures) mayOpen() bool {
	q := c.pure()
	if !q.harmless(c.fn) {
		return false
	}
	written := map[*node]bool{}
	for _, v := range c.list {
		if n := c.all.nodes[v]; n != nil && c.changes(v) {
			written[n.root()] = true
		}
	}
	in := q.reachable(c.fn)
	for lit, f := range q.loose {
		if f == nil || !in[f] {
			continue
		}
		for _, v := range captured(f.unit.info, lit) {
			n := c.all.nodes[v]
			switch {
			case f == c.fn && c.changes(v), f == c.fn && n != nil && written[n.root()], f != c.fn && holdsData(v.Type(), 0):
				return false
			}
		}
	}
	return true
}

// shows reports whether functions that are values may give away what they have got around them: nobody knows what has
// another name then.
func (c *captures) shows() bool {
	q := c.pure()
	for f := range q.reachable(c.fn) {
		if q.shown[f] {
			return true
		}
	}
	return false
}

// captured are the variables from around that a literal uses, but for package-level ones.
func captured(info *types.Info, lit *ast.FuncLit) (vs []*types.Var) {
	seen := map[*types.Var]bool{}
	uses(lit.Body, func(id *ast.Ident, _ []ast.Node) {
		if v, ok := info.Uses[id].(*types.Var); ok && !v.IsField() && !isGlobal(v) && !within(lit, v.Pos()) && !seen[v] {
			seen[v] = true
			vs = append(vs, v)
		}
	})
	return vs
}

// holdsData reports whether something else than functions may be reached from values of a type by a reference.
func holdsData(t types.Type, depth int) bool {
	if s, ok := t.Underlying().(*types.Slice); ok && isFunc(s.Elem()) {
		return false
	}
	return refersIn(t, depth)
}

// plainUse reports whether a use of a variable that is no reference gives nobody its address.
func plainUse(info *types.Info, st []ast.Node) bool {
	x := st[len(st)-1].(ast.Expr)
	for at := len(st) - 2; at >= 0; at-- {
		switch p := st[at].(type) {
		case *ast.FuncLit:
			return false
		case *ast.UnaryExpr:
			if p.Op == token.AND {
				return false
			}
		case *ast.SliceExpr:
			if p.X == x && isArrayType(info.TypeOf(x)) {
				return false
			}
		case *ast.SelectorExpr:
			sel := info.Selections[p]
			if sel == nil || sel.Kind() != types.FieldVal && isPointer(sel.Obj().(*types.Func).Signature().Recv().Type()) {
				return false
			}
		}
		if e, ok := st[at].(ast.Expr); ok {
			x = e
		}
	}
	return true
}
