package codegen

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	pathpkg "path"
)

// free are the names that Go declarations, a file without its imports, use and do not declare: of packages, of what the
// rest of the package declares, and of what Go itself has. packages are those that stand before a dot.
func free(body string) (names, packages map[string]bool, err error) {
	f, err := parser.ParseFile(token.NewFileSet(), "", "package p\n\n"+body, 0)
	if err != nil {
		return nil, nil, notGo(err, "package p\n\n"+body)
	}
	names, packages = map[string]bool{}, map[string]bool{}
	unresolved := map[*ast.Ident]bool{}
	for _, id := range f.Unresolved {
		names[id.Name], unresolved[id] = true, true
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := s.X.(*ast.Ident); ok && unresolved[id] {
				packages[id.Name] = true
			}
		}
		return true
	})
	return names, packages, nil
}

// Imported returns those of the packages, names by path, that Go declarations use; the name "" stands for the last
// part of the path.
func Imported(packages map[string]string, body string) (map[string]string, error) {
	_, used, err := free(body)
	if err != nil {
		return nil, err
	}
	imports := maps.Clone(packages)
	maps.DeleteFunc(imports, func(path, name string) bool { return !used[cmp.Or(name, pathpkg.Base(path))] })
	return imports, nil
}
