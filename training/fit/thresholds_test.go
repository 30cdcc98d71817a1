package fit

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/surge-ndp/surge/selector"
)

// randomComparison is a tree of so many leaves over so many inputs, whose degrees often are the same.
func randomComparison(rng *rand.Rand, leaves, inputs int, leaf *int) *comparison {
	c := &comparison{fork: &selector.Fork{}}
	if leaves == 1 {
		c.leaf = *leaf
		*leaf++
		for range inputs {
			loss := rng.Float64()
			if rng.IntN(2) == 0 {
				loss = 0
			}
			c.loss = append(c.loss, loss)
		}
		return c
	}
	left := 1 + rng.IntN(leaves-1)
	c.below = randomComparison(rng, left, inputs, leaf)
	c.above = randomComparison(rng, leaves-left, inputs, leaf)
	for i := range inputs {
		c.loss = append(c.loss, min(c.below.loss[i], c.above.loss[i]))
		c.degree = append(c.degree, float64(1+rng.IntN(inputs+1)))
	}
	return c
}

// nodes are the comparisons of a tree.
func (c *comparison) nodes() []*comparison {
	if c.below == nil {
		return nil
	}
	return slices.Concat([]*comparison{c}, c.below.nodes(), c.above.nodes())
}

// lost is what inputs lose by given thresholds, and what the thresholds count that tell some of them apart.
func (c *comparison) lost(limits map[*comparison]float64, inputs []int) float64 {
	sum := 0.0
	if c.below == nil {
		for _, i := range inputs {
			sum += c.loss[i]
		}
		return sum
	}
	var below, above []int
	for _, i := range inputs {
		if c.degree[i] < limits[c] {
			below = append(below, i)
		} else {
			above = append(above, i)
		}
	}
	if len(below) > 0 {
		sum += c.below.lost(limits, below)
	}
	if len(above) > 0 {
		sum += c.above.lost(limits, above)
	}
	if len(below) > 0 && len(above) > 0 {
		sum += Noise
	}
	return sum
}

// limits returns the thresholds of a tuned tree: all that a node which has none is compared with is on one side.
func (n *tunedNode) limits(c *comparison, into map[*comparison]float64) {
	switch {
	case c.below == nil:
	case n.of == c:
		into[c] = n.limit
		n.below.limits(c.below, into)
		n.above.limits(c.above, into)
	case slices.Contains(append(c.below.nodes(), c.below), n.of) || n.under(c.below):
		into[c] = math.Inf(1)
		n.limits(c.below, into)
	default:
		into[c] = math.Inf(-1)
		n.limits(c.above, into)
	}
}

// under reports whether a node is a leaf below c.
func (n *tunedNode) under(c *comparison) bool {
	if c.below == nil {
		return n.of == c
	}
	return n.under(c.below) || n.under(c.above)
}

// The thresholds that are found lose as little as the best of all that there are.
func TestTunerAgainstBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for n := range 600 {
		inputs := 1 + rng.IntN(7)
		leaf := 0
		root := randomComparison(rng, 1+rng.IntN(4), inputs, &leaf)
		var all []int
		for i := range inputs {
			all = append(all, i)
		}
		nodes := root.nodes()
		limits := map[*comparison]float64{}
		least := math.Inf(1)
		var try func(k int)
		try = func(k int) {
			if k == len(nodes) {
				least = min(least, root.lost(limits, all))
				return
			}
			for limit := 0.5; limit < float64(inputs)+3; limit++ {
				limits[nodes[k]] = limit
				try(k + 1)
			}
		}
		try(0)
		found, lost := (&tuner{left: mostTried}).tune(root, all, math.Inf(1))
		if math.Abs(lost-least) > 1e-9 {
			t.Fatalf("tree %d of %d leaves and %d inputs: %g is lost, the least is %g", n, leaf, inputs, lost, least)
		}
		own := map[*comparison]float64{}
		found.limits(root, own)
		if again := root.lost(own, all); math.Abs(again-lost) > 1e-9 {
			t.Fatalf("tree %d: the thresholds lose %g, not %g", n, again, lost)
		}
	}
}

// settle makes the leaf that some thresholds lead an input to the best one for it, except for one input in ten.
func (c *comparison) settle(rng *rand.Rand, inputs []int) {
	if c.below == nil {
		for _, i := range inputs {
			if rng.IntN(10) > 0 {
				c.loss[i] = 0
			}
		}
		return
	}
	limit := c.degree[inputs[0]]
	side := func(above bool) []int {
		return slices.DeleteFunc(slices.Clone(inputs), func(i int) bool { return (c.degree[i] >= limit) != above })
	}
	for _, above := range []bool{false, true} {
		if of := side(above); len(of) > 0 && above {
			c.above.settle(rng, of)
		} else if len(of) > 0 {
			c.below.settle(rng, of)
		}
	}
	for i := range c.loss {
		c.loss[i] = min(c.below.loss[i], c.above.loss[i])
	}
}

// A hundred inputs and as many paths as there can be are tuned exactly where degrees say something; where they say
// nothing, and the search ends early, there are thresholds all the same, and always the same ones.
func TestTunerTakesNoTime(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, told := range []bool{true, false} {
		for range 8 {
			leaf := 0
			root := randomComparison(rng, mostPaths, 100, &leaf)
			var all []int
			for i := range 100 {
				all = append(all, i)
			}
			if told {
				root.settle(rng, all)
			}
			start := time.Now()
			s := &tuner{left: mostTried}
			found, lost := s.tune(root, all, math.Inf(1))
			t.Logf("told %v: %.3f lost of at least %.3f, %d compared, %v", told, lost, sum(root.loss), mostTried-s.left, time.Since(start))
			if found == nil || told && s.left <= 0 {
				t.Errorf("not tuned: %d left", s.left)
			}
			if _, again := (&tuner{left: mostTried}).tune(root, all, math.Inf(1)); again != lost {
				t.Errorf("%g is lost, and then %g", lost, again)
			}
		}
	}
}

func sum(xs []float64) float64 { return meanOf(xs) * float64(len(xs)) }

// nested is a table of a nest of two levels whose best mapping depends on degrees: nothing in parallel below 1000
// elements, threads on rows from 100 rows on, else on elements.
func nested(n int, seed uint64) *Table {
	rng := rand.New(rand.NewPCG(seed, 7))
	t := &Table{Computation: "K.1", Features: []selector.Feature{{Name: selector.Length, Unit: "rows"}, {Name: selector.AspectRatio}}}
	variant := func(schedule string, policy ...selector.Setting) {
		t.Variants = append(t.Variants, selector.Variant{Computation: "K.1", Form: "nest", Schedule: schedule, Platform: "goroutine", Policy: policy})
	}
	threads := func(level int) []selector.Setting {
		return []selector.Setting{{Name: "num_threads", Value: "2"}, {Name: fmt.Sprintf("execution_resource_%d", level), Value: "pool"}}
	}
	variant("sequential>sequential")
	variant("independent>sequential", append(threads(1), selector.Setting{Name: "unroll_2", Value: "1"})...)
	variant("independent>sequential", append(threads(1), selector.Setting{Name: "unroll_2", Value: "4"})...) // the better one
	variant("sequential>independent", threads(2)...)
	for i := range n {
		rows, row := math.Round(math.Pow(10, 4*rng.Float64())), math.Round(math.Pow(10, 4*rng.Float64()))
		in := Input{Name: fmt.Sprint("input", i), Features: []float64{rows, rows / row}, Untrained: 0}
		in.Times = []float64{3, 3, 2.5, 3}
		switch {
		case rows*row < 1000:
			in.Times[0] = 1
		case rows >= 100:
			in.Times[1], in.Times[2] = 1.1, 1
		default:
			in.Times[3] = 1
		}
		t.Inputs = append(t.Inputs, in)
	}
	return t
}

// Thresholds are found where the best mapping changes, each mapping by its best variant.
func TestThresholdsFindTheWorld(t *testing.T) {
	l, err := learnThresholds(nested(120, 1))
	if err != nil {
		t.Fatal(err)
	}
	test := nested(200, 2)
	tree := l.classifier.Machine.(*selector.Thresholds)
	regret := test.mean(func(in *Input) float64 { return in.Regret(choose(l.classifier, l.classes, test.Features, in)) })
	if regret > 0.05 || meanOf(l.regrets) > 0.1 || l.kind() != "threshold" || len(tree.Branches) != 5 || slices.Contains(l.classes, 1) {
		t.Errorf("%s: regret %.3f, estimated %.3f, of %v: %+v", l.kind(), regret, meanOf(l.regrets), l.classes, tree)
	}
	limits := []float64{tree.Branches[0].Limit, tree.Branches[2].Limit}
	if limits[0] < 700 || limits[0] > 1400 || limits[1] < 60 || limits[1] > 140 {
		t.Errorf("thresholds %v, want about 1000 elements and 100 rows", limits)
	}
	// Far beyond what it was tuned on, larger is only more so.
	far := Input{Features: []float64{1e9, 1}, Untrained: 0}
	if got := choose(l.classifier, l.classes, test.Features, &far); got != 2 {
		t.Errorf("variant %d for 10^9 rows", got)
	}
}

// Thresholds are the model only where they are asked for, however good they are, and are compared in any case.
func TestThresholdsAreAskedFor(t *testing.T) {
	train, test := nested(120, 1), nested(60, 2)
	sets := [][]string{{selector.Length, selector.AspectRatio}}
	for ranker, want := range map[string]string{"": "svm tree", "threshold": "threshold"} {
		j, err := Learn(train, test, sets, Options{Ranker: ranker})
		if err != nil {
			t.Fatal(err)
		}
		kind := j.Classifier.Machine.Kind()
		if !slices.Contains([]string{want, "svm", "tree"}, kind) || (kind == "threshold") != (ranker == "threshold") || j.Method("threshold") == nil {
			t.Errorf("asked for %q, and got %s", ranker, kind)
		}
	}
}

// Inputs of one kind, without features, or of which some variants failed or were not measured.
func TestThresholdsOnLittle(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for name, c := range map[string]struct {
		table *Table
		want  int
	}{
		"one input":           {single([]float64{7}, []float64{3, 1, 2}), 1},
		"constant features":   {single([]float64{5, 5, 5}, []float64{1, 2}, []float64{2, 1}, []float64{2, 1}), 1},
		"a failing variant":   {single([]float64{1, 10}, []float64{5, 1, 2}, []float64{5, inf, 2}), 2},
		"unmeasured variants": {single([]float64{1, 2}, []float64{1.5, nan, 1}, []float64{1.5, 1, nan}), 0},
	} {
		l, err := learnThresholds(c.table)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := chosen(t, c.table, l.classifier, 5); got != c.want {
			t.Errorf("%s: variant %d, want %d", name, got, c.want)
		}
	}
	if _, err := learnThresholds(single([]float64{1, 2}, []float64{inf, 1}, []float64{1, inf})); err == nil {
		t.Error("learned from variants each of which fails somewhere")
	}
}
