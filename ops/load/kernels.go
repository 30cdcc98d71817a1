package load

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"github.com/surge-ndp/surge/ops/ir"
)

// Kernel is a function that is marked with //surge:kernel, or with //surge:variant-of KERNEL.
type Kernel struct {
	Name            string
	Doc             string // the doc comment without directives
	Pos             ir.Pos // of the name; File is the base name
	Params, Results []Param
	Func            *ir.Func // has one parameter for each of the Params' Values and one result for each of the Results', in order
	Source          string   // the function's Go text, from "func" to "}"
	VariantOf       string   // the kernel that this one is another algorithm for; empty for a kernel of its own
	// Features are the functions that are declared as features of the inputs (surge:feature); an algorithm for a kernel has
	// those of the kernel. Requested names the ready-made features that training is to use (surge:features).
	Features  []Feature
	Requested []string

	obj *types.Func
}

// Param is a parameter or a result of a kernel.
type Param struct {
	Name   string // results without a name are called result, or result1, result2, … if there are several
	GoType string // as the source writes it
	// Type is the type in the IR. For a struct or a slice of structs the kind is invalid, and Fields has the types.
	Type   ir.Type
	Fields []Field // nil unless the elements are structs
}

// Field is a number of a struct: in the IR, a value (or a sequence, if the parameter is one) of its own.
type Field struct {
	Name   string // of the value in the IR: body_pos_x
	Path   string // from the struct to the number in Go: .pos.x
	GoType string // of the number
	Type   ir.Type
}

// Values returns what the parameter is in the IR: itself, or one value a field.
func (p Param) Values() []Field {
	if p.Fields != nil {
		return p.Fields
	}
	return []Field{{Name: p.Name, GoType: p.GoType, Type: p.Type}}
}

const directivePrefix = "//surge:"

// marked finds the functions with the directive //surge:kernel, in file order, and reports directives that are unknown
// or stand elsewhere.
func (p *program) marked() []*function {
	var marked []*function
	for _, file := range p.root.files {
		docs := map[*ast.CommentGroup]*ast.FuncDecl{}
		for _, d := range file.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok && fd.Doc != nil {
				docs[fd.Doc] = fd
			}
		}
		done := map[*ast.FuncDecl]bool{}
		for _, group := range file.Comments {
			for _, c := range group.List {
				d, ok := parseDirective(c)
				if !ok {
					continue
				}
				name, of := d.name, d.first()
				fd := docs[group]
				switch {
				case name == "feature" || name == "features":
					p.featureLines = append(p.featureLines, featureLine{d, fd})
				case name == "variant-of" && of == "":
					p.rep.at(c.Pos(), problem{CodeVariantOf, "//surge:variant-of names no kernel", "the function is another algorithm for a kernel",
						"write //surge:variant-of KERNEL"})
				case fd != nil && done[fd]:
					p.rep.at(c.Pos(), problem{CodeVariantOf, fd.Name.Name + " has two directives", "a function is a kernel, or another algorithm for one",
						"keep one of the lines"})
				case name != "kernel" && name != "variant-of":
					p.rep.at(c.Pos(), problem{CodeDirective, "unknown directive " + directivePrefix + name,
						"the directives are //surge:kernel, //surge:variant-of, //surge:feature and //surge:features", "write //surge:kernel, without a space behind the slashes"})
				case fd == nil:
					p.rep.at(c.Pos(), problem{CodeDirective, "//surge:" + name + " does not belong to a function",
						"the directive marks the function whose doc comment it stands in",
						"put it in the last comment lines before a top-level func, with no empty line between"})
				case !done[fd]:
					done[fd] = true
					if obj, ok := p.root.info.Defs[fd.Name].(*types.Func); ok && p.funcs[obj] != nil {
						f := p.funcs[obj]
						marked = append(marked, f)
						if name == "variant-of" {
							p.variantOf[f] = alternative{of, c.Pos()}
						}
					}
				}
			}
		}
	}
	return marked
}

// directive is a comment //surge:name args.
type directive struct {
	name string
	args []string
	pos  token.Pos
}

// first returns the first argument, "" if there is none.
func (d *directive) first() string {
	if len(d.args) == 0 {
		return ""
	}
	return d.args[0]
}

func parseDirective(c *ast.Comment) (d directive, ok bool) {
	rest, ok := strings.CutPrefix(c.Text, directivePrefix)
	if !ok {
		return d, false
	}
	d.pos = c.Pos()
	if words := strings.Fields(rest); len(words) > 0 {
		d.name, d.args = words[0], words[1:]
	}
	return d, true
}

// alternative is the directive //surge:variant-of.
type alternative struct {
	kernel string
	pos    token.Pos
}

// alternatives checks that what the marked functions are alternatives of are kernels of the same signature.
func (p *program) alternatives(marked []*function) {
	for _, f := range marked {
		a, ok := p.variantOf[f]
		if !ok {
			continue
		}
		var kernel *function
		for _, g := range marked {
			if _, other := p.variantOf[g]; !other && g.obj.Name() == a.kernel {
				kernel = g
			}
		}
		switch {
		case kernel == nil:
			p.rep.at(a.pos, problem{CodeVariantOf, a.kernel + " is no kernel of this package", "another algorithm is chosen where its kernel is called",
				"name a function of the package that has the line //surge:kernel"})
		case !types.Identical(kernel.obj.Signature(), f.obj.Signature()):
			p.rep.at(f.decl.Name.Pos(), problem{CodeVariantOf, fmt.Sprintf("%s has the signature %s, and %s, whose algorithm it is, %s", f.obj.Name(),
				typeName(f.obj.Signature()), a.kernel, typeName(kernel.obj.Signature())),
				"either may be run for the other", "give it the parameters and results of " + a.kernel})
		}
	}
}

// signature describes the kernel f and reports what its signature may not have. Func stays nil.
func (p *program) signature(f *function) *Kernel {
	sig := f.obj.Signature()
	pos := f.decl.Name.Pos()
	k := &Kernel{
		Name: f.decl.Name.Name, Doc: strings.TrimSpace(f.decl.Doc.Text()), Pos: p.irPos(pos), obj: f.obj, VariantOf: p.variantOf[f].kernel,
		Features: p.features[f], Requested: p.requested[f],
	}
	switch {
	case sig.Recv() != nil:
		p.rep.at(pos, problem{CodeSignature, "the kernel " + k.Name + " is a method",
			"a kernel's inputs are its parameters", "write a function, with the receiver's fields as parameters"})
	case f.decl.Body == nil:
		p.rep.at(pos, problem{CodeSignature, "the kernel " + k.Name + " has no body", "there is nothing to compile", "write it in Go"})
	case sig.Results().Len() == 0:
		p.rep.at(pos, problem{CodeSignature, "the kernel " + k.Name + " returns nothing",
			"kernels have no effect but their results", "return what it computes"})
	case k.Name == "_" || k.Name == "init" || k.Name == "main" && f.unit.pkg.Name() == "main":
		p.rep.at(pos, problem{CodeSignature, "the function " + k.Name + " cannot be a kernel", "nobody can call it with data", "give it another name"})
	}
	if sig.TypeParams() != nil {
		return k // reported by the check of the function
	}
	for i := range sig.Params().Len() {
		v := sig.Params().At(i)
		if v.Name() == "" || v.Name() == "_" {
			p.rep.at(v.Pos(), problem{CodeSignature, "a parameter of the kernel " + k.Name + " has no name",
				"data is bound to parameters by name", "name it"})
		}
		if sig.Variadic() && i == sig.Params().Len()-1 {
			continue // reported by the check of the function
		}
		k.Params = append(k.Params, p.param(v, v.Name(), false))
	}
	for i := range sig.Results().Len() {
		v := sig.Results().At(i)
		name := v.Name()
		if name == "" || name == "_" {
			name = resultName(i, sig.Results().Len())
		}
		k.Results = append(k.Results, p.param(v, name, true))
	}
	return k
}

func resultName(i, n int) string {
	if n == 1 {
		return "result"
	}
	return "result" + strconv.Itoa(i+1)
}

// param describes one parameter or result. Only what an input file and a generated signature can hold is accepted:
// scalars, []T and [][]T with T a predeclared type, or a struct of numbers that the package declares (a result of
// structs: S and []S).
func (p *program) param(v *types.Var, name string, result bool) Param {
	t := types.Unalias(v.Type())
	out := Param{Name: name, GoType: types.TypeString(v.Type(), types.RelativeTo(p.root.pkg))}
	rank := 0
	e := t
	for rank < 3 {
		s, ok := types.Unalias(e).(*types.Slice)
		if !ok {
			break
		}
		e, rank = s.Elem(), rank+1
	}
	e = types.Unalias(e)
	if b, ok := e.(*types.Basic); ok && rank < 3 {
		if k, ok := kindOf(b); ok {
			out.Type = ir.Type{Kind: k, Rank: rank}
			return out
		}
	}
	if e == types.Typ[types.Invalid] {
		return out
	}
	if _, ok := e.Underlying().(*types.Struct); ok && rank < 3 && !(result && rank == 2) {
		if fs, ok := p.fields(e, name, "", rank); ok && len(fs) <= maxComponents {
			out.Type, out.Fields = ir.Type{Rank: rank}, fs
			return out
		}
	}
	fix := "use bool, an integer type, float32 or float64, a slice of one, or a slice of such slices"
	why := "the inputs and results of a kernel are scalars, sequences and nested sequences of predeclared number types"
	switch u := e.Underlying().(type) {
	case *types.Struct:
		why = "the elements of a kernel's inputs and results are predeclared number types, or structs of these that the package itself declares"
		fix = "pass one slice a field, and put them together with ops.Zip inside the kernel; return one result a field"
	case *types.Signature:
		why = "which function is called must be known when the kernel is compiled"
		fix = "write a function in the package, and name it in the kernel"
	case *types.Basic:
		if k, ok := kindOf(u); ok && rank < 3 {
			fix = "use " + strings.Repeat("[]", rank) + k.String()
		}
	}
	if rank == 3 {
		fix = "pass the flat sequence and the row lengths, and use ops.Nest or ops.Split"
	}
	p.rep.at(v.Pos(), problem{CodeParamType, "the kernel's " + quoteName(v, name) + " has the type " + typeName(v.Type()), why, fix})
	return out
}

// fields lists the numbers of a struct type. It reports false if generated code of the package could not name one of
// them, or its type.
func (p *program) fields(t types.Type, name, path string, rank int) ([]Field, bool) {
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil && n.Obj().Pkg() != p.root.pkg {
		return nil, false
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		k, ok := kindOf(u)
		return []Field{{Name: name, Path: path, GoType: types.TypeString(t, types.RelativeTo(p.root.pkg)), Type: ir.Type{Kind: k, Rank: rank}}}, ok
	case *types.Struct:
		var all []Field
		for f := range u.Fields() {
			fs, ok := p.fields(f.Type(), name+"_"+f.Name(), path+"."+f.Name(), rank)
			if !ok || f.Name() == "_" || len(all) > maxComponents {
				return nil, false
			}
			all = append(all, fs...)
		}
		return all, len(all) > 0
	}
	return nil, false
}

func quoteName(v *types.Var, name string) string {
	if v.Name() == "" {
		return "result"
	}
	return name
}

// sourceText returns the text of a function from "func" to its closing brace.
func sourceText(fset *token.FileSet, decl *ast.FuncDecl, content []byte) string {
	lo, hi := fset.Position(decl.Type.Func).Offset, fset.Position(decl.End()).Offset
	if lo < 0 || hi > len(content) || lo > hi {
		return ""
	}
	return string(content[lo:hi])
}
