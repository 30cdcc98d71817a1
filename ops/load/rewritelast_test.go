package load

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

// rewriteLast rewrites the source of a package by one step and returns the last function of it as it is then. The
// source has no type errors, before that and behind it.
func rewriteLast(t *testing.T, src string, step func(r *rewriter, files []*ast.File, fd *ast.FuncDecl)) string {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	check := func() (*types.Info, *types.Package) {
		info := newInfo()
		pkg, err := (&types.Config{}).Check("p", fset, []*ast.File{file}, info)
		if err != nil {
			t.Fatalf("%s: %v", src, err)
		}
		return info, pkg
	}
	info, pkg := check()
	fd := file.Decls[len(file.Decls)-1].(*ast.FuncDecl)
	step(&rewriter{fset: fset, info: info, pkg: pkg}, []*ast.File{file}, fd)
	check()
	var out bytes.Buffer
	if err := format.Node(&out, fset, fd); err != nil {
		t.Fatal(err)
	}
	return out.String()
}
