package load

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"

	"github.com/surge-ndp/surge/ops/ir"
)

// testNames adds what the tests of a package declare in it to its names: generated code is a part of the same package
// when they are built. At says where something stands. A test that cannot be read, or is no Go, is nobody's here.
func (s *sources) testNames(dir, name string, names map[string]ir.Pos, at func(token.Pos) ir.Pos) {
	files, _ := filepath.Glob(filepath.Join(dir, "*_test.go")) //nolint:errcheck // the pattern is right
	for _, path := range files {
		if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || info.Size() > maxSourceBytes {
			continue
		}
		var content any // of the file, if that is nil
		if text, ok := s.overlay[path]; ok {
			content = text
		}
		f, err := parser.ParseFile(s.fset, path, content, parser.SkipObjectResolution)
		if err != nil || f.Name.Name != name {
			continue
		}
		for _, id := range Declared(f) {
			if _, known := names[id.Name]; !known {
				names[id.Name] = at(id.Pos())
			}
		}
	}
}

// Declared are the names that a file declares for its whole package, where they stand.
func Declared(f *ast.File) []*ast.Ident {
	var names []*ast.Ident
	add := func(id *ast.Ident) {
		if id.Name != "_" && id.Name != "init" {
			names = append(names, id)
		}
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				add(d.Name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					add(s.Name)
				case *ast.ValueSpec:
					for _, id := range s.Names {
						add(id)
					}
				}
			}
		}
	}
	return names
}
