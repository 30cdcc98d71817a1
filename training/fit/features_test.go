package fit

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// hidden is world with the row length known only by a feature that costs something, beside one that tells nothing.
func hidden(n int, seed uint64, cost float64) *Table {
	rng := rand.New(rand.NewPCG(seed, 9))
	t := world(n, seed)
	t.Features = append(t.Features, t.Features[1])
	t.Features[1].Name, t.Features[2].Name = "noise", "telling"
	for i := range t.Inputs {
		in := &t.Inputs[i]
		in.Features = []float64{in.Features[0], rng.Float64(), in.Features[1]}
		_, best := in.Best()
		in.Costs = []float64{0, 0, cost * best}
	}
	return t
}

// A feature is used if it is worth more than it costs, and what it costs is a part of the regret.
func TestLearnFromFeatures(t *testing.T) {
	sets := [][]string{{"length"}, {"length", "telling"}, {"length", "telling", "noise"}}
	for _, c := range []struct {
		cost float64
		used bool
	}{{0.001, true}, {0.3, false}} {
		j, err := Learn(hidden(60, 1, c.cost), hidden(80, 2, c.cost), sets, Options{OrSingle: true})
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, f := range j.Classifier.Features {
			names = append(names, f.Name)
		}
		if slices.Contains(names, "telling") != c.used || slices.Contains(names, "noise") || !slices.Contains(j.Rejected, "noise") {
			t.Errorf("cost %g: features %v, rejected %v", c.cost, names, j.Rejected)
		}
		model := j.Method(ByModel)
		if c.used && (model.Mean > 0.05 || math.Abs(j.Cost-c.cost) > 1e-9 || j.Regret(model, 0) < c.cost) {
			t.Errorf("cost %g: mean regret %.3f, cost %.4f", c.cost, model.Mean, j.Cost)
		}
		if !c.used && j.Cost != 0 {
			t.Errorf("a feature that is not used costs %g", j.Cost)
		}
	}
}

// Where choosing by features loses to always the same variant, that variant is the model: better than none.
func TestLearnTheSingleBest(t *testing.T) {
	same := func(n int, seed uint64) *Table {
		table := hidden(n, seed, 0.2)
		for i := range table.Inputs {
			in := &table.Inputs[i]
			in.Untrained, in.Costs[2] = 1, 0.2
			for v := range in.Times {
				in.Times[v] = 1 + 0.5*float64(v) // the first variant is the best everywhere
			}
		}
		return table
	}
	for _, test := range []*Table{same(40, 2), same(0, 2)} {
		j, err := Learn(same(40, 1), test, [][]string{{"length", "telling"}}, Options{OrSingle: true})
		if err != nil {
			t.Fatal(err)
		}
		if cl := j.Classifier; len(cl.Variants) != 1 || len(cl.Features) != 1 || cl.Features[0].Name != "length" || !slices.Equal(j.Rejected, []string{"noise", "telling"}) {
			t.Errorf("%d variants, by %v; rejected %v", len(cl.Variants), cl.Features, j.Rejected)
		}
		if model := j.Method(ByModel); model.Mean != 0 || j.Cost != 0 || j.Method(ByUntrained).Mean < 0.4 || Lost([]*Judgement{j}) != nil {
			t.Errorf("mean regret %g, cost %g, untrained %g, lost %v", model.Mean, j.Cost, j.Method(ByUntrained).Mean, Lost([]*Judgement{j}))
		}
	}
	// Features that were asked for are used, whatever they cost.
	if j, err := Learn(same(40, 1), same(40, 2), [][]string{{"length", "telling"}}, Options{}); err != nil || len(j.Classifier.Features) != 2 {
		t.Errorf("asked for: %v, %v", j.Classifier.Features, err)
	}
}

// A choice that was compared again counts by that, for every method, and the oracle knows it too.
func TestDuels(t *testing.T) {
	nan := math.NaN()
	train := single([]float64{1, 2, 3, 4}, []float64{1, 2, 5}, []float64{1, 2, 5}, []float64{1, 2, 5}, []float64{1, 2, 5})
	test := single([]float64{1.5, 2.5}, []float64{4, 1, 9}, []float64{1, 2, 9})
	test.Inputs[0].Duel = []float64{1.1, 1, nan}
	j, err := learn(train, test)
	if err != nil {
		t.Fatal(err)
	}
	model := j.Method(ByModel)
	if got := j.Regret(model, 0); math.Abs(got-0.1) > 1e-9 || math.Abs(model.Worst-0.1) > 1e-9 {
		t.Errorf("regret %g, worst %g", got, model.Worst)
	}
	if again := j.Repeated(); len(again) != 1 || again[0].Table != 3 || math.Abs(again[0].Duel-0.1) > 1e-9 {
		t.Errorf("repeated %+v", again)
	}
	if o := j.Method(ByOracle); o.Mean != 0 {
		t.Errorf("the oracle has regret %g", o.Mean)
	}
	if r, again := test.Inputs[0].Judged(2); again || r != 8 {
		t.Errorf("what was not in the duel: %g, %v", r, again)
	}
}

// The total weighs computations by their times.
func TestTotals(t *testing.T) {
	learn := func(name string, train, test *Table) *Judgement {
		t.Helper()
		for _, table := range []*Table{train, test} {
			table.Computation = name
			for v := range table.Variants {
				table.Variants[v].Computation = name
			}
		}
		j, err := learn(train, test)
		if err != nil {
			t.Fatal(err)
		}
		return j
	}
	// In the first, the model is wrong by 1 on a tenth of the time; in the second always right.
	first := learn("K.1", single([]float64{1, 2}, []float64{1, 2}, []float64{1, 2}), single([]float64{1, 2}, []float64{2, 1}, []float64{1, 2}))
	second := learn("K.2", single([]float64{1, 2}, []float64{9, 20}, []float64{9, 20}), single([]float64{1, 2}, []float64{9, 20}, []float64{9, 20}))
	choice := learn("K.0", single([]float64{1}, []float64{1, 2}), single([]float64{1}, []float64{1, 2}))
	other := learn("L.1", single([]float64{1}, []float64{1, 2}), single([]float64{1}, []float64{1, 2}))
	totals := Totals([]*Judgement{choice, first, second, other})
	if len(totals) != 1 || totals[0].Kernel != "K" || totals[0].Computations != 2 || totals[0].Inputs != 2 {
		t.Fatalf("%+v", totals)
	}
	model := totals[0].Methods[0]
	if math.Abs(model.Worst-0.1) > 1e-9 || math.Abs(model.Mean-0.05) > 1e-9 || model.Right != 1 || math.Abs(totals[0].Shares[1]-0.9) > 1e-9 {
		t.Errorf("%+v, shares %v", model, totals[0].Shares)
	}
}
