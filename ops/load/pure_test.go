package load

import (
	"context"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestImpure loads functions that must not be called as they stand: each is refused, for the reason in its comment.
func TestImpure(t *testing.T) {
	dir := filepath.Join("testdata", "impure")
	_, err := Load(context.Background(), dir, Options{})
	var found Diagnostics
	if !errors.As(err, &found) {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, filepath.Join(dir, "impure.go"), nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Doc == nil || !strings.HasPrefix(fn.Doc.Text(), "want: ") {
			continue
		}
		n++
		want := strings.TrimSpace(strings.TrimPrefix(fn.Doc.Text(), "want: "))
		var whys []string
		for _, d := range found {
			if line := d.Pos.Line; fset.Position(fn.Pos()).Line <= line && line <= fset.Position(fn.End()).Line {
				whys = append(whys, d.Message+": "+d.Why)
			}
		}
		if len(whys) == 0 {
			t.Errorf("%s is called as it is, or compiled", fn.Name.Name)
		} else if !strings.Contains(strings.ToLower(strings.Join(whys, "\n")), strings.ToLower(want)) {
			t.Errorf("%s is refused for another reason than %q:\n%s", fn.Name.Name, want, strings.Join(whys, "\n"))
		}
	}
	if n < 40 {
		t.Errorf("%d functions", n)
	}
}

// TestEffects compares what functions do to their parameters with what their comments say.
func TestEffects(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "impure", "classes.go"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := programOf("classes.go", string(text)+"\nvar count int32\n", false)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, f := range p.funcs {
		if f.unit != p.root || f.decl.Doc == nil || !strings.HasPrefix(f.decl.Doc.Text(), "effect: ") {
			continue
		}
		n++
		want, got := effectLine(f.decl.Doc.Text()), "pure"
		if bad := p.pure().impure(f); bad != nil {
			got = bad.what
		}
		if !strings.Contains(got, want) || want == "pure" && got != want {
			t.Errorf("%s: it %s, want: %s", f.obj.Name(), got, want)
		}
	}
	if n < 45 {
		t.Errorf("%d functions", n)
	}
}

// effectLine is what a comment says of an effect, without what stands in parentheses.
func effectLine(doc string) string {
	text, _, _ := strings.Cut(strings.TrimPrefix(doc, "effect: "), " (")
	return strings.TrimSpace(text)
}
