package rt

import (
	"context"
	"os"
	"slices"
	"strconv"
	"sync"

	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/codegen/goroutine/vec"
	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/selector/param"
)

// maxLevels is how many nesting levels can have launch parameters of their own.
const maxLevels = 8

// Func is a generated variant of the goroutine platform: it runs one computation on a frame.
type Func func(frame any, w *Worker, l *Launch)

// Code is a generated variant whose function, which it may share with others, takes the bodies of its parallel loops
// from the launch. It implements [exec.Func].
type Code struct {
	Func
	bodies []Body
}

// Loops returns a code of the function that starts its parallel loops, and of their bodies.
func Loops(start Func, bodies ...Body) *Code { return &Code{start, bodies} }

// Over returns a function that starts one parallel loop over as many elements as n says of the frame, which is all that
// the body takes: the given one, or that of the launch.
func Over[F any](n func(*F) int, body ...Body) Func {
	return func(frame any, w *Worker, l *Launch) {
		b := body
		if len(b) == 0 {
			b = l.Bodies
		}
		w.For(n(frame.(*F)), l.Loops[0], b[0], frame)
	}
}

// Prepare implements [exec.Func].
func (c *Code) Prepare(v selector.Variant) (exec.Launch, error) {
	l, err := c.Func.prepare(v)
	if err != nil {
		return nil, err
	}
	l.Bodies = c.bodies
	return l, nil
}

// Launch holds a variant's launch parameters; Loops[d] is for nesting level d+1.
type Launch struct {
	Threads int
	Loops   [maxLevels]Loop
	Bodies  []Body // of the loops that a function starts which is not for one code alone: see [Code]

	fn    Func
	frame any

	stream     bool // the variant stores past the caches
	prepare    Func // what [Bind] runs
	inspectors []Func

	form      string // of the computation
	outermost bool   // the outermost level is divided among workers
	shared    int    // iterations in a chunk that is shared with the computation before, 0 for none
	pair      pair
}

// portable makes vector variants run in builds without vector instructions, slowly: tests of generated code want every
// variant in every build.
var portable = os.Getenv("SURGE_PORTABLE_VECTORS") == "1"

// Available implements [exec.Func].
func (fn Func) Available(vectorBits int) string {
	if vectorBits == 0 {
		return ""
	}
	if !vec.Native() {
		if portable && vec.Portable() {
			return ""
		}
		return vec.Reason()
	}
	for _, n := range vec.Lanes(4) {
		if n*32 >= vectorBits {
			return ""
		}
	}
	return "this CPU has no vectors of " + strconv.Itoa(vectorBits) + " bits"
}

// Prepare implements [exec.Func].
func (fn Func) Prepare(v selector.Variant) (exec.Launch, error) {
	l, err := fn.prepare(v)
	if err != nil {
		return nil, err
	}
	return l, nil
}

func (fn Func) prepare(v selector.Variant) (*Launch, error) {
	l := &Launch{fn: fn, form: v.Form, Threads: param.NumThreads.Or(v.Policy, 0, 1)}
	for d := range l.Loops {
		loop := Loop{Threads: l.Threads, Chunk: param.ChunkSize.At(v.Policy, d+1), Nested: param.EnableNesting.At(v.Policy, 0)}
		switch schedule, err := param.OmpSchedule.Read(v.Policy, d+1); {
		case err != nil:
			return nil, err
		case schedule != "":
			loop.Schedule = schedules[schedule]
		default:
			loop.Threads = 1 // the variant does not divide this level, though its function may: see codegen's provider
		}
		l.Loops[d] = loop
	}
	l.outermost = param.OmpSchedule.In(v.Policy, 1)
	l.stream = slices.ContainsFunc(v.Policy, func(s selector.Setting) bool {
		return param.StoreAlgo.Is(s) && param.StoreAlgo.Value(s) == param.Stream
	})
	l.shared = param.SharedChunk.Or(v.Policy, 1, 0)
	return l, nil
}

// Stored returns the one of two functions that stores as the variant of the launch says: through the caches, or past
// them.
func Stored[F any](l *Launch, cached, stream F) F {
	if l.stream {
		return stream
	}
	return cached
}

// Run implements [exec.Launch]. A launch runs one frame at a time.
func (l *Launch) Run(ctx context.Context, frame any) error {
	l.frame = frame
	return Run(ctx, l.Threads, l, enter)
}

func enter(env any, w *Worker) {
	l := env.(*Launch)
	l.fn(l.frame, w, l)
}

// Do runs functions one after the other, until the run is stopped, and reports whether it was not.
func (l *Launch) Do(w *Worker, frame any, fns ...Func) bool {
	for _, fn := range fns {
		if fn(frame, w, l); w.Stopped() {
			return false
		}
	}
	return true
}

// Inspect runs fn, which checks a kernel's inputs, on up to threads workers.
func Inspect(threads int, frame any, fn Func) error {
	return static(threads).inspect(context.Background(), frame, fn)
}

// InspectUntil is Inspect for what may take for ever: it ends with ctx's error when that is done.
func InspectUntil(ctx context.Context, threads int, frame any, fn Func) error {
	return static(threads).inspect(ctx, frame, fn)
}

// Bind runs prepare, unless it is nil, and then the inspectors of a kernel's inputs unless these go unchecked, on up to
// threads workers.
func Bind(threads int, frame any, unchecked bool, prepare Func, inspectors ...Func) error {
	return bindUntil(context.Background(), threads, frame, unchecked, prepare, inspectors)
}

// BindUntil is Bind for what may take for ever: it ends with ctx's error when that is done.
func BindUntil(ctx context.Context, threads int, frame any, unchecked bool, prepare Func, inspectors ...Func) error {
	return bindUntil(ctx, threads, frame, unchecked, prepare, inspectors)
}

func bindUntil(ctx context.Context, threads int, frame any, unchecked bool, prepare Func, inspectors []Func) error {
	l := static(threads)
	if l.prepare = prepare; !unchecked {
		l.inspectors = inspectors
	}
	return l.inspect(ctx, frame, bind)
}

func bind(frame any, w *Worker, l *Launch) {
	if l.prepare == nil || l.Do(w, frame, l.prepare) {
		l.Do(w, frame, l.inspectors...)
	}
}

func static(threads int) *Launch {
	l := &Launch{Threads: threads}
	for d := range l.Loops {
		l.Loops[d] = Loop{Schedule: Static, Threads: threads}
	}
	return l
}

func (l *Launch) inspect(ctx context.Context, frame any, fn Func) error {
	l.fn = fn
	return l.Run(ctx, frame)
}

// hosts are launches of Host that are done: a run of a bound kernel allocates nothing.
var hosts = sync.Pool{New: func() any { return static(1) }}

// Host runs fn, the sequential part of a kernel between two computations, on the calling goroutine.
func Host(frame any, fn Func) error { return HostUntil(context.Background(), frame, fn) }

// HostUntil is Host for what may take for ever: it ends with ctx's error when that is done.
func HostUntil(ctx context.Context, frame any, fn Func) error {
	l := hosts.Get().(*Launch)
	err := l.inspect(ctx, frame, fn)
	l.fn, l.frame = nil, nil
	hosts.Put(l)
	return err
}
