package load

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/ops/ir"
)

// unit is one package that was type-checked from source.
type unit struct {
	pkg    *types.Package
	info   *types.Info
	files  []*ast.File
	errs   []types.Error
	config types.Config // that it was checked with, but for Error

	standard bool // the text for a package of the standard library: see Note [Standard library]
	// The package-level variables that are arrays, and slices in the rewritten source: see Note [Arrays of slices].
	arrays map[string]bool
	again  map[ast.Node]bool // see [unit.fillsAgain]

	through  map[*types.Var]bool // see [unit.assigning]
	literals []*ast.FuncLit      // see [unit.allLiterals]
}

// newInfo returns the tables that checking and lowering read.
func newInfo() *types.Info {
	return &types.Info{
		Types:      map[ast.Expr]types.TypeAndValue{},
		Defs:       map[*ast.Ident]types.Object{},
		Uses:       map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
		Implicits:  map[ast.Node]types.Object{},
		Instances:  map[*ast.Ident]types.Instance{},
	}
}

// checkUnit type-checks the files as a package with the given path. Type errors are kept in the unit.
func checkUnit(fset *token.FileSet, path string, files []*ast.File, imp types.Importer, goVersion string) *unit {
	u := checkFiles(fset, path, files, imp, goVersion)
	splitAppends(files, u.info)
	return u
}

// checkFiles is checkUnit for files that stay as they are.
func checkFiles(fset *token.FileSet, path string, files []*ast.File, imp types.Importer, goVersion string) *unit {
	u := &unit{info: newInfo(), files: files}
	conf := types.Config{
		Importer:  imp,
		GoVersion: goVersion,
		Sizes:     types.SizesFor("gc", "amd64"), // int has 64 bits in a kernel, as on every platform of codegen
		Error: func(err error) {
			if te, ok := err.(types.Error); ok {
				u.errs = append(u.errs, te)
			}
		},
	}
	u.config = conf
	u.pkg, _ = conf.Check(path, fset, files, u.info)
	if len(u.errs) > 0 {
		for _, fd := range functions(files) {
			u.invalidate(fd)
		}
	}
	return u
}

// invalidate gives the expressions of a function that names what does not exist the type types.Invalid, so that all
// have one: other functions of the package may call what is yet to be generated, and are rewritten nevertheless.
func (u *unit) invalidate(fd *ast.FuncDecl) {
	unknown := false
	var untyped []ast.Expr
	ast.Inspect(fd, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			_, defined := u.info.Defs[id]
			unknown = unknown || !defined && u.info.Uses[id] == nil
		}
		if x, ok := n.(ast.Expr); ok && u.info.TypeOf(x) == nil {
			untyped = append(untyped, x)
		}
		return true
	})
	for _, x := range untyped {
		if unknown {
			u.info.Types[x] = types.TypeAndValue{Type: types.Typ[types.Invalid]}
		}
	}
}

// function is a declared function whose body may be inlined.
type function struct {
	unit *unit
	decl *ast.FuncDecl
	obj  *types.Func
	file *ast.File

	pointed []bool // of a kernel: see Note [Results that are pointers]

	// Of an instance: see Note [Instances].
	generic  *function
	args     []types.Type
	isMethod bool
	kernel   string // of an instance that is a kernel: the kernel's name
	call     string // and its Go expression
	name     string
}

// String returns the name of f as messages give it.
func (f *function) String() string {
	if f.name != "" {
		return f.name
	}
	return f.obj.Name()
}

// program is what checking and lowering work on: the package with the kernels and those packages of its module that it
// imports, all from source.
type program struct {
	fset      *token.FileSet
	dir       string // of the root package
	root      *unit
	funcs     map[*types.Func]*function
	kernels   map[*function]bool        // the marked ones
	variantOf map[*function]alternative // those of them that are algorithms for others
	// Those of them that have the line //surge:reassociate.
	reassociate map[*function]bool
	rep         *reporter
	instances   map[*function][]instance          // of generic functions
	firstArgs   map[*unit]map[*ast.Ident]ast.Expr // of the calls in a unit: see Note [sort.Slice]
	typeArgs    int                               // how many names stand for type arguments
	written     map[*function]map[*types.Var]bool // see Note [Effects]
	deepest     map[*function]map[*types.Var]int  // how many levels below its slices a function assigns elements
	appends     map[ast.Node]map[types.Type]int64 // what bodies of functions append: see [lowerer.countAppends]

	asIs   map[*function]*asIs // functions that the kernel at hand calls as they stand
	purity *purity

	units           []*unit // of the module
	globals         map[*types.Var]globalVar
	assignedGlobals map[*types.Var]bool
	indexed         map[*types.Var]bool // see [program.indexedFields]

	wholeKernels bool // kernels that cannot be compiled may stay whole
	// asWritten is the program without rewritings, and the contents of its files; nil where there is an error.
	asWritten func() (*program, map[string][]byte)
	exits     bool // see Note [Exits]
	even      bool // see Note [Even rows]

	featureLines []featureLine           // the directives about features, in source order
	features     map[*function][]Feature // of each kernel
	requested    map[*function][]string
}

func newProgram(fset *token.FileSet, root *unit, helpers []*unit, stds []standard, rep *reporter) *program {
	p := &program{variantOf: map[*function]alternative{}, reassociate: map[*function]bool{}, fset: fset, root: root, funcs: map[*types.Func]*function{}, rep: rep,
		instances: map[*function][]instance{}, firstArgs: map[*unit]map[*ast.Ident]ast.Expr{}, written: map[*function]map[*types.Var]bool{}, deepest: map[*function]map[*types.Var]int{}, appends: map[ast.Node]map[types.Type]int64{}}
	units := append([]*unit{root}, helpers...)
	p.units = units
	for _, std := range stds {
		units = append(units, std.unit)
	}
	for _, u := range units {
		if u.pkg.Path() == opsPath {
			continue // its functions are operators, whatever their bodies say
		}
		for _, f := range u.files {
			for _, d := range f.Decls {
				if fd, ok := d.(*ast.FuncDecl); ok {
					if obj, ok := u.info.Defs[fd.Name].(*types.Func); ok {
						p.funcs[obj] = &function{unit: u, decl: fd, obj: obj, file: f}
					}
				}
			}
		}
	}
	for _, std := range stds {
		p.name(std)
	}
	p.nameAny(stds)
	return p
}

// names returns what the root package declares, with the positions.
func (p *program) names() map[string]ir.Pos {
	all := map[string]ir.Pos{}
	scope := p.root.pkg.Scope()
	for _, name := range scope.Names() {
		all[name] = p.irPos(scope.Lookup(name).Pos())
	}
	return all
}

// compile checks and lowers every marked function of the root package, or only those that belong to the kernel of a
// name. The problems go to the program's reporter; the kernels are complete if there are none.
func (p *program) compile(name string) []*Kernel {
	marked := p.marked()
	p.kernels = map[*function]bool{}
	for _, f := range marked {
		p.kernels[f] = true
	}
	if own := p.algorithms(marked, name); len(own) > 0 {
		marked = own
	}
	reach := p.reachable(marked)
	if p.typeErrors(reach) {
		return nil
	}
	p.alternatives(marked)
	p.declareFeatures(marked)
	var ks []*Kernel
	for _, f := range marked {
		if k := p.compileKernel(f); k != nil {
			ks = append(ks, k)
		}
	}
	return ks
}

// algorithms returns those of the marked functions that are algorithms for the kernel of a name, or for that for
// which it is one itself; none if there is no such kernel. Directives about the features of other kernels are
// dropped.
func (p *program) algorithms(marked []*function, name string) (own []*function) {
	kernel := func(f *function) string { return cmp.Or(p.variantOf[f].kernel, kernelName(f)) }
	at := slices.IndexFunc(marked, func(f *function) bool { return kernelName(f) == name })
	if at < 0 {
		return nil
	}
	others := map[string]bool{}
	for _, f := range marked {
		if kernel(f) == kernel(marked[at]) {
			own = append(own, f)
		} else {
			others[kernelName(f)] = true
		}
	}
	p.featureLines = slices.DeleteFunc(p.featureLines, func(l featureLine) bool {
		if l.name == "features" {
			return l.decl != nil && others[l.decl.Name.Name]
		}
		return others[l.first()]
	})
	return own
}

// reachable returns the functions of the program that the marked ones may call, themselves included.
func (p *program) reachable(marked []*function) map[*function]bool {
	seen := map[*function]bool{}
	var visit func(*function)
	visit = func(f *function) {
		if seen[f] {
			return
		}
		seen[f] = true
		ast.Inspect(f.decl, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if obj, ok := f.unit.info.Uses[id].(*types.Func); ok {
					if g := p.funcs[obj.Origin()]; g != nil {
						visit(g)
					}
				}
			}
			return true
		})
	}
	for _, f := range marked {
		visit(f)
	}
	return seen
}

// typeErrors reports what the type checker refused. A name that is undefined outside the kernels is let pass: it may
// be declared by the file that surge is about to generate, and if it is not, go build says so.
func (p *program) typeErrors(reach map[*function]bool) bool {
	inKernels := func(pos token.Pos) bool {
		for f := range reach {
			if f.decl.Pos() <= pos && pos < f.decl.End() {
				return true
			}
		}
		return false
	}
	units := map[*unit]bool{p.root: true}
	for f := range reach {
		units[f.unit] = true
	}
	found := false
	for u := range units {
		for _, e := range u.errs {
			if isUndefined(e.Msg) && !inKernels(e.Pos) {
				continue
			}
			if strings.HasPrefix(e.Msg, "could not import C ") {
				p.rep.at(e.Pos, problem{CodeCgo, "the package with the kernels uses cgo", "surge reads the Go source, which does not say what the C code declares",
					"put the kernels, and the functions that they call, into a package without import \"C\""})
			} else if strings.HasPrefix(e.Msg, "could not import ") && NoRoom(e.Msg) != "" {
				p.rep.at(e.Pos, problem{CodeImport, e.Msg, "the go command keeps what it compiles in GOCACHE and works in TMPDIR", "make room there, or name other directories in GOCACHE and TMPDIR"})
			} else if strings.HasPrefix(e.Msg, "could not import ") {
				p.rep.at(e.Pos, problem{CodeImport, e.Msg, "what the package declares is not known", "correct the import, or run \"go mod tidy\""})
			} else {
				first, rest, _ := strings.Cut(e.Msg, "\n")
				p.rep.at(e.Pos, problem{code: CodeType, message: first, why: strings.Join(strings.Fields(rest), " ")})
			}
			found = true
		}
	}
	return found
}

func isUndefined(msg string) bool { return len(msg) > 11 && msg[:11] == "undefined: " }
