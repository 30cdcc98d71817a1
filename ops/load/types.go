package load

import (
	"fmt"
	"go/types"
	"slices"
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

// layout flattens a Go type into the IR types that stand for it: a scalar is one value, a complex number two, a
// string the sequence of its bytes, a struct is its fields in order, a fixed array its elements in order, a sequence
// of structs or of fixed arrays is one array for each value of an element. A fixed array of too many numbers is one
// sequence, but only as a variable of its own: see Note [Fixed arrays]. A function is no value: it has no layout, and
// neither have the types that the IR lacks; the error names the first of them.
func layout(t types.Type) ([]ir.Type, error) { return shape(0).layout(t) }

// shape is how many numbers a value of type error carries in the kernel at hand: see Note [Errors]. The other types
// are the same values in all kernels.
type shape int

func (s shape) layout(t types.Type) ([]ir.Type, error) {
	if base, n := arrayBase(t); n > maxNumbers {
		return nil, fmt.Errorf("%s, which has more than %d elements", typeName(t), maxNumbers)
	} else if n > 0 {
		elems, err := s.layoutIn(base, 1)
		if err == nil && n*int64(len(elems)) > MaxComponents {
			for i, e := range elems {
				if !e.IsScalar() {
					return nil, fmt.Errorf("%s, which has more than %d sequences", typeName(t), MaxComponents)
				}
				elems[i] = e.Array()
			}
			return elems, nil
		}
	}
	return s.layoutIn(t, 0)
}

// maxNesting bounds the depth of types, so that a recursive one ([]T where T is []T) ends in an error.
const maxNesting = 16

// MaxComponents bounds the values that one fixed array is flattened to: each is a variable, or an array, of its own. A
// board of nine by nine, or ten by ten, has fewer; a table with an entry for each character has more, which are reached
// by index: a sequence serves it better. maxFields bounds the values of one struct.
const (
	MaxComponents = 127
	maxFields     = 255
)

// maxNumbers bounds the elements of a fixed array that is one sequence.
const maxNumbers = 1 << 24

func layoutIn(t types.Type, depth int) ([]ir.Type, error) { return shape(0).layoutIn(t, depth) }

func (s shape) layoutIn(t types.Type, depth int) ([]ir.Type, error) {
	if depth > maxNesting {
		return nil, fmt.Errorf("%s, which is nested deeper than %d levels", typeName(t), maxNesting)
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if k, ok := scalarKind(t); ok {
			return []ir.Type{ir.Scalar(k)}, nil
		}
		if isString(t) {
			return []ir.Type{{Kind: ir.Uint8, Rank: 1}}, nil
		}
		if part, ok := complexPart(t); ok {
			return []ir.Type{ir.Scalar(part), ir.Scalar(part)}, nil
		}
	case *types.Slice:
		elems, err := s.elementLayout(u.Elem(), depth+1)
		if err != nil {
			return nil, err
		}
		for i, e := range elems {
			elems[i] = e.Array()
		}
		return elems, nil
	case *types.Array:
		elems, err := s.layoutIn(u.Elem(), depth+1)
		if err != nil {
			return nil, err
		}
		if u.Len() == 0 {
			return nil, fmt.Errorf("%s", typeName(t))
		}
		if u.Len()*int64(len(elems)) > MaxComponents || u.Len() > MaxComponents {
			return nil, fmt.Errorf("%s, which has more than %d numbers", typeName(t), MaxComponents)
		}
		return slices.Repeat(elems, int(u.Len())), nil
	case *types.Interface:
		if isError(t) { // see Note [Errors]
			return append([]ir.Type{ir.Scalar(ir.Int32)}, slices.Repeat([]ir.Type{ir.Scalar(ir.Int64)}, int(s))...), nil
		}
	case *types.Struct:
		var all []ir.Type
		for i := range u.NumFields() {
			fs, err := s.fieldLayout(u.Field(i).Type(), depth)
			if err != nil {
				return nil, err
			}
			if all = append(all, fs...); len(all) > maxFields {
				return nil, fmt.Errorf("%s, which has more than %d numbers", typeName(t), maxFields)
			}
		}
		if len(all) > 0 {
			return all, nil
		}
	}
	return nil, fmt.Errorf("%s", typeName(t))
}

// elementLayout flattens the type of the elements of a slice, which so many types are around. An array of too many
// numbers is a row.
func (s shape) elementLayout(t types.Type, depth int) ([]ir.Type, error) {
	if base, n := arrayBase(t); n <= maxNumbers && isLarge(t) && depth <= maxNesting {
		if _, err := s.layoutIn(base, depth); err == nil {
			return s.layout(t)
		}
	}
	return s.layoutIn(t, depth)
}

// fieldLayout flattens the type of a field of a struct, which so many types are around. A fixed array of too many
// numbers is one sequence in a struct that is no element of anything.
func (s shape) fieldLayout(t types.Type, depth int) ([]ir.Type, error) {
	if depth == 0 {
		return s.layout(t)
	}
	return s.layoutIn(t, depth+1)
}

// fieldRange returns which of a struct's flattened values belong to field i.
func (s shape) fieldRange(t *types.Struct, i int) (lo, hi int) {
	for j := range i + 1 {
		n, _ := s.layout(t.Field(j).Type())
		lo, hi = hi, hi+len(n)
	}
	return lo, hi
}

// isSequence reports whether t is a slice type, and gives its element type. A fixed array is none: see [isArray].
func isSequence(t types.Type) (types.Type, bool) {
	if s, ok := t.Underlying().(*types.Slice); ok {
		return s.Elem(), true
	}
	return nil, false
}

// isArray reports whether t is a type [N]T, and gives its length and its element type.
func isArray(t types.Type) (n int64, elem types.Type, ok bool) {
	if t == nil {
		return 0, nil, false
	}
	if a, ok := t.Underlying().(*types.Array); ok {
		return a.Len(), a.Elem(), true
	}
	return 0, nil, false
}

// arrayBase returns what the elements of an array, or of an array of arrays, are in the end, and how many there are: of
// [2][3]T these are T and 6. For another type it returns the type and 0.
func arrayBase(t types.Type) (base types.Type, n int64) {
	len, elem, ok := isArray(t)
	if !ok {
		return t, 0
	}
	base, inner := arrayBase(elem)
	if inner == 0 {
		return elem, len
	}
	if len > maxNumbers || inner > maxNumbers {
		return base, maxNumbers + 1
	}
	return base, len * inner
}

// width returns how many values an element or a field of type t is.
func width(t types.Type) int { return shape(0).width(t) }

func (s shape) width(t types.Type) int {
	ts, _ := s.layoutIn(t, 1)
	return len(ts)
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

func isArrayType(t types.Type) bool {
	_, _, ok := isArray(t)
	return ok
}

func isSlice(t types.Type) bool {
	_, ok := t.Underlying().(*types.Slice)
	return ok
}
