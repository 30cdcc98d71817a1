package load

import (
	"go/ast"
	"strings"
	"testing"
)

// TestFieldRows makes the rows of a field by turns where each turn of a loop appends one to an empty field, and nothing
// asks how many there are meanwhile.
func TestFieldRows(t *testing.T) {
	const head = `package p

type box struct {
	rows, more [][]int
	n          int
	flat       []int
}

func (b *box) add()          { b.rows = append(b.rows, nil) }
func row(k int) []int        { return make([]int, k) }
func count(b box) int        { return len(b.rows) }

var errOdd error

`
	for text, rewritten := range map[string]bool{
		`func f(x []int) [][]int { b := box{n: 1}; for _, k := range x { b.rows = append(b.rows, row(k)) }; return b.rows }`:                                             true,
		`func f(x []int) [][]int { b := &box{}; b.n = 3; for i, k := range x { b.n += k; b.more = append(b.more, row(i)); b.flat = append(b.flat, k) }; return b.more }`: true,
		`func f(x []int) ([][]int, error) { var b box; for range x { b.n++; b.rows = append(b.rows, row(1)) }; return b.rows, nil }`:                                     true,

		`func f(x []int) ([][]int, error) { var b box; for range x { if b.n > 3 { return nil, errOdd }; b.rows = append(b.rows, row(1)) }; return b.rows, nil }`:                    false,
		`func f(x []int) []int { b := box{}; for _, k := range x { b.flat = append(b.flat, k) }; return b.flat }`:                                                                   false,
		`func f(x []int) [][]int { b := box{rows: [][]int{nil}}; for _, k := range x { b.rows = append(b.rows, row(k)) }; return b.rows }`:                                          false,
		`func f(x []int) [][]int { b := box{}; b.add(); for _, k := range x { b.rows = append(b.rows, row(k)) }; return b.rows }`:                                                   false,
		`func f(x []int) [][]int { b := box{}; b.rows = nil; for _, k := range x { b.rows = append(b.rows, row(k)) }; return b.rows }`:                                              false,
		`func f(x []int) [][]int { b := box{}; for _, k := range x { b.rows = append(b.rows, row(k)); if k == 3 { break } }; return b.rows }`:                                       false,
		`func f(x []int) [][]int { b := box{}; for _, k := range x { if k == 3 { continue }; b.rows = append(b.rows, row(k)) }; return b.rows }`:                                    false,
		`func f(x []int) [][]int { b := box{}; for _, k := range x { if k > 3 { b.rows = append(b.rows, row(k)) } }; return b.rows }`:                                               false,
		`func f(x []int) [][]int { b := box{}; for _, k := range x { b.rows = append(b.rows, row(k)); b.rows = append(b.rows, nil) }; return b.rows }`:                              false,
		`func f(x []int) [][]int { b := box{}; for range x { b.rows = append(b.rows, row(len(b.rows))) }; return b.rows }`:                                                          false,
		`func f(x []int) [][]int { b := box{}; for _, k := range x { b.rows = append(b.rows, row(k)); b.n = len(b.rows) }; return b.rows }`:                                         false,
		`func f(x []int) [][]int { b := box{}; for _, k := range x { b.rows = append(b.rows, row(k)); x = x[:1] }; return b.rows }`:                                                 false,
		`func f(x []int) [][]int { b := box{}; for i, k := range x { b.rows = append(b.rows, row(k)); i++ }; return b.rows }`:                                                       false,
		`func f(x []int) [][]int { b := box{}; see := func() int { return len(b.rows) }; for range x { b.rows = append(b.rows, row(see())) }; return b.rows }`:                      false,
		`func f(x []int) [][]int { b := box{}; for _, k := range x { b.rows = append(b.rows, row(k)); b.n = count(b) }; return b.rows }`:                                            false,
		`type row1 int; type box1 struct{ rows [][]row1 }; func f(x []int) int { b := box1{}; row1 := 1; for range x { b.rows = append(b.rows, nil) }; return len(b.rows) + row1 }`: false,
		`type tab[T any] struct{ rows [][]T }; func f(x []int) [][]int { b := tab[int]{}; for _, k := range x { b.rows = append(b.rows, row(k)) }; return b.rows }`:                 false,
		`func f(x []int, b *box) [][]int { for _, k := range x { b.rows = append(b.rows, row(k)) }; return b.rows }`:                                                                false,
	} {
		out := rewriteLast(t, head+text, func(r *rewriter, files []*ast.File, _ *ast.FuncDecl) { r.fieldRows(files) })
		if strings.Contains(out, "make(") != rewritten {
			t.Errorf("%s\nbecomes\n%s", text, out)
		}
	}
}
