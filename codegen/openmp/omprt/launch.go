package omprt

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"
	"unsafe"

	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/selector/param"
)

// maxLevels is how many nesting levels can have launch parameters of their own: SURGE_DEPTH and surge_run of the
// prelude.
const (
	maxLevels = 8
	maxDepth  = 4
	// maxThreads bounds the threads of a team.
	maxThreads = 1 << 10
)

// Values of run.stop, as in the prelude.
const (
	running int32 = iota
	cancelled
	failed // by a check: chunks before the one that failed go on
	halted // failed, and nothing goes on
	noMemory
)

// level and run are surge_level and surge_run of the prelude.
type level struct{ threads, schedule, chunk, nested int64 }

type run struct {
	level      [maxLevels]level
	stop, lock int32
	site       int64
	numbers    [4]int64
	depth      int64
	path       [maxDepth]int64
}

// launch is a variant that is ready to run.
type launch struct {
	code  *Code
	enter func(run, frame unsafe.Pointer)
	run   *run
	slots []uint64 // the frame's fields: the address and the length of an array, the bits of a scalar
	pins  runtime.Pinner
}

// schedules are the values of omp_schedule, by their numbers in the prelude.
var schedules = map[param.Schedule]int64{param.Static: 0, param.Dynamic: 1, param.Guided: 2}

// Prepare implements [exec.Func]. It compiles the computation's variants, unless that was done.
func (c *Code) Prepare(v selector.Variant) (exec.Launch, error) {
	enter, err := c.enter()
	if err != nil {
		return nil, err
	}
	l := &launch{code: c, enter: enter, run: &run{}}
	threads := int64(min(max(param.NumThreads.Or(v.Policy, 0, 1), 1), maxThreads))
	for d := range l.run.level {
		at := level{threads: 1, chunk: int64(param.ChunkSize.At(v.Policy, d+1))}
		schedule, err := param.OmpSchedule.Read(v.Policy, d+1)
		if err != nil {
			return nil, err
		}
		if schedule != "" {
			at.threads, at.schedule = threads, schedules[schedule]
		}
		if param.EnableNesting.At(v.Policy, 0) {
			at.nested = 1
		}
		l.run.level[d] = at
	}
	return l, nil
}

// Run implements [exec.Launch]. A launch runs one frame at a time.
func (l *launch) Run(ctx context.Context, frame any) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	l.fill(frame)
	defer l.pins.Unpin()
	r := l.run
	r.stop = running
	if ctx.Done() != nil {
		stop := context.AfterFunc(ctx, r.cancel)
		defer func() {
			if !stop() { // cancel may still be about to run: it keeps this run to itself
				l.run = &run{level: r.level}
			}
		}()
	}
	l.enter(unsafe.Pointer(r), unsafe.Pointer(unsafe.SliceData(l.slots)))
	runtime.KeepAlive(frame)
	switch atomic.LoadInt32(&r.stop) {
	case running:
	case cancelled:
		return ctx.Err()
	case noMemory:
		return fail(l.code.unit.Computation, fmt.Errorf("the system has no memory for what its threads compute"))
	default:
		return l.code.unit.Sites[r.site].Fail(r.numbers)
	}
	l.results(frame)
	return nil
}

// cancel makes a run end.
func (r *run) cancel() {
	if !atomic.CompareAndSwapInt32(&r.stop, running, cancelled) {
		atomic.CompareAndSwapInt32(&r.stop, failed, halted)
	}
}

// fill enters the frame's fields into the slots. C gets the addresses of arrays, which stay where they are until it
// returns.
func (l *launch) fill(frame any) {
	l.slots = l.slots[:0]
	f := l.code.unit.Frame
	for i := range f.Names {
		v := f.Get(frame, i)
		if !v.IsArray {
			l.slots = append(l.slots, v.Bits)
			continue
		}
		if v.Data != nil {
			l.pins.Pin(v.Data)
		}
		l.slots = append(l.slots, uint64(uintptr(v.Data)), uint64(v.Len))
	}
}

// results copies the scalars that the variant computes to the frame.
func (l *launch) results(frame any) {
	if len(l.code.results) == 0 {
		return
	}
	f, slot := l.code.unit.Frame, 0
	for i := range f.Names {
		v := f.Get(frame, i)
		if v.IsArray {
			slot += 2
			continue
		}
		for _, r := range l.code.results {
			if r == i {
				f.Set(frame, i, l.slots[slot])
			}
		}
		slot++
	}
}
