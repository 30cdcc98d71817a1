package rt

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/surge-ndp/surge/codegen/goroutine/vec"
)

// Values of run.stop.
const (
	running uint32 = iota
	cancelled
	failed // by Fail: chunks before the one that failed go on
	halted // failed, and nothing goes on: by a panic, or cancelled after it failed
)

// run is the state of one call of Run. Runs are reused, with the regions and
// the scratch memory of their workers.
type run struct {
	workers []*Worker
	threads atomic.Int64 // also read by threads that have not joined
	joiners int          // the most workers besides the caller that can be of use
	cancel  func()

	_    [64]byte
	stop atomic.Uint32
	_    [64]byte
	// busy has a bit for every worker number in use, and for those beyond
	// threads.
	busy [MaxThreads / 64]atomic.Uint64
	_    [64]byte

	mu   sync.Mutex
	err  error
	path []int // chunk numbers of an error from Fail
}

var runs = sync.Pool{New: func() any {
	r := new(run)
	r.cancel = func() {
		if !r.stop.CompareAndSwap(running, cancelled) {
			r.stop.CompareAndSwap(failed, halted)
		}
	}
	return r
}}

// PanicError is the error of a run whose body, or fn, panicked.
type PanicError struct {
	Value any    // what was given to panic
	Stack []byte // of the goroutine that panicked, as debug.Stack prints it
}

// Error describes the panic, without the stack.
func (e *PanicError) Error() string { return fmt.Sprintf("panic in a kernel: %v", e.Value) }

// Unwrap returns the value of the panic if it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

var errGoexit = errors.New("runtime.Goexit called in a kernel")

// Run enters the runtime on the calling goroutine, which becomes worker 0, and
// calls fn. The run has at most `threads` workers at a time; values below 1
// mean GOMAXPROCS when the process started, above MaxThreads they mean
// MaxThreads. env is passed on to fn.
//
// Run returns when fn has: nil; the error given to Fail; a *PanicError if fn
// or a body panicked; or ctx.Err() if ctx ended first, in which case results
// are incomplete. A failure that follows the end of ctx is not reported, since
// loops that were cut short cause failures of their own.
//
// Any number of goroutines may call Run at the same time; bodies may too.
// When warm, Run allocates nothing if ctx cannot be cancelled.
func Run(ctx context.Context, threads int, env any, fn func(env any, w *Worker)) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	r := runs.Get().(*run)
	r.begin(clampThreads(threads))
	w := r.workers[0]
	if ctx.Done() == nil {
		w.enterRun(env, fn)
		return r.end(ctx)
	}
	stop := context.AfterFunc(ctx, r.cancel)
	defer stop() // also if fn ends the goroutine
	w.enterRun(env, fn)
	if !stop() {
		// The cancel function may still be about to run: it keeps this run state
		// to itself.
		return r.result(ctx)
	}
	return r.end(ctx)
}

// enterRun calls fn, and turns a panic of fn into the run's error.
func (w *Worker) enterRun(env any, fn func(env any, w *Worker)) {
	outer := frame{mark: w.scratch.top}
	defer w.leave(&outer)
	vec.ClearUpper()
	fn(env, w)
	w.scratch.release(outer.mark)
	outer.done = true
}

// end returns the run's error and makes the run state available to others.
func (r *run) end(ctx context.Context) error {
	err := r.result(ctx)
	r.err, r.path = nil, nil
	runs.Put(r)
	return err
}

// result returns the run's error. Whoever stopped the run is done with it.
func (r *run) result(ctx context.Context) error {
	switch r.stop.Load() {
	case running:
		return nil
	case cancelled:
		return ctx.Err()
	default:
		return r.err
	}
}

// begin prepares the run for a number of threads.
func (r *run) begin(threads int) {
	for len(r.workers) < threads {
		r.workers = append(r.workers, &Worker{run: r, id: len(r.workers)})
	}
	r.stop.Store(running)
	r.err, r.path = nil, nil
	r.joiners = 0
	if threads > 1 { // a look at GOMAXPROCS takes a lock
		r.joiners = min(threads, global.lookAtProcs()) - 1
		global.grow(r.joiners)
	}
	if int(r.threads.Load()) != threads {
		r.threads.Store(int64(threads))
		for i := range r.busy {
			used := min(max(threads-64*i, 0), 64)
			r.busy[i].Store(^(1<<used - 1))
		}
		r.busy[0].Or(1) // the caller
	}
}

// full guesses whether all worker numbers are in use.
func (r *run) full() bool {
	for i := range (r.threads.Load() + 63) / 64 {
		if r.busy[i].Load() != ^uint64(0) {
			return false
		}
	}
	return true
}

// admit returns a free worker, if possible the preferred one.
func (r *run) admit(prefer int) *Worker {
	if int64(prefer) < r.threads.Load() && r.reserve(prefer) {
		return r.workers[prefer]
	}
	for i := range (r.threads.Load() + 63) / 64 {
		for {
			b := r.busy[i].Load()
			if b == ^uint64(0) {
				break
			}
			if id := int(i)*64 + bits.TrailingZeros64(^b); r.reserve(id) {
				return r.workers[id]
			}
		}
	}
	return nil
}

func (r *run) reserve(id int) bool {
	bit := uint64(1) << (id % 64)
	return r.busy[id/64].Or(bit)&bit == 0
}

func (r *run) dismiss(w *Worker) {
	r.busy[w.id/64].And(^(uint64(1) << (w.id % 64)))
}

// fail records an error from Fail.
func (r *run) fail(err error, path []int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stop.CompareAndSwap(running, failed) {
		r.err, r.path = err, path
	} else if r.stop.Load() == failed && before(path, r.path) {
		r.err, r.path = err, path
	}
}

// stops reports whether a chunk of a region has to stop, when the run is not
// running. A chunk before the one that failed goes on: it may fail too, and then
// its error is the one to report.
func (r *run) stops(region *region, chunk int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.stop.Load() != failed || !before(pathOf(region, chunk), r.path)
}

// pathOf returns the numbers of a chunk of a region and of those around it,
// outermost first; none where region is nil.
func pathOf(region *region, chunk int) []int {
	path := []int{}
	for ; region != nil; region, chunk = region.parent, region.parentChunk {
		path = append(path, chunk)
	}
	slices.Reverse(path)
	return path
}

// before reports whether a chunk comes before another in every run: neither is
// inside the other.
func before(a, b []int) bool {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return false
}

// panicked records a panic, or a Goexit if value is nil. It keeps an earlier
// failure, which may well be the cause.
func (r *run) panicked(value any) {
	if value == nil {
		value = errGoexit
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stop.CompareAndSwap(running, failed) {
		r.err = &PanicError{Value: value, Stack: debug.Stack()}
	}
	r.stop.CompareAndSwap(failed, halted)
}
