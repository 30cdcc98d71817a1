package beamrt

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/surge-ndp/surge/codegen/cluster"
	"github.com/surge-ndp/surge/codegen/exec"
)

// The counters of a run: of all stages, on all workers.
var (
	countBlocks   = beam.NewCounter("surge", "blocks")
	countElements = beam.NewCounter("surge", "elements")
	countRead     = beam.NewCounter("surge", "bytes-read")
	countYielded  = beam.NewCounter("surge", "bytes-yielded")
	countKernel   = beam.NewCounter("surge", "kernel-ns")
	countRetries  = beam.NewCounter("surge", "retries")
)

// Besides them each variant has a counter of the name of its text: how often it was chosen for a computation; and each
// kind of selector one: how often it has chosen. Those without a model are called untrained.
const (
	variantCounters  = "surge-variants"
	selectorCounters = "surge-selectors"
)

// ordered returns a context in which steps run on the platform of the run, and compute in the order of the source, if
// it is reproducible.
func (w *worker) ordered(ctx context.Context) context.Context {
	if w.Platform != "" {
		ctx = cluster.WithOptions(ctx, exec.Platform(w.Platform))
	}
	if w.Reproducible {
		return cluster.InOrder(ctx)
	}
	return ctx
}

// counting returns such a context in which steps count the variants that they choose.
func (w *worker) counting(ctx context.Context) context.Context {
	return cluster.WithDecisions(w.ordered(ctx), func(d *exec.Decision) {
		beam.NewCounter(variantCounters, d.Variant.String()).Inc(ctx, 1)
		beam.NewCounter(selectorCounters, d.Selector).Inc(ctx, 1)
	})
}

func init() {
	register.DoFn2x2[context.Context, State, State, error](&onceFn{})
	register.DoFn3x1[context.Context, State, func(Block), error](&cutFn{})
	register.DoFn5x1[context.Context, Block, State, func(Block), func(Partial), error](&eachFn{})
	register.DoFn3x2[context.Context, State, func(*Partial) bool, State, error](&finishFn{})
	register.DoFn1x2[Partial, int, Partial](&keyFn{})
	register.DoFn2x1[int, Partial, Partial](&unkeyFn{})
	register.Combiner1[Partial](&gatherFn{})
	register.Emitter1[Block]()
	register.Emitter1[Partial]()
	register.Iter1[Partial]()
}

// worker is what the functions of a worker share: the kernel, and the inputs, which are opened once for a function that
// runs many blocks.
type worker struct {
	Kernel       string
	Reproducible bool   // see [Options]
	Model        string // see [Options]
	Platform     string // see [Options]

	kernel *cluster.Kernel
	mu     sync.Mutex
	source cluster.Source
}

// Setup looks up the kernel, and has it choose by the model of the run.
func (w *worker) Setup() (err error) {
	if w.kernel, err = kernel(w.Kernel); err == nil {
		w.kernel.UseModel(w.Model)
	}
	return telling(err)
}

// open returns the inputs of a state.
func (w *worker) open(s State) (src cluster.Source, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.source == nil {
		w.source, err = s.Inputs.Open(w.kernel, true)
	}
	return w.source, err
}

// reopen is open after something has failed: files may be others by now.
func (w *worker) reopen(s State) (cluster.Source, error) {
	w.mu.Lock()
	w.source = nil
	w.mu.Unlock()
	return w.open(s)
}

// wholes returns the whole values of a state, with those that the worker reads itself.
func (w *worker) wholes(ctx context.Context, src cluster.Source, s State) ([]cluster.Value, error) {
	wholes := append([]cluster.Value(nil), s.Wholes...)
	for i, p := range w.kernel.Params {
		if wholes[i] != nil || p.Cut {
			continue
		}
		n, err := src.Len(ctx, i)
		if err != nil {
			return nil, err
		}
		if wholes[i], err = src.Read(ctx, i, 0, n); err != nil {
			return nil, err
		}
	}
	return wholes, nil
}

// drop makes a state of whole values, without those that the worker reads itself.
func (w *worker) drop(s State, wholes []cluster.Value) State {
	for i := range w.kernel.Params {
		if s.Inputs[i].Shards != "" && !w.kernel.Params[i].Cut {
			wholes[i] = nil
		}
	}
	s.Wholes = wholes
	return s
}

// guarded runs a step, whose panic is an error: Beam's own has the stack of its workers in it.
func (w *worker) guarded(what string, step func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%s: %s: panic: %v", w.kernel.Name, what, r)
		}
	}()
	return step()
}

// onceFn does the step of a stage that runs once.
type onceFn struct {
	worker
	Stage int
}

// ProcessElement is called for the one state.
func (f *onceFn) ProcessElement(ctx context.Context, s State) (State, error) {
	if s.Failed != nil {
		return s, nil
	}
	src, err := f.open(s)
	if err != nil {
		return s, telling(err)
	}
	wholes, err := f.wholes(ctx, src, s)
	if err != nil {
		return s, telling(err)
	}
	if err = f.guarded("a step that runs once", func() error { return f.kernel.Once(f.counting(ctx), f.Stage, wholes) }); err == nil {
		return f.drop(s, wholes), nil
	}
	s.Failed, err = failure(err)
	return s, telling(err)
}

// cutFn makes the blocks.
type cutFn struct{ worker }

// ProcessElement is called for the one state.
func (f *cutFn) ProcessElement(_ context.Context, s State, emit func(Block)) error {
	if s.Failed != nil {
		return nil
	}
	blocks, err := f.kernel.Blocks(s.Wholes, s.Size)
	if err != nil {
		return telling(err)
	}
	for _, at := range blocks {
		emit(Block{Place: at})
	}
	return nil
}

// eachFn does the step of a stage that runs for each block.
type eachFn struct {
	worker
	Stage int
	More  bool // later ones read what it keeps
}

// ProcessElement is called for each block.
func (f *eachFn) ProcessElement(ctx context.Context, b Block, s State, emit func(Block), yield func(Partial)) error {
	if s.Failed != nil {
		return nil
	}
	src, err := f.open(s)
	if err != nil {
		return telling(err)
	}
	wholes, err := f.wholes(ctx, src, s)
	if err != nil {
		return telling(err)
	}
	fail := func(err error) error {
		failed, err := failure(err)
		if err == nil {
			failed.Block = b.Place.Block
			yield(Partial{Failed: failed})
		}
		return telling(err)
	}
	parts, partials, err := f.compute(ctx, src, b, wholes)
	if again := (*cluster.Error)(nil); err != nil && !errors.As(err, &again) && ctx.Err() == nil {
		// Not every engine tries again, and Prism never does. What the kernel says of its input would come again.
		countRetries.Inc(ctx, 1)
		if src, err = f.reopen(s); err == nil {
			parts, partials, err = f.compute(ctx, src, b, wholes)
		}
	}
	if err != nil {
		return fail(err)
	}
	countBlocks.Inc(ctx, 1)
	countElements.Inc(ctx, int64(b.Place.Count))
	gathered, err := f.kernel.Add(f.ordered(ctx), f.Stage, nil, b.Place.Block, partials)
	if err != nil {
		return fail(err)
	}
	f.kernel.Keep(f.Stage+1, parts)
	countYielded.Inc(ctx, int64(cluster.Size(parts...)+cluster.Size(partials...)))
	if f.More {
		emit(Block{Place: b.Place, Parts: parts})
	}
	yield(Partial{Gathered: gathered})
	return nil
}

// compute reads what a block needs, and does the step.
func (f *eachFn) compute(ctx context.Context, src cluster.Source, b Block, wholes []cluster.Value) (parts, partials []cluster.Value, err error) {
	if parts, err = f.kernel.Load(ctx, src, f.Stage, b.Place, wholes, b.Parts); err != nil {
		return nil, nil, err
	}
	countRead.Inc(ctx, int64(cluster.Size(parts...)))
	begin := time.Now()
	err = f.guarded(fmt.Sprintf("block %d", b.Place.Block), func() (err error) {
		partials, err = f.kernel.Each(f.counting(ctx), f.Stage, b.Place, wholes, parts)
		return err
	})
	countKernel.Inc(ctx, int64(time.Since(begin)))
	return parts, partials, err
}

// keyFn gives partials of blocks next to each other one key, so that they are combined on their own before all are.
type keyFn struct{ FanIn int }

// ProcessElement is called for what each block yields.
func (f *keyFn) ProcessElement(p Partial) (int, Partial) {
	if len(p.Gathered) == 0 {
		return 0, p
	}
	return (p.Gathered[0].Index << p.Gathered[0].Level) / f.FanIn, p
}

// unkeyFn forgets the keys.
type unkeyFn struct{}

// ProcessElement is called for each key.
func (unkeyFn) ProcessElement(_ int, p Partial) Partial { return p }

// gatherFn puts partials together. The result does not depend on the order in which they come.
type gatherFn struct {
	worker
	Stage int
}

// MergeAccumulators puts the partials of different blocks together.
func (f *gatherFn) MergeAccumulators(a, b Partial) (Partial, error) {
	p := Partial{Failed: earlier(a.Failed, b.Failed), Written: slices.Concat(a.Written, b.Written)}
	if p.Failed != nil { // nobody will need the others
		return p, nil
	}
	if f.kernel == nil {
		if err := f.Setup(); err != nil {
			return p, err
		}
	}
	var err error
	if p.Gathered, err = f.kernel.Merge(f.ordered(context.Background()), f.Stage, append(cluster.Gathered(nil), a.Gathered...), b.Gathered); err != nil {
		p.Failed, err = failure(err)
	}
	return p, err
}

// finishFn makes whole values of what all blocks of a stage yield.
type finishFn struct {
	worker
	Stage int
}

// ProcessElement is called for the one state, with what all blocks yield together, if any do.
func (f *finishFn) ProcessElement(ctx context.Context, s State, all func(*Partial) bool) (State, error) {
	var p Partial
	for one := (Partial{}); all(&one); {
		p = one
	}
	if s.Failed = earlier(s.Failed, p.Failed); s.Failed != nil {
		return s, nil
	}
	blocks, err := f.kernel.Blocks(s.Wholes, s.Size)
	if err != nil {
		return s, telling(err)
	}
	s.Wholes = append([]cluster.Value(nil), s.Wholes...)
	if err = f.kernel.Finish(f.ordered(ctx), f.Stage, p.Gathered, len(blocks), s.Wholes); err != nil {
		s.Failed, err = failure(err)
	}
	return s, telling(err)
}
