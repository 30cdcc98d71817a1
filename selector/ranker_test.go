package selector

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// withMachine is the classifier of testModel with another machine.
func withMachine(variants int, m Machine) *Classifier {
	c := testModel(variants, 0).Computations[0]
	c.Machine, c.Summary.Inputs = m, 20
	return c
}

// testTree asks for the length, and above 1000 for the aspect ratio.
func testTree() *Tree {
	return &Tree{
		Branches: []Branch{{Features: []int{0}, Limit: 1000, Above: 2}, {Leaf: 0}, {Features: []int{1}, Limit: 4, Above: 4}, {Leaf: 1}, {Leaf: 2}},
		Regrets:  [][]float64{{0, 0.5, 0.2}, {0.3, 0, 0.1}, {0.4, 0.4, 0}},
	}
}

func testThresholds() *Thresholds {
	return &Thresholds{
		Branches: []Branch{{Features: []int{0}, Limit: 5000, Above: 2}, {Leaf: 0}, {Features: []int{0, 1, 1}, Over: []int{1}, Limit: 1e5, Above: 4}, {Leaf: 1}, {Leaf: 2}},
		Variants: []int{2, 0, 1},
	}
}

func TestTreesDecide(t *testing.T) {
	for _, c := range []struct {
		machine       Machine
		length, ratio float64
		want          []uint8 // nil: it does not decide
	}{
		{testTree(), 999, 7, []uint8{0, 2, 1}},
		{testTree(), 1000, 3.9, []uint8{1, 2, 0}},
		{testTree(), 2000, 4, []uint8{2, 0, 1}},
		{testTree(), 1e8, 4, nil}, // far beyond what it was trained on
		{testThresholds(), 4999, 8, []uint8{2, 0, 1}},
		{testThresholds(), 5000, 2, []uint8{0, 1, 2}},
		{testThresholds(), 5000, 20, []uint8{1, 0, 2}},
		{testThresholds(), 1e12, 1, []uint8{1, 0, 2}}, // larger is only more so
		{testThresholds(), math.NaN(), 1, nil},
	} {
		cl := withMachine(3, c.machine)
		if err := cl.Check(); err != nil {
			t.Fatal(err)
		}
		verdict, ok := cl.Decide(input2(c.length, c.ratio))
		if ok != (c.want != nil) || ok && !slices.Equal(verdict.Order[:verdict.Count], c.want) {
			t.Errorf("%s at %g, %g: %v, %v; want %v", c.machine.Kind(), c.length, c.ratio, verdict.Order[:verdict.Count], ok, c.want)
		}
		if n := testing.AllocsPerRun(50, func() { cl.Decide(input2(c.length, c.ratio)) }); n > 1 { // that of input2
			t.Errorf("%s: %v allocations", c.machine.Kind(), n)
		}
	}
}

// The leaves of a tree say what leads to them, and so does the reason of a choice.
func TestLeaves(t *testing.T) {
	for _, c := range []struct {
		machine Machine
		want    []string
	}{
		{testTree(), []string{"length < 1000 0", "length >= 1000 and aspect_ratio < 4 1", "length >= 1000 and aspect_ratio >= 4 2"}},
		{testThresholds(), []string{"length < 5000 2", "length >= 5000 and length*aspect_ratio*aspect_ratio/aspect_ratio < 1e+05 0",
			"length >= 5000 and length*aspect_ratio*aspect_ratio/aspect_ratio >= 1e+05 1"}},
		{testModel(3, 0).Computations[0].Machine, nil},
	} {
		cl := withMachine(3, c.machine)
		if err := cl.Check(); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, l := range cl.Leaves() {
			got = append(got, fmt.Sprint(l.Where, " ", slices.IndexFunc(cl.Variants, l.Variant.Equal)))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.machine.Kind(), got, c.want)
		}
		var codes []Code
		for _, v := range cl.Variants {
			codes = append(codes, Code{Variant: v})
		}
		choices, err := cl.For(codes, func(Variant) bool { return true }).Rank(Input{Features: input2(6000, 3), Codes: codes, Cores: 8})
		if err != nil || (c.want != nil) != strings.Contains(choices[0].Reason, ", as length >= ") || strings.Contains(choices[1].Reason, ", as ") {
			t.Errorf("%s: %v, %v", c.machine.Kind(), choices, err)
		}
	}
}

// Machines of all kinds stand in one file, those that are trusted more first when they are asked, and decide the same
// when they have been read back.
func TestKindsRoundTrip(t *testing.T) {
	m := testModel(3, 9)
	m.Computations = append([]*Classifier{withMachine(3, testThresholds()), withMachine(3, testTree())}, m.Computations...)
	text, err := FormatModels([]*Model{m})
	if err != nil {
		t.Fatal(err)
	}
	back, err := ParseModels(text)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if again, err := FormatModels(back); err != nil || !bytes.Equal(text, again) {
		t.Errorf("%v; printed again:\n%s\nfirst:\n%s", err, again, text)
	}
	var kinds []string
	for i, c := range back[0].Classifiers("SpMV.1") {
		kinds = append(kinds, c.Machine.Kind())
		f := input2(30000, 5)
		a, _ := c.Decide(f)
		if b, ok := m.Classifiers("SpMV.1")[i].Decide(f); !ok || a != b {
			t.Errorf("%s: %v and %v", c.Machine.Kind(), a, b)
		}
	}
	if want := []string{"svm", "tree", "threshold"}; !slices.Equal(kinds, want) {
		t.Errorf("asked in the order %v, want %v", kinds, want)
	}
}

func TestBrokenTrees(t *testing.T) {
	m := testModel(3, 0)
	m.Computations = []*Classifier{withMachine(3, testThresholds()), withMachine(3, testTree())}
	good, err := FormatModels([]*Model{m})
	if err != nil {
		t.Fatal(err)
	}
	body := string(good[:bytes.LastIndex(good, []byte("checksum"))])
	deep := strings.Repeat("branch length 1000\n", maxBranches+10)
	for name, c := range map[string]struct{ old, with, want string }{
		"no such feature":    {"branch length 1000", "branch width 1000", "no feature"},
		"no number":          {"branch length 1000", "branch length NaN", "not a number"},
		"a leaf too few":     {"leaf 0.4 0.4 0\n", "", "want leaf"},
		"a leaf too many":    {"leaf 0.4 0.4 0\n", "leaf 0.4 0.4 0\nleaf 0 0 0\n", "want end"},
		"a regret too few":   {"leaf 0.4 0.4 0\n", "leaf 0.4 0.4\n", "2 regrets for 3 variants"},
		"no such variant":    {"leaf 2\n", "leaf 3\n", "variant 3 of 3"},
		"no such divisor":    {"/aspect_ratio 100000", "/width 100000", "no feature"},
		"a product below":    {"/aspect_ratio 100000", "/aspect_ratio*length 100000", "multiplies behind a quotient"},
		"nothing below":      {"/aspect_ratio 100000", "/ 100000", "no feature"},
		"half a variant":     {"leaf 2\n", "leaf 0.5\n", "number of a variant"},
		"too deep":           {"branch length 1000\n", deep, "more than 255 nodes"},
		"two of a kind":      {"ranker threshold", "ranker tree", "1 regrets for 3 variants"},
		"nothing is learned": {"ranker tree\n", "", "ranker KIND"},
	} {
		text := strings.Replace(body, c.old, c.with, 1)
		if text == body {
			t.Fatalf("%s: the file has no %q", name, c.old)
		}
		if _, err := ParseModels(fmt.Appendf(nil, "%schecksum %s\n", text, checksum([]byte(text)))); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	for name, b := range map[string][]Branch{
		"a circle":         {{Features: []int{0}, Above: 0}, {}, {Leaf: 1}},
		"no leaf above":    {{Features: []int{0}, Above: 2}, {}},
		"no such feature":  {{Features: []int{2}, Above: 2}, {}, {Leaf: 1}},
		"leaves exchanged": {{Features: []int{0}, Above: 2}, {Leaf: 1}, {}},
		"infinite":         {{Features: []int{0}, Limit: math.Inf(1), Above: 2}, {}, {Leaf: 1}},
		"nothing":          nil,
	} {
		if err := withMachine(2, &Tree{Branches: b, Regrets: [][]float64{{0, 1}, {1, 0}}}).Check(); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}

// fixed is a ranker as somebody else may write one.
type fixed struct {
	name    string
	choices []Choice
	err     error
}

func (f fixed) Name() string                 { return f.name }
func (f fixed) Rank(Input) ([]Choice, error) { return f.choices, f.err }

func TestChain(t *testing.T) {
	yes := []Choice{{Reason: "because"}}
	no := fixed{"first", nil, errors.New("it is too far")}
	silent := fixed{"second", nil, nil}
	for _, c := range []struct {
		chain      Chain
		by, passed string
	}{
		{Chain{fixed{"a", yes, nil}, fixed{"b", yes, nil}}, "a", ""},
		{Chain{no, fixed{"b", yes, nil}}, "b", "first does not decide: it is too far"},
		{Chain{no, silent, fixed{"c", yes, nil}}, "c", "first does not decide: it is too far; second does not decide: it has no choice"},
	} {
		r, err := c.chain.Rank(Input{})
		if err != nil || r.By.Name() != c.by || r.Passed != c.passed || len(r.Choices) != 1 {
			t.Errorf("%+v, %v; want %s, %q", r, err, c.by, c.passed)
		}
	}
	for _, c := range []Chain{nil, {no}, {silent, no}} {
		if r, err := c.Rank(Input{}); err == nil {
			t.Errorf("%v decides: %+v", c, r)
		}
	}
}

// The untrained rules for what is chosen for a whole kernel.
func TestUntrainedChoosesForKernels(t *testing.T) {
	on := func(platforms ...string) (codes []Code) {
		for _, p := range platforms {
			codes = append(codes, Code{Variant: OnPlatform("K", p)})
		}
		return codes
	}
	for _, c := range []struct {
		accelerator string
		codes       []Code
		want        string
	}{
		{"opencl", on("goroutine", "opencl"), "opencl"},
		{"", on("opencl", "goroutine", "openmp"), "goroutine"},
		{"cuda", on("openmp", "opencl"), "openmp"},
	} {
		got, err := Untrained{}.Rank(Input{Question: OfTargets, Accelerator: c.accelerator, Codes: c.codes})
		if err != nil || got[0].Variant.Platform != c.want || c.codes[got[0].Code].Platform != c.want {
			t.Errorf("%v, %v; want %s", got, err, c.want)
		}
	}
	// What an H200 and 16 cores beside it took, in microseconds: sum 2695 and 159, a product of matrices of 320 rows 181
	// and 118, both with copies; the sparse product stays on the device.
	text := func(s string) Variant {
		v, err := Parse(s)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	vector := []Code{{Variant: text("K.1/nest/cooperative/goroutine/num_threads=2,execution_resource_1=pool+lane,vector_width_1=8,unroll_1=1")},
		{Variant: text("K.1/nest/cooperative/opencl/block_size_x=128")}}
	product := []Code{{Variant: text("K.1/nest/independent>independent/goroutine/num_threads=2,execution_resource_1=pool,execution_resource_2=lane,vector_width_2=16,unroll_2=1")},
		{Variant: text("K.1/nest/independent>independent/opencl/block_size_x=128")}}
	of := func(n, row float64) []Feature {
		return []Feature{{Name: Length, Value: n}, {Name: AspectRatio, Value: n / row}}
	}
	for _, c := range []struct {
		what     string
		codes    []Code
		costs    []LevelCost
		features []Feature
		copied   float64
		want     string
	}{
		{"sum of 5 million", vector, []LevelCost{{Operations: 2, Runs: 1, Scalarised: []float64{0}}}, of(5e6, 1)[:1], 4e7, "goroutine"},
		{"the same where it is", vector, []LevelCost{{Operations: 2, Runs: 1, Scalarised: []float64{0}}}, of(5e6, 1)[:1], -1, "opencl"},
		{"exponentials of 5 million", vector, []LevelCost{{Operations: 900, Runs: 1, Scalarised: []float64{0}}}, of(5e6, 1)[:1], 4e7, "opencl"},
		{"exponentials of 1000", vector, []LevelCost{{Operations: 900, Runs: 1, Scalarised: []float64{0}}}, of(1e3, 1)[:1], 8e3, "goroutine"},
		{"all pairs of 100 thousand", product, []LevelCost{{Operations: 2, Runs: 1, Scalarised: []float64{0, 0}}, {Operations: 20, Runs: 1, Scalarised: []float64{0, 0}}}, of(1e5, 1e5), 2.4e6, "opencl"},
		{"all pairs of 1000", product, []LevelCost{{Operations: 2, Runs: 1, Scalarised: []float64{0, 0}}, {Operations: 20, Runs: 1, Scalarised: []float64{0, 0}}}, of(1e3, 1e3), 2.4e4, "goroutine"},
		{"nobody knows how many", vector, nil, nil, 4e7, "opencl"},
	} {
		got, err := Untrained{}.Rank(Input{Question: OfTargets, Accelerator: "opencl", Codes: c.codes, Costs: c.costs, Features: c.features, Copied: c.copied, Cores: 16})
		if err != nil || got[0].Variant.Platform != c.want || c.codes[got[0].Code].Platform != c.want {
			t.Errorf("%s: %v, %v; want %s", c.what, got, err, c.want)
		}
	}
	if _, err := (Untrained{}).Rank(Input{Question: OfTargets}); err == nil {
		t.Error("a platform is chosen from none")
	}
	algorithms := []Code{{Variant: Algorithm("K", "K", "goroutine", "1")}, {Variant: Algorithm("K", "L", "goroutine", "2")}, {Variant: Algorithm("K", "M", "goroutine", "3")}}
	for _, c := range []struct {
		estimates []Estimate
		want      int
	}{
		{[]Estimate{{10, 0}, {9, 0}, {12, 0}}, 0},
		{[]Estimate{{10, 0}, {6, 0}, {5, 0}}, 2},
		{[]Estimate{{10, 0}, {6, 0}, {5, 4}}, 1},
		{[]Estimate{{10, 0}, {math.NaN(), 0}, {7, 0}}, 2},
		{[]Estimate{{math.NaN(), 0}, {1, 0}, {1, 0}}, 0},
	} {
		got, err := Untrained{}.Rank(Input{Question: OfAlgorithms, Codes: algorithms, Estimates: c.estimates})
		if err != nil || got[0].Code != c.want || !got[0].Variant.Equal(algorithms[c.want].Variant) {
			t.Errorf("%v: %+v, %v; want %d", c.estimates, got, err, c.want)
		}
	}
	if _, err := (Untrained{}).Rank(Input{Question: OfAlgorithms, Codes: algorithms}); err == nil {
		t.Error("an algorithm is chosen without estimates")
	}
}

// What a classifier was trained on is where it decides: by a factor, below as well as above, also for a feature that
// was always the same; what was trained on one input decides always.
func TestCovers(t *testing.T) {
	for _, c := range []struct {
		scaling Scaling
		in, out []float64
	}{
		{Scaling{Log: true, Low: 10, High: 1e4}, []float64{2, 10, 8e4}, []float64{1, 9e4, math.NaN()}},
		{Scaling{Low: 1000, High: 5000}, []float64{125, 9000}, []float64{100, 9001, math.NaN()}},
		{Scaling{Low: 0, High: 100}, []float64{-100, 200}, []float64{-101, 201}},
		{Scaling{Low: 64, High: 64}, []float64{8, 64, 512}, []float64{7, 513, math.NaN()}},
		{Scaling{}, []float64{0, 7, 1e9}, []float64{math.NaN()}},
	} {
		for _, v := range c.in {
			if !c.scaling.Covers(v) {
				t.Errorf("%+v does not cover %g", c.scaling, v)
			}
		}
		for _, v := range c.out {
			if c.scaling.Covers(v) {
				t.Errorf("%+v covers %g", c.scaling, v)
			}
		}
	}
	c := testModel(1, 0).Computations[0]
	for inputs, want := range map[int]bool{1: true, 2: false} {
		c.Summary.Inputs = inputs
		if _, ok := c.Decide(input2(1e12, 3)); ok != want {
			t.Errorf("trained on %d inputs it decides: %v", inputs, ok)
		}
	}
}
