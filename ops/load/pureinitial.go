package load

import (
	"go/ast"
	"go/types"
)

// holdsFunctions reports whether values of a type may hold functions.
func holdsFunctions(t types.Type, depth int) bool {
	if t == nil || depth > maxNesting {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return false
	case *types.Slice:
		return holdsFunctions(u.Elem(), depth+1)
	case *types.Array:
		return holdsFunctions(u.Elem(), depth+1)
	case *types.Pointer:
		return holdsFunctions(u.Elem(), depth+1)
	case *types.Map:
		return holdsFunctions(u.Key(), depth+1) || holdsFunctions(u.Elem(), depth+1)
	case *types.Struct:
		for f := range u.Fields() {
			if holdsFunctions(f.Type(), depth+1) {
				return true
			}
		}
		return false
	}
	return true
}

// initial reports whether the functions that a package-level variable holds are those that it is declared with, and
// may be called.
func (w *flow) initial(v *types.Var) bool {
	g, ok := w.prog.declared(v)
	if !ok || w.refused[v] {
		return false
	}
	if w.looking[v] {
		return true
	}
	for _, u := range w.prog.units {
		for _, f := range u.files {
			for _, d := range f.Decls {
				if !readsOnly(u.info, d, v, false) {
					w.refused[v] = true
					return false
				}
			}
		}
	}
	if g.init == nil {
		return true
	}
	if callsFunctions(g) { // a literal that one returns may keep something from call to call
		w.refused[v] = true
		return false
	}
	w.looking[v] = true
	defer delete(w.looking, v)
	of := w.purity.flow(g.unit)
	of.global.global = true
	of.bind(g.init)
	of.value(g.init)
	of.settleUses()
	if of.out.impure != nil {
		w.refused[v] = true
		return false
	}
	w.opens(of.out.opened)
	return true
}

// callsFunctions reports whether the value that a package-level variable is declared with calls functions, outside of
// function literals.
func callsFunctions(g globalVar) (found bool) {
	ast.Inspect(g.init, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			tv := g.unit.info.Types[n.Fun]
			found = found || !tv.IsType() && !tv.IsBuiltin()
		}
		return !found
	})
	return found
}
