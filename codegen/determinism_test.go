package codegen

import (
	"bytes"
	"context"
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"github.com/surge-ndp/surge/ops/load"
)

// generated compiles the package in dir and returns the files made of it, by name.
func generated(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	pkg, err := load.Load(context.Background(), dir, load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := Compile(pkg, Options{Machine: PortableMachine(), Platforms: []string{"goroutine"}})
	if err != nil {
		t.Fatal(err)
	}
	files, err := p.Generated()
	if err != nil {
		t.Fatal(err)
	}
	name, src, err := p.Harness()
	if err != nil {
		t.Fatal(err)
	}
	files[name] = src
	for i := range p.Kernels {
		files[p.Kernels[i].Source.Name+" hash"] = []byte(p.Kernels[i].Hash)
	}
	return files
}

// TestDeterministic checks that the same source gives the same bytes again, and also when compiled from another working
// directory: what is generated is kept in repositories, and models and caches name kernels by a hash.
func TestDeterministic(t *testing.T) {
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	for i, dir := range []string{"testdata/operators", "internal/keyed", "../examples/kmeans"} {
		if testing.Short() && i < 2 {
			continue
		}
		t.Run(filepath.Base(dir), func(t *testing.T) {
			first := generated(t, dir)
			same := func(what string, other map[string][]byte) {
				t.Helper()
				names := slices.Sorted(maps.Keys(first))
				if got := slices.Sorted(maps.Keys(other)); !slices.Equal(got, names) {
					t.Fatalf("%s: files %v, want %v", what, got, names)
				}
				for _, name := range names {
					if !bytes.Equal(first[name], other[name]) {
						t.Errorf("%s: %s differs: %s", what, name, difference(first[name], other[name]))
					}
				}
			}
			same("compiled again", generated(t, dir))
			full := filepath.Join(here, dir)
			t.Chdir(t.TempDir())
			same("from elsewhere", generated(t, full))
			t.Chdir(full)
			same("from its own directory", generated(t, "."))
		})
	}
}

// difference is the first line that differs.
func difference(a, b []byte) string {
	x, y := bytes.Split(a, []byte("\n")), bytes.Split(b, []byte("\n"))
	for i := range min(len(x), len(y)) {
		if !bytes.Equal(x[i], y[i]) {
			return string(x[i]) + "\n\tor " + string(y[i])
		}
	}
	return "one ends before the other"
}
