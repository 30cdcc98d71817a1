package training

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestExplain(t *testing.T) {
	sources := t.TempDir()
	b := &builder{dir: t.TempDir(), tools: &toolchain{}, cache: &cache{dir: t.TempDir()}}
	for output, want := range map[string]Error{
		"k_surge.go:7:2: no required module provides package github.com/surge-ndp/surge/codegen/exec; to add it:\n\tgo get …":                                                 {Code: CodeDependency},
		"k_surge.go:7:2: missing go.sum entry for module providing package github.com/surge-ndp/surge/codegen/exec":                                                           {Code: CodeDependency},
		"k_surge.go:9:2: module github.com/surge-ndp/surge@latest found (v0.1.0), but does not contain package github.com/surge-ndp/surge/codegen/exec":                       {Code: CodeDependency},
		"k_surge.go:9:2: module github.com/surge-ndp/surge provides package github.com/surge-ndp/surge/codegen/exec and is replaced but not required; to add it:\n\tgo get …": {Code: CodeDependency},
		"go: updates to go.mod needed; to update it:\n\tgo mod tidy":                                                                                                          {Code: CodeDependency},
		"# example.com/user\n./k.go:3:1: undefined: x":                                                                                                                        {Code: CodeBuild},
		"/usr/local/go/pkg/tool/linux_amd64/link: mapping output file failed: file too large":                                                                                 {Code: CodeCache},
		"go build example.com/user/surgeharness: copying /tmp/go-build1/b001/exe/a.out to /c/harness: write /c/harness: no space left on device":                              {Code: CodeCache},
	} {
		var e *Error
		if !errors.As(b.explain(&commandError{output}, sources), &e) || e.Code != want.Code || e.Bug != want.Bug || e.Do == "" || e.Output != output {
			t.Errorf("%s:\n%v", output, e)
		}
	}
	var vendored *Error
	if errors.As(b.explain(&commandError{"k_surge.go:9:2: cannot find module providing package github.com/surge-ndp/surge/codegen/exec: import lookup disabled by -mod=vendor"}, sources), &vendored); vendored == nil || !strings.Contains(vendored.Do, "go mod vendor") {
		t.Errorf("vendored: %v", vendored)
	}
	var missing *Error
	if errors.As(b.explain(&commandError{"k_surge.go:7:2: no required module provides package github.com/surge-ndp/surge/codegen/exec"}, sources), &missing); missing == nil || !strings.Contains(missing.Do, "go get -tool ") {
		t.Errorf("missing: %v", missing)
	}
	var incomplete *Error
	if errors.As(b.explain(&commandError{"go: updates to go.mod needed; to update it:\n\tgo mod tidy"}, sources), &incomplete); incomplete == nil || !strings.Contains(incomplete.Do, "go mod edit -tool=") || !strings.Contains(incomplete.Do, "go mod tidy") {
		t.Errorf("incomplete: %v", incomplete)
	}
	if other := errors.New("x"); b.explain(other, sources) != other {
		t.Error("an error that is no go command's is changed")
	}
}

// TestRefused checks that what the Go compiler refuses in generated files is surge's mistake, and is kept for a report
// together with the source.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	for _, sources := range []string{t.TempDir(), filepath.Join(dir, "cache", "src")} { // the go command shortens the latter
		b := &builder{dir: dir, tools: &toolchain{settings: map[string]string{"GOVERSION": "go1.99"}}, cache: &cache{dir: t.TempDir()}}
		for name, text := range map[string]string{filepath.Join(sources, "k_surge.go"): "wrong", filepath.Join(sources, "surgeharness", "main.go"): "main",
			filepath.Join(dir, "k.go"): "kernel", filepath.Join(dir, "k_surge.go"): "old"} {
			if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		shown := sources
		if rel, err := filepath.Rel(dir, sources); err == nil && filepath.IsLocal(rel) {
			shown = rel
		}
		err := b.explain(&commandError{"# example.com/user\n" + filepath.Join(shown, "k_surge.go") + ":3:2: declared and not used: f"}, sources)
		var e *Error
		if !errors.As(err, &e) || !e.Bug || e.Code != CodeBuild {
			t.Fatal(err)
		}
		kept := b.cache.refused()
		for name, want := range map[string]string{"k_surge.go": "wrong", "k.go": "kernel", filepath.Join("surgeharness", "main.go"): "main", "refused.txt": "go1.99"} {
			text, err := os.ReadFile(filepath.Join(kept, name))
			if err != nil || !strings.Contains(string(text), want) {
				t.Errorf("%s: %v: %q, without %s", name, err, text, want)
			}
		}
		if at := filepath.Join(kept, "k_surge.go") + ":3:2"; !strings.Contains(e.Do, kept) || !strings.Contains(e.Output, at) {
			t.Errorf("it does not name %s:\n%v", at, e)
		}
	}
}

// A package that a symbolic link in a module leads to is one of that module, as for the go command in a shell.
func TestLinkedPackage(t *testing.T) {
	module, elsewhere := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{filepath.Join(module, "go.mod"): "module example.com/user\n\ngo 1.26.0\n", filepath.Join(elsewhere, "p.go"): "package p\n"} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(module, "linked")
	if err := os.Symlink(elsewhere, link); err != nil {
		t.Skip(err)
	}
	tools, err := newToolchain(t.Context(), link, false)
	if err != nil {
		t.Fatal(err)
	}
	if out, err := tools.run(t.Context(), "list", "."); err != nil || string(out) != "example.com/user/linked\n" {
		t.Errorf("%q, %v", out, err)
	}
}

// TestToolchainFails has the code and the remedy of a go command that does not work.
func TestToolchainFails(t *testing.T) {
	t.Setenv("GOEXPERIMENT", "bogus")
	_, err := newToolchain(t.Context(), t.TempDir(), false)
	var of *Error
	if !errors.As(err, &of) || of.Code != CodeToolchain || of.Do == "" || !strings.Contains(of.What, "bogus") {
		t.Error(err)
	}
}
