package exec

import (
	"context"
	"fmt"
	"runtime"
	"time"
)

// trial compares compiled code with the kernel itself, as plain Go, in blocks of turns of one side. It is for kernels
// whose results are the same to the bit either way, so that only the time shows which one ran. What looks slower takes
// further turns only as long as that loses little.
type trial struct {
	side   int           // whose turn it is: compiled, or original
	spent  time.Duration // in the block that has not ended
	warm   bool          // compiled code has run, which reads tables, starts threads and touches new memory at first
	blocks [2]int        // of both sides that have ended
	least  [2]float64    // the least time of both sides for an operation
	all    time.Duration // what turns took
	lost   time.Duration // of that, what the other side would have saved
	before int           // how many trials have ended
}

// The sides of a trial.
const (
	compiled = iota // compiled code
	original        // the kernel itself
)

const (
	// trialBlocks is how many blocks of turns of both sides take part.
	trialBlocks = 3
	// blockTime is how long the turns of a block take together at least: a processor that has just run other code is
	// slower at first, and one that meets the same conditions again and again learns them, which takes hundreds of turns
	// where there are thousands of them.
	blockTime = time.Millisecond
	// lostShare is what part of the time of all turns those of the slower side may lose, once both have had a block.
	lostShare = 0.05
	// trialTime is how long a run of compiled code takes at most for the kernel itself to be tried whatever that takes;
	// where a context may end, which it cannot look at, that is stoppableTime.
	trialTime, stoppableTime = 20 * time.Millisecond, 2 * time.Millisecond
	// coldTime is how long a first run of compiled code takes at most so that it does not count: new memory may take
	// several times as long as what is computed.
	coldTime = 10 * trialTime
	// patience is how long the kernel itself takes at most to be tried, by what threads and lanes may have saved.
	patience = 3 * time.Second
	// lanesSave is how many times as fast vectors make a kernel at most, as far as has been seen.
	lanesSave = 4
	// plainRate is how many of the operations that bound what plain Go does it does in a nanosecond at least.
	plainRate = 3
	// clearlyFaster is what part of the time of compiled code the kernel itself takes at most to be taken, and
	// muchSlower how many times as long as the other side one takes at most for another block.
	clearlyFaster, muchSlower = 0.97, 4
	// closely is how many times as long the slower side takes at most for another trial, after restTurns turns the first
	// time, and after twice as many each time: other programs may have had a processor.
	closely, restTurns = 1.5, 64
)

// itself reports whether the turn that begins is one of the kernel itself.
func (t *trial) itself() bool { return t.side == original }

// tried are runs that take part in a trial.
type tried struct {
	plain   Plain
	work    float64 // operations, or elements of the inputs where nobody knows how many operations there are
	threads int
	lanes   int // that compiled code may use
}

// mayTry reports whether the kernel itself may have its first turn where compiled code takes d: it is not known to be
// quick, and nothing stops it.
func (in *tried) mayTry(ctx context.Context, d time.Duration) bool {
	gain := float64(in.threads * min(max(in.lanes/2, 1), lanesSave)) // with what it takes to fill vectors
	if ctx.Done() != nil {
		return d <= stoppableTime || in.lanes == 1 && d <= trialTime
	}
	most := float64(d) * gain
	if !in.plain.Open && !in.plain.Unbounded {
		most = min(most, in.work/plainRate)
	}
	return d <= trialTime || most <= max(float64(patience), muchSlower*float64(d))
}

// took ends a turn that took d. It reports whether the trial has ended, and if so, whether the kernel itself is to be
// taken.
func (t *trial) took(ctx context.Context, d time.Duration, in *tried) (ended, itself bool) {
	cold := !t.warm && d <= coldTime
	if t.warm = true; cold {
		return false, false
	}
	each := float64(d) / max(in.work, 1)
	if t.least[t.side] == 0 || each < t.least[t.side] {
		t.least[t.side] = each
	}
	t.all += d
	if other := t.least[1-t.side]; other > 0 && other < t.least[t.side] {
		t.lost += time.Duration((t.least[t.side] - other) * max(in.work, 1))
	}
	if t.spent += d; t.spent < blockTime {
		return false, false
	}
	t.spent = 0
	if t.blocks[t.side]++; t.blocks[original] == 0 { // a first turn may have waited for other programs
		if in.mayTry(ctx, time.Duration(t.least[compiled]*max(in.work, 1))) {
			t.side = original
		}
		return t.side == compiled && t.blocks[compiled] == trialBlocks, false
	}
	faster, slower := compiled, original
	if t.least[original] < t.least[compiled] {
		faster, slower = original, compiled
	}
	hopeless := t.least[slower] > muchSlower*t.least[faster] && (slower == original || t.blocks[compiled] > 1) // it wakes threads at first
	if hopeless || min(t.blocks[compiled], t.blocks[original]) == trialBlocks {
		return true, t.least[original] <= clearlyFaster*t.least[compiled]
	}
	t.side = faster
	if t.blocks[slower] <= t.blocks[faster] {
		block := max(float64(blockTime), t.least[slower]*max(in.work, 1))
		loses := (1 - t.least[faster]/t.least[slower]) * block
		if float64(t.lost)+loses <= lostShare*(float64(t.all)+block) {
			t.side = slower
		}
	}
	return false, false
}

// next begins the next trial, and says after how many turns it is to take place, 0 for never.
func (t *trial) next() int {
	faster, slower := min(t.least[compiled], t.least[original]), max(t.least[compiled], t.least[original])
	before := t.before
	*t = trial{warm: true, before: before + 1}
	if faster == 0 || slower > closely*faster {
		return 0
	}
	return restTurns << min(before, 20)
}

// boundTrial is the trial of the first runs of what is bound.
type boundTrial struct {
	trial
	runs       tried
	on, itself bool      // there is one; runs are those of the kernel itself
	rest       int       // how many runs there are until there is one again, 0 for no end
	since      time.Time // when the turn began, zero between turns
}

// begin begins a run, and reports whether it is one of the kernel itself.
func (t *boundTrial) begin() bool {
	if !t.on {
		t.rest--
		t.on = t.rest == 0
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
	ended, itself := t.took(ctx, time.Since(t.since), &t.runs)
	t.since = time.Time{}
	if !ended {
		return
	}
	run, least := max(t.runs.work, 1), t.least
	changed := t.itself != itself
	t.on, t.itself, t.rest = false, itself, t.next()
	switch {
	case changed && itself:
		c.addReason(fmt.Sprintf("runs take the kernel itself, as plain Go, which took %v, and this %v",
			time.Duration(least[original]*run), time.Duration(least[compiled]*run)))
	case changed:
		c.addReason(fmt.Sprintf("runs take this again, which took %v, and plain Go %v", time.Duration(least[compiled]*run), time.Duration(least[original]*run)))
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
