package cut_test

import (
	"testing"

	"github.com/surge-ndp/surge/ops/cut"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/load"
)

// TestScatters checks that Scatter needs no worker that has all elements: all parameters are cut, blocks yield nothing
// that is put together, and nothing runs alone. That results are right, TestKernels checks.
func TestScatters(t *testing.T) {
	want := map[string]bool{"Inverse": true, "Shifted": true, "Routes": true, "Left": true, "Routed": true}
	pkg, err := load.Load(t.Context(), "testdata/scans", load.Options{Whole: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, src := range pkg.Kernels {
		if !want[src.Name] {
			continue
		}
		delete(want, src.Name)
		k, err := fuse.Compile(src.Func, nil)
		if err != nil {
			t.Fatal(err)
		}
		plan, err := cut.Divide(fuse.Prefixes(k.Func))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range plan.Params {
			if p.Var.T.Rank > 0 && !p.Cut {
				t.Errorf("%s: all of %s goes to every worker: %s", src.Name, p.Var.Name, p.Why)
			}
		}
		if len(plan.Alone) > 0 {
			t.Errorf("%s: one worker runs %v", src.Name, plan.Alone)
		}
		sparse := 0
		for i, s := range plan.Stages {
			if s.Sort != nil && s.Sort.Sparse {
				sparse++
			}
			for k := range s.Partials {
				if v := s.Block.Func.Body.Results[len(s.Block.Out)+k]; v.Type().Rank > 0 {
					t.Errorf("%s: stage %d puts %s of all blocks together", src.Name, i+1, v)
				}
			}
		}
		if sparse == 0 {
			t.Errorf("%s: no elements go to places", src.Name)
		}
	}
	if len(want) > 0 {
		t.Errorf("there is no %v", want)
	}
}
