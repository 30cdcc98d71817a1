package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/surge-ndp/surge/codegen"
	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/codegen/goroutine/vec"
	"github.com/surge-ndp/surge/ops/load"
	"github.com/surge-ndp/surge/selector"
)

// loadSpaces returns the valid variants of every computation, kernel by kernel.
func loadSpaces(ctx context.Context, dirs ...string) (map[string][][]selector.Variant, error) {
	spaces := map[string][][]selector.Variant{}
	for _, dir := range dirs {
		pkg, err := load.Load(ctx, dir, load.Options{})
		if err != nil {
			return nil, err
		}
		p, err := codegen.Compile(pkg, codegen.Options{Machine: codegen.HostMachine(vec.Native()), Platforms: []string{"goroutine"}})
		if err != nil {
			return nil, err
		}
		for _, k := range p.Kernels {
			for _, s := range k.Spaces {
				spaces[k.Source.Name] = append(spaces[k.Source.Name], s.Valid())
			}
		}
	}
	return spaces, nil
}

// warmUp is how long our side runs before it is timed. It sleeps while the peer runs, and what has slept takes up to twice its
// time in the first ten runs or so. The peer fills its inputs and computes a reference in the same process right before it is
// timed.
const warmUp = 20 * time.Millisecond

// sides is what a case measures of ours: the best variant that a search found, and what is chosen without training. The
// times are medians of some runs, in milliseconds.
type sides struct {
	ours, chosen func(ctx context.Context, reps int) (ms float64, err error)
	checksum     func() float64 // of the best variant's last result
	best         []selector.Variant
	bytes        float64 // that the computation has to move
	release      func()
}

// generated prepares a case whose kernel lies in generated code.
func generated(ctx context.Context, c measured, threads int, spaces [][]selector.Variant) (sides, error) {
	bind, bytes, err := c.load(ctx)
	if err != nil {
		return sides{}, err
	}
	chosen, err := bind(exec.Threads(threads))
	if err != nil {
		return sides{}, err
	}
	forced, err := search(ctx, bind, spaces, threads)
	if err != nil {
		return sides{}, err
	}
	ours, err := bind(append([]exec.Option{exec.Threads(threads)}, options(forced)...)...)
	if err != nil {
		return sides{}, err
	}
	return sides{
		ours:     func(ctx context.Context, reps int) (float64, error) { return warm(ctx, ours, reps) },
		chosen:   func(ctx context.Context, reps int) (float64, error) { return warm(ctx, chosen, reps) },
		checksum: ours.checksum, best: forced, bytes: bytes, release: func() {},
	}, nil
}

func measure(ctx context.Context, c measured, threads, built string, spaces map[string][][]selector.Variant, rounds int) (table.Row, error) {
	limits, err := peer(built, "limits", nil, threads, "omp", 5)
	if err != nil {
		return nil, err
	}
	read, _ := best(limits, "limit_read")
	var lines []peerLine
	for range 3 { // one run that is disturbed must not make a slow implementation the rival
		run, err := peer(built, c.program, c.args, threads, "", 9)
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
	n, err := strconv.Atoi(threads)
	if err != nil {
		return nil, err
	}
	var s sides
	if c.inputs != nil {
		s, err = onDemand(ctx, c, n)
	} else {
		s, err = generated(ctx, c, n, spaces[c.kernel])
	}
	if err != nil {
		return nil, err
	}
	defer s.release()
	var ratio, regret, peerTimes, ourTimes []float64
	for range rounds {
		lines, err := peer(built, c.program, c.args, threads, rival.Impl, 9)
		if err != nil {
			return nil, err
		}
		lines = slices.DeleteFunc(lines, func(l peerLine) bool { return !l.matches(c.params) })
		p, _ := exact(lines, c.bench, rival.Impl)
		a, err := s.ours(ctx, 9)
		if err != nil {
			return nil, err
		}
		b, err := s.chosen(ctx, 9)
		if err != nil {
			return nil, err
		}
		ratio, regret = append(ratio, p.Median/a), append(regret, b/a)
		peerTimes, ourTimes = append(peerTimes, p.Median), append(ourTimes, a)
	}
	if got, tol := s.checksum(), max(c.tolerance, 1e-9); !(math.Abs(got-rival.Checksum) <= tol*math.Abs(rival.Checksum)) {
		return nil, fmt.Errorf("checksum %.15g, and the peer's is %.15g", got, rival.Checksum)
	}
	gbs := func(ms float64) string { return fmt.Sprintf("%.1f", s.bytes/ms/1e6) }
	var ids []string
	for _, v := range s.best {
		ids = append(ids, v.Schedule+"/"+policyText(v))
	}
	return table.Row{c.name, threads, rival.Impl, gbs(median(peerTimes)), fmt.Sprintf("%.1f", read.GBs), gbs(median(ourTimes)),
		fmt.Sprintf("%.2f", median(ratio)), fmt.Sprintf("%.2f", median(regret)), strings.Join(ids, " ; ")}, nil
}

func policyText(v selector.Variant) string {
	var parts []string
	for _, s := range v.Policy {
		parts = append(parts, s.Name+"="+s.Value)
	}
	return strings.Join(parts, ",")
}

func options(vs []selector.Variant) []exec.Option {
	var os []exec.Option
	for _, v := range vs {
		os = append(os, exec.Variant(v.String()))
	}
	return os
}

// search finds the fastest variant of each computation, one computation at a time: a quick look at all of them, then
// longer ones at those that are close.
func search(ctx context.Context, bind func(...exec.Option) (runner, error), spaces [][]selector.Variant, threads int) ([]selector.Variant, error) {
	var forced []selector.Variant
	for _, space := range spaces {
		type candidate struct {
			v    selector.Variant
			time float64
		}
		var cs []candidate
		for _, v := range space {
			if t := v.Int(selector.NumThreads, 1); t > threads {
				continue
			}
			r, err := bind(append([]exec.Option{exec.Threads(threads), exec.Unchecked()}, options(append(slices.Clone(forced), v))...)...)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", v, err)
			}
			t, err := timed(ctx, r, 3)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", v, err)
			}
			cs = append(cs, candidate{v, t})
		}
		slices.SortFunc(cs, func(a, b candidate) int { return int(math.Copysign(1, a.time-b.time)) })
		cs = cs[:min(len(cs), 6)]
		for i := range cs {
			r, err := bind(append([]exec.Option{exec.Threads(threads), exec.Unchecked()}, options(append(slices.Clone(forced), cs[i].v))...)...)
			if err != nil {
				return nil, err
			}
			if cs[i].time, err = timed(ctx, r, 25); err != nil {
				return nil, err
			}
		}
		slices.SortFunc(cs, func(a, b candidate) int { return int(math.Copysign(1, a.time-b.time)) })
		forced = append(forced, cs[0].v)
	}
	return forced, nil
}

// warm is timed after a warm-up.
func warm(ctx context.Context, r runner, reps int) (float64, error) {
	for start := time.Now(); time.Since(start) < warmUp; {
		if err := r.run(ctx); err != nil {
			return 0, err
		}
	}
	return timed(ctx, r, reps)
}

// timed returns the median time of a run in milliseconds. Runs shorter than a clock can tell are timed several at once.
func timed(ctx context.Context, r runner, reps int) (float64, error) {
	inner := 1
	if err := r.run(ctx); err != nil {
		return 0, err
	}
	start := time.Now()
	if err := r.run(ctx); err != nil {
		return 0, err
	}
	if d := time.Since(start); d < 20*time.Microsecond {
		inner = int(50*time.Microsecond/max(d, 100*time.Nanosecond)) + 1
	}
	times := make([]float64, reps)
	for i := range times {
		start := time.Now()
		for range inner {
			if err := r.run(ctx); err != nil {
				return 0, err
			}
		}
		times[i] = float64(time.Since(start)) / 1e6 / float64(inner)
	}
	return median(times), nil
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
