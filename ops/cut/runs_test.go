package cut_test

import (
	"slices"
	"testing"

	"github.com/surge-ndp/surge/ops/cut"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/load"
)

// TestRuns checks that ReduceByKey needs no worker that has all elements, whether keys are parameters, computed, or
// sorted: all parameters are cut, nothing is listed of all blocks but a few values of each, and nothing runs alone.
// That results are right, TestKernels checks.
func TestRuns(t *testing.T) {
	for dir, names := range map[string][]string{
		"testdata/scans":               {"Grouped", "Means", "Longest", "Pairs", "Within"},
		"../../codegen/internal/keyed": {"Runs", "RunMax", "FloatRuns"},
		"../../internal/corpus":        {"Balances"},
	} {
		pkg, err := load.Load(t.Context(), dir, load.Options{Whole: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, src := range pkg.Kernels {
			if !slices.Contains(names, src.Name) {
				continue
			}
			names = slices.DeleteFunc(names, func(n string) bool { return n == src.Name })
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
			for i, s := range plan.Stages {
				for k, p := range s.Partials {
					if s.Block == nil || s.Sort != nil && !s.Sort.Placed && k >= len(s.Partials)-2 {
						continue // samples
					}
					if v := s.Block.Func.Body.Results[len(s.Block.Out)+k]; p.Listed && v.Type().Rank > 0 {
						t.Errorf("%s: stage %d lists %s of all blocks", src.Name, i+1, v)
					}
				}
			}
		}
		if len(names) > 0 {
			t.Errorf("%s: there is no %v", dir, names)
		}
	}
}
