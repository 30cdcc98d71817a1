package load

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"
)

// TestReturnedAppends assigns what is appended before it is returned, where nothing else sees that.
func TestReturnedAppends(t *testing.T) {
	const head = `package p

func count() int          { return 1 }
func use(p *[]int) *[]int { return p }

`
	for text, rewritten := range map[string]bool{
		`func f(x []int) []int { var out []int; for _, v := range x { out = append(out, v) }; return append(out, 1) }`:     true,
		`func f(n int) ([]int, int) { out := []int{n}; if n > 3 { return append(out, 1, 2), n }; return out, 0 }`:          true,
		`func f(n int) (int, []int) { out := []int{n}; switch n { case 3: return n + 1, append(out, 1) }; return 0, nil }`: true,

		`func f(x []int) []int { return append(x, 1) }`:                                                 false,
		`func f(n int) ([]int, int) { out := []int{n}; return append(out, 1), len(out) }`:               false,
		`func f(n int) ([]int, int) { out := []int{n}; return append(out, count()), count() }`:          false,
		`func f(n int) []int { out := []int{n}; defer func() { out = nil }(); return append(out, 1) }`:  false,
		`func f(n int) []int { out := []int{n}; defer use(&out); return append(out, 1) }`:               false,
		`func f(n int) func() []int { out := []int{n}; return func() []int { return append(out, 1) } }`: false,
		`func f(n int) [][]int { out := [][]int{{n}}; return append(out, nil) }`:                        false,
	} {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "p.go", head+text, 0)
		if err != nil {
			t.Fatal(err)
		}
		info := newInfo()
		check := func() *types.Package {
			pkg, err := (&types.Config{}).Check("p", fset, []*ast.File{file}, info)
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			return pkg
		}
		r := &rewriter{fset: fset, info: info, pkg: check()}
		fd := file.Decls[len(file.Decls)-1].(*ast.FuncDecl)
		r.returnedAppends(fd)
		check()
		var out bytes.Buffer
		if err := format.Node(&out, fset, fd); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(out.String(), "out = append(out, 1") != rewritten {
			t.Errorf("%s\nbecomes\n%s", text, out.String())
		}
	}
}
