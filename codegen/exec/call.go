package exec

import (
	"context"
	"runtime"

	"github.com/surge-ndp/surge/selector"
)

// Call is the state of one bound kernel: its options, and what was chosen for each computation.
type Call struct {
	kernel    *Kernel
	opts      Options
	launches  []Launch
	decisions []Decision
	latest    []*remembered // what decisions were made from, where they may be recalled
	algorithm Decision      // that was made before those; without a variant if none was
	note      string        // which rankers did not decide about the algorithm, and why: a part of the first variant's reason
	estimated bool          // the algorithm is left to estimates
	settles   bool          // this call, and not that of another algorithm, has chosen the platform

	declared, rows []selector.Feature // that were computed beside the constant-time ones; rows for computation rowsOf
	rowsOf         int
	features       [maxFeatures]selector.Feature
	trouble        string  // what went wrong with a declared feature
	copied         uintptr // bytes of the arguments, where there is a device to copy them to
	memory         *Memory // where arrays are that live on a device; nil if none do
	ahead          ahead
	few            bool // runs are those of the kernel itself, as plain Go, because there is little to compute
	begun          bool // there was a run before
	trial          boundTrial
	unheld         error // a sequence of the next computation is longer than any memory
}

// Init collects the options of a call of k.
func (c *Call) Init(k *Kernel, opts []Option) {
	c.kernel, c.opts = k, collect(opts)
	c.launches = make([]Launch, len(k.Computations))
	c.decisions = make([]Decision, len(k.Computations))
	c.latest = make([]*remembered, len(k.Computations))
	c.rowsOf = -1
}

// Threads returns the number of workers that the call may use.
func (c *Call) Threads() int {
	if c.opts.threads > 0 {
		return c.opts.threads
	}
	return runtime.GOMAXPROCS(0)
}

// Context returns what ends Bind early: that of the option Until, or one that never ends.
func (c *Call) Context() context.Context {
	if c.opts.ctx == nil {
		return context.Background()
	}
	return c.opts.ctx
}

// Unchecked reports whether input checks are to be skipped.
func (c *Call) Unchecked() bool { return c.opts.unchecked }

// Decisions returns what was chosen, one entry a computation; it is owned by the call. Where a model chose the
// platform, that comes before them.
func (c *Call) Decisions() []Decision {
	if len(c.kernel.Alternatives) > 0 {
		return c.decisions // see WithAlgorithm
	}
	return c.withPlatform(c.decisions)
}

// RunPair executes computations i and i+1 on the frame, of which the second needs of the first's results no more than
// the element that it is at: in chunks that they share if the second's variant says so, else one after the other.
func (c *Call) RunPair(ctx context.Context, i int, frame any) error {
	if f, ok := c.launches[i+1].(Follower); ok && c.memory == nil && c.opts.memory == nil && c.unheld == nil {
		if shared, _, err := f.RunAfter(ctx, c.launches[i], frame); shared {
			return err
		}
	}
	if err := c.Run(ctx, i, frame); err != nil {
		return err
	}
	return c.Run(ctx, i+1, frame)
}

// Run executes computation i on the frame by the variant that was chosen for it. Errors are the context's, [*Error]
// where a check failed, and [*DeviceError].
func (c *Call) Run(ctx context.Context, i int, frame any) error {
	switch {
	case c.unheld != nil:
		err := c.unheld
		c.unheld = nil
		return err
	case c.memory != nil:
		return c.runPlaced(ctx, i, frame)
	case c.opts.memory != nil:
		return c.runBeside(ctx, i, frame)
	}
	return c.launches[i].Run(ctx, frame)
}
