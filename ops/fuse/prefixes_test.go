package fuse_test

import (
	"testing"

	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/load"
)

// TestPrefixes finds out which loops become Scans; that these mean the same is what the tests of package cut check.
func TestPrefixes(t *testing.T) {
	want := map[string]int{"Sums": 1, "Offsets": 1, "Written": 1, "Most": 1, "Several": 1, "Bits": 1, "Reads": 0, "Running": 0, "Turns": 0}
	for _, dir := range []string{"../cut/testdata/scans", "../cut/testdata/loops"} {
		pkg, err := load.Load(t.Context(), dir, load.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, src := range pkg.Kernels {
			scans, ok := want[src.Name]
			if !ok {
				continue
			}
			delete(want, src.Name)
			k, err := fuse.Compile(src.Func, nil)
			if err != nil {
				t.Fatal(err)
			}
			before := k.Func.String()
			f := fuse.Prefixes(k.Func)
			if err := ir.Verify(f); err != nil {
				t.Errorf("%v\n%s", err, f)
			}
			if k.Func.String() != before {
				t.Errorf("%s: the function itself has changed", src.Name)
			}
			got := 0
			for _, s := range f.Body.Stmts {
				if _, ok := s.Op.(*ir.Scan); ok {
					got++
				}
			}
			if got != scans || (f == k.Func) != (scans == 0) {
				t.Errorf("%s: %d scans, want %d\n%s", src.Name, got, scans, f)
			}
		}
	}
	if len(want) > 0 {
		t.Errorf("there are no kernels %v", want)
	}
}
