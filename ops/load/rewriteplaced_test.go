package load

import (
	"go/ast"
	"strings"
	"testing"
)

// TestPlacedRows moves the assignment of a row behind what fills it where nobody sees the difference.
func TestPlacedRows(t *testing.T) {
	for body, moved := range map[string]bool{
		`row := make([]int, 4); out[i] = row; row[0] = k`:                                      true,
		`row := make([]int, 4); out[i] = row; if k > 3 { continue }; row[0] = k`:               true,
		`row := make([]int, 4); if k > 3 { out[i] = row; continue }; row[0] = k; out[i] = row`: true,

		`row := make([]int, 4); out[i] = row`:                                                          false,
		`row := make([]int, 4); out[i] = row; row[0] = len(out)`:                                       false,
		`row := make([]int, 4); out[i] = row; row = row[1:]; row[0] = k`:                               false,
		`row := make([]int, 4); out[i] = row; i++; row[0] = k`:                                         false,
		`row := make([]int, 4); out[i] = row; if k == 3 { break }; row[0] = k`:                         false,
		`row := make([]int, 4); out[i] = row; p := &row; (*p)[0] = k`:                                  false,
		`row := make([]int, 4); out[i] = row; { row := []int{1}; row[0] = k }; row[1] = k`:             false,
		`row := make([]int, 4); other := out; out[i] = row; row[0] = len(other)`:                       false,
		`row := make([]int, 4); set := func() { row[0] = k }; out[i] = row; set(); row[1] = 1`:         false,
		`row := make([]int, 4); if n := k; n > 3 { out[i] = row; continue }; row[0] = k; out[i] = row`: false,
	} {
		text := "package p\n\nfunc f(x []int) [][]int { out := make([][]int, len(x)); for i, k := range x { _ = k; " + body + " }; return out }\n"
		changed := false
		out := rewriteLast(t, text, func(r *rewriter, _ []*ast.File, fd *ast.FuncDecl) {
			r.placedRows(fd)
			changed = r.changed
		})
		atEnd := strings.HasSuffix(strings.Join(strings.Fields(out), " "), "out[i] = row } return out }") && !strings.Contains(out, "continue")
		if changed != moved || moved && !atEnd {
			t.Errorf("%s\nbecomes\n%s", body, out)
		}
	}
}
