package load

import (
	"go/ast"
	"go/build"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Note [Build constraints]
//
// What is generated for a kernel has the functions, constants and tables in it that the kernel uses. Where one of these
// is declared in a file that belongs to some builds only, as a constant that another file declares otherwise, the
// generated file belongs to the same builds: in others it would compute something else than the kernel does there.
// The kernels of a source file are generated into one file, so that they share their constraints. What the standard
// library declares is the same in all builds that a kernel is compiled for.

// constrain says of kernels under which builds they mean what they do.
func (s *sources) constrain(root *packages.Package, prog *program, kernels []*Kernel) {
	ours := map[string]bool{} // packages that are not of the standard library
	packages.Visit([]*packages.Package{root}, nil, func(p *packages.Package) { ours[p.PkgPath] = p.Module != nil && p.PkgPath != opsPath })
	declared := prog.declarations()
	byFile, known := map[string][]string{}, map[string]string{}
	for _, k := range kernels {
		own := s.fset.PositionFor(prog.funcs[k.obj].decl.Pos(), false).Filename
		for _, name := range slices.Concat([]string{own}, s.filesOf(k.obj, declared, ours)) {
			if _, ok := known[name]; !ok {
				known[name] = constraintOfFile(name, s.contents[name])
			}
			if c := known[name]; c != "" && !slices.Contains(byFile[own], c) {
				byFile[own] = append(byFile[own], c)
			}
		}
	}
	for _, k := range kernels {
		k.Constraint = allOf(byFile[s.fset.PositionFor(prog.funcs[k.obj].decl.Pos(), false).Filename])
	}
}

// declaration is where something is declared, with the types of what is named there.
type declaration struct {
	node ast.Node
	info *types.Info
	file *ast.File
}

// declarations are those of what the packages declare that were type-checked from source.
func (p *program) declarations() map[types.Object]declaration {
	all := map[types.Object]declaration{}
	for obj, f := range p.funcs {
		all[obj] = declaration{f.decl, f.unit.info, f.file}
	}
	for _, u := range p.units {
		for _, f := range u.files {
			add := func(id *ast.Ident, n ast.Node) {
				if obj := u.info.Defs[id]; obj != nil {
					all[obj] = declaration{n, u.info, f}
				}
			}
			for _, d := range f.Decls {
				g, ok := d.(*ast.GenDecl)
				if !ok {
					continue
				}
				for _, spec := range g.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						add(spec.Name, spec)
					case *ast.ValueSpec:
						for _, id := range spec.Names {
							if n := ast.Node(spec); g.Tok == token.CONST && len(spec.Values) == 0 { // what stands above, with another iota
								add(id, g)
							} else {
								add(id, n)
							}
						}
					}
				}
			}
		}
	}
	return all
}

// filesOf lists the files that declare what obj uses, and what that uses, in order.
func (s *sources) filesOf(obj types.Object, declared map[types.Object]declaration, ours map[string]bool) (files []string) {
	seen := map[types.Object]bool{}
	var visit func(obj types.Object)
	visit = func(obj types.Object) {
		if f, ok := obj.(*types.Func); ok {
			obj = f.Origin()
		}
		if seen[obj] || obj.Pkg() == nil || !ours[obj.Pkg().Path()] {
			return
		}
		seen[obj] = true
		d, ok := declared[obj]
		if obj.Parent() == obj.Pkg().Scope() || isMethod(obj) {
			at := obj.Pos()
			if ok { // rewritten source may have it from elsewhere
				at = d.file.Package
			}
			if name := s.fset.PositionFor(at, false).Filename; name != "" && !slices.Contains(files, name) {
				files = append(files, name)
			}
		}
		if !ok {
			return
		}
		ast.Inspect(d.node, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && d.info.Uses[id] != nil {
				visit(d.info.Uses[id])
			}
			return true
		})
	}
	visit(obj)
	slices.Sort(files)
	return files
}

func isMethod(obj types.Object) bool {
	f, ok := obj.(*types.Func)
	return ok && f.Signature().Recv() != nil
}

// constraintOfFile is [buildConstraint] of a file, whose text is content unless that is nil.
func constraintOfFile(name string, content []byte) string {
	var src any
	if content != nil {
		src = content
	}
	f, err := parser.ParseFile(token.NewFileSet(), name, src, parser.PackageClauseOnly|parser.ParseComments)
	if f == nil || f.Name == nil || err != nil && src == nil {
		return ""
	}
	return buildConstraint(name, f)
}

// allOf is the conjunction of constraints.
func allOf(list []string) string {
	var all constraint.Expr
	for _, c := range list {
		x, err := constraint.Parse("//go:build " + c)
		if err != nil {
			continue
		}
		if all != nil {
			x = &constraint.AndExpr{X: all, Y: x}
		}
		all = x
	}
	if all == nil {
		return ""
	}
	return all.String()
}

// buildConstraint returns the expression under which a file belongs to its package, "" for always: what its line
// //go:build says and what its name does, as in sums_linux_arm64.go.
func buildConstraint(name string, f *ast.File) string {
	all := constraintOfName(filepath.Base(name))
	for _, group := range f.Comments {
		if group.Pos() > f.Package {
			break
		}
		for _, c := range group.List {
			if !constraint.IsGoBuild(c.Text) {
				continue
			}
			if x, err := constraint.Parse(c.Text); err == nil {
				if all != nil {
					x = &constraint.AndExpr{X: all, Y: x}
				}
				all = x
			}
		}
	}
	if all == nil {
		return ""
	}
	return all.String()
}

// constraintOfName returns what the name of a file says of the operating systems and processors that it is for, nil
// for nothing.
func constraintOfName(base string) constraint.Expr {
	words := strings.Split(strings.TrimSuffix(base, ".go"), "_")
	last := len(words) - 1
	if last < 1 || !excludes(words[last], "") {
		return nil
	}
	var x constraint.Expr = &constraint.TagExpr{Tag: words[last]}
	if last > 1 && excludes(words[last-1], words[last]) {
		x = &constraint.AndExpr{X: &constraint.TagExpr{Tag: words[last-1]}, Y: x}
	}
	return x
}

// excludes reports whether a file is left out on other systems because of a word in its name, before arch if that is
// not empty. Package go/build knows the words.
func excludes(word, arch string) bool {
	ctx := build.Context{GOOS: "none", GOARCH: "none", Compiler: "gc", OpenFile: func(string) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader("package p\n")), nil
	}}
	name := "x_" + word + ".go"
	if arch != "" {
		ctx.GOARCH, name = arch, "x_"+word+"_"+arch+".go"
	}
	match, err := ctx.MatchFile("", name)
	return err == nil && !match
}
