package fuse_test

import (
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/load"
)

// constructs are the kernels of the construct corpus, which take seconds to load.
var constructs = sync.OnceValues(func() (*load.Package, error) {
	return load.Load(context.Background(), "../../internal/constructs", load.Options{})
})

// construct compiles a kernel of the construct corpus.
func construct(t *testing.T, name string) *fuse.Kernel {
	t.Helper()
	pkg, err := constructs()
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(pkg.Kernels, func(k *load.Kernel) bool { return k.Name == name })
	if i < 0 {
		t.Fatalf("there is no construct %s", name)
	}
	k, err := fuse.Compile(pkg.Kernels[i].Func, nil)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// TestChecksFirst checks that what a kernel returns behind a check is what was computed, and no copy of it.
func TestChecksFirst(t *testing.T) {
	for name, want := range map[string]int{"Raised": 1, "Sampled": 1, "Envelope": 2} {
		if k := construct(t, name); len(k.Computations) != want {
			t.Errorf("%s: %d computations, want %d", name, len(k.Computations), want)
		}
	}
}
