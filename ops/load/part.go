package load

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/ops/ir"
)

// PartKind says what a [Part] is made of.
type PartKind uint8

// The kinds of a [Part]. The first four have no parts of their own.
const (
	PartNumber  PartKind = iota // a bool, an integer or a float: one value
	PartComplex                 // its real and its imaginary part: two values
	PartString                  // its bytes: one sequence
	PartError                   // of a result: an int32, 0 for nil and i+1 for entry i of Kernel.Errors, and the Words that it says
	PartStruct                  // its fields, in order
	PartArray                   // its elements, in order
	PartSlice                   // the values of its element, each as a sequence
	PartPointer                 // what it points to
	PartTable                   // an array of many elements, or of arrays: the values of its element, each as a sequence
)

// Part is the type of a kernel's parameter or result, or a part of it, as Go has it: a small tree. In the IR it is the
// values that stand at its leaves, from left to right.
type Part struct {
	Kind   PartKind
	GoType string  // as a file of the package writes it
	Number ir.Kind // of a number, and of the halves of a complex one
	Plain  bool    // of a number: its type is a predeclared one
	Len    int     // of an array, and of a table, in all
	First  string  // of a table: the indices of its first number as they are written, [0][0] for an array of arrays
	Words  int     // of an error: how many numbers it carries, each an int64
	Elem   *Part   // of an array, a table, a slice and a pointer
	Fields []PartField
}

// PartField is a field of a struct.
type PartField struct {
	Name string
	Part *Part
}

// Slices reports whether values of the type are, or hold, slices or strings.
func (p *Part) Slices() bool {
	switch p.Kind {
	case PartSlice, PartString:
		return true
	case PartArray, PartPointer:
		return p.Elem.Slices()
	case PartStruct:
		return slices.ContainsFunc(p.Fields, func(f PartField) bool { return f.Part.Slices() })
	}
	return false
}

// Innermost is what lies in slices of slices, in all of them: the part itself where it is no slice.
func (p *Part) Innermost() *Part {
	for p.Kind == PartSlice {
		p = p.Elem
	}
	return p
}

// Count is the number of values that the part is in the IR.
func (p *Part) Count() int { return len(p.values("", 0)) }

// values lists what the part is in the IR. name is that of the part, rank the number of slices around it.
func (p *Part) values(name string, rank int) []Field {
	one := func(name string, k ir.Kind, rank int) Field {
		return Field{Name: name, Type: ir.Type{Kind: k, Rank: rank}}
	}
	switch p.Kind {
	case PartNumber:
		return []Field{one(name, p.Number, rank)}
	case PartComplex:
		return []Field{one(name+"_re", p.Number, rank), one(name+"_im", p.Number, rank)}
	case PartString:
		return []Field{one(name, ir.Uint8, rank+1)}
	case PartError:
		all := []Field{one(name, ir.Int32, rank)}
		for i := range p.Words {
			all = append(all, one(fmt.Sprintf("%s_said%d", name, i+1), ir.Int64, rank))
		}
		return all
	case PartStruct:
		var all []Field
		for _, f := range p.Fields {
			all = append(all, f.Part.values(name+"_"+f.Name, rank)...)
		}
		return all
	case PartArray:
		var all []Field
		for i := range p.Len {
			all = append(all, p.Elem.values(fmt.Sprintf("%s_%d", name, i), rank)...)
		}
		return all
	case PartSlice, PartTable:
		return p.Elem.values(name, rank+1)
	case PartPointer:
		return p.Elem.values(name, rank)
	}
	return nil
}

// refusal is why a type cannot be that of a parameter or a result, and what to do.
type refusal struct{ why, fix string }

// parts takes the types of signatures apart. Types are named as a file of the root package names them.
type parts struct {
	root    *types.Package
	imports map[string]string // name of each package that the types mention, by its path
	result  bool
	pointed bool // it is a pointer that the kernel's body gives as what it points to

	elements int // how many slices and arrays are around the type at hand
}

// reserved are the names of packages that generated files import themselves.
var reserved = []string{"context", "exec", "rt", "vec", "math", "bits", "clrt", "harness", "unsafe"}

// qualify returns the name of a package in generated files, "" for the one that they belong to.
func (b *parts) qualify(pkg *types.Package) string {
	if pkg == b.root {
		return ""
	}
	if name, ok := b.imports[pkg.Path()]; ok {
		return name
	}
	taken := func(name string) bool {
		for _, other := range b.imports {
			if other == name {
				return true
			}
		}
		return b.root.Scope().Lookup(name) != nil || hides(name)
	}
	name := pkg.Name()
	for taken(name) {
		name += "_"
	}
	b.imports[pkg.Path()] = name
	return name
}

func (b *parts) typeText(t types.Type) string { return types.TypeString(t, b.qualify) }

// of takes a type apart. depth counts the types around it.
func (b *parts) of(t types.Type, depth int) (*Part, *refusal) {
	if depth > maxNesting {
		return nil, &refusal{fmt.Sprintf("it is nested deeper than %d levels", maxNesting), "pass flat slices"}
	}
	if r := b.nameable(t); r != nil {
		return nil, r
	}
	out := &Part{GoType: b.typeText(t)}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch k, ok := kindOf(u); {
		case ok:
			_, out.Plain = types.Unalias(t).(*types.Basic)
			out.Kind, out.Number = PartNumber, k
			return out, nil
		case u.Kind() == types.Complex128:
			out.Kind, out.Number = PartComplex, ir.Float64
			return out, nil
		case u.Kind() == types.Complex64:
			out.Kind, out.Number = PartComplex, ir.Float32
			return out, nil
		case u.Kind() == types.String:
			out.Kind = PartString
			return out, nil
		}
	case *types.Slice:
		if b.elements == 0 && isLarge(u.Elem()) {
			elem, r := b.table(u.Elem())
			if r == nil && elem.Elem.Kind != PartNumber {
				r = &refusal{fmt.Sprintf("an array in a slice has at most %d elements, unless they are numbers", MaxComponents), "pass a slice of its elements, those of all arrays one behind the other"}
			}
			out.Kind, out.Elem = PartSlice, elem
			return out, r
		}
		elem, r := b.element(u.Elem(), depth+1)
		out.Kind, out.Elem = PartSlice, elem
		return out, r
	case *types.Array:
		if u.Len() == 0 {
			return nil, &refusal{"an array without elements holds no number", "leave it out"}
		}
		if b.elements == 0 && isLarge(t) {
			return b.table(t)
		}
		if u.Len() > MaxComponents {
			return nil, &refusal{fmt.Sprintf("an array in a slice has at most %d elements, each of which is a value of its own", MaxComponents),
				"pass a slice: x[:] is one of the array x"}
		}
		elem, r := b.element(u.Elem(), depth+1)
		out.Kind, out.Elem, out.Len = PartArray, elem, int(u.Len())
		return out, r
	case *types.Struct:
		out.Kind = PartStruct
		for f := range u.Fields() {
			if f.Name() == "_" {
				return nil, &refusal{"generated code cannot name the field _ of " + typeName(t), "give the field a name, or leave it out"}
			}
			if !f.Exported() && f.Pkg() != b.root {
				return nil, &refusal{fmt.Sprintf("generated code of this package cannot name the field %s of %s", f.Name(), typeName(t)),
					"pass the numbers that the kernel needs, or declare a struct of your own"}
			}
			part, r := b.of(f.Type(), depth+1)
			if r != nil {
				return nil, r
			}
			out.Fields = append(out.Fields, PartField{f.Name(), part})
		}
		if len(out.Fields) == 0 {
			return nil, &refusal{"an empty struct holds no number", "leave it out"}
		}
		return out, nil
	case *types.Pointer:
		if depth == 0 && b.result && !b.pointed {
			return nil, &refusal{"a pointer that a kernel returns is one to a struct, and nil together with an error, and only then, as each of its return statements shows",
				"return the value: " + typeName(u.Elem())}
		}
		if depth > 0 {
			return nil, &refusal{"a pointer in a slice or struct may point to what another iteration reads", "use the value: " + typeName(u.Elem())}
		}
		elem, r := b.of(u.Elem(), depth+1)
		out.Kind, out.Elem = PartPointer, elem
		return out, r
	case *types.Signature:
		return nil, &refusal{"which function is called must be known when the kernel is compiled", "write a function in the package, and name it in the kernel"}
	case *types.Map:
		return nil, &refusal{"a map is no sequence: its order is not defined", "pass sorted keys beside their values"}
	case *types.Chan:
		return nil, &refusal{"a kernel gets all of its input at once", "receive everything before, and pass a slice"}
	case *types.Interface:
		if depth == 0 && b.result && types.Identical(t, types.Universe.Lookup("error").Type()) {
			out.Kind = PartError
			return out, nil
		}
		return nil, &refusal{"the type of every value must be known when the kernel is compiled", "use the concrete type"}
	}
	return nil, &refusal{"the inputs and results of a kernel are made of numbers, strings, structs, arrays and slices", "use one of these"}
}

// element takes the type of the elements of something.
func (b *parts) element(t types.Type, depth int) (*Part, *refusal) {
	b.elements++
	defer func() { b.elements-- }()
	return b.of(t, depth)
}

// table takes an array of many numbers: see Note [Fixed arrays].
func (b *parts) table(t types.Type) (*Part, *refusal) {
	base, n := arrayBase(t)
	if n > maxNumbers {
		return nil, &refusal{fmt.Sprintf("an array has at most %d elements", maxNumbers), "pass a slice: x[:] is one of the array x"}
	}
	elem, r := b.element(base, 1)
	return &Part{Kind: PartTable, GoType: b.typeText(t), Elem: elem, Len: int(n), First: firstOf(t)}, r
}

// nameable refuses a named type that generated code of the root package cannot name.
func (b *parts) nameable(t types.Type) *refusal {
	var obj *types.TypeName
	switch t := t.(type) {
	case *types.Named:
		obj = t.Obj()
		for arg := range t.TypeArgs().Types() {
			if r := b.nameable(arg); r != nil {
				return r
			}
		}
	case *types.Alias:
		obj = t.Obj()
	}
	switch {
	case obj == nil || obj.Pkg() == nil:
		return nil
	case obj.Pkg() != b.root && !obj.Exported():
		return &refusal{fmt.Sprintf("generated code of this package cannot name the type %s", typeName(t)), "export the type, or use its underlying type"}
	case obj.Parent() != obj.Pkg().Scope():
		return &refusal{fmt.Sprintf("generated code cannot name %s, which a function declares", obj.Name()), "declare the type in the package"}
	case obj.Pkg() != b.root && internalTo(obj.Pkg().Path(), b.root.Path()):
		return &refusal{fmt.Sprintf("this package may not import %s", obj.Pkg().Path()), "declare a type of your own"}
	}
	return nil
}

// internalTo reports whether path lies in a directory internal of a tree that importer does not belong to, or is a main
// package's: then the importer cannot import it.
func internalTo(path, importer string) bool {
	at := strings.LastIndex("/"+path+"/", "/internal/")
	if at < 0 {
		return false
	}
	tree := strings.TrimSuffix(("/" + path)[:at], "/")
	return tree != "" && "/"+importer != tree && !strings.HasPrefix("/"+importer, tree+"/")
}
