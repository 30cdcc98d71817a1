package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/surge-ndp/surge/codegen"
	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/training"
	"github.com/surge-ndp/surge/training/input"
)

// warmUp is how long our side runs before it is timed. It sleeps while the peer runs, and what has slept takes up to
// twice its time in the first ten runs or so. The peer fills its inputs and computes a reference in the same process
// right before it is timed.
const warmUp = 20 * time.Millisecond

// turnRuns is how many runs, at most, a side has in a round.
const turnRuns = 9

// header names the cells of a row.
var header = table.Row{"case", "threads", "peer", "peer GB/s", "read limit GB/s", "ours GB/s", "ours/peer", "untrained/peer", "openmp/peer", "tried", "best variant"}

// measure finds the peer's and our fastest, and gives the row that says how they compare.
func measure(ctx context.Context, c measured, t *tuner, built string, rounds int, budget time.Duration) (table.Row, error) {
	limits, err := peer(ctx, built, "limits", nil, t.threads, "omp", 5)
	if err != nil {
		return nil, err
	}
	read, _ := best(limits, "limit_read")
	var lines []peerLine
	for range 3 { // one run that is disturbed must not make a slow implementation the rival
		run, err := peer(ctx, built, c.program, c.args, t.threads, "", turnRuns)
		if err != nil {
			return nil, err
		}
		lines = append(lines, run...)
	}
	lines = slices.DeleteFunc(lines, func(l peerLine) bool { return !l.matches(c.params) })
	rival, ok := best(lines, c.bench)
	if !ok {
		return nil, fmt.Errorf("the peer printed no %s", c.bench)
	}
	args, bytes, err := c.inputs(ctx)
	if err != nil {
		return nil, err
	}
	b, found, err := t.tune(ctx, c.name, c.dir, c.kernel, "goroutine", args, budget)
	if err != nil {
		return nil, err
	}
	defer b.Release(context.WithoutCancel(ctx))
	fastest, err := c.side(b, args, t.threads, found.Forced)
	if err != nil {
		return nil, err
	}
	untrained, err := c.side(b, args, t.threads, nil)
	if err != nil {
		return nil, err
	}
	compiled, err := c.inC(ctx, t, args, budget)
	if err != nil {
		return nil, err
	}
	if compiled != nil {
		defer compiled.bound.Release(context.WithoutCancel(ctx))
	}
	args = nil
	var ratios, untrainedRatios, cRatios, peerTimes, ourTimes []float64
	for range rounds {
		lines, err := peer(ctx, built, c.program, c.args, t.threads, rival.Impl, turnRuns)
		if err != nil {
			return nil, err
		}
		lines = slices.DeleteFunc(lines, func(l peerLine) bool { return !l.matches(c.params) })
		p, _ := exact(lines, c.bench, rival.Impl)
		ours, err := fastest.time(ctx)
		if err != nil {
			return nil, err
		}
		chosen, err := untrained.time(ctx)
		if err != nil {
			return nil, err
		}
		if compiled != nil {
			took, err := compiled.time(ctx)
			if err != nil {
				return nil, err
			}
			cRatios = append(cRatios, p.Median/took)
		}
		ratios, untrainedRatios = append(ratios, p.Median/ours), append(untrainedRatios, p.Median/chosen)
		peerTimes, ourTimes = append(peerTimes, p.Median), append(ourTimes, ours)
	}
	got, err := fastest.checksum(ctx)
	if err != nil {
		return nil, err
	}
	if tol := max(c.tolerance, 1e-9); !(math.Abs(got-rival.Checksum) <= tol*math.Abs(rival.Checksum)) {
		return nil, fmt.Errorf("checksum %.15g, and the peer's is %.15g", got, rival.Checksum)
	}
	gbs := func(ms float64) string { return fmt.Sprintf("%.1f", bytes/ms/1e6) }
	var ids []string
	for _, v := range found.Variants {
		ids = append(ids, v.Schedule+"/"+v.Policy.String())
	}
	return table.Row{c.name, t.threads, rival.Impl, gbs(median(peerTimes)), fmt.Sprintf("%.1f", read.GBs), gbs(median(ourTimes)),
		fmt.Sprintf("%.2f", median(ratios)), fmt.Sprintf("%.2f", median(untrainedRatios)), ofC(cRatios), tried(found), strings.Join(ids, " ; ")}, nil
}

// ofC is the cell of the openmp platform.
func ofC(ratios []float64) string {
	if len(ratios) == 0 {
		return "no compiler"
	}
	return fmt.Sprintf("%.2f", median(ratios))
}

// cSide is the same kernel by the machine's C compiler.
type cSide struct {
	side
	bound *training.Bound
}

// inC finds the fastest variant in C; nil if there is no compiler.
func (c *measured) inC(ctx context.Context, t *tuner, args []input.Value, budget time.Duration) (*cSide, error) {
	if _, err := codegen.Target(inC).Ready(); err != nil {
		return nil, nil
	}
	b, found, err := t.tune(ctx, c.name+" in C", c.dir, c.kernel, inC, args, budget)
	if err != nil {
		return nil, err
	}
	return &cSide{c.remote(b, found.Forced), b}, nil
}

// inC is the platform that says what the C compiler makes of our kernels.
const inC = "openmp"

// side is one of ours, ready to be timed.
type side struct {
	time     func(ctx context.Context) (ms float64, err error) // median of some runs after a warm-up
	checksum func(ctx context.Context) (float64, error)        // as the peer computes it
}

// side prepares variants, or what is chosen without training where none are forced. The code runs in this process if
// it is part of it, and otherwise where b is bound.
func (c *measured) side(b *training.Bound, args []input.Value, threads int, forced []string) (side, error) {
	if c.bind == nil {
		return c.remote(b, forced), nil
	}
	opts := []exec.Option{exec.Threads(threads)}
	for _, text := range forced {
		opts = append(opts, exec.Variant(text))
	}
	p, err := c.bind(args, opts...)
	if err != nil && forced != nil { // generated files have the variants that are chosen, and perhaps not the fastest one
		return c.remote(b, forced), nil
	}
	return side{
		time:     func(ctx context.Context) (float64, error) { return timed(ctx, p.run) },
		checksum: func(context.Context) (float64, error) { return p.checksum(), nil },
	}, err
}

// remote is the side that runs where b is bound.
func (c *measured) remote(b *training.Bound, forced []string) side {
	took := warmUp
	return side{time: func(ctx context.Context) (float64, error) {
		r, err := b.Run(ctx, training.RunOptions{Variants: forced, Repeat: turnRuns, Warmup: 1 + int(warmUp/max(took, time.Microsecond))})
		if err != nil {
			return 0, err
		}
		took = r.Median()
		return float64(took) / 1e6, nil
	}, checksum: func(ctx context.Context) (float64, error) {
		r, err := b.Run(ctx, training.RunOptions{Variants: forced, Values: c.check != nil})
		switch {
		case err != nil:
			return 0, err
		case c.check != nil:
			return c.check(r), nil
		}
		return r.Checksums[0], nil
	}}
}

// timed returns the median time of a run in milliseconds, after a warm-up. Runs shorter than a clock can tell are timed
// several at once.
func timed(ctx context.Context, run func(context.Context) error) (float64, error) {
	ctx = context.WithoutCancel(ctx)
	repeat := func(n int) (time.Duration, error) {
		start := time.Now()
		for range n {
			if err := run(ctx); err != nil {
				return 0, err
			}
		}
		return time.Since(start), nil
	}
	least := time.Duration(math.MaxInt64)
	for start := time.Now(); time.Since(start) < warmUp; {
		d, err := repeat(1)
		if err != nil {
			return 0, err
		}
		least = min(least, max(d, 100*time.Nanosecond))
	}
	batch := 1 + int(50*time.Microsecond/least)
	times := make([]float64, turnRuns)
	for i := range times {
		d, err := repeat(batch)
		if err != nil {
			return 0, err
		}
		times[i] = float64(d) / 1e6 / float64(batch)
	}
	return median(times), nil
}

// tried says how many of the variants a search tried, with a mark where its budget ended.
func tried(found *training.Tuned) string {
	n, space, ended := found.Of()
	text := fmt.Sprintf("%d of %d", n, space)
	if ended {
		text += " *"
	}
	return text
}

func median(xs []float64) float64 {
	s := slices.Clone(xs)
	slices.Sort(s)
	n := len(s)
	if n%2 == 1 {
		return s[n/2]
	}
	return (s[n/2-1] + s[n/2]) / 2
}
