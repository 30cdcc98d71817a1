package load

import (
	"go/ast"
	"go/token"
	"go/types"
)

// cursor reports whether v is a slice of numbers of the function at hand by way of which it only reads, as that which
// is the input of each layer of a network in turn, and then what the layer has computed. What such a variable is
// assigned need not be of one class: nothing is written to a part of it, and nothing else becomes one.
func (w *flow) cursor(v *types.Var) bool {
	if w.cursors == nil {
		return false
	}
	is, known := w.cursors[v]
	if !known {
		is = w.isCursor(v)
		w.cursors[v] = is
	}
	return is
}

// isCursor is [flow.cursor] for a variable that nobody has asked for yet. It counts where the variable stands, and
// where it is read, assigned, or cut to a part of itself.
func (w *flow) isCursor(v *types.Var) bool {
	s, isSlice := v.Type().Underlying().(*types.Slice)
	_, isParam := w.params[v]
	if !isSlice || isParam || w.fn == nil {
		return false
	}
	if _, basic := s.Elem().Underlying().(*types.Basic); !basic || refers(s.Elem()) {
		return false
	}
	uses, fine := 0, 0
	is := func(e ast.Expr) bool {
		id, ok := ast.Unparen(e).(*ast.Ident)
		return ok && w.info().ObjectOf(id) == v
	}
	element := func(e ast.Expr) bool {
		x, ok := ast.Unparen(e).(*ast.IndexExpr)
		return ok && is(x.X)
	}
	count := func(yes bool) {
		if yes {
			fine++
		}
	}
	written := func(e ast.Expr) { // by way of an element, which is counted where it stands
		if e != nil && element(e) {
			fine--
		}
	}
	ast.Inspect(w.fn.decl, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if w.info().ObjectOf(n) == v {
				uses++
			}
		case *ast.AssignStmt:
			for i, x := range n.Lhs {
				written(x)
				count(is(x))
				if len(n.Lhs) == len(n.Rhs) && is(x) {
					part, ok := ast.Unparen(n.Rhs[i]).(*ast.SliceExpr)
					count(ok && is(part.X))
				}
			}
		case *ast.ValueSpec:
			for _, x := range n.Names {
				count(is(x))
			}
		case *ast.IncDecStmt:
			written(n.X)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				written(n.X)
			}
		case *ast.RangeStmt:
			count(is(n.X))
			written(n.Key)
			written(n.Value)
		case *ast.IndexExpr:
			count(is(n.X))
		case *ast.CallExpr:
			for i, x := range n.Args {
				count(is(x) && (isBuiltin(w.info(), n, "len") || isBuiltin(w.info(), n, "copy") && i == 1 || w.onlyReads(n, i)))
			}
		}
		return true
	})
	return uses == fine
}

// onlyReads reports whether the function of the program that a call names reads what argument i leads to, as far as is
// known, and does nothing else with it.
func (w *flow) onlyReads(call *ast.CallExpr, i int) bool {
	id := calleeIdent(call)
	if id == nil {
		return false
	}
	f := w.prog.callee(w.unit, id)
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && w.info().Selections[sel] != nil {
		if w.info().Selections[sel].Kind() != types.MethodVal {
			return false
		}
		f = w.prog.method(w.info().Selections[sel])
		i++
	}
	if f == nil || f.decl.Body == nil || f.obj.Signature().Variadic() {
		return false
	}
	e := w.effect(f)
	if e.impure != nil || (e.written()|e.peeked|e.calls|e.keeps)&paramBit(i) != 0 {
		return false
	}
	if i >= len(e.class) { // nobody has looked at the function yet
		return true
	}
	for k, c := range e.class {
		if k != i && c == e.class[i] {
			return false
		}
	}
	return !e.shared[e.class[i]]
}
