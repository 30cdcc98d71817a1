package exec

import (
	"runtime"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/selector"
)

// Algorithm makes the first choice of a call where the options make it: 0 for the kernel itself, i for its alternative
// i-1, with the options for that kernel. An alternative runs if the options name it: its name, alone or before a "/"
// and parts of a variant, the name of one of its computations, or the id of one of its variants. Where they name none,
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
			case a.has(head), len(text) == 8 && i > 0 && !k.knows(text) && a.knows(text), i > 0 && a.offers(head):
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

// offers reports whether an alternative of k has the name, or one of its computations.
func (k *Kernel) offers(name string) bool {
	return slices.ContainsFunc(k.Alternatives, func(a *Kernel) bool { return a.Name == name || a.has(name) })
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

// ChooseAlgorithm makes the first choice of a call whose options leave it open: 0 for the kernel itself, i for its
// alternative i-1. The features are the constant-time ones of the kernel's first computation. Where the options ask for
// variants it is the kernel itself, and where no model decides unless [Call.Estimates] say otherwise.
func (c *Call) ChooseAlgorithm(constant ...selector.Feature) int {
	if c.opts.fixed || len(c.opts.variants) > 0 || c.opts.selector != nil {
		return 0
	}
	features := c.gather(0, constant)
	c.choosePlatform(features)
	platform := c.chosen()
	if comp := c.kernel.Computations; platform == "" && len(comp) > 0 {
		if codes, err := comp[0].Available(); err == nil {
			platform, _ = c.preferred(comp[0], codes, features)
		}
	}
	n := c.rankAlgorithms(platform, features, nil)
	if n < 0 && platform == selector.Host {
		c.estimated, c.algorithm.Features = true, slices.Clone(features)
	}
	return max(n, 0)
}

// rankAlgorithms asks which algorithm to run, given estimates of what they cost or nil; -1 where that is not enough to
// decide.
func (c *Call) rankAlgorithms(platform string, features []selector.Feature, estimates []selector.Estimate) int {
	k := c.kernel
	of, ok := c.models().algorithms[platform]
	if !ok {
		of = subject{k.algorithms(platform), untrained}
	}
	in := selector.Input{Question: selector.OfAlgorithms, Computation: k.Name + selector.AlgorithmNumber, Platform: platform, Features: features,
		Estimates: estimates, Codes: of.codes}
	r, err := of.chain.Rank(in)
	if err != nil {
		return -1
	}
	first := r.Choices[0]
	by, trained := r.By.(selector.Weigher)
	passed := ""
	if r.Passed != "" {
		passed = "; " + r.Passed + c.trouble
	}
	if !trained && first.Code == 0 {
		c.note = passed
		return 0 // which is no decision: it is what was asked for
	}
	c.algorithm = Decision{Computation: in.Computation, Variant: first.Variant, Selector: r.By.Name(), Reason: "the algorithm: " + first.Reason + passed,
		Features: slices.Clone(features), by: by}
	if w := c.opts.explain; w != nil {
		explain(w, &c.algorithm)
	}
	return first.Code
}

// WithAlgorithm returns what was chosen for the computations of the algorithm that runs, with the choices of the
// platform and of the algorithm before it if a model made them.
func (c *Call) WithAlgorithm(decisions []Decision) []Decision {
	if c.algorithm.Computation != "" {
		decisions = append([]Decision{c.algorithm}, decisions...)
	}
	return c.withPlatform(decisions)
}

// algorithms are the candidates of the choice of the algorithm: the kernel itself, and then its alternatives.
func (k *Kernel) algorithms(platform string) []selector.Code {
	var codes []selector.Code
	for _, a := range append([]*Kernel{k}, k.Alternatives...) {
		codes = append(codes, selector.Code{Variant: selector.Algorithm(k.Name, a.Name, platform, a.Hash)})
	}
	return codes
}
