package fuse_test

import (
	"testing"

	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/load"
)

// TestChecksFirst checks that what a kernel returns behind a check is what was computed, and no copy of it.
func TestChecksFirst(t *testing.T) {
	for name, want := range map[string]int{"Raised": 1, "Sampled": 1, "Envelope": 2} {
		pkg, err := load.Load(t.Context(), "../../internal/constructs", load.Options{Kernel: name})
		if err != nil {
			t.Fatal(err)
		}
		k, err := fuse.Compile(pkg.Kernels[0].Func, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(k.Computations) != want {
			t.Errorf("%s: %d computations, want %d", name, len(k.Computations), want)
		}
	}
}
