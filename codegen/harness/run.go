package harness

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/codegen/goroutine/rt"
	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/selector/param"
)

// shortest is the time below which a run is too short for the clock, which takes some 50 ns to read and to call.
const shortest = 20 * time.Microsecond

// deviceCompile is what the compiler of a device may take in the first launch of a kernel.
const deviceCompile = 5 * time.Second

// run serves a RunRequest and returns the results too.
func (b *binding) run(ctx context.Context, req *RunRequest) (*RunReply, []array, error) {
	variants := b.variants
	if req.Variants != nil {
		variants = req.Variants
	}
	reply := &RunReply{Batch: 1}
	if req.Resident && (req.Verify || req.Values || !req.TimesOnly) {
		return nil, nil, badRequest("the results of a resident run stay on the device")
	}
	b.reside(req.Resident)
	if req.Verify {
		if err := b.reference(); err != nil {
			return nil, nil, b.failsToo(ctx, variants, err)
		}
		b.adopt(b.want)
		reply.Plain = float64(b.plain)
	}
	if err := b.choose(variants); err != nil {
		return nil, nil, err
	}
	if req.Verify && b.results != nil {
		b.spoil()
	}
	if req.Hopeless > 0 && b.onDevice() {
		// The first launch on a device may compile, which says nothing about the variant.
		patient, cancel := context.WithTimeout(ctx, time.Duration(2*req.Hopeless)+deviceCompile)
		_, _, err := b.repeat(patient, 1)
		late := patient.Err() != nil
		cancel()
		if err != nil && !(late && ctx.Err() == nil) {
			return nil, nil, err
		}
	}
	limited, cancel := ctx, func() {}
	if req.Hopeless > 0 {
		limited, cancel = context.WithTimeout(ctx, time.Duration(2*req.Hopeless))
	}
	b.gather()
	start := time.Now()
	results, first, err := b.repeat(limited, 1)
	stopped := limited.Err() != nil && ctx.Err() == nil
	cancel()
	switch {
	case err != nil && stopped && errors.Is(err, limited.Err()):
		reply.Stopped, reply.Nanoseconds = true, []float64{float64(time.Since(start))}
		reply.Decisions = decisions(b.current.Decisions())
		return reply, nil, nil
	case err != nil:
		return nil, nil, err
	}
	arrays, err := dismantle(b.kernel.Results, results)
	if err != nil {
		return nil, nil, err
	}
	reply.Decisions = decisions(b.current.Decisions())
	if req.Verify {
		flaws := b.kernel.flaws(reply.Decisions)
		for i, r := range arrays {
			c := r.compare(b.want[i], b.kernel.outs[i], b.largest)
			if !c.OK {
				c.Flaws = flaws
			}
			reply.Comparisons = append(reply.Comparisons, c)
		}
	}
	repeat := max(req.Repeat, 1)
	switch {
	case req.Hopeless > 0 && float64(first) > req.Hopeless, repeat == 1 && req.Warmup == 0 && !req.Verify:
		b.record(reply, first)
	default:
		// The first run was a warm-up. Without verification it also told the lengths of the results.
		b.adopt(arrays)
		if err := b.choose(variants); err != nil {
			return nil, nil, err
		}
		if results, err = b.measure(ctx, reply, max(req.Warmup-1, 0), repeat, first, time.Duration(req.Budget)); err != nil {
			return nil, nil, err
		}
		if arrays, err = dismantle(b.kernel.Results, results); err != nil {
			return nil, nil, err
		}
	}
	for _, r := range arrays {
		reply.Bytes += int64(len(r.raw()))
		if !req.TimesOnly {
			reply.Checksums = append(reply.Checksums, Float(r.checksum()))
		}
	}
	return reply, arrays, nil
}

// failsToo runs the compiled kernel where plain Go failed with an error, and returns the error that says what both
// did: a kernel that succeeds where plain Go does not is wrong.
func (b *binding) failsToo(ctx context.Context, variants []string, failed error) error {
	var plain *Fault
	if !errors.As(failed, &plain) || plain.Kind != FaultInput || b.trusts { // without checks it may do anything
		return failed
	}
	opts := slices.Clone(b.checked)
	for _, v := range variants {
		opts = append(opts, exec.Variant(v))
	}
	err := b.guard(func() error {
		bound, err := b.kernel.Bind(b.args, opts...)
		if err == nil {
			_, err = bound.Run(ctx)
		}
		return err
	})
	if ctx.Err() != nil {
		return failed
	}
	both := *plain
	if err == nil {
		both.Kind = FaultBug
		both.Detail = "the compiled kernel succeeds where plain Go fails: " + plain.Detail
		return &both
	}
	compiled := faultOf(b.kernel.Exec.Name, err)
	if compiled.Kind != FaultInput {
		return compiled
	}
	both.Detail += "; the compiled kernel fails as well: " + compiled.Detail
	if both.Pos == "" {
		both.Pos = compiled.Pos
	}
	return &both
}

// onDevice reports whether a computation of the current binding runs elsewhere than on the processors.
func (b *binding) onDevice() bool {
	return slices.ContainsFunc(b.current.Decisions(), func(d exec.Decision) bool { return d.Variant.Platform != "goroutine" })
}

// gatherTime bounds the wait for threads that are to help.
const gatherTime = 2 * time.Millisecond

// gather wakes the threads that the chosen variants use. What is timed is a run among others: after a pause, in which a
// request came from another process, threads sleep, and small runs would be over before they wake.
func (b *binding) gather() {
	threads := 1
	for _, d := range b.current.Decisions() {
		threads = max(threads, param.NumThreads.Or(d.Variant.Policy, 0, 1))
	}
	if threads > 1 {
		rt.Gather(threads, gatherTime)
	}
}

// measure times the chosen variants and returns the last results. Runs are those of a program whose context cannot end:
// watching one takes a third of a microsecond.
func (b *binding) measure(parent context.Context, reply *RunReply, warmup, repeat int, first, budget time.Duration) (results []any, err error) {
	ctx := context.WithoutCancel(parent)
	warm := first
	for range warmup {
		_, elapsed, err := b.repeat(ctx, 1)
		if err != nil {
			return nil, err
		}
		warm = min(warm, elapsed)
	}
	if warm < 100*shortest {
		// The first run may have been slow because it started the workers: a warm one counts.
		_, elapsed, err := b.repeat(ctx, 1)
		if err != nil {
			return nil, err
		}
		warm = max(min(warm, elapsed), 1)
		reply.Batch = int((shortest + warm - 1) / warm)
	}
	b.gather() // comparing results takes a while
	begin := time.Now()
	for i := 0; i < repeat && (i == 0 || budget <= 0 || time.Since(begin) < budget); i++ {
		var elapsed time.Duration
		if results, elapsed, err = b.repeat(ctx, reply.Batch); err == nil {
			err = parent.Err()
		}
		if err != nil {
			return nil, err
		}
		b.record(reply, elapsed)
	}
	return results, nil
}

// record adds the times of the last batch.
func (b *binding) record(reply *RunReply, elapsed time.Duration) {
	n := float64(reply.Batch)
	reply.Nanoseconds = append(reply.Nanoseconds, float64(elapsed)/n)
	for i, w := range b.kernel.watches {
		if len(reply.Parts) <= i {
			reply.Parts = append(reply.Parts, nil)
		}
		reply.Parts[i] = append(reply.Parts[i], float64(w.total)/n)
	}
}

func decisions(ds []exec.Decision) []Decision {
	out := make([]Decision, len(ds))
	for i, d := range ds {
		out[i] = Decision{Computation: d.Computation, Variant: d.Variant.String(), Selector: d.Selector, Reason: d.Reason}
		for _, f := range d.Features {
			out[i].Features = append(out[i].Features, Feature{Name: f.Name, Unit: f.Unit, Value: Float(f.Value), Cost: Float(f.Cost)})
		}
		for _, r := range d.Ranking() {
			out[i].Ranking = append(out[i].Ranking, Ranked{Variant: r.Variant.String(), Value: Float(r.Value)})
		}
	}
	return out
}

// Exec returns the decision as package exec has it.
func (d Decision) Exec() (exec.Decision, error) {
	v, err := selector.Parse(d.Variant)
	if err != nil {
		return exec.Decision{}, fmt.Errorf("harness: decision: %w", err)
	}
	out := exec.Decision{Computation: d.Computation, Variant: v, Selector: d.Selector, Reason: d.Reason}
	for _, f := range d.Features {
		out.Features = append(out.Features, selector.Feature{Name: f.Name, Unit: f.Unit, Value: float64(f.Value), Cost: float64(f.Cost)})
	}
	var ranking []selector.Weighed
	for _, r := range d.Ranking {
		v, err := selector.Parse(r.Variant)
		if err != nil {
			return exec.Decision{}, fmt.Errorf("harness: decision: %w", err)
		}
		ranking = append(ranking, selector.Weighed{Variant: v, Value: float64(r.Value)})
	}
	out.SetRanking(ranking)
	return out, nil
}
