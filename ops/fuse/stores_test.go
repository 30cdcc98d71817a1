package fuse_test

import (
	"testing"

	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/load"
)

// TestStores checks that loops that store constants or extremes at places that they read run in parallel, but not those
// that also ask for what is stored.
func TestStores(t *testing.T) {
	for name, inOrder := range map[string]int{"Present": 0, "Spans": 0, "Visited": 1} {
		pkg, err := load.Load(t.Context(), "../../internal/constructs", load.Options{Kernel: name})
		if err != nil {
			t.Fatal(err)
		}
		k, err := fuse.Compile(pkg.Kernels[0].Func, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(k.InOrder) != inOrder {
			t.Errorf("%s: %d loops run in order, want %d: %v", name, len(k.InOrder), inOrder, k.InOrder)
		}
	}
}
