package selector

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/selector/param"
)

// TestAnyFeatures chooses and estimates for features that no input has: nothing panics, and always there is a choice,
// whose reason is text.
func TestAnyFeatures(t *testing.T) {
	code := func(schedule, policy string, launch ...Launch) Code {
		v := Variant{Computation: "Step.4", Form: "nest", Schedule: schedule, Platform: "goroutine"}
		var err error
		if v.Policy, err = param.Parse(policy, 1); err != nil {
			t.Fatal(err)
		}
		return Code{Variant: v, Launch: launch}
	}
	const lanes = "execution_resource_2=lane,vector_width_2=8,unroll_2=4"
	codes := []Code{
		code("cooperative>cooperative", "execution_resource_1=pool,"+lanes, Launch{Name: "num_threads", Values: nil}, Launch{Name: "omp_schedule_1", Values: []string{"static"}},
			Launch{Name: "chunk_size_1", Values: []string{"0"}}, Launch{Name: "shared_chunk_1", Values: []string{"0", "256", "1024"}}),
		code("independent>sequential", "execution_resource_1=lane,vector_width_1=4,unroll_1=1"),
		code("sequential>cooperative", "unroll_1=1,"+lanes),
		code("sequential>sequential", "unroll_1=1,unroll_2=1"),
	}
	costs := func(x float64) []LevelCost {
		return []LevelCost{{Operations: x, Runs: 1, Scalarised: []float64{0, x}, Guessed: x / 2}, {Operations: 3, Runs: x, Scalarised: []float64{1, 0}}}
	}
	values := []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, -1, -1e300, 1e-300, 1, 1e6, math.MaxFloat64, math.MaxInt64}
	for _, length := range values {
		for _, ratio := range values {
			for _, average := range values {
				for _, c := range [][]LevelCost{nil, costs(4), costs(average)} {
					in := Input{Cores: 2, Threads: 2, Codes: codes, Costs: c, Features: []Feature{{Name: Length, Value: length}, {Name: AspectRatio, Value: ratio},
						{Name: AverageRowLength, Value: average}, {Name: InnerRowLength, Value: ratio}}}
					what := fmt.Sprintf("length %g, aspect ratio %g, rows of %g, costs %v", length, ratio, average, c)
					in.Estimate()
					choices, err := Untrained{}.Rank(in)
					if err != nil || len(choices) == 0 {
						t.Fatalf("%s: %v, %v", what, choices, err)
					}
					if reason := choices[0].Reason; strings.Contains(reason, "%!") {
						t.Errorf("%s: %s", what, reason)
					}
					if shared := param.SharedChunk.Or(choices[0].Variant.Policy, 1, 0); shared < 0 || param.NumThreads.Or(choices[0].Variant.Policy, 0, 1) < 1 {
						t.Errorf("%s: %s", what, choices[0].Variant)
					}
				}
			}
		}
	}
}
