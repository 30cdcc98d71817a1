package load

import (
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

// TestListsApart gives each turn of a loop a list of its own where it shares nothing with other turns but the list.
func TestListsApart(t *testing.T) {
	const right = `package p

type pair struct{ a, b int }

func close(x, y []int, i int) bool { return x[i] == y[i] }

func shift(x []int) int { x[0]++; return x[0] }

// K is a kernel.
//
//surge:kernel
func K(rows [][]int, n int) []pair {
	var found []pair
	seen := make([]bool, n)
	total := 0
	is := func(v int) bool { return v > n }
	for i, row := range rows {
		scratch := make([]int, 4)
		for j, v := range row {
			scratch[j&3]++
			if is(v) {
				found = append(found, pair{i, j})
			}
		}
	}
	_, _ = seen, total
	return found
}
`
	for name, c := range map[string]struct {
		moved    bool
		old, new string
	}{
		"right":                  {true, "", ""},
		"to a number":            {true, "for i, row := range rows {", "for i := 0; i < len(rows); i++ {\n\t\trow := rows[i]"},
		"made empty":             {true, "var found []pair", "found := make([]pair, 0, n)"},
		"a function":             {true, "is(v)", "is(v) && close(row, rows[0], 0)"},
		"a function that writes": {false, "is(v)", "is(v) && shift(rows[0]) > 0"},
		"not empty":              {false, "var found []pair", "found := []pair{{1, 2}}"},
		"one loop":               {false, "for j, v := range row {", "if j, v := 0, len(row); v > 0 {"},
		"its length":             {false, "is(v)", "is(v) && len(found) < 9"},
		"an element of another":  {false, "scratch[j&3]++", "seen[j+scratch[0]] = true"},
		"a sum":                  {false, "scratch[j&3]++", "total += scratch[0]"},
		"memory of another":      {false, "scratch := make([]int, 4)", "scratch := rows[0]"},
		"left early":             {false, "scratch := make([]int, 4)", "scratch := make([]int, 4)\n\t\tif i > n {\n\t\t\tbreak\n\t\t}"},
		"returned":               {false, "scratch[j&3]++", "if j > n {\n\t\t\t\treturn nil\n\t\t\t}\n\t\t\tscratch[0]++"},
		"changed behind":         {false, "_, _ = seen", "found = append(found, pair{})\n\t_, _ = seen"},
		"an element behind":      {false, "_, _ = seen", "found[0].a = 1\n\t_, _ = seen"},
		"given away":             {false, "return found", "func(p []pair) { p[0].a = 2 }(found)\n\treturn found"},
		"used before":            {false, "total := 0", "total := len(found)"},
		"no kernel":              {false, "//surge:kernel\n", "// or not\n"},
		"a literal that writes":  {false, "return v > n", "total++; return v > n"},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(right, c.old, c.new, 1)
			if c.old != "" && text == right {
				t.Fatal("the text has no such place")
			}
			if out := rewrittenWithHelpers(t, text); strings.Contains(out, "flatten·(lists)") != c.moved {
				t.Errorf("moved: %v\n%s", !c.moved, out)
			}
		})
	}
}

// rewrittenWithHelpers is a file with kernels whose lists are apart; it calls a function that is not in it.
func rewrittenWithHelpers(t *testing.T, text string) string {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", text, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	u := checkFiles(fset, "p", []*ast.File{file}, testImporter, "")
	if len(u.errs) > 0 {
		t.Fatal(u.errs)
	}
	(&rewriter{fset: fset, info: u.info, pkg: u.pkg, helpers: map[string]bool{}}).listsApart(u.files)
	file.Comments = nil
	var b strings.Builder
	if err := format.Node(&b, fset, file); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
