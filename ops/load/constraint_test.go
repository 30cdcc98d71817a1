package load

import (
	"go/parser"
	"go/token"
	"testing"
)

func TestBuildConstraint(t *testing.T) {
	for _, c := range []struct{ name, heading, want string }{
		{"sums.go", "", ""},
		{"sums.go", "// A comment.\n\n//go:build special && !big\n\n", "special && !big"},
		{"sums_linux.go", "", "linux"},
		{"sums_amd64.go", "//go:build a || b\n\n", "amd64 && (a || b)"},
		{"sums_linux_arm64.go", "", "linux && arm64"},
		{"my_sums_windows.go", "", "windows"},
		{"linux.go", "", ""},
		{"sums_linux_fast.go", "", ""},
		{"sums.go", "package p\n\n//go:build late\n\n", ""},
	} {
		text := c.heading + "package p\n"
		if c.heading != "" && c.heading[0] == 'p' {
			text = c.heading
		}
		f, err := parser.ParseFile(token.NewFileSet(), c.name, text, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if got := buildConstraint(c.name, f); got != c.want {
			t.Errorf("%s with %q: %q, want %q", c.name, c.heading, got, c.want)
		}
	}
}
