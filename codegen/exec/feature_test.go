package exec

import (
	"math"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/selector"
)

func TestRowFeatures(t *testing.T) {
	uniform := make([]int32, 1001)
	for i := range uniform {
		uniform[i] = int32(70 * i)
	}
	alternating := make([]int, 100001) // a period that a regular sample would see one half of
	for i := 1; i < len(alternating); i++ {
		alternating[i] = alternating[i-1] + 20*(i%2)
	}
	for name, c := range map[string]struct {
		offsets []int
		want    [3]float64
		within  float64
	}{
		"nothing":     {nil, [3]float64{}, 0},
		"no rows":     {[]int{5}, [3]float64{}, 0},
		"too small":   {[]int{5, 9}, [3]float64{}, 0},
		"empty rows":  {[]int{3, 3, 3}, [3]float64{}, 0},
		"descending":  {[]int{3000, 0}, [3]float64{}, 0},
		"one row":     {[]int{5, 4005}, [3]float64{0, 4000, 0}, 0},
		"two rows":    {[]int{0, 0, 8000}, [3]float64{1, 8000, 0.5}, 1e-12},
		"alternating": {alternating, [3]float64{1, 20, 0.5}, 0.25},
	} {
		got := rowFeatures(c.offsets)
		for i := range got {
			if math.Abs(got[i]-c.want[i]) > c.within {
				t.Errorf("%s: %s is %g, want %g", name, selector.ReadyMade[i].Name, got[i], c.want[i])
			}
		}
	}
	if got := rowFeatures(uniform); got != [3]float64{0, 70, 0} {
		t.Errorf("uniform: %v", got)
	}
}

// featureModel is testModel with one more feature.
func featureModel(t *testing.T, name, version string) []byte {
	t.Helper()
	models, err := selector.ParseModels(testModel(t, "h1", testDevice))
	if err != nil {
		t.Fatal(err)
	}
	c := models[0].Computations[0]
	c.Features = append(c.Features, selector.Scaling{Name: name, Low: 0, High: 1, Version: version})
	svm := c.Machine.(*selector.SVM)
	svm.Support[0] = append(svm.Support[0], 0)
	text, err := selector.FormatModels(models)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// Features beyond the constant-time ones are computed when a model names them, and only then.
func TestFeaturesOnRequest(t *testing.T) {
	k := testKernel()
	k.Features = []DeclaredFeature{{Name: "Skew", Unit: "x", Version: "v1"}, {Name: "Other"}}
	calls := map[string]int{}
	skew := 0.25
	choose := func(opts ...Option) Decision {
		t.Helper()
		var c Call
		c.Init(k, opts)
		c.Declared(0, func() float64 { calls["Skew"]++; return skew })
		c.Declared(1, func() float64 { calls["Other"]++; panic("no") })
		RowFeatures(&c, 0, []int{0, 0, 8000})
		if err := c.Choose(0, Feature(selector.Length, "elements", 10)); err != nil {
			t.Fatal(err)
		}
		return c.Decisions()[0]
	}
	if d := choose(); len(d.Features) != 1 || len(calls) != 0 {
		t.Errorf("without a model: %v, %v", d.Features, calls)
	}
	if d := choose(Features()); len(d.Features) != 6 || calls["Skew"] != 3 || !math.IsNaN(d.Features[5].Value) || d.Features[4].Cost <= 0 {
		t.Errorf("all: %v, %v", d.Features, calls)
	}
	clear(calls)
	if note := k.UseModel(featureModel(t, "Skew", "v1")); note != "" {
		t.Fatal(note)
	}
	for range 2 {
		if d := choose(); len(d.Features) != 2 || calls["Skew"] == 0 || calls["Other"] != 0 || d.Selector != "svm" {
			t.Errorf("declared: %+v, %v", d, calls)
		}
	}
	var said strings.Builder
	if choose(Explain(&said)); !strings.Contains(said.String(), "Skew=0.25 (computed in ") {
		t.Error(said.String())
	}
	skew = math.NaN()
	if d := choose(); d.Selector != "untrained" || !strings.Contains(d.Reason, "the feature Skew is not a number") {
		t.Errorf("not a number: %s: %s", d.Selector, d.Reason)
	}
	k.UseModel(featureModel(t, "Other", ""))
	if d := choose(); d.Selector != "untrained" || !strings.Contains(d.Reason, "the feature Other panicked: no") {
		t.Errorf("panic: %s: %s", d.Selector, d.Reason)
	}
	k.UseModel(featureModel(t, selector.EmptyRowShare, ""))
	if d := choose(); len(d.Features) != 2 || d.Features[1].Value != 0.5 || d.Selector != "svm" {
		t.Errorf("ready-made: %+v", d)
	}
	if note := k.UseModel(featureModel(t, "Skew", "v2")); !strings.Contains(note, "Skew has changed") {
		t.Errorf("another version: %q", note)
	}
	if note := k.UseModel(featureModel(t, "Gone", "v2")); !strings.Contains(note, "not declared any more") {
		t.Errorf("no such feature: %q", note)
	}
}

// The choice of the algorithm is made by the model, unless the options make it, and only among the algorithms that the
// model was trained for.
func TestChooseAlgorithm(t *testing.T) {
	k := testKernel()
	k.Alternatives = []*Kernel{{Name: "Alt", Hash: "h9", Computations: []*Computation{{Name: "Alt.1"}}}}
	model := func(hash string) []byte {
		models, err := selector.ParseModels(testModel(t, "h1", testDevice))
		if err != nil {
			t.Fatal(err)
		}
		models[0].Computations = append(models[0].Computations, &selector.Classifier{Computation: "K.0",
			Features: []selector.Scaling{{Name: selector.Length, Unit: "elements", Low: 0, High: 100}},
			Variants: []selector.Variant{selector.Algorithm("K", "K", "goroutine", "h1"), selector.Algorithm("K", "Alt", "goroutine", hash)},
			Machine:  &selector.SVM{Gamma: 4, Bias: []float64{-0.5}, Support: [][]float64{{0}}, Weights: [][]float64{{1}}},
			Summary:  selector.Summary{Inputs: 9, Measurements: "m"}})
		text, err := selector.FormatModels(models)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	choose := func(length float64, opts ...Option) (int, Call) {
		n, opts := Algorithm(k, opts)
		var c Call
		c.Init(k, opts)
		if n == 0 {
			n = c.ChooseAlgorithm(Feature(selector.Length, "elements", length))
		}
		return n, c
	}
	if n, c := choose(90); n != 0 || len(c.WithAlgorithm(nil)) != 0 {
		t.Errorf("without a model: %d", n)
	}
	if note := k.UseModel(model("h9")); note != "" {
		t.Fatal(note)
	}
	var said strings.Builder
	n, c := choose(90, Explain(&said))
	if ds := c.WithAlgorithm(nil); n != 1 || len(ds) != 1 || ds[0].Variant.Form != "Alt" || len(ds[0].Ranking()) != 2 {
		t.Errorf("long: %d, %+v", n, c.algorithm)
	}
	if !strings.Contains(said.String(), "K.0: ") || !strings.Contains(said.String(), "K.0/Alt/none/goroutine/hash=h9 (svm: the algorithm: ") {
		t.Error(said.String())
	}
	if n, _ := choose(10); n != 0 {
		t.Errorf("short: %d", n)
	}
	if n, _ := choose(90, Variant("K")); n != 0 {
		t.Errorf("the kernel itself was asked for: %d", n)
	}
	if n, _ := choose(90, Variant("num_threads=1")); n != 0 {
		t.Errorf("a variant was asked for: %d", n)
	}
	if n, _ := choose(10, Variant("Alt")); n != 1 {
		t.Errorf("the alternative was asked for: %d", n)
	}
	if n, _ := choose(90, Platform("opencl")); n != 0 {
		t.Errorf("another platform: %d", n)
	}
	if n, _ := choose(math.NaN()); n != 0 {
		t.Errorf("not a number: %d", n)
	}
	k.UseModel(model("h8"))
	if n, _ := choose(90); n != 0 {
		t.Errorf("an algorithm that has changed: %d", n)
	}
}

func BenchmarkRowFeatures(b *testing.B) {
	offsets := make([]int32, 100001)
	for i := range offsets {
		offsets[i] = int32(7 * i)
	}
	for b.Loop() {
		rowFeatures(offsets)
	}
}

// Without a model the algorithm is left to estimates, which have to be clear.
func TestEstimates(t *testing.T) {
	k := testKernel()
	k.Computations[0].Costs = []LevelCost{{Operations: 10, Runs: 1, Scalarised: []float64{0}}}
	alt := testKernel()
	alt.Name, alt.Hash = "Alt", "h9"
	k.Alternatives = []*Kernel{alt}
	cost := func(operations, guessed float64) LevelCost {
		return LevelCost{Operations: operations, Runs: 1, Scalarised: []float64{0}, Guessed: guessed}
	}
	for _, c := range []struct {
		name     string
		own, alt LevelCost
		fails    bool
		opts     []Option
		want     int
	}{
		{"clearly less", cost(10, 0), cost(5, 0), false, nil, 1},
		{"a little less", cost(10, 0), cost(9, 0), false, nil, 0},
		{"more", cost(10, 0), cost(20, 0), false, nil, 0},
		{"guessed", cost(10, 0), cost(5, 4), false, nil, 0},
		{"guessed in part", cost(10, 0), cost(5, 1), false, nil, 1},
		{"the kernel itself is guessed", cost(10, 8), cost(5, 0), false, nil, 0},
		{"wrong inputs", cost(10, 0), cost(5, 0), true, nil, 0},
		{"asked for", cost(10, 0), cost(5, 0), false, []Option{Variant("K")}, 0},
		{"another selector", cost(10, 0), cost(5, 0), false, []Option{Select(selector.Untrained{})}, 0},
	} {
		k.Computations[0].Costs, alt.Computations[0].Costs = []LevelCost{c.own}, []LevelCost{c.alt}
		var said strings.Builder
		n, opts := Algorithm(k, append(c.opts, Explain(&said)))
		var call Call
		call.Init(k, opts)
		length := Feature(selector.Length, "elements", 1000)
		if n == 0 {
			n = call.ChooseAlgorithm(length)
		}
		if e := call.Estimates(); e != nil {
			e.Add(0, 0, length)
			e.Add(1, 0, length)
			if c.fails {
				e.Fail(1)
			}
			n = e.Least()
		}
		ds := call.WithAlgorithm(nil)
		if n != c.want || len(ds) != c.want {
			t.Errorf("%s: %d, %+v; want %d", c.name, n, ds, c.want)
		}
		if c.want == 1 && (ds[0].Variant.Form != "Alt" || len(ds[0].Features) != 1 || !strings.Contains(said.String(), "by estimate it takes 5.01e+03 operations, and K 1e+04")) {
			t.Errorf("%s: %+v, %s", c.name, ds, said.String())
		}
	}
}
