package load

import (
	"go/ast"
	"go/format"
	"go/importer"
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

// TestExitsLast gives loops that are left before an exchange, and such as mean something else when they are rewritten:
// these stay as they are.
func TestExitsLast(t *testing.T) {
	const right = `package p

type flag bool

func K(x []int, n int, given []int) (int, int) {
	a, b := make([]int, n), make([]int, n)
	rest := [2]int{}
	for k := range n {
		b[k] = a[0] + x[k]
		if b[k] > 9 {
			break
		}
		a, b = b, a
	}
	return a[0] + rest[1] + len(given), b[0]
}
`
	for name, c := range map[string]struct {
		moved    bool
		old, new string
	}{
		"right":                     {true, "", ""},
		"more before it leaves":     {true, "\t\t\tbreak\n", "\t\t\trest[1] = b[0]\n\t\t\tbreak\n"},
		"more behind the exchange":  {false, "a, b = b, a", "a, b = b, a\n\t\trest[0]++"},
		"it returns":                {true, "\t\t\tbreak\n", "\t\t\treturn a[0], b[0]\n"},
		"it returns what is inside": {false, "\t\t\tbreak\n", "\t\t\treturn k, b[0]\n"},
		"twice, one in the other": {true, "a, b = b, a\n\t}\n", "a, b = b, a\n\t}\n\tfor k := range n {\n\t\tfor j := range n {\n\t\t\tif j > 3 {\n\t\t\t\tbreak\n\t\t\t}\n\t\t\ta, b = b, a\n\t\t}\n" +
			"\t\tif k > 3 {\n\t\t\tbreak\n\t\t}\n\t\ta, b = b, a\n\t}\n"},
		"it returns a constant from inside": {false, "\t\tif b[k] > 9 {\n\t\t\tbreak\n", "\t\tconst c = 3\n\t\tif b[k] > 9 {\n\t\t\treturn c, b[0]\n"},
		"slices of a turn":                  {false, "\t\tb[k] = a[0] + x[k]\n", "\t\ta, b := b, a\n\t\tb[k] = a[0] + x[k]\n"},
		"a bool of another type":            {false, "if b[k] > 9", "if flag(b[k] > 9)"},
		"it goes on":                        {false, "\t\t\tbreak\n", "\t\t\tcontinue\n"},
		"two ways":                          {false, "\t\t\tbreak\n\t\t}", "\t\t\tbreak\n\t\t} else {\n\t\t\trest[0]++\n\t\t}"},
		"two exits":                         {false, "\t\t\tbreak\n", "\t\t\tif k > 3 {\n\t\t\t\tcontinue\n\t\t\t}\n\t\t\tbreak\n"},
		"with a variable":                   {false, "if b[k] > 9", "if y := b[k]; y > 9"},
		"no exchange":                       {false, "a, b = b, a", "a[0], b[0] = b[0], a[0]"},
		"of a caller":                       {false, "a, b = b, a", "a, given = given, a"},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(right, c.old, c.new, 1)
			if c.old != "" && text == right {
				t.Fatal("the text has no such place")
			}
			if moved, after := rewrittenText(t, text, each((*rewriter).exitsLast)); moved != c.moved {
				t.Errorf("moved: %v\n%s", moved, after)
			}
		})
	}
}

// testImporter imports packages of the standard library.
var testImporter = importer.ForCompiler(token.NewFileSet(), "source", nil)

// rewrittenText is a file with one rewriting, which is to be right Go, and whether that changed anything.
func rewrittenText(t *testing.T, text string, step func(r *rewriter, files []*ast.File) bool) (changed bool, after string) {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	u := checkFiles(fset, "p", []*ast.File{file}, testImporter, "")
	if len(u.errs) > 0 {
		t.Fatal(u.errs)
	}
	changed = step(&rewriter{fset: fset, info: u.info, pkg: u.pkg, helpers: map[string]bool{}}, u.files)
	var b strings.Builder
	if err := format.Node(&b, fset, file); err != nil {
		t.Fatal(err)
	}
	if u := checkFiles(fset, "p", []*ast.File{file}, testImporter, ""); len(u.errs) > 0 {
		t.Errorf("%v\n%s", u.errs, b.String())
	}
	return changed, b.String()
}
