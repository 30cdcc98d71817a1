package fuse_test

import (
	"strings"
	"testing"

	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/load"
)

// TestRowSums checks which Maps leave sums in order to one of their own, by the sequences of what comes of a kernel.
func TestRowSums(t *testing.T) {
	pkg, err := load.Load(t.Context(), "testdata/rowsums", load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range pkg.Kernels {
		f, err := fuse.Compile(k.Func, nil)
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, c := range f.Computations {
			all = append(all, c.Sequence.String())
		}
		if got := "Sequences: " + strings.Join(all, "; "); !strings.HasSuffix(strings.TrimSpace(k.Doc), got) {
			t.Errorf("%s: %s\n%s", k.Name, got, f.Func)
		}
	}
}
