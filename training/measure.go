package training

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/surge-ndp/surge/selector"
)

// TrainProgress is the state of measuring one input.
type TrainProgress struct {
	BenchProgress
	// Known says that the input was measured in an earlier run.
	Known bool
}

// Measure measures an input unless that was done in an earlier run, and returns its identity. What an earlier run
// began is continued. With [Trainer.Few] it only finds out what there is to measure. Errors are those of loading, of
// binding, of the harness and of the file that keeps the measurements.
func (t *Trainer) Measure(ctx context.Context, c Case, progress func(TrainProgress)) (id string, err error) {
	args, err := c.Load(ctx)
	if err != nil {
		return "", err
	}
	if id, err = contentHash(args); err != nil {
		return "", err
	}
	t.Names[id] = c.Name
	if t.done(id) {
		if progress != nil {
			progress(TrainProgress{Known: true})
		}
		return id, t.measureAlternatives(ctx, c, progress)
	}
	if !t.Deadline.IsZero() && time.Now().After(t.Deadline) {
		return "", ErrBudget
	}
	defer func(id string) {
		if failed := (*Error)(nil); errors.As(err, &failed) && failed.Code == CodeDevice {
			t.refused[id] = true
		}
	}(id)
	bound, err := t.Session.Bind(ctx, t.Kernel.Name, args, BindOptions{Threads: t.Threads, Platform: t.Platform, Features: true})
	if err != nil {
		return "", err
	}
	defer bound.Release(context.WithoutCancel(ctx))
	start := time.Now()
	defer func() { t.Spent += time.Since(start) }()
	res, err := bound.Run(ctx, RunOptions{Variants: t.own()})
	if err != nil {
		return "", err
	}
	for _, d := range res.Decisions {
		if err := t.checkFeatures(c.Name, d.Features); err != nil {
			return "", err
		}
	}
	for _, d := range res.Decisions {
		r := t.record(d.Computation, id)
		r.Name, r.Untrained = c.Name, d.Variant.String()
		r.Features = t.recorded(d.Features)
		if old := t.Store.find(r.Hash, r.Device, r.Computation, id); old == nil || !t.hasFeatures(old) {
			if err := t.Store.put(r); err != nil {
				return "", err
			}
		}
		in := t.Store.find(r.Hash, r.Device, r.Computation, id)
		if (t.Few || t.Noting) && len(in.Paths) == 0 {
			if err := t.notePaths(ctx, bound, r); err != nil {
				return "", err
			}
		}
		if t.has(in, r.Computation) {
			continue // only features were missing, or paths
		}
		if err := t.computation(ctx, bound, r, d.Variant, d.Features, progress); err != nil {
			return "", err
		}
	}
	return id, t.measureAlternatives(ctx, c, progress)
}

// checkFeatures reports a declared feature that is not a number: nothing can be learned from such an input.
func (t *Trainer) checkFeatures(name string, features []selector.Feature) error {
	for _, f := range features {
		if math.IsNaN(f.Value) || math.IsInf(f.Value, 0) {
			return &Error{Where: name, Code: CodeTraining, What: fmt.Sprintf("the feature %s of this input is %g", f.Name, f.Value), Why: "a model compares the features of inputs as numbers",
				Do: "let its function return a number for every input, also for an empty one; one that panics gives NaN"}
		}
	}
	return nil
}

// computation measures the variants of one computation.
func (t *Trainer) computation(ctx context.Context, bound *Bound, r record, untrained selector.Variant, features []selector.Feature, progress func(TrainProgress)) error {
	var all []selector.Variant
	for _, v := range t.Variants {
		if v.Computation == r.Computation {
			all = append(all, v)
		}
	}
	wanted := t.wanted(r.Computation)
	put := t.recorder(r, progress)
	measured, err := bound.search(ctx, t.Strategy, untrained, features, SettleOptions{Variants: all, Prior: t.prior(r), Progress: func(p BenchProgress, fresh []time.Duration) error {
		if err := put(p, 0, fresh); err != nil {
			return err
		}
		if !t.Deadline.IsZero() && time.Now().After(t.Deadline) {
			return ErrBudget
		}
		return nil
	}})
	if err != nil {
		return err
	}
	if works := t.Store.find(r.Hash, r.Device, r.Computation, r.Input); !works.any() {
		return &Error{Where: r.Name, Code: CodeTraining, What: fmt.Sprintf("every variant of %s fails on this input", r.Computation), Why: works.firstReason(),
			Do: "run it with --verify to see more: surge run --verify"}
	}
	line := t.record(r.Computation, r.Input)
	line.Done = max(len(measured), wanted)
	return t.Store.put(line)
}

func (in *measuredInput) any() bool {
	for _, v := range in.variants {
		if v.status != Failed && len(v.times) > 0 {
			return true
		}
	}
	return false
}

func (in *measuredInput) firstReason() string {
	for _, text := range in.order {
		if v := in.variants[text]; v.reason != "" {
			return v.reason
		}
	}
	return ""
}

// prior returns what is known of an input's variants.
func (t *Trainer) prior(r record) map[string]Measurement {
	in := t.Store.find(r.Hash, r.Device, r.Computation, r.Input)
	prior := map[string]Measurement{}
	for text, v := range in.variants {
		m := Measurement{Status: v.status, Reason: v.reason}
		for _, ns := range v.times {
			m.Times = append(m.Times, time.Duration(ns))
		}
		if m.Status == OK && len(m.Times) == 0 {
			continue
		}
		prior[text] = m
	}
	return prior
}

// recorder returns a function that records a measurement as a line like r, with its round in a comparison and the
// time that passed since the measurement before.
func (t *Trainer) recorder(r record, progress func(TrainProgress)) func(p BenchProgress, round int, fresh []time.Duration) error {
	last := time.Now()
	return func(p BenchProgress, round int, fresh []time.Duration) error {
		line := t.record(r.Computation, r.Input)
		line.Final, line.Duel, line.Round = r.Final, r.Duel, round
		line.Variant, line.Status, line.Reason, line.Took = p.Last.Variant.String(), p.Last.Status, p.Last.Reason, float64(time.Since(last))
		last = time.Now()
		for _, d := range fresh {
			line.Times = append(line.Times, float64(d))
		}
		if progress != nil {
			progress(TrainProgress{BenchProgress: p})
		}
		return t.Store.put(line)
	}
}
