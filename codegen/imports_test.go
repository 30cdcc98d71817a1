package codegen

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestImported checks that a package is imported where its name stands before a dot and nothing else has that name, and
// that neither comments, strings, fields nor variables count.
func TestImported(t *testing.T) {
	packages := map[string]string{"math": "", "math/bits": "", "example.org/a/rt": "", "example.org/tables": "lookup"}
	for _, c := range []struct {
		body string
		want []string
	}{
		{"func f(x float64) float64 { return math.Sqrt(x) }", []string{"math"}},
		{"func f(x uint) int { return bits.Len(x) }", []string{"math/bits"}},
		{"var x = rt.New(lookup.Sines)", []string{"example.org/a/rt", "example.org/tables"}},
		{"func f(v rt.Slice) lookup.Table { return nil }", []string{"example.org/a/rt", "example.org/tables"}},
		{"// math.Sqrt, bits.Len\nvar x = \"math.Pi\"", nil},
		{"type s struct{ math, rt t }\n\nfunc f(a s) { a.math.x(a.rt.y) }", nil},
		{"func f(math t) { math.x() }", nil},
		{"func f() { bits := g(); bits.x() }", nil},
		{"func f() { math := math.Pi; _ = math }", []string{"math"}},
		{"var tables = t.x", nil},
	} {
		got, err := Imported(packages, c.body)
		if err != nil {
			t.Fatal(err)
		}
		if paths := slices.Sorted(maps.Keys(got)); !slices.Equal(paths, c.want) {
			t.Errorf("%s\nimports %v, want %v", c.body, paths, c.want)
		}
		for path, name := range got {
			if name != packages[path] {
				t.Errorf("%s is imported as %q", path, name)
			}
		}
	}
	if _, err := Imported(packages, "func {"); err == nil {
		t.Error("what is no Go was read")
	}
}

// TestNotGo checks that a text that does not parse is told by its line, not by the whole of it.
func TestNotGo(t *testing.T) {
	_, err := Imported(nil, "func f() {\n\tx := \n}\n\nfunc g() {}")
	var e *NotGoError
	if !errors.As(err, &e) || e.Line != "x :=" && e.Line != "}" || strings.Contains(err.Error(), "func g") {
		t.Errorf("the error is %v", err)
	}
}
