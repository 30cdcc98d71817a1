package codegen

import (
	"context"
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/surge-ndp/surge/ops/load"
)

// TestOddNamesAndConstants checks that what is generated for testdata/odd is Go that compiles: kernels in files with the
// names of packages and variables of generated code, kernels that need nothing, and constants with which an operator of
// Go does not compile where it always fails.
func TestOddNamesAndConstants(t *testing.T) {
	dir, err := filepath.Abs(filepath.Join("testdata", "odd"))
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := load.Load(context.Background(), dir, load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := Compile(pkg, Options{Machine: PortableMachine(), Code: []string{"opencl"}})
	if err != nil {
		t.Fatal(err)
	}
	compiles(t, dir, p)
}

// compiles fails the test where the files that are generated for the package in dir do not compile.
func compiles(t *testing.T, dir string, p *Program) {
	t.Helper()
	files, err := p.Generated()
	if err != nil {
		t.Fatal(err)
	}
	overlay := map[string][]byte{}
	for name, src := range files {
		overlay[filepath.Join(dir, name)] = src
	}
	pkgs, err := packages.Load(&packages.Config{Dir: dir, Overlay: overlay,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedImports | packages.NeedExportFile}, ".")
	if err != nil {
		t.Fatal(err)
	}
	for _, pkg := range pkgs {
		if len(pkg.GoFiles) < len(files)+1 {
			t.Errorf("%s was checked without its generated files: %v", pkg.Name, pkg.GoFiles)
		}
		for _, e := range pkg.Errors {
			t.Error(e)
		}
	}
}
