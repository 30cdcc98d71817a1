package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/training"
	"github.com/surge-ndp/surge/training/input"
)

// trainCases expands the inputs of the command line, or else those of surge.yaml.
func (a *app) trainCases(cmd *cobra.Command, cfg *kernelConfig, f *trainFlags) (train, test []trainCase, err error) {
	data, err := splitAll(cmd, "data", f.data, "'A=matrices/*.mtx'")
	if err != nil {
		return nil, nil, err
	}
	tests, err := splitAll(cmd, "test", f.test, "'A=others/*.mtx'")
	if err != nil {
		return nil, nil, err
	}
	bind, err := split(cmd, "bind", f.bind, "tileSize=64..1Mi")
	if err != nil {
		return nil, nil, err
	}
	bind = merge(merge(cfg.Bind, cfg.Train.Bind), bind)
	if len(data) == 0 {
		data = cfg.Train.Data
		if len(tests) == 0 {
			tests = cfg.Train.Test
		}
	}
	// Without --data, the inputs of surge run are combined with the ranges of --bind.
	if len(data) > 0 || f.tune || slices.ContainsFunc(bind, func(e entry) bool { return input.IsSweep(e.Value) }) {
		if train, err = a.cases(cfg, cfg.Data, data, bind, f.samples, 0); err != nil {
			return nil, nil, err
		}
	}
	if f.testSamples > 0 && len(tests) == 0 {
		test, err = a.cases(cfg, cfg.Data, data, bind, f.testSamples, 1)
	}
	if len(tests) > 0 {
		test, err = a.cases(cfg, cfg.Data, tests, bind, cmp.Or(f.testSamples, f.samples), 1)
	}
	return train, test, err
}

// replayed finds recorded inputs by the names of cases; without any, all that are recorded.
func (a *app) replayed(t *training.Trainer, train, test []trainCase) (trainIDs, testIDs []string, err error) {
	names := func(cs []trainCase) []string {
		var all []string
		for _, c := range cs {
			all = append(all, c.name)
		}
		return all
	}
	if len(test) > 0 {
		if testIDs, err = t.Recorded(names(test)); err != nil {
			return nil, nil, err
		}
	}
	if trainIDs, err = t.Recorded(names(train)); err != nil {
		return nil, nil, err
	}
	if len(train) == 0 {
		trainIDs = slices.DeleteFunc(trainIDs, func(id string) bool { return slices.Contains(testIDs, id) })
	}
	return trainIDs, testIDs, nil
}

// identify loads every input once, before anything is measured, and returns what identifies each, "" for one that is
// left out. It refuses inputs to judge by that are also among those to learn from, which are the first of them, and
// either kind where all are left out.
func (a *app) identify(ctx context.Context, cs []training.Case, train int, f *trainFlags) (ids []string, err error) {
	var both []string
	var skipped []error
	left := 0
	for i, c := range cs {
		if i == train {
			skipped, left = nil, 0
		}
		id, err := c.Identify(ctx)
		if p, ok := a.ofOneInput(err); ok {
			if skipped = append(skipped, p); f.dryRun { // otherwise measuring says so
				a.leaveOut(c.Name, err)
			}
		} else if err != nil {
			return nil, err
		} else if left++; i >= train && slices.Contains(ids[:train], id) {
			both = append(both, c.Name)
		}
		ids = append(ids, id)
		if last := i == train-1 || i == len(cs)-1; last && left == 0 {
			return nil, errors.Join(skipped...)
		}
	}
	if len(both) > 0 && !f.force {
		return nil, overlap(both)
	}
	return ids, nil
}

// dryRun says what would be measured and what that would take, of the inputs to learn from and to judge by.
func (a *app) dryRun(t *training.Trainer, train, test []string, budget time.Duration) {
	known, tried := 0, 0
	var spent time.Duration
	count := func(ids []string) (all, unknown int) {
		for _, id := range ids {
			if id == "" {
				continue
			}
			all++
			if done, variants, took := t.Known(id); done {
				known, tried, spent = known+1, tried+variants, spent+took
			} else {
				unknown++
			}
		}
		return all, unknown
	}
	searched := t.Strategy != nil
	learn, learnUnknown := count(train)
	t.Strategy = nil // what a model is judged by is measured in full
	judge, judgeUnknown := count(test)
	a.printf("%s: %s to learn from, %s to judge by, %s of the search space\n", t.Kernel.Name, plural(learn, "input"), plural(judge, "input"), plural(len(t.Variants), "variant"))
	a.printf("%s measured already\n", plural(known, "input"))
	if learnUnknown+judgeUnknown == 0 {
		return
	}
	each, about := 2*8*time.Millisecond, "a rough guess: 2 turns of 8 ms for each variant"
	if tried > 0 {
		each, about = spent/time.Duration(tried), "as long for each variant as on those that are measured"
	}
	each *= time.Duration(len(t.Variants))
	learning := each * time.Duration(learnUnknown)
	if searched {
		learning = time.Duration(training.SearchMost * float64(learning))
		about += fmt.Sprintf("; a search tries at most %.0f %% of the variants on an input to learn from", 100*training.SearchMost)
	}
	if budget > 0 && learning > budget {
		learning = budget
		about += "; --budget ends it earlier"
	}
	a.printf("%s to measure: about %s (%s)\n", plural(learnUnknown+judgeUnknown, "input"), duration(learning+each*time.Duration(judgeUnknown)), about)
}

// measureAll measures the cases; the first of them are those to learn from, and a budget is for these: what a model is
// judged by is measured in full. Then the variants that turned out to matter are compared on all of them.
func (a *app) measureAll(ctx context.Context, t *training.Trainer, cs []training.Case, train int, f *trainFlags, budget time.Duration, cases map[string]training.Case) (trainIDs, testIDs []string, err error) {
	if budget > 0 {
		t.Deadline = time.Now().Add(budget)
	}
	show := a.trainProgress(train, parts(t))
	defer func() { show("", nil) }()
	type measured struct {
		training.Case
		id string
	}
	var done []measured
	var skipped [2][]error // of those to learn from, and to judge by
	for i, c := range cs {
		if i == train {
			t.Deadline, t.Strategy = time.Time{}, nil
			// Those to judge by take another time: all variants are measured on them.
			show("", nil)
			show = a.trainProgress(len(cs)-train, parts(t))
		}
		id, err := t.Measure(ctx, c, func(p training.TrainProgress) { show(c.Name, &p) })
		if errors.Is(err, training.ErrBudget) && len(trainIDs) >= 2 {
			continue
		}
		if left, ok := a.leaveOut(c.Name, err); ok {
			kind := 0
			if i >= train {
				kind = 1
			}
			skipped[kind] = append(skipped[kind], left)
			continue
		}
		if errors.Is(err, training.ErrBudget) {
			return nil, nil, problem{Code: "budget", What: fmt.Sprintf("the budget of %s was spent after %s", budget, plural(len(trainIDs), "input")), Why: "a model needs more to learn from; what was measured is kept",
				Fix: "give more time with --budget: the same command continues"}
		}
		if err != nil {
			return nil, nil, a.interrupted(ctx, err)
		}
		switch {
		case i < train && !slices.Contains(trainIDs, id):
			trainIDs = append(trainIDs, id)
		case i >= train && !slices.Contains(testIDs, id):
			testIDs = append(testIDs, id)
		default:
			continue
		}
		done = append(done, measured{c, id})
		cases[id] = c
	}
	t.Deadline = time.Time{}
	if len(trainIDs) == 0 {
		return nil, nil, cmp.Or(errors.Join(skipped[0]...), error(problem{Code: "no-inputs", What: "there are no inputs to learn from"}))
	}
	if len(testIDs) == 0 && train < len(cs) {
		return nil, nil, errors.Join(skipped[1]...)
	}
	if n := len(trainIDs); n < train && budget > 0 {
		a.progress(fmt.Sprintf("the budget of %s was spent after %s of %s to learn from", budget, plural(n, "input"), count(train)))
	}
	matter, err := t.Finalists(trainIDs)
	if err != nil {
		return nil, nil, err
	}
	if f.compareSearch {
		found, err := t.SearchFinalists(trainIDs)
		if err != nil {
			return nil, nil, err
		}
		for computation, vs := range found {
			for _, v := range vs {
				if !slices.ContainsFunc(matter[computation], v.Equal) {
					matter[computation] = append(matter[computation], v)
				}
			}
		}
	}
	show("", nil)
	show = a.trainProgress(training.ComparePasses*len(trainIDs)+training.JudgePasses*len(testIDs), parts(t))
	for pass := range training.JudgePasses {
		compared := done
		if pass >= training.ComparePasses {
			compared = done[len(trainIDs):] // to judge by
		}
		for _, m := range compared {
			if err := t.Compare(ctx, m.Case, m.id, pass, matter, func(p training.TrainProgress) { show(fmt.Sprintf("final comparison %d, %s", pass+1, m.Name), &p) }); err != nil {
				return nil, nil, a.interrupted(ctx, err)
			}
		}
	}
	for pass := range training.ComparePasses {
		for _, m := range done {
			if err := t.CompareAlgorithms(ctx, m.Case, m.id, pass); err != nil {
				return nil, nil, a.interrupted(ctx, err)
			}
		}
	}
	return trainIDs, testIDs, nil
}

// trainFeatures sets the features that the model is to use.
func trainFeatures(t *training.Trainer, text string) error {
	var names []string
	for _, ready := range selector.ReadyMade {
		names = append(names, ready.Name)
	}
	for _, d := range t.Kernel.Features {
		names = append(names, d.Name)
	}
	features := []string{}
	switch text {
	case "auto":
		return nil
	case "none":
	default:
		for _, name := range strings.Split(text, ",") {
			if !slices.Contains(names, name) {
				p := unknown("feature", "feature", name, names)
				p.Why = "there are ready-made features, and functions of the package that are declared by //surge:feature " + t.Kernel.Name
				return p
			}
			features = append(features, name)
		}
	}
	t.Features = features
	for _, other := range t.Alternatives {
		other.Features = features
	}
	return nil
}

// repeatDoubtful compares choices that look bad once more with the variants that seem to be better, and learns and
// judges by that. What is learned then may choose otherwise, and is looked at again.
func (a *app) repeatDoubtful(ctx context.Context, t *training.Trainer, l *training.Learned, cases map[string]training.Case, train, test []string) (*training.Learned, error) {
	for {
		doubtful := t.Duels(l, train, test)
		if len(doubtful) == 0 {
			return l, nil
		}
		learn := slices.DeleteFunc(slices.Clone(train), func(id string) bool { return doubtful[id] == nil })
		judge := slices.DeleteFunc(slices.Clone(test), func(id string) bool { return doubtful[id] == nil })
		show := a.trainProgress(training.ComparePasses*len(learn)+training.JudgePasses*len(judge), parts(t))
		for pass := range training.JudgePasses {
			ids := judge
			if pass < training.ComparePasses {
				ids = append(slices.Clone(learn), judge...)
			}
			for _, id := range ids {
				c := cases[id]
				if err := t.Duel(ctx, c, id, pass, doubtful[id], func(p training.TrainProgress) { show(fmt.Sprintf("compared again %d, %s", pass+1, c.Name), &p) }); err != nil {
					show("", nil)
					return nil, a.interrupted(ctx, err)
				}
			}
		}
		show("", nil)
		var err error
		if l, err = t.Fit(train, test); err != nil {
			return nil, err
		}
	}
}

// leaveOut reports whether an error is that of one input, and tells about it: the others are worth measuring.
func (a *app) leaveOut(name string, err error) (problem, bool) {
	p, ok := a.ofOneInput(err)
	if ok {
		a.progress(fmt.Sprintf("%s is left out: %s [%s]", name, p.What, p.Code))
	}
	return p, ok
}

func (a *app) ofOneInput(err error) (problem, bool) {
	var unreadable *input.Error
	var wrong *exec.Error
	var failing *training.Error
	if !errors.As(err, &unreadable) && !errors.As(err, &wrong) && !(errors.As(err, &failing) && (failing.Code == training.CodeTraining || failing.Code == training.CodeDevice)) {
		return problem{}, false
	}
	return problems(err, a.dir)[0], true
}

// interrupted says that nothing is lost when it was Ctrl-C that ended measuring.
func (a *app) interrupted(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		a.progress("what was measured is kept: the same command continues")
	}
	return err
}

// parts is how many measurements of a computation an input takes, 0 where it is open how long one is: a search ends
// when it has found enough.
func parts(t *training.Trainer) int {
	if t.Strategy != nil {
		return 0
	}
	n := len(t.Kernel.Computations)
	for _, other := range t.Alternatives {
		n += len(other.Kernel.Computations)
	}
	return n
}

// trainProgress shows how far measuring is, of so many inputs with so many parts each.
func (a *app) trainProgress(total, parts int) func(name string, p *training.TrainProgress) {
	seen := map[string]bool{}
	known := 0                    // of those seen, measured in an earlier run
	computed := map[string]bool{} // computations of the present input
	if terminalWidth(a.err) > 0 {
		bar := progressbar.NewOptions(total*1000, progressbar.OptionSetWriter(a.err), progressbar.OptionSetWidth(30),
			progressbar.OptionSetPredictTime(true), progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish())
		return func(name string, p *training.TrainProgress) {
			if p == nil {
				_ = bar.Finish()
				return
			}
			seen[name] = true
			at := (len(seen) - 1) * 1000
			if p.Total > 0 {
				at += 1000 * p.Done / p.Total
			}
			text := fmt.Sprintf("%d/%d %s", len(seen), total, name)
			if p.Best != nil {
				text += ", best " + duration(p.Best.Median)
			}
			bar.Describe(text)
			_ = bar.Set(at)
		}
	}
	told, start := time.Now(), time.Now()
	return func(name string, p *training.TrainProgress) {
		if p == nil {
			return
		}
		if !seen[name] {
			seen[name] = true
			clear(computed)
			if p.Known {
				known++
			}
		}
		part := 0.0 // of this input
		if p.Last != nil && p.Total > 0 && parts > 0 {
			computed[p.Last.Variant.Computation] = true
			part = min((float64(len(computed)-1)+float64(p.Done)/float64(p.Total))/float64(parts), 1)
		}
		if time.Since(told) < 5*time.Second {
			return
		}
		told = time.Now()
		a.progress(fmt.Sprintf("input %d of %d: %s%s", len(seen), total, name, timeLeft(time.Since(start), float64(len(seen)-1)+part, known, total)))
	}
}

// timeLeft says how long measuring takes on, going by what is done, inputs and a part of one, without those that were
// known from an earlier run and took no time: nothing before any of that is.
func timeLeft(since time.Duration, done float64, known, total int) string {
	measured := done - float64(known)
	if measured <= 0 {
		return ""
	}
	left := time.Duration(float64(since) * (float64(total) - done) / measured)
	return fmt.Sprintf("; about %s left", left.Round(time.Second))
}
