package selector

import (
	"testing"

	"github.com/surge-ndp/surge/selector/param"
)

// TestInForm checks that a form with one level more than the nest knows how long the nest's rows are, unless a feature
// of its own says so, and that one of as many levels does not.
func TestInForm(t *testing.T) {
	costs := func(levels int) []LevelCost { return make([]LevelCost, levels) }
	nest := Input{Costs: costs(2), Forms: []Form{{Name: "deeper", Costs: costs(3)}, {Name: "told", Costs: costs(3)}, {Name: "other", Costs: costs(2)}},
		Features: []Feature{{Name: AverageRowLength, Value: 7}, {Name: FormFeature("told", InnerRowLength), Value: 5}}}
	for name, want := range map[string]float64{"deeper": 7, "told": 5, "other": 0} {
		in := nest.inForm(name, "")
		if got, _ := in.Feature(InnerRowLength); got != want {
			t.Errorf("%s: rows of %g inside, want %g", name, got, want)
		}
	}
	nest.Costs, nest.Features = costs(3), []Feature{{Name: AverageRowLength, Value: 7}, {Name: InnerRowLength, Value: 9}}
	nest.Forms[0].Costs = costs(4)
	in := nest.inForm("deeper", "")
	if got, _ := in.Feature(InnerRowLength); got != 9 {
		t.Errorf("rows of %g in three levels inside, want 9", got)
	}
}

// TestElementsOrTurns checks that elements that fill vectors are on lanes where a form has them, whatever the estimates
// are, and else the turns of their loops, each beside the form that it was made of.
func TestElementsOrTurns(t *testing.T) {
	code := func(form, schedule, policy string) Code {
		v := Variant{Computation: "Windows.1", Form: form, Schedule: schedule, Platform: "goroutine"}
		var err error
		if v.Policy, err = param.Parse(policy, 1); err != nil {
			t.Fatal(err)
		}
		return Code{Variant: v}
	}
	plain := code(Nest, "independent", "execution_resource_1=pool,unroll_1=1")
	onLanes := code(Nest, "independent", "execution_resource_1=lane,vector_width_1=8,unroll_1=1")
	turns := code("strips", "independent>independent", "execution_resource_1=pool,execution_resource_2=lane,vector_width_2=8,unroll_2=1")
	rows := code("rows", "independent>independent", "execution_resource_1=pool,execution_resource_2=lane,vector_width_2=8,unroll_2=1")
	ofRows := code("rows+strips", "independent>independent>independent", "execution_resource_1=pool,execution_resource_3=lane,vector_width_3=8,unroll_3=1")
	costs := func(levels int) (all []LevelCost) {
		for range levels {
			all = append(all, LevelCost{Operations: 100, Runs: 1, Scalarised: make([]float64, levels), Masked: make([]float64, levels)})
		}
		return all
	}
	for _, c := range []struct {
		name     string
		codes    []Code
		elements float64
		want     string
	}{
		{"one element", []Code{plain, onLanes, turns}, 1, "strips"},
		{"fewer than a vector", []Code{plain, onLanes, turns}, 7, "strips"},
		{"a vector", []Code{plain, onLanes, turns}, 8, Nest},
		{"many", []Code{plain, onLanes, turns}, 1e6, Nest},
		{"many, but no code for them", []Code{plain, turns}, 1e6, "strips"},
		{"of another form", []Code{rows, ofRows}, 1e6, "rows"},
	} {
		in := Input{Cores: 2, Codes: c.codes, Costs: costs(1), Forms: []Form{{Name: "strips", Costs: costs(2)},
			{Name: "rows", Costs: costs(2)}, {Name: "rows+strips", Costs: costs(3)}},
			Features: []Feature{{Name: Length, Value: c.elements}, {Name: FormFeature("strips", Length), Value: c.elements},
				{Name: FormFeature("rows", Length), Value: 3}, {Name: FormFeature("rows+strips", Length), Value: 3}}}
		if form, why := in.leastForm(); form != c.want {
			t.Errorf("%s: %s (%s), want %s", c.name, form, why, c.want)
		}
	}
}
