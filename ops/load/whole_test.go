package load

import (
	"strings"
	"testing"

	"github.com/surge-ndp/surge/ops/ir"
)

// TestWhole checks which kernels stay whole, and that what others are refused for says why they do not.
func TestWhole(t *testing.T) {
	const counts = "m := map[int]int{}\nfor _, x := range xs {\nm[x]++\n}\n"
	for _, c := range []struct{ name, signature, body, want string }{
		{"a map", "(xs []int) int", counts + "return m[3]", ""},
		{"an input is returned", "(xs []int) []int", counts + "return xs[:len(m)]", ""},
		{"rows of an input are", "(xs []int, rows [][]int) [][]int", counts + "return rows[m[0]:]", ""},
		{"an error of its own", "(xs []int) (int, error)", counts + "if len(m) == 0 {\nreturn 0, errEmpty\n}\nreturn m[1], nil", ""},
		{"the order of a map", "(xs []int) int", counts + "s := 0\nfor k := range m {\ns = 3*s + k\n}\nreturn s", "it cannot run as it stands either: it "},
		{"an input is changed", "(xs []int) int", counts + "xs[0] = m[0]\nreturn 1", "it cannot run as it stands either: it writes to what xs points to"},
		{"something outside", "(xs []int) int", counts + "println(m[0])\nreturn 1", "print"},
		{"a part of a struct is an input", "(xs []int) held", counts + "return held{xs, m[0]}", "a map is updated"},
		{"operators", "(xs []int) []int", counts + "return ops.Map(func(x int) int { return m[x] }, xs)", "a map is updated"},
		{"another algorithm for it", "(xs []int, other int) int", counts + "return m[3]", "a map is updated"},
		{"nothing is wrong", "(xs []int) int", "return len(xs)", "compiled"},
	} {
		text := "package p\n\nimport (\n\"errors\"\n\"github.com/surge-ndp/surge/ops\"\n)\n\nvar errEmpty = errors.New(\"empty\")\nvar _ = ops.Map[int, int]\n\n" +
			"type held struct {\nxs []int\nn int\n}\n\n//surge:kernel\nfunc K" + c.signature + " {\n" + c.body + "\n}\n"
		if strings.Contains(c.signature, "other") {
			text += "\n//surge:variant-of K\nfunc L" + c.signature + " {\nreturn 0\n}\n"
		}
		p, err := programOf("p.go", text, false)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		p.wholeKernels = true
		kernels := p.compile("")
		switch {
		case len(p.rep.list) > 0:
			if c.want == "" || !strings.Contains(p.rep.list.Error(), c.want) {
				t.Errorf("%s: %v", c.name, p.rep.list)
			}
		case len(kernels[0].Whole) == 0:
			if c.want != "compiled" {
				t.Errorf("%s: it is compiled", c.name)
			}
			later := kernels[0].KeptWhole(Diagnostic{Message: "no code", Code: "unsupported"})
			if later == nil || len(later.Whole) != 1 || len(later.Func.Body.Stmts) != 1 || len(kernels[0].Whole) > 0 {
				t.Errorf("%s: kept whole later it is %v", c.name, later)
			}
		default:
			k := kernels[0]
			if c.want != "" {
				t.Errorf("%s: it stays whole: %v", c.name, k.WhyWhole())
			}
			if !strings.Contains(k.WhyWhole(), "map[int]int") || ir.Verify(k.Func) != nil || len(k.Func.Body.Stmts) != 1 {
				t.Errorf("%s: %s\n%s", c.name, k.WhyWhole(), k.Func)
			}
		}
	}
}
