package exec

import (
	"context"
	"fmt"
	"runtime"
	"time"
)

// trial compares compiled code with the kernel itself, as plain Go, in blocks of turns of one side. It is for kernels
// whose results are the same to the bit either way, so that only the time shows which one ran.
type trial struct {
	blocks int           // that have ended, every other one of the kernel itself
	spent  time.Duration // in the block that has not
	least  [2]float64    // the least time of compiled code, and of the kernel itself, for an operation
}

const (
	// trialBlocks is how many blocks of turns take part.
	trialBlocks = 6
	// blockTime is how long the turns of a block take together at least: a processor that has just run other code is
	// slower at first, and one that meets the same conditions again and again learns them, which takes hundreds of turns
	// where there are thousands of them.
	blockTime = 500 * time.Microsecond
	// trialTime is how long a run of compiled code takes at most for the kernel itself to be tried; where a context may
	// end, which it cannot look at, that is stoppableTime.
	trialTime, stoppableTime = 20 * time.Millisecond, 2 * time.Millisecond
	// alikeLonger is how many times as long a run may take of compiled code that does what plain Go does: threads are
	// all that the kernel itself then lacks.
	alikeLonger = 10
	// clearlyFaster is what part of the time of compiled code the kernel itself takes at most to be taken, and
	// muchSlower how many times as long it takes at most, in a block, for another one.
	clearlyFaster, muchSlower = 0.97, 4
)

// itself reports whether the turn that begins is one of the kernel itself.
func (t *trial) itself() bool { return t.blocks%2 == 1 }

// took ends a turn that took so long for so many operations. It reports whether the trial has ended, and if so, whether
// the kernel itself is to be taken. alike says that compiled code does what plain Go does.
func (t *trial) took(ctx context.Context, d time.Duration, work float64, alike bool) (ended, itself bool) {
	side := 0
	if t.itself() {
		side = 1
	}
	limit := trialTime
	if ctx.Done() != nil {
		limit = stoppableTime
	}
	if alike {
		limit *= alikeLonger
	}
	if side == 0 && d > limit {
		return true, false
	}
	if each := float64(d) / max(work, 1); t.least[side] == 0 || each < t.least[side] {
		t.least[side] = each
	}
	if t.spent += d; t.spent < blockTime {
		return false, false
	}
	t.blocks, t.spent = t.blocks+1, 0
	return t.blocks == trialBlocks || t.least[1] > muchSlower*t.least[0], t.least[1] <= clearlyFaster*t.least[0]
}

// boundTrial is the trial of the first runs of what is bound.
type boundTrial struct {
	trial
	on, itself bool      // there is one; runs are those of the kernel itself
	since      time.Time // when the turn began, zero between turns
}

// begin begins a run, and reports whether it is one of the kernel itself.
func (t *boundTrial) begin() bool {
	if !t.on {
		return t.itself
	}
	t.since = time.Now()
	return t.trial.itself()
}

// Ended ends what [Call.Plain] began.
func (c *Call) Ended(ctx context.Context) {
	t := &c.trial
	if t.since.IsZero() {
		return
	}
	ended, itself := t.took(ctx, time.Since(t.since), 1, c.kernel.Plain.Alike)
	t.since = time.Time{}
	if !ended {
		return
	}
	if t.on, t.itself = false, itself; itself {
		c.addReason(fmt.Sprintf("runs take the kernel itself, as plain Go, which took %v, and this %v", time.Duration(t.least[1]), time.Duration(t.least[0])))
	}
}

// addReason adds something to the reasons of all choices.
func (c *Call) addReason(note string) {
	for i := range c.decisions {
		if c.launches[i] != nil {
			c.decisions[i].Reason += "; " + note
		}
	}
	if c.opts.explain != nil {
		fmt.Fprintf(c.opts.explain, "%s: %s\n", c.kernel.Name, note)
	}
}

// tryable reports whether plain Go gives the same bits on this machine: others than this one fuse products and sums as
// their compiler sees fit.
const tryable = runtime.GOARCH == "amd64"
