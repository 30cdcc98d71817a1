package rt

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// global is the pool of the process.
var global pool

// pool holds the goroutines that help. They live as long as the process.
type pool struct {
	board board

	procs    atomic.Int64 // GOMAXPROCS at the last look
	spinning atomic.Int64 // threads that poll the board
	asleep   atomic.Int64 // len(sleepers), for a look without the lock
	coming   atomic.Int64 // threads that were woken and do not run yet
	size     atomic.Int64 // threads created

	mu       sync.Mutex
	sleepers []*thread

	decoy chan struct{} // wakes lure; made with the first thread
}

// thread is a pool goroutine. Its number is 1 or more: it prefers to be the
// worker of that number, so that over many runs the same thread meets the
// same data.
type thread struct {
	number int
	token  chan struct{}
	// waker is the processor of the thread that sent the token.
	waker int
}

// grow makes sure that the pool has n threads.
func (p *pool) grow(n int) {
	if int(p.size.Load()) >= n {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.decoy == nil {
		p.decoy = make(chan struct{}, 1)
		go p.lure()
	}
	for int(p.size.Load()) < n {
		t := &thread{number: int(p.size.Add(1)), token: make(chan struct{}, 1)}
		go p.serve(t)
	}
}

// lure is the life of a goroutine that does nothing but be the last one woken.
// The Go scheduler keeps that one for the thread that woke it, which is busy,
// and lets another take it only after a sleep that is longer than the way.
func (p *pool) lure() {
	for range p.decoy {
	}
}

// lookAtProcs refreshes and returns GOMAXPROCS, which a program may change.
func (p *pool) lookAtProcs() int {
	n := int64(runtime.GOMAXPROCS(0))
	if p.procs.Load() != n {
		p.procs.Store(n)
	}
	return int(n)
}

// serve is the life of a thread.
func (p *pool) serve(t *thread) {
	// A body that calls runtime.Goexit ends the goroutine, not the thread.
	defer func() { go p.serve(t) }()
	for {
		r, w := p.spin(t)
		if w == nil {
			r, w = p.park(t)
		}
		if w != nil {
			w.help(r)
		}
	}
}

// help executes chunks of a joined region.
func (w *Worker) help(r *region) {
	defer r.quit()
	defer r.run.dismiss(w)
	w.work(r)
}

// spin polls the board for a bounded time. With a single processor, or when
// all others are polling already, it looks once.
func (p *pool) spin(t *thread) (*region, *Worker) {
	if r, w := p.board.join(t.number); w != nil {
		return r, w
	}
	procs := p.lookAtProcs()
	if p.spinning.Add(1) >= int64(procs) {
		p.spinning.Add(-1)
		return nil, nil
	}
	start := time.Now()
	for {
		for range pollLoads {
			if p.board.any() {
				if r, w := p.board.join(t.number); w != nil {
					p.spinning.Add(-1)
					return r, w
				}
			}
			pause(pauseLen)
		}
		yield()
		if time.Since(start) > spinFor {
			p.spinning.Add(-1)
			return nil, nil
		}
	}
}

// park sleeps until a region wakes the thread. It may return nils.
func (p *pool) park(t *thread) (*region, *Worker) {
	p.mu.Lock()
	p.sleepers = append(p.sleepers, t)
	p.asleep.Store(int64(len(p.sleepers)))
	p.mu.Unlock()
	// A region shown before the thread counted as asleep did not wake it; one
	// shown later does.
	r, w := p.board.join(t.number)
	if w == nil {
		<-t.token
		p.coming.Add(-1)
		// Some systems wake a thread on the processor of the one that woke it, although others are idle, and it would
		// take turns there with what it was to share.
		leaveProcessor(t.waker)
		return nil, nil
	}
	p.mu.Lock()
	if i := slices.Index(p.sleepers, t); i >= 0 {
		p.sleepers = slices.Delete(p.sleepers, i, i+1)
		p.asleep.Store(int64(len(p.sleepers)))
	} else {
		<-t.token // woken meanwhile
		p.coming.Add(-1)
	}
	p.mu.Unlock()
	return r, w
}

// wake wakes threads for a region that was shown and wants `joiners`, less
// those that are polling and will see it.
func (p *pool) wake(joiners int) {
	if p.asleep.Load() == 0 {
		if p.coming.Load() > 0 {
			yieldProcessor() // the system need not have let it in the first time
		}
		return
	}
	n := joiners - int(p.spinning.Load())
	if n <= 0 {
		return
	}
	from := processor()
	p.mu.Lock()
	for ; n > 0 && len(p.sleepers) > 0; n-- {
		last := len(p.sleepers) - 1
		t := p.sleepers[last]
		p.sleepers[last] = nil
		p.sleepers = p.sleepers[:last]
		t.waker = from
		p.coming.Add(1)
		t.token <- struct{}{} // has room: a thread is listed once
	}
	p.asleep.Store(int64(len(p.sleepers)))
	p.mu.Unlock()
	select {
	case p.decoy <- struct{}{}:
	default: // it has not run since the last time
	}
	// A thread that the system woke on this processor comes now, and leaves it,
	// or after time slices. Where none waits, this is one system call.
	yieldProcessor()
}
