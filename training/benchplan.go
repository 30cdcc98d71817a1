package training

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/selector/param"
)

// BenchPlan says what [Bench] measures.
type BenchPlan struct {
	// Bound is a kernel with its arguments; see [Session.Bind].
	Bound *Bound
	// Variants are texts that variants have to agree with, as selector.Match takes them; none stands for all variants.
	Variants []string
	// Rounds, NoVerify, Resident and Budget are as in [BenchOptions].
	Rounds             int
	NoVerify, Resident bool
	Budget             time.Duration
	// Begin is told what would be chosen, before anything else is measured; nil for nobody.
	Begin func([]exec.Decision)
	// Progress is called after each measurement; nil for nobody.
	Progress func(BenchProgress)
}

// BenchReport is what [Bench] gives.
type BenchReport struct {
	// Decisions are what is chosen for the input, one entry a computation.
	Decisions []exec.Decision
	// Variants is how many were to be measured.
	Variants int
	// Ranked has what was measured, computation by computation: first those of the decisions, then those of other
	// algorithms. Of each, those that were measured to the end come first, by time, then those that were dropped, whose
	// few times are of other rounds, then those that failed. What was not reached is left out.
	Ranked []Ranked
	// Duels compare what is chosen with the best, where these differ.
	Duels []BenchDuel
	// Complete says that everything was measured, and the bench was not ended earlier: else times may be of a single run.
	Complete bool
	// Time is how long it took.
	Time time.Duration
}

// Ranked is a variant among those of its computation.
type Ranked struct {
	Measurement
	// Rank counts from 1; 0 for what has no time to be ranked by. Ratio is its time over that of the best.
	Rank         int
	Ratio        float64
	Chosen, Best bool
}

// BenchDuel is the chosen variant of a computation against the best one, measured in turns: in the table the chosen one
// may have been dropped early, at another time of the machine.
type BenchDuel struct {
	Computation  string
	Chosen, Best time.Duration
}

// duelRounds is the least number of turns in a duel of a bench.
const duelRounds = 7

// Bench measures variants of a kernel on its input in turns, and ranks them; see [Bound.Bench]. When the budget ends,
// the report has what was measured until then, and so it has when the context ends, whose error is returned with it.
func Bench(ctx context.Context, p BenchPlan) (*BenchReport, error) {
	if p.Bound == nil {
		return nil, &Error{Code: CodePlan, What: "the plan has no kernel with arguments", Do: "bind one, with Bind of a session"}
	}
	// What would be chosen, and whether the kernel runs at all.
	res, err := p.Bound.Run(ctx, RunOptions{})
	if err != nil {
		return nil, err
	}
	variants, err := p.variants(ctx, res.Decisions)
	if err != nil {
		return nil, err
	}
	if p.Begin != nil {
		p.Begin(res.Decisions)
	}
	r := &BenchReport{Decisions: res.Decisions, Variants: len(variants)}
	start := time.Now()
	defer func() { r.Time = time.Since(start) }()
	measured, err := p.Bound.Bench(ctx, BenchOptions{Variants: variants, Rounds: p.Rounds, NoVerify: p.NoVerify, Resident: p.Resident, Budget: p.Budget, Progress: p.Progress})
	ended := ctx.Err()
	if err != nil && ended == nil && !errors.Is(err, context.DeadlineExceeded) {
		return nil, err
	}
	r.Complete = err == nil && ended == nil
	r.rank(measured)
	if r.Complete {
		if err := p.duels(ctx, r); err != nil {
			if ended = ctx.Err(); ended == nil {
				return nil, err
			}
		}
	}
	return r, ended
}

// variants returns what is to be measured. What is chosen is measured even where it is not among the measured points of
// the space.
func (p *BenchPlan) variants(ctx context.Context, decisions []exec.Decision) ([]selector.Variant, error) {
	b := p.Bound
	all, err := b.session.Variants(ctx, b.kernel.Name)
	if err != nil {
		return nil, err
	}
	if b.threads > 0 {
		all = slices.DeleteFunc(all, func(v selector.Variant) bool { return param.NumThreads.Or(v.Policy, 0, 1) > b.threads })
	}
	if all, err = selector.Filter(p.Variants, all, b.session.Describe().GOMAXPROCS); err != nil {
		what, do, _ := strings.Cut(err.Error(), "; ")
		return nil, &Error{Code: CodeVariant, What: what, Do: do, Err: err}
	}
	for _, d := range decisions {
		if len(p.Variants) == 0 && !slices.ContainsFunc(all, d.Variant.Equal) {
			all = append(all, d.Variant)
		}
	}
	return all, nil
}

// rank fills in what was measured, in order.
func (r *BenchReport) rank(measured []Measurement) {
	var computations []string
	for _, d := range r.Decisions {
		computations = append(computations, d.Computation)
	}
	for _, m := range measured {
		if !slices.Contains(computations, m.Variant.Computation) {
			computations = append(computations, m.Variant.Computation)
		}
		if m.Median == 0 && m.Status == Dropped && len(m.Times) == 0 && !r.Complete {
			continue
		}
		chosen := slices.ContainsFunc(r.Decisions, func(d exec.Decision) bool { return d.Variant.Equal(m.Variant) })
		r.Ranked = append(r.Ranked, Ranked{Measurement: m, Chosen: chosen})
	}
	class := func(m *Ranked) int {
		switch {
		case m.Status == Failed:
			return 3
		case m.Median == 0:
			return 2
		case m.Status == Dropped && r.Complete:
			return 1
		}
		return 0
	}
	slices.SortStableFunc(r.Ranked, func(x, y Ranked) int {
		return cmp.Or(slices.Index(computations, x.Variant.Computation)-slices.Index(computations, y.Variant.Computation), class(&x)-class(&y), cmp.Compare(x.Median, y.Median))
	})
	best, rank := map[string]time.Duration{}, map[string]int{}
	for i := range r.Ranked {
		m := &r.Ranked[i]
		of := m.Variant.Computation
		if class(m) > 1 {
			continue
		}
		if best[of] == 0 {
			best[of], m.Best = m.Median, true
		}
		rank[of]++
		m.Rank, m.Ratio = rank[of], float64(m.Median)/float64(best[of])
	}
}

// duels lets what is chosen meet the best.
func (p *BenchPlan) duels(ctx context.Context, r *BenchReport) error {
	for _, d := range r.Decisions {
		var pair []selector.Variant
		for _, m := range r.Ranked {
			if m.Variant.Computation == d.Computation && m.Chosen != m.Best {
				pair = append(pair, m.Variant)
			}
		}
		if len(pair) != 2 {
			continue
		}
		measured, err := p.Bound.Bench(ctx, BenchOptions{Variants: pair, Rounds: max(p.Rounds, duelRounds), NoVerify: true, Resident: p.Resident, Hopeless: math.MaxInt32})
		if err != nil {
			return err
		}
		best, chosen := measured[0], measured[1]
		if pair[0].Equal(d.Variant) {
			best, chosen = chosen, best
		}
		if best.Median > 0 && chosen.Median > 0 {
			r.Duels = append(r.Duels, BenchDuel{d.Computation, chosen.Median, best.Median})
		}
	}
	return nil
}
