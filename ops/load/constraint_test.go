package load

import (
	"context"
	"go/parser"
	"go/token"
	"os"
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

// TestUsedConstraints gives kernels constants, functions, types and tables of files that belong to some builds only,
// also by way of others, and wants what is generated for the file of a kernel to belong to these builds.
func TestUsedConstraints(t *testing.T) {
	kernel := func(name, expr string) string {
		return "// Package p is a test.\npackage p\n\n// " + name + " is a kernel.\n//\n//surge:kernel\nfunc " + name +
			"(x []float64) []float64 {\n\tz := make([]float64, len(x))\n\tfor i := range x {\n\t\tz[i] = x[i] * " + expr + "\n\t}\n\treturn z\n}\n"
	}
	dir := module(t, map[string]string{
		"a.go":              kernel("A", "factor"),
		"b.go":              kernel("B", "float64(between())"),
		"c.go":              kernel("C", "table[1]"),
		"d.go":              kernel("D", "T{2}.scale()"),
		"e.go":              kernel("E", "2"),
		"f.go":              "//go:build !never\n\n" + kernel("F", "sized"),
		"g.go":              kernel("G", "named[int(x[i])]"),
		"plain.go":          "package p\n\nfunc between() int { return second }\n\nvar table = [...]float64{1, factor}\n",
		"special.go":        "//go:build !special\n\npackage p\n\nconst factor = 2\n\nconst (\n\tfirst = iota\n\tsecond\n)\n\ntype T struct{ v float64 }\n",
		"method.go":         "//go:build !other\n\npackage p\n\nfunc (t T) scale() float64 { return t.v }\n\nvar named = map[int]float64{1: 2}\n",
		"sized_amd64.go":    "package p\n\nconst sized = 8\n",
		"sized_arm64.go":    "package p\n\nconst sized = 4\n",
		"never_used.go":     "//go:build !unrelated\n\npackage p\n\nconst unrelated = 1\n",
		"other_special.go":  "//go:build special\n\npackage p\n\nconst factor = 3\n",
		"another_method.go": "//go:build other\n\npackage p\n\nfunc (t T) scale() float64 { return -t.v }\n",
	})
	p, err := Load(context.Background(), dir, Options{Env: append(os.Environ(), "GOARCH=amd64")})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"A": "!special", "B": "!special", "C": "!special", "D": "!other && !special", "E": "", "G": "!other", "F": "!never && amd64"}
	for _, k := range p.Kernels {
		if k.Constraint != want[k.Name] {
			t.Errorf("%s belongs to %q, want %q", k.Name, k.Constraint, want[k.Name])
		}
	}
	if len(p.Kernels) != len(want) {
		t.Errorf("%d kernels, want %d", len(p.Kernels), len(want))
	}
}
