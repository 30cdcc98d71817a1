package training

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/training/fit"
)

// finalists is how many of the fastest variants of an input are in its final comparison.
const finalists = 4

// Finalists returns the variants of each computation that matter on every input: those that a model would choose among,
// and the best single one. They are what [Trainer.Compare] compares. Only what was measured before any comparison says
// which they are, so that they are the same when training is continued.
func (t *Trainer) Finalists(train []string) (map[string][]selector.Variant, error) {
	all := map[string][]selector.Variant{}
	for _, c := range t.Kernel.Computations {
		table, _, err := t.Store.table(t.Kernel.Hash, t.Device, c.Name, train, t.Variants, t.Kernel.Features, t.only, false)
		if err != nil {
			return nil, err
		}
		classes, _ := fit.Classes(table, selector.MaxClasses)
		if single := table.Single(); single >= 0 && !slices.Contains(classes, single) {
			classes = append(classes, single)
		}
		for _, v := range classes {
			all[c.Name] = append(all[c.Name], table.Variants[v])
		}
	}
	for _, a := range t.Alternatives {
		others, err := a.Finalists(train)
		if err != nil {
			return nil, err
		}
		maps.Copy(all, others)
	}
	return all, nil
}

// SearchFinalists returns what [Trainer.Finalists] would if a search had measured the inputs instead of all variants.
func (t *Trainer) SearchFinalists(train []string) (map[string][]selector.Variant, error) {
	s := *t
	s.Strategy, s.Alternatives = NewSearch(1), nil
	for _, a := range t.Alternatives {
		other := *a
		s.Alternatives = append(s.Alternatives, &other)
	}
	s.Replay(train)
	return s.Finalists(train)
}

// Compare makes pass number pass, below [ComparePasses] or [JudgePasses], of the final comparison on an input that
// was measured: the variants that matter, the fastest ones on this input and the one that is chosen without a model
// take turns, none is dropped, and their times in all passes take the place of earlier ones. A pass goes through all
// inputs before the next one begins: what a machine does to two threads changes from minute to minute, and an input
// that is measured in one minute only would tell about that minute. What is known from an earlier run is not measured
// again.
func (t *Trainer) Compare(ctx context.Context, c Case, id string, pass int, matter map[string][]selector.Variant, progress func(TrainProgress)) error {
	for _, a := range append([]*Trainer{t}, t.Alternatives...) {
		before := a.Spent
		if err := a.compare(ctx, c, id, pass, matter, progress); err != nil {
			return err
		}
		if a != t {
			t.Spent += a.Spent - before
		}
	}
	return nil
}

func (t *Trainer) compare(ctx context.Context, c Case, id string, pass int, matter map[string][]selector.Variant, progress func(TrainProgress)) error {
	wanted := map[string][]selector.Variant{}
	numbers := map[string]int{}
	for _, comp := range t.Kernel.Computations {
		in := t.Store.find(t.Kernel.Hash, t.Device, comp.Name, id)
		if in == nil {
			continue
		}
		set := in.finalists(matter[comp.Name])
		set = slices.DeleteFunc(set, func(v selector.Variant) bool { return in.statusOf(v) == Failed })
		// All or none: only variants that took turns are comparable.
		lacks := func(number, rounds int) bool {
			return slices.ContainsFunc(set, func(v selector.Variant) bool {
				m := in.variants[v.String()]
				return m == nil || m.number != number || len(m.final) < rounds || rounds > 0 && math.IsNaN(m.final[rounds-1])
			})
		}
		switch number := in.finals; {
		case number == 0 || lacks(number, 0):
			numbers[comp.Name], wanted[comp.Name] = number+1, set
		case lacks(number, (pass+1)*passRounds):
			numbers[comp.Name], wanted[comp.Name] = number, set
		}
	}
	if len(wanted) == 0 {
		if progress != nil {
			progress(TrainProgress{Known: true})
		}
		return nil
	}
	if !t.Deadline.IsZero() && time.Now().After(t.Deadline) {
		return ErrBudget
	}
	args, err := c.Load(ctx)
	if err != nil {
		return err
	}
	bound, err := t.Session.Bind(ctx, t.Kernel.Name, args, BindOptions{Threads: t.Threads, Platform: t.Platform})
	if err != nil {
		return err
	}
	defer bound.Release(context.WithoutCancel(ctx))
	start := time.Now()
	defer func() { t.Spent += time.Since(start) }()
	for _, comp := range t.Kernel.Computations {
		set := wanted[comp.Name]
		if len(set) == 0 {
			continue
		}
		if err := t.rounds(ctx, bound, record{Computation: comp.Name, Input: id, Final: numbers[comp.Name]}, pass, set, progress); err != nil {
			return err
		}
	}
	return nil
}

// rounds lets variants take turns for a pass of a comparison, and records each turn as a line like r.
func (t *Trainer) rounds(ctx context.Context, bound *Bound, r record, pass int, variants []selector.Variant, progress func(TrainProgress)) error {
	put := t.recorder(r, progress)
	_, err := bound.Settle(ctx, SettleOptions{Variants: variants, Keep: true, Verified: true, Rounds: passRounds, Precision: everyRound, Progress: func(p BenchProgress, fresh []time.Duration) error {
		return put(p, pass*passRounds+p.Round, fresh)
	}})
	return err
}

const (
	// ComparePasses is how many times a comparison goes through the inputs.
	ComparePasses = 5
	// JudgePasses is how many times comparisons go through those to judge by. A regret is more than the true one on
	// average, as the least of several measured times is less than that of the best variant; more rounds make that
	// less.
	JudgePasses = 2 * ComparePasses
	// passRounds is the number of rounds of a pass on one input.
	passRounds = 4
	// compareTimes is the number of rounds from which a variant counts as compared.
	compareTimes = 3
	// everyRound is a precision that is never reached, so that no round is saved: all inputs are to be known equally well.
	everyRound = 1e-9
)

func (in *measuredInput) statusOf(v selector.Variant) Status {
	if m := in.variants[v.String()]; m != nil {
		return m.status
	}
	return ""
}

// finalists returns the variants to compare on an input.
func (in *measuredInput) finalists(matter []selector.Variant) []selector.Variant {
	type timed struct {
		text string
		time float64
	}
	var fastest []timed
	for _, text := range in.order {
		if v := in.variants[text]; v.status == OK && len(v.times) > 0 {
			fastest = append(fastest, timed{text, lowerQuartile(v.times)})
		}
	}
	slices.SortStableFunc(fastest, func(a, b timed) int { return cmp.Compare(a.time, b.time) })
	texts := []string{in.Untrained}
	for _, f := range fastest[:min(finalists, len(fastest))] {
		texts = append(texts, f.text)
	}
	for _, v := range matter {
		texts = append(texts, v.String())
	}
	var set []selector.Variant
	for i, text := range texts {
		if v, err := selector.Parse(text); err == nil && !slices.Contains(texts[:i], text) {
			set = append(set, v)
		}
	}
	return set
}
