package selector

import (
	"fmt"
	"math"
	"slices"
)

// MaxClasses is how many variants a model can choose among for one computation. The variants that are best somewhere are
// few (Surge Table VII), and every two of them need a decision of their own.
const MaxClasses = 12

// Model is what was learned from measurements of one kernel on one platform and device (Surge section 3.4): a
// [Classifier] for each of its computations. A Model is only read once it is made, so goroutines may share it.
type Model struct {
	Kernel   string
	Hash     string // of the kernel, as codegen computes it: a kernel that has changed needs other measurements
	Platform string
	// Device is the machine that was measured, as its platform names it. Times of another are worth nothing here.
	Device       string
	Computations []*Classifier
}

// Classifier chooses among a few variants of a computation by their features: a support vector machine with the kernel
// exp(-Gamma·|z-s|²) for every pair of variants, where z are the scaled features and s the support vectors (Surge 3.4).
type Classifier struct {
	Computation string
	Features    []Scaling
	// Variants are complete; between 1 and MaxClasses.
	Variants []Variant
	// Gamma is 0 where there is only one variant.
	Gamma float64
	// Support holds the scaled features of some training inputs. Weights[i] has the weight of Support[i] in the decision
	// of each pair of variants (0,1), (0,2), … (1,2), …; Bias the constant of each pair.
	Support [][]float64
	Weights [][]float64
	Bias    []float64
	Summary Summary

	// Support coordinate by coordinate, and the weights pair by pair, with pairs of no weight up to a multiple of four; and Features as Decide needs them. Made by Check.
	points, weights []float64
	scales          []scale
}

// scale is a [Scaling] with its logarithms taken: the scaled value is factor·(v-low), or of log v, within 0 and 1.
type scale struct {
	log         bool
	low, factor float64
}

// MaxSupport is how many support vectors a classifier can have.
const MaxSupport = 128

// Summary says what a classifier was trained on and what it is worth.
type Summary struct {
	// Inputs and Tests are the numbers of inputs that it was trained and judged on, Measured that of variants.
	Inputs, Tests, Measured int
	// Regret is the mean over the judged inputs of the chosen variant's time over the best one's, less 1; Worst the
	// largest. Untrained is the mean regret of the choice without the model on the same inputs.
	Regret, Worst, Untrained float64
	// Seconds is what measuring took.
	Seconds float64
	// Measurements is a hash of the measurements, C the penalty that cross-validation chose.
	Measurements string
	C            float64
}

// Scaling is a feature that a model uses, and how its values become numbers from 0 to 1.
type Scaling struct {
	Name, Unit string
	// Log says that it is the logarithm that is scaled.
	Log bool
	// Low and High are the least and the largest value of the training inputs. Values a little beyond count as these; far
	// beyond, where nothing was measured, a model does not decide: see Scaling.Covers.
	Low, High float64
	// Version identifies the source of a declared feature (surge:feature), "" for others: values of another version mean
	// something else.
	Version string
}

// tiny stands for zero where the logarithm is taken.
const tiny = 1e-9

// small is the part of the largest value from which on down a feature with zeros counts as zero.
const small = 1e-3

// Scale returns v as a number from 0 to 1, and 0 for a feature that has one value only.
func (s *Scaling) Scale(v float64) float64 {
	sc := s.prepare()
	return sc.apply(v)
}

// reach is the factor beyond the range of a logarithmic feature up to which a model still decides.
const reach = 8

// Covers reports whether v is near enough to the training inputs: within a factor of 8 of the range of a logarithmic
// feature, within the range's width of a linear one. A feature that had one value only says nothing.
func (s *Scaling) Covers(v float64) bool {
	switch {
	case s.Low == s.High:
		return !math.IsNaN(v)
	case s.Log:
		return v >= s.Low/reach && v <= s.High*reach
	}
	width := s.High - s.Low
	return v >= s.Low-width && v <= s.High+width
}

func (s *Scaling) prepare() scale {
	low, high := s.Low, s.High
	if s.Log && low < high*tiny {
		low = high * small // zero has no logarithm, and is not infinitely far from what is small
	}
	if s.Log {
		low, high = math.Log(max(low, tiny)), math.Log(max(high, tiny))
	}
	sc := scale{log: s.Log, low: low}
	if high > low {
		sc.factor = 1 / (high - low)
	}
	return sc
}

func (s *scale) apply(v float64) float64 {
	if s.factor == 0 {
		return 0
	}
	if s.log {
		v = math.Log(max(v, tiny))
	}
	return min(max((v-s.low)*s.factor, 0), 1)
}

// Verdict is the outcome of a [Classifier]: the variants by preference.
type Verdict struct {
	// Order has the indices of the variants, best first, Values the decision value of each variant: the pairwise decisions
	// that it wins, plus or minus less than a half for how clearly. Both have Count entries that count.
	Order  [MaxClasses]uint8
	Values [MaxClasses]float64
	Count  int
}

// Decide ranks the variants for an input with the given features. It does not allocate memory. ok is false when a feature
// is absent, not a number, or far from those of the training inputs: [Classifier.Refusal] says which.
func (c *Classifier) Decide(features []Feature) (verdict Verdict, ok bool) {
	dims := len(c.scales)
	if dims != len(c.Features) || len(c.Support)*dims != len(c.points) {
		return verdict, false // Check was not called
	}
	var z [maxFeatures]float64
	for i := range c.Features {
		v, found := find(features, c.Features[i].Name)
		if !found || !c.Features[i].Covers(v) {
			return verdict, false
		}
		z[i] = c.scales[i].apply(v)
	}
	var kernels [MaxSupport]float64
	near := kernels[:len(c.Support)]
	for f := range dims {
		column, at := c.points[f*len(near):][:len(near)], z[f&(maxFeatures-1)]
		for i, s := range column {
			near[i] += (at - s) * (at - s)
		}
	}
	decay(near, c.Gamma)
	n := len(c.Variants)
	var pair [(MaxClasses*(MaxClasses-1)/2 + 3) &^ 3]float64
	copy(pair[:], c.Bias)
	for p := 0; p < len(c.Bias); p += 4 {
		addDots((*[4]float64)(pair[p:]), near, c.weights[p*len(near):])
	}
	var wins, sums [MaxClasses]float64
	m := 0
	for a := range n {
		for b := a + 1; b < n; b++ {
			if pair[m] >= 0 {
				wins[a]++
			} else {
				wins[b]++
			}
			sums[a] += pair[m]
			sums[b] -= pair[m]
			m++
		}
	}
	verdict.Count = n
	for a := range n {
		verdict.Values[a] = wins[a] + sums[a]/(3*(math.Abs(sums[a])+1))
		at := a
		for at > 0 && verdict.Values[a] > verdict.Values[verdict.Order[at-1]] {
			verdict.Order[at] = verdict.Order[at-1]
			at--
		}
		verdict.Order[at] = uint8(a)
	}
	return verdict, true
}

// decay replaces each x, which is 0 or more, by exp(-rate·x) with a relative error below 1e-8, or by less than 1e-299 where it is
// that small. It takes a fifth of the time of math.Exp, which matters for what is done once for every support vector.
func decay(xs []float64, rate float64) {
	const whole = 3 << 51 // floats of this size are whole numbers, whose bits count from those of this one, of which the lower 51 are 0
	rate = max(rate*(-128*math.Log2E), -math.MaxFloat64)
	for i, x := range xs {
		y := x * rate
		if y < -995*128 {
			y = -995 * 128
		}
		sum := y + whole
		f := (y - (sum - whole)) * (math.Ln2 / 128) // exp(-rate·x) = 2^(n/128)·exp(f), |f| <= 0.0028
		n := math.Float64bits(sum)
		e := powers[n&127] * (1 + f*(1+f*(1.0/2)))
		xs[i] = math.Float64frombits(math.Float64bits(e) + n>>7<<52)
	}
}

// powers are those of two from 0 to 127/128.
var powers = func() (all [128]float64) {
	for i := range all {
		all[i] = math.Exp2(float64(i) / float64(len(all)))
	}
	return all
}()

// addDots adds the products of x and of each of the four rows that y begins with: together they do not wait for each other.
func addDots(sums *[4]float64, x, y []float64) {
	n := len(x)
	r, s, t, u := y[:n], y[n:][:n], y[2*n:][:n], y[3*n:][:n]
	a, b, c, d := sums[0], sums[1], sums[2], sums[3]
	for i, v := range x {
		a += v * r[i]
		b += v * s[i]
		c += v * t[i]
		d += v * u[i]
	}
	*sums = [4]float64{a, b, c, d}
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
	n, pairs := len(c.Variants), len(c.Variants)*(len(c.Variants)-1)/2
	switch {
	case n == 0:
		return fmt.Errorf("%s has no variants", c.Computation)
	case n > MaxClasses:
		return fmt.Errorf("%s has %d variants, and a model at most %d", c.Computation, n, MaxClasses)
	case len(c.Features) > maxFeatures:
		return fmt.Errorf("%s has %d features, and a model at most %d", c.Computation, len(c.Features), maxFeatures)
	case len(c.Bias) != pairs:
		return fmt.Errorf("%s has %d constants, and %d variants need %d", c.Computation, len(c.Bias), n, pairs)
	case len(c.Support) > MaxSupport:
		return fmt.Errorf("%s has %d support vectors, and a model at most %d", c.Computation, len(c.Support), MaxSupport)
	case len(c.Weights) != len(c.Support):
		return fmt.Errorf("%s has %d rows of weights for %d support vectors", c.Computation, len(c.Weights), len(c.Support))
	case !finite(c.Gamma) || c.Gamma < 0 || !finite(c.Bias...):
		return fmt.Errorf("%s has gamma %g and constants %g: not all are numbers that make sense", c.Computation, c.Gamma, c.Bias)
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
	points, weights := make([]float64, len(c.Features)*len(c.Support)), make([]float64, (pairs+3)&^3*len(c.Support))
	for i, s := range c.Support {
		if len(s) != len(c.Features) || len(c.Weights[i]) != pairs || !finite(s...) || !finite(c.Weights[i]...) {
			return fmt.Errorf("support vector %d of %s is not %d coordinates and %d weights", i+1, c.Computation, len(c.Features), pairs)
		}
		for f, x := range s {
			points[f*len(c.Support)+i] = x
		}
		for p, w := range c.Weights[i] {
			weights[p*len(c.Support)+i] = w
		}
	}
	c.points, c.weights, c.scales = points, weights, make([]scale, len(c.Features))
	for i := range c.Features {
		c.scales[i] = c.Features[i].prepare()
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

// Classifier returns the classifier of a computation, or nil.
func (m *Model) Classifier(computation string) *Classifier {
	for _, c := range m.Computations {
		if c.Computation == computation {
			return c
		}
	}
	return nil
}

// Name returns "svm".
func (m *Model) Name() string { return "svm" }

// Select ranks the variants that the model knows and that in.Codes, in.Threads and in.Cores allow. It reports an error
// when there is none, and when the classifier does not decide: then another selector has to choose.
func (m *Model) Select(in Input) ([]Choice, error) {
	c := m.Classifier(in.Computation)
	if c == nil || in.Platform != "" && in.Platform != m.Platform {
		return nil, fmt.Errorf("the model of %s on %s does not know computation %q on platform %q", m.Kernel, m.Platform, in.Computation, in.Platform)
	}
	verdict, ok := c.Decide(in.Features)
	if !ok {
		return nil, fmt.Errorf("the model of %s does not decide: %s", in.Computation, c.Refusal(in.Features))
	}
	var choices []Choice
	for i, at := range verdict.Order[:verdict.Count] {
		v := c.Variants[at]
		if !slices.ContainsFunc(in.Codes, func(code Code) bool { return code.Admits(v) }) || !in.admits(v) {
			continue
		}
		choices = append(choices, Choice{Variant: v, Reason: c.Reason(i)})
	}
	if len(choices) == 0 {
		return nil, fmt.Errorf("none of the %d variants that the model of %s knows can be used here", len(c.Variants), in.Computation)
	}
	return choices, nil
}

// admits reports whether v uses no more threads than there may be.
func (in *Input) admits(v Variant) bool {
	n := v.Int(NumThreads, 1)
	return (in.Threads <= 0 || n <= in.Threads) && (in.Cores <= 0 || n <= in.Cores)
}

// Reason says, for people, why the variant of the given rank, from 0, was chosen.
func (c *Classifier) Reason(rank int) string {
	text := fmt.Sprintf("of %d variants in the model trained on %d inputs, the first", len(c.Variants), c.Summary.Inputs)
	if len(c.Variants) == 1 {
		return fmt.Sprintf("the only variant in the model trained on %d inputs", c.Summary.Inputs)
	}
	if rank > 0 {
		text = fmt.Sprintf("of %d variants in the model trained on %d inputs, number %d and the first that can be used here", len(c.Variants), c.Summary.Inputs, rank+1)
	}
	return text
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
		case !f.Covers(v):
			return fmt.Sprintf("%s %.4g is far from the %.4g to %.4g that it was trained on", f.Name, v, f.Low, f.High)
		}
	}
	return ""
}

// Realises reports whether v is the code with launch settings added, which need not be among those that its lists allow.
func (code *Code) Realises(v Variant) bool {
	if code.Form != v.Form || code.Schedule != v.Schedule || code.Platform != v.Platform || code.Computation != v.Computation {
		return false
	}
	settings := 0
	for i := range code.Policy {
		if value, ok := get(v.Policy, code.Policy[i].Name); !ok || value != code.Policy[i].Value {
			return false
		}
		settings++
	}
	for i := range code.Launch {
		if _, ok := get(v.Policy, code.Launch[i].Name); ok {
			settings++
		}
	}
	return settings == len(v.Policy)
}

// Admits reports whether v is the code with launch settings added that its lists allow.
func (code *Code) Admits(v Variant) bool {
	if code.Form != v.Form || code.Schedule != v.Schedule || code.Platform != v.Platform || code.Computation != v.Computation ||
		len(v.Policy) != len(code.Policy)+len(code.Launch) {
		return false
	}
	for i := range code.Policy {
		if value, ok := get(v.Policy, code.Policy[i].Name); !ok || value != code.Policy[i].Value {
			return false
		}
	}
	for i := range code.Launch {
		value, ok := get(v.Policy, code.Launch[i].Name)
		if !ok || code.Launch[i].Values != nil && !slices.Contains(code.Launch[i].Values, value) {
			return false
		}
	}
	return true
}
