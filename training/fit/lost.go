package fit

import (
	"slices"

	"github.com/surge-ndp/surge/selector"
)

// Loses says that a method is better than a model.
type Loses struct {
	// What was judged: a computation, or a kernel by the sum of its computations.
	What string
	// To is the better method's name; Model and Other are the mean regrets.
	To           string
	Model, Other float64
}

// Lost returns where models are not worth having: where the mean regret is above that of the untrained choice or of
// always the single best variant, by more than the noise of a hundredth. A kernel of several computations is judged
// by their sum: one that takes little of the time may lose.
func Lost(judged []*Judgement) *Loses {
	for _, w := range weigh(judged) {
		if l := lost(w.what, w.methods); l != nil {
			return l
		}
	}
	return nil
}

// NoGain returns what models choose for and the untrained choice does as well for, as far as can be told: where the
// mean regret is not clearly below that of the untrained choice, which is by more than is worthwhile and by more than
// two standard errors of the difference on the same inputs. A kernel of several computations is judged by their sum.
func NoGain(judged []*Judgement) (all []Loses) {
	for _, w := range weigh(judged) {
		model, untrained := named(w.methods, ByModel), named(w.methods, ByUntrained)
		if model != nil && untrained != nil && !clearlyLess(model.regrets, untrained.regrets, forModel) {
			all = append(all, Loses{w.what, ByUntrained, model.Mean, untrained.Mean})
		}
	}
	return all
}

// weighed is what a model is accepted by: methods for a computation, or for a kernel of several by their sum.
type weighed struct {
	what    string
	methods []Method
}

func weigh(judged []*Judgement) (all []weighed) {
	totals := Totals(judged)
	for _, j := range judged {
		kernel, number, _ := cutLast(j.Test.Computation)
		if "."+number != selector.AlgorithmNumber && slices.ContainsFunc(totals, func(t Total) bool { return t.Kernel == kernel }) {
			continue
		}
		all = append(all, weighed{j.Test.Computation, j.Methods})
	}
	for _, t := range totals {
		all = append(all, weighed{t.Kernel, t.Methods})
	}
	return all
}

func lost(what string, methods []Method) *Loses {
	mean := map[string]float64{}
	for _, m := range methods {
		mean[m.Name] = m.Mean
	}
	for _, name := range []string{ByUntrained, BySingle} {
		if other, ok := mean[name]; ok && mean[ByModel] > other+0.01 {
			return &Loses{what, name, mean[ByModel], other}
		}
	}
	return nil
}

// Worthwhile is by how much the mean regret in cross-validation has to fall for a set of features to be preferred to
// one that comes before it: by one or two inputs, chance makes one of several sets a little better.
const Worthwhile = 0.003

// clearlyLess reports whether regrets on the same inputs are less than others by what is worthwhile, and by so many
// standard errors.
func clearlyLess(regrets, than []float64, errors float64) bool {
	gains := make([]float64, len(than))
	for i := range gains {
		gains[i] = than[i] - regrets[i]
	}
	mean := meanOf(gains)
	return mean > Worthwhile && !(mean <= errors*standardError(gains))
}
