package fit

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/surge-ndp/surge/selector"
)

// A tree finds where the best variant changes.
func TestTreeFindsTheWorld(t *testing.T) {
	l, err := learnTree(world(80, 1))
	if err != nil {
		t.Fatal(err)
	}
	test := world(200, 2)
	regret := test.mean(func(in *Input) float64 { return in.Regret(choose(l.classifier, l.classes, test.Features, in)) })
	if regret > 0.05 || meanOf(l.regrets) > 0.1 || l.kind() != "tree" {
		t.Errorf("%s: regret %.3f, estimated %.3f: %+v", l.kind(), regret, meanOf(l.regrets), l.classifier.Machine)
	}
}

// A branch is where it costs least, not where most inputs are told apart: one input that loses much counts for more
// than several that lose little.
func TestTreeCountsCosts(t *testing.T) {
	// Counted, most is gained by telling the first two from the others.
	table := single([]float64{1, 2, 3, 4, 5, 6, 100, 101}, []float64{1, 1.1}, []float64{1, 1.1}, []float64{1.1, 1}, []float64{1.1, 1}, []float64{1.1, 1},
		[]float64{3, 4}, []float64{4, 1}, []float64{4, 1})
	table.Inputs[5].Times = []float64{1, 3}
	cl, err := treeOn(table, []int{0, 1}, 2)
	if err != nil {
		t.Fatal(err)
	}
	tree := cl.Machine.(*selector.Tree)
	if root := tree.Branches[0]; len(root.Features) != 1 || root.Limit <= 6 || root.Limit > 100 {
		t.Errorf("the root is %+v", root)
	}
	if got := chosen(t, table, cl, 100); got != 1 {
		t.Errorf("variant %d where it costs four times as long", got)
	}
}

// The better of the two in cross-validation is the model, unless one is asked for; both are judged.
func TestTheBetterRankerIsTaken(t *testing.T) {
	steps := func(n int, seed uint64) *Table { // many narrow bands, by one feature of two, which a smooth machine blurs
		table := world(n, seed)
		rng := rand.New(rand.NewPCG(seed, 5))
		for i := range table.Inputs {
			in := &table.Inputs[i]
			in.Features = []float64{rng.Float64(), rng.Float64()}
			best := int(in.Features[0]*7) % 2
			for v := range in.Times {
				in.Times[v] = 3
			}
			in.Times[best], in.Times[1-best] = 1, 2
		}
		return table
	}
	train, test := steps(300, 1), steps(100, 2)
	sets := [][]string{{"length", "average_row_length"}}
	free, err := Learn(train, test, sets, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if kind := free.Classifier.Machine.Kind(); kind != "tree" {
		t.Errorf("taken: %s; svm %.3f, tree %.3f", kind, free.Method("svm").Mean, free.Method("tree").Mean)
	}
	for _, kind := range Rankers() {
		j, err := Learn(train, test, sets, Options{Ranker: kind})
		if err != nil {
			t.Fatal(err)
		}
		if got := j.Classifier.Machine.Kind(); got != kind || j.Method(ByModel).Mean != j.Method(kind).Mean || !slices.Equal(j.Method(ByModel).Chosen, j.Method(kind).Chosen) {
			t.Errorf("asked for %s, and got %s", kind, got)
		}
	}
	if _, err := Learn(train, test, sets, Options{Ranker: "forest"}); err == nil {
		t.Error("a forest is learned")
	}
}

// What a model does not decide about counts as what is chosen then.
func TestFarInputsAreChosenUntrained(t *testing.T) {
	train := single([]float64{1, 2, 3, 4}, []float64{1, 2}, []float64{1, 2}, []float64{1, 2}, []float64{1, 2})
	test := single([]float64{2, 1e6}, []float64{1, 2}, []float64{2, 1})
	test.Inputs[1].Untrained = 1
	j, err := learn(train, test)
	if err != nil {
		t.Fatal(err)
	}
	if m := j.Method(ByModel); !slices.Equal(m.Chosen, []int{0, 1}) || m.Mean != 0 {
		t.Errorf("chosen %v, mean regret %g", m.Chosen, m.Mean)
	}
}

func TestBetween(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		log       bool
		want      float64
	}{{2, 4, false, 3}, {1, 100, true, 10}, {0, 8, true, 4}, {-3, 3, false, 0}, {1, math.Nextafter(1, 2), false, math.Nextafter(1, 2)}} {
		if got := between(c.low, c.high, c.log); got != c.want {
			t.Errorf("between %g and %g: %g, want %g", c.low, c.high, got, c.want)
		}
	}
}
