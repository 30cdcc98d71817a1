package rt

import (
	"sync/atomic"
	"time"
)

// region is a parallel loop under way. It belongs to the worker that opened
// it and is reused by that worker; others may hold stale pointers to it, but
// read nothing but run and state before they have joined it.
type region struct {
	run *run

	// Written by the owner before the region opens, read by those who joined.
	part        partition
	body        Body
	env         any
	parent      *region // where the owner was when it opened the region
	parentChunk int
	shared      int // regions open to other workers, this one included
	slot        int // place on the board, or -1

	done chan struct{} // wakes an owner that waits for the last joiner

	_ [64]byte
	// state is the join word: open flag, waiting flag, the most joiners
	// admitted (16 bits), and the joiners now inside (32 bits). Joining an open
	// region is right in whatever life of the region it happens, so that the
	// word needs no generation.
	state atomic.Uint64
	_     [64]byte
	// next is the next chunk of a dynamic or guided loop.
	next atomic.Int64
	_    [64]byte
	// lane holds the next chunk of each lane of a static loop.
	lane []lane
}

type lane struct {
	next atomic.Int64
	_    [120]byte // two lines: processors prefetch lines in pairs
}

const (
	stateOpen    = 1 << 63
	stateWaiting = 1 << 62
	limitShift   = 32
	insideMask   = 1<<limitShift - 1
	limitMask    = 1<<16 - 1
)

func newRegion(run *run) *region {
	return &region{run: run, slot: -1, done: make(chan struct{}, 1)}
}

// open lets up to `joiners` other workers join.
func (r *region) open(joiners int) {
	if r.part.loop.Schedule == Static {
		if n := r.part.lanes; n > len(r.lane) {
			r.lane = make([]lane, n)
		} else {
			for i := range n {
				r.lane[i].next.Store(0)
			}
		}
	} else {
		r.next.Store(0)
	}
	r.slot = global.board.take()
	r.state.Store(stateOpen | uint64(joiners)<<limitShift)
	if r.slot >= 0 {
		global.board.show(r.slot, r)
		global.wake(joiners)
	}
}

// hide takes the region off the board once nothing is left to claim.
func (r *region) hide() {
	if r.slot >= 0 {
		global.board.hide(r.slot)
	}
}

// close ends the admission of joiners and waits until none is inside.
func (r *region) close() {
	if r.state.And(^uint64(stateOpen))&insideMask != 0 {
		r.wait()
	}
	if r.slot >= 0 { // only now: those inside hide the slot, which must be ours
		global.board.free(r.slot)
		r.slot = -1
	}
}

// mayJoin is a guess without a write.
func (r *region) mayJoin() bool {
	s := r.state.Load()
	return s&stateOpen != 0 && s&insideMask < s>>limitShift&limitMask && !r.run.full()
}

// join makes the calling pool thread a worker of the region's run. It returns
// nil if the region is closed or has enough joiners, or the run has.
func (r *region) join(prefer int) *Worker {
	for {
		s := r.state.Load()
		if s&stateOpen == 0 || s&insideMask >= s>>limitShift&limitMask {
			return nil
		}
		if r.state.CompareAndSwap(s, s+1) {
			break
		}
	}
	w := r.run.admit(prefer)
	if w == nil {
		r.quit()
	}
	return w
}

// quit leaves a joined region. The region may have a new life when it returns.
func (r *region) quit() {
	s := r.state.Add(^uint64(0))
	if s&(stateWaiting|insideMask) == stateWaiting {
		r.done <- struct{}{}
	}
}

// wait returns when no joiner is inside a closed region. Joiners mostly leave
// within one chunk, hence the polling before the owner parks.
func (r *region) wait() {
	empty := func() bool { return r.state.Load()&insideMask == 0 }
	if poll(empty) {
		return
	}
	for {
		s := r.state.Load()
		if s&insideMask == 0 {
			return
		}
		if r.state.CompareAndSwap(s, s|stateWaiting) {
			<-r.done
			return
		}
	}
}

const (
	// pollLoads is the number of looks between two visits to the scheduler, each
	// after pauseLen processor pauses: about a microsecond together.
	pollLoads = 16
	pauseLen  = 2
	// spinFor bounds polling. It is of the order of the time that waking a parked
	// thread takes (BenchmarkCold): polling costs at most twice what it saves.
	spinFor = 100 * time.Microsecond
)

// poll looks for ready for up to spinFor and gives way to other goroutines
// meanwhile. It reports whether ready became true.
func poll(ready func() bool) bool {
	looks := pollLoads
	if global.procs.Load() == 1 {
		looks = 1 // whoever is waited for needs this processor
	}
	var start time.Time
	for round := 0; ; round++ {
		for range looks {
			if ready() {
				return true
			}
			pause(pauseLen)
		}
		yield()
		if round == 0 {
			start = time.Now()
		} else if time.Since(start) > spinFor {
			return ready()
		}
	}
}
