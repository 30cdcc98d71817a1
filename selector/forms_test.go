package selector

import "testing"

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
