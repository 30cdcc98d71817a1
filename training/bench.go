package training

import (
	"context"
	"time"

	"github.com/surge-ndp/surge/codegen/harness"
	"github.com/surge-ndp/surge/selector"
)

// Status is what became of a variant in a bench.
type Status string

// The outcomes of a [Measurement].
const (
	OK      Status = "ok"      // measured in every round
	Dropped Status = "dropped" // hopeless: not measured to the end
	Failed  Status = "failed"  // it could not run, or its results were wrong
)

// Measurement is the outcome of one variant.
type Measurement struct {
	Variant selector.Variant
	Status  Status
	// Reason says why the variant was dropped or failed.
	Reason string
	// Median and Min summarise Times, one entry a timed run in the order of the rounds. A variant that failed may have none.
	Median, Min time.Duration
	Times       []time.Duration
	// Comparisons has the comparison of each result with plain Go, made before the variant was timed.
	Comparisons []harness.Comparison
}

// BenchProgress is the state of a bench.
type BenchProgress struct {
	// Round counts from 1; in the first, every variant is verified and timed, later only those that are left.
	Round, Rounds int
	// Done of Total measurements were made; Total shrinks when variants are dropped.
	Done, Total int
	// Last is the latest measurement, Best the fastest so far; nil before there is one. They may only be read, and only
	// during the call.
	Last, Best *Measurement
}

// BenchOptions of [Bound.Bench].
type BenchOptions struct {
	// Variants to measure; see [Session.Variants].
	Variants []selector.Variant
	// Rounds is how many times each variant gets its turn; 0 stands for 5.
	Rounds int
	// Hopeless is the factor over the best variant's time beyond which a variant is dropped after the first round;
	// 0 stands for 5. After each later round it is 1 + (Hopeless-1)/4, by default 2.
	Hopeless float64
	// NoVerify skips the comparison with plain Go.
	NoVerify bool
	// Progress is called after each measurement; nil for nobody.
	Progress func(BenchProgress)
}

// Bench measures variants on the bound arguments: in rounds, each variant in turn, so that a machine that is slower for a
// while is slower for all of them (Surge section 4). Each variant is verified against plain Go before it is timed, and
// wrong ones fail. Hopeless ones are dropped early.
//
// It returns one measurement for each variant, in the order of opt.Variants. A computation's variant is forced; other
// computations of the kernel run what is chosen for them, so that times of different computations are not comparable.
// A variant that fails is no error; a crash of the harness is, and so is the end of the context.
func (b *Bound) Bench(ctx context.Context, opt BenchOptions) ([]Measurement, error) { panic("…") }
