package training

import (
	"cmp"
	"context"
	"slices"
	"testing"
	"time"

	"github.com/surge-ndp/surge/training/input"
)

func TestSmoke(t *testing.T) {
	ctx := context.Background()
	s, err := Open(ctx, "../examples/spmv", Options{CacheDir: "/tmp/w/cache", Progress: func(s string) { t.Log(s) }})
	if err != nil {
		t.Fatal(err)
	}
	vs, err := s.Variants(ctx, "")
	if err != nil {
		t.Fatal(err)
	}
	src, err := input.Open(ctx, "gen:poisson2d:1000x1000", input.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f := func(n string) input.Value {
		v, err := src.Field(n)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	x, err := input.Bind("random(A.cols)", map[string]*input.Source{"A": src}, input.Type{Kind: input.Float64, Rank: 1})
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	b, err := s.Bind(ctx, "SpMV", []input.Value{f("values"), f("columns"), f("row_offsets"), x}, BindOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Log("bind", time.Since(start))
	start = time.Now()
	r, err := b.Run(ctx, RunOptions{Repeat: 5, Verify: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("run %v: %+v", time.Since(start), r)
	start = time.Now()
	ms, err := b.Bench(ctx, BenchOptions{Variants: vs})
	t.Log("bench", time.Since(start), err)
	slices.SortStableFunc(ms, func(x, y Measurement) int { return cmp.Compare(x.Median, y.Median) })
	for i, m := range ms {
		if i < 12 || i%20==0 || m.Status == Failed {
			t.Log(m.Status, m.Median, m.Min, len(m.Times), m.Reason, m.Variant)
		}
	}
	s.Close()
}
