package load

import (
	"go/ast"
	"go/build"
	"go/build/constraint"
	"io"
	"path/filepath"
	"strings"
)

// buildConstraint returns the expression under which a file belongs to its package, "" for always: what its line
// //go:build says and what its name does, as in sums_linux_arm64.go.
func buildConstraint(name string, f *ast.File) string {
	all := constraintOfName(filepath.Base(name))
	for _, group := range f.Comments {
		if group.Pos() > f.Package {
			break
		}
		for _, c := range group.List {
			if !constraint.IsGoBuild(c.Text) {
				continue
			}
			if x, err := constraint.Parse(c.Text); err == nil {
				if all != nil {
					x = &constraint.AndExpr{X: all, Y: x}
				}
				all = x
			}
		}
	}
	if all == nil {
		return ""
	}
	return all.String()
}

// constraintOfName returns what the name of a file says of the operating systems and processors that it is for, nil
// for nothing.
func constraintOfName(base string) constraint.Expr {
	words := strings.Split(strings.TrimSuffix(base, ".go"), "_")
	last := len(words) - 1
	if last < 1 || !excludes(words[last], "") {
		return nil
	}
	var x constraint.Expr = &constraint.TagExpr{Tag: words[last]}
	if last > 1 && excludes(words[last-1], words[last]) {
		x = &constraint.AndExpr{X: &constraint.TagExpr{Tag: words[last-1]}, Y: x}
	}
	return x
}

// excludes reports whether a file is left out on other systems because of a word in its name, before arch if that is
// not empty. Package go/build knows the words.
func excludes(word, arch string) bool {
	ctx := build.Context{GOOS: "none", GOARCH: "none", Compiler: "gc", OpenFile: func(string) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader("package p\n")), nil
	}}
	name := "x_" + word + ".go"
	if arch != "" {
		ctx.GOARCH, name = arch, "x_"+word+"_"+arch+".go"
	}
	match, err := ctx.MatchFile("", name)
	return err == nil && !match
}
