package load

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"
)

// row notes that name may be another name of an element of what from begins with.
func (e *effects) row(name, from ast.Expr) {
	id, ok := name.(*ast.Ident)
	if !ok {
		return
	}
	row, ok := e.unit.info.ObjectOf(id).(*types.Var)
	if !ok || !isSlice(row.Type()) {
		return
	}
	deep := 0
	for {
		switch x := ast.Unparen(from).(type) {
		case *ast.IndexExpr:
			from, deep = x.X, deep+1
			continue
		case *ast.SliceExpr:
			from = x.X
			continue
		case *ast.StarExpr:
			from = x.X
			continue
		case *ast.CallExpr: // which may return a part of an argument
			if !holdsSlices(e.unit.info.TypeOf(x)) || e.returnsNew(x) {
				return
			}
			for _, a := range x.Args {
				e.row(name, a)
			}
			if sel, ok := ast.Unparen(x.Fun).(*ast.SelectorExpr); ok {
				e.row(name, sel.X)
			}
			if v := variable(e.unit.info, x.Fun); v != nil {
				e.returned = append(e.returned, row)
				if e.literal == nil {
					return
				}
				if fn := e.literal(v); fn != nil {
					e.captures(fn.unit, fn.lit)
				}
			}
			return
		case *ast.SelectorExpr:
			from = x.X
			continue
		case *ast.Ident:
			if of, ok := e.unit.info.Uses[x].(*types.Var); ok && (isSlice(of.Type()) || isPointer(of.Type()) || hasSlices(of.Type()) || isArrayType(of.Type())) {
				e.rows = append(e.rows, rowName{row, of, deep})
			}
		}
		return
	}
}

// returnsNew reports whether a call returns a slice of numbers that has no memory in common with an argument.
func (e *effects) returnsNew(call *ast.CallExpr) bool {
	id := calleeIdent(call)
	if id == nil || !flatElements(e.unit.info.TypeOf(call)) {
		return false
	}
	f, ok := e.unit.info.Uses[id].(*types.Func)
	if !ok || f.Pkg() == nil {
		return false
	}
	if f.Pkg().Path() == "slices" {
		return slices.Contains([]string{"Clone", "Concat", "Repeat"}, f.Name())
	}
	fn := e.prog.funcs[f]
	if fn == nil || fn.decl.Body == nil || fn.unit.standard || f.Signature().TypeParams().Len() > 0 || f.Signature().Recv() != nil {
		return false
	}
	effect := e.prog.quietly(fn)
	params := f.Signature().Params().Len()
	return effect.impure == nil && !effect.resultShares(params, 0)
}

// quietly is the effect of a function. What it instantiates for that is no problem of the kernel.
func (p *program) quietly(f *function) *effect {
	list, seen, lines := len(p.rep.list), maps.Clone(p.rep.seen), maps.Clone(p.rep.lines)
	defer func() { p.rep.list, p.rep.seen, p.rep.lines = p.rep.list[:list], seen, lines }()
	return p.pure().of(f)
}

// holdsSlices reports whether a value of type t may lead to a slice. It is true of a list of types, of a call with
// several results.
func holdsSlices(t types.Type) bool {
	_, several := t.(*types.Tuple)
	return several || t != nil && (isSlice(t) || isPointer(t) || hasSlices(t))
}

// captures notes the slices that a function literal names, if it may return one of them.
func (e *effects) captures(u *unit, lit *ast.FuncLit) {
	sig, ok := u.info.TypeOf(lit).(*types.Signature)
	if !ok {
		return
	}
	returns := false
	for v := range sig.Results().Variables() {
		returns = returns || holdsSlices(v.Type())
	}
	if !returns {
		return
	}
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := u.info.Uses[id].(*types.Var); ok && !v.IsField() && holdsSlices(v.Type()) {
				e.captured = append(e.captured, v)
			}
		}
		return true
	})
}

// settle adds the slices whose rows are assigned under other names.
func (e *effects) settle() {
	for _, row := range e.returned {
		for _, of := range e.captured {
			e.rows = append(e.rows, rowName{row, of, 0})
		}
	}
	e.returned = nil
	for range e.rows {
		for _, r := range e.rows {
			if deep := e.elements[r.row]; deep > 0 && deep < maxNesting {
				if e.elements[r.of] = max(e.elements[r.of], deep+r.deep); isPointer(r.of.Type()) {
					e.through[r.of] = true
				} else {
					e.direct[r.of] = true
				}
			}
		}
	}
}
