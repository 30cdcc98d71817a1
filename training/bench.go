package training

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/codegen/harness"
	"github.com/surge-ndp/surge/selector"
)

// Status is what became of a variant in a bench.
type Status string

// The outcomes of a [Measurement].
const (
	OK      Status = "ok"      // measured in every round
	Dropped Status = "dropped" // not measured to the end: hopeless, or the bench ended early
	Failed  Status = "failed"  // it could not run, or its results were wrong
)

// notMeasured is the reason of a variant that did not get its turn.
const notMeasured = "not measured"

// Measurement is the outcome of one variant.
type Measurement struct {
	Variant selector.Variant
	Status  Status
	// Reason says why the variant was dropped or failed.
	Reason string
	// Median and Min summarise Times, one entry a timed run in the order of the rounds: of the variant's computation
	// alone where the kernel has several. A variant that failed has none, nor
	// has one that was stopped in its first run.
	Median, Min time.Duration
	Times       []time.Duration
	// Comparisons has the comparison of each result with plain Go, made before the variant was timed.
	Comparisons []harness.Comparison

	turns   []float64 // the time of each round in nanoseconds, the lower quartile of its runs
	suspect bool      // its last turn was hopeless

	kernel time.Duration // the shortest time of the whole kernel
}

// BenchProgress is the state of a bench.
type BenchProgress struct {
	// Round counts from 1; in the first, every variant is verified and timed, later only those that are left.
	Round, Rounds int
	// Done of Total measurements were made; Total shrinks when variants are dropped.
	Done, Total int
	// Last is the latest measurement, Best the fastest so far; nil before there is one. They may only be read, and only
	// during the call.
	Last, Best *Measurement
}

// BenchOptions of [Bound.Bench].
type BenchOptions struct {
	// Variants to measure; see [Session.Variants].
	Variants []selector.Variant
	// Rounds is how many times each variant gets its turn; 0 stands for 5.
	Rounds int
	// Hopeless is the factor over the best variant's time beyond which a variant's turn in the first round is
	// hopeless, and its first run is stopped when it takes twice as long, before it is verified. It is dropped if
	// that happens twice in a row: one turn may have waited for another program. What was chosen when the arguments
	// were bound is never dropped, nor is the best. 0 stands for 5; after round r > 1 it is 1 + (Hopeless-1)/2^r, by
	// default 2, 1.5, 1.25: what is left is worth more measurements, and what is dropped is not near the best.
	Hopeless float64
	// NoVerify skips the comparison with plain Go.
	NoVerify bool
	// Resident times variants of devices on arrays that stay there. The copies are the same for all variants, and may take
	// much longer than what differs.
	Resident bool
	// Budget is the time after which the bench ends with context.DeadlineExceeded; 0 stands for no limit. What was chosen
	// when the arguments were bound is measured once in any case, and so is the first of Variants where that is not among
	// them.
	Budget time.Duration
	// Progress is called after each measurement; nil for nobody.
	Progress func(BenchProgress)
}

// Bench measures variants on the bound arguments: in rounds, each variant in turn, so that a machine that is slower
// for a while is slower for all of them (Surge section 4). Each variant is verified against plain Go before it is
// timed, and wrong ones fail. Hopeless ones are dropped early.
//
// It returns one measurement for each variant, in the order of opt.Variants. The variant of one computation is forced
// and timed; other computations of the kernel run what is chosen for them. What is hopeless is judged within a
// computation. A variant that fails is no error. A crash of the harness is, and so is the end of the context: what
// was measured until then is returned too, and what was not is Dropped.
func (b *Bound) Bench(ctx context.Context, opt BenchOptions) ([]Measurement, error) {
	bench := &bench{bound: b, opt: opt, all: make([]Measurement, len(opt.Variants)), best: map[string]*Measurement{}}
	limited := ctx
	if opt.Budget > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, opt.Budget)
		defer cancel()
	}
	if bench.opt.Rounds <= 0 {
		bench.opt.Rounds = 5
	}
	if bench.opt.Hopeless <= 1 {
		bench.opt.Hopeless = 5
	}
	for i, v := range opt.Variants {
		bench.all[i] = Measurement{Variant: v, Status: Dropped, Reason: notMeasured}
		bench.left = append(bench.left, &bench.all[i])
	}
	// What is chosen anyway goes first: it is a good first estimate of the best.
	slices.SortStableFunc(bench.left, func(x, y *Measurement) int {
		return cmp.Compare(b.choiceRank(x.Variant), b.choiceRank(y.Variant))
	})
	for round := 1; round <= bench.opt.Rounds && len(bench.left) > 0; round++ {
		if err := bench.round(ctx, limited, round); err != nil {
			return bench.all, err
		}
		bench.drop(round)
		bench.mix(round)
	}
	return bench.all, nil
}

// choiceRank is 0 for variants that were chosen when the arguments were bound, 1 for others.
func (b *Bound) choiceRank(v selector.Variant) int {
	if slices.ContainsFunc(b.decisions, func(d exec.Decision) bool { return d.Variant.Equal(v) }) {
		return 0
	}
	return 1
}

// computation returns the number of a variant's computation, -1 if the kernel has none of that name.
func (b *Bound) computation(v selector.Variant) int {
	return slices.IndexFunc(b.kernel.Computations, func(c harness.ComputationInfo) bool { return c.Name == v.Computation })
}

const (
	// A variant's turn in a round is turnRuns runs, or as many as fit into turnTime.
	turnRuns = 5
	turnTime = 5 * time.Millisecond
	// Where all variants are compared to the end, a turn is longer, so that a moment of other work on the machine does not
	// decide it; of a kernel of several computations, each of which is compared, it is as much shorter.
	keptRuns = 20
	keptTime = 3 * time.Millisecond
	// The turn that says whether a hopeless one was an accident has suspectRuns.
	suspectRuns = 2
	// From slowTime on, a kernel needs no warm-up except in the first round.
	slowTime = 2 * time.Millisecond
	// coldTime is what a first run may take longer than later ones without being hopeless.
	coldTime = 2 * time.Millisecond
)

// bench is the state of one Bench.
type bench struct {
	bound *Bound
	opt   BenchOptions
	with  []string // forced beside each variant
	long  bool     // turns are long
	share int      // turns are that much shorter
	all   []Measurement
	left  []*Measurement          // those that are neither dropped nor failed
	best  map[string]*Measurement // by computation
	done  int                     // measurements made

	prepared int // how many of those that are left are compiled for their device
}

// round gives each variant that is left its turn; limited ends with the budget, and some are measured after that too,
// see [BenchOptions].
func (b *bench) round(ctx, limited context.Context, round int) error {
	for i, m := range b.left {
		if round > 1 || i > 0 && b.bound.choiceRank(m.Variant) > 0 {
			ctx = limited
		}
		if err := b.prepare(ctx, round, i); err != nil {
			return err
		}
		before := len(m.Times)
		if err := b.turn(ctx, round, m); err != nil {
			return err
		}
		m.took(round, m.Times[min(before, len(m.Times)):])
		b.done++
		if best := b.best[m.Variant.Computation]; m.Status == OK && (best == nil || m.Median < best.Median) {
			b.best[m.Variant.Computation] = m
		}
		if b.opt.Progress != nil {
			b.opt.Progress(BenchProgress{Round: round, Rounds: b.opt.Rounds, Done: b.done,
				Total: b.done + len(b.left) - 1 - i + (b.opt.Rounds-round)*len(b.left), Last: m, Best: b.best[m.Variant.Computation]})
		}
	}
	return nil
}

// Variants are compiled for their device before they have their turns, at first a few, so that there are measurements
// soon, and then as many as had their turns already.
const (
	leastAhead = 4
	mostAhead  = 32
)

// prepare lets the harness compile what has its first turns from number i on for its device: all processors take
// part, and none is disturbed in its turn.
func (b *bench) prepare(ctx context.Context, round, i int) error {
	if round > 1 || i < b.prepared || b.bound.choiceRank(b.left[i].Variant) == 0 {
		return nil // what was chosen when the arguments were bound has run
	}
	b.prepared = min(i+min(max(leastAhead, i), mostAhead), len(b.left))
	req := &harness.RunRequest{Bound: b.bound.number}
	for _, m := range b.left[i:b.prepared] {
		if m.Variant.Platform != selector.Host {
			req.Variants = append(req.Variants, m.Variant.String())
		}
	}
	if len(req.Variants) < 2 {
		return nil
	}
	err := b.bound.session.process.call(ctx, &harness.Request{Op: harness.OpPrepare, Run: req}, nil, nil)
	return b.bound.session.translate(err, b.bound.unchecked)
}

// turn measures one variant in one round. Its error ends the bench.
func (b *bench) turn(ctx context.Context, round int, m *Measurement) error {
	req := &harness.RunRequest{Variants: append(slices.Clone(b.with), m.Variant.String()), Repeat: turnRuns, Budget: float64(turnTime / time.Duration(max(b.share, 1))), TimesOnly: true}
	if b.long {
		req.Repeat, req.Budget = keptRuns, float64(max(keptTime/time.Duration(len(b.bound.kernel.Computations)), 2*m.kernel))
	}
	if round == 1 {
		req.Verify = !b.opt.NoVerify
		if best := b.best[m.Variant.Computation]; best != nil {
			req.Hopeless = float64(best.kernel) + max((b.opt.Hopeless-1)*float64(best.Median), float64(coldTime))
		}
	} else if m.kernel >= slowTime {
		req.Repeat = 1 // and no other run
	} else if m.suspect {
		req.Repeat = suspectRuns
	}
	verify := req.Verify
	if b.opt.Resident && m.Variant.Platform != selector.Host {
		req.Verify, req.Resident = false, true
	}
	res, err := b.bound.run(ctx, req)
	if err == nil && res.stopped {
		res, err = b.bound.run(ctx, req) // that may have been an accident
	}
	if err == nil && verify && req.Resident && !res.stopped {
		var checked *RunResult
		if checked, err = b.bound.run(ctx, &harness.RunRequest{Variants: req.Variants, Repeat: 1, Verify: true, TimesOnly: true}); err == nil {
			res.Comparisons = checked.Comparisons
		}
	}
	var wrong *exec.Error
	var ours *Error
	switch {
	case err == nil:
	case errors.As(err, &wrong):
		m.fail(err.Error())
		return nil
	case errors.As(err, &ours) && (ours.Code == CodeInternal || ours.Code == CodeDevice):
		m.fail(ours.What)
		return nil
	case errors.As(err, &ours) && ours.Code == CodeCrash:
		ours.What += ", while it ran " + m.Variant.String()
		return err
	default:
		return err
	}
	if res.stopped {
		m.Reason = fmt.Sprintf("stopped in its first run, twice, after %.3g times that of the best", float64(res.Times[0])/float64(b.best[m.Variant.Computation].kernel))
		return nil
	}
	if round == 1 {
		m.Status, m.Reason, m.Comparisons = OK, "", res.Comparisons
	}
	if bad := firstBad(res.Comparisons); bad != nil {
		m.fail(fmt.Sprintf("wrong: %s", describeBad(bad)))
		return nil
	}
	times := res.Times
	if i := b.bound.computation(m.Variant); len(res.Parts) > 1 && i >= 0 {
		times = res.Parts[i]
	}
	m.Times = append(m.Times, times...)
	if kernel := res.Min(); m.kernel == 0 || kernel < m.kernel {
		m.kernel = kernel
	}
	m.Median, m.Min = median(m.Times), slices.Min(m.Times)
	return nil
}

func describeBad(c *harness.Comparison) string {
	if c.First < 0 {
		return fmt.Sprintf("%s is %s, and plain Go gives %s", c.Result, c.Got, c.Want)
	}
	return fmt.Sprintf("%s[%d] is %s, and plain Go gives %s (%d of %d elements are wrong)", c.Result, c.First, c.Got, c.Want, c.Bad, c.Count)
}

func (m *Measurement) fail(reason string) {
	*m = Measurement{Variant: m.Variant, Status: Failed, Reason: reason, Comparisons: m.Comparisons}
}

// hopeless notes whether the last turn of a variant was, and reports whether it is to be dropped for that: if the one
// before was hopeless too.
func (m *Measurement) hopeless(last bool) bool {
	drop := last && m.suspect
	m.suspect = last
	return drop
}

// drop removes what is failed or hopeless after a round.
func (b *bench) drop(round int) {
	factor := b.opt.Hopeless
	if round > 1 {
		factor = 1 + (factor-1)/math.Exp2(float64(round))
	}
	b.left = slices.DeleteFunc(b.left, func(m *Measurement) bool {
		best := b.best[m.Variant.Computation]
		if m.Status == OK && m.hopeless(m.turns[round-1] > factor*float64(best.Median)) && round < b.opt.Rounds && m != best && b.bound.choiceRank(m.Variant) > 0 {
			m.Status = Dropped
			m.Reason = fmt.Sprintf("%.3g times the best after round %d", m.turns[round-1]/float64(best.Median), round)
		}
		return m.Status != OK
	})
}

// mix changes the order for the next round, always in the same way, so that no variant always follows the same other.
func (b *bench) mix(round int) {
	rng := rand.New(rand.NewPCG(uint64(round), 1))
	rng.Shuffle(len(b.left), func(i, j int) { b.left[i], b.left[j] = b.left[j], b.left[i] })
}
