package exec

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/selector"
)

// slowDevice is a device that no rule prefers, with a name for models.
type slowDevice struct{ *fakeDevice }

func (slowDevice) Accelerated() (int, bool) { return 1024, false }
func (slowDevice) Device() string           { return "a slow device" }

// twoPlatforms is a kernel with code for the processors and for a device.
func twoPlatforms(d Func) *Kernel {
	k := &Kernel{Name: "K", Pos: "k.go:1", Hash: "h1"}
	k.Computations = []*Computation{{Name: "K.1", Codes: []Code{
		{Text: "K.1/nest/sequential/goroutine", Func: increment{}}, {Text: "K.1/nest/independent/opencl", Func: d}}}}
	return k
}

// choosing is a model file that takes the device from a length on that depends on where the arrays are: 500 of 0 to
// 1000 on the host, 200 on the device.
func choosing(t *testing.T, devices map[string]string) []byte {
	t.Helper()
	var models []*selector.Model
	for choice, from := range map[string]float64{selector.PlatformChoice: 0.5, selector.ResidentChoice: 0.2} {
		// The nearer of two support vectors decides.
		models = append(models, &selector.Model{Kernel: "K", Hash: "h1", Platform: choice, Device: selector.Machines(devices), Computations: []*selector.Classifier{{
			Computation: "K.0", Features: []selector.Scaling{{Name: selector.Length, Unit: "elements", Low: 0, High: 1000}},
			Variants: []selector.Variant{selector.OnPlatform("K", "goroutine"), selector.OnPlatform("K", "opencl")},
			Machine:  &selector.SVM{Gamma: 4, Bias: []float64{0}, Support: [][]float64{{from - 0.2}, {from + 0.2}}, Weights: [][]float64{{1}, {-1}}},
			Summary:  selector.Summary{Inputs: 9, Measurements: "m"},
		}}})
	}
	text, err := selector.FormatModels(models)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func platformFor(t *testing.T, k *Kernel, length float64, opts ...Option) (platform string, c *Call) {
	t.Helper()
	c = new(Call)
	c.Init(k, opts)
	if err := c.Choose(0, Feature(selector.Length, "elements", length)); err != nil {
		t.Fatal(err)
	}
	return c.decisions[0].Variant.Platform, c
}

// A decision for arrays that are copied is none for arrays that stay on the device, and none for more of them.
func TestCopiesDecide(t *testing.T) {
	k := fakeKernel(&fakeDevice{name: "d"}, "independent goroutine")
	k.Computations[0].Costs = []selector.LevelCost{{Operations: 1000, Runs: 1, Scalarised: []float64{0}}}
	k.Computations[0].accelerator = "opencl"
	platform := func(bytes int, opts ...Option) string {
		t.Helper()
		var c Call
		c.Init(k, append(opts, Threads(1)))
		if err := c.Separate(Flat("x", make([]byte, bytes))); err != nil {
			t.Fatal(err)
		}
		if err := c.Choose(0, Feature(selector.Length, "elements", 1000)); err != nil {
			t.Fatal(err)
		}
		return c.Decisions()[0].Variant.Platform
	}
	for range 2 {
		for i, got := range []string{platform(1 << 26), platform(1<<26, Resident(new(Memory))), platform(8), platform(1 << 26)} {
			if want := []string{"goroutine", "opencl", "opencl", "goroutine"}[i]; got != want {
				t.Errorf("%d: %s, want %s", i, got, want)
			}
		}
	}
}

func TestModelsChooseThePlatform(t *testing.T) {
	k := twoPlatforms(slowDevice{&fakeDevice{name: "d"}})
	check := func(what string, length float64, want string, opts ...Option) *Call {
		t.Helper()
		for range 2 { // the second time it is remembered
			if got, _ := platformFor(t, k, length, opts...); got != want {
				t.Errorf("%s: %s for %v elements, want %s", what, got, length, want)
			}
		}
		_, c := platformFor(t, k, length, opts...)
		return c
	}
	c := check("without a model", 900, "goroutine")
	if d := c.Decisions(); len(d) != 1 || !strings.Contains(d[0].Reason, "no model says which platform is faster for arrays on the host, copies counted") {
		t.Errorf("%+v", d)
	}
	if note := k.UseModel(choosing(t, k.Devices())); note != "" {
		t.Fatal(note)
	}
	c = check("on the host", 300, "goroutine")
	if d := c.Decisions(); len(d) != 2 || d[0].Computation != "K.0" || d[0].Variant.Platform != "goroutine" || d[0].Selector != "svm" || !strings.Contains(d[0].Reason, "the platform, for arrays on the host, copies counted: of 2 variants") || len(d[0].Ranking()) != 2 {
		t.Errorf("%+v", d)
	}
	check("on the host", 700, "opencl")
	var m Memory
	check("resident", 100, "goroutine", Resident(&m))
	check("resident", 300, "opencl", Resident(&m))
	check("on the host again", 300, "goroutine")
	check("asked for", 900, "goroutine", Platform("goroutine"))
	check("asked for", 100, "opencl", Platform("opencl"))
	check("left open", 900, "opencl", Platform("auto"))
	check("a variant that is asked for", 900, "goroutine", Variant("sequential"))
	c = check("far from what was measured", 1e6, "goroutine")
	if d := c.Decisions(); len(d) != 1 || !strings.Contains(d[0].Reason, "for the platform, svm does not decide: length 1e+06 is far from") {
		t.Errorf("%+v", d)
	}
	var said bytes.Buffer
	check("explained", 900, "opencl", Explain(&said))
	if lines := strings.Split(said.String(), "\n"); !strings.Contains(lines[0], "K.0: ") || !strings.Contains(lines[0], "/none/opencl (svm: the platform, for arrays on the host") {
		t.Error(said.String())
	}
	if note := k.UseModel(choosing(t, map[string]string{"goroutine": testDevice, "opencl": "another"})); strings.Count(note, "trained on another device") != 1 {
		t.Error(note)
	}
	check("a model for another device", 900, "goroutine")
}

// A device that a model chose may still fail: the processors take over.
func TestChosenDeviceFails(t *testing.T) {
	d := &fakeDevice{name: "d"}
	k := twoPlatforms(slowDevice{d})
	k.UseModel(choosing(t, k.Devices()))
	var said bytes.Buffer
	_, c := platformFor(t, k, 900, Explain(&said))
	d.breaks = true
	f := &fakeFrame{x: 5}
	if err := runAll(t, c, f); err != nil || f.x != 6 || !strings.Contains(said.String(), "the goroutine platform takes over") {
		t.Errorf("%v, %d\n%s", err, f.x, said.String())
	}
	d.refuses = "opencl"
	if got, _ := platformFor(t, k, 800, Explain(&said)); got != "goroutine" {
		t.Error(got)
	}
}

// Calls that share a memory see each other's arrays, whichever platform they run on.
func TestPlatformsShareAMemory(t *testing.T) {
	d := &fakeDevice{name: "d"}
	k := twoPlatforms(slowDevice{d})
	var m Memory
	_, device := platformFor(t, k, 1, Platform("opencl"), Resident(&m))
	_, host := platformFor(t, k, 1, Platform("goroutine"), Resident(&m))
	f := &fakeFrame{x: 5}
	for i, c := range []*Call{device, host, device, host, host} { // 10, 11, 22, 23, 24
		if err := c.Run(context.Background(), 0, f); err != nil {
			t.Fatal(i, err)
		}
	}
	if f.x != 24 {
		t.Errorf("%d, want 24: %v", f.x, d.log)
	}
}

// The platform is chosen before the algorithm, once for all algorithms.
func TestPlatformBeforeAlgorithm(t *testing.T) {
	k, other := twoPlatforms(slowDevice{&fakeDevice{name: "d"}}), twoPlatforms(slowDevice{&fakeDevice{name: "d"}})
	other.Name, k.Alternatives = "L", []*Kernel{other}
	k.UseModel(choosing(t, k.Devices()))
	n, opts := Algorithm(k, nil)
	var c, d Call
	c.Init(k, opts)
	if m := c.ChooseAlgorithm(Feature(selector.Length, "elements", 900)); n != 0 || m != 0 {
		t.Fatal(n, m)
	}
	d.Init(other, opts) // as if the other algorithm had been chosen
	if err := d.Choose(0, Feature(selector.Length, "elements", 1)); err != nil {
		t.Fatal(err)
	}
	all := c.WithAlgorithm(d.Decisions())
	if len(all) != 2 || all[0].Computation != "K.0" || all[0].Variant.Platform != "opencl" || all[1].Variant.Platform != "opencl" {
		t.Errorf("%+v", all)
	}
}
