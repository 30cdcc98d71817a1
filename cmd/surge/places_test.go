package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestPlacesOfDocuments checks that the files and packages that the glossary and the walk through the compiler name
// exist, and that a file declares the names that stand in brackets behind it.
func TestPlacesOfDocuments(t *testing.T) {
	place := regexp.MustCompile("`([a-zA-Z][\\w.]*(?:/[\\w.]+)*)`(?:\\s+\\((`\\w+`(?:,\\s+`\\w+`)*)\\))?")
	word := regexp.MustCompile(`\w+`)
	for _, page := range []string{"docs/glossary.md", "docs/hacking.md"} {
		text, err := os.ReadFile(filepath.Join("../..", page))
		if err != nil {
			t.Fatal(err)
		}
		places, names := 0, 0
		for _, m := range place.FindAllStringSubmatch(string(text), -1) {
			if !isPlace(m[1]) {
				continue
			}
			places++
			at := filepath.Join("../..", m[1])
			if _, err := os.Stat(at); err != nil {
				t.Errorf("%s: there is no %s", page, m[1])
				continue
			}
			if m[2] == "" {
				continue
			}
			declared, err := declares(at)
			if err != nil {
				t.Errorf("%s: %v", page, err)
				continue
			}
			for _, name := range word.FindAllString(m[2], -1) {
				if names++; !declared[name] {
					t.Errorf("%s: %s declares no %s", page, m[1], name)
				}
			}
		}
		if places < 40 || strings.HasSuffix(page, "hacking.md") && names < 30 {
			t.Errorf("%s: found %d files and packages, and %d names: the test does not read the page as it is written", page, places, names)
		}
	}
}

// isPlace reports whether text looks like a file or a package of the module, and not like a word or a folder that
// each package has for itself.
func isPlace(text string) bool {
	if strings.HasPrefix(text, "testdata/") {
		return false
	}
	if strings.Contains(text, "/") {
		return true
	}
	info, err := os.Stat(filepath.Join("../..", text))
	return strings.HasSuffix(text, ".go") || err == nil && info.IsDir()
}

// declares returns the names of functions, methods, types, variables and constants that a file declares.
func declares(file string) (map[string]bool, error) {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			names[d.Name.Name] = true
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					names[s.Name.Name] = true
				case *ast.ValueSpec:
					for _, n := range s.Names {
						names[n.Name] = true
					}
				}
			}
		}
	}
	return names, nil
}
