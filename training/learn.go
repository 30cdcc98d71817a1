package training

import (
	"slices"
	"strings"

	"github.com/surge-ndp/surge/codegen/harness"
	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/training/fit"
)

// Learned is what [Trainer.Fit] gives.
type Learned struct {
	// Models has that of the kernel, and then those of its other algorithms.
	Models []*selector.Model
	// Judged has a judgement for each computation that was trained, that of the choice of the algorithm first if
	// there is one.
	Judged []*fit.Judgement
}

// Fit learns from the inputs train and judges on test; without test inputs the judgement is that of cross-validation.
func (t *Trainer) Fit(train, test []string) (*Learned, error) {
	l := &Learned{}
	m := &selector.Model{Kernel: t.Kernel.Name, Hash: t.Kernel.Hash, Platform: t.Platform, Device: t.Device}
	l.Models = append(l.Models, m)
	var names []string
	if len(t.Alternatives) > 0 {
		names = append(names, t.Kernel.Name+selector.AlgorithmNumber)
	}
	for _, c := range t.Kernel.Computations {
		names = append(names, c.Name)
	}
	for _, name := range names {
		table, hash, err := t.Store.table(t.Kernel.Hash, t.Device, name, train, t.Variants, t.Kernel.Features, t.only, !t.Few || strings.HasSuffix(name, selector.AlgorithmNumber))
		if err != nil {
			return nil, err
		}
		tests, _, err := t.Store.table(t.Kernel.Hash, t.Device, name, test, table.Variants, t.Kernel.Features, nil, true)
		if err != nil {
			return nil, err
		}
		sets, err := t.featureSets(table, tests)
		if err != nil {
			return nil, err
		}
		j, err := fit.Learn(table, tests, sets, fit.Options{OrSingle: t.Features == nil, Ranker: t.Ranker})
		if err != nil {
			return nil, &Error{Where: t.Kernel.Name, Code: CodeTraining, What: err.Error(), Err: err}
		}
		t.setVersions(j.Classifier)
		j.Classifier.Summary.Measurements = hash
		j.Classifier.Summary.Seconds = t.spent(name, train)
		l.Judged = append(l.Judged, j)
		m.Computations = append(m.Computations, j.Classifier)
	}
	for _, a := range t.Alternatives {
		other, err := a.Fit(train, test)
		if err != nil {
			return nil, err
		}
		l.Models = append(l.Models, other.Models...)
		l.Judged = append(l.Judged, other.Judged...)
	}
	return l, nil
}

// setVersions notes which declared features a classifier was trained with.
func (t *Trainer) setVersions(c *selector.Classifier) {
	for i := range c.Features {
		for _, d := range t.Kernel.Features {
			if d.Name == c.Features[i].Name {
				c.Features[i].Version = d.Version
			}
		}
	}
}

// featureSets returns the sets of features to learn from: one where it is said which, and otherwise those that are
// asked for, and these with ready-made ones, from which cross-validation chooses.
func (t *Trainer) featureSets(train, test *fit.Table) ([][]string, error) {
	known := func(name string) bool {
		in := func(t *fit.Table) bool {
			return len(t.Inputs) == 0 || slices.ContainsFunc(t.Features, func(f selector.Feature) bool { return f.Name == name })
		}
		return in(train) && in(test)
	}
	var constant, optional, wanted []string
	for _, f := range train.Features {
		ready := slices.ContainsFunc(selector.ReadyMade[:], func(r selector.Feature) bool { return r.Name == f.Name })
		declared := slices.ContainsFunc(t.Kernel.Features, func(d harness.Feature) bool { return d.Name == f.Name })
		switch {
		case !known(f.Name):
		case !ready && !declared:
			constant = append(constant, f.Name)
		case declared || slices.Contains(t.Kernel.Requested, f.Name):
			wanted = append(wanted, f.Name)
		default:
			optional = append(optional, f.Name)
		}
	}
	if t.Features != nil {
		set := constant
		for _, name := range t.Features {
			if known(name) {
				set = append(set, name)
			}
		}
		return [][]string{set}, nil
	}
	if t.Ranker == thresholds {
		return [][]string{constant}, nil // degrees are made of these
	}
	base := append(constant, wanted...)
	sets := [][]string{base}
	for n := 1; n <= len(optional); n++ {
		if n != 2 { // the first alone, which is the most telling one, or all
			sets = append(sets, append(slices.Clone(base), optional[:n]...))
		}
	}
	return sets, nil
}
