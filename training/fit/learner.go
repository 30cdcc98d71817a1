package fit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/selector"
)

// learner learns classifiers of one kind.
type learner struct {
	kind      string
	learn     func(t *Table) (*learned, error)
	available func() error // why this build cannot learn them
	named     bool         // only who names the kind gets it; others are compared with it
}

// learners are the kinds of classifiers that can be learned, the preferred one first.
var learners = []learner{
	{(*selector.SVM)(nil).Kind(), learnSVM, solver, false},
	{(*selector.Tree)(nil).Kind(), learnTree, anywhere, false},
	{(*selector.Thresholds)(nil).Kind(), learnThresholds, anywhere, true},
}

func anywhere() error { return nil }

// Rankers returns the kinds of classifiers that can be learned, as [Options] name them.
func Rankers() []string {
	var names []string
	for _, l := range learners {
		names = append(names, l.kind)
	}
	return names
}

// Available reports why [Learn] cannot learn a kind of classifier in this build, or, of "", the best kind; nil if it
// can.
func Available(ranker string) error {
	_, err := available(ranker)
	return err
}

// available returns the kinds that this build can learn, the one that is asked for first; "" asks for none.
func available(asked string) ([]learner, error) {
	var all []learner
	var unavailable error
	for _, l := range learners {
		err := l.available()
		switch {
		case err == nil && l.kind == asked:
			all = slices.Insert(all, 0, l)
		case err == nil:
			all = append(all, l)
		case l.kind == asked, asked == "" && len(all) == 0:
			unavailable = err
		}
	}
	if asked != "" && !slices.Contains(Rankers(), asked) {
		return nil, fmt.Errorf("ranker %q is none of %s", asked, strings.Join(Rankers(), ", "))
	}
	return all, unavailable
}

// learned is what a learner gives.
type learned struct {
	classifier *selector.Classifier
	// classes are the classifier's variants in the table.
	classes []int
	// regrets has for each input of the table the regret by a classifier that did not know it: their mean estimates the
	// regret on inputs that the table does not have.
	regrets []float64
	// again learns with the same settings from other inputs.
	again func(t *Table) (*selector.Classifier, error)
}

func newLearned(t *Table, cl *selector.Classifier, classes []int, regrets []float64, again func(t *Table) (*selector.Classifier, error)) *learned {
	cl.Summary = selector.Summary{Inputs: len(t.Inputs), Measured: len(t.Variants), Regret: meanOf(regrets)}
	return &learned{cl, classes, regrets, func(u *Table) (*selector.Classifier, error) {
		cl, err := again(u)
		if err == nil {
			cl.Summary.Inputs, err = len(u.Inputs), cl.Check()
		}
		return cl, err
	}}
}

func (l *learned) kind() string { return l.classifier.Machine.Kind() }

func learnAll(kinds []learner, t *Table) ([]*learned, error) {
	var all []*learned
	for _, kind := range kinds {
		l, err := kind.learn(t)
		if err != nil {
			return nil, err
		}
		all = append(all, l)
	}
	return all, nil
}
