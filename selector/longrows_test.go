package selector

import (
	"testing"

	"github.com/surge-ndp/surge/selector/param"
)

// Workers that share a long row take lanes where these save operations, a routine for whole rows where there is one,
// and else element by element, as deeply unrolled as results want that wait for each other.
func TestLanesOfLongRows(t *testing.T) {
	code := func(schedule, policy string) Code {
		v := Variant{Computation: "K.1", Form: "nest", Schedule: schedule, Platform: "goroutine"}
		var err error
		if v.Policy, err = param.Parse(policy, 1); err != nil {
			t.Fatal(err)
		}
		return Code{Variant: v}
	}
	lanes := code("sequential>cooperative", "unroll_1=1,execution_resource_2=pool+lane,vector_width_2=8,unroll_2=1")
	row := code("sequential>cooperative", "unroll_1=1,execution_resource_2=pool+lane,gather_algo_2=row")
	deep := code("sequential>cooperative", "unroll_1=1,execution_resource_2=pool,unroll_2=4")
	one := code("sequential>cooperative", "unroll_1=1,execution_resource_2=pool,unroll_2=1")
	apart := code("sequential>independent", "unroll_1=1,execution_resource_2=pool,unroll_2=1")
	apartDeep := code("sequential>independent", "unroll_1=1,execution_resource_2=pool,unroll_2=4")
	rows := code("independent>sequential", "execution_resource_1=pool,unroll_2=1")
	last := code("sequential>sequential", "unroll_1=1,unroll_2=1")
	costs := func(scalarised float64) []LevelCost {
		return []LevelCost{{Operations: 1, Runs: 1, Scalarised: []float64{0, 0}}, {Operations: 20, Runs: 1, Scalarised: []float64{0, scalarised}}}
	}
	for _, c := range []struct {
		name  string
		costs []LevelCost
		codes []Code
		want  Code
	}{
		{"arithmetic", costs(0), []Code{rows, lanes, deep, one, last}, lanes},
		{"tables that lanes read one by one", costs(10), []Code{rows, lanes, one, deep, last}, deep},
		{"the same, without a sum", costs(10), []Code{rows, lanes, apartDeep, apart, last}, apart},
		{"a routine", costs(10), []Code{rows, lanes, row, deep, last}, row},
	} {
		choices, err := Untrained{}.Rank(Input{Computation: "K.1", Cores: 4, Costs: c.costs, Codes: c.codes,
			Features: []Feature{{Name: Length, Value: 3}, {Name: AspectRatio, Value: 3 / 1e6}}})
		if err != nil || !c.codes[choices[0].Code].Variant.Equal(c.want.Variant) {
			t.Errorf("%s: %v, %v; want %s", c.name, choices, err, c.want.Variant)
		}
	}
}
