package training

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/codegen/harness"
	"github.com/surge-ndp/surge/selector"
)

// TuneOptions of [Bound.Tune].
type TuneOptions struct {
	// Alternatives are bindings of the other algorithms for the kernel to the same arguments.
	Alternatives []*Bound
	// Variants to search among, of the kernel and of the alternatives; see [Session.Variants].
	Variants []selector.Variant
	// Search knows other inputs of the same kernels, if several are tuned; nil stands for a new one.
	Search *Search
	// Budget is the time after which no further variant is tried; 0 stands for no limit. What is chosen without a model is
	// measured in any case, and so is the comparison of the fastest in the end.
	Budget time.Duration
	// Progress is called after each measurement; nil for nobody.
	Progress func(computation string, p BenchProgress)
}

// Tuned is what [Bound.Tune] found.
type Tuned struct {
	// Forced is what forces it, see RunOptions.Variants: nil where nothing is faster than what is chosen without a model.
	Forced []string
	// Variants has the fastest variant of each computation of the fastest algorithm.
	Variants []selector.Variant
	// Time is that of the whole kernel with them, Untrained with what is chosen without a model, measured in turns.
	Time, Untrained time.Duration
	// Searched says what was tried, computation by computation.
	Searched []Searched
	// Hopeless has the algorithms that were not searched, with the factor by which their untrained choice takes
	// longer than the best one's.
	Hopeless map[string]float64
}

// Searched is the search for the fastest variant of a computation.
type Searched struct {
	Computation string
	// Tried of Space variants were measured. A computation that takes next to nothing of the kernel's time is not
	// searched.
	Tried, Space int
	// Ended says that the budget ended before the search did.
	Ended bool
}

// Of returns the numbers of variants that were tried and that there are, and whether the budget ended before a search
// did.
func (t *Tuned) Of() (tried, space int, ended bool) {
	for _, s := range t.Searched {
		tried, space, ended = tried+s.Tried, space+s.Space, ended || s.Ended
	}
	return tried, space, ended
}

const (
	// hopelessAlgorithm is the factor over the best algorithm's time beyond which an algorithm is not searched, both
	// with what is chosen without a model: choices for one algorithm rarely differ by that much.
	hopelessAlgorithm = 4
	// leastPart is the part of a kernel's time below which a computation is not searched.
	leastPart = 0.02
	// tuneRounds are those of a first look at variants; the fastest tuneFinalists are compared for tuneTurns more.
	// They are many because the first look at one may fall into a slow minute of the machine, and that at another
	// into a fast one: with four, a variant of 0.85 of the time of the one that was taken was left out (n-body, in
	// three of four searches).
	tuneRounds    = 2
	tuneFinalists = 8
	tuneTurns     = 4
	// The turn of a whole kernel in the last comparison.
	wholeRuns = 9
	wholeTime = 20 * time.Millisecond
)

// tuning is an algorithm whose variants are searched.
type tuning struct {
	bound     *Bound
	untrained []exec.Decision // by computation
	parts     []float64       // of the kernel's time, by computation
	least     float64         // time of the kernel

	found  []selector.Variant // by computation
	forced []string           // what forces that on the bound kernel
}

// Tune searches for the fastest variants on the bound arguments: for each algorithm that is not hopeless, one
// computation after the other, what was found for the earlier ones running beside it. The search of a computation
// begins near what is chosen without a model, takes a part of the budget as large as its part of the kernel's time,
// and ends with a comparison of the fastest in turns, in which the untrained choice takes part, as it does in that of
// the algorithms as a whole, which comes last. (Surge section 3.4 searches all variants; a [Bound.Bench] of them all
// does that.)
//
// Every variant is compared with plain Go before it is timed. Errors are those of [Bound.Bench]; the end of the
// budget is none.
func (b *Bound) Tune(ctx context.Context, opt TuneOptions) (*Tuned, error) {
	if opt.Search == nil {
		opt.Search = NewSearch(1)
	}
	opt.Search.thorough = true
	t := &Tuned{Hopeless: map[string]float64{}}
	var all []*tuning
	for _, bound := range append([]*Bound{b}, opt.Alternatives...) {
		c, err := bound.look(ctx)
		switch {
		case err == nil:
			all = append(all, c)
		case bound == b || works(err):
			return nil, err
		}
	}
	slices.SortStableFunc(all, func(x, y *tuning) int { return cmp.Compare(x.least, y.least) })
	best, left := all[0].least, 0.0
	all = slices.DeleteFunc(all, func(c *tuning) bool {
		if c.least > hopelessAlgorithm*best {
			t.Hopeless[c.bound.kernel.Name] = c.least / best
			return true
		}
		left++ // the parts of an algorithm are 1 together
		return false
	})
	end := time.Now().Add(opt.Budget)
	for _, c := range all {
		for i, part := range c.parts {
			var until time.Time
			if opt.Budget > 0 {
				until = time.Now().Add(time.Duration(float64(time.Until(end)) * part / left))
			}
			s, err := c.search(ctx, i, until, &opt)
			if err != nil {
				return nil, err
			}
			t.Searched = append(t.Searched, s)
			left -= part
		}
	}
	return t, b.compareTuned(ctx, all, t)
}

// look runs what is chosen without a model.
func (b *Bound) look(ctx context.Context) (*tuning, error) {
	c := &tuning{bound: b}
	if len(b.kernel.Alternatives) > 0 {
		c.forced = []string{b.kernel.Name}
	}
	res, err := b.Run(ctx, RunOptions{Variants: c.forced, Repeat: 3})
	if err != nil {
		return nil, err
	}
	c.least = float64(res.Min())
	sum := 0.0
	for i, comp := range b.kernel.Computations {
		at := slices.IndexFunc(res.Decisions, func(d exec.Decision) bool { return d.Computation == comp.Name })
		if at < 0 {
			return nil, &Error{Where: b.kernel.Name, What: "nothing is chosen for " + comp.Name, Code: CodeInternal, Bug: true}
		}
		part := 1.0
		if len(res.Parts) > 1 {
			part = float64(slices.Min(res.Parts[i]))
		}
		c.untrained, c.parts, sum = append(c.untrained, res.Decisions[at]), append(c.parts, part), sum+part
	}
	for i := range c.parts {
		c.parts[i] /= sum
	}
	return c, nil
}

// search finds the fastest variant of a computation.
func (c *tuning) search(ctx context.Context, number int, until time.Time, opt *TuneOptions) (Searched, error) {
	untrained := c.untrained[number]
	s := Searched{Computation: untrained.Computation}
	var space []selector.Variant
	for _, v := range opt.Variants {
		if v.Computation == s.Computation {
			space = append(space, v)
		}
	}
	s.Space = len(space)
	best := untrained.Variant
	if c.parts[number] >= leastPart && s.Space > 0 {
		opt.Search.expect(untrained)
		measured, err := c.bound.search(ctx, opt.Search, untrained.Variant, untrained.Features, SettleOptions{Variants: space, With: c.forced, Rounds: tuneRounds,
			Progress: func(p BenchProgress, _ []time.Duration) error {
				if opt.Progress != nil {
					opt.Progress(s.Computation, p)
				}
				if !until.IsZero() && time.Now().After(until) {
					return ErrBudget
				}
				return nil
			}})
		if s.Ended = errors.Is(err, ErrBudget); err != nil && !s.Ended {
			return s, err
		}
		if s.Tried = len(measured); !slices.ContainsFunc(space, untrained.Variant.Equal) {
			s.Space++ // what is chosen without a model need not be a point of the space
		}
		if best, err = c.final(ctx, measured, untrained.Variant); err != nil {
			return s, err
		}
	}
	c.found, c.forced = append(c.found, best), append(c.forced, best.String())
	return s, nil
}

// final compares the fastest of what was measured and the untrained choice, in turns.
func (c *tuning) final(ctx context.Context, measured []Measurement, untrained selector.Variant) (selector.Variant, error) {
	measured = slices.DeleteFunc(measured, func(m Measurement) bool { return m.Status != OK || len(m.Times) == 0 })
	slices.SortStableFunc(measured, func(x, y Measurement) int { return cmp.Compare(quartile(x.Times), quartile(y.Times)) })
	var set []selector.Variant
	for i, m := range measured {
		if i < tuneFinalists || m.Variant.Equal(untrained) {
			set = append(set, m.Variant)
		}
	}
	if len(set) == 0 {
		return untrained, nil // a run of the kernel as a whole will say why it fails
	}
	compared, err := c.bound.Settle(ctx, SettleOptions{Variants: set, With: c.forced, Rounds: tuneTurns, Keep: true, Verified: true, Precision: everyRound})
	if err != nil {
		return untrained, err
	}
	return slices.MinFunc(compared, func(x, y Measurement) int { return cmp.Compare(medianOf(x.turns), medianOf(y.turns)) }).Variant, nil
}

// compareTuned compares the algorithms as a whole with what was found for them, and the untrained choice, in turns.
func (b *Bound) compareTuned(ctx context.Context, all []*tuning, t *Tuned) error {
	contenders := [][]string{{}} // the untrained choice: nothing is forced
	resident := false
	for _, c := range all {
		forced := c.forced
		if c.bound != b {
			forced = append([]string{c.bound.kernel.Name}, forced...)
		}
		contenders = append(contenders, forced)
		resident = resident || slices.ContainsFunc(c.found, func(v selector.Variant) bool { return v.Platform != selector.Host })
	}
	turns := make([][]float64, len(contenders))
	var untrained *RunResult
	for range tuneTurns {
		for i, forced := range contenders {
			res, err := b.run(ctx, &harness.RunRequest{Variants: forced, Repeat: wholeRuns, Budget: float64(wholeTime), TimesOnly: true, Resident: resident})
			if err != nil {
				return err
			}
			if i == 0 {
				untrained = res
			}
			turns[i] = append(turns[i], quartile(res.Times))
		}
	}
	fastest := 0
	for i := range turns {
		if medianOf(turns[i]) < medianOf(turns[fastest]) {
			fastest = i
		}
	}
	t.Time, t.Untrained = time.Duration(medianOf(turns[fastest])), time.Duration(medianOf(turns[0]))
	if fastest > 0 {
		t.Forced, t.Variants = contenders[fastest], all[fastest-1].found
		return nil
	}
	for _, d := range untrained.Decisions {
		t.Variants = append(t.Variants, d.Variant)
	}
	return nil
}
