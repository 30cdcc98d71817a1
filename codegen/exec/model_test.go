package exec

import (
	"bytes"
	"context"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/surge-ndp/surge/selector"
)

const testDevice = "a machine of tests"

type fakeFunc struct{}

func (fakeFunc) Available(bits int) string {
	if bits > 0 {
		return "no vectors here"
	}
	return ""
}
func (fakeFunc) Prepare(selector.Variant) (Launch, error) { return fakeFunc{}, nil }
func (fakeFunc) Run(context.Context, any) error           { return nil }
func (fakeFunc) Device() string                           { return testDevice }

// testKernel is a kernel of one computation with three codes, the last of which cannot run here.
func testKernel() *Kernel {
	return &Kernel{Name: "K", Pos: "k.go:1", Hash: "h1", Computations: []*Computation{{Name: "K.1", Sequence: "map", Codes: []Code{
		{Text: "K.1/nest/independent/goroutine/unroll_1=1", Launch: "num_threads=", Func: fakeFunc{}},
		{Text: "K.1/nest/independent/goroutine/unroll_1=4", Launch: "num_threads=", Func: fakeFunc{}},
		{Text: "K.1/nest/independent/goroutine/unroll_1=8", Launch: "num_threads=", VectorBits: 512, Func: fakeFunc{}},
	}}}}
}

// testModel prefers unroll 8, which is missing, then 4 below half the range of length and 1 above.
func testModel(t *testing.T, hash, device string) []byte {
	variant := func(text string) selector.Variant {
		v, err := selector.Parse("K.1/nest/independent/goroutine/num_threads=1,unroll_1=" + text)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	m := &selector.Model{Kernel: "K", Hash: hash, Platform: "goroutine", Device: device, Computations: []*selector.Classifier{{
		Computation: "K.1", Features: []selector.Scaling{{Name: selector.Length, Unit: "elements", Low: 0, High: 100}},
		Variants: []selector.Variant{variant("8"), variant("4"), variant("1")},
		Machine:  &selector.SVM{Gamma: 4, Bias: []float64{1, 1, -0.5}, Support: [][]float64{{0}}, Weights: [][]float64{{0, 0, 1}}},
		Summary:  selector.Summary{Inputs: 9, Measurements: "m"},
	}}}
	text, err := selector.FormatModels([]*selector.Model{m})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func decide(t *testing.T, k *Kernel, length float64, opts ...Option) (Decision, error) {
	t.Helper()
	var c Call
	c.Init(k, opts)
	err := c.Choose(0, Feature(selector.Length, "elements", length))
	return c.Decisions()[0], err
}

func TestOrderOfTrust(t *testing.T) {
	k := testKernel()
	want := func(d Decision, err error, by, setting string) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		if d.Selector != by || !strings.Contains(d.Variant.String(), setting) {
			t.Errorf("%s by %s (%s), want %s by %s", d.Variant, d.Selector, d.Reason, setting, by)
		}
	}
	d, err := decide(t, k, 10)
	want(d, err, "untrained", "K.1")
	if note := k.UseModel(testModel(t, "h1", testDevice)); note != "" {
		t.Fatal(note)
	}
	for range 2 { // the second time it is remembered
		d, err = decide(t, k, 10)
		want(d, err, "svm", "unroll_1=4")
		if r := d.Ranking(); len(r) != 3 || !strings.Contains(r[0].Variant.String(), "unroll_1=8") || !strings.Contains(d.Reason, "number 2") {
			t.Errorf("ranking %v, reason %s", r, d.Reason)
		}
		d, err = decide(t, k, 90)
		want(d, err, "svm", "unroll_1=1")
	}
	d, err = decide(t, k, 10, Variant("unroll_1=1"))
	want(d, err, "forced", "unroll_1=1")
	d, err = decide(t, k, 10, Select(selector.Untrained{}))
	want(d, err, "untrained", "K.1")
	d, err = decide(t, k, 10, Variant("num_threads=3"), Threads(3))
	want(d, err, "forced", "num_threads=3") // which the model does not know
	d, err = decide(t, k, 1e6)
	want(d, err, "untrained", "K.1")
	if !strings.Contains(d.Reason, "; svm does not decide: length 1e+06 is far from the 0 to 100") {
		t.Error(d.Reason)
	}
	if note := k.UseModel(nil); note != "" {
		t.Error(note)
	}
	d, err = decide(t, k, 10)
	want(d, err, "untrained", "K.1")
}

// TestObserve is told every choice, also where a bound kernel keeps that of the run before.
func TestObserve(t *testing.T) {
	var said []string
	var c Call
	c.Init(testKernel(), []Option{Observe(func(d *Decision) { said = append(said, d.Variant.String()) })})
	for range 3 {
		if err := c.Choose(0, Feature(selector.Length, "elements", 10)); err != nil {
			t.Fatal(err)
		}
	}
	if want := c.Decisions()[0].Variant.String(); len(said) != 3 || said[0] != want || said[2] != want {
		t.Errorf("observed %q, want %q three times", said, want)
	}
}

// Rankers are asked in the order of trust: what is far from all that a model was trained on goes to the thresholds,
// which are asked for nothing else, and what these do not know to the untrained rules; all of that is explained.
func TestNextInTheChain(t *testing.T) {
	models, err := selector.ParseModels(testModel(t, "h1", testDevice))
	if err != nil {
		t.Fatal(err)
	}
	of := models[0].Computations[0]
	thresholds := &selector.Classifier{Computation: of.Computation, Features: of.Features, Variants: of.Variants[1:], Summary: of.Summary,
		Machine: &selector.Thresholds{Branches: []selector.Branch{{Features: []int{0}, Limit: 5000, Above: 2}, {Leaf: 0}, {Leaf: 1}}, Variants: []int{0, 1}}}
	models[0].Computations = append(models[0].Computations, thresholds)
	text, err := selector.FormatModels(models)
	if err != nil {
		t.Fatal(err)
	}
	k := testKernel()
	if note := k.UseModel(text); note != "" {
		t.Fatal(note)
	}
	for _, c := range []struct {
		length      float64
		by, setting string
		reason      string
	}{
		{90, "svm", "unroll_1=1", "of 3 variants in the model"},
		{1000, "threshold", "unroll_1=4", "; svm does not decide: length 1000 is far from the 0 to 100 that it was trained on"},
		{9000, "threshold", "unroll_1=1", "; svm does not decide: length 9000 is far"},
		{math.NaN(), "untrained", "K.1", "; svm does not decide: the feature length is not a number; threshold does not decide: the feature length is not a number"},
	} {
		var said bytes.Buffer
		d, err := decide(t, k, c.length, Explain(&said))
		if err != nil || d.Selector != c.by || !strings.Contains(d.Variant.String(), c.setting) || !strings.Contains(d.Reason, c.reason) || !strings.Contains(said.String(), c.reason) {
			t.Errorf("%g: %v, %s by %s: %s\n%s", c.length, err, d.Variant, d.Selector, d.Reason, said.String())
		}
	}
}

// A model all of whose variants take more threads than are allowed does not decide, and that is said.
func TestModelOfMoreThreads(t *testing.T) {
	text := string(testModel(t, "h1", testDevice))
	models, err := selector.ParseModels([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range models[0].Computations[0].Variants {
		v.Policy[slices.IndexFunc(v.Policy, func(s selector.Setting) bool { return s.Name == "num_threads" })].Value = "2"
	}
	more, err := selector.FormatModels(models)
	if err != nil {
		t.Fatal(err)
	}
	k := testKernel()
	if note := k.UseModel(more); note != "" {
		t.Fatal(note)
	}
	d, err := decide(t, k, 10, Threads(1))
	if err != nil || d.Selector != "untrained" || !strings.Contains(d.Reason, "; svm does not decide: all of its variants take more threads") {
		t.Errorf("%v: %s: %s", err, d.Selector, d.Reason)
	}
}

// A model that prefers a variant which the program was generated without goes on with the next, and says so; one that
// is asked for by name is refused with the command that adds it.
func TestModelOfOmittedVariants(t *testing.T) {
	k := testKernel()
	c := k.Computations[0]
	c.Codes, c.Omitted = c.Codes[:2], 1
	if note := k.UseModel(testModel(t, "h1", testDevice)); note != "" {
		t.Fatal(note)
	}
	const missing = "K.1/nest/independent/goroutine/num_threads=1,unroll_1=8"
	v, err := selector.Parse(missing)
	if err != nil {
		t.Fatal(err)
	}
	d, err := decide(t, k, 10)
	if err != nil || d.Selector != "svm" || !strings.Contains(d.Variant.String(), "unroll_1=4") ||
		!strings.Contains(d.Reason, v.ID()+", which it prefers, is not in this program: run surge generate") {
		t.Errorf("%v: %s by %s: %s", err, d.Variant, d.Selector, d.Reason)
	}
	if d, err = decide(t, testKernelWithModel(t), 10); err != nil || strings.Contains(d.Reason, "not in this program") {
		t.Errorf("%v: what this machine cannot run: %s", err, d.Reason)
	}
	_, err = decide(t, k, 10, Variant(missing))
	if err == nil || !strings.Contains(err.Error(), "generated with 2 of the 3 variants of K.1: surge generate --variants all") {
		t.Errorf("%v", err)
	}
}

func testKernelWithModel(t *testing.T) *Kernel {
	k := testKernel()
	if note := k.UseModel(testModel(t, "h1", testDevice)); note != "" {
		t.Fatal(note)
	}
	return k
}

// What is wrong with an embedded model is said once, and nothing fails.
func TestModelsThatDoNotFit(t *testing.T) {
	for name, c := range map[string]struct {
		text []byte
		want string
	}{
		"corrupt":         {[]byte("surge model 2\nkernel"), "cut"},
		"another version": {testModel(t, "h2", testDevice), "the kernel has changed"},
		"another device":  {testModel(t, "h1", "elsewhere"), "another device"},
		"good":            {testModel(t, "h1", testDevice), ""},
		"missing":         {nil, ""},
	} {
		files := fstest.MapFS{}
		if c.text != nil {
			files["surge.model"] = &fstest.MapFile{Data: c.text}
		}
		k := testKernel()
		Embed(files, "surge.model", k)
		var said bytes.Buffer
		for i := range 3 {
			d, err := decide(t, k, 10+float64(i), Explain(&said))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if want := map[bool]string{true: "svm", false: "untrained"}[name == "good"]; d.Selector != want {
				t.Errorf("%s: chosen by %s", name, d.Selector)
			}
		}
		if n := strings.Count(said.String(), "is not used"); c.want != "" && (n != 1 || !strings.Contains(said.String(), c.want)) || c.want == "" && n != 0 {
			t.Errorf("%s: said %d times:\n%s", name, n, said.String())
		}
	}
}

// Calls of several goroutines share what a kernel knows.
func TestChooseConcurrently(t *testing.T) {
	k := testKernel()
	Embed(fstest.MapFS{"surge.model": &fstest.MapFile{Data: testModel(t, "h1", testDevice)}}, "surge.model", k)
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 200 {
				length := float64((g + i) % 3 * 40)
				d, err := decide(t, k, length)
				if want := map[bool]string{true: "unroll_1=4", false: "unroll_1=1"}[length < 60]; err != nil || !strings.Contains(d.Variant.String(), want) {
					t.Errorf("%v: %s, %v", length, d.Variant, err)
					return
				}
			}
		})
	}
	wg.Wait()
}

func BenchmarkChoose(b *testing.B) {
	k := testKernel()
	k.UseModel(testModel(&testing.T{}, "h1", testDevice))
	var c Call
	c.Init(k, nil)
	for name, step := range map[string]float64{"same features": 0, "new features": 1} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			length := 1.0
			for b.Loop() {
				if err := c.Choose(0, Feature(selector.Length, "elements", length)); err != nil {
					b.Fatal(err)
				}
				length = float64(int(length+step) % 100)
			}
		})
	}
}
