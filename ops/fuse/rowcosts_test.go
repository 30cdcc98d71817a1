package fuse_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/load"
)

// TestCostsOfRows checks what rows of nested sequences cost that may be packed, and loops beside those over them.
func TestCostsOfRows(t *testing.T) {
	pkg, err := load.Load(t.Context(), "testdata/rowcosts", load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range pkg.Kernels {
		f, err := fuse.Compile(k.Func, nil)
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, c := range f.Computations[len(f.Computations)-1].Costs() {
			all = append(all, fmt.Sprintf("{%.3g %g %.3g %.3g}", c.Operations, c.Runs, c.Scalarised, c.Guessed))
		}
		if got := fmt.Sprintf("Costs: %v", all); !strings.HasSuffix(strings.TrimSpace(k.Doc), got) {
			t.Errorf("%s: %s\n%s", k.Name, got, f.Func)
		}
	}
}
