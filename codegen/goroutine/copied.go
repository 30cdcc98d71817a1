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
	return rewritten(x, func(x kir.Expr) kir.Expr {
		if r, ok := x.(*kir.Ref); ok {
			return values[r.V]
		}
		return nil
	})
}

// rewritten is an expression with what by says in place of its parts, where that is not nil.
func rewritten(x kir.Expr, by func(kir.Expr) kir.Expr) kir.Expr {
	if value := by(x); value != nil {
		return value
	}
	changed := false
	kir.WalkExpr(x, func(x kir.Expr) { changed = changed || by(x) != nil })
	if !changed {
		return x
	}
	node := reflect.New(reflect.TypeOf(x).Elem())
	node.Elem().Set(reflect.ValueOf(x).Elem())
	rewriteOperands(node.Elem(), by)
	return node.Interface().(kir.Expr)
}

var exprType = reflect.TypeFor[kir.Expr]()

// rewriteOperands does so in the operands that a node, or an argument of a routine, holds.
func rewriteOperands(node reflect.Value, by func(kir.Expr) kir.Expr) {
	for i := range node.NumField() {
		f := node.Field(i)
		switch {
		case f.Type() == exprType && !f.IsNil():
			f.Set(reflect.ValueOf(rewritten(f.Interface().(kir.Expr), by)))
		case f.Kind() == reflect.Slice && f.Type().Elem().Kind() == reflect.Struct:
			list := reflect.MakeSlice(f.Type(), f.Len(), f.Len())
			reflect.Copy(list, f)
			for k := range list.Len() {
				rewriteOperands(list.Index(k), by)
			}
			f.Set(list)
		}
	}
}
