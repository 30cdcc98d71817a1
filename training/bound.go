package training

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/codegen/harness"
	"github.com/surge-ndp/surge/training/input"
)

// Bound is a kernel with arguments that the harness holds.
type Bound struct {
	session   *Session
	kernel    *harness.KernelInfo
	number    int
	bytes     int64
	decisions []exec.Decision
	unchecked bool
	threads   int // that it may use, 0 for all
}

// Decisions returns what was chosen when the arguments were bound, one entry a computation; the caller must not
// change it. A computation whose choice needs the results of an earlier one has an empty entry until the kernel has
// run.
func (b *Bound) Decisions() []exec.Decision { return b.decisions }

// RunOptions of [Bound.Run].
type RunOptions struct {
	// Variants replaces what BindOptions.Variants forced; nil keeps it.
	Variants []string
	// Warmup is the number of runs that are not timed.
	Warmup int
	// Repeat is the number of timed runs; 0 stands for 1. Unless there is one run in all, the first is not timed.
	Repeat int
	// Verify compares the results of the first run with those of plain Go execution, which is done once for each binding.
	Verify bool
	// Values asks for the results themselves.
	Values bool
	// Resident leaves arrays on the device that they are used on, so that the times are those without copies. The results
	// are not looked at.
	Resident bool
}

// RunResult is what a run gave.
type RunResult struct {
	// Decisions has the choice for each computation, in order.
	Decisions []exec.Decision
	// Times has the time of each timed run. Runs that are too short for the clock are timed several at once, Batch of
	// them, and count with their average. All runs but the first write to the same memory.
	Times []time.Duration
	Batch int
	// Parts has, for each computation of a kernel of several, what it took of each of Times; otherwise it is nil.
	Parts [][]time.Duration
	// Checksums has for each result the sum over i of v[i] * (1 + (i mod 7)/8); see harness.Checksum.
	Checksums []float64
	// ArgumentBytes and ResultBytes are the sizes of all arguments and all results.
	ArgumentBytes, ResultBytes int64
	// Comparisons has the comparison of each result with plain Go; nil unless it was asked for.
	Comparisons []harness.Comparison
	// PlainTime is how long plain Go took; 0 unless Comparisons were asked for.
	PlainTime time.Duration
	// Values has the results, in order; nil unless they were asked for.
	Values []input.Value

	stopped bool // there are no results, see harness.RunReply
}

// Median returns the median of Times.
func (r *RunResult) Median() time.Duration { return median(r.Times) }

// Min returns the shortest of Times.
func (r *RunResult) Min() time.Duration { return slices.Min(r.Times) }

// Verified reports whether every comparison is in order; it is true when there is none.
func (r *RunResult) Verified() bool { return firstBad(r.Comparisons) == nil }

// median of an even number of times is the mean of the middle two.
func median(times []time.Duration) time.Duration {
	if len(times) == 0 {
		return 0
	}
	t := slices.Sorted(slices.Values(times))
	return (t[(len(t)-1)/2] + t[len(t)/2]) / 2
}

func firstBad(cs []harness.Comparison) *harness.Comparison {
	if i := slices.IndexFunc(cs, func(c harness.Comparison) bool { return !c.OK }); i >= 0 {
		return &cs[i]
	}
	return nil
}

// Run executes the kernel. Errors are those of [Session.Bind], the context's, and *[Error] with Bug set where surge
// itself failed. A result that differs from plain Go's is no error: see Comparisons.
func (b *Bound) Run(ctx context.Context, opt RunOptions) (*RunResult, error) {
	return b.run(ctx, &harness.RunRequest{Variants: opt.Variants, Warmup: opt.Warmup, Repeat: max(opt.Repeat, 1), Verify: opt.Verify, Values: opt.Values, Resident: opt.Resident, TimesOnly: opt.Resident})
}

// Compare compares results that were computed elsewhere, such as on a cluster, with those of plain Go on the arguments.
func (b *Bound) Compare(ctx context.Context, results []input.Value) (all []harness.Comparison, err error) {
	if len(results) != len(b.kernel.Results) {
		return nil, fmt.Errorf("%s has %d results, and not %d", b.kernel.Name, len(b.kernel.Results), len(results))
	}
	described, send, err := following(b.kernel.Results, results)
	if err != nil {
		return nil, fmt.Errorf("%s: result %w", b.kernel.Name, err)
	}
	req := &harness.Request{Op: harness.OpCompare, Compare: &harness.CompareRequest{Bound: b.number, Results: described}}
	err = b.session.process.call(ctx, req, send, func(r *harness.Response, _ io.Reader) error {
		if all = r.Compared; len(all) != len(results) {
			return errors.New("the harness does not answer what it was asked")
		}
		return nil
	})
	if err != nil {
		return nil, b.session.translate(err, b.unchecked)
	}
	return all, nil
}

// PlainTimes are the times of plain Go, of a run of what is bound, and of a call that binds and runs, measured in
// turn. All of them make new memory for their results.
type PlainTimes struct {
	Plain, Run, Call []time.Duration
	// Decisions has the choice for each computation, in order.
	Decisions []exec.Decision
}

// Medians returns the median of each.
func (t *PlainTimes) Medians() (plain, run, call time.Duration) {
	return median(t.Plain), median(t.Run), median(t.Call)
}

// AgainstPlain times the kernel as plain Go and compiled, in turn, so many times, but for no longer than budget
// allows if that is positive. Errors are those of [Bound.Run].
func (b *Bound) AgainstPlain(ctx context.Context, repeat int, budget time.Duration) (*PlainTimes, error) {
	req := &harness.Request{Op: harness.OpPlain, Plain: &harness.PlainRequest{Bound: b.number, Repeat: repeat, Budget: float64(budget)}}
	var times PlainTimes
	err := b.session.process.call(ctx, req, nil, func(r *harness.Response, _ io.Reader) (err error) {
		if r.Plain == nil || len(r.Plain.Plain) == 0 {
			return errors.New("the harness does not answer what it was asked")
		}
		times = PlainTimes{Plain: durations(r.Plain.Plain), Run: durations(r.Plain.Run), Call: durations(r.Plain.Call)}
		times.Decisions, err = decisions(r.Plain.Decisions)
		return err
	})
	if err != nil {
		return nil, b.session.translate(err, b.unchecked)
	}
	return &times, nil
}

func (b *Bound) run(ctx context.Context, req *harness.RunRequest) (*RunResult, error) {
	req.Bound = b.number
	res := &RunResult{ArgumentBytes: b.bytes}
	err := b.session.process.call(ctx, &harness.Request{Op: harness.OpRun, Run: req}, nil, func(r *harness.Response, from io.Reader) (err error) {
		if r.Ran == nil || len(r.Ran.Nanoseconds) == 0 {
			return errors.New("the harness does not answer what it was asked")
		}
		res.Batch, res.ResultBytes, res.PlainTime, res.Comparisons = r.Ran.Batch, r.Ran.Bytes, time.Duration(r.Ran.Plain), r.Ran.Comparisons
		res.stopped = r.Ran.Stopped
		res.Times = durations(r.Ran.Nanoseconds)
		for _, part := range r.Ran.Parts {
			res.Parts = append(res.Parts, durations(part))
		}
		for _, c := range r.Ran.Checksums {
			res.Checksums = append(res.Checksums, float64(c))
		}
		if res.Decisions, err = decisions(r.Ran.Decisions); err != nil {
			return err
		}
		for _, a := range r.Ran.Results {
			v, err := readValue(from, a)
			if err != nil {
				return err
			}
			res.Values = append(res.Values, v)
		}
		return nil
	})
	if err != nil {
		return nil, b.session.translate(err, b.unchecked)
	}
	if req.Variants == nil {
		b.complete(res.Decisions)
	}
	return res, nil
}

// complete fills in what could not be chosen before a run.
func (b *Bound) complete(chosen []exec.Decision) {
	for i := range b.decisions {
		at := slices.IndexFunc(chosen, func(d exec.Decision) bool { return d.Computation == b.decisions[i].Computation })
		if b.decisions[i].Selector == "" && at >= 0 {
			b.decisions[i] = chosen[at]
		}
	}
}

func durations(ns []float64) []time.Duration {
	out := make([]time.Duration, len(ns))
	for i, x := range ns {
		out[i] = max(time.Duration(x+0.5), 1)
	}
	return out
}

// Release lets the harness forget the arguments. The binding must not be used after it.
func (b *Bound) Release(ctx context.Context) error {
	err := b.session.process.call(ctx, &harness.Request{Op: harness.OpRelease, Release: b.number}, nil, nil)
	return b.session.translate(err, b.unchecked)
}

// readValue reads a result that the harness describes as a.
func readValue(r io.Reader, a harness.Argument) (input.Value, error) {
	t, err := input.ParseType(a.Type)
	if err != nil {
		return input.Value{}, err
	}
	var levels [][]int
	for _, n := range a.Rows {
		raw, err := readRaw(r, input.Int64, n+1)
		if err != nil {
			return input.Value{}, err
		}
		from, _ := input.Slice[int64](raw)
		var offsets []int
		for _, o := range from {
			offsets = append(offsets, int(o))
		}
		levels = append(levels, offsets)
	}
	v, err := readRaw(r, t.Kind, a.Count)
	if err != nil {
		return input.Value{}, err
	}
	switch {
	case t.Rank == 0:
		v.Dims = nil
	case levels != nil:
		v.Dims, v.Offsets = []int{a.Rows[0]}, levels
	}
	return v, nil
}

// readRaw is input.ReadRaw for a harness that ends too early: that is not the end of a file.
func readRaw(r io.Reader, kind input.Kind, n int) (input.Value, error) {
	v, err := input.ReadRaw(r, kind, n)
	if err != nil {
		err = fmt.Errorf("a result is not complete: %w", err)
	}
	return v, err
}

func decisions(ds []harness.Decision) ([]exec.Decision, error) {
	out := make([]exec.Decision, len(ds))
	for i, d := range ds {
		if d.Selector == "" {
			out[i].Computation = d.Computation
			continue // not chosen yet
		}
		var err error
		if out[i], err = d.Exec(); err != nil {
			return nil, err
		}
	}
	return out, nil
}
