package load

import (
	"embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"path"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Note [Standard library]
//
// Functions of the standard library are inlined from Go text, as the functions of the user's module are. It is not
// the text of GOROOT, which looks at addresses, calls assembly, recurses, or reads tables that are filled at start,
// but one of our own in internal/std, package by package: a function there has the name and the signature of the
// standard one, and does the same. A package's tests compare the two. What machines have instructions for is a
// function of the IR: see intrinsics.go.

//go:embed internal/std
var preludeFiles embed.FS

const preludeDir = "internal/std"

// preludeSources lists the files of the text for the standard package with the given path; none if there is no text
// for it.
func preludeSources(pkg string) []string {
	entries, err := fs.ReadDir(preludeFiles, path.Join(preludeDir, pkg))
	if err != nil {
		return nil
	}
	var files []string
	for _, e := range entries {
		if name := e.Name(); !e.IsDir() && strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			files = append(files, path.Join(preludeDir, pkg, name))
		}
	}
	return files
}

// standard is the text for one package of the standard library.
type standard struct {
	pkg  *types.Package // the real one, which the user's code names
	unit *unit          // the text
}

// standards type-checks the texts for the standard packages that the units import, directly or by way of each other.
// The importer gives the real packages, and an error for a path that is none of the standard library.
func standards(fset *token.FileSet, imp types.Importer, units []*unit) ([]standard, error) {
	var list []standard
	done := map[string]bool{}
	var add func(files []*ast.File) error
	add = func(files []*ast.File) error {
		for _, f := range files {
			for _, spec := range f.Imports {
				path := strings.Trim(spec.Path.Value, "\"`")
				if done[path] || len(preludeSources(path)) == 0 {
					continue
				}
				done[path] = true
				pkg, err := imp.Import(path)
				if err != nil {
					continue // reported where the user's code imports it
				}
				u, err := standardText(fset, path, imp)
				if err != nil {
					return err
				}
				alike(pkg, u.pkg)
				list = append(list, standard{pkg, u})
				if err := add(u.files); err != nil {
					return err
				}
			}
		}
		return nil
	}
	for _, u := range units {
		if err := add(u.files); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// standardText type-checks the text for one package. It may import what the real package does, and the real package
// itself.
func standardText(fset *token.FileSet, path string, imp types.Importer) (*unit, error) {
	var files []*ast.File
	for _, name := range preludeSources(path) {
		text, err := preludeFiles.ReadFile(name)
		if err != nil {
			return nil, err
		}
		f, err := parser.ParseFile(fset, strings.TrimPrefix(name, preludeDir+"/"), text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	u := checkUnit(fset, path, files, imp, "")
	if len(u.errs) > 0 {
		return nil, fmt.Errorf("the text for package %s: %w", path, u.errs[0])
	}
	u.standard = true
	return u, nil
}

// standardImporter imports packages of the standard library that root depends on.
func (s *sources) standardImporter(root *packages.Package) types.Importer {
	all := map[string]*packages.Package{}
	packages.Visit([]*packages.Package{root}, nil, func(p *packages.Package) { all[p.PkgPath] = p })
	return importerFunc(func(path string) (*types.Package, error) {
		if p := all[path]; p != nil && p.Module == nil {
			return s.loadPackage(p)
		}
		return nil, fmt.Errorf("package %s was not found", path)
	})
}

// name gives the functions of a standard package the bodies of their texts.
func (p *program) name(std standard) {
	for _, f := range std.unit.files {
		for _, d := range f.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok || !fd.Name.IsExported() {
				continue
			}
			text, _ := std.unit.info.Defs[fd.Name].(*types.Func)
			if text != nil && text.Signature().Recv() != nil {
				if obj := methodLike(std.pkg, text); obj != nil {
					p.funcs[obj] = p.funcs[text]
				}
				continue
			}
			if obj, ok := std.pkg.Scope().Lookup(fd.Name.Name).(*types.Func); ok && text != nil {
				p.funcs[obj] = p.funcs[text]
			}
		}
	}
}

// alike gives the struct types of a standard package the fields that their texts have, as strings.Builder: no program
// can name the fields, and what is compiled are the methods of the text.
func alike(pkg, text *types.Package) {
	for _, name := range text.Scope().Names() {
		of, ok := text.Scope().Lookup(name).(*types.TypeName)
		if !ok || !of.Exported() {
			continue
		}
		fields, ok := of.Type().Underlying().(*types.Struct)
		real, known := pkg.Scope().Lookup(name).(*types.TypeName)
		if !ok || !known {
			continue
		}
		if named, ok := real.Type().(*types.Named); ok {
			named.SetUnderlying(fields)
		}
	}
}

// methodLike returns the method of a type of pkg that has the name of text, a method of a type of the same name.
func methodLike(pkg *types.Package, text *types.Func) *types.Func {
	recv := types.Unalias(text.Signature().Recv().Type())
	if p, ok := recv.(*types.Pointer); ok {
		recv = types.Unalias(p.Elem())
	}
	named, ok := recv.(*types.Named)
	if !ok {
		return nil
	}
	of, ok := pkg.Scope().Lookup(named.Obj().Name()).(*types.TypeName)
	if !ok {
		return nil
	}
	obj, _, _ := types.LookupFieldOrMethod(of.Type(), true, pkg, text.Name())
	method, _ := obj.(*types.Func)
	return method
}

// compiledOf lists the functions of a standard package that kernels may call.
func compiledOf(pkg *types.Package, funcs map[*types.Func]*function) []string {
	var names []string
	for _, name := range pkg.Scope().Names() {
		if f, ok := pkg.Scope().Lookup(name).(*types.Func); ok && (funcs[f] != nil || intrinsicOf(f) != nil || pkg.Path() == "math" && knownMath(name)) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
