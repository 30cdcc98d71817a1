package exec

import (
	"runtime"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/selector"
)

// Algorithm makes the first choice of a call where the options make it: 0 for the kernel itself, i for its alternative
// i-1, with the options for that kernel. An alternative runs if the options name it: its name, alone or before a "/" and
// parts of a variant, the name of one of its computations, or the id of one of its variants. Where they name none,
// [Call.ChooseAlgorithm] chooses.
func Algorithm(k *Kernel, opts []Option) (int, []Option) {
	o := collect(opts)
	for i, a := range append([]*Kernel{k}, k.Alternatives...) {
		named := false
		var texts []string
		for _, text := range o.variants {
			head, rest, _ := strings.Cut(text, "/")
			switch {
			case head == a.Name:
				named = true
				if text = rest; text == "" {
					continue
				}
			case a.has(head), len(text) == 8 && i > 0 && !k.knows(text) && a.knows(text):
				named = true
			}
			texts = append(texts, text)
		}
		if named {
			return i, []Option{func(all *Options) { *all = o; all.variants, all.fixed = texts, true }}
		}
	}
	s := new(settled) // the platform is chosen once, and the algorithm for it
	return 0, append(slices.Clip(opts), func(o *Options) { o.settled = s })
}

// has reports whether a computation of k has the name.
func (k *Kernel) has(name string) bool {
	for _, c := range k.Computations {
		if c.Name == name {
			return true
		}
	}
	return false
}

// knows reports whether text names a variant of k.
func (k *Kernel) knows(text string) bool {
	for _, c := range k.Computations {
		if codes, err := c.Available(); err == nil {
			if _, err := selector.Match(text, codes, runtime.GOMAXPROCS(0)); err == nil {
				return true
			}
		}
	}
	return false
}

// ChooseAlgorithm makes the first choice of a call whose options leave it open, by a model that was trained for it: 0 for
// the kernel itself, i for its alternative i-1. The features are the constant-time ones of the kernel's first computation.
// Where the options ask for variants it is the kernel itself, and without a model unless [Call.Estimates] say otherwise.
func (c *Call) ChooseAlgorithm(constant ...selector.Feature) int {
	if c.opts.fixed || len(c.opts.variants) > 0 || c.opts.selector != nil {
		return 0
	}
	features := c.gather(0, constant)
	c.choosePlatform(features)
	platform := c.chosen()
	if comp := c.kernel.Computations; platform == "" && len(comp) > 0 {
		if codes, err := comp[0].Available(); err == nil {
			platform = comp[0].preferred(codes)
		}
	}
	for _, t := range c.models().models {
		if platform != t.model.Platform || t.algorithms == nil {
			continue
		}
		verdict, ok := t.algorithms.Decide(features)
		if !ok {
			continue
		}
		for rank, class := range verdict.Order[:verdict.Count] {
			if t.numbers[class] < 0 {
				continue
			}
			c.algorithm = Decision{Computation: t.algorithms.Computation, Variant: t.algorithms.Variants[class], Selector: t.model.Name(),
				Reason: "the algorithm: " + t.algorithms.Reason(rank), Features: slices.Clone(features), classifier: t.algorithms}
			if w := c.opts.explain; w != nil {
				explain(w, &c.algorithm)
			}
			return t.numbers[class]
		}
	}
	if c.estimated = platform == selector.Host; c.estimated {
		c.algorithm.Features = slices.Clone(features)
	}
	return 0
}

// WithAlgorithm returns what was chosen for the computations of the algorithm that runs, with the choices of the platform
// and of the algorithm before it if a model made them.
func (c *Call) WithAlgorithm(decisions []Decision) []Decision {
	if c.algorithm.Computation != "" {
		decisions = append([]Decision{c.algorithm}, decisions...)
	}
	return c.withPlatform(decisions)
}

// algorithm returns 0 for the kernel, i for its alternative i-1, -1 if v stands for none of them.
func (k *Kernel) algorithm(v selector.Variant) int {
	for i, a := range append([]*Kernel{k}, k.Alternatives...) {
		if v.Equal(selector.Algorithm(k.Name, a.Name, v.Platform, a.Hash)) {
			return i
		}
	}
	return -1
}
