package fit

import (
	"fmt"
	"math"
	"slices"

	"github.com/surge-ndp/surge/selector"
)

// The grid of cross-validation: the kernel's width and the penalty.
var (
	gammas    = []float64{0.5, 2, 8, 32, 128}
	penalties = []float64{1, 10, 100, 1000}
)

// The point of the grid that is taken unless cross-validation says that another is better by more than a standard
// error. With some fifty inputs the point of the least regret is in part luck: of eleven recordings of computations,
// judged on inputs that were not learned from, this one was better in seven, by up to 3 points, and worse in two, by
// up to 0.3.
const usualGamma, usualPenalty = 2, 100

// logFrom is the ratio of the largest to the least value from which a feature is scaled by its logarithm.
const logFrom = 20

// folds is how many parts cross-validation divides the inputs into; as many as there are inputs if those are fewer.
const folds = 10

// mostClasses is how many variants a model chooses among at most. Every two of them need a machine: with eight a
// decision takes more than a microsecond.
const mostClasses = 6

// mostSupport is how many of the inputs a model remembers at most, for the same reason.
const mostSupport = 72

// learnSVM learns support vector machines from t. The number of variants that they choose among is that with the
// least regret in cross-validation, and so are the width of the kernel and the penalty C where that is clear. It
// reports an error for a table that cannot be learned from ([Table.Check]).
//
// A machine is a C-SVC with squared hinge loss, one for every pair of variants; an input's penalty is C times what the
// wrong one of the two costs it, as a part of its best time.
func learnSVM(t *Table) (*learned, error) {
	if err := t.Check(); err != nil {
		return nil, err
	}
	classes, enough, err := t.classes()
	if err != nil {
		return nil, err
	}
	if err := solver(); err != nil {
		return nil, err
	}
	scaling := scale(t)
	z := points(t, scaling)
	part := parts(z)
	fewest, most := min(enough, len(classes)), min(len(classes), enough+2)
	taken, err := condense(t, z, classes[:most], mostSupport)
	if err != nil {
		return nil, err
	}
	grid := gammas
	if !varies(scaling) {
		grid = gammas[:1] // there is nothing that the width could matter for
	}
	var tried []candidate
	for _, gamma := range grid {
		for _, c := range penalties {
			regrets, err := validate(t, z, taken, part, classes[:most], fewest, gamma, c)
			if err != nil {
				return nil, err
			}
			for i, r := range regrets {
				tried = append(tried, candidate{fewest + i, gamma, c, meanOf(r), r})
			}
		}
	}
	// A simpler machine is kept unless another is better, the usual one unless another is clearly better.
	slices.SortStableFunc(tried, func(a, b candidate) int { return a.classes - b.classes })
	usual := least(tried, func(c candidate) bool { return c.c == usualPenalty && (c.gamma == usualGamma || len(grid) == 1) })
	best := least(tried, func(c candidate) bool { return true })
	if !clearlyLess(best.regrets, usual.regrets, forMachine) {
		best = usual
	}
	cl, err := trainedOn(t, z, taken, classes[:best.classes], best.gamma, best.c)
	if err != nil {
		return nil, err
	}
	again := func(u *Table) (*selector.Classifier, error) {
		z := points(u, scale(u))
		taken, err := condense(u, z, classes[:best.classes], mostSupport)
		if err != nil {
			return nil, err
		}
		return trainedOn(u, z, taken, classes[:best.classes], best.gamma, best.c)
	}
	return newLearned(t, cl, classes[:best.classes], best.regrets, again), nil
}

// classes returns the variants to choose among, and how many of them are enough; see [Classes].
func (t *Table) classes() (classes []int, enough int, err error) {
	if classes, enough = Classes(t, mostClasses); len(classes) == 0 {
		err = fmt.Errorf("%s: every variant failed on some input", t.Computation)
	}
	return classes, enough, err
}

// learnSingle learns always to take the single best variant, from t with those of some features that cost nothing. It
// is judged by the best on the other folds. It returns nil if no variant was measured on every input.
func learnSingle(t *Table, features []string) (*learned, *Table) {
	own := t.With(func(name string) bool {
		f := slices.IndexFunc(t.Features, func(f selector.Feature) bool { return f.Name == name })
		return slices.Contains(features, name) && !slices.ContainsFunc(t.Inputs, func(in Input) bool { return in.Costs != nil && in.Costs[f] > 0 })
	})
	single := own.Single()
	if single < 0 {
		return nil, nil
	}
	part := parts(points(own, scale(own)))
	regrets := make([]float64, len(own.Inputs))
	for fold := range folds {
		in := func(i int) bool { return part[i] == fold }
		others := own.without(in)
		best := single
		if len(others.Inputs) > 0 {
			best = others.Single()
		}
		for i := range regrets {
			if in(i) {
				regrets[i] = min(own.Inputs[i].Regret(best), unmeasured)
			}
		}
	}
	always := func(u *Table) (*selector.Classifier, error) {
		cl := &selector.Classifier{Computation: u.Computation, Features: scale(u), Variants: []selector.Variant{u.Variants[single]}, Machine: &selector.SVM{}}
		return cl, cl.Check()
	}
	cl, err := always(own)
	if err != nil {
		return nil, nil
	}
	return newLearned(own, cl, []int{single}, regrets, always), own
}

type candidate struct {
	classes          int
	gamma, c, regret float64
	regrets          []float64 // of each input
}

// least returns the candidate with the least regret of some, the first of those that are as good.
func least(all []candidate, among func(candidate) bool) candidate {
	best := candidate{regret: math.Inf(1)}
	for _, c := range all {
		if among(c) && c.regret < best.regret-0.0005 {
			best = c
		}
	}
	return best
}

func meanOf(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += x
	}
	return sum / float64(max(len(xs), 1))
}

// scale finds the range of each feature.
func scale(t *Table) []selector.Scaling {
	all := make([]selector.Scaling, len(t.Features))
	for f := range all {
		low, high := math.Inf(1), math.Inf(-1)
		for _, in := range t.Inputs {
			low, high = min(low, in.Features[f]), max(high, in.Features[f])
		}
		all[f] = selector.Scaling{Name: t.Features[f].Name, Unit: t.Features[f].Unit, Low: low, High: high,
			Log: low >= 0 && high >= logFrom*max(low, 1e-9) && high > 0}
	}
	return all
}

func varies(scaling []selector.Scaling) bool {
	return slices.ContainsFunc(scaling, func(s selector.Scaling) bool { return s.High > s.Low })
}

// points returns the scaled features of each input.
func points(t *Table, scaling []selector.Scaling) [][]float64 {
	z := make([][]float64, len(t.Inputs))
	for i, in := range t.Inputs {
		z[i] = make([]float64, len(scaling))
		for f := range scaling {
			z[i][f] = scaling[f].Scale(in.Features[f])
		}
	}
	return z
}

// validate returns the regret on each input of machines that were trained without the fold that they are asked about,
// on what is taken of the others: for those that choose among the first least classes, one more, and so on to all of
// them.
func validate(t *Table, z [][]float64, taken []bool, part []int, classes []int, least int, gamma, c float64) ([][]float64, error) {
	regrets := make([][]float64, len(classes)-least+1)
	for i := range regrets {
		regrets[i] = make([]float64, len(t.Inputs))
	}
	for fold := range folds {
		if !slices.Contains(part, fold) {
			continue
		}
		out := func(i int) bool { return part[i] == fold }
		rest := slices.Clone(taken)
		for i := range rest {
			rest[i] = rest[i] && !out(i)
		}
		if !slices.Contains(rest, true) {
			rest = taken // two inputs of the same features: nothing can be held out
		}
		of, err := regretsOf(t, z, rest, out, classes, gamma, c, least)
		if err != nil {
			return nil, err
		}
		for n := range regrets {
			for i := range t.Inputs {
				if out(i) {
					regrets[n][i] = of[n][i]
				}
			}
		}
	}
	return regrets, nil
}

// regretsOf returns the regrets on the inputs that are asked for of machines trained on those that are taken; see
// validate.
func regretsOf(t *Table, z [][]float64, taken []bool, asked func(i int) bool, classes []int, gamma, c float64, least int) ([][]float64, error) {
	all, err := trainedOn(t, z, taken, classes, gamma, c)
	if err != nil {
		return nil, err
	}
	var regrets [][]float64
	for n := least; n <= len(classes); n++ {
		cl := firstClasses(all, n)
		if err := cl.Check(); err != nil {
			return nil, err
		}
		of := make([]float64, len(t.Inputs))
		for i := range t.Inputs {
			if asked(i) {
				of[i] = min(t.Inputs[i].Regret(choose(cl, classes, t.Features, &t.Inputs[i])), unmeasured) + t.Inputs[i].Cost()
			}
		}
		regrets = append(regrets, of)
	}
	return regrets, nil
}

// firstClasses returns the classifier that chooses among the first n variants of all only: the machines of pairs do not
// depend on other variants.
func firstClasses(all *selector.Classifier, n int) *selector.Classifier {
	of := all.Machine.(*selector.SVM)
	m := &selector.SVM{C: of.C}
	cl := &selector.Classifier{Computation: all.Computation, Features: all.Features, Variants: all.Variants[:n], Machine: m, Summary: all.Summary}
	if n == 1 {
		return cl
	}
	m.Gamma = of.Gamma
	var kept []int
	p := 0
	for a := range all.Variants {
		for b := a + 1; b < len(all.Variants); b++ {
			if b < n {
				kept = append(kept, p)
				m.Bias = append(m.Bias, of.Bias[p])
			}
			p++
		}
	}
	m.Support = of.Support
	for _, w := range of.Weights {
		row := make([]float64, len(kept))
		for i, p := range kept {
			row[i] = w[p]
		}
		m.Weights = append(m.Weights, row)
	}
	return cl
}

// choose returns the variant of the table that a run takes for an input where cl is the model: the one that it
// prefers among classes, and what is chosen without a model where it does not decide.
func choose(cl *selector.Classifier, classes []int, features []selector.Feature, in *Input) int {
	verdict, ok := decide(cl, features, in)
	if !ok && in.Untrained >= 0 {
		return in.Untrained
	}
	return classes[verdict.Order[0]]
}

// decide lets cl choose for an input.
func decide(cl *selector.Classifier, features []selector.Feature, in *Input) (selector.Verdict, bool) {
	asked := slices.Clone(features)
	for i := range asked {
		asked[i].Value = in.Features[i]
	}
	return cl.Decide(asked)
}
