package load

import (
	"go/ast"
	"strings"
	"testing"
)

// TestOtherNames takes names away that stand for one slice as long as they are used, and none whose variable or field
// may get another slice meanwhile.
func TestOtherNames(t *testing.T) {
	const head = `package p

type inner struct{ rows []int }

type grid struct {
	cells, next []int
	in          inner
	then        func(*grid)
}

func (g *grid) turn()       { g.cells, g.next = g.next, g.cells }
func (g *grid) turnTwice()  { g.turn(); g.turn() }
func (g *grid) size() int   { return len(g.cells) }
func reset(g *grid)         { *g = grid{} }
func through(p *[]int)      { *p = nil }
func use(x ...any) int      { return len(x) }
func pair(g *grid) (int, []int) { g.turn(); return 1, g.cells }

func first(k int, _ []int) int { return k }

type turner interface{ turn() }

`
	for text, gone := range map[string]bool{
		`func f(g *grid) { v := g.cells; v[0] = g.size() }`:                                              true,
		`func f(g *grid) { v, n := g.cells, g.size(); for i := range n { v[i]++ } }`:                     true,
		`func f(g *grid) { v, w := g.cells, g.next; v[0] = w[0]; g.cells, g.next = w, v }`:               true,
		`func f(g grid) { for range 3 { v := g.in.rows; v[0]++; g.in.rows = nil } }`:                     true,
		`func f(x []int) []int { v := x; v[0]++; return v }`:                                             true,
		`func f() []int { a, b := make([]int, 1), make([]int, 1); v, w := a, b; v, w = w, v; return v }`: true,
		`func f() { a := make([]int, 1); v := a; v = append(v, 1); use(v) }`:                             true,

		`func f(q *[]int) { v := *q; v[0]++; v = v[1:]; *q = v; v[0]++ }`:   true,
		`func f(q *[]int) int { v := *q; t := v[0]; *q = v[1:]; return t }`: true,
		`func f(g *grid) { v := g.cells; v = v[1:]; g.cells = v; v[0]++ }`:  true,

		`func f(q *[]int) { v := *q; v[0]++; v = v[1:]; *q = nil; v[0]++ }`:                                  false,
		`func f(q *[]int) { v := *q; v = v[1:]; use(*q); *q = v }`:                                           false,
		`func f(q, o *[]int) { v := *q; *o = nil; v[0]++ }`:                                                  false,
		`func f(x []int) { q := &x; v := *q; x = nil; v[0]++; use(x) }`:                                      false,
		`func f(q, o *[]int) { v := *q; q = o; v[0]++ }`:                                                     false,
		`func f(q *[]int) { v := *q; through(q); v[0]++ }`:                                                   false,
		`func f(g *grid) { v := g.cells; if g.size() > 1 { v = v[1:] }; g.cells = v }`:                       false,
		`func f(g *grid) { v := g.cells; v = v[1:]; g.next = v; v[0]++ }`:                                    false,
		`func f(g *grid) { v := g.cells; g.turn(); v[0] = 1 }`:                                               false,
		`func f(g *grid) { v := g.cells; v[first(pair(g))] = 1 }`:                                            false,
		`func f(g *grid) { v := g.cells; g.turnTwice(); v[0] = 1 }`:                                          false,
		`func f(g *grid) { v := g.cells; turn := g.turn; turn(); v[0] = 1 }`:                                 false,
		`func f(g *grid) { v := g.cells; reset(g); v[0] = 1 }`:                                               false,
		`func f(g *grid) { v := g.cells; through(&g.cells); v[0] = 1 }`:                                      false,
		`func f(g *grid) { v := g.cells; g.then(g); v[0] = 1 }`:                                              false,
		`func f(g *grid, then func()) { v := g.cells; then(); v[0] = 1 }`:                                    false,
		`func f(g *grid, t turner) { v := g.cells; t.turn(); v[0] = 1 }`:                                     false,
		`func f(g *grid) { then := func() { g.cells = nil }; v := g.cells; then(); v[0] = 1 }`:               false,
		`func f(g *grid) { v := g.cells; then := func() { v[0] = 1 }; g.cells = nil; then() }`:               false,
		`func f(g *grid) { v := g.in.rows; g.in = inner{}; v[0] = 1 }`:                                       false,
		`func f(gs []grid) { g := &gs[0]; v := g.cells; gs[0] = grid{}; v[0] = 1 }`:                          false,
		`func f(g, h *grid) { v := g.cells; h.cells = nil; v[0] = 1 }`:                                       false,
		`func f(g, h *grid) { v := g.cells; g = h; v[0] = 1 }`:                                               false,
		`func f(g *grid) { v := g.cells; for range 2 { v[0]++; g.cells = nil } }`:                            false,
		`func f(g *grid) { v, k := g.cells, 0; k, v = pair(g); v[0] = k }`:                                   false,
		`func f(g *grid) { v := g.cells; { g := grid{}; v[0] = g.size() } }`:                                 false,
		`func f(g *grid) { v := g.cells; p := &v; *p = nil; use(p) }`:                                        false,
		`func f(x []int) { v := x; x = nil; v[0]++; use(x) }`:                                                false,
		`func f(x, y []int) { v := x; for range 2 { v[0]++; v = y } }`:                                       false,
		`func f() { a := make([]int, 1); v := a; v = append(v, 1); use(a, v) }`:                              false,
		`func f() { a := make([]int, 1); for range 3 { v := a; v = append(v, 1); use(v) } }`:                 false,
		`func f() { a := make([]int, 1); p := &a; v := a; through(p); v[0]++; use(a) }`:                      false,
		`func f() { a := make([]int, 1); p := &a; v := a; v = append(v, 1); use(p, v) }`:                     false,
		`func f() { a := make([]int, 1); get := func() []int { return a }; v := a; v = nil; use(get(), v) }`: false,
		`func f() (a []int) { v := a; v = append(v, 1); use(v); return }`:                                    false,
	} {
		out := rewriteLast(t, head+text, func(r *rewriter, files []*ast.File, _ *ast.FuncDecl) { r.otherNames(files) })
		if strings.Contains(out, "v") == gone { // no other name has that letter
			t.Errorf("%s\nbecomes\n%s", text, out)
		}
	}
}
