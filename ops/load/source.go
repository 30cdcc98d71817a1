package load

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/gcexportdata"
	"golang.org/x/tools/go/packages"
)

// sources reads and type-checks packages: from source where bodies of functions are needed, else from export data.
type sources struct {
	fset     *token.FileSet
	overlay  map[string][]byte
	contents map[string][]byte // of the files read
	skip     map[string]bool   // files that are treated as if they were empty
	rep      *reporter
	says     func(path string) string // what the go command says about a package that it gives nothing of

	parsed map[*packages.Package][]*ast.File
	units  map[*packages.Package]*unit // from source
	need   map[*packages.Package]bool  // these, and what imports them, are read from source
	export map[string]*types.Package   // from export data
}

// program type-checks the root package, and those of its module whose functions its kernels may call. It returns nil
// after reporting syntax errors.
func (s *sources) program(root *packages.Package) (*program, error) {
	s.parsed, s.units, s.export = map[*packages.Package][]*ast.File{}, map[*packages.Package]*unit{}, map[string]*types.Package{}
	s.listErrors(root)
	s.need = map[*packages.Package]bool{root: true}
	if s.parse(root); len(s.rep.list) > 0 {
		return nil, nil
	}
	s.findHelpers(root)
	if len(s.rep.list) > 0 {
		return nil, nil
	}
	u, err := s.check(root)
	if err != nil {
		return nil, err
	}
	var helpers []*unit
	for p, h := range s.units {
		if p != root {
			helpers = append(helpers, h)
		}
	}
	stds, err := standards(s.fset, s.standardImporter(root), append([]*unit{u}, helpers...))
	if err != nil {
		return nil, err
	}
	p := newProgram(s.fset, u, helpers, stds, s.rep)
	p.dir = filepath.Dir(root.GoFiles[0])
	p.asWritten = sync.OnceValues(func() (*program, map[string][]byte) { return s.written(p, root), s.contents })
	return p, nil
}

// read returns the content of a file.
func (s *sources) read(name string) ([]byte, error) {
	if c, ok := s.overlay[name]; ok {
		s.contents[name] = c
		return c, nil
	}
	c, err := os.ReadFile(name)
	s.contents[name] = c
	return c, err
}

// parse returns the syntax of p, and reports syntax errors.
func (s *sources) parse(p *packages.Package) []*ast.File {
	if files, ok := s.parsed[p]; ok {
		return files
	}
	var files []*ast.File
	for _, name := range p.GoFiles {
		if s.skip[name] {
			continue
		}
		content, err := s.read(name)
		if err != nil {
			s.rep.list = append(s.rep.list, Diagnostic{Code: CodeSyntax, Message: err.Error()})
			continue
		}
		f, err := parser.ParseFile(s.fset, name, content, parser.ParseComments|parser.SkipObjectResolution)
		var list scanner.ErrorList
		if errors.As(err, &list) {
			for _, e := range list {
				pos := irPosition(e.Pos)
				s.rep.list = append(s.rep.list, Diagnostic{Pos: pos, Code: CodeSyntax, Message: e.Msg})
			}
		} else if err != nil {
			s.rep.list = append(s.rep.list, Diagnostic{Code: CodeSyntax, Message: err.Error()})
		}
		if f != nil {
			files = append(files, f)
		}
	}
	s.parsed[p] = files
	return files
}

// findHelpers decides which packages must be read from source: those of the module that declare a function which a
// kernel may call. Names decide, as there are no types yet: what is called X in a reachable body may be the function X.
// Packages between these and the root have to come from source as well, or types would exist twice.
func (s *sources) findHelpers(root *packages.Package) {
	type place struct {
		pkg  *packages.Package
		name string
	}
	decls := map[place][]*ast.FuncDecl{}
	imports := map[*ast.FuncDecl]map[string]*packages.Package{}
	known := map[*packages.Package]bool{}
	collect := func(p *packages.Package) {
		if known[p] {
			return
		}
		known[p] = true
		for _, f := range s.parse(p) {
			names := map[string]*packages.Package{}
			for _, spec := range f.Imports {
				q := p.Imports[strings.Trim(spec.Path.Value, "\"`")]
				if q == nil || q.Module == nil || root.Module == nil || q.Module.Path != root.Module.Path || q.PkgPath == opsPath {
					continue
				}
				name := q.Name
				if spec.Name != nil {
					name = spec.Name.Name
				}
				names[name] = q
			}
			for _, d := range f.Decls {
				if fd, ok := d.(*ast.FuncDecl); ok && fd.Recv == nil {
					decls[place{p, fd.Name.Name}] = append(decls[place{p, fd.Name.Name}], fd)
					imports[fd] = names
				}
			}
		}
	}
	seen := map[*ast.FuncDecl]bool{}
	var visit func(p *packages.Package, fd *ast.FuncDecl)
	visit = func(p *packages.Package, fd *ast.FuncDecl) {
		if seen[fd] || fd.Body == nil {
			return
		}
		seen[fd] = true
		follow := func(q *packages.Package, name string) {
			if q != p {
				collect(q)
			}
			for _, d := range decls[place{q, name}] {
				s.need[q] = true
				visit(q, d)
			}
		}
		ast.Inspect(fd.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok {
					if q := imports[fd][x.Name]; q != nil {
						follow(q, n.Sel.Name)
						return false
					}
				}
			case *ast.Ident:
				follow(p, n.Name)
				if q := imports[fd]["."]; q != nil {
					follow(q, n.Name)
				}
			}
			return true
		})
	}
	collect(root)
	for _, f := range s.parse(root) {
		for _, d := range f.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok && fd.Doc != nil && slices.ContainsFunc(fd.Doc.List, func(c *ast.Comment) bool {
				d, ok := parseDirective(c)
				return ok && d.name != "feature" // which is plain Go
			}) {
				visit(root, fd)
			}
		}
	}
	var between func(p *packages.Package) bool
	done := map[*packages.Package]bool{}
	between = func(p *packages.Package) bool {
		if !done[p] {
			done[p] = true
			for _, q := range p.Imports {
				if between(q) {
					s.need[p] = true
				}
			}
		}
		return s.need[p]
	}
	for _, q := range root.Imports {
		between(q)
	}
}

// check type-checks p from source.
func (s *sources) check(p *packages.Package) (*unit, error) {
	if u, ok := s.units[p]; ok {
		if u == nil {
			return nil, errors.New("import cycle")
		}
		return u, nil
	}
	s.units[p] = nil // under way
	version := goVersion(p)
	var err error
	u := checkUnit(s.fset, p.PkgPath, s.parse(p), s.importerOf(p), version)
	if u.pkg == nil {
		return nil, fmt.Errorf("type-checking %s failed", p.PkgPath)
	}
	if u, err = s.rewritten(u, p, version); err != nil {
		return nil, err
	}
	s.units[p] = u
	return u, nil
}

// goVersion is that of the language of a package, "" for the newest.
func goVersion(p *packages.Package) string {
	if p.Module == nil || p.Module.GoVersion == "" {
		return ""
	}
	return "go" + p.Module.GoVersion
}

// importerOf imports what p does.
func (s *sources) importerOf(p *packages.Package) types.Importer {
	return importerFunc(func(path string) (*types.Package, error) { return s.load(p, path) })
}

// rewritten is u with its source rewritten: see Note [Rewritten source].
func (s *sources) rewritten(u *unit, p *packages.Package, version string) (*unit, error) {
	if p.PkgPath == opsPath || slices.ContainsFunc(u.errs, func(e types.Error) bool { return !isUndefined(e.Msg) }) {
		return u, nil
	}
	return rewriteAll(s.fset, u, p.PkgPath, s.importerOf(p), version)
}

// rewriteAll does all rewritings of the source of a package, which imports by imp.
func rewriteAll(fset *token.FileSet, u *unit, path string, imp types.Importer, version string) (*unit, error) {
	files, declared, arrays := u.files, map[string]bool{}, map[string]bool{}
	for _, step := range rewritings {
		r := &rewriter{fset: fset, info: u.info, pkg: u.pkg, helpers: map[string]bool{}, arrays: arrays}
		if !step(r, files) {
			continue
		}
		maps.DeleteFunc(r.helpers, func(name string, _ bool) bool { return declared[name] })
		maps.Copy(declared, r.helpers)
		helpers, err := r.helperFile(fset, files[0].Name.Name)
		if err != nil {
			return nil, err
		}
		if helpers != nil {
			files = append(slices.Clone(files), helpers)
		}
		u = checkUnit(fset, path, files, imp, version)
		u.arrays = arrays
		u.errs = slices.DeleteFunc(u.errs, func(e types.Error) bool { return strings.HasSuffix(e.Msg, " imported and not used") })
	}
	return u, nil
}

type importerFunc func(path string) (*types.Package, error)

func (f importerFunc) Import(path string) (*types.Package, error) { return f(path) }

// load returns the package that p imports as path.
func (s *sources) load(p *packages.Package, path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	q := p.Imports[path]
	if q == nil {
		return nil, fmt.Errorf("package %s was not found", path)
	}
	return s.loadPackage(q)
}

// loadPackage returns a package that some other one imports.
func (s *sources) loadPackage(q *packages.Package) (*types.Package, error) {
	if q.PkgPath == "unsafe" {
		return types.Unsafe, nil
	}
	if s.need[q] {
		u, err := s.check(q)
		if err != nil {
			return nil, err
		}
		return u.pkg, nil
	}
	if t := s.export[q.PkgPath]; t != nil && t.Complete() {
		return t, nil
	}
	if q.ExportFile == "" {
		if len(q.Errors) > 0 {
			return nil, errors.New(firstLine(q.Errors[0].Msg))
		}
		if full := NoRoom(s.says(q.PkgPath)); full != "" {
			return nil, errors.New(full)
		}
		return nil, errors.New("it does not compile")
	}
	f, err := os.Open(q.ExportFile)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	//lint:ignore SA1019 go list -export names the compiler's archive, which Read alone does not take
	r, err := gcexportdata.NewReader(f)
	if err != nil {
		return nil, err
	}
	return gcexportdata.Read(r, s.fset, s.export, q.PkgPath)
}

func firstLine(msg string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(msg), "\n")
	return line
}

// packageClause returns the name in the package clause of a Go file, or "".
func packageClause(content []byte) string {
	f, err := parser.ParseFile(token.NewFileSet(), "", content, parser.PackageClauseOnly)
	if err != nil || f.Name == nil {
		return ""
	}
	return f.Name.Name
}
