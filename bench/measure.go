package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/training"
)

// warmUp is how long our side runs before it is timed. It sleeps while the peer runs, and what has slept takes up to twice its
// time in the first ten runs or so. The peer fills its inputs and computes a reference in the same process right before it is
// timed.
const warmUp = 20 * time.Millisecond

// turnRuns is how many runs, at most, a side has in a round.
const turnRuns = 9

// header names the cells of a row.
var header = table.Row{"case", "threads", "peer", "peer GB/s", "read limit GB/s", "ours GB/s", "ours/peer", "untrained/peer", "tried", "best variant"}

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
	args = nil
	ours := func(forced []string, took time.Duration) (float64, error) {
		r, err := b.Run(ctx, training.RunOptions{Variants: forced, Repeat: turnRuns, Warmup: 1 + int(warmUp/max(took, time.Microsecond))})
		if err != nil {
			return 0, err
		}
		return float64(r.Median()) / 1e6, nil
	}
	var ratios, untrained, peerTimes, ourTimes []float64
	for range rounds {
		lines, err := peer(ctx, built, c.program, c.args, t.threads, rival.Impl, turnRuns)
		if err != nil {
			return nil, err
		}
		lines = slices.DeleteFunc(lines, func(l peerLine) bool { return !l.matches(c.params) })
		p, _ := exact(lines, c.bench, rival.Impl)
		fastest, err := ours(found.Forced, found.Time)
		if err != nil {
			return nil, err
		}
		chosen, err := ours(nil, found.Untrained)
		if err != nil {
			return nil, err
		}
		ratios, untrained = append(ratios, p.Median/fastest), append(untrained, p.Median/chosen)
		peerTimes, ourTimes = append(peerTimes, p.Median), append(ourTimes, fastest)
	}
	if err := c.agrees(ctx, b, found, rival.Checksum); err != nil {
		return nil, err
	}
	gbs := func(ms float64) string { return fmt.Sprintf("%.1f", bytes/ms/1e6) }
	var ids []string
	for _, v := range found.Variants {
		ids = append(ids, v.Schedule+"/"+policyText(v))
	}
	return table.Row{c.name, t.threads, rival.Impl, gbs(median(peerTimes)), fmt.Sprintf("%.1f", read.GBs), gbs(median(ourTimes)),
		fmt.Sprintf("%.2f", median(ratios)), fmt.Sprintf("%.2f", median(untrained)), tried(found), strings.Join(ids, " ; ")}, nil
}

// agrees compares the checksum of our results with the peer's.
func (c *measured) agrees(ctx context.Context, b *training.Bound, found *training.Tuned, want float64) error {
	r, err := b.Run(ctx, training.RunOptions{Variants: found.Forced, Values: c.check != nil})
	if err != nil {
		return err
	}
	got := r.Checksums[0]
	if c.check != nil {
		got = c.check(r)
	}
	if tol := max(c.tolerance, 1e-9); !(math.Abs(got-want) <= tol*math.Abs(want)) {
		return fmt.Errorf("checksum %.15g, and the peer's is %.15g", got, want)
	}
	return nil
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

func policyText(v selector.Variant) string {
	var parts []string
	for _, s := range v.Policy {
		parts = append(parts, s.Name+"="+s.Value)
	}
	return strings.Join(parts, ",")
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
