package load

import (
	"fmt"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/eval"
)

// TestLimits checks which loops know before they begin how much they append, so that they run once, and that there is
// room for what they do append.
func TestLimits(t *testing.T) {
	for _, c := range []struct {
		name, text string
		once       bool
		a, b       int // how many elements there are in the end, of x with 7 elements and k = 5
	}{
		{"a limit", "for len(a) < m { a = append(a, n) }", true, 5, 0},
		{"a limit of its own", "for len(a) < m && n < 3 { a = append(a, n); n++ }", true, 3, 0},
		{"a limit that is reached", "for len(a) <= m { a = append(a, n) }", true, 6, 0},
		{"a limit on the left", "for m > len(a) { a = append(a, n) }", true, 5, 0},
		{"a length", "for len(a) < len(x) { a = append(a, n) }", true, 7, 0},
		{"a constant", "for len(a) < 4 { a = append(a, n) }", true, 4, 0},
		{"a negative one", "m = min(-k, len(x)); for len(a) < m { a = append(a, n) }", true, 0, 0},
		{"several at a time", "for len(a) < m { a = append(a, n, n, n) }", true, 6, 0},
		{"in a loop in it", "for len(a) < m { for range 4 { a = append(a, n) } }", true, 8, 0},
		{"some before", "a = append(a, 1, 2); for len(a) < m { a = append(a, n) }", true, 5, 0},
		{"more before", "a = append(a, x...); for len(a) < m { a = append(a, n) }", true, 7, 0},
		{"another beside", "for len(a) < m { a = append(a, n); b = append(b, n) }", true, 5, 5},
		{"another after a break", "for len(a) < m { a = append(a, n); if n > 2 { break }; n++; b = append(b, n) }", true, 4, 3},
		{"another in branches", "for len(a) < m { if n++; n % 2 == 0 { b = append(b, n); a = append(a, n); continue }; a = append(a, 0) }", true, 5, 2},
		{"another before a break", "for len(a) < m { b = append(b, n); if n++; n % 2 == 0 { continue }; a = append(a, n) }", false, 5, 9},
		{"another more often", "for len(a) < m { b = append(b, n, n); a = append(a, n) }", false, 5, 10},
		{"another elsewhere", "for len(a) < m { if n++; n % 3 > 0 { b = append(b, n); continue }; a = append(a, n) }", false, 5, 10},
		{"another in a condition", "for len(a) < m { if b = append(b, n); n < 9 { n++ }; b = append(b, n); a = append(a, n) }", false, 5, 10},
		{"at the end of a turn in it", "for len(a) < m { for i := 0; i < 2; a = append(a, n) { i++ }; a = append(a, n) }", false, 6, 0},
		{"by a method", "for len(c) < m { c = append(c, n); c.push(n); a = append(a, n) }", false, 3, 0},
		{"any number", "for len(a) < k { a = append(a, n) }", false, 5, 0},
		{"a large constant", "for len(a) < 1 << 30 && n < 4 { n++; a = append(a, n) }", false, 4, 0},
		{"a limit that moves", "for len(a) < m { a = append(a, n); if n++; n < 3 { m++ } }", false, 7, 0},
		{"either of two conditions", "for len(a) < m || n < 9 { n++; a = append(a, n) }", false, 9, 0},
		{"who knows how many in a loop in it", "for len(a) < m { for range k { a = append(a, n) } }", false, 5, 0},
	} {
		ks, ds, err := compileText("k.go", `package p

type list []int

func (l *list) push(n int) { *l = append(*l, n) }

//surge:kernel
func K(x []int, k int) (a, b []int) {
	var c list
	_ = c
	m, n := min(k, len(x)), 0
	_ = m
	`+strings.ReplaceAll(c.text, "; for", "\n\tfor")+`
	return a, b
}
`)
		if err != nil || len(ds) > 0 {
			t.Fatal(c.name, err, ds)
		}
		text := ks[0].Func.String()
		if once := strings.Count(text, "while {") == 1; once != c.once {
			t.Errorf("%s: runs once: %v\n%s", c.name, once, text)
		}
		var x []any
		for i := range 7 {
			x = append(x, ir.IntConst(ir.Int, int64(i)))
		}
		got, err := eval.Run(ks[0].Func, []any{x, ir.IntConst(ir.Int, 5)}, eval.Options{Steps: 1e5})
		if err != nil {
			t.Errorf("%s: %v\n%s", c.name, err, text)
			continue
		}
		if a, b := len(got[0].([]any)), len(got[1].([]any)); a != c.a || b != c.b {
			t.Errorf("%s: %s", c.name, fmt.Sprintf("%d and %d elements, want %d and %d", a, b, c.a, c.b))
		}
	}
}
