package exec

import (
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/surge-ndp/surge/selector"
)

// The choice of the platform comes first, where the options leave it open and the kernel has code for several that run
// here: by a model that was trained for it (surge train --platform auto), which knows what the copies to a device and
// back cost, and that they fall away where the call's arrays are [Resident]. Without such a model it is left
// to each computation: a platform with an accelerator where estimates say so, else the processors.

// targets are the choices of the platform: one for arrays on the host, and one for arrays on the device.
type targets struct {
	open    bool // there are several platforms
	of      [2]subject
	trained [2]bool                       // by a model
	last    [2]atomic.Pointer[remembered] // the latest decisions
}

// init makes the choice among the platforms of devices without models.
func (t *targets) init(k *Kernel, devices map[string]string) {
	t.open = len(devices) > 1
	var codes []selector.Code
	for _, platform := range slices.Sorted(maps.Keys(devices)) {
		codes = append(codes, selector.Code{Variant: selector.OnPlatform(k.Name, platform)})
	}
	for at := range t.of {
		t.of[at] = subject{codes, untrained}
	}
}

// where returns 1 for arrays on the device, 0 for arrays on the host.
func (c *Call) where() int {
	if c.opts.memory != nil {
		return 1
	}
	return 0
}

var places = [2]string{"on the host, copies counted", "on the device"}

// findTargets takes the models that choose the platform from those of a file. why says so if none fits.
func (k *Kernel) findTargets(models []*selector.Model, devices map[string]string, fitting *usable) (why string) {
	t := &fitting.targets
	if !t.open {
		return ""
	}
	for at, name := range [2]string{selector.PlatformChoice, selector.ResidentChoice} {
		m, other := selector.FindModel(models, k.Name, k.Hash, name, selector.Machines(devices))
		if m != nil {
			other = k.changed(m)
		}
		if m == nil || other != "" {
			if why == "" {
				why = other
			}
			continue
		}
		all := slices.DeleteFunc(m.Classifiers(k.Name+selector.AlgorithmNumber), func(cl *selector.Classifier) bool {
			return slices.ContainsFunc(cl.Variants, func(v selector.Variant) bool { return devices[v.Platform] == "" })
		})
		t.of[at].chain, t.trained[at] = fitting.rankers(k, -1, all, t.of[at].codes, always), len(all) > 0
		fitting.trained = fitting.trained || t.trained[at]
	}
	return why
}

// choosePlatform makes the first choice of a call; the features are those of the kernel's first computation.
func (c *Call) choosePlatform(features []selector.Feature) {
	s := c.opts.settled
	if s == nil {
		s = new(settled)
		c.opts.settled = s
	}
	if s.done {
		return
	}
	s.done, c.settles = true, true
	if c.platform() != "" || len(c.opts.variants) > 0 || c.opts.selector != nil {
		return
	}
	t, at := &c.models().targets, c.where()
	if !t.open {
		return
	}
	if r := t.last[at].Load(); r.same(c, features) {
		s.decision = r.decision
	} else {
		first := t.of[at]
		in := selector.Input{Question: selector.OfTargets, Computation: c.kernel.Name + selector.AlgorithmNumber, Features: features, Codes: first.codes}
		ranking, err := first.chain.Rank(in)
		if err != nil {
			return
		}
		by, trained := ranking.By.(selector.Weigher)
		if !trained { // it is left to each computation, by the same rule
			s.note = "; no model says which platform is faster for arrays " + places[at]
			if ranking.Passed != "" {
				s.note = "; for the platform, " + ranking.Passed + c.trouble
			}
			return
		}
		s.decision = Decision{Computation: in.Computation, Variant: ranking.Choices[0].Variant, Selector: by.Name(), Features: slices.Clone(features), by: by,
			Reason: fmt.Sprintf("the platform, for arrays %s: %s", places[at], ranking.Choices[0].Reason)}
		t.last[at].Store(&remembered{threads: c.opts.threads, cores: runtime.GOMAXPROCS(0), device: c.opts.device, decision: s.decision})
	}
	if w := c.opts.explain; w != nil {
		explain(w, &s.decision)
	}
}

// settled is the choice of the platform for a call, which its algorithms share.
type settled struct {
	done     bool
	decision Decision // without a variant if no model made it
	note     string   // why not: a part of the reason for the kernel's first variant
}

// withPlatform returns decisions with that on the platform before them, if a model made that in this call.
func (c *Call) withPlatform(decisions []Decision) []Decision {
	if !c.settles || c.opts.settled.decision.Computation == "" {
		return decisions
	}
	return append([]Decision{c.opts.settled.decision}, decisions...)
}

// chosen is the platform that the options ask for, or a model chose; "" if it is open.
func (c *Call) chosen() string {
	if p := c.platform(); p != "" || c.opts.settled == nil {
		return p
	}
	return c.opts.settled.decision.Variant.Platform
}

// preferred is the platform to choose a variant of a computation for when the options leave it open and no model
// chooses it, and why, where there is a device to choose.
func (c *Call) preferred(comp *Computation, codes []selector.Code, features []selector.Feature) (platform, why string) {
	in := selector.Input{Question: selector.OfTargets, Computation: comp.Name, Strided: comp.Strided, Costs: comp.Costs, Forms: comp.Forms, Features: features,
		Threads: c.opts.threads, Cores: runtime.GOMAXPROCS(0), Accelerator: comp.accelerator, Workgroup: comp.workgroup, Copied: c.toCopy(), Codes: codes}
	r, err := untrained.Rank(in)
	if err != nil {
		return "", ""
	}
	if comp.accelerator != "" && in.Copied >= 0 {
		why = "; the platform: " + r.Choices[0].Reason
	}
	return r.Choices[0].Variant.Platform, why
}

// toCopy is how many bytes a run copies to a device, negative where that does not count: arrays stay there, the options
// name the device, or what is copied once serves for all turns of a loop.
func (c *Call) toCopy() float64 {
	if c.opts.memory != nil || c.opts.device != "" || c.kernel.Tree {
		return -1
	}
	return float64(c.copied)
}

// platformOf returns the platform to choose a variant of a computation for, among codes. why says by what estimate, or
// why it is another than the one that was chosen for the kernel.
func (c *Call) platformOf(comp *Computation, codes []selector.Code, features []selector.Feature) (platform, why string) {
	platform = c.chosen()
	switch {
	case platform == "":
		return c.preferred(comp, codes, features)
	case !comp.has(platform) && c.kernel.runsOn(platform):
		return selector.Host, "; there is no code for " + platform + comp.whyNone(platform)
	}
	return platform, ""
}
