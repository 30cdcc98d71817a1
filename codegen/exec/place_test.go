package exec

import (
	"context"
	"errors"
	"strings"
	"testing"
	"unsafe"

	"github.com/surge-ndp/surge/selector"
)

// fakeDevice is a device that doubles a number where it keeps it.
type fakeDevice struct {
	name    string
	refuses string // variants whose text has this cannot be prepared
	breaks  bool   // runs fail
	log     []string
}

type fakeFrame struct{ x int }

func (d *fakeDevice) Available(int) string      { return "" }
func (d *fakeDevice) Accelerated() (int, bool)  { return 1024, true }
func (d *fakeDevice) Open() (Place, error)      { return &fakePlace{device: d}, nil }
func (d *fakeDevice) On(n string) (Func, error) { return &fakeDevice{name: n}, nil }
func (d *fakeDevice) Prepare(v selector.Variant) (Launch, error) {
	if d.refuses != "" && strings.Contains(v.String(), d.refuses) {
		return nil, &DeviceError{Platform: "opencl", Device: d.name, Detail: "refused"}
	}
	return d, nil
}
func (d *fakeDevice) Run(context.Context, any) error { return errors.New("run without a place") }

func (d *fakeDevice) Begin(_ any, p Place, resident bool) error {
	if !resident {
		p.(*fakePlace).valid = false
	}
	return nil
}

func (d *fakeDevice) RunIn(_ context.Context, frame any, p Place) error {
	if d.breaks {
		return &DeviceError{Platform: "opencl", Device: d.name, Detail: "lost"}
	}
	q := p.(*fakePlace)
	if !q.valid {
		q.x, q.valid = frame.(*fakeFrame).x, true
		d.log = append(d.log, "up")
	}
	q.x *= 2
	q.dirty, q.frame = true, frame.(*fakeFrame)
	d.log = append(d.log, "run")
	return nil
}

type fakePlace struct {
	device       *fakeDevice
	x            int
	valid, dirty bool
	frame        *fakeFrame
}

func (p *fakePlace) Device() string              { return p.device.name }
func (p *fakePlace) Wait() error                 { return nil }
func (p *fakePlace) Home(any, bool) error        { return p.Fetch(nil, 0) }
func (p *fakePlace) Stale(any)                   { p.valid = false }
func (p *fakePlace) Close()                      { p.valid, p.dirty = false, false }
func (p *fakePlace) Changed(unsafe.Pointer, int) { p.valid, p.dirty = false, false }
func (p *fakePlace) Fetch(unsafe.Pointer, int) error {
	if p.dirty {
		p.frame.x, p.dirty = p.x, false
		p.device.log = append(p.device.log, "down")
	}
	return nil
}

// increment is code of the processors.
type increment struct{ fakeFunc }

func (increment) Prepare(selector.Variant) (Launch, error) { return increment{}, nil }
func (increment) Run(_ context.Context, frame any) error   { frame.(*fakeFrame).x++; return nil }

// muchWork is so much that a device is worth its start.
var muchWork = []selector.LevelCost{{Operations: 1e6, Runs: 1, Scalarised: []float64{0}}}

func fakeKernel(d *fakeDevice, platforms ...string) *Kernel {
	k := &Kernel{Name: "K", Pos: "k.go:1"}
	for i, list := range platforms {
		c := &Computation{Name: "K." + string(rune('1'+i)), Costs: muchWork}
		for _, p := range strings.Fields(list) {
			if p == "goroutine" {
				c.Codes = append(c.Codes, Code{Text: c.Name + "/nest/sequential/goroutine", Func: increment{}})
			} else {
				c.Codes = append(c.Codes, Code{Text: c.Name + "/nest/" + p + "/opencl", Func: d})
			}
		}
		k.Computations = append(k.Computations, c)
	}
	return k
}

func runAll(t *testing.T, c *Call, f *fakeFrame) error {
	t.Helper()
	for i := range c.kernel.Computations {
		if err := c.Run(context.Background(), i, f); err != nil {
			return err
		}
	}
	return nil
}

func choose(k *Kernel, opts ...Option) (*Call, error) {
	c := new(Call)
	c.Init(k, opts)
	for i := range k.Computations {
		if err := c.Choose(i, Feature(selector.Length, "elements", 1000)); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// Arrays go up when a device needs them, and come home when the processors do, or at the end.
func TestPlaces(t *testing.T) {
	d := &fakeDevice{name: "d"}
	c, err := choose(fakeKernel(d, "independent goroutine", "independent", "goroutine", "independent"))
	if err != nil {
		t.Fatal(err)
	}
	f := &fakeFrame{x: 3}
	if err := runAll(t, c, f); err != nil {
		t.Fatal(err)
	}
	if want := "up run run down up run down"; f.x != (3*2*2+1)*2 || strings.Join(d.log, " ") != want {
		t.Errorf("%d after %s, want %d after %s", f.x, strings.Join(d.log, " "), (3*2*2+1)*2, want)
	}
	f.x = 1
	if err := runAll(t, c, f); err != nil || f.x != (1*2*2+1)*2 {
		t.Errorf("the second run: %d, %v", f.x, err)
	}
}

// With a memory nothing moves between runs until the program asks.
func TestMemory(t *testing.T) {
	d := &fakeDevice{name: "d"}
	m := new(Memory)
	if err := m.Fetch(); err != nil { // nothing is there
		t.Fatal(err)
	}
	c, err := choose(fakeKernel(d, "independent"), Resident(m))
	if err != nil {
		t.Fatal(err)
	}
	other, err := choose(fakeKernel(d, "independent"), Resident(m))
	if err != nil {
		t.Fatal(err)
	}
	f := &fakeFrame{x: 1}
	for _, c := range []*Call{c, other, c} {
		if err := runAll(t, c, f); err != nil {
			t.Fatal(err)
		}
	}
	if log := strings.Join(d.log, " "); f.x != 1 || log != "up run run run" {
		t.Errorf("%d after %s", f.x, log)
	}
	if err := m.Fetch([]int{1}); err != nil || f.x != 8 {
		t.Error(f.x, err)
	}
	f.x = 5
	if err := m.Changed(); err != nil {
		t.Fatal(err)
	}
	if err := runAll(t, c, f); err != nil {
		t.Fatal(err)
	}
	m.Release()
	if err := runAll(t, c, f); err != nil { // a new place
		t.Fatal(err)
	}
	if err := m.Fetch(); err != nil || f.x != 10 {
		t.Error(f.x, err)
	}
	if _, err := choose(fakeKernel(&fakeDevice{name: "e"}, "independent"), Resident(m)); err == nil || !strings.Contains(err.Error(), "another device") {
		t.Error(err)
	}
	if m.Fetch(7) == nil || m.Changed("x") == nil {
		t.Error("what is no slice was taken")
	}
}

// A variant that a device refuses gives way to another, and at last to the processors, unless the options exclude that.
func TestRefused(t *testing.T) {
	d := &fakeDevice{name: "d", refuses: "/independent/"}
	k := fakeKernel(d, "independent cooperative goroutine")
	var said strings.Builder
	c, err := choose(k, Explain(&said), Platform("opencl"))
	if err != nil || c.Decisions()[0].Variant.Schedule != "cooperative" {
		t.Fatal(err, said.String())
	}
	d.refuses = "/opencl"
	if _, err := choose(k, Platform("opencl")); err == nil || !strings.Contains(err.Error(), "opencl on d: refused") {
		t.Error(err)
	}
	if _, err := choose(k, Variant("independent/opencl")); err == nil {
		t.Error("another variant than the one that was asked for")
	}
	said.Reset()
	c, err = choose(k, Explain(&said))
	if err != nil || c.Decisions()[0].Variant.Platform != "goroutine" || strings.Count(said.String(), "refused") != 2 || !strings.Contains(said.String(), "the first choice failed") {
		t.Error(err, said.String())
	}
	if _, err := choose(k, Device("other"), Platform("opencl")); err != nil { // which refuses nothing
		t.Error(err)
	}
}

// A device that is lost in a run gives way to the processors, which compute again what was only there.
func TestLost(t *testing.T) {
	d := &fakeDevice{name: "d"}
	k := fakeKernel(d, "goroutine", "independent goroutine")
	var said strings.Builder
	c, err := choose(k, Explain(&said))
	if err != nil || c.Decisions()[1].Variant.Platform != "opencl" {
		t.Fatal(err)
	}
	d.breaks = true
	f := &fakeFrame{x: 1}
	for run := range 2 {
		if err := runAll(t, c, f); err != nil || f.x != 1+2*(run+1) {
			t.Fatal(err, f.x)
		}
	}
	if n := strings.Count(said.String(), "takes over"); n != 1 || c.Decisions()[1].Variant.Platform != "goroutine" {
		t.Errorf("said %d times:\n%s", n, said.String())
	}
	c, err = choose(k, Platform("opencl"))
	if err != nil {
		t.Fatal(err)
	}
	var failed *DeviceError
	if err := runAll(t, c, f); !errors.As(err, &failed) || failed.Detail != "lost" {
		t.Error(err)
	}
}

// identified is a device that models are kept for.
type identified struct{ fakeDevice }

func (*identified) Device() string { return "a device of tests" }

// Of models for several platforms that of an accelerator decides, unless the options name a platform.
func TestModelsOfPlatforms(t *testing.T) {
	variant := func(text string) selector.Variant {
		v, err := selector.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	k := &Kernel{Name: "K", Hash: "h", Computations: []*Computation{{Name: "K.1", Costs: muchWork, Codes: []Code{
		{Text: "K.1/nest/independent/goroutine/unroll_1=1", Func: fakeFunc{}},
		{Text: "K.1/nest/independent/opencl/unroll_1=1", Func: &identified{}},
	}}}}
	var models []*selector.Model
	for platform, device := range map[string]string{"goroutine": testDevice, "opencl": "a device of tests"} {
		models = append(models, &selector.Model{Kernel: "K", Hash: "h", Platform: platform, Device: device, Computations: []*selector.Classifier{{
			Computation: "K.1", Machine: &selector.SVM{Gamma: 4}, Features: []selector.Scaling{{Name: selector.Length, Unit: "elements", Low: 0, High: 2000}},
			Variants: []selector.Variant{variant("K.1/nest/independent/" + platform + "/unroll_1=1")},
			Summary:  selector.Summary{Inputs: 9, Measurements: "m"},
		}}})
	}
	text, err := selector.FormatModels(models)
	if err != nil {
		t.Fatal(err)
	}
	if note := k.UseModel(text); note != "" {
		t.Fatal(note)
	}
	for want, opts := range map[string][]Option{"opencl": nil, "goroutine": {Platform("goroutine")}} {
		c, err := choose(k, opts...)
		if err != nil {
			t.Fatal(err)
		}
		if d := c.Decisions()[0]; d.Variant.Platform != want || d.Selector != "svm" {
			t.Errorf("%s by %s, want %s: %s", d.Variant, d.Selector, want, d.Reason)
		}
	}
}
