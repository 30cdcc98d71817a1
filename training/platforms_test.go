package training

import (
	"bytes"
	"fmt"
	"math"
	"path/filepath"
	"testing"

	"github.com/surge-ndp/surge/codegen/harness"
	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/training/fit"
)

// recordPlatforms writes measurements of two platforms on inputs of 10² to 10⁷ elements: the processors need 10 ns an
// element, the device 1 ns and 20 µs, and with copies 5 ns and 200 µs. So the device is faster from 2,222 elements on
// where the arrays stay there, and from 40,000 on where they do not.
func recordPlatforms(t *testing.T, p *Platforms, steps int) (ids []string) {
	t.Helper()
	host := p.Trainers[0]
	put := func(r record) {
		t.Helper()
		if err := host.Store.put(r); err != nil {
			t.Fatal(err)
		}
	}
	for step := range steps {
		n := math.Round(100 * math.Pow(1e5, float64(step)/float64(steps-1)))
		id := fmt.Sprintf("input %d", step)
		ids = append(ids, id)
		for _, choice := range p.Choices() {
			intro := host.record("SpMV.0", id)
			intro.Device, intro.Name, intro.Features = p.device(choice), id, []harness.Feature{{Name: selector.Length, Unit: "elements", Value: harness.Float(n)}}
			intro.Untrained = selector.OnPlatform("SpMV", "goroutine").String()
			put(intro)
			device := 2e5 + 5*n
			if choice == selector.ResidentChoice {
				device = 2e4 + n
			}
			for round := 1; round <= ComparePasses*algorithmRounds; round++ {
				noise := 1 + 0.01*float64((round*7+step)%5)
				for platform, ns := range map[string]float64{"goroutine": 10 * n, "opencl": device} {
					line := host.record("SpMV.0", id)
					line.Device, line.Variant = p.device(choice), selector.OnPlatform("SpMV", platform).String()
					line.Status, line.Final, line.Round, line.Times = OK, 1, round, []float64{noise * ns, 1.1 * noise * ns}
					put(line)
				}
			}
		}
	}
	return ids
}

func platformTrainers(store *Measurements) *Platforms {
	p := &Platforms{}
	for platform, device := range map[string]string{"goroutine": "test device", "opencl": "another device"} {
		tr := &Trainer{Kernel: &harness.KernelInfo{Name: "SpMV", Hash: "fixture", Computations: []harness.ComputationInfo{{Name: "SpMV.1"}}},
			Platform: platform, Device: device, Store: store, Names: map[string]string{}}
		if p.Trainers = append(p.Trainers, tr); platform == "goroutine" {
			p.Trainers[0], p.Trainers[len(p.Trainers)-1] = tr, p.Trainers[0]
		}
	}
	return p
}

// The platform is learned from recorded measurements: the same model every time, another choice for arrays on the
// device than for arrays on the host, and better than always the same platform.
func TestLearnThePlatform(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.jsonl")
	store, err := OpenMeasurements([]string{path}, false)
	if err != nil {
		t.Fatal(err)
	}
	ids := recordPlatforms(t, platformTrainers(store), 31)
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	var texts [2][]byte
	for i := range texts {
		again, err := OpenMeasurements([]string{path}, true)
		if err != nil || len(again.Warnings) > 0 {
			t.Fatal(err, again.Warnings)
		}
		var train, test []string
		for j, id := range ids {
			if j%3 == 1 {
				test = append(test, id)
			} else {
				train = append(train, id)
			}
		}
		p := platformTrainers(again)
		learned, err := p.Fit(train, test)
		if err != nil {
			t.Fatal(err)
		}
		for c, l := range learned {
			j := l.Judged[0]
			if lost := fit.Lost(l.Judged); lost != nil || j.Method(fit.ByModel).Mean > 0.02 || j.Method(fit.BySingle).Mean < 0.1 || j.Method(fit.ByUntrained).Mean < 0.1 {
				t.Errorf("%s: lost %+v, mean regret %.3f, single %.3f, untrained %.3f", p.Choices()[c], lost, j.Method(fit.ByModel).Mean, j.Method(fit.BySingle).Mean, j.Method(fit.ByUntrained).Mean)
			}
			if m := l.Models[0]; m.Platform != p.Choices()[c] || m.Device != "goroutine: test device; opencl: another device" {
				t.Errorf("%s on %s", m.Platform, m.Device)
			}
			merged, why, err := MergeModel(texts[i], l.Models[0])
			if err != nil || why != "" {
				t.Fatal(err, why)
			}
			texts[i] = merged
		}
	}
	if !bytes.Equal(texts[0], texts[1]) {
		t.Error("two models from the same measurements differ")
	}
	models, err := selector.ParseModels(texts[0])
	if err != nil || len(models) != 2 {
		t.Fatal(err, len(models))
	}
	for _, c := range []struct {
		n    float64
		want [2]string
	}{{300, [2]string{"goroutine", "goroutine"}}, {8000, [2]string{"goroutine", "opencl"}}, {1e6, [2]string{"opencl", "opencl"}}} {
		for i, m := range models {
			cl := m.Classifiers("SpMV.0")[0]
			verdict, ok := cl.Decide([]selector.Feature{{Name: selector.Length, Value: c.n}})
			if !ok || cl.Variants[verdict.Order[0]].Platform != c.want[i] {
				t.Errorf("%s, %v elements: %v by %v", m.Platform, c.n, cl.Variants[verdict.Order[0]], ok)
			}
		}
	}
}

// Which device measurements of a platform are of is told by their variants: also of another machine, and not mistaken
// for the choice of the platform.
func TestDevicesOfMeasurements(t *testing.T) {
	store, err := OpenMeasurements([]string{filepath.Join(t.TempDir(), "m.jsonl")}, false)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	recordPlatforms(t, platformTrainers(store), 2)
	for _, c := range []struct{ computation, device, untrained string }{
		{"SpMV.1", "there", "SpMV.1/nest/sequential/goroutine"},
		{"SpMV.1", "that one", "SpMV.1/nest/sequential/goroutine"}, // it has no code for the device
		{"SpMV.2", "that one", "SpMV.2/nest/independent/opencl"},
	} {
		r := record{Kernel: "SpMV", Hash: "fixture", Device: c.device, Computation: c.computation, Input: "i", Name: "i", Untrained: c.untrained}
		if err := store.put(r); err != nil {
			t.Fatal(err)
		}
	}
	for platform, want := range map[string]string{"goroutine": "[there]", "opencl": "[that one]"} {
		if got := fmt.Sprint(store.devicesOf("fixture", platform)); got != want {
			t.Errorf("%s: %s, want %s", platform, got, want)
		}
	}
}
