package cut_test

import (
	"testing"

	"github.com/surge-ndp/surge/ops/cut"
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
		distributed(t, dir, names, func(name string, plan *cut.Plan) {
			for i, s := range plan.Stages {
				for k, p := range s.Partials {
					if s.Block == nil || s.Sort != nil && !s.Sort.Placed && k >= len(s.Partials)-2 {
						continue // samples
					}
					if v := s.Block.Func.Body.Results[len(s.Block.Out)+k]; p.Listed && v.Type().Rank > 0 {
						t.Errorf("%s: stage %d lists %s of all blocks", name, i+1, v)
					}
				}
			}
		})
	}
}
