package training

import (
	"context"
	"time"

	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/codegen/harness"
	"github.com/surge-ndp/surge/training/input"
)

// Bound is a kernel with arguments that the harness holds.
type Bound struct{}

// RunOptions of [Bound.Run].
type RunOptions struct {
	// Variants replaces what BindOptions.Variants forced; nil keeps it.
	Variants []string
	// Warmup is the number of runs that are not timed.
	Warmup int
	// Repeat is the number of timed runs; 0 stands for 1.
	Repeat int
	// Verify compares the results with those of plain Go execution, which is done once for each binding.
	Verify bool
	// Values asks for the results themselves.
	Values bool
}

// RunResult is what a run gave.
type RunResult struct {
	// Decisions has the choice for each computation, in order.
	Decisions []exec.Decision
	// Times has the time of each timed run. Runs that are too short for the clock are timed several at once, Batch of
	// them, and count with their average.
	Times []time.Duration
	Batch int
	// Checksums has for each result the sum over i of v[i] * (1 + (i mod 7)/8); see input.Checksum.
	Checksums []float64
	// ArgumentBytes and ResultBytes are the sizes of all arguments and all results.
	ArgumentBytes, ResultBytes int64
	// Comparisons has the comparison of each result with plain Go; nil unless it was asked for.
	Comparisons []harness.Comparison
	// PlainTime is how long plain Go took; 0 unless Comparisons were asked for.
	PlainTime time.Duration
	// Values has the results, in order; nil unless they were asked for.
	Values []input.Value
}

// Median returns the median of Times.
func (r *RunResult) Median() time.Duration { panic("…") }

// Min returns the shortest of Times.
func (r *RunResult) Min() time.Duration { panic("…") }

// Verified reports whether every comparison is in order; it is true when there is none.
func (r *RunResult) Verified() bool { panic("…") }

// Run executes the kernel. Errors are those of [Session.Bind], the context's, and *[Error] with Bug set where surge
// itself failed. A result that differs from plain Go's is no error: see Comparisons.
func (b *Bound) Run(ctx context.Context, opt RunOptions) (*RunResult, error) { panic("…") }

// Release lets the harness forget the arguments.
func (b *Bound) Release(ctx context.Context) error { panic("…") }
