package exec

import (
	"context"
	"math"
	"sync/atomic"
	"time"

	"github.com/surge-ndp/surge/selector/param"
)

// classes is how many powers of two of operations are told apart, on one thread and on several.
const classes = 2 * 48

// callTrials are the trials of the calls of a kernel that bind and run it once: one for each power of two of
// operations.
type callTrials [classes]callTrial

// callTrial is one of them.
type callTrial struct {
	settled atomic.Int32 // what comes of it: one of the constants below
	rest    atomic.Int32 // how many calls there are until the next one, 0 or less for none
	busy    atomic.Bool  // a call that takes part runs, and trial is its
	trial   trial
}

const (
	undecided = iota
	compiledIsTaken
	itselfIsTaken
)

// Turn is what a call that binds and runs a kernel once does.
type Turn struct {
	// Plain says that it runs the kernel itself, as plain Go.
	Plain bool
	// Threads is how many threads it has then, for the loops whose turns have nothing to do with each other.
	Threads int

	kernel *Kernel
	of     *callTrial // that it takes part in, or nil
	lanes  bool       // compiled code has used lanes, and its results may differ in bits
	as     tried
	ctx    context.Context
	since  time.Time
}

// Turn begins a call of k that binds and runs it once, of a kernel whose results are the same to the bit either way, or
// are where compiled code uses no lanes, which [Turn.Compiled] is told:
// what [Kernel.RunsPlain] leaves to compiled code by its estimate is tried, and what took less time for calls of about
// as many operations is done, or with inputs of about as many elements where nothing bounds the operations. [Turn.End]
// ends it.
func (k *Kernel) Turn(ctx context.Context, opts []Option, work float64, rows int) Turn {
	few := work <= k.setup() && !k.Plain.Unbounded
	if few || !tryable || !k.Plain.Exact && !k.Plain.Ordered || k.Plain.Twice || ctx.Done() != nil && (k.Plain.Open || work > stoppableWork) || ctx.Err() != nil {
		return k.estimated(ctx, opts, work, rows)
	}
	o := k.asked(opts)
	if o == nil {
		return Turn{}
	}
	defer release(o)
	of := k.trialOf(work, o.threads)
	settled := of.settled.Load()
	if settled != undecided && of.rest.Load() > 0 && of.rest.Add(-1) == 0 {
		of.settled.Store(undecided)
	}
	switch {
	case settled == compiledIsTaken:
		return Turn{}
	case settled == itselfIsTaken:
		k.explainPlain(o, work, "which took less time than compiled code in earlier calls")
		return Turn{Plain: true, Threads: resolved(o.threads)}
	case !of.busy.CompareAndSwap(false, true): // another call measures
		return k.estimated(ctx, opts, work, rows)
	}
	t := Turn{Plain: of.trial.itself(), Threads: resolved(o.threads), kernel: k, of: of, as: tried{k.Plain, work, resolved(o.threads), k.Plain.lanes()}, ctx: ctx, since: time.Now()}
	if t.Plain {
		k.explainPlain(o, work, "which is tried against compiled code")
	}
	return t
}

// estimated is what a call does by the estimate alone: little work is done in one thread.
func (k *Kernel) estimated(ctx context.Context, opts []Option, work float64, rows int) Turn {
	t := Turn{Plain: k.RunsPlain(ctx, opts, work, rows), Threads: 1}
	if t.Plain && work > k.setup() {
		if o := k.asked(opts); o != nil {
			t.Threads = resolved(o.threads)
			release(o)
		}
	}
	return t
}

// Compiled says by which variants a call ran: b is what was bound. Results of some computations are the same to the bit
// only where they use no lanes.
func (t *Turn) Compiled(b interface{ Decisions() []Decision }) {
	if t.of == nil {
		return
	}
	decisions := b.Decisions()
	t.lanes = !t.as.plain.Exact && !t.kernel.inOrder(decisions)
	t.as.lanes = 1
	for _, d := range decisions {
		for _, s := range d.Variant.Policy {
			if param.VectorWidth.Is(s) {
				t.as.lanes = max(t.as.lanes, param.VectorWidth.Value(s))
			}
		}
	}
}

// End ends the call.
func (t *Turn) End() {
	if t.of == nil {
		return
	}
	if t.lanes { // for such inputs there is nothing to try
		t.of.settled.Store(compiledIsTaken)
		t.of.busy.Store(false)
		return
	}
	ended, itself := t.of.trial.took(t.ctx, time.Since(t.since), &t.as)
	if ended {
		t.of.rest.Store(int32(t.of.trial.next()))
	}
	switch {
	case ended && itself:
		t.of.settled.Store(itselfIsTaken)
	case ended:
		t.of.settled.Store(compiledIsTaken)
	}
	t.of.busy.Store(false)
}

// trialOf is the trial of calls of so many operations.
func (k *Kernel) trialOf(work float64, threads int) *callTrial {
	all := k.calls.Load()
	if all == nil {
		k.calls.CompareAndSwap(nil, new(callTrials))
		all = k.calls.Load()
	}
	class := 2 * min(max(math.Ilogb(work), 0), classes/2-1)
	if resolved(threads) > 1 {
		class++
	}
	return &all[class]
}
