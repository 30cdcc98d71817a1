package load

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/surge-ndp/surge/ops/ir"
)

// Kernel is a function or a method that is marked with //surge:kernel, or with //surge:variant-of KERNEL.
type Kernel struct {
	Name string // an identifier: for a method, that of the type and that of the method
	// Call is the Go expression of the function, as a file of the package writes it: Dot, Matrix.MulVec,
	// (*Matrix).MulVec. It takes the Params in order, of which the last is followed by … if the kernel is Variadic.
	Call     string
	Variadic bool
	// Twice says that a loop outside of all operators runs twice, where plain Go runs it once.
	Twice bool
	// Shares says that rows, or what is returned out of a loop, may share memory in plain Go, with an argument or with
	// each other; results of Func do not.
	Shares bool
	// Rooms says that slices are made with a capacity, and appended to: plain Go moves them where that is too little.
	Rooms bool
	// Exchanges says that slices change places whose lengths may differ, which plain Go does not ask for.
	Exchanges bool
	// Cuts says that a slice of an argument may be cut to more elements than it has, up to its capacity.
	Cuts bool
	// Exiting is the kernel where exits are checks, nil if it has none. Exits says that it is that: a check that fails
	// leaves what comes of it to the kernel itself. See Note [Exits].
	// Outcome is what the kernel returns then, one Go expression a result, if that is always the same.
	Exiting *Kernel
	Exits   bool
	Outcome []string
	// Even is the kernel where all rows of each of some parameters have one length, nil if that makes no difference to
	// Func. EvenRows are these parameters, by their places among those of Func. See Note [Even rows].
	Even            *Kernel
	EvenRows        []int
	Doc             string // the doc comment without directives
	Pos             ir.Pos // of the name; File is the base name
	Constraint      string // under which it means what it does, as behind //go:build; empty for always: see Note [Build constraints]
	Params, Results []Param
	// Hidden are parameters of Func behind those of the source: package-level variables that the kernel reads.
	// Generated code passes them; whoever calls the kernel knows nothing of them.
	Hidden []Param
	// Calls are the functions that Func calls as they stand.
	Calls []*Called
	// Approximate says that functions of package math/cmplx are inlined, of which plain Go has others: the last bits of
	// their results may differ.
	Approximate bool
	// Whole are the problems for which the kernel is not taken apart: its Func is nothing but a call of it. Empty for
	// kernels that are compiled: see Note [Kernels that stay whole].
	Whole     Diagnostics
	Parallel  *Parallel                // its source with parallel loops, nil where it has none
	keepWhole func(Diagnostic) *Kernel // what [Kernel.KeptWhole] does; nil for kernels that stay whole
	// Errors are the errors that a result of type error may be.
	Errors []ErrorValue
	// Imports are the packages that the types and expressions mention: the name of each, by its path.
	Imports   map[string]string
	Func      *ir.Func // has one parameter for each of the Params' and Hidden's Values and one result for each of the Results', in order
	Source    string   // the function's Go text, from "func" to "}"
	VariantOf string   // the kernel that this one is another algorithm for; empty for a kernel of its own
	// Features are the functions that are declared as features of the inputs (surge:feature); an algorithm for a
	// kernel has those of the kernel. Requested names the ready-made features that training is to use
	// (surge:features).
	Features  []Feature
	Requested []string

	obj   *types.Func
	parts *parts // names what the kernel's generated code mentions
}

// Param is a parameter or a result of a kernel.
type Param struct {
	Name   string // results without a name are called result, or result1, result2, … if there are several
	GoType string // as a file of the package writes it
	Part   *Part  // what it is made of; nil if its type was refused
	// Expr is, for a hidden parameter, the Go expression that yields it.
	Expr string
	// Apart says of a result of a kernel that stays whole that it surely has no memory of a parameter.
	Apart bool
}

// Field is a value in the IR that is a parameter or a result, or a part of one.
type Field struct {
	Name string // body_pos_x
	Type ir.Type
}

// Values returns what the parameter is in the IR.
func (p Param) Values() []Field {
	if p.Part == nil {
		return nil
	}
	return p.Part.values(p.Name, 0)
}

// Error returns which of the results is the kernel's error, -1 if none.
func (k *Kernel) Error() int {
	return slices.IndexFunc(k.Results, func(r Param) bool { return r.Part != nil && r.Part.Kind == PartError })
}

const directivePrefix = "//surge:"

// marked finds the functions with the directive //surge:kernel, in file order, and reports directives that are unknown
// or stand elsewhere.
func (p *program) marked() []*function {
	var marked []*function
	var instances []instantiateLine
	var permits []reassociateLine
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
				case name == "instantiate":
					instances = append(instances, instantiateLine{d, fd})
				case name == "reassociate":
					permits = append(permits, reassociateLine{d, fd})
				case name == "variant-of" && of == "":
					p.rep.at(c.Pos(), problem{CodeVariantOf, "//surge:variant-of names no kernel", "the function is another algorithm for a kernel",
						"write //surge:variant-of KERNEL"})
				case fd != nil && done[fd]:
					p.rep.at(c.Pos(), problem{CodeVariantOf, fd.Name.Name + " has two directives", "a function is a kernel, or another algorithm for one",
						"keep one of the lines"})
				case name != "kernel" && name != "variant-of":
					p.rep.at(c.Pos(), problem{CodeDirective, "unknown directive " + directivePrefix + name,
						"the directives are //surge:kernel, //surge:reassociate, //surge:instantiate, //surge:variant-of, //surge:feature and //surge:features", "write //surge:kernel, without a space behind the slashes"})
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
							p.variantOf[f] = alternative{undotted(of), c.Pos()}
						}
					}
				}
			}
		}
	}
	p.permitReassociation(marked, permits)
	return p.expand(marked, instances)
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
			if _, other := p.variantOf[g]; !other && called(g, a.kernel) {
				kernel = g
			}
		}
		switch {
		case kernel == nil:
			p.rep.at(a.pos, problem{CodeVariantOf, a.kernel + " is no kernel of this package", "another algorithm is chosen where its kernel is called",
				"name a function of the package that has the line //surge:kernel"})
		case !sameSignature(kernel.obj.Signature(), f.obj.Signature()):
			p.rep.at(f.decl.Name.Pos(), problem{CodeVariantOf, fmt.Sprintf("%s has the signature %s, and %s, whose algorithm it is, %s", f.obj.Name(),
				typeName(f.obj.Signature()), a.kernel, typeName(kernel.obj.Signature())),
				"either may be run for the other", "give it the parameters and results of " + a.kernel})
		}
	}
}

// called reports whether a directive's name is that of a marked function: Dot, or Matrix.MulVec for a method.
func called(f *function, name string) bool { return kernelName(f) == undotted(name) }

// undotted is the name of the kernel that a directive calls Matrix.MulVec: MatrixMulVec.
func undotted(name string) string { return strings.Replace(name, ".", "", 1) }

// sameSignature compares receivers, parameters and results.
func sameSignature(a, b *types.Signature) bool {
	as, bs := inputs(a), inputs(b)
	same := func(x, y *types.Var) bool { return types.Identical(x.Type(), y.Type()) }
	return slices.EqualFunc(as, bs, same) && a.Variadic() == b.Variadic() && types.Identical(a.Results(), b.Results())
}

// inputs are the variables that a call of a function binds: the receiver of a method, then the parameters.
func inputs(sig *types.Signature) []*types.Var {
	var all []*types.Var
	if sig.Recv() != nil {
		all = append(all, sig.Recv())
	}
	for v := range sig.Params().Variables() {
		all = append(all, v)
	}
	return all
}

// kernelName is the name of the kernel that is a function: for a method, that of the type and that of the method, for
// an instance of a generic function, that of the function and those of the types.
func kernelName(g *function) string {
	if g.kernel != "" {
		return g.kernel
	}
	f := g.obj
	if named := receiverType(f); named != nil {
		return named.Obj().Name() + f.Name()
	}
	return f.Name()
}

// receiverType is the type that a method belongs to, nil for a function.
func receiverType(f *types.Func) *types.Named {
	recv := f.Signature().Recv()
	if recv == nil {
		return nil
	}
	t := types.Unalias(recv.Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	named, _ := t.(*types.Named)
	return named
}

// callText is the Go expression of a function of the root package.
func callText(g *function) string {
	if g.call != "" {
		return g.call
	}
	f := g.obj
	named := receiverType(f)
	if named == nil {
		return f.Name()
	}
	if _, pointer := types.Unalias(f.Signature().Recv().Type()).(*types.Pointer); pointer {
		return "(*" + named.Obj().Name() + ")." + f.Name()
	}
	return named.Obj().Name() + "." + f.Name()
}

// signature describes the kernel f and reports what its signature may not have. Func stays nil.
func (p *program) signature(f *function) *Kernel {
	sig := f.obj.Signature()
	pos := f.decl.Name.Pos()
	k := &Kernel{
		Name: kernelName(f), Call: callText(f), Variadic: sig.Variadic(), Doc: strings.TrimSpace(f.decl.Doc.Text()), Pos: p.irPos(pos), obj: f.obj,
		VariantOf: p.variantOf[f].kernel, Features: p.features[f], Requested: p.requested[f], Imports: map[string]string{},
	}
	k.parts = &parts{root: p.root.pkg, imports: k.Imports}
	switch {
	case f.decl.Body == nil:
		p.rep.at(pos, problem{CodeSignature, "the kernel " + k.Name + " has no body", "there is nothing to compile", "write it in Go"})
	case sig.Results().Len() == 0:
		p.rep.at(pos, problem{CodeSignature, "the kernel " + k.Name + " returns nothing",
			"kernels have no effect but their results", "return what it computes"})
	case f.obj.Name() == "_" || sig.Recv() == nil && (k.Name == "init" || k.Name == "main" && f.unit.pkg.Name() == "main"):
		p.rep.at(pos, problem{CodeSignature, "the function " + k.Name + " cannot be a kernel", "nobody can call it with data", "give it another name"})
	}
	if sig.TypeParams() != nil {
		return k // reported by the check of the function
	}
	for _, v := range inputs(sig) {
		if v.Name() == "" || v.Name() == "_" {
			p.rep.at(v.Pos(), problem{CodeSignature, "a parameter of the kernel " + k.Name + " has no name",
				"data is bound to parameters by name", "name it"})
		}
		k.Params = append(k.Params, p.param(k, v, v.Name(), false))
	}
	failures := 0
	for i := range sig.Results().Len() {
		v := sig.Results().At(i)
		name := v.Name()
		if name == "" || name == "_" {
			name = resultName(i, sig.Results().Len())
		}
		k.parts.pointed = f.pointed != nil && f.pointed[i]
		r := p.param(k, v, name, true)
		if r.Part != nil && r.Part.Kind == PartError {
			if failures++; failures == 2 {
				p.rep.at(v.Pos(), problem{CodeParamType, "the kernel " + k.Name + " returns two errors", "the generated function has one error",
					"return one of them, or join them into one text"})
			}
		}
		k.Results = append(k.Results, r)
	}
	return k
}

func resultName(i, n int) string {
	if n == 1 {
		return "result"
	}
	return "result" + strconv.Itoa(i+1)
}

// param describes one parameter or result, and reports a type that no input can be bound to or no generated code can
// name.
func (p *program) param(k *Kernel, v *types.Var, name string, result bool) Param {
	t := v.Type()
	out := Param{Name: name, GoType: k.parts.typeText(t)}
	if types.Unalias(t) == types.Typ[types.Invalid] {
		return out
	}
	k.parts.result = result
	part, refused := k.parts.of(t, 0)
	if refused == nil {
		if n := part.Count(); n > maxFields {
			refused = &refusal{fmt.Sprintf("it is made of %d values, and at most %d are compiled, each to a variable or a sequence of its own", n, maxFields),
				"pass only what the kernel needs"}
		}
	}
	if refused != nil {
		p.rep.at(v.Pos(), problem{CodeParamType, "the kernel's " + quoteName(v, name) + " has the type " + typeName(t), refused.why, refused.fix})
		return out
	}
	if !flattensTo(t, part) { // what bodies cannot hold
		p.rep.at(v.Pos(), explainType(t, t, 0))
		return out
	}
	out.Part = part
	return out
}

// flattensTo reports whether the values of the part are those that bodies have for the type.
func flattensTo(t types.Type, part *Part) bool {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	ts, err := layout(t)
	return err == nil && slices.EqualFunc(ts, part.values("", 0), func(t ir.Type, f Field) bool { return t == f.Type })
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
