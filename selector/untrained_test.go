package selector

import "testing"

// TestStrided checks which level gets the lanes where the rows' elements lie at a distance from each other.
func TestStrided(t *testing.T) {
	code := func(schedule, policy string) Code {
		v := Variant{Computation: "SumCols.1", Form: "nest", Schedule: schedule, Platform: "goroutine"}
		var err error
		if v.Policy, err = parseSettings(policy, 1); err != nil {
			t.Fatal(err)
		}
		return Code{Variant: v}
	}
	codes := []Code{
		code("sequential>cooperative", "unroll_1=1,execution_resource_2=lane,vector_width_2=8,unroll_2=4"),
		code("independent>sequential", "execution_resource_1=lane,vector_width_1=8,unroll_2=1"),
		code("sequential>sequential", "unroll_1=1,unroll_2=4"),
		code("sequential>sequential", "unroll_1=1,unroll_2=1"),
	}
	for _, c := range []struct {
		name          string
		strided       int
		codes         []Code
		width, height float64
		want          Code
	}{
		{"rows side by side", 0, codes, 1000, 1000, codes[0]},
		{"columns", 2, codes, 1000, 1000, codes[1]},
		{"another level", 1, codes, 1000, 1000, codes[0]},
	} {
		choices, err := Untrained{}.Select(Input{Cores: 1, Strided: c.strided, Codes: c.codes,
			Features: []Feature{{Name: Length, Value: c.height}, {Name: AspectRatio, Value: c.height / c.width}}})
		if err != nil || choices[0].Variant.String() != c.want.Variant.String() {
			t.Errorf("%s: %v, %v; want %s", c.name, choices, err, c.want.Variant)
		}
	}
}
