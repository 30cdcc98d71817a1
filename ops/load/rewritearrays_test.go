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
}
