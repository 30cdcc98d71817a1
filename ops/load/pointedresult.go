package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// Note [Results that are pointers]
//
// A kernel may return a pointer to a struct: func (m *Matrix) Times(o *Matrix) (*Matrix, error). Its body then gives
// the struct, to which generated code makes a new pointer. What is returned has to say whether there is one: it is nil
// with an error that is not nil, and only with that. So return statements are rewritten before anything else looks at
// them: &T{…} and &x become what they point to, p becomes *p, and nil becomes T{}, which nobody sees. That an error is
// not nil is seen where it is one of the package, where errors.New or fmt.Errorf makes it, and where the statement
// stands under err != nil. A function that returns otherwise keeps its pointers, and is refused as a kernel; other
// functions need none of this, as their pointers are known when the kernel is compiled: see Note [Pointers].

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
		if isError(t) {
			failure = i
		}
	}
	if !some {
		return
	}
	r := &pointedReturns{info: f.unit.info, pointed: f.pointed, failure: failure}
	if r.look(f.decl.Body, nil); r.bad {
		f.pointed = make([]bool, results.Len())
		return
	}
	for _, s := range r.all {
		for i, e := range s.Results {
			if f.pointed[i] {
				s.Results[i] = r.pointedBy(e, results.At(i).Type().Underlying().(*types.Pointer).Elem())
			}
		}
	}
}

// pointedReturns are the return statements of a kernel with such results.
type pointedReturns struct {
	info    *types.Info
	pointed []bool
	failure int // which result is the error, negative for none
	all     []*ast.ReturnStmt
	bad     bool // one of them does not say whether a pointer is nil
}

// look finds the return statements in n, where some errors are not nil.
func (r *pointedReturns) look(n ast.Node, fails []*types.Var) {
	ast.Inspect(n, func(m ast.Node) bool {
		switch m := m.(type) {
		case *ast.FuncLit:
			return false
		case *ast.IfStmt:
			changed := assigned(r.info, m.Body)
			under := slices.DeleteFunc(append(r.notNil(m.Cond), fails...), func(v *types.Var) bool { return changed[v] })
			r.look(m.Body, under)
			if m.Else != nil {
				r.look(m.Else, fails)
			}
			return false
		case *ast.ReturnStmt:
			r.all = append(r.all, m)
			r.bad = r.bad || !r.says(m, fails)
		}
		return true
	})
}

// notNil returns the variables that are not nil under a condition.
func (r *pointedReturns) notNil(cond ast.Expr) []*types.Var {
	op, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	switch {
	case ok && op.Op == token.LAND:
		return append(r.notNil(op.X), r.notNil(op.Y)...)
	case ok && op.Op == token.NEQ && r.isNil(op.Y):
		return []*types.Var{variable(r.info, op.X)}
	}
	return nil
}

// says reports whether a return statement returns pointers that are nil with an error, and only with one.
func (r *pointedReturns) says(s *ast.ReturnStmt, fails []*types.Var) bool {
	if len(s.Results) != len(r.pointed) {
		return false
	}
	failed := false
	if r.failure >= 0 && !r.isNil(s.Results[r.failure]) {
		e := ast.Unparen(s.Results[r.failure])
		v := variable(r.info, e)
		call, isCall := e.(*ast.CallExpr)
		failed = v != nil && (isGlobal(v) || slices.Contains(fails, v)) || isCall && r.makesError(call)
		if !failed {
			return false
		}
	}
	for i, pointed := range r.pointed {
		if pointed && r.isNil(s.Results[i]) != failed {
			return false
		}
	}
	return true
}

// makesError reports whether a call makes an error that is not nil.
func (r *pointedReturns) makesError(e *ast.CallExpr) bool {
	f := errorFunction(r.info, e)
	return f != nil && (f.Name() == "New" || f.Name() == "Errorf")
}

func (r *pointedReturns) isNil(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && r.info.Uses[id] == types.Universe.Lookup("nil")
}

// pointedBy is what e, a pointer to a t, points to, as an expression; a zero value for nil.
func (r *pointedReturns) pointedBy(e ast.Expr, t types.Type) ast.Expr {
	var to ast.Expr
	switch x := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		if x.Op == token.AND {
			return x.X
		}
	case *ast.Ident:
		if r.isNil(x) {
			to = &ast.CompositeLit{Lbrace: e.Pos(), Rbrace: e.Pos()}
		}
	}
	if to == nil {
		to = &ast.StarExpr{Star: e.Pos(), X: e}
	}
	r.info.Types[to] = types.TypeAndValue{Type: t}
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
