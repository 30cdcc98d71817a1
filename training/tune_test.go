package training

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/training/input"
)

// A search without a limit tries every variant; one whose budget is spent at once still measures what is chosen
// without a model, and says that it ended.
func TestTune(t *testing.T) {
	ctx := context.Background()
	s := open(t, spmv, Options{})
	all, err := s.Variants(ctx, "SpMV")
	if err != nil {
		t.Fatal(err)
	}
	b, err := s.Bind(ctx, "SpMV", poisson(t, 30), BindOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, budget := range []time.Duration{0, 1} {
		calls := 0
		found, err := b.Tune(ctx, TuneOptions{Variants: all, Budget: budget, Progress: func(string, BenchProgress) { calls++ }})
		if err != nil {
			t.Fatal(err)
		}
		tried, space, ended := found.Of()
		if ended != (budget > 0) || space < len(all) || space > len(all)+1 || budget == 0 && tried != space || budget > 0 && tried != 1 {
			t.Errorf("budget %v: %+v of %d", budget, found.Searched, len(all))
		}
		if calls < tried || found.Time <= 0 || found.Time > found.Untrained || len(found.Variants) != 1 || found.Variants[0].Computation != "SpMV.1" {
			t.Errorf("budget %v: %d calls, %+v", budget, calls, found)
		}
		r, err := b.Run(ctx, RunOptions{Variants: found.Forced, Verify: true})
		if err != nil || !r.Verified() || !r.Decisions[0].Variant.Equal(found.Variants[0]) {
			t.Errorf("budget %v: %v, %+v", budget, err, r)
		}
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := b.Tune(ended, TuneOptions{Variants: all}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

const extremes = `package a

import "github.com/surge-ndp/surge/ops"

func least(a, b float64) float64 { return min(a, b) }

func most(a, b float64) float64 { return max(a, b) }

//surge:kernel
func Most(x []float64) (float64, []float64) {
	return ops.Reduce(most, x, 0), ops.Scan(most, x, 0)
}

// Slow finds each element again among all.
//
//surge:variant-of Most
func Slow(x []float64) (float64, []float64) {
	again := ops.Map(func(v float64) float64 {
		return ops.Reduce(most, ops.Map(func(w float64) float64 { return least(v, w) }, x), 0)
	}, x)
	return ops.Reduce(most, again, 0), ops.Scan(most, again, 0)
}

// Other does as much as Most.
//
//surge:variant-of Most
func Other(x []float64) (float64, []float64) {
	y := ops.Scan(most, x, 0)
	return ops.Reduce(most, y, 0), y
}
`

// Of several algorithms those that are hopeless are not searched; the others are, each computation of them.
func TestTuneAlgorithms(t *testing.T) {
	ctx := context.Background()
	s := open(t, userModule(t, map[string]string{"a.go": extremes}), Options{})
	all, err := s.Variants(ctx, "Most")
	if err != nil {
		t.Fatal(err)
	}
	x := make([]float64, 3000)
	for i := range x {
		x[i] = float64(i * 7919 % 3001)
	}
	var bound []*Bound
	for _, name := range []string{"Most", "Slow", "Other"} {
		b, err := s.Bind(ctx, name, []input.Value{input.Vector(x)}, BindOptions{})
		if err != nil {
			t.Fatal(err)
		}
		bound = append(bound, b)
	}
	found, err := bound[0].Tune(ctx, TuneOptions{Alternatives: bound[1:], Variants: all, Budget: 2 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	if len(found.Hopeless) != 1 || !(found.Hopeless["Slow"] > hopelessAlgorithm) {
		t.Errorf("hopeless: %v", found.Hopeless)
	}
	searched := map[string]int{}
	for _, c := range found.Searched {
		searched[c.Computation[:len(c.Computation)-2]]++
	}
	if len(searched) != 2 || searched["Most"] < 2 || searched["Other"] < 2 {
		t.Errorf("searched %+v", found.Searched)
	}
	r, err := bound[0].Run(ctx, RunOptions{Variants: found.Forced, Verify: true})
	if err != nil || !r.Verified() || len(r.Decisions) != len(found.Variants) {
		t.Fatalf("%v, %+v", err, r)
	}
	for i, d := range r.Decisions {
		if !d.Variant.Equal(found.Variants[i]) {
			t.Errorf("%s runs, and %s was found", d.Variant, found.Variants[i])
		}
	}
}

// A thorough search begins beside what is chosen without a model, asks for nothing twice, also on the next input and
// where the choice was measured unasked, and comes to an end with all.
func TestThoroughSearch(t *testing.T) {
	var all []selector.Variant
	for a := range 6 {
		for b := range 5 {
			for c := range 4 {
				all = append(all, selector.Variant{Computation: "K.1", Form: "f", Schedule: "s", Platform: "goroutine", Policy: []selector.Setting{
					{Name: "a", Value: fmt.Sprint(a)}, {Name: "b", Value: fmt.Sprint(b)}, {Name: "c", Value: fmt.Sprint(c)}}})
			}
		}
	}
	untrained := all[len(all)/2]
	s := NewSearch(1)
	s.thorough = true
	s.expect(exec.Decision{Computation: "K.1", Variant: untrained})
	for input := range 2 {
		known := map[string]float64{}
		for {
			next := s.Pick("K.1", nil, all, known)
			if len(next) == 0 {
				break
			}
			for _, v := range next {
				if _, ok := known[v.String()]; ok {
					t.Fatalf("input %d: %s is asked for twice", input, v)
				}
				known[v.String()] = float64(1000 + len(known))
			}
			if len(known) == len(next) {
				known[untrained.String()] = 2000 // measured in any case
				if n := len(slices.DeleteFunc(next, func(v selector.Variant) bool { return !adjacent(v, untrained) })); n < 3 && input == 0 {
					t.Errorf("%d of the first are beside the untrained choice", n)
				}
			}
		}
		if len(known) != len(all) {
			t.Errorf("input %d: %d of %d", input, len(known), len(all))
		}
	}
}

// What is chosen is measured after the end of a budget too, the others are not.
func TestBenchBudget(t *testing.T) {
	ctx := context.Background()
	s := open(t, spmv, Options{})
	all, err := s.Variants(ctx, "SpMV")
	if err != nil {
		t.Fatal(err)
	}
	b, err := s.Bind(ctx, "SpMV", poisson(t, 30), BindOptions{})
	if err != nil {
		t.Fatal(err)
	}
	chosen := b.Decisions()[0].Variant
	all = slices.DeleteFunc(all, chosen.Equal)
	ms, err := b.Bench(ctx, BenchOptions{Variants: append(slices.Clone(all), chosen), Budget: 1})
	if !errors.Is(err, context.DeadlineExceeded) || len(ms) != len(all)+1 {
		t.Fatalf("%d measurements, %v", len(ms), err)
	}
	for i, m := range ms {
		if measured := len(m.Times) > 0; measured != (i == len(all)) {
			t.Errorf("%s: %d times, %s", m.Variant, len(m.Times), m.Reason)
		}
	}
}
