package training

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/codegen/exec"
)

// A bench ranks the variants that were asked for, and says which is chosen and which is the best.
func TestBenchPlan(t *testing.T) {
	s := open(t, spmv, Options{})
	b, err := s.Bind(context.Background(), "SpMV", poisson(t, 40), BindOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var began []exec.Decision
	progressed := 0
	r, err := Bench(context.Background(), BenchPlan{Bound: b, Variants: []string{"goroutine", "sequential>sequential"}, Rounds: 2,
		Begin: func(ds []exec.Decision) { began = ds }, Progress: func(BenchProgress) { progressed++ }})
	if err != nil {
		t.Fatal(err)
	}
	if !r.Complete || len(r.Decisions) != 1 || len(began) != 1 || r.Variants < 2 || len(r.Ranked) != r.Variants || progressed < r.Variants || r.Time <= 0 {
		t.Errorf("%d variants, %d ranked, complete %t, %d measurements, %s", r.Variants, len(r.Ranked), r.Complete, progressed, r.Time)
	}
	best := 0
	for i, m := range r.Ranked {
		if m.Variant.Schedule != "sequential>sequential" {
			t.Errorf("%s was not asked for", m.Variant)
		}
		if m.Best {
			best++
			if i != 0 || m.Ratio != 1 {
				t.Errorf("the best stands at %d, with a ratio of %g", i, m.Ratio)
			}
		}
		if m.Rank != 0 && m.Rank != i+1 {
			t.Errorf("rank %d stands at %d", m.Rank, i)
		}
	}
	ok := slices.DeleteFunc(slices.Clone(r.Ranked), func(m Ranked) bool { return m.Status != OK })
	if best != 1 || !slices.IsSortedFunc(ok, func(x, y Ranked) int { return int(x.Median - y.Median) }) {
		t.Errorf("%d are the best, of %d in order", best, len(ok))
	}
}

// When the context ends the report has what was measured until then; what cannot be measured is refused.
func TestBenchPlanEnds(t *testing.T) {
	s := open(t, spmv, Options{})
	b, err := s.Bind(context.Background(), "SpMV", poisson(t, 40), BindOptions{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	for name, p := range map[string]BenchPlan{
		"the plan has no kernel": {},
		"unroll_2 is one of":     {Bound: b, Variants: []string{"unroll_2=99"}},
		"num_threads is one of":  {Bound: b, Variants: []string{"num_threads=0"}},
	} {
		r, err := Bench(context.Background(), p)
		if e := (*Error)(nil); r != nil || !errors.As(err, &e) || !strings.Contains(e.What, name) {
			t.Errorf("%+v, %v, want %q", r, err, name)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	n := 0
	r, err := Bench(ctx, BenchPlan{Bound: b, Progress: func(BenchProgress) {
		if n++; n == 4 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) || r == nil || r.Complete || len(r.Ranked) < 3 || len(r.Ranked) == r.Variants {
		t.Errorf("%+v, %v", r, err)
	}
}
