package load

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Note [Results that are pointers]
//
// A kernel may return a pointer to a struct: func (m *Matrix) Times(o *Matrix) (*Matrix, error). Its body then gives
// the struct, to which generated code makes a new pointer. What is returned has to say whether there is one: it is nil
// with an error that is not nil, and only with that. So return statements are rewritten before anything else looks at
// them: &T{…} and &x become what they point to, p becomes *p, and nil becomes T{}, which nobody sees. A function that
// returns otherwise keeps its pointers, and is refused as a kernel; other functions need none of this, as their
// pointers are known when the kernel is compiled: see Note [Pointers].

// pointedResults finds the results of the kernel f that are pointers and can be given as what these point to, and
// rewrites its return statements.
func (p *program) pointedResults(f *function) {
	results := f.obj.Signature().Results()
	if f.pointed != nil || f.decl.Body == nil || results.Len() == 0 {
		return
	}
	f.pointed = make([]bool, results.Len())
	failure, some := -1, false
	for i := range results.Len() {
		t := results.At(i).Type()
		if pt, ok := t.Underlying().(*types.Pointer); ok {
			_, isStruct := pt.Elem().Underlying().(*types.Struct)
			f.pointed[i], some = isStruct, some || isStruct
		}
		if types.Identical(t, types.Universe.Lookup("error").Type()) {
			failure = i
		}
	}
	if !some {
		return
	}
	var all []*ast.ReturnStmt
	ast.Inspect(f.decl.Body, func(n ast.Node) bool {
		if r, ok := n.(*ast.ReturnStmt); ok {
			all = append(all, r)
		}
		return !isFuncLit(n)
	})
	for _, r := range all {
		if !p.returnsPointed(f, r, failure) {
			f.pointed = make([]bool, results.Len())
			return
		}
	}
	for _, r := range all {
		for i, e := range r.Results {
			if f.pointed[i] {
				r.Results[i] = p.pointedBy(f.unit.info, e, results.At(i).Type().Underlying().(*types.Pointer).Elem())
			}
		}
	}
}

// returnsPointed reports whether a return statement returns pointers that are nil with an error, and only with one,
// which is result number failure, if there is any.
func (p *program) returnsPointed(f *function, r *ast.ReturnStmt, failure int) bool {
	if len(r.Results) != len(f.pointed) {
		return false
	}
	fails := failure >= 0 && !p.isNil(f, r.Results[failure])
	for i, pointed := range f.pointed {
		if pointed && p.isNil(f, r.Results[i]) != fails {
			return false
		}
	}
	return true
}

func (p *program) isNil(f *function, e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && f.unit.info.Uses[id] == types.Universe.Lookup("nil")
}

// pointedBy is what e, a pointer to a t, points to, as an expression; a zero value for nil.
func (p *program) pointedBy(info *types.Info, e ast.Expr, t types.Type) ast.Expr {
	var to ast.Expr
	switch x := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		if x.Op == token.AND {
			return x.X
		}
	case *ast.Ident:
		if info.Uses[x] == types.Universe.Lookup("nil") {
			to = &ast.CompositeLit{Lbrace: e.Pos(), Rbrace: e.Pos()}
		}
	}
	if to == nil {
		to = &ast.StarExpr{Star: e.Pos(), X: e}
	}
	info.Types[to] = types.TypeAndValue{Type: t}
	return to
}

// pointsTo reports whether the body of f gives, as result i, what a pointer points to.
func (f *funcValue) pointsTo(i int) bool {
	return f.decl != nil && f.decl.pointed != nil && f.decl.pointed[i]
}

// resultType is the type of what the body of f gives as result i, of type t.
func (f *funcValue) resultType(i int, t types.Type) types.Type {
	if f.pointsTo(i) {
		return t.Underlying().(*types.Pointer).Elem()
	}
	return t
}
