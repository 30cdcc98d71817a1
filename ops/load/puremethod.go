package load

import (
	"go/ast"
	"go/types"
)

func (w *flow) method(e *ast.CallExpr, s *ast.SelectorExpr, sel *types.Selection, obj *types.Func) []*node {
	if sel.Kind() == types.MethodExpr {
		return w.unknown(e, text(s))
	}
	if types.IsInterface(sel.Recv()) {
		return w.byInterface(e, w.value(s.X), w.arguments(e), sel.Recv(), obj)
	}
	var recv *node
	sig := obj.Signature()
	if isPointer(sig.Recv().Type()) && (!isPointer(w.info().TypeOf(s.X)) || len(sel.Index()) > 1) {
		w.takesPart(pointee(sig.Recv().Type()))
	}
	if isPointer(sig.Recv().Type()) && !isPointer(w.info().TypeOf(s.X)) && !sel.Indirect() {
		recv, _ = w.place(s.X)
	} else {
		recv = w.value(s.X)
		if recv == nil && isPointer(sig.Recv().Type()) {
			recv, _ = w.place(s.X)
		}
	}
	args := w.arguments(e)
	if types.IsInterface(sig.Recv().Type()) { // of an interface that is embedded
		return w.byInterface(e, recv, args, sig.Recv().Type(), obj)
	}
	if f := w.prog.method(sel); f != nil && !f.unit.standard {
		exprs := append([]ast.Expr{s.X}, e.Args...)
		return w.apply(e, f, append([]*node{recv}, args...), exprs)
	}
	if obj.Pkg() == nil || w.modules[obj.Pkg()] {
		return w.unknown(e, text(s))
	}
	return w.standardMethod(e, recv, args, obj)
}

func (w *flow) byInterface(e *ast.CallExpr, recv *node, args []*node, of types.Type, obj *types.Func) []*node {
	iface, ok := of.Underlying().(*types.Interface)
	if !ok || recv == nil {
		return w.unknown(e, text(e.Fun))
	}
	if !isError(of) { // of package-level ones is known who made them
		w.methods = append(w.methods, touch{of: recv, pos: e.Pos(), what: obj.Name()})
		w.writes = append(w.writes, touch{of: recv, pos: e.Pos(), what: "what " + obj.Name() + " changes"}) // it may be of the standard library
	}
	all := recv
	for _, n := range args {
		all = unite(all, n)
	}
	results := make([]*node, obj.Signature().Results().Len())
	found := false
	for _, t := range w.seen {
		for _, t := range []types.Type{t, types.NewPointer(t)} {
			if !types.Implements(t, iface) {
				continue
			}
			m := types.NewMethodSet(t).Lookup(obj.Pkg(), obj.Name())
			if m == nil {
				continue
			}
			f := w.prog.method(m)
			if f == nil || f.unit.standard {
				if named := namedOf(t); named != nil && !w.modules[named.Obj().Pkg()] && isError(of) {
					continue
				}
				w.refuse(e.Pos(), "calls "+obj.Name()+" of "+typeName(t)+" by way of an interface")
				return nil
			}
			found = true
			for i, n := range w.apply(e, f, append([]*node{recv}, args...), append([]ast.Expr{e}, e.Args...)) {
				if i < len(results) {
					results[i] = unite(results[i], n)
				}
			}
		}
	}
	if !found && !isError(of) {
		if named := namedOf(of); named != nil && named.Obj().Pkg() != nil && !w.modules[named.Obj().Pkg()] {
			return w.standardMethod(e, recv, args, obj)
		}
		return w.unknown(e, text(e.Fun))
	}
	for i, n := range w.sameResults(obj.Signature(), all) {
		results[i] = unite(results[i], n)
	}
	return results
}

func namedOf(t types.Type) *types.Named {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	n, _ := types.Unalias(t).(*types.Named)
	return n
}
