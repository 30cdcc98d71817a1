package rt

import (
	"sync/atomic"
	"time"
)

// Chain carries a prefix from each chunk of a loop to the next while the
// chunks run: a scan in one pass over the data (a decoupled, or chained,
// scan). The loop must be Dynamic or Guided: there the chunks start in
// increasing order, so that whoever waits waits for a chunk that has started.
// With a Static loop the wait may never end.
//
// The zero Chain needs a Reset. A Chain must not be copied after its first use.
type Chain[T any] struct {
	links []link[T]
	life  uint64
}

// link is the prefix of one chunk, valid if ready is the chain's life. Lives
// spare Reset a pass over the links.
type link[T any] struct {
	ready atomic.Uint64
	value T
	_     [64]byte // the next link's waiter polls another line
}

// Reset prepares the chain for a loop of n chunks and publishes seed as the
// prefix for chunk 0. No worker may be using the chain. It allocates only if
// n exceeds all earlier ones.
func (c *Chain[T]) Reset(n int, seed T) {
	if n = max(n, 0); n >= len(c.links) {
		c.links = make([]link[T], n+1)
	}
	c.life++
	c.Publish(0, seed)
}

// Publish publishes v as the prefix for chunk, in [0,n]: what precedes it.
// The body of chunk k publishes for chunk k+1, once; the prefix for chunk n is
// the total of the loop.
func (c *Chain[T]) Publish(chunk int, v T) {
	l := &c.links[chunk]
	l.value = v
	l.ready.Store(c.life)
}

// Wait returns the prefix for chunk when it is published. ok is false if the
// run stopped instead.
func (c *Chain[T]) Wait(w *Worker, chunk int) (v T, ok bool) {
	l := &c.links[chunk]
	if l.ready.Load() == c.life || c.await(w, l) {
		return l.value, true
	}
	return v, false
}

// await polls: a prefix is mostly a fraction of a chunk away. It gives way to
// other goroutines, and after a while to other processes.
func (c *Chain[T]) await(w *Worker, l *link[T]) bool {
	looks := pollLoads
	if global.procs.Load() == 1 {
		looks = 1
	}
	var start time.Time
	for round := 0; ; round++ {
		for range looks {
			if l.ready.Load() == c.life {
				return true
			}
			pause(pauseLen)
		}
		if w.Stopped() {
			return false
		}
		yield()
		if round == 0 {
			start = time.Now()
		} else if round&63 == 0 && time.Since(start) > 20*spinFor {
			time.Sleep(spinFor)
		}
	}
}
