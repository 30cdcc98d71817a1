package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/selector/param"
	"github.com/surge-ndp/surge/training"
	"github.com/surge-ndp/surge/training/input"
)

// tuner finds the fastest variants of kernels, which are compiled on demand and run in a process of their own, as
// surge run does it. What a search learns on one input it knows on the next one of the same kernel.
type tuner struct {
	platforms []string
	threads   int
	sessions  map[string]*training.Session
	searches  map[string]*training.Search
}

func newTuner(platforms ...string) *tuner {
	return &tuner{platforms: platforms, sessions: map[string]*training.Session{}, searches: map[string]*training.Search{}}
}

func (t *tuner) close() {
	for _, s := range t.sessions {
		_ = s.Close()
	}
	clear(t.sessions)
}

// tune binds a kernel on a platform and searches for its fastest variants, for as long as the budget. The caller has
// to release what is bound.
func (t *tuner) tune(ctx context.Context, name, dir, kernel, platform string, args []input.Value, budget time.Duration) (bound *training.Bound, found *training.Tuned, err error) {
	s := t.sessions[dir]
	if s == nil {
		if s, err = training.Open(ctx, dir, training.Options{Platforms: t.platforms, Progress: say}); err != nil {
			return nil, nil, err
		}
		t.sessions[dir] = s
	}
	info, err := s.Kernel(kernel)
	if err != nil {
		return nil, nil, err
	}
	var all []*training.Bound
	defer func() {
		for i, b := range all {
			if i > 0 || err != nil {
				_ = b.Release(context.WithoutCancel(ctx))
			}
		}
	}()
	for _, algorithm := range append([]string{info.Name}, info.Alternatives...) {
		b, err := s.Bind(ctx, algorithm, args, training.BindOptions{Threads: t.threads, Platform: platform})
		if err != nil {
			return nil, nil, err
		}
		all = append(all, b)
	}
	variants, err := s.Variants(ctx, kernel)
	if err != nil {
		return nil, nil, err
	}
	variants = slices.DeleteFunc(variants, func(v selector.Variant) bool {
		return v.Platform != platform || t.threads > 0 && param.NumThreads.Or(v.Policy, 0, 1) > t.threads
	})
	key := fmt.Sprint(dir, kernel, platform, t.threads)
	if t.searches[key] == nil {
		t.searches[key] = training.NewSearch(1)
	}
	show := progress(name)
	found, err = all[0].Tune(ctx, training.TuneOptions{Alternatives: all[1:], Variants: variants, Search: t.searches[key], Budget: budget, Progress: show})
	show("", training.BenchProgress{})
	if err != nil {
		return nil, nil, err
	}
	report(name, budget, found)
	return all[0], found, nil
}

// report says what was tried: all that there is, or what the budget allowed.
func report(name string, budget time.Duration, found *training.Tuned) {
	var parts []string
	for _, s := range found.Searched {
		text := fmt.Sprintf("%s %d of %d", s.Computation, s.Tried, s.Space)
		if s.Ended {
			text += " (the budget ended)"
		}
		parts = append(parts, text)
	}
	for algorithm, factor := range found.Hopeless {
		parts = append(parts, fmt.Sprintf("%s not searched, untrained it takes %.1f times as long", algorithm, factor))
	}
	say(fmt.Sprintf("%s: tried, with a budget of %s: %s", name, budget, strings.Join(parts, ", ")))
}

func say(text string) { fmt.Fprintln(os.Stderr, text) }

// progress shows how far a search is: a bar on a terminal, a line now and then elsewhere. No computation ends it.
func progress(name string) func(computation string, p training.BenchProgress) {
	if term.IsTerminal(int(os.Stderr.Fd())) {
		bar := progressbar.NewOptions(1, progressbar.OptionSetWriter(os.Stderr), progressbar.OptionSetWidth(20), progressbar.OptionShowCount(),
			progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish())
		return func(computation string, p training.BenchProgress) {
			if computation == "" {
				_ = bar.Finish()
				return
			}
			bar.ChangeMax(max(p.Total, 1))
			bar.Describe(state(name, computation, p))
			_ = bar.Set(min(p.Done, max(p.Total-1, 0))) // finished is the search, not a round
		}
	}
	told := time.Now()
	return func(computation string, p training.BenchProgress) {
		if computation != "" && time.Since(told) > 5*time.Second {
			told = time.Now()
			say(fmt.Sprintf("%s, measurement %d", state(name, computation, p), p.Done))
		}
	}
}

func state(name, computation string, p training.BenchProgress) string {
	text := fmt.Sprintf("%s: %s, round %d", name, computation, p.Round)
	if p.Best != nil {
		text += fmt.Sprintf(", best %.4g µs", float64(p.Best.Median)/1e3)
	}
	return text
}
