package load

import (
	"context"
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
		"one slice as two":           {"steps(i, a, b)", "steps(i, a, a)"},
		"another name":               {"\tfor i := range n {\n", "\tfirst := a\n\tfor i := range n {\n\t\ta[0] += first[1]\n"},
		"a third parameter has it":   {"n int, a, b []int) int {\n", "n int, a, b []int, c []int) int {\n\tn += c[0]\n"},
		"a function knows it":        {"n int, a, b []int) int {\n", "n int, a, b []int, of func() int) int {\n\tn += of()\n"},
		"a literal names it":         {"\tfor i := range n {\n", "\tlast := func() int { return a[3] }\n\tfor i := range n {\n\t\tb[0] += last()\n"},
		"it is replaced too":         {"\tfor i := range n {\n", "\ta = a[1:]\n\tfor i := range n {\n"},
		"two exchanges":              {"\treturn a[1] - b[0]", "\tif n == 3 {\n\t\tb, a = a, b\n\t}\n\treturn a[1] - b[0]"},
		"it is returned":             {"b []int) int {", "b []int) []int {"},
		"another variable is called": {"\treturn a[1] - b[0]", "\tfor a := range 3 {\n\t\tif n == a {\n\t\t\treturn a\n\t\t}\n\t}\n\treturn a[1] - b[0]"},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.ReplaceAll(right, c.old, c.new)
			switch {
			case c.old == "":
				text = right
			case text == right:
				t.Fatal("the text has no such place")
			case name == "it is returned":
				text = strings.Replace(strings.Replace(text, "return a[1] - b[0]", "return a", 1), "steps(i, a, b) + a[0]", "steps(i, a, b)[0] + a[0]", 1)
			case name == "a third parameter has it":
				text = strings.Replace(text, "steps(i, a, b)", "steps(i, a, b, a)", 1)
			case name == "a function knows it":
				text = strings.Replace(text, "steps(i, a, b)", "steps(i, a, b, func() int { return a[2] })", 1)
			}
			_, err := Load(context.Background(), module(t, map[string]string{"p.go": text}), Options{})
			if (err == nil) != (name == "right") {
				t.Errorf("error %v", err)
			}
		})
	}
}
