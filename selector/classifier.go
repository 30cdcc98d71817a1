package selector

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/surge-ndp/surge/selector/param"
)

// MaxClasses is how many variants a model can choose among for one computation. The variants that are best somewhere
// are few (Surge Table VII), and every two of them need a decision of their own.
const MaxClasses = 12

// Classifier chooses among a few variants of a computation by their features, by what its machine has learned. It is
// what a [Model] holds for a computation; [Classifier.For] makes a ranker of it.
type Classifier struct {
	Computation string
	Features    []Scaling
	// Variants are complete; between 1 and MaxClasses.
	Variants []Variant
	Machine  Machine
	Summary  Summary

	// What Decide needs of Features, and the reason for the variant of each rank. Made by Check.
	scales  []scale
	reasons []string
	paths   []string // the comparisons that lead to each leaf, of a machine that has some
}

// Summary says what a classifier was trained on and what it is worth.
type Summary struct {
	// Inputs and Tests are the numbers of inputs that it was trained and judged on, Measured that of variants.
	Inputs, Tests, Measured int
	// Regret is the mean over the judged inputs of the chosen variant's time over the best one's, less 1; Worst the
	// largest. Untrained is the mean regret of the choice without the model on the same inputs.
	Regret, Worst, Untrained float64
	// Seconds is what measuring took.
	Seconds float64
	// Measurements is a hash of the measurements.
	Measurements string
}

// Verdict is the outcome of a [Classifier]: the variants by preference.
type Verdict struct {
	// Order has the indices of the variants, best first, Values the decision value of each variant: the higher, the
	// better. (Of a support vector machine the pairwise decisions that it wins, plus or minus less than a half for how
	// clearly; of a tree the mean regret in the leaf, negative.) Both have Count entries that count.
	Order  [MaxClasses]uint8
	Values [MaxClasses]float64
	Count  int
	// Leaf is the number of the leaf that features led to, of machines that have leaves.
	Leaf int
}

// add puts a variant, the next one by its index, into its place: behind those before it that are as good.
func (v *Verdict) add(variant int, value float64) {
	v.Values[variant] = value
	at := v.Count
	for at > 0 && value > v.Values[v.Order[at-1]] {
		v.Order[at] = v.Order[at-1]
		at--
	}
	v.Order[at] = uint8(variant)
	v.Count++
}

// Decide ranks the variants for an input with the given features. It does not allocate memory. ok is false when a
// feature is absent, not a number, or far from those of the training inputs: [Classifier.Refusal] says which.
func (c *Classifier) Decide(features []Feature) (verdict Verdict, ok bool) {
	if len(c.reasons) == 0 {
		return verdict, false // Check was not called
	}
	var z, as [maxFeatures]float64
	for i := range c.Features {
		v, found := find(features, c.Features[i].Name)
		if !found || !c.covers(i, v) {
			return verdict, false
		}
		z[i], as[i] = c.scales[i].apply(v), v
	}
	return c.Machine.order(z, as), true
}

// covers reports whether the classifier may decide for a value of a feature. What was trained on one input decides
// always: it holds what is best there, and that there are no others to compare it with is known.
func (c *Classifier) covers(feature int, v float64) bool {
	if !c.Machine.bounded() || c.Summary.Inputs == 1 {
		return !math.IsNaN(v)
	}
	return c.Features[feature].Covers(v)
}

// maxFeatures is a power of two.
const maxFeatures = 16

func find(features []Feature, name string) (float64, bool) {
	for i := range features {
		if features[i].Name == name {
			return features[i].Value, true
		}
	}
	return 0, false
}

// Check reports what makes a classifier unusable, and prepares one that is usable: without it, or having been parsed,
// Decide refuses every input.
func (c *Classifier) Check() error {
	c.scales, c.reasons, c.paths = nil, nil, nil
	n := len(c.Variants)
	switch {
	case n == 0:
		return fmt.Errorf("%s has no variants", c.Computation)
	case n > MaxClasses:
		return fmt.Errorf("%s has %d variants, and a model at most %d", c.Computation, n, MaxClasses)
	case len(c.Features) > maxFeatures:
		return fmt.Errorf("%s has %d features, and a model at most %d", c.Computation, len(c.Features), maxFeatures)
	case c.Machine == nil:
		return fmt.Errorf("%s has learned nothing", c.Computation)
	}
	for i, v := range c.Variants {
		if v.Computation != c.Computation {
			return fmt.Errorf("%s has a variant of another computation: %s", c.Computation, v)
		}
		if slices.ContainsFunc(c.Variants[:i], v.Equal) {
			return fmt.Errorf("%s has a variant twice: %s", c.Computation, v)
		}
	}
	for i, f := range c.Features {
		if f.Name == "" || !finite(f.Low, f.High) || f.Low > f.High {
			return fmt.Errorf("feature %q of %s: its range is %g to %g", f.Name, c.Computation, f.Low, f.High)
		}
		if slices.ContainsFunc(c.Features[:i], func(g Scaling) bool { return g.Name == f.Name }) {
			return fmt.Errorf("feature %s of %s stands there twice", f.Name, c.Computation)
		}
	}
	if err := c.Machine.check(c); err != nil {
		return err
	}
	c.scales = make([]scale, len(c.Features))
	for i := range c.Features {
		c.scales[i] = c.Features[i].prepare()
	}
	for rank := range n {
		c.reasons = append(c.reasons, c.reason(rank))
	}
	if m, ok := c.Machine.(branching); ok {
		c.paths = c.pathsOf(m.branches())
	}
	return nil
}

func finite(values ...float64) bool {
	for _, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return true
}

// Weigh implements [Weigher].
func (c *Classifier) Weigh(features []Feature) []Weighed {
	verdict, ok := c.Decide(features)
	if !ok {
		return nil
	}
	all := make([]Weighed, 0, verdict.Count)
	for _, at := range verdict.Order[:verdict.Count] {
		all = append(all, Weighed{c.Variants[at], verdict.Values[at]})
	}
	return all
}

// reason says, for people, why the variant of the given rank, from 0, was chosen.
func (c *Classifier) reason(rank int) string {
	inputs := plural(c.Summary.Inputs, "input")
	switch {
	case len(c.Variants) == 1:
		return "the only variant in the model trained on " + inputs
	case rank > 0:
		return fmt.Sprintf("of %d variants in the model trained on %s, number %d and the first that can be used here", len(c.Variants), inputs, rank+1)
	}
	return fmt.Sprintf("of %d variants in the model trained on %s, the first", len(c.Variants), inputs)
}

// Refusal says why Decide does not decide on an input with these features, "" if it does.
func (c *Classifier) Refusal(features []Feature) string {
	for i := range c.Features {
		f := &c.Features[i]
		v, found := find(features, f.Name)
		switch {
		case !found:
			return "the input has no feature " + f.Name
		case math.IsNaN(v):
			return fmt.Sprintf("the feature %s is not a number", f.Name)
		case !c.covers(i, v):
			return fmt.Sprintf("%s %.4g is far from the %.4g to %.4g that it was trained on", f.Name, v, f.Low, f.High)
		}
	}
	return ""
}

// Renamed is the classifier for another computation with the same variants, such as one of a part of the elements.
func (c *Classifier) Renamed(computation string) *Classifier {
	other := *c
	other.Computation = computation
	other.Variants = slices.Clone(c.Variants)
	for i := range other.Variants {
		other.Variants[i].Computation = computation
	}
	return &other
}

// For returns the ranker of a classifier for a computation that has the given codes: whoever asks it with exactly these
// does not wait until it has found the codes of its variants. has reports whether the program has a variant that none
// of them runs: one that this build or machine cannot run.
func (c *Classifier) For(codes []Code, has func(Variant) bool) *Trained {
	t := &Trained{Classifier: c, codes: codes}
	for _, v := range c.Variants {
		// The values of launch parameters need not be among those that are listed: those are what is worth measuring.
		at := slices.IndexFunc(codes, func(code Code) bool { return code.Realises(v) })
		if at < 0 && !has(v) {
			at = notGenerated
		}
		t.at = append(t.at, at)
	}
	return t
}

// notGenerated stands for the code of a variant that the program does not have.
const notGenerated = -2

// Trained is the ranker of a [Classifier] for a list of codes.
type Trained struct {
	*Classifier
	codes []Code
	at    []int // the code of each variant, -1 for one that cannot run here, or notGenerated
}

// Name returns the kind of the classifier's machine.
func (t *Trained) Name() string { return t.Machine.Kind() }

// Rank implements [Ranker]: it ranks the variants that it knows and that in.Codes, in.Threads and in.Cores allow. Where
// in.Codes are not all codes that there are, launch settings have to be among those that they list.
func (t *Trained) Rank(in Input) ([]Choice, error) {
	verdict, ok := t.Decide(in.Features)
	if !ok {
		return nil, errors.New(t.Refusal(in.Features))
	}
	all := len(in.Codes) == len(t.codes) && (len(t.codes) == 0 || &in.Codes[0] == &t.codes[0])
	choices := make([]Choice, 0, verdict.Count)
	lacking := ""
	for rank, class := range verdict.Order[:verdict.Count] {
		v, at := &t.Variants[class], t.at[class]
		if at == notGenerated && lacking == "" {
			lacking = fmt.Sprintf("; %s, which it prefers, is not in this program: run surge generate", v.ID())
		}
		if at >= 0 && !all {
			at = slices.IndexFunc(in.Codes, func(code Code) bool { return code.Admits(*v) })
		}
		if at >= 0 && in.admits(v) {
			because := ""
			if len(choices) == 0 && len(t.paths) > 1 {
				because = ", as " + t.paths[verdict.Leaf]
			}
			choices = append(choices, Choice{Variant: *v, Code: at, Reason: t.reasons[rank] + because + lacking})
		}
	}
	if len(choices) == 0 {
		return nil, errors.New("all of its variants take more threads than are allowed, or are not among those to choose from" + lacking)
	}
	return choices, nil
}

// admits reports whether v uses no more threads than there may be.
func (in *Input) admits(v *Variant) bool {
	n := param.NumThreads.Or(v.Policy, 0, 1)
	return (in.Threads <= 0 || n <= in.Threads) && (in.Cores <= 0 || n <= in.Cores)
}
