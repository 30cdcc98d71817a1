package codegen

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"maps"
	pathpkg "path"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/load"
)

// Generated files are part of the user's package, where names may be taken: by what generated code declares, which is
// refused, or by the packages and built-in functions that it uses, which then get other names.

// vecPath is the package whose functions stand for built-in functions that the user's package hides.
const vecPath = modulePath + "/codegen/goroutine/vec"

// avoid changes generated code of a package so that it reaches its imports and the built-in functions min and max where
// the package declares the same names. It returns the code and the names under which to import.
func avoid(pkg *load.Package, imports map[string]string, body string) (code string, named map[string]string) {
	hidden := func(name string) bool { _, ok := pkg.Names[name]; return ok }
	for from, to := range map[string]string{"min": "vec.Min", "max": "vec.Max"} {
		if !hidden(from) {
			continue
		}
		if changed := rename(body, from, to, token.LPAREN); changed != body {
			body, imports[vecPath] = changed, ""
		}
	}
	named = map[string]string{}
	for path, name := range imports {
		if name != "" { // chosen so that it hides nothing
			named[path] = name
			continue
		}
		base := pathpkg.Base(path)
		if !hidden(base) {
			continue
		}
		name := "surge" + strings.ToUpper(base[:1]) + base[1:]
		for hidden(name) {
			name += "_"
		}
		named[path] = name
		body = rename(body, base, name, token.PERIOD)
	}
	return body, named
}

// rename replaces a name that stands before a token, and not behind a dot.
func rename(code, from, to string, before token.Token) string {
	var sb strings.Builder
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(code))
	s.Init(file, []byte(code), func(token.Position, string) {}, 0)
	done, found := 0, -1 // how much was copied, and where the name stands that the next token decides on
	for last := token.EOF; ; {
		pos, tok, text := s.Scan()
		if found >= 0 && tok == before {
			sb.WriteString(code[done:found] + to)
			done = found + len(from)
		}
		found = -1
		if tok == token.EOF {
			return sb.String() + code[done:]
		}
		if tok == token.IDENT && text == from && last != token.PERIOD {
			found = file.Offset(pos)
		}
		last = tok
	}
}

// clashes reports a name that generated files declare and that the package, or another of them, has already, and one
// that the package declares although generated code cannot do without what it stands for elsewhere.
func (p *Program) clashes(files map[string][]byte) error {
	declared := map[string]string{}
	parsed := map[string]*ast.File{}
	used := map[string]bool{}
	for file, src := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, src, 0)
		if err != nil {
			return fmt.Errorf("codegen: %s: %w", file, err)
		}
		parsed[file] = f
		for _, id := range f.Unresolved {
			used[id.Name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.Package.Names)) {
		if types.Universe.Lookup(name) != nil && name != "min" && name != "max" && used[name] {
			return &fuse.Unsupported{Pos: p.Package.Names[name], Code: "name", What: "the package declares " + name + ", a name that Go has already",
				Why: "generated code is part of the package and uses Go's " + name, Fix: "give it another name"}
		}
	}
	for _, file := range slices.Sorted(maps.Keys(parsed)) {
		for _, id := range load.Declared(parsed[file]) {
			name := id.Name
			if pos, ok := p.Package.Names[name]; ok {
				return &fuse.Unsupported{Pos: pos, Code: "name", What: name + " is declared here, and by what surge generates",
					Why: "the generated file " + file + " is part of the package and declares " + name, Fix: "give it, or the kernel, another name"}
			}
			if other, twice := declared[name]; twice {
				return &fuse.Unsupported{Pos: p.Kernels[0].Source.Pos, Code: "name", What: "two kernels need the same generated name " + name,
					Why: "their names differ by no more than the case of the first letter, or by a number at the end (" + other + ", " + file + ")", Fix: "rename one of them"}
			}
			declared[name] = file
		}
	}
	return nil
}
