package load

import (
	"go/ast"
	"go/types"
	"slices"
)

// Note [Types of what is written]
//
// A struct with two slices is one class of memory, and so are a slice that a function was given and one that it makes,
// once both are in such a struct. What it writes is told apart by its type: without package unsafe, a variable of type
// T is written to through a reference to it, or to what it is a part of. An argument from which no reference to a T
// leads is not written to by what assigns elements of type T, nor is one with a reference to what has a T in it, as
// long as nothing takes the address of a T that is a part of something.

// write is what a function does to memory that parameters lead to.
type write struct {
	typ    types.Type // of the variable that is written to, or of which a part is; nil for any
	params uint64
}

// written are the parameters through which a function writes.
func (e *effect) written() (set uint64) {
	for _, w := range e.writes {
		set |= w.params
	}
	return set
}

// addWrite notes a write, and reports whether it was none that is known.
func (e *effect) addWrite(typ types.Type, params uint64) bool {
	if params == 0 {
		return false
	}
	for i := range e.writes {
		if w := &e.writes[i]; w.typ == nil && typ == nil || w.typ != nil && typ != nil && types.Identical(w.typ, typ) {
			before := w.params
			w.params |= params
			return w.params != before
		}
	}
	e.writes = append(e.writes, write{typ, params})
	return true
}

func sameWrites(a, b []write) bool {
	return slices.EqualFunc(a, b, func(a, b write) bool {
		return a.params == b.params && (a.typ == nil) == (b.typ == nil) && (a.typ == nil || types.Identical(a.typ, b.typ))
	})
}

// leading are those of a set of parameters from which references may lead to variables of a type.
func (w *flow) leading(set uint64, typ types.Type) (may uint64) {
	for v, i := range w.params {
		if bit := paramBit(i); set&bit != 0 && may&bit == 0 && (typ == nil || w.leadsTo(w.leadsFrom(v), typ)) {
			may |= bit
		}
	}
	return may
}

// leadsFrom is the type of a parameter. A variable from outside of a loop may be written to itself, where its address
// is taken.
func (w *flow) leadsFrom(v *types.Var) types.Type {
	if w.own != nil {
		return types.NewPointer(v.Type())
	}
	return v.Type()
}

// takesPart notes that the address of a variable of type t is taken that is a part of another one.
func (q *purity) takesPart(t types.Type) {
	if t != nil && !q.takenPart(innermost(t)) {
		q.parts, q.grown = append(q.parts, innermost(t)), true
	}
}

func (q *purity) takenPart(t types.Type) bool {
	return slices.ContainsFunc(q.parts, func(p types.Type) bool { return types.Identical(p.Underlying(), t.Underlying()) })
}

// takesAddress notes that the address of what an expression names is taken, which may be a part of a variable.
func (w *flow) takesAddress(e ast.Expr) {
	switch e := ast.Unparen(e).(type) {
	case *ast.SelectorExpr:
		w.takesPart(w.info().TypeOf(e))
	case *ast.IndexExpr:
		if isArrayType(w.info().TypeOf(e.X)) || isPointer(w.info().TypeOf(e.X)) {
			w.takesPart(w.info().TypeOf(e))
		}
	}
}

// leadsTo reports whether a value of type t has references that lead to a variable of type to, or to a part of one.
func (q *purity) leadsTo(t, to types.Type) bool {
	to = innermost(to).Underlying()
	part := q.takenPart(to)
	var seen []types.Type
	var from, object func(t types.Type) bool
	object = func(t types.Type) bool { // a variable, and what it leads to
		if types.Identical(t.Underlying(), to) {
			return true
		}
		return from(t)
	}
	from = func(t types.Type) bool {
		if slices.ContainsFunc(seen, func(s types.Type) bool { return types.Identical(s, t) }) {
			return false
		}
		seen = append(seen, t)
		switch u := t.Underlying().(type) {
		case *types.Basic:
			return u.Kind() == types.UnsafePointer
		case *types.Slice:
			return variables(u.Elem(), part, object)
		case *types.Pointer:
			return variables(u.Elem(), part, object)
		case *types.Map:
			return types.Identical(u, to) || from(u.Key()) || from(u.Elem())
		case *types.Array:
			return from(u.Elem())
		case *types.Struct:
			for f := range u.Fields() {
				if from(f.Type()) {
					return true
				}
			}
			return false
		}
		return true // an interface, a function, a type parameter
	}
	return from(t)
}

// variables calls f for the type of a variable, and, if parts says so, for those of its parts, until it returns true.
// The elements of an array are no parts in this sense.
func variables(t types.Type, parts bool, f func(types.Type) bool) bool {
	t = innermost(t)
	if f(t) {
		return true
	}
	if u, ok := t.Underlying().(*types.Struct); ok && parts {
		for v := range u.Fields() {
			if variables(v.Type(), parts, f) {
				return true
			}
		}
	}
	return false
}

// innermost is the type of the elements of arrays of arrays: a slice becomes a pointer to an array where that is asked
// for.
func innermost(t types.Type) types.Type {
	for {
		a, ok := t.Underlying().(*types.Array)
		if !ok {
			return t
		}
		t = a.Elem()
	}
}

// object is the type of the variable that an expression names, or names a part of, where that is reached through a
// reference; nil where it is not known.
func (w *flow) object(e ast.Expr) types.Type {
	e = ast.Unparen(e)
	t := w.info().TypeOf(e)
	switch e := e.(type) {
	case *ast.SelectorExpr:
		sel := w.info().Selections[e]
		if sel == nil {
			return nil
		}
		if p, ok := w.info().TypeOf(e.X).Underlying().(*types.Pointer); ok && len(sel.Index()) == 1 {
			t = p.Elem()
			break
		}
		if sel.Indirect() || isPointer(w.info().TypeOf(e.X)) {
			return nil
		}
		return w.object(e.X)
	case *ast.IndexExpr:
		switch x := w.info().TypeOf(e.X).Underlying().(type) {
		case *types.Array:
			return w.object(e.X)
		case *types.Slice:
			t = x.Elem()
		case *types.Map:
			t = x
		default:
			return nil
		}
	case *ast.StarExpr:
	default:
		return nil
	}
	return known(t)
}

// elements is the type of the elements of a slice, or of a map itself: what built-in functions write to.
func (w *flow) elements(e ast.Expr) types.Type {
	switch t := w.info().TypeOf(e).Underlying().(type) {
	case *types.Slice:
		return known(t.Elem())
	case *types.Map:
		return known(t)
	}
	return nil
}

// known is a type, nil if it is a type parameter.
func known(t types.Type) types.Type {
	if t == nil || isTypeParam(t) {
		return nil
	}
	return t
}

// pointee is what a pointer of a type points to, nil for other types.
func pointee(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return nil
}

// target notes that what an expression names becomes a value of a class.
func (w *flow) target(e ast.Expr, to *node) {
	e = ast.Unparen(e)
	if id, ok := e.(*ast.Ident); ok {
		v, isVar := w.info().ObjectOf(id).(*types.Var)
		switch {
		case id.Name == "_" || !isVar:
		case isGlobal(v):
			w.refuse(e.Pos(), "assigns the package-level variable "+id.Name)
		case refers(v.Type()) && !w.cursor(v):
			unite(w.node(v), to)
		}
		return
	}
	n, through := w.place(e)
	if n == nil {
		return
	}
	if through {
		w.writes = append(w.writes, touch{of: n, pos: e.Pos(), what: text(e), typ: w.object(e)})
	}
	unite(n, to)
}

// place returns the class of the memory that an expression names, and whether that is reached through a reference, and
// is not the variable itself.
func (w *flow) place(e ast.Expr) (n *node, through bool) {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if v, ok := w.info().ObjectOf(e).(*types.Var); ok {
			if isGlobal(v) {
				w.read(v, e.Pos())
				return &w.global, true
			}
			return w.node(v), false
		}
	case *ast.SelectorExpr:
		sel := w.info().Selections[e]
		if sel == nil { // of another package
			if v, ok := w.info().Uses[e.Sel].(*types.Var); ok {
				w.read(v, e.Pos())
				return &w.global, true
			}
			return nil, false
		}
		if isPointer(w.info().TypeOf(e.X)) || sel.Indirect() {
			return w.value(e.X), true
		}
		return w.place(e.X)
	case *ast.IndexExpr:
		w.value(e.Index)
		if isArrayType(w.info().TypeOf(e.X)) || w.own[variable(w.info(), e.X)] {
			return w.place(e.X)
		}
		return w.value(e.X), true
	case *ast.StarExpr:
		return w.value(e.X), true
	case *ast.CompositeLit, *ast.CallExpr:
		if n := w.value(e); n != nil {
			return n, false
		}
		return &node{}, false
	}
	w.value(e)
	return &node{}, false
}
