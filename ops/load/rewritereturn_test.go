package load

import (
	"go/ast"
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
		out := rewriteLast(t, head+text, func(r *rewriter, _ []*ast.File, fd *ast.FuncDecl) { r.returnedAppends(fd) })
		if strings.Contains(out, "out = append(out, 1") != rewritten {
			t.Errorf("%s\nbecomes\n%s", text, out)
		}
	}
}
