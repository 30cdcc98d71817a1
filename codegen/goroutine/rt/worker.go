package rt

import "github.com/surge-ndp/surge/codegen/goroutine/vec"

// Body executes iterations [lo,hi) of a parallel loop, which are its chunk
// number `chunk`, on worker w. env is what For was given: a pointer, so that
// passing it allocates nothing.
type Body func(env any, w *Worker, chunk, lo, hi int)

// Worker is one execution context of a run. It is valid only inside the call
// that received it, and only on that goroutine.
type Worker struct {
	_ [64]byte // workers are written at every chunk: keep them off shared lines

	run *run
	id  int

	// regions holds the regions that this worker opened, one a nesting depth;
	// depth counts those now open. They are reused, so opening allocates nothing.
	regions []*region
	depth   int

	// region and chunk are what the worker executes now; shared counts the
	// enclosing regions that are open to other workers.
	region *region
	chunk  int
	shared int

	scratch arena

	pair *pair // whose outermost loops w is about to open, or nil

	_ [64]byte
}

// ID returns the worker's number, in [0,threads) of the run, unique among the
// workers that are inside the run at the same time. The caller of Run is 0.
func (w *Worker) ID() int { return w.id }

// Stopped reports whether the run was cancelled, or has failed in this chunk or
// before it. It costs one load as long as the run has not. Results of a loop
// that ended while the run is stopped are incomplete.
func (w *Worker) Stopped() bool {
	return w.run.stop.Load() != running && w.run.stops(w.region, w.chunk)
}

// skips reports whether a chunk of the worker's region need not start.
func (w *Worker) skips(chunk int) bool {
	return w.run.stop.Load() != running && w.run.stops(w.region, chunk)
}

// Fail records err as the run's error and stops the run: chunks after this one
// (compared from the outermost loop inwards) that have not started are skipped,
// those before it are executed. Of several errors the one from the lowest chunk
// is kept, so that every run reports the same one. A nil err is ignored.
func (w *Worker) Fail(err error) {
	vec.Clear() // a lane may have failed
	if err != nil {
		w.run.fail(err, pathOf(w.region, w.chunk))
	}
}

// For executes body over [0,n), cut into chunks as Chunks and Bounds say, and
// returns when all chunks are done. Each chunk is executed once, by some
// worker of the run; w itself executes chunks of this loop, and of no other,
// until it is done. Dynamic and guided chunks start in increasing order.
// A static lane starts its chunks in increasing order on the worker it belongs
// to; a worker that has finished its own lane takes chunks of others.
//
// A call from inside a body opens a nested region if l.Nested is set, and
// otherwise executes its chunks in order on w. As in OpenMP, a loop that runs
// on a single thread does not count as an enclosing region.
//
// If the run is cancelled or fails, the chunks not yet started (after a failure
// those after it) are skipped and For returns; see Stopped. A panic in body stops the run with a *PanicError.
func (w *Worker) For(n int, l Loop, body Body, env any) {
	if w.pair != nil && w.depth == 0 && w.join(n, l, body, env) {
		return
	}
	w.loop(n, l, nil, body, env)
}

// loop is For with rows that were cut, nil for chunks as [Bounds] says.
func (w *Worker) loop(n int, l Loop, rows *Rows, body Body, env any) {
	if n <= 0 || w.Stopped() {
		return
	}
	if w.depth == len(w.regions) {
		w.regions = append(w.regions, newRegion(w.run))
	}
	r := w.regions[w.depth]
	if rows == nil {
		r.part.init(n, l)
	} else {
		r.part.given(l, rows)
	}
	r.body, r.env = body, env
	r.parent, r.parentChunk = w.region, w.chunk
	r.shared = w.shared
	joiners := min(r.part.thread-1, r.part.chunks-1, w.run.joiners)
	open := joiners > 0 && (l.Nested || w.shared == 0)
	w.depth++
	defer w.finish(r, open)
	if !open {
		w.sequential(r)
		return
	}
	r.shared++
	r.open(joiners)
	w.work(r)
}

// finish waits until the other workers have left r, and closes it. It is
// deferred: a body that ends its goroutine must not leave others inside.
func (w *Worker) finish(r *region, open bool) {
	if open {
		r.close()
	}
	r.body, r.env, r.parent, r.part.rows = nil, nil, nil, nil
	w.depth--
}

// sequential executes all chunks of r in order on w.
func (w *Worker) sequential(r *region) {
	outer := w.enter(r)
	defer w.leave(&outer)
	for k := 0; k < r.part.chunks && !w.skips(k); k++ {
		w.execute(r, k)
	}
	outer.done = true
}

// work executes chunks of r on w until none is left to claim or the run stops.
func (w *Worker) work(r *region) {
	outer := w.enter(r)
	defer w.leave(&outer)
	if r.part.loop.Schedule == Static {
		w.workLanes(r)
	} else {
		last := int64(r.part.chunks)
		for {
			k := r.next.Add(1) - 1
			if k >= last || w.skips(int(k)) {
				break
			}
			w.execute(r, int(k))
		}
	}
	r.hide()
	outer.done = true
}

// workLanes executes the chunks of the worker's own lane of a static loop, and
// then what is left in the others: a worker that does not come, or comes late,
// delays nobody.
func (w *Worker) workLanes(r *region) {
	lanes := r.part.lanes
	for i := range lanes {
		t := (w.id + i) % lanes
		next := &r.lane[t].next
		last := int64(r.part.laneChunks(t))
		for next.Load() < last {
			j := next.Add(1) - 1
			if j >= last {
				break
			}
			k := r.part.laneChunk(t, int(j))
			if w.skips(k) {
				break // those after it in the lane too
			}
			w.execute(r, k)
		}
	}
}

// execute runs one chunk. Scratch that the body took is returned.
func (w *Worker) execute(r *region, chunk int) {
	lo, hi := r.part.bounds(chunk)
	mark := w.scratch.top
	w.chunk = chunk
	vec.ClearUpper()
	r.body(r.env, w, chunk, lo, hi)
	if w.scratch.top != mark {
		w.scratch.release(mark)
	}
}

// frame is what a worker restores when it leaves a region.
type frame struct {
	region *region
	chunk  int
	shared int
	depth  int
	mark   int
	done   bool // the worker's part of the region ended normally
}

func (w *Worker) enter(r *region) frame {
	outer := frame{region: w.region, chunk: w.chunk, shared: w.shared, depth: w.depth, mark: w.scratch.top}
	w.region, w.shared = r, r.shared
	return outer
}

// leave is deferred directly, so that it can recover: unless the worker's part
// ended normally, the panic under way becomes the run's error.
func (w *Worker) leave(outer *frame) {
	if !outer.done {
		w.run.panicked(recover())
		if w.region != nil {
			w.region.hide()
		}
		w.scratch.release(outer.mark)
	}
	w.region, w.chunk, w.shared, w.depth = outer.region, outer.chunk, outer.shared, outer.depth
}
