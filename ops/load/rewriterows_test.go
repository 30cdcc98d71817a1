package load

import (
	"go/ast"
	"strings"
	"testing"
)

// TestFilledRows appends the rows of a loop that may return, where their type means the same in the loop.
func TestFilledRows(t *testing.T) {
	const head = "package p\n\ntype word int\n\nfunc row(k []int) []word { return nil }\n\n"
	const made = "func f(x [][]int) [][]word { out := make([][]word, len(x)); "
	for text, rewritten := range map[string]bool{
		made + "for i, r := range x { if len(r) > 9 { return nil }; out[i] = row(r) }; return out }":                                  true,
		made + "for i, r := range x { if len(r) > 9 { return nil }; if len(r) == 0 { continue }; out[i] = row(r) }; return out }":     true,
		made + "for i, word := range x { if len(word) > 9 { return nil }; if i == 0 { continue }; out[i] = row(word) }; return out }": false,
		made + "append := 1; for i, r := range x { if len(r) > append { return nil }; out[i] = row(r) }; return out }":                false,
		made + "for i, r := range x { if len(r) > 9 { return out }; out[i] = row(r) }; return out }":                                  false,
	} {
		out := rewriteLast(t, head+text, func(r *rewriter, _ []*ast.File, fd *ast.FuncDecl) { r.filledRows(fd) })
		if strings.Contains(out, "append(out, ") != rewritten {
			t.Errorf("%s\nbecomes\n%s", text, out)
		}
	}
}
