package exec

import (
	"context"
	"math/bits"
	"sync/atomic"
	"time"
)

// Spread is what calls of a kernel with parallel loops have shown: whether any of these takes long enough for several
// threads, by the size of the inputs, which is what lengths and whole numbers among them add up to. Where none does,
// the kernel runs as it stands, more and more often, before the loops have another chance. Its zero value knows
// nothing. Calls may use it at the same time.
type Spread struct {
	by [bits.UintSize + 1]worth
}

// worth is what calls with inputs of about one size have shown.
type worth struct {
	skip  atomic.Int32 // so many calls are those of the kernel as it stands
	times atomic.Int32 // that no loop took long, one after the other
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
	case took <= stoppableTime || l.vain():
		l.of.skip.Store(1 << min(l.of.times.Add(1), mostSkips))
	}
}
