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
		add := func(id *ast.Ident) {
			if _, known := names[id.Name]; !known && id.Name != "_" {
				names[id.Name] = at(id.Pos())
			}
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					add(d.Name)
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						add(spec.Name)
					case *ast.ValueSpec:
						for _, id := range spec.Names {
							add(id)
						}
					}
				}
			}
		}
	}
}
