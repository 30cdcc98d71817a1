package training

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/selector"
)

// other counts inputs of the kernel that are of another version of it, or of another device.
func (m *Measurements) other(kernel, hash, device string) (versions, devices int) {
	for _, key := range m.order {
		switch in := m.inputs[key]; {
		case in.Kernel != kernel:
		case in.Hash != hash:
			versions++
		case in.Device != device:
			devices++
		}
	}
	return versions, devices
}

// recorded lists the inputs of a kernel's version on a device, in the order of the file, by name.
func (m *Measurements) recorded(hash, device string) (ids, names []string) {
	for _, key := range m.order {
		if key.hash != hash || key.device != device || slices.Contains(ids, key.input) {
			continue
		}
		ids, names = append(ids, key.input), append(names, m.inputs[key].Name)
	}
	return ids, names
}

// devicesOf returns the devices of a platform that there are measurements of a kernel's version for.
func (m *Measurements) devicesOf(hash, platform string) []string {
	platforms := map[string]string{} // by device
	for _, key := range m.order {
		v, err := selector.Parse(m.inputs[key].Untrained)
		choice := err == nil && v.Equal(selector.OnPlatform(m.inputs[key].Kernel, v.Platform)) // see Platforms
		if key.hash != hash || err != nil || choice {
			continue
		}
		// What a device has no code for runs on the processors.
		if p := platforms[key.device]; p == "" || p == selector.Host {
			platforms[key.device] = v.Platform
		}
	}
	var all []string
	for _, device := range slices.Sorted(maps.Keys(platforms)) {
		if platforms[device] == platform {
			all = append(all, device)
		}
	}
	return all
}

// seconds is how long the recorded runs on inputs took, all together.
func (m *Measurements) seconds(hash, device, computation string, inputs []string, only func(input, variant string) bool) float64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	total := 0.0
	for _, id := range inputs {
		if in := m.inputs[inputKey{hash, device, computation, id}]; in != nil {
			for _, text := range in.order { // in order: sums of floats depend on it
				if only == nil || only(id, text) {
					total += in.variants[text].took / 1e9
				}
			}
		}
	}
	return total
}

// Replay lets the trainer's strategy search among recorded measurements of inputs, without timing anything: Fit then
// knows no others. It returns the part of the measuring time that the search took of that for all, of all algorithms
// for the kernel.
func (t *Trainer) Replay(inputs []string) float64 {
	picked := map[[2]string]bool{}
	for _, id := range inputs {
		for _, c := range t.Kernel.Computations {
			in := t.Store.find(t.Kernel.Hash, t.Device, c.Name, id)
			if in == nil {
				continue
			}
			var all []selector.Variant
			for _, text := range in.order {
				if v, err := selector.Parse(text); err == nil {
					all = append(all, v)
				}
			}
			var features []selector.Feature
			for _, f := range in.Features {
				features = append(features, selector.Feature{Name: f.Name, Unit: f.Unit, Value: float64(f.Value)})
			}
			known := map[string]float64{}
			for {
				next := t.Strategy.Pick(c.Name, features, all, known)
				if len(known) == 0 {
					known[in.Untrained] = in.recorded(in.Untrained)
				} else if len(next) == 0 {
					break
				}
				for _, v := range next {
					known[v.String()] = in.recorded(v.String())
				}
			}
			for text := range known {
				picked[[2]string{id, text}] = true
			}
		}
	}
	algorithm := t.Kernel.Name + selector.AlgorithmNumber + "/"
	t.only = func(input, variant string) bool {
		return picked[[2]string{input, variant}] || strings.HasPrefix(variant, algorithm)
	}
	for _, a := range t.Alternatives {
		a.Strategy = t.Strategy
		a.Replay(inputs)
	}
	// What matters in the end is compared on every input.
	if matter, err := t.Finalists(inputs); err == nil {
		for _, id := range inputs {
			for _, vs := range matter {
				for _, v := range vs {
					picked[[2]string{id, v.String()}] = true
				}
			}
		}
	}
	part, all := 0.0, 0.0
	for _, a := range append([]*Trainer{t}, t.Alternatives...) {
		for _, c := range a.Kernel.Computations {
			part += t.Store.seconds(a.Kernel.Hash, a.Device, c.Name, inputs, a.only)
			all += t.Store.seconds(a.Kernel.Hash, a.Device, c.Name, inputs, nil)
		}
	}
	return part / all
}

// recorded is the time of a variant as a search sees it, 0 where it failed or was given up.
func (in *measuredInput) recorded(text string) float64 {
	v := in.variants[text]
	if v == nil || v.status != OK || len(v.times) == 0 {
		return 0
	}
	return lowerQuartile(v.times)
}

// Recorded returns the identities of inputs that were measured before and whose names end in one of the given names;
// all for none. It is how training is replayed without inputs.
func (t *Trainer) Recorded(names []string) ([]string, error) {
	if len(t.Store.recordedOn(t.Kernel.Hash, t.Device)) == 0 {
		// Replaying what another machine measured is fine: the model is for that one.
		if devices := t.Store.devicesOf(t.Kernel.Hash, t.Platform); len(devices) == 1 {
			t.Device = devices[0]
		} else if len(devices) > 1 {
			return nil, &Error{Where: t.Kernel.Name, Code: CodeMeasurements, What: fmt.Sprintf("the measurements are of %d other devices", len(devices)), Why: strings.Join(devices, "; "), Do: "replay those of one device"}
		}
	}
	ids, recorded := t.Store.recorded(t.Kernel.Hash, t.Device)
	var found []string
	for i, id := range ids {
		t.Names[id] = recorded[i]
		if len(names) == 0 || slices.Contains(names, recorded[i]) {
			found = append(found, id)
		}
	}
	if len(found) == 0 {
		versions, _ := t.Store.other(t.Kernel.Name, t.Kernel.Hash, t.Device)
		e := &Error{Where: t.Kernel.Name, Code: CodeMeasurements, What: "no measurements of these inputs are recorded",
			Do: "leave --replay out, to measure them, or name the file that has them with --measurements"}
		if versions > 0 {
			e.Why = fmt.Sprintf("%s recorded for another version of the kernel (its hash is now %s)", plural(versions, "input"), t.Kernel.Hash)
		}
		return nil, e
	}
	return found, nil
}

func (m *Measurements) recordedOn(hash, device string) []string {
	ids, _ := m.recorded(hash, device)
	return ids
}
