package exec

import (
	"context"
	"math/bits"
	"sync/atomic"
	"time"
)

// Spread is what calls of a kernel with parallel loops have shown: whether any of these takes long enough for several
// threads, by the size of the inputs. Where none does, the kernel runs as it stands, more and more often, before the
// loops have another chance. Its zero value knows nothing. Calls may use it at the same time.
type Spread struct {
	by [2][bits.UintSize + 1]worth // calls that nothing stops, and others
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

// Loops returns what runs the loops of a call, on so many threads, where the slices among the inputs have so many
// elements: nil if the kernel is to run as it stands. A context that may end does not stop it then, so that it is only
// for calls that take little time where that is so.
func (s *Spread) Loops(ctx context.Context, threads, size int) *Loops {
	l := NewLoops(ctx, threads)
	stoppable := 0
	if l.stoppable {
		stoppable = 1
	} else if threads == 1 {
		return nil
	}
	l.of = &s.by[stoppable][bits.Len(uint(size))]
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
func (l *Loops) vain() bool {
	return l.of != nil && !l.stoppable && !l.shared && l.runs >= vainRuns
}

// ended notes how a call came out that took some time.
func (l *Loops) ended(took time.Duration) {
	switch {
	case l.of == nil || l.stoppable && took > stoppableTime:
	case l.shared:
		l.of.times.Store(0)
	default:
		l.of.skip.Store(1 << min(l.of.times.Add(1), mostSkips))
	}
}
