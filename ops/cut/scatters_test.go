package cut_test

import (
	"testing"

	"github.com/surge-ndp/surge/ops/cut"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/load"
)

// distributed divides kernels of a package, calls check with each, and reports where a worker needs all of an argument
// or runs something alone.
func distributed(t *testing.T, dir string, names []string, check func(name string, plan *cut.Plan)) {
	t.Helper()
	missing := map[string]bool{}
	for _, name := range names {
		missing[name] = true
	}
	pkg, err := load.Load(t.Context(), dir, load.Options{Whole: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, src := range pkg.Kernels {
		if !missing[src.Name] {
			continue
		}
		delete(missing, src.Name)
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
		check(src.Name, plan)
	}
	if len(missing) > 0 {
		t.Errorf("%s: there is no %v", dir, missing)
	}
}

// TestScatters checks that Scatter needs no worker that has all elements: all parameters are cut, blocks yield nothing
// that is put together, and nothing runs alone. That results are right, TestKernels checks.
func TestScatters(t *testing.T) {
	names := []string{"Inverse", "Shifted", "Routes", "Left", "Routed"}
	distributed(t, "testdata/scans", names, func(name string, plan *cut.Plan) {
		sparse := 0
		for i, s := range plan.Stages {
			if s.Sort != nil && s.Sort.Sparse {
				sparse++
			}
			for k := range s.Partials {
				if v := s.Block.Func.Body.Results[len(s.Block.Out)+k]; v.Type().Rank > 0 {
					t.Errorf("%s: stage %d puts %s of all blocks together", name, i+1, v)
				}
			}
		}
		if sparse == 0 {
			t.Errorf("%s: no elements go to places", name)
		}
	})
}
