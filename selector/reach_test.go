package selector

import (
	"slices"
	"testing"

	"github.com/surge-ndp/surge/selector/param"
)

// TestReach checks with one level what is counted: code for one thread and for several, with the vectors that there
// are, and the plainest code as deeply unrolled as the rules want it, but not what the rules never want.
func TestReach(t *testing.T) {
	code := func(schedule, policy string) Code {
		v := Variant{Computation: "K.1", Form: "nest", Schedule: schedule, Platform: Host}
		var err error
		if v.Policy, err = param.Parse(policy, 2); err != nil {
			t.Fatal(err)
		}
		return Code{Variant: v, Launch: []Launch{{Name: "num_threads"}}}
	}
	codes := []Code{
		code("cooperative", "execution_resource_1=pool,unroll_1=1"),
		code("cooperative", "execution_resource_1=pool+lane,vector_width_1=8,unroll_1=4"),
		code("cooperative", "execution_resource_1=lane,vector_width_1=4,unroll_1=1"),
		code("cooperative", "execution_resource_1=lane,vector_width_1=8,unroll_1=1"),
		code("sequential", "unroll_1=4"),
		code("sequential", "unroll_1=1"),
	}
	in := Input{Computation: "K.1", Platform: Host, Features: []Feature{{Name: Length}}, Costs: []LevelCost{{Operations: 3, Scalarised: []float64{0}}}, Codes: codes}
	for i, want := range []bool{false, true, false, true, true, false} {
		if n := Reach(in)[i]; (n > 0) != want {
			t.Errorf("%s is chosen for %d inputs", codes[i].Variant, n)
		}
	}
	in.Codes = codes[:2]
	if got := Reach(in); got[1] == 0 {
		t.Errorf("%v inputs: the plainest code is missing", got)
	}
	if got := Reach(Input{}); len(got) != 0 {
		t.Errorf("without codes: %v", got)
	}
}

// TestGrid checks that inputs of each length come with rows of each length that they may have, however many features
// there are besides.
func TestGrid(t *testing.T) {
	pairs := map[[2]float64]bool{}
	for _, length := range reachedLengths {
		for _, row := range reachedRows {
			if max(length, 1)*max(row, 1) <= reachedElements {
				pairs[[2]float64{length, row}] = true
			}
		}
	}
	for _, more := range [][]Feature{nil, {{Name: ElementRowLength}}, {{Name: Bins}, {Name: LoopOperations}}} {
		asked, most := map[[2]float64]bool{}, 0.0
		grid(append([]Feature{{Name: Length}, {Name: AverageRowLength}}, more...), func(features []Feature, cores float64) {
			pair := [2]float64{features[0].Value, features[1].Value}
			if !pairs[pair] {
				t.Errorf("%v has too many elements", features)
			}
			asked[pair], most = true, max(most, cores)
		})
		if len(asked) != len(pairs) || most != slices.Max(reachedCores) {
			t.Errorf("with %d more features %d of %d shapes are asked about, on %g cores at most", len(more), len(asked), len(pairs), most)
		}
	}
}

// TestUnrolls checks which codes differ in how many elements they take at a time alone.
func TestUnrolls(t *testing.T) {
	code := func(schedule, policy string) *Code {
		v := Variant{Computation: "K.1", Form: "nest", Schedule: schedule, Platform: Host}
		var err error
		if v.Policy, err = param.Parse(policy, 2); err != nil {
			t.Fatal(err)
		}
		return &Code{Variant: v}
	}
	one := code("sequential", "tile_1=1,unroll_1=1")
	for _, c := range []struct {
		other *Code
		want  bool
	}{
		{one, true}, {code("sequential", "tile_1=1,unroll_1=4"), true}, {code("sequential", "tile_1=2,unroll_1=1"), false},
		{code("independent", "tile_1=1,unroll_1=1"), false}, {code("sequential", "unroll_1=1"), false},
	} {
		if got := one.Unrolls(c.other); got != c.want {
			t.Errorf("%s and %s: %t", one.Variant, c.other.Variant, got)
		}
	}
}
