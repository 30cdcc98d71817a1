package load

import (
	"context"
	"slices"
	"strings"
	"testing"
)

// TestExchangedParameters takes away what Note [Exchanged parameters] asks for: the elements of the caller's slices
// would be exchanged where others see it.
func TestExchangedParameters(t *testing.T) {
	const right = `package p

// K is a kernel.
//
//surge:kernel
func K(x []int) []int {
	out := make([]int, len(x))
	for i := range x {
		a, b := make([]int, 4), make([]int, 4)
		a[0] = 5
		out[i] = steps(i, a, b) + a[0]
	}
	return out
}

func steps(n int, a, b []int) int {
	for i := range n {
		a, b = b, a
		a[i%4] += b[0] + i
	}
	return a[1] - b[0]
}
`
	for name, c := range map[string]struct{ old, new string }{
		"right":                      {},
		"one slice as two":           {"steps(i, a, b)", "b[1] + steps(i, a, a)"},
		"another name":               {"\tfor i := range n {\n", "\tfirst := a\n\tfor i := range n {\n\t\ta[0] += first[1]\n"},
		"a third parameter has it":   {"n int, a, b []int) int {\n", "n int, a, b []int, c []int) int {\n\tn += c[0]\n"},
		"a function knows it":        {"n int, a, b []int) int {\n", "n int, a, b []int, of func() int) int {\n\tn += of()\n"},
		"a literal names it":         {"\tfor i := range n {\n", "\tlast := func() int { return a[3] }\n\tfor i := range n {\n\t\tb[0] += last()\n"},
		"it is replaced too":         {"\tfor i := range n {\n", "\ta = a[1:]\n\tfor i := range n {\n"},
		"two exchanges":              {"\treturn a[1] - b[0]", "\tif n == 3 {\n\t\tb, a = a, b\n\t}\n\treturn a[1] - b[0]"},
		"it is returned":             {"b []int) int {", "b []int) []int {"},
		"another variable is called": {"\treturn a[1] - b[0]", "\tfor a := range 3 {\n\t\tif n == a {\n\t\t\treturn a\n\t\t}\n\t}\n\treturn a[1] - b[0]"},
		"in a post statement":        {"\tfor i := range n {\n\t\ta, b = b, a\n", "\tfor i := 0; i < n; a, b = b, a {\n\t\ti++\n"},
		"with a label":               {"\t\ta, b = b, a\n", "\tswap:\n\t\ta, b = b, a\n\t\tif i < 0 {\n\t\t\tgoto swap\n\t\t}\n"},
		"not in a loop":              {"\tfor i := range n {\n\t\ta, b = b, a\n", "\tif n > 3 {\n\t\ta, b = b, a\n\t}\n\tfor i := range n {\n"},
		"a literal returns":          {"\tfor i := range n {\n", "\ttwice := func(i int) (int, bool) { return 2 * i, i > 3 }\n\tfor i := range n {\n\t\ti, _ = twice(i)\n"},
		"of a struct":                {"steps(i, a, b)", "steps(i, w.a, w.b)"},
		"of a struct, by a method":   {"steps(i, a, b)", "w.steps(i, w.a, w.b)"},
		"of a struct that is known":  {"steps(i, a, b)", "within(&w, i, w.a, w.b)"},
		"nothing is returned":        {"int) int {\n\tfor", "int) {\n\tfor"},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.ReplaceAll(right, c.old, c.new)
			switch {
			case c.old == "":
				text = right
			case text == right:
				t.Fatal("the text has no such place")
			case strings.HasPrefix(name, "of a struct"):
				text = strings.NewReplacer("w := 0", "w := work{make([]int, 4), make([]int, 4)}", "a, b := make([]int, 4), make([]int, 4)\n", "",
					"a[0] = 5", "w.a[0] = 5", "steps(i, a, b) + a[0]", c.new+" + w.a[0]", "func steps(n int", "type work struct{ a, b []int }\n\n"+
						"func (w work) steps(n int, a, b []int) int { return w.a[0] + steps(n, a, b) }\n\nfunc within(w *work, n int, a, b []int) int {\n"+
						"\tfor i := range n {\n\t\ta, b = b, a\n\t\ta[i%4] += w.b[0]\n\t}\n\treturn w.a[1] - b[0]\n}\n\nfunc steps(n int").
					Replace(strings.Replace(right, "\t\ta, b := make", "\t\tw := 0\n\t\ta, b := make", 1))
			case name == "nothing is returned":
				text = strings.Replace(strings.Replace(text, "\treturn a[1] - b[0]\n", "", 1), "out[i] = steps(i, a, b) + a[0]", "steps(i, a, b)\n\t\tout[i] = a[0]", 1)
			case name == "it is returned":
				text = strings.Replace(strings.Replace(text, "return a[1] - b[0]", "return a", 1), "steps(i, a, b) + a[0]", "steps(i, a, b)[0] + a[0]", 1)
			case name == "a third parameter has it":
				text = strings.Replace(text, "steps(i, a, b)", "steps(i, a, b, a)", 1)
			case name == "a function knows it":
				text = strings.Replace(text, "steps(i, a, b)", "steps(i, a, b, func() int { return a[2] })", 1)
			}
			_, err := Load(context.Background(), module(t, map[string]string{"p.go": text}), Options{})
			if compiles := slices.Contains([]string{"right", "a literal returns", "nothing is returned", "of a struct", "of a struct, by a method"}, name); (err == nil) != compiles {
				t.Errorf("error %v", err)
			}
			if err != nil && strings.Contains(err.Error(), "[type]") {
				t.Errorf("what comes of the function is not Go: %v", err)
			}
		})
	}
}
