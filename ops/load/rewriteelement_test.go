package load

import (
	"go/ast"
	"strings"
	"testing"
)

// TestElementsApart copies elements to variables for the time of a turn where nothing else names the slice in it, and
// the pointer does not outlive the turn.
func TestElementsApart(t *testing.T) {
	const head = `package p

type box struct {
	bins [8]int
	n    int
}

type point struct{ at [2]int }

func (b *box) add(k int)       { b.bins[k&7]++ }
func touch(b *box) int         { b.n++; return b.n }
func same(b *box) *box         { return b }

`
	for text, apart := range map[string]bool{
		`func f(n int) []box { x := make([]box, n); for i := range x { p := &x[i]; p.bins[n&7]++; p.add(i) }; return x }`:                                 true,
		`func f(n int) []box { x := make([]box, n); for i := range x { if i == 3 { continue }; p := &x[i]; n = touch(p) }; return x }`:                    true,
		`func f(n int) []box { x := make([]box, n); for i := range x { p := &x[i]; for j := range n { if j > 3 { break }; *p = box{n: j} } }; return x }`: true,

		`func f(x []box, n int) int { for i := range x { p := &x[i]; n += p.bins[n&7] }; return n }`:                                                   false,
		`func f(n int) []point { x := make([]point, n); for i := range x { p := &x[i]; p.at[n&1]++ }; return x }`:                                      false,
		`func f(n int) []box { x := make([]box, n); for i := range x { p := &x[i]; if i == 3 { continue }; p.add(i) }; return x }`:                     false,
		`func f(n int) []box { x := make([]box, n); for i := range x { p := &x[i]; p.add(i); if i == 3 { break } }; return x }`:                        false,
		`func f(n int) []box { x := make([]box, n); for i := range x { p := &x[i]; p.add(i); if i == 3 { return x } }; return x }`:                     false,
		`func f(n int) []box { x := make([]box, n); for i := range x { p := &x[i]; p.add(x[0].n) }; return x }`:                                        false,
		`func f(n int) []box { x := make([]box, n); for i := range x { p := &x[i]; p.add(1); i++ }; return x }`:                                        false,
		`func f(n int) []box { x := make([]box, n); var q *box; for i := range x { p := &x[i]; q = p }; q.add(1); return x }`:                          false,
		`func f(n int) []box { x := make([]box, n); for i := range x { p := &x[i]; q := same(p); q.add(1) }; return x }`:                               false,
		`func f(n int) []box { x := make([]box, n); q := &x[0]; for i := range x { p := &x[i]; p.add(q.n) }; return x }`:                               false,
		`func f(n int) []box { x := make([]box, n); y := x; for i := range x { p := &x[i]; p.add(y[0].n) }; return x }`:                                false,
		`func f(n int) []box { x := make([]box, n); for i := range x { p := &x[i]; func() { p.add(1) }() }; return x }`:                                false,
		`func f(n int) []box { x := make([]box, n); q := &x[0].n; for i := range x { p := &x[i]; p.add(1); *q = 1 }; return x }`:                       false,
		`func f(n int) []box { x := make([]box, n); q := x[0].bins[:]; for i := range x { p := &x[i]; p.add(1); q[0]++ }; return x }`:                  false,
		`func f(n int) []box { x := make([]box, n); add := x[0].add; for i := range x { p := &x[i]; p.add(1); add(2) }; return x }`:                    false,
		`func f(n int) []box { x := make([]box, n); add := func(k int) { x[k].add(k) }; for i := range x { p := &x[i]; p.add(1); add(i) }; return x }`: false,
		`func f(n int) []box { x := make([]box, n); for i := range x { p := &x[i]; q := &p.bins; q[0]++ }; return x }`:                                 false,
	} {
		out := rewriteLast(t, head+text, func(r *rewriter, _ []*ast.File, fd *ast.FuncDecl) {
			r.own = r.owned(fd.Body)
			r.elementsApart(fd)
		})
		if strings.Contains(out, "element") != apart {
			t.Errorf("%s\nbecomes\n%s", text, out)
		}
	}
}
