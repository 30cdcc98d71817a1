package load

import (
	"context"
	"strings"
	"testing"
)

// TestArraysOfSlices asks which arrays of slices become rows: those whose elements are picked by what only the run
// knows, and that nothing else uses as a whole.
func TestArraysOfSlices(t *testing.T) {
	const head = "package p\n\n// K is a kernel.\n//\n//surge:kernel\nfunc K(x []int, n int) int {\n"
	for body, rows := range map[string]bool{
		"var b [2][]int\n b[0], b[1] = make([]int, 3), make([]int, 3)\n b[n&1][0] = n\n return b[0][0]":                     true,
		"b := [2][]int{make([]int, 3), make([]int, 3)}\n b[n&1][0] = n\n return b[0][0] + len(b)":                           true,
		"b := [][]int{make([]int, 3), make([]int, 3)}\n b[0][n] = n\n return b[0][0]":                                       true,
		"var b [2][]int\n for k := range b {\n b[k] = make([]int, 3)\n b[k][n] = n\n}\n return b[0][0]":                     false,
		"var b [2][]int\n for k := 0; k < 2; k++ {\n b[1-k] = make([]int, 3)\n b[k] = make([]int, n)\n}\n return len(b[0])": false,
		"b := [2][]int{make([]int, 3), make([]int, 3)}\n b[0][n] = n\n return b[0][0]":                                      false,
	} {
		file := module(t, map[string]string{"p.go": head + body + "\n}\n"})
		p, err := Load(context.Background(), file, Options{})
		if err != nil {
			t.Fatalf("%s: %v", body, err)
		}
		if text := p.Kernels[0].Func.String(); (strings.Contains(text, "grid") || strings.Contains(text, "alloc 6:int")) != rows {
			t.Errorf("%s: want rows: %t\n%s", body, rows, text)
		}
	}
	const copied = "var b [2][]int\n c := b\n b[0], b[1] = make([]int, 3), make([]int, 3)\n b[n&1][0] = n\n return b[0][0] + len(c[0])"
	if _, err := Load(context.Background(), module(t, map[string]string{"p.go": head + copied + "\n}\n"}), Options{}); err == nil || !strings.Contains(err.Error(), "[") {
		t.Errorf("an array that is copied: %v", err)
	}
	const shadowed = "b := [][]int{make([]int, 3), make([]int, 3)}\n for range n {\n b := [][]int{b[1], make([]int, 3)}\n n += b[0][0]\n}\n return n"
	if _, err := Load(context.Background(), module(t, map[string]string{"p.go": head + shadowed + "\n}\n"}), Options{}); err == nil || !strings.Contains(err.Error(), "slice-lit") {
		t.Errorf("a literal that names another variable of its name: %v", err)
	}
}

// TestGlobalRows asks which package-level arrays of slices become slices: those that are read at indices that only the
// run knows, and whose lengths no constant is computed from.
func TestGlobalRows(t *testing.T) {
	const head = "package p\n\nvar rows = [4][]int{3: {1}, 0: {1, 2}}\n\n"
	const kernel = "// K is a kernel.\n//\n//surge:kernel\nfunc K(x []int) int {\n"
	for text, hidden := range map[string]bool{
		kernel + "\treturn len(rows[x[0]&3]) + len(rows)\n}\n":                                    true,
		kernel + "\tn := 0\n\tfor k := range rows {\n\t\tn += len(rows[k])\n\t}\n\treturn n\n}\n": false,
		"type box struct{ at [len(rows)]int }\n\n" + kernel + "\treturn len(rows[x[0]&3])\n}\n":   false,
		"const many = 2 * len(rows)\n\n" + kernel + "\treturn len(rows[x[0]&3]) + many\n}\n":      false,
		kernel + "\tall := rows\n\treturn len(rows[x[0]&3]) + len(all[1])\n}\n":                   false,
		kernel + "\tn := [...]int{len(rows): 1}\n\treturn len(rows[x[0]&3]) + n[4]\n}\n":          false,
	} {
		p, err := Load(context.Background(), module(t, map[string]string{"p.go": head + text}), Options{})
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if is := len(p.Kernels[0].Hidden) == 1 && p.Kernels[0].Hidden[0].Expr == "rows[:]"; is != hidden {
			t.Errorf("%s: want a slice: %t\n%v\n%s", text, hidden, p.Kernels[0].Hidden, p.Kernels[0].Func)
		}
	}
}
