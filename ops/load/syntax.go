package load

import (
	"go/ast"
	"reflect"
)

// notSyntax are the fields of nodes that lead to comments and to what the parser found out about names.
var notSyntax = map[string]bool{"Obj": true, "Scope": true, "Doc": true, "Comment": true}

// copySyntax copies what v holds: a node, or a list of nodes. instead returns what takes the place of a node, nil for a
// copy of it, and copied is told of each node that is copied, and of its copy.
func copySyntax(v reflect.Value, instead func(n ast.Node) ast.Node, copied func(n, m ast.Node)) reflect.Value {
	switch v.Kind() {
	case reflect.Pointer:
		n, ok := v.Interface().(ast.Node)
		if v.IsNil() || !ok {
			return v
		}
		if m := instead(n); m != nil {
			return reflect.ValueOf(m)
		}
		out := reflect.New(v.Type().Elem())
		for i := range v.Elem().NumField() {
			if !notSyntax[out.Elem().Type().Field(i).Name] {
				out.Elem().Field(i).Set(copySyntax(v.Elem().Field(i), instead, copied))
			}
		}
		copied(n, out.Interface().(ast.Node))
		return out
	case reflect.Interface:
		if v.IsNil() {
			return v
		}
		out := reflect.New(v.Type()).Elem()
		out.Set(copySyntax(v.Elem(), instead, copied))
		return out
	case reflect.Slice:
		if v.IsNil() {
			return v
		}
		out := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			out.Index(i).Set(copySyntax(v.Index(i), instead, copied))
		}
		return out
	}
	return v
}
