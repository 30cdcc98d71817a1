package goroutine

import (
	"reflect"

	"github.com/surge-ndp/surge/codegen/kir"
)

// copied is a copy of statements that are Let, Set or Store, with variables of its own. In place of others it has what
// values says, to which its own are added; names, if not nil, has names for them.
func copied(list []kir.Stmt, values map[*kir.Var]kir.Expr, names *kir.Names) []kir.Stmt {
	out := make([]kir.Stmt, len(list))
	for i, s := range list {
		switch s := s.(type) {
		case *kir.Let:
			x := replaced(s.X, values)
			v := *s.V
			if names != nil {
				v.Name = names.Fresh(v.Name)
			}
			values[s.V] = &kir.Ref{V: &v}
			out[i] = &kir.Let{V: &v, X: x}
		case *kir.Set:
			v := s.V
			if own, ok := values[v].(*kir.Ref); ok {
				v = own.V
			}
			out[i] = &kir.Set{V: v, X: replaced(s.X, values)}
		case *kir.Store:
			out[i] = &kir.Store{A: s.A, I: replaced(s.I, values), X: replaced(s.X, values)}
		}
	}
	return out
}

// replaced is an expression with others in place of variables.
func replaced(x kir.Expr, values map[*kir.Var]kir.Expr) kir.Expr {
	if r, ok := x.(*kir.Ref); ok {
		if value := values[r.V]; value != nil {
			return value
		}
		return r
	}
	changed := false
	kir.WalkExpr(x, func(x kir.Expr) {
		if r, ok := x.(*kir.Ref); ok && values[r.V] != nil {
			changed = true
		}
	})
	if !changed {
		return x
	}
	node := reflect.New(reflect.TypeOf(x).Elem())
	node.Elem().Set(reflect.ValueOf(x).Elem())
	replaceOperands(node.Elem(), values)
	return node.Interface().(kir.Expr)
}

var exprType = reflect.TypeFor[kir.Expr]()

// replaceOperands does so in the operands that a node, or an argument of a routine, holds.
func replaceOperands(node reflect.Value, values map[*kir.Var]kir.Expr) {
	for i := range node.NumField() {
		f := node.Field(i)
		switch {
		case f.Type() == exprType && !f.IsNil():
			f.Set(reflect.ValueOf(replaced(f.Interface().(kir.Expr), values)))
		case f.Kind() == reflect.Slice && f.Type().Elem().Kind() == reflect.Struct:
			list := reflect.MakeSlice(f.Type(), f.Len(), f.Len())
			reflect.Copy(list, f)
			for k := range list.Len() {
				replaceOperands(list.Index(k), values)
			}
			f.Set(list)
		}
	}
}
