package exec

import (
	"context"
	"fmt"
	"runtime"
	"time"
)

// trial compares the first runs of what is bound with runs of the kernel itself, as plain Go, in turns. It is for
// kernels whose results are the same to the bit either way, so that only the time shows which one ran.
type trial struct {
	on, itself bool // what is bound is tried; a run of it is one of the kernel itself
	turn       int
	since      time.Time        // when the turn began, zero between turns
	least      [2]time.Duration // of compiled code, and of the kernel itself
}

const (
	// trialTurns is how many runs take part, every other one of the kernel itself.
	trialTurns = 6
	// trialTime is how long a run of compiled code takes at most for the kernel itself to be tried; where a context may
	// end, which it cannot look at, that is stoppableTime.
	trialTime, stoppableTime = 20 * time.Millisecond, 2 * time.Millisecond
	// clearlyFaster is what part of the time of compiled code the kernel itself takes at most to be taken.
	clearlyFaster = 0.97
)

// begin begins a run, and reports whether it is one of the kernel itself.
func (t *trial) begin() bool {
	if !t.on {
		return t.itself
	}
	t.since = time.Now()
	return t.turn%2 == 1
}

// Ended ends what [Call.Plain] began.
func (c *Call) Ended(ctx context.Context) {
	t := &c.trial
	if t.since.IsZero() {
		return
	}
	took := time.Since(t.since)
	t.since = time.Time{}
	if of := &t.least[t.turn%2]; *of == 0 || took < *of {
		*of = took
	}
	t.turn++
	limit := trialTime
	if ctx.Done() != nil {
		limit = stoppableTime
	}
	if t.on = t.turn < trialTurns && t.least[0] <= limit; t.on || t.turn < trialTurns {
		return
	}
	if t.itself = float64(t.least[1]) <= clearlyFaster*float64(t.least[0]); t.itself {
		c.addReason(fmt.Sprintf("runs take the kernel itself, as plain Go, which took %v, and this %v", t.least[1], t.least[0]))
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
