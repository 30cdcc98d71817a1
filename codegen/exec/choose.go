package exec

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/selector"
)

// Decision is the choice that was made for one computation.
type Decision struct {
	Computation string
	Variant     selector.Variant
	Selector    string // "forced", or the ranker's name
	Reason      string
	Features    []selector.Feature

	by      selector.Weigher   // that decided, or nil
	ranking []selector.Weighed // what Ranking returns, unless it is nil
}

// Choose selects the variant of computation i for an input with the given constant-time features, and those that
// [Call.Declared] and [RowFeatures] computed: one that the options force; else by
// the ranker that they name; else by a model that was trained for this kernel, platform and device; else by
// [selector.Untrained].
func (c *Call) Choose(i int, constant ...selector.Feature) error {
	comp := c.kernel.Computations[i]
	features := c.gather(i, constant)
	if i == 0 {
		c.choosePlatform(features)
	}
	codes, err := comp.Available()
	if err != nil {
		return err
	}
	var d Decision
	free := len(c.opts.variants) == 0 && c.opts.selector == nil
	code := -1
	if r := c.recall(comp, features); free && r != nil {
		if r == c.latest[i] && c.opts.explain == nil && c.memory == nil && c.launches[i] != nil {
			c.observed(i) // as in the run before
			return nil
		}
		d, code = r.decision, r.code
		c.latest[i] = r
	} else {
		d = Decision{Computation: comp.Name, Features: slices.Clone(features)}
		if code, err = c.choose(i, codes, &d); err != nil {
			return err
		}
		if free {
			r := &remembered{threads: c.opts.threads, cores: runtime.GOMAXPROCS(0), platform: c.chosen(), device: c.opts.device, copied: c.toCopy(), code: code, decision: d}
			comp.last.Store(r)
			c.latest[i] = r
		}
	}
	if i == 0 {
		d.Reason += c.opts.settled.note + c.note
	}
	launch, err := c.prepare(comp.funcs[code], d.Variant)
	if err != nil {
		if d, launch, err = c.next(i, codes, d, code, err); err != nil {
			return err
		}
	}
	c.launches[i], c.decisions[i] = launch, d
	c.opts.packing.keepFor(&d.Variant)
	if w := c.opts.explain; w != nil {
		c.decisions[i].Features = slices.Clone(features) // with what they cost this time
		explain(w, &c.decisions[i])
	}
	c.observed(i)
	return nil
}

// observed tells who has asked for it what was chosen for a computation.
func (c *Call) observed(i int) {
	if c.opts.observe != nil {
		c.opts.observe(&c.decisions[i])
	}
}

// prepare makes the variant ready to run, on the device that the options name.
func (c *Call) prepare(f Func, v selector.Variant) (Launch, error) {
	if p, ok := f.(Placer); ok && c.opts.device != "" {
		var err error
		if f, err = p.On(c.opts.device); err != nil {
			return nil, err
		}
	}
	l, err := f.Prepare(v)
	if err != nil {
		return nil, err
	}
	if r, ok := l.(Remote); ok {
		return l, c.attach(r, v.Platform)
	}
	return l, nil
}

// next is for a choice that cannot be prepared because of its device: what is chosen among the others takes its place,
// and if the device fails again and again, the goroutine platform where the options allow that. A variant that is asked
// for by all its settings has no others.
func (c *Call) next(i int, codes []selector.Code, d Decision, code int, err error) (Decision, Launch, error) {
	comp := c.kernel.Computations[i]
	codes = slices.Clone(codes)
	var failed *DeviceError
	for range triedVariants {
		if !errors.As(err, &failed) {
			return d, nil, err
		}
		c.say(fmt.Sprintf("surge: %s: %s: %v\n", c.kernel.Name, d.Variant, failed))
		only := comp.codes[code]
		codes = slices.DeleteFunc(codes, func(other selector.Code) bool { return other.Realises(only.Variant) })
		again := Decision{Computation: comp.Name, Features: d.Features}
		var l Launch
		if code, err = c.choose(i, codes, &again); err != nil { // there is no other
			err = failed
			break
		}
		again.Reason += "; the first choice failed"
		if l, err = c.prepare(comp.funcs[code], again.Variant); err == nil {
			return again, l, nil
		}
		d = again
	}
	if !errors.As(err, &failed) || c.platform() != "" || len(c.opts.variants) > 0 {
		return d, nil, err
	}
	c.say(fmt.Sprintf("surge: %s: %v; the goroutine platform takes over\n", c.kernel.Name, failed))
	c.opts.platform = selector.Host
	if code, err = c.choose(i, comp.codes, &d); err != nil {
		return d, nil, errors.Join(failed, err)
	}
	l, err := c.prepare(comp.funcs[code], d.Variant)
	return d, l, err
}

// triedVariants is how many variants that a device refuses give way to another.
const triedVariants = 3

// choose fills in the decision and returns the entry of the computation's codes.
func (c *Call) choose(i int, codes []selector.Code, d *Decision) (int, error) {
	comp := c.kernel.Computations[i]
	codes, forced, err := c.restrict(comp, codes)
	if err != nil {
		return 0, err
	}
	platform, why := c.platformOf(comp, codes, d.Features)
	r, err := c.rankers(i, platform).Rank(selector.Input{Computation: comp.Name, Platform: platform, Strided: comp.Strided, Costs: comp.Costs, Forms: comp.Forms,
		Features: d.Features, Threads: c.opts.threads, Cores: runtime.GOMAXPROCS(0), Accelerator: comp.accelerator, Workgroup: comp.workgroup, Codes: codes})
	if err != nil {
		return 0, c.variantError("no variant of %s can be chosen: %v%s", comp.Name, err, comp.whyNone(platform))
	}
	first := r.Choices[0]
	d.Variant, d.Selector, d.Reason = first.Variant, r.By.Name(), first.Reason+why
	if r.Passed != "" {
		d.Reason += "; " + r.Passed + c.trouble
	}
	by, trained := r.By.(selector.Weigher)
	d.by = by
	switch {
	case forced != "" && trained:
		d.Selector, d.Reason = "forced", "asked for: "+forced+"; of what fits, "+d.Reason
	case forced != "":
		d.Selector, d.Reason = "forced", "asked for: "+forced
	}
	if at := first.Code; at >= 0 && at < len(comp.codes) && comp.codes[at].Realises(d.Variant) {
		return at, nil
	}
	return comp.codeOf(d.Variant) // it is the number of a code among some
}

// rankers returns whom to ask for a variant of computation i on a platform, in the order of trust.
func (c *Call) rankers(i int, platform string) selector.Chain {
	if c.opts.selector != nil {
		return selector.Chain{c.opts.selector}
	}
	if chain, ok := c.models().variants[i][platform]; ok {
		return chain
	}
	return untrained
}

// explain writes why a variant was chosen: a line, and a line for each variant that a model weighed against it.
func explain(w io.Writer, d *Decision) {
	fmt.Fprintf(w, "%s: %s %s (%s: %s)%s\n", d.Computation, d.Variant.ID(), d.Variant, d.Selector, d.Reason, featureText(d.Features))
	for i, r := range d.Ranking() {
		fmt.Fprintf(w, "%s: %d. %s decision value %.3f\n", d.Computation, i+1, r.Variant.ID(), r.Value)
	}
}

func featureText(fs []selector.Feature) string {
	var sb strings.Builder
	for _, f := range fs {
		fmt.Fprintf(&sb, " %s=%.4g", f.Name, f.Value)
		if f.Cost > 0 {
			fmt.Fprintf(&sb, " (computed in %.2g µs)", f.Cost/1e3)
		}
	}
	return sb.String()
}

// restrict narrows the codes to what the options ask for and returns what applied.
func (c *Call) restrict(comp *Computation, codes []selector.Code) ([]selector.Code, string, error) {
	cores := max(runtime.GOMAXPROCS(0), c.opts.threads)
	var applied []string
	for _, text := range c.opts.variants {
		if name := strings.SplitN(text, "/", 2)[0]; name != comp.Name && c.names(name) {
			continue // meant for another computation
		}
		narrowed, err := selector.Match(text, codes, cores)
		if err != nil {
			if len(c.kernel.Computations) > 1 {
				if _, err = selector.Match(text, c.everywhere(comp, codes), cores); err == nil {
					continue // meant for another computation
				}
			}
			return nil, "", c.variantError("%v%s%s", err, comp.why(text), comp.omissions())
		}
		codes = narrowed
		applied = append(applied, text)
	}
	return codes, strings.Join(applied, " and "), nil
}

func (c *Call) names(computation string) bool {
	for _, comp := range c.kernel.Computations {
		if comp.Name == computation {
			return true
		}
	}
	return false
}

// everywhere returns the codes of all computations, of one of them only those given.
func (c *Call) everywhere(one *Computation, codes []selector.Code) []selector.Code {
	all := slices.Clone(codes)
	for _, comp := range c.kernel.Computations {
		if comp == one {
			continue
		}
		if others, err := comp.Available(); err == nil {
			all = append(all, others...)
		}
	}
	return all
}

func (c *Call) platform() string {
	if c.opts.platform == "auto" {
		return ""
	}
	return c.opts.platform
}

func (c *Call) variantError(format string, args ...any) error {
	return &Error{Kernel: c.kernel.Name, Pos: c.kernel.Pos, Code: "variant", Detail: fmt.Sprintf(format, args...)}
}
