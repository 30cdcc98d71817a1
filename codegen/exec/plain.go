package exec

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/selector/param"
)

// Plain says of a kernel what it is as plain Go. Generated code bounds what that costs on an input, in operations,
// counted in additions.
type Plain struct {
	// Open says that it has loops of which nobody knows whether they end.
	Open bool
	// Alike says that compiled code does the same one element after the other, without vectors: threads make it
	// faster, and little else does.
	Alike bool
	// Exact says that compiled code gives the same bits, whatever the variant. Ordered says it of variants that call the
	// functions of package math, one number at a time, as those on processors do that use no lanes.
	Exact, Ordered bool
	// Twice says that compiled code runs loops twice that plain Go runs once, and nothing in parallel.
	Twice bool
	// Copies says that what is bound keeps copies of elements for the kernel itself.
	Copies bool
	// Unbounded says that nothing is known of what it costs: it is never taken without a trial.
	Unbounded bool
}

// manyLanes is how many lanes compiled code may use where it uses some.
const manyLanes = 8

// lanes is how many lanes compiled code may use.
func (p Plain) lanes() int {
	if p.Alike {
		return 1
	}
	return manyLanes
}

const (
	// plainWork is the number of operations up to which a call runs the kernel itself, and computationWork what each
	// of its computations adds: binding arguments and choosing variants takes about as long.
	plainWork, computationWork = 50000, 15000
	// rowWork is how many operations take as long as copying a short row to where the others are.
	rowWork = 60
	// alikeGain is what part of the time compiled code saves on one thread that does what plain Go does.
	alikeGain = 0.1
	// stoppableWork bounds what is left to plain Go, which nothing can stop, where a context may end: some milliseconds.
	stoppableWork = 1e7
	// boundWork is the number of operations for each computation up to which a run of what is bound runs the kernel
	// itself: starting computations takes about as long. alikeWork is that for code that does what plain Go does.
	boundWork, alikeWork = 3000, 5000
	// copiedWork is the number of operations up to which elements are copied for a trial of the kernel itself.
	copiedWork = 1e7
)

// collected are options that nobody uses: a call that runs the kernel itself allocates nothing.
var (
	collected = sync.Pool{New: func() any { return new(Options) }}
	noOptions = new(Options)
)

// Recovered is deferred by code that runs a kernel itself: a panic ends that, and ok stays false.
func Recovered(ok *bool) {
	if !*ok {
		recover() // compiled code says what it was
	}
}

// RunsPlain reports whether a call of k that binds and runs it once is to run the kernel itself, as plain Go, because
// that takes less time than binding the arguments and choosing variants. work bounds the operations, rows is how many
// rows would be copied. It is not where options ask for anything besides threads, the processors and explanations,
// where a model was trained for the kernel, or where a context may have to stop a loop that does not end.
func (k *Kernel) RunsPlain(ctx context.Context, opts []Option, work float64, rows int) bool {
	if k.Plain.Open && ctx.Done() != nil || ctx.Err() != nil || k.Plain.Unbounded && !k.Plain.Twice {
		return false
	}
	setup := k.setup()
	if work > setup && (!k.Plain.Alike && !k.Plain.Twice || ctx.Done() != nil && work > stoppableWork) {
		return false
	}
	o := k.asked(opts)
	if o == nil {
		return false
	}
	defer release(o)
	if work > setup && !k.Plain.Twice && work*alikeShare(o.threads) > setup+float64(rows)*rowWork {
		return false
	}
	k.explainPlain(o, work, k.why("which is less than choosing among variants takes"))
	return true
}

// why says why the kernel itself runs: for little work for the given reason.
func (k *Kernel) why(little string) string {
	if k.Plain.Twice {
		return "of which compiled code does some twice, and nothing in parallel"
	}
	return little
}

// setup is the number of operations up to which a call runs the kernel itself.
func (k *Kernel) setup() float64 {
	return float64(plainWork + computationWork*max(len(k.Computations)-1, 0))
}

// asked collects the options of a call where the kernel itself does what they ask for, and no model was trained: nil if
// not. They are to be given to release.
func (k *Kernel) asked(opts []Option) *Options {
	o := noOptions
	if len(opts) > 0 {
		o = collected.Get().(*Options)
		for _, f := range opts {
			if f != nil {
				f(o)
			}
		}
	}
	if !o.allowPlain() || k.trained(*o) {
		release(o)
		return nil
	}
	return o
}

// release gives back the memory of options.
func release(o *Options) {
	if o != noOptions {
		*o = Options{}
		collected.Put(o)
	}
}

// explainPlain says that a call runs the kernel itself, and why.
func (k *Kernel) explainPlain(o *Options, work float64, why string) {
	if o.explain != nil {
		fmt.Fprintf(o.explain, "%s: the kernel itself, as plain Go (%s: at most %.3g operations, %s for %d cores)\n",
			k.Name, selector.Untrained{}.Name(), work, why, runtime.GOMAXPROCS(0))
	}
}

// RunsPlain reports whether runs of what is bound are to run the kernel itself, as plain Go, because that takes less
// time than starting the code of its computations, or may be, because the results are the same to the bit. work bounds
// the operations. The options are asked as for a call, and decisions say so.
func (c *Call) RunsPlain(work float64) bool {
	k := c.kernel
	most := boundWork
	if k.Plain.Alike {
		most = alikeWork
	}
	asked := c.opts
	asked.settled = nil // that is the choice of this call
	if c.memory != nil || !asked.allowPlain() || k.trained(asked) {
		return false
	}
	if c.few = !k.Plain.Unbounded && work <= float64(most*max(len(k.Computations), 1)) || k.Plain.Twice; c.few {
		c.addReason(fmt.Sprintf("at most %.3g operations, %s: runs take the kernel itself, as plain Go", work, k.why("which is less than starting them takes")))
		return true
	}
	c.trial.on = (k.Plain.Exact || k.Plain.Ordered && c.scalar()) && tryable && (!k.Plain.Copies || work <= copiedWork)
	c.trial.runs = tried{k.Plain, work, c.Threads(), k.Plain.lanes()}
	return c.trial.on
}

// scalar reports whether variants are chosen for all computations, and give the bits of plain Go.
func (c *Call) scalar() bool {
	return !slices.Contains(c.launches, nil) && c.kernel.inOrder(c.decisions)
}

// inOrder reports whether the variants that were chosen run on processors, and without lanes where these give other
// bits than plain Go.
func (k *Kernel) inOrder(decisions []Decision) bool {
	lanes := func(s selector.Setting) bool {
		return param.VectorWidth.Is(s) || param.GatherAlgo.Is(s) || param.TileAlgo.Is(s) && param.TileAlgo.Value(s) == param.Routine
	}
	return !slices.ContainsFunc(decisions, func(d Decision) bool {
		return d.Computation != "" && (d.Variant.Platform != selector.Host || slices.ContainsFunc(d.Variant.Policy, lanes) && !k.exact(d.Computation))
	})
}

// exact reports whether all variants of a computation, which may be one of another algorithm, give the bits of plain
// Go.
func (k *Kernel) exact(computation string) bool {
	return slices.ContainsFunc(k.Computations, func(c *Computation) bool { return c.Exact && c.Name == computation }) ||
		slices.ContainsFunc(k.Alternatives, func(other *Kernel) bool { return other.exact(computation) })
}

// Plain reports whether a run that [Call.RunsPlain] allowed is to be one of the kernel itself: not where ctx has ended
// or may have to stop it. Where there is little to compute it is once variants are chosen, which is part of what a
// bound kernel is asked for, at the latest after a first run (a branch may never be taken); else the trial of the first
// runs says so, which [Call.Ended] is to be told the end of.
func (c *Call) Plain(ctx context.Context) bool {
	if (c.kernel.Plain.Open || c.kernel.Plain.Twice) && ctx.Done() != nil || ctx.Err() != nil {
		return false
	}
	itself := c.few && (c.begun || !slices.Contains(c.launches, nil)) || !c.few && c.trial.begin()
	c.begun = true
	if itself {
		c.opts.packing.keep() // its results may be rows of what it is given
	}
	return itself
}

// PlainThreads is how many threads a run of the kernel itself has: one where there is little to compute.
func (c *Call) PlainThreads() int {
	if c.few && !c.kernel.Plain.Twice {
		return 1
	}
	return c.Threads()
}

// Kept is a copy of a slice, nil for nil.
func Kept[S ~[]T, T any](x S) S { return slices.Clone(x) }

// KeptAt is a pointer to a copy.
func KeptAt[T any](x *T) *T {
	y := *x
	return &y
}

// alikeShare is what part of the time of plain Go compiled code saves that does the same.
func alikeShare(threads int) float64 {
	return max(alikeGain, 1-1/float64(resolved(threads)))
}

// resolved is how many threads an option stands for, 0 for all.
func resolved(threads int) int {
	if threads == 0 {
		return runtime.GOMAXPROCS(0)
	}
	return threads
}

// allowPlain reports whether the kernel itself, as plain Go, does what the options ask for.
func (o *Options) allowPlain() bool {
	return len(o.variants) == 0 && (o.platform == "" || o.platform == selector.Host) && o.selector == nil && o.destinations == nil &&
		o.device == "" && o.memory == nil && !o.features && !o.fixed && !o.unchecked && o.settled == nil
}

// trained reports whether a model was trained for the kernel.
func (k *Kernel) trained(o Options) bool {
	t := k.models.trained.Load()
	if t == nil {
		t = (&Call{kernel: k, opts: o}).models()
	}
	return t.trained
}

// Size is the size of a whole number among the inputs of a kernel.
func Size[T ~int | ~int32 | ~int64 | ~uint32 | ~uint64 | ~int8 | ~int16 | ~uint8 | ~uint16 | ~uint](n T) int {
	const most = 1 << 40
	switch {
	case n < 0: // loops and ranges to it are empty, unless they begin below
		return Size(^n)
	case uint64(n) > most:
		return most
	}
	return int(n)
}

// fewRows is how many rows are counted one by one; of more, as many are taken for all.
const fewRows = 64

// Elements is the size of a sequence of sequences, or of strings, among the inputs of a kernel. Of many rows it is an
// estimate.
func Elements[S ~[]T, T any](rows []S) int {
	return Lengths(len(rows), func(i int) int { return len(rows[i]) })
}

// Letters is [Elements] for strings.
func Letters[S ~string](rows []S) int {
	return Lengths(len(rows), func(i int) int { return len(rows[i]) })
}

// Lengths is [Elements] for so many rows of these lengths.
func Lengths(rows int, length func(i int) int) int {
	step := 1 + rows/fewRows
	sum := 0
	for i := 0; i < rows; i += step {
		sum += length(i)
	}
	return rows + sum*step
}

// Copied is how many rows Bind copies, so that they lie one behind the other: none or all.
func Copied[S ~[]T, T any](rows []S) int {
	if len(rows) > 1 && len(rows[0]) > 0 && cap(rows[0]) > len(rows[0]) {
		return 0 // most likely parts of one array
	}
	return len(rows)
}
