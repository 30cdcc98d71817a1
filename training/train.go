package training

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/surge-ndp/surge/codegen/harness"
	"github.com/surge-ndp/surge/selector"
)

// Train measures the inputs of a plan, learns from them which variant suits which input, and installs the models. Every
// measurement is in its file as soon as it is made: when the context ends, or anything fails, the same plan continues.
// An input that the kernel cannot take is left out.
//
// Errors are the context's, *[Error], which says what to do, and those of loading where no input is left.
func Train(ctx context.Context, p Plan) (*Report, error) {
	k, err := p.check()
	if err != nil {
		return nil, err
	}
	path, store, err := p.open(true)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	if !p.Replay && len(p.Judge) > 0 {
		if _, _, err := p.identify(ctx, false); err != nil {
			return nil, err
		}
	}
	r := &Report{Measurements: path}
	var runs []*run
	for _, platform := range p.platforms() {
		if len(p.platforms()) > 1 {
			p.say("training for the platform %s", platform)
		}
		one := &run{plan: &p, cases: map[string]Case{}}
		err := one.train(ctx, k, platform, store)
		var none *Error
		if len(runs) > 0 && errors.As(err, &none) && none.Code == CodeTraining {
			p.say("the platform %s is left out: %s", platform, none.What) // no variant runs, or none on these inputs
			continue
		}
		if err != nil {
			return nil, err
		}
		runs = append(runs, one)
	}
	for _, one := range runs {
		if err := r.add(&p, one.trained(), one.learned, len(runs) > 1); err != nil {
			return nil, err
		}
	}
	if len(runs) > 1 {
		if err := p.choosePlatform(ctx, runs, r); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// Tune is Train for a plan of a single input; see [Plan.Single].
func Tune(ctx context.Context, p Plan) (*Report, error) {
	p.Single = true
	return Train(ctx, p)
}

// run is training for one platform.
type run struct {
	plan         *Plan
	trainer      *Trainer
	learn, judge []string        // identities of the inputs
	cases        map[string]Case // by identity; empty if nothing was measured
	learned      *Learned
	searchPart   float64 // what a replayed search takes of the measuring time
}

func (r *run) train(ctx context.Context, k *harness.KernelInfo, platform string, store *Measurements) (err error) {
	if r.trainer, err = r.plan.trainer(ctx, k, platform, store); err != nil {
		return err
	}
	if r.plan.Replay {
		err = r.replay()
	} else {
		err = r.measure(ctx)
	}
	if err != nil {
		return err
	}
	if both := r.trainer.Overlap(r.learn, r.judge); len(both) > 0 && !r.plan.Force {
		return overlap(both)
	}
	if r.learned, err = r.trainer.Fit(r.learn, r.judge); err != nil || r.plan.Replay {
		return err
	}
	return r.repeatDoubtful(ctx)
}

// replay finds the recorded inputs.
func (r *run) replay() (err error) {
	names := func(cases []Case) (all []string) {
		for _, c := range cases {
			all = append(all, c.Name)
		}
		return all
	}
	if len(r.plan.Judge) > 0 {
		if r.judge, err = r.trainer.Recorded(names(r.plan.Judge)); err != nil {
			return err
		}
	}
	if r.learn, err = r.trainer.Recorded(names(r.plan.Learn)); err != nil {
		return err
	}
	if len(r.plan.Learn) == 0 {
		r.learn = slices.DeleteFunc(r.learn, func(id string) bool { return slices.Contains(r.judge, id) })
	}
	switch {
	case r.plan.Search && r.plan.few():
		var noted bool
		if r.searchPart, noted = r.trainer.ReplayPaths(r.learn); !noted {
			return &Error{Where: r.trainer.Kernel.Name, Code: CodeMeasurements, What: "no paths are recorded for these inputs",
				Do: "leave --active out, to learn from all measurements, or leave --replay out, to measure the paths"}
		}
		r.plan.say("the paths take %.1f %% of the measuring time", 100*r.searchPart)
	case r.plan.Search:
		r.trainer.Strategy = NewSearch(1)
		r.searchPart = r.trainer.Replay(r.learn)
		r.plan.say("the search takes %.1f %% of the measuring time", 100*r.searchPart)
	}
	return nil
}

// measure measures the inputs, and then compares the variants that turned out to matter on all of them.
func (r *run) measure(ctx context.Context) error {
	t := r.trainer
	budget := r.plan.Budget / time.Duration(len(r.plan.platforms()))
	t.Few, t.Noting = r.plan.few(), r.plan.CompareSearch
	begin := time.Now()
	switch {
	case budget > 0 && t.Few: // what is noted has to be measured, too
		t.Deadline = begin.Add(budget / 2)
	case budget > 0:
		t.Deadline = begin.Add(budget)
	}
	var err error
	if r.learn, err = r.measureAll(ctx, r.plan.Learn, budget); err != nil {
		return err
	}
	if t.Few {
		if budget > 0 {
			t.Deadline = begin.Add(budget)
		}
		if err := r.measurePaths(ctx); err != nil {
			return err
		}
	}
	t.Deadline, t.Strategy, t.Few, t.Noting = time.Time{}, nil, false, false
	if n := len(r.learn); n < len(r.plan.Learn) && budget > 0 {
		r.plan.say("the budget of %s was spent after %s of %s to learn from", budget, plural(n, "input"), strconv.Itoa(len(r.plan.Learn)))
	}
	// Those to judge by take another time: all variants are measured on them, without a limit.
	if r.judge, err = r.measureAll(ctx, r.plan.Judge, 0); err != nil {
		return err
	}
	err = r.compare(ctx)
	for _, a := range append([]*Trainer{t}, t.Alternatives...) {
		a.Few = r.plan.few()
	}
	return err
}

// measurePaths times the paths that were noted. The budget leaves out those inputs that it is not enough for.
func (r *run) measurePaths(ctx context.Context) error {
	t := r.trainer
	representatives := t.Representatives(r.learn)
	show := r.plan.stage(len(r.learn), 0)
	defer show("", nil)
	for i, id := range r.learn {
		c := r.cases[id]
		err := t.MeasurePaths(ctx, c, id, representatives, func(s TrainProgress) { show(c.Name, &s) })
		switch {
		case errors.Is(err, ErrBudget) && i >= 2:
			r.learn = r.learn[:i]
			return nil
		case errors.Is(err, ErrBudget):
			return &Error{Code: CodeBudget, What: fmt.Sprintf("the budget of %s was spent after %s", r.plan.Budget, plural(i, "input")), Why: "a model needs more to learn from; what was measured is kept",
				Do: "give more time with --budget: the same command continues", Err: err}
		case err != nil:
			return err
		}
	}
	return nil
}

// measureAll measures inputs, and returns the identities of those that were not left out. A budget is enough with two.
func (r *run) measureAll(ctx context.Context, cases []Case, budget time.Duration) (ids []string, err error) {
	show := r.plan.stage(len(cases), r.trainer.parts())
	defer func() { show("", nil) }()
	var skipped []error
	for _, c := range cases {
		id, err := r.trainer.Measure(ctx, c, func(s TrainProgress) { show(c.Name, &s) })
		switch {
		case errors.Is(err, ErrBudget) && len(ids) >= 2:
		case errors.Is(err, ErrBudget):
			return nil, &Error{Code: CodeBudget, What: fmt.Sprintf("the budget of %s was spent after %s", budget, plural(len(ids), "input")), Why: "a model needs more to learn from; what was measured is kept",
				Do: "give more time with --budget: the same command continues", Err: err}
		case ofOneInput(err):
			r.plan.leaveOut(c.Name, err)
			skipped = append(skipped, err)
		case err != nil:
			return nil, err
		case !slices.Contains(ids, id):
			ids = append(ids, id)
			r.cases[id] = c
		}
	}
	if len(ids) == 0 && len(cases) > 0 {
		return nil, cmp.Or(errors.Join(skipped...), error(noInputs()))
	}
	return ids, nil
}

// compare makes the final comparison on all inputs.
func (r *run) compare(ctx context.Context) error {
	t := r.trainer
	matter, err := t.Finalists(r.learn)
	if err != nil {
		return err
	}
	for _, finalists := range []func([]string) (map[string][]selector.Variant, error){t.SearchFinalists, t.PathFinalists} {
		if !r.plan.CompareSearch {
			break
		}
		found, err := finalists(r.learn)
		if err != nil {
			return err
		}
		for computation, vs := range found {
			for _, v := range vs {
				if !slices.ContainsFunc(matter[computation], v.Equal) {
					matter[computation] = append(matter[computation], v)
				}
			}
		}
	}
	learn := r.learn
	if r.plan.few() { // which get no more than their few runs
		learn = nil
		if matter, err = t.PathFinalists(r.learn); err != nil {
			return err
		}
	}
	err = r.passes("final comparison", learn, r.judge, func(c Case, id string, pass int, show func(TrainProgress)) error {
		return t.Compare(ctx, c, id, pass, matter, show)
	})
	if err != nil {
		return err
	}
	for pass := range ComparePasses {
		ids := r.judge
		if pass < fewPasses || !r.plan.few() {
			ids = append(slices.Clone(r.learn), r.judge...)
		}
		for _, id := range ids {
			if err := t.CompareAlgorithms(ctx, r.cases[id], id, pass); err != nil {
				return err
			}
		}
	}
	return nil
}

// passes goes through inputs to learn from [ComparePasses] times, and through those to judge by [JudgePasses] times.
func (r *run) passes(what string, learn, judge []string, one func(c Case, id string, pass int, show func(TrainProgress)) error) error {
	show := r.plan.stage(ComparePasses*len(learn)+JudgePasses*len(judge), r.trainer.parts())
	defer show("", nil)
	for pass := range JudgePasses {
		ids := judge
		if pass < ComparePasses {
			ids = append(slices.Clone(learn), judge...)
		}
		for _, id := range ids {
			c := r.cases[id]
			if err := one(c, id, pass, func(s TrainProgress) { show(fmt.Sprintf("%s %d, %s", what, pass+1, c.Name), &s) }); err != nil {
				return err
			}
		}
	}
	return nil
}

// repeatDoubtful compares choices that look bad once more with the variants that seem to be better, and learns and
// judges by that. What is learned then may choose otherwise, and is looked at again.
func (r *run) repeatDoubtful(ctx context.Context) error {
	t := r.trainer
	learned := r.learn
	if r.plan.few() {
		learned = nil
	}
	for {
		doubtful := t.Duels(r.learned, learned, r.judge)
		if len(doubtful) == 0 {
			return nil
		}
		certain := func(id string) bool { return doubtful[id] == nil }
		learn, judge := slices.DeleteFunc(slices.Clone(r.learn), certain), slices.DeleteFunc(slices.Clone(r.judge), certain)
		err := r.passes("compared again", learn, judge, func(c Case, id string, pass int, show func(TrainProgress)) error {
			return t.Duel(ctx, c, id, pass, doubtful[id], show)
		})
		if err != nil {
			return err
		}
		if r.learned, err = t.Fit(r.learn, r.judge); err != nil {
			return err
		}
	}
}

// choosePlatform compares the platforms with each other, and learns which to take: for arrays on the host, and for
// arrays that stay on the device.
func (p *Plan) choosePlatform(ctx context.Context, runs []*run, r *Report) error {
	all := &Platforms{}
	for _, one := range runs {
		all.Trainers = append(all.Trainers, one.trainer)
	}
	host := runs[0]
	show := p.stage(ComparePasses*(len(host.learn)+len(host.judge)), 0)
	defer func() { show("", nil) }()
	for pass := range ComparePasses {
		for _, id := range append(slices.Clone(host.learn), host.judge...) {
			c, ok := host.cases[id]
			if !ok {
				continue
			}
			show(fmt.Sprintf("comparing the platforms %d, %s", pass+1, c.Name), &TrainProgress{})
			if err := all.Compare(ctx, c, id, pass); err != nil {
				return err
			}
		}
	}
	learned, err := all.Fit(host.learn, host.judge)
	if err != nil {
		return err
	}
	for i, l := range learned {
		one := host.trained()
		one.Platform, one.Device, one.Spent, one.SearchPart = all.Choices()[i], all.Device(), 0, 0
		if i == 0 {
			one.Spent = all.Spent
		}
		if err := r.add(p, one, l, true); err != nil {
			return err
		}
	}
	return nil
}

// parts is how many measurements of a computation an input takes, 0 where it is open how long one is: a search ends
// when it has found enough.
func (t *Trainer) parts() int {
	if t.Strategy != nil || t.Few {
		return 0
	}
	n := len(t.Kernel.Computations)
	for _, other := range t.Alternatives {
		n += len(other.Kernel.Computations)
	}
	return n
}
