package selector

import (
	"fmt"
	"testing"

	"github.com/surge-ndp/surge/selector/param"
)

// TestFewElements checks that elements are divided among threads without lanes where there are too few to fill a
// vector, and each is much work.
func TestFewElements(t *testing.T) {
	code := func(settings ...Setting) Code {
		return Code{Launch: []Launch{{Name: "num_threads"}}, Variant: Variant{Computation: "Heston.1", Form: "nest", Schedule: "independent", Platform: "goroutine", Policy: settings}}
	}
	codes := []Code{code(Setting{Name: "execution_resource_1", Value: "pool+lane"}, Setting{Name: "vector_width_1", Value: "8"}, Setting{Name: "unroll_1", Value: "1"}),
		code(Setting{Name: "execution_resource_1", Value: "pool"}, Setting{Name: "unroll_1", Value: "1"})}
	for elements, want := range map[float64]string{2: "2 pool", 3: "1 pool+lane", 8: "1 pool+lane", 15: "1 pool+lane", 16: "2 pool+lane"} {
		choices, err := Untrained{}.Rank(Input{Cores: 2, Codes: codes, Costs: []LevelCost{{Operations: 1e8, Runs: 1, Scalarised: []float64{0}}},
			Features: []Feature{{Name: Length, Value: elements}}})
		if err != nil {
			t.Fatal(err)
		}
		p := choices[0].Variant.Policy
		if got := fmt.Sprintf("%d %s", param.NumThreads.Or(p, 0, 0), param.ExecutionResource.At(p, 1)); got != want {
			t.Errorf("%g elements: %s, %s; want %s", elements, got, choices[0].Reason, want)
		}
	}
}
