package load

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/surge-ndp/surge/ops/ir"
)

// opsPath is the package whose functions are the operators.
const opsPath = "github.com/surge-ndp/surge/ops"

// kindOf returns the element kind of a basic type.
func kindOf(b *types.Basic) (ir.Kind, bool) {
	if d, ok := types.Default(b).(*types.Basic); ok && d.Kind() > types.Invalid && d.Kind() < types.UntypedBool {
		return ir.ParseKind(types.Typ[d.Kind()].Name()) // by way of Typ, where byte and rune have their plain names
	}
	return ir.Invalid, false
}

// scalarKind returns the element kind of a scalar type, named or not.
func scalarKind(t types.Type) (ir.Kind, bool) {
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		return ir.Invalid, false
	}
	return kindOf(b)
}

// layout flattens a Go type into the IR types that stand for it: a scalar is one value, a struct is its fields in order,
// a sequence of structs is one array a field. A function is no value: it has no layout, and neither have the types
// that the IR lacks; the error names the first of them.
func layout(t types.Type) ([]ir.Type, error) { return layoutIn(t, 0) }

// maxNesting bounds the depth of types, so that a recursive one ([]T where T is []T) ends in an error.
const maxNesting = 16

// maxComponents bounds the values that one struct is flattened to: each is a variable, or an array, of its own.
const maxComponents = 64

func layoutIn(t types.Type, depth int) ([]ir.Type, error) {
	if depth > maxNesting {
		return nil, fmt.Errorf("%s, which is nested deeper than %d levels", typeName(t), maxNesting)
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if k, ok := scalarKind(t); ok {
			return []ir.Type{ir.Scalar(k)}, nil
		}
	case *types.Slice:
		elems, err := layoutIn(u.Elem(), depth+1)
		if err != nil {
			return nil, err
		}
		for i, e := range elems {
			elems[i] = e.Array()
		}
		return elems, nil
	case *types.Array: // only as a variable of its own: an array in a struct or slice would make its rows values
		elems, err := layoutIn(u.Elem(), depth+1)
		if err != nil {
			return nil, err
		}
		for i, e := range elems {
			if depth > 0 || !e.IsScalar() || u.Len() == 0 {
				return nil, fmt.Errorf("%s", typeName(t))
			}
			elems[i] = e.Array()
		}
		return elems, nil
	case *types.Struct:
		var all []ir.Type
		for i := range u.NumFields() {
			fs, err := layoutIn(u.Field(i).Type(), depth+1)
			if err != nil {
				return nil, err
			}
			if all = append(all, fs...); len(all) > maxComponents {
				return nil, fmt.Errorf("%s, which has more than %d numbers", typeName(t), maxComponents)
			}
		}
		if len(all) > 0 {
			return all, nil
		}
	}
	return nil, fmt.Errorf("%s", typeName(t))
}

// fieldRange returns which of a struct's flattened values belong to field i.
func fieldRange(s *types.Struct, i int) (lo, hi int) {
	for j := range i + 1 {
		n, _ := layout(s.Field(j).Type())
		lo, hi = hi, hi+len(n)
	}
	return lo, hi
}

// isSequence reports whether t is a slice or array type, and gives its element type.
func isSequence(t types.Type) (types.Type, bool) {
	switch s := t.Underlying().(type) {
	case *types.Slice:
		return s.Elem(), true
	case *types.Array:
		return s.Elem(), true
	}
	return nil, false
}

func isFunc(t types.Type) bool {
	_, ok := t.Underlying().(*types.Signature)
	return ok
}

// typeName is how messages write a type: with package names instead of paths.
func typeName(t types.Type) string {
	return strings.ReplaceAll(types.TypeString(t, func(p *types.Package) string { return p.Name() }), "interface{}", "any")
}

// zeroConst is the zero value of a scalar kind.
func zeroConst(k ir.Kind) ir.Const {
	if k.IsFloat() {
		return ir.FloatConst(k, 0)
	}
	return ir.Const{Kind: k}
}
