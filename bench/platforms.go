package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/surge-ndp/surge/training"
	"github.com/surge-ndp/surge/training/input"
)

// sideBySide is a case that both platforms run: a kernel of an example with inputs as surge run takes them.
type sideBySide struct {
	name, dir, kernel string
	data              map[string]string // input → spec
	bind              []string          // parameter by parameter
}

func sideBySides(mtx string) []sideBySide {
	var cs []sideBySide
	for _, n := range []string{"1e3", "1e5", "5e6"} {
		s := map[string]string{"S": "gen:uniform:n=" + n}
		cs = append(cs, sideBySide{"sum, " + n, "./examples/reduction", "Sum", s, []string{"S"}},
			sideBySide{"reduction, tiles of 1000, " + n, "./examples/reduction", "Reduction", s, []string{"S", "1000"}},
			sideBySide{"scan, flat, " + n, "./examples/scan", "PrefixSums", s, []string{"S", "10"}},
			sideBySide{"scan, tiles of 1000, " + n, "./examples/scan", "Scan", s, []string{"S", "1000", "10"}})
	}
	matrices := []string{"gen:poisson2d:30x30", "gen:poisson2d:300x300", "gen:poisson2d:1000x1000", "gen:long:rows=2048", "gen:powerlaw:rows=1<<16,avg=16"}
	files, _ := filepath.Glob(filepath.Join(mtx, "*.mtx*"))
	for _, spec := range append(matrices, files...) {
		name, _, _ := strings.Cut(filepath.Base(spec), ".mtx")
		cs = append(cs, sideBySide{"spmv, " + name, "./examples/spmv", "SpMV", map[string]string{"A": spec}, []string{"A.values", "A.columns", "A.row_offsets", "random(A.cols)"}})
	}
	return cs
}

// comparePlatforms measures the goroutine platform and another side by side: for each case a search finds the fastest
// variant on each, and these take turns.
func comparePlatforms(ctx context.Context, other, only, mtx, out string) error {
	t := table.NewWriter()
	t.AppendHeader(table.Row{"case", "goroutine µs", other + " µs", "copies apart µs", "speed", "copies apart"})
	tmp, err := os.MkdirTemp("", "surge-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	for i, c := range sideBySides(mtx) {
		if !wanted(c.name, only) {
			continue
		}
		store, err := training.OpenMeasurements([]string{filepath.Join(tmp, fmt.Sprint(i))}, false)
		if err != nil {
			return err
		}
		times, err := c.measure(ctx, other, store)
		store.Close()
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		row := table.Row{c.name, fmt.Sprintf("%.1f", times[0]/1e3), fmt.Sprintf("%.1f", times[1]/1e3), fmt.Sprintf("%.1f", times[2]/1e3),
			fmt.Sprintf("%.2f", times[0]/times[1]), fmt.Sprintf("%.2f", times[0]/times[2])}
		t.AppendRow(row)
		fmt.Fprintln(os.Stderr, strings.TrimSpace(fmt.Sprintln(row...)))
	}
	fmt.Println(t.Render())
	if out != "" {
		return os.WriteFile(filepath.Clean(out), []byte(t.RenderMarkdown()+"\n"), 0o644)
	}
	return nil
}

// measure returns the median times, in nanoseconds, on goroutines, on the other platform with copies, and without.
func (c *sideBySide) measure(ctx context.Context, other string, store *training.Measurements) (times [3]float64, err error) {
	s := sessions[c.dir]
	if s == nil {
		if s, err = training.Open(ctx, c.dir, training.Options{Platforms: []string{"goroutine", other}, Progress: func(text string) { fmt.Fprintln(os.Stderr, text) }}); err != nil {
			return times, err
		}
		sessions[c.dir] = s
	}
	kernel, err := s.Kernel(c.kernel)
	if err != nil {
		return times, err
	}
	load := training.Case{Name: c.name, Load: func(ctx context.Context) ([]input.Value, error) {
		sources := map[string]*input.Source{}
		for name, spec := range c.data {
			src, err := input.Open(ctx, spec, input.Options{})
			if err != nil {
				return nil, err
			}
			sources[name] = src
		}
		var params []input.Parameter
		for i, p := range kernel.Params {
			t, err := input.ParseType(p.Type)
			if err != nil {
				return nil, err
			}
			params = append(params, input.Parameter{Name: p.Name, Type: t, Expr: c.bind[i]})
		}
		return input.BindAll(params, sources, input.Options{})
	}}
	p := &training.Platforms{}
	var id string
	for _, platform := range []string{"goroutine", other} {
		t, err := training.NewTrainer(ctx, s, kernel.Name, platform, store)
		if err != nil {
			return times, err
		}
		t.Strategy = training.NewSearch(1)
		if id, err = t.Measure(ctx, load, nil); err != nil {
			return times, err
		}
		matter, err := t.Finalists([]string{id})
		if err != nil {
			return times, err
		}
		for pass := range training.ComparePasses {
			if err := t.Compare(ctx, load, id, pass, matter, nil); err != nil {
				return times, err
			}
		}
		p.Trainers = append(p.Trainers, t)
	}
	for pass := range training.ComparePasses {
		if err := p.Compare(ctx, load, id, pass); err != nil {
			return times, err
		}
	}
	host, device := p.Times(id)
	times[0], times[1] = host["goroutine"], host[other]
	times[2] = device[other] * host["goroutine"] / device["goroutine"]
	return times, nil
}
