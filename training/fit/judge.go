package fit

import (
	"math"
	"slices"

	"github.com/surge-ndp/surge/selector"
)

// Method is a way to choose a variant, for comparison.
type Method struct {
	Name string
	// Chosen is the index of the variant in the table for each judged input, -1 where it chooses one that was not
	// measured.
	Chosen []int
	// Mean and Worst are the regrets over the judged inputs.
	Mean, Worst float64
	// MeanError is the standard error of Mean: from how much the inputs differ, which includes how well each was measured.
	// WorstError is that of Worst, from how much the passes of the comparison on that input differ. NaN is not known.
	MeanError, WorstError float64
	// Right is how many choices were within [Noise] of the best.
	Right int

	regrets []float64 // of the judged inputs, in order
}

// Judgement says what a classifier is worth.
type Judgement struct {
	Classifier *selector.Classifier
	// Train is what was learned from. Test is what the methods were judged on: other inputs, or, if HeldOut is false, the
	// same ones, each with a classifier that did not know it.
	Train, Test *Table
	HeldOut     bool
	// Classes are the indices in Train.Variants of the classifier's variants.
	Classes []int
	// Methods has first the classifier, then a classifier of each kind of [Rankers], and then what they are compared
	// with: see the names.
	Methods []Method
	// Estimate is the mean regret in cross-validation, Validated that of each input to learn from.
	Estimate  float64
	Validated []float64
	// Rejected are the features that were measured and not used: cross-validation does not say that they are worth more
	// than they cost, or they were not wanted.
	Rejected []string
	// Cost is the mean over the judged inputs of what computing the features takes, as a part of the best variant's
	// time. It is a part of the regret of every method that uses them.
	Cost float64
}

// The names of methods.
const (
	ByModel     = "model"
	ByUntrained = "untrained"
	BySingle    = "single best"
	ByNearest   = "1-nearest neighbour"
	ByClasses   = "oracle among the model's"
	ByOracle    = "oracle"
)

// Method returns the method of that name, or nil.
func (j *Judgement) Method(name string) *Method { return named(j.Methods, name) }

func named(methods []Method, name string) *Method {
	for i := range methods {
		if methods[i].Name == name {
			return &methods[i]
		}
	}
	return nil
}

// Label returns which of the classifier's variants is the best for an input: an index into Classes.
func (j *Judgement) Label(in *Input) int { return in.label(j.Classes) }

// By how many standard errors it has to fall for another set of features, for a machine other than the usual one, and
// for a model to count as better than the choice without one.
const (
	forFeatures = 1.5
	forMachine  = 1
	forModel    = 2
)

// Options say how to learn.
type Options struct {
	// OrSingle lets the classifier be always the same variant, where that is clearly better; it then uses no feature
	// that costs something.
	OrSingle bool
	// Ranker is the kind of classifier to learn, one of [Rankers]; "" for the one of machines and trees that is the best
	// in cross-validation.
	Ranker string
}

// Learn trains a classifier on train and judges it on test; on train itself, by cross-validation, where test has no
// inputs. Of sets, at least one, each the names of the features that the classifier uses, it takes the one with the
// least regret in cross-validation, what computing them costs included; a set that comes earlier is preferred unless
// another is clearly better. Of the kinds of classifiers the first one is taken unless another is clearly better on
// the same features. It reports an error for a table that cannot be learned from, or judged by ([Table.Check]).
func Learn(train, test *Table, sets [][]string, o Options) (*Judgement, error) {
	train = train.Settled()
	kinds, err := available(o.Ranker)
	if err != nil {
		return nil, err
	}
	var table *Table
	var best *learned
	for _, s := range sets {
		own := train.With(func(name string) bool { return slices.Contains(s, name) })
		l, err := kinds[0].learn(own)
		if err != nil {
			return nil, err
		}
		if best == nil || clearlyLess(l.regrets, best.regrets, forFeatures) {
			table, best = own, l
		}
	}
	others, err := learnAll(kinds[1:], table)
	if err != nil {
		return nil, err
	}
	rivals := append([]*learned{best}, others...)
	for i, l := range others {
		if o.Ranker == "" && !kinds[1+i].named && clearlyLess(l.regrets, best.regrets, forMachine) {
			best = l
		}
	}
	if o.OrSingle && o.Ranker == "" {
		if l, own := learnSingle(train, sets[0]); l != nil && meanOf(l.regrets) < meanOf(best.regrets)-Worthwhile {
			table, best = own, l
			if rivals, err = learnAll(kinds, own); err != nil {
				return nil, err
			}
		}
	}
	used := func(name string) bool {
		return slices.ContainsFunc(table.Features, func(f selector.Feature) bool { return f.Name == name })
	}
	j, err := judge(table, test.With(used), best, rivals)
	if err != nil {
		return nil, err
	}
	for _, f := range train.Features {
		if !used(f.Name) {
			j.Rejected = append(j.Rejected, f.Name)
		}
	}
	return j, nil
}

func judge(train, test *Table, best *learned, rivals []*learned) (*Judgement, error) {
	j := &Judgement{Classifier: best.classifier, Train: train, Test: test, HeldOut: len(test.Inputs) > 0, Classes: best.classes,
		Estimate: meanOf(best.regrets), Validated: best.regrets}
	all := append([]*learned{best}, rivals...)
	if j.HeldOut {
		if err := test.Check(); err != nil {
			return nil, err
		}
		var classifiers []*selector.Classifier
		for _, l := range all {
			classifiers = append(classifiers, l.classifier)
		}
		j.judge(test, train, func(int) bool { return true }, all, classifiers)
	} else {
		j.Test = train
		if err := j.crossJudge(train, all); err != nil {
			return nil, err
		}
	}
	j.finish()
	return j, nil
}

// crossJudge judges each fold with what was learned from the others.
func (j *Judgement) crossJudge(t *Table, all []*learned) error {
	part := parts(points(t, scale(t)))
	for fold := range folds {
		in := func(i int) bool { return part[i] == fold }
		if !slices.Contains(part, fold) {
			continue
		}
		u := t.without(in)
		if len(u.Inputs) == 0 {
			u = t
		}
		var classifiers []*selector.Classifier
		for _, l := range all {
			cl, err := l.again(u)
			if err != nil {
				return err
			}
			classifiers = append(classifiers, cl)
		}
		j.judge(t, u, in, all, classifiers)
	}
	return nil
}

// judge lets every method choose for the inputs of t that count. The first of what was learned is the model;
// classifiers are what each gave that is to choose.
func (j *Judgement) judge(t, known *Table, counts func(i int) bool, all []*learned, classifiers []*selector.Classifier) {
	if j.Methods == nil {
		names := []string{ByModel}
		for _, l := range all[1:] {
			names = append(names, l.kind())
		}
		for _, name := range append(names, ByUntrained, BySingle, ByNearest, ByClasses, ByOracle) {
			j.Methods = append(j.Methods, Method{Name: name, Chosen: slices.Repeat([]int{-1}, len(t.Inputs))})
		}
	}
	single := known.Single()
	scaling := classifiers[0].Features
	z := points(known, scaling)
	for i := range t.Inputs {
		if !counts(i) {
			continue
		}
		in := &t.Inputs[i]
		at := points(&Table{Inputs: []Input{*in}}, scaling)[0]
		set := func(name string, v int) { j.Method(name).Chosen[i] = v }
		for k, l := range all {
			j.Methods[k].Chosen[i] = choose(classifiers[k], l.classes, t.Features, in)
		}
		set(ByUntrained, in.Untrained)
		set(BySingle, single)
		set(ByNearest, j.Classes[nearest(known, z, at, j.Classes)])
		set(ByClasses, in.best(j.Classes))
		set(ByOracle, in.best(nil))
	}
}

// best returns which of some variants, or of all, is the best as far as is known.
func (in *Input) best(among []int) int {
	if among == nil {
		for v := range in.Times {
			among = append(among, v)
		}
	}
	best, least := among[0], math.Inf(1)
	for _, v := range among {
		if r, _ := in.Judged(v); r < least {
			best, least = v, r
		}
	}
	return best
}

func nearest(t *Table, z [][]float64, at []float64, classes []int) int {
	best, least := 0, math.Inf(1)
	for i := range z {
		square := 0.0
		for f := range at {
			square += (z[i][f] - at[f]) * (z[i][f] - at[f])
		}
		if square < least {
			best, least = i, square
		}
	}
	return t.Inputs[best].label(classes)
}

// finish computes the regrets.
func (j *Judgement) finish() {
	for m := range j.Methods {
		method := &j.Methods[m]
		regrets := make([]float64, len(j.Test.Inputs))
		worst := 0
		for i := range regrets {
			if regrets[i] = j.Regret(method, i); regrets[i] > regrets[worst] {
				worst = i
			}
			if regrets[i] <= Noise {
				method.Right++
			}
		}
		method.regrets, method.Mean, method.MeanError = regrets, meanOf(regrets), standardError(regrets)
		method.Worst, method.WorstError = regrets[worst], j.Test.Inputs[worst].Uncertainty(method.Chosen[worst])
	}
	j.Cost = j.Test.mean((*Input).Cost)
	s := &j.Classifier.Summary
	s.Regret, s.Worst, s.Untrained = j.Method(ByModel).Mean, j.Method(ByModel).Worst, j.Method(ByUntrained).Mean
	if j.HeldOut {
		s.Tests = len(j.Test.Inputs)
	}
}

// usesFeatures reports whether a method computes the features of an input.
func usesFeatures(name string) bool {
	return name == ByModel || name == ByNearest || slices.Contains(Rankers(), name)
}

// Regret returns the regret of a method on a judged input: with what computing the features costs if it uses them, by
// the latest comparison, and at most 4, which is what a variant counts that was not measured.
func (j *Judgement) Regret(m *Method, i int) float64 {
	in := &j.Test.Inputs[i]
	r, _ := in.Judged(m.Chosen[i])
	return min(r+j.Paid(m, i), unmeasured)
}

// Paid returns what computing the features of a judged input adds to the regret of a method: nothing if it uses none.
func (j *Judgement) Paid(m *Method, i int) float64 {
	if !usesFeatures(m.Name) {
		return 0
	}
	return j.Test.Inputs[i].Cost()
}

// Again is a choice that was compared once more.
type Again struct {
	Name string
	// Table is the regret by the measurements of all variants, Duel that by the comparison.
	Table, Duel float64
}

// Doubtful is the regret from which a choice is compared once more with the variants that seem to be better: where many
// variants are measured, the fastest of them is in part the luckiest.
const Doubtful = 0.05

// Repeated returns the model's choices on inputs that were held out that were compared once more.
func (j *Judgement) Repeated() []Again {
	var all []Again
	if !j.HeldOut {
		return nil
	}
	for i, v := range j.Method(ByModel).Chosen {
		in := &j.Test.Inputs[i]
		if r, again := in.Judged(v); again {
			all = append(all, Again{in.Name, in.Regret(v), r})
		}
	}
	return all
}
