package exec

import (
	"context"
	"math/bits"
	"sync/atomic"
)

// Spread is what calls of a kernel with parallel loops have shown: whether any of these takes long enough for several
// threads, by the size of the inputs. Where none does, the kernel runs as it stands, more and more often, before the
// loops have another chance. Its zero value knows nothing. Calls may use it at the same time.
type Spread struct {
	by [bits.UintSize + 1]struct {
		skip  atomic.Int32 // so many calls are those of the kernel as it stands
		times atomic.Int32 // that no loop took long, one after the other
	}
}

const (
	// vainRuns is how many loops of a call are quick, and none is not, before the kernel runs as it stands.
	vainRuns = 64
	// mostSkips bounds how often the kernel runs as it stands in a row: two to that power.
	mostSkips = 10
)

// Loops returns what runs the loops of a call, on so many threads, where the slices among the inputs have so many
// elements: nil if the kernel is to run as it stands, which a context that may end does not stop.
func (s *Spread) Loops(ctx context.Context, threads, size int) *Loops {
	stoppable := ctx.Done() != nil
	if threads == 1 && !stoppable {
		return nil
	}
	l := NewLoops(ctx, threads)
	if stoppable {
		return l
	}
	l.of, l.size = s, bits.Len(uint(size))
	for skip := &s.by[l.size].skip; ; {
		n := skip.Load()
		if n <= 0 {
			return l
		}
		if skip.CompareAndSwap(n, n-1) {
			return nil
		}
	}
}

// vain reports whether it is time to give up: all loops of a call so far were quick.
func (l *Loops) vain() bool { return l.of != nil && !l.shared && l.runs >= vainRuns }

// ended notes how a call came out.
func (l *Loops) ended() {
	if l.of == nil {
		return
	}
	b := &l.of.by[l.size]
	if l.shared {
		b.times.Store(0)
		return
	}
	b.skip.Store(1 << min(b.times.Add(1), mostSkips))
}
