package exec

import (
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/surge-ndp/surge/selector"
)

// The choice of the platform comes first, where the options leave it open and the kernel has code for several that run
// here: by a model that was trained for it (surge train --platform auto), which knows what the copies to a device and back
// cost, and that they fall away where the call's arrays are [Resident]. Without such a model it is a platform with an
// accelerator, else the processors.

// placing is what a kernel knows of the choice of the platform: a classifier for arrays on the host, and one for arrays on
// the device; nil where none was trained.
type placing struct {
	open        bool // there are several platforms
	classifiers [2]*selector.Classifier
	names       [2]string                     // of the selectors
	last        [2]atomic.Pointer[remembered] // the latest decisions
}

// where returns 1 for arrays on the device, 0 for arrays on the host.
func (c *Call) where() int {
	if c.opts.memory != nil {
		return 1
	}
	return 0
}

var places = [2]string{"on the host, copies counted", "on the device"}

// findPlacing takes the models that choose the platform from those of a file. why says so if none fits.
func (k *Kernel) findPlacing(models []*selector.Model, devices map[string]string, fitting *usable) (why string) {
	if !fitting.placing.open {
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
		cl := m.Classifier(k.Name + selector.AlgorithmNumber)
		if cl == nil || slices.ContainsFunc(cl.Variants, func(v selector.Variant) bool { return devices[v.Platform] == "" }) {
			continue
		}
		fitting.placing.classifiers[at], fitting.placing.names[at] = cl, m.Name()
		fitting.asked.add(k, -1, cl)
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
	p, at := &c.models().placing, c.where()
	cl := p.classifiers[at]
	if cl == nil {
		if p.open {
			s.note = "; no model says which platform is faster for arrays " + places[at] + ": a GPU is taken where there is one"
		}
		return
	}
	if r := p.last[at].Load(); r.same(c, features) {
		s.decision = r.decision
	} else {
		verdict, ok := cl.Decide(features)
		if !ok {
			s.note = "; the model does not choose the platform: " + cl.Refusal(features) + c.trouble
			return
		}
		first := int(verdict.Order[0])
		s.decision = Decision{Computation: cl.Computation, Variant: cl.Variants[first], Selector: p.names[at], Features: slices.Clone(features), classifier: cl,
			Reason: fmt.Sprintf("the platform, for arrays %s: %s", places[at], cl.Reason(0))}
		p.last[at].Store(&remembered{threads: c.opts.threads, cores: runtime.GOMAXPROCS(0), device: c.opts.device, decision: s.decision})
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

// platformOf returns the platform to choose a variant of a computation for, among codes. instead says why it is another
// than the one that was chosen for the kernel.
func (c *Call) platformOf(comp *Computation, codes []selector.Code) (platform, instead string) {
	platform = c.chosen()
	switch {
	case platform == "":
		return comp.preferred(codes), ""
	case !comp.has(platform) && c.kernel.runsOn(platform):
		return selector.Host, "; there is no code for " + platform + comp.whyNone(platform)
	}
	return platform, ""
}
