package exec

import (
	"context"
	"math/bits"
	"sync"
	"sync/atomic"
	"time"
)

// Spread is what calls of a kernel with parallel loops have shown: whether any of these takes long enough for several
// threads, by the size of the inputs, which is what lengths and whole numbers among them add up to. Where none does,
// the kernel runs as it stands, more and more often, before the loops have another chance. So it does where calls of
// both kinds have shown that the kernel as it stands takes less time: what turns make has to be put together. Its zero
// value knows nothing. Calls may use it at the same time.
type Spread struct {
	by [bits.UintSize + 1]worth
}

// worth is what calls with inputs of about one size have shown.
type worth struct {
	skip  atomic.Int32 // so many calls are those of the kernel as it stands
	times atomic.Int32 // that no loop took long, one after the other

	mu     sync.Mutex
	least  [2]time.Duration // the least time of calls with threads in loops, and of the kernel as it stands
	calls  [2]int           // how many have been measured
	rest   int              // how many calls have threads before the next one is measured, less than 0 for all
	rounds int              // how often both have been compared
}

// took notes how long a call took, of one side: compiled stands for threads in loops. After some calls with threads,
// those of the other side follow, which are not many times as long.
func (w *worth) took(side int, d time.Duration, threads int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.rest < 0:
		return
	case w.rest > 0:
		w.rest--
		return
	}
	if side == compiled && w.calls[compiled] == 0 {
		w.calls[original] = 0 // those before are of the last comparison
	}
	if w.calls[side] == 0 || d < w.least[side] {
		w.least[side] = d
	}
	w.calls[side]++
	with, alone := w.least[compiled], w.least[original]
	switch {
	case w.calls[compiled] < trialBlocks:
	case w.calls[original] == 0:
		if time.Duration(threads)*with > patience {
			w.rest = -1
		} else if side == compiled {
			w.skip.Store(trialBlocks)
		}
	case w.calls[original] >= trialBlocks || alone > closelyTimes(with):
		again := restTurns << min(w.rounds, 20)
		w.rounds++
		w.least, w.calls = [2]time.Duration{}, [2]int{}
		switch {
		case float64(alone) <= clearlyFaster*float64(with):
			w.skip.Store(int32(again))
		case alone > closelyTimes(with):
			w.skip.Store(0)
			w.rest = -1
		default:
			w.skip.Store(0)
			w.rest = again
		}
	}
}

// closelyTimes is how long the slower side takes at most for another comparison.
func closelyTimes(d time.Duration) time.Duration { return time.Duration(closely * float64(d)) }

// Alone begins a run of the kernel as it stands, for inputs of a size. What it returns ends it.
func (s *Spread) Alone(threads, size int) (end func()) {
	w, begin := &s.by[bits.Len(uint(size))], time.Now()
	return func() {
		if took := time.Since(begin); threads != 1 && took > stoppableTime {
			w.took(original, took, threads)
		}
	}
}

const (
	// vainRuns is how many loops of a call are quick, and none is not, before the kernel runs as it stands.
	vainRuns = 64
	// mostSkips bounds how often the kernel runs as it stands in a row: two to that power.
	mostSkips = 10
)

// Loops returns what runs the loops of a call, on so many threads, for inputs of a size: nil if the kernel is to run as
// it stands, which the context does not stop.
func (s *Spread) Loops(ctx context.Context, threads, size int) *Loops {
	if threads == 1 && ctx.Done() == nil {
		return nil
	}
	l := NewLoops(ctx, threads)
	l.of = &s.by[bits.Len(uint(size))]
	for {
		n := l.of.skip.Load()
		if n <= 0 {
			return l
		}
		if l.of.skip.CompareAndSwap(n, n-1) {
			return nil
		}
	}
}

// vain reports whether it is time to give up: all loops of a call so far were quick.
func (l *Loops) vain() bool { return l.of != nil && !l.shared && l.runs >= vainRuns }

// ended notes how a call came out that took some time. One that took long without many loops loses nothing by them.
func (l *Loops) ended(took time.Duration) {
	switch {
	case l.of == nil:
	case l.shared:
		l.of.times.Store(0)
		l.of.took(compiled, took, l.threads)
	case took <= stoppableTime || l.vain():
		l.of.skip.Store(1 << min(l.of.times.Add(1), mostSkips))
	}
}
