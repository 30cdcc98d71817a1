package fit

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/surge-ndp/surge/selector"
)

// world is a table with known truth: below length 1000 variant 0 is best; above, variant 1 for short rows and variant 2
// for long ones; the other variants never are. Times have a little noise.
func world(n int, seed uint64) *Table {
	rng := rand.New(rand.NewPCG(seed, 1))
	t := &Table{Computation: "K.1", Features: []selector.Feature{{Name: "length", Unit: "rows"}, {Name: "average_row_length", Unit: "elements"}}}
	for v := range 10 {
		t.Variants = append(t.Variants, selector.Variant{Computation: "K.1", Form: "nest", Schedule: "sequential", Platform: "goroutine",
			Policy: []selector.Setting{{Name: "unroll_1", Value: fmt.Sprint(v)}}})
	}
	for i := range n {
		length, row := math.Pow(10, 1+5*rng.Float64()), math.Pow(10, 2*rng.Float64())
		in := Input{Name: fmt.Sprint("input", i), Features: []float64{length, row}, Untrained: 3}
		best := 0
		if length > 1000 {
			best = 1
			if row > 12 {
				best = 2
			}
		}
		for v := range t.Variants {
			x := length * row
			switch {
			case v == best:
			case v < 3:
				x *= 1.5
			default:
				x *= 1.2 + 0.1*float64(v)
			}
			in.Times = append(in.Times, x*(1+0.01*rng.Float64()))
		}
		t.Inputs = append(t.Inputs, in)
	}
	return t
}

// learn trains on all features of train and judges by test.
func learn(train, test *Table) (*Judgement, error) {
	var all []string
	for _, f := range train.Features {
		all = append(all, f.Name)
	}
	return Learn(train, test, [][]string{all}, Options{})
}

func TestTrainFindsTheWorld(t *testing.T) {
	train, test := world(40, 1), world(200, 2)
	start := time.Now()
	l, err := learnSVM(train)
	if err != nil {
		t.Fatal(err)
	}
	cl, estimate := l.classifier, meanOf(l.regrets)
	m := cl.Machine.(*selector.SVM)
	t.Logf("trained in %v: %d variants, gamma %g, C %g, %d support vectors, estimate %.4f", time.Since(start), len(cl.Variants), m.Gamma, m.C, len(m.Support), estimate)
	regret := test.mean(func(in *Input) float64 { return in.Regret(choose(cl, l.classes, test.Features, in)) })
	t.Logf("regret %.4f on unseen inputs", regret)
	if len(cl.Variants) != 3 || regret > 0.05 || estimate > 0.1 {
		t.Errorf("%d variants, regret %.3f, estimated %.3f", len(cl.Variants), regret, estimate)
	}
}

// single makes a table of inputs with one feature and the times given, one row an input.
func single(features []float64, times ...[]float64) *Table {
	t := &Table{Computation: "K.1", Features: []selector.Feature{{Name: "length", Unit: "rows"}}}
	for v := range times[0] {
		t.Variants = append(t.Variants, selector.Variant{Computation: "K.1", Form: "nest", Schedule: "sequential", Platform: "goroutine",
			Policy: []selector.Setting{{Name: "unroll_1", Value: fmt.Sprint(v)}}})
	}
	for i, f := range features {
		t.Inputs = append(t.Inputs, Input{Name: fmt.Sprint("input", i), Features: []float64{f}, Times: times[i], Untrained: 0})
	}
	return t
}

// chosen is the index of the variant that a trained classifier takes at a value of the feature.
func chosen(t *testing.T, table *Table, cl *selector.Classifier, at float64) int {
	t.Helper()
	v, ok := cl.Decide([]selector.Feature{{Name: "length", Value: at}})
	if !ok {
		t.Fatal("no decision")
	}
	return slices.IndexFunc(table.Variants, cl.Variants[v.Order[0]].Equal)
}

func TestTrainOnLittle(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for name, c := range map[string]struct {
		table   *Table
		classes int
		want    map[float64]int // feature → variant
	}{
		"one input":           {single([]float64{7}, []float64{3, 1, 2}), 1, map[float64]int{1: 1, 7: 1, 1e9: 1}},
		"one winner":          {single([]float64{1, 2, 3}, []float64{3, 1}, []float64{5, 1}, []float64{2, 1}), 1, map[float64]int{2: 1}},
		"two inputs":          {single([]float64{1, 100}, []float64{1, 2}, []float64{2, 1}), 2, map[float64]int{1: 0, 100: 1, 700: 1}},
		"constant features":   {single([]float64{5, 5, 5}, []float64{1, 2}, []float64{2, 1}, []float64{2, 1}), 0, map[float64]int{5: 1, 9: 1}},
		"near ties are one":   {single([]float64{1, 10, 100}, []float64{1, 1.01}, []float64{1.01, 1}, []float64{1, 1.005}), 1, nil},
		"a failing variant":   {single([]float64{1, 10}, []float64{5, 1, 2}, []float64{5, inf, 2}), 1, map[float64]int{1: 2, 10: 2}},
		"unmeasured variants": {single([]float64{1, 2, 90, 100}, []float64{1, nan, 3}, []float64{1, 2, nan}, []float64{nan, 1, 9}, []float64{8, 1, 9}), 2, map[float64]int{1: 0, 100: 1}},
	} {
		l, err := learnSVM(c.table)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		cl := l.classifier
		if c.classes > 0 && len(cl.Variants) != c.classes {
			t.Errorf("%s: %d variants", name, len(cl.Variants))
		}
		for at, want := range c.want {
			if got := chosen(t, c.table, cl, at); got != want {
				t.Errorf("%s: variant %d at %g, want %d", name, got, at, want)
			}
		}
		j, err := learn(c.table, &Table{Computation: "K.1", Features: c.table.Features, Variants: c.table.Variants})
		if err != nil || j.HeldOut || len(j.Methods) != 9 {
			t.Errorf("%s: judged %v", name, err)
		}
	}
}

func TestTrainRefuses(t *testing.T) {
	inf := math.Inf(1)
	for want, table := range map[string]*Table{
		"no inputs":                    {Computation: "K.1"},
		"has to be a number":           single([]float64{1, math.NaN()}, []float64{1}, []float64{1}),
		"no variant works on input":    single([]float64{1, 2}, []float64{1, 2}, []float64{inf, inf}),
		"every variant failed on some": single([]float64{1, 2}, []float64{1, inf}, []float64{inf, 1}),
	} {
		if _, err := learnSVM(table); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// What costs more counts more: two inputs of the same features disagree, and the one that loses more wins.
func TestCostsCount(t *testing.T) {
	table := single([]float64{1, 50, 50, 50, 99}, []float64{1, 3}, []float64{1, 1.1}, []float64{1, 1.1}, []float64{4, 1}, []float64{3, 1})
	l, err := learnSVM(table)
	if err != nil {
		t.Fatal(err)
	}
	if got := chosen(t, table, l.classifier, 50); got != 1 {
		t.Errorf("variant %d where it costs three times as long", got)
	}
}

// support is how many support vectors the machine that a judgement is about has.
func support(j *Judgement) int {
	if m, ok := j.Classifier.Machine.(*selector.SVM); ok {
		return len(m.Support)
	}
	return 0
}

func TestTrainOnMany(t *testing.T) {
	train, test := world(400, 5), world(100, 6)
	j, err := learn(train, test)
	if err != nil {
		t.Fatal(err)
	}
	if m := j.Method(ByModel); m.Mean > 0.03 || support(j) > mostSupport || j.Classifier.Summary.Inputs != 400 {
		t.Errorf("mean regret %.3f with %d support vectors", m.Mean, support(j))
	}
	if lost := Lost([]*Judgement{j}); lost != nil {
		t.Errorf("not accepted: %+v", lost)
	}
	for i, m := range j.Methods {
		t.Logf("%-24s mean %.4f worst %.3f right %d", m.Name, m.Mean, m.Worst, m.Right)
		if i > 0 && m.Name != ByOracle && m.Name != ByClasses && m.Mean+0.01 < j.Methods[0].Mean {
			t.Errorf("%s is better than the model", m.Name)
		}
	}
}

// A model that loses to the choice without it is not accepted.
func TestAccepted(t *testing.T) {
	table := single([]float64{1, 2, 3}, []float64{1, 2}, []float64{1, 2}, []float64{1, 2})
	other := single([]float64{1, 2, 3}, []float64{2, 1}, []float64{2, 1}, []float64{2, 1})
	for i := range other.Inputs {
		other.Inputs[i].Untrained = 1
	}
	j, err := learn(table, other)
	if err != nil {
		t.Fatal(err)
	}
	if lost := Lost([]*Judgement{j}); lost == nil || lost.To != ByUntrained || lost.What != j.Test.Computation {
		t.Errorf("accepted: %+v", lost)
	}
}

// A model that is accepted is said to gain nothing where it is not better than the choice without it by more than
// noise.
func TestNoGain(t *testing.T) {
	features := []float64{1, 2, 3, 4, 5, 6}
	times := func(untrained ...float64) (all [][]float64) {
		for _, u := range untrained {
			all = append(all, []float64{1, u})
		}
		return all
	}
	for _, c := range []struct {
		what      string
		untrained []float64
		gains     bool
	}{
		{"clearly better on every input", []float64{1.5, 1.4, 1.5, 1.6, 1.5, 1.5}, true},
		{"the same", []float64{1, 1, 1, 1, 1, 1}, false},
		{"better by less than is worthwhile", []float64{1.002, 1.002, 1.002, 1.002, 1.002, 1.002}, false},
		{"better on one input only", []float64{1, 1, 1.5, 1, 1, 1}, false},
	} {
		table := single(features, times(c.untrained...)...)
		for i := range table.Inputs {
			table.Inputs[i].Untrained = 1
		}
		j, err := learn(table, table)
		if err != nil {
			t.Fatal(err)
		}
		if lost := Lost([]*Judgement{j}); lost != nil {
			t.Errorf("%s: %+v", c.what, lost)
		}
		if none := NoGain([]*Judgement{j}); (len(none) == 0) != c.gains || !c.gains && (none[0].What != j.Test.Computation || none[0].Other < none[0].Model) {
			t.Errorf("%s: %+v", c.what, none)
		}
	}
}

// What loses in a computation that takes little of the time does not keep out a model that gains more in another one.
func TestAcceptedInTotal(t *testing.T) {
	judge := func(name string, scale float64, loses bool) *Judgement {
		train := single([]float64{1, 2, 3}, []float64{scale, 2 * scale}, []float64{scale, 2 * scale}, []float64{scale, 2 * scale})
		test := train
		if loses {
			test = single([]float64{1, 2, 3}, []float64{2 * scale, scale}, []float64{2 * scale, scale}, []float64{2 * scale, scale})
		}
		for _, table := range []*Table{train, test} {
			table.Computation = name
			for v := range table.Variants {
				table.Variants[v].Computation = name
			}
		}
		for i := range test.Inputs {
			test.Inputs[i].Name, test.Inputs[i].Untrained = fmt.Sprint("input ", i), 1
		}
		j, err := learn(train, test)
		if err != nil {
			t.Fatal(err)
		}
		return j
	}
	gains, losesLittle, losesMuch := judge("K.1", 1, false), judge("K.2", 0.01, true), judge("K.2", 10, true)
	if lost := Lost([]*Judgement{losesLittle}); lost == nil {
		t.Error("alone it does not lose")
	}
	if lost := Lost([]*Judgement{gains, losesLittle}); lost != nil {
		t.Errorf("a little of the time: %+v", lost)
	}
	if lost := Lost([]*Judgement{gains, losesMuch}); lost == nil || lost.What != "K" {
		t.Errorf("most of the time: %+v", lost)
	}
}

// A model remembers some of many inputs: those that cover the features, and those where the best variant changes.
func TestCondense(t *testing.T) {
	table := world(300, 3)
	z := points(table, scale(table))
	taken, err := condense(table, z, []int{0, 1, 2}, 60)
	if err != nil {
		t.Fatal(err)
	}
	near := func(in *Input) bool {
		length, row := in.Features[0], in.Features[1]
		return length > 250 && length < 4000 || length >= 1000 && row > 6 && row < 24
	}
	n, atBoundary, all := 0, 0, 0
	for i := range taken {
		in := &table.Inputs[i]
		if near(in) {
			all++
		}
		if taken[i] {
			n++
			if near(in) {
				atBoundary++
			}
		}
	}
	if n != 60 || atBoundary*len(taken) <= all*n {
		t.Errorf("%d taken, %d of them near a boundary, where %d of %d are", n, atBoundary, all, len(taken))
	}
	if all, err := condense(table, z, []int{0, 1, 2}, 300); err != nil || slices.Contains(all, false) {
		t.Errorf("there is room for all: %v", err)
	}
}
