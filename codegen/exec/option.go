package exec

import (
	"context"
	"fmt"
	"io"

	"github.com/surge-ndp/surge/selector"
)

// Option is an option of a generated Run or Bind function.
type Option func(*Options)

// Options are the collected options of one call.
type Options struct {
	variants     []string
	threads      int
	unchecked    bool
	platform     string
	destinations []destination
	selector     selector.Ranker
	explain      io.Writer
	observe      func(*Decision)
	features     bool // all are computed
	fixed        bool // the algorithm was asked for
	device       string
	memory       *Memory
	ctx          context.Context // ends what Bind computes; nil: nothing does
	settled      *settled        // the platform, where it was left open; nil before it was chosen
	packing      *Packing        // memory for rows, of a call that binds and runs a kernel once
}

// Variant forces a variant: by its id, by its canonical text, or by any parts of it joined by "/", such as
// "independent>cooperative/vector_width_2=8". For a kernel of several computations it may be given several times; text
// that names a computation applies to that one, other text to every computation that has such a variant.
func Variant(text string) Option { return func(o *Options) { o.variants = append(o.variants, text) } }

// Schedule restricts the choice to variants with this schedule, such as "independent>sequential".
func Schedule(text string) Option { return Variant(text) }

// Policy restricts the choice to variants with these settings, such as "num_threads=2,chunk_size_1=64".
func Policy(text string) Option { return Variant(text) }

// Threads limits the number of workers; 0 means as many as there are processors.
func Threads(n int) Option { return func(o *Options) { o.threads = n } }

// Until ends Bind with ctx's error when that is done, where Bind runs a loop of the kernel that may take for ever.
// What runs with a context of its own, as Run does, needs it for nothing else.
func Until(ctx context.Context) Option { return func(o *Options) { o.ctx = ctx } }

// Platform restricts the choice to one platform, such as "goroutine"; "auto" or "" lets the selector choose.
func Platform(name string) Option { return func(o *Options) { o.platform = name } }

// Device chooses the device of platforms that have several: by its number in `surge platforms`, or by a part of its
// name. Without it the environment variable SURGE_DEVICE counts, and without that the best device.
func Device(name string) Option { return func(o *Options) { o.device = name } }

// Unchecked skips the checks of indices and offsets when inputs are bound. Out-of-range indices then corrupt memory:
// use it only for inputs that were checked before.
func Unchecked() Option { return func(o *Options) { o.unchecked = true } }

// Into makes the next result go to dst instead of a new slice: the first Into is for the first result, and so on. The
// length of dst has to be exactly the result's; where that depends on the data (ops.Filter, ops.ReduceByKey), dst has
// to have at least as many elements, and the result is its beginning. It is overwritten by every run. For a result of
// rows dst is flat, a []T for a [][]T: it holds the rows one behind the other, and the result is slices of it. A nil
// dst leaves that result to a new slice, and stands for results that are no sequences.
//
// All of dst must be memory of its own: Bind returns an [Error] with the code aliased-result if it shares a byte with
// an argument or with another destination of the call. That includes an update in place, where dst is an argument
// itself: elements are computed in any order, and some of them twice. A program that iterates binds twice, with the
// two slices exchanged, and runs the two in turn.
func Into[T any](dst []T) Option {
	d := destination{region: regionOf(dst)}
	if dst != nil {
		d.slice = dst
	}
	return func(o *Options) { o.destinations = append(o.destinations, d) }
}

// destination is where a result is to go.
type destination struct {
	slice  any // nil for a new one
	region region
}

// destination returns the slice that the caller gave for result i, nil if none.
func (c *Call) destination(i int) any {
	if i >= len(c.opts.destinations) {
		return nil
	}
	return c.opts.destinations[i].slice
}

// Select sets the ranker that ranks variants; without it a trained model is asked if there is one, and then the
// untrained rules.
func Select(r selector.Ranker) Option { return func(o *Options) { o.selector = r } }

// Explain writes one line to w for every choice that is made: the variant, the selector, the reason, the features.
func Explain(w io.Writer) Option { return func(o *Options) { o.explain = w } }

// Observe calls f with every choice that is made for a computation, also where it is that of the run before. What it
// is given is the call's, and must not be kept.
func Observe(f func(*Decision)) Option { return func(o *Options) { o.observe = f } }

func collect(opts []Option) Options {
	var o Options
	for _, f := range opts {
		if f != nil {
			f(&o)
		}
	}
	return o
}

// Prefix is [Result] for a result whose length depends on the data: a destination may be longer.
func Prefix[T any](c *Call, i, n int) ([]T, error) {
	given := c.destination(i)
	if given == nil {
		return Result[T](c, i, n)
	}
	dst, ok := given.([]T)
	if !ok {
		return Result[T](c, i, n)
	}
	if len(dst) < n {
		return nil, &Error{Kernel: c.kernel.Name, Code: "destination",
			Detail: fmt.Sprintf("the destination of result %d has %d elements, and the result %d", i+1, len(dst), n)}
	}
	return dst[:n:n], nil
}

// Fresh makes all results new memory, whatever [Into] said before.
func Fresh() Option { return func(o *Options) { o.destinations = nil } }

// Take sets to to the memory for result i of a call, as [Result] returns it.
func Take[T any](c *Call, to *[]T, i, n int) (err error) {
	*to, err = Result[T](c, i, n)
	return err
}

// Result returns the memory for result i of a call, n elements: the destination that the caller gave, or a new slice.
func Result[T any](c *Call, i, n int) ([]T, error) {
	given := c.destination(i)
	if given == nil {
		if err := tooMany[T](c, n); err != nil {
			return nil, err
		}
		return newMemory[T](n), nil
	}
	dst, ok := given.([]T)
	if !ok {
		return nil, &Error{Kernel: c.kernel.Name, Code: "destination",
			Detail: fmt.Sprintf("the destination of result %d is a %T; give a %T, in which also the rows of a result lie one behind the other", i+1, given, dst)}
	}
	if len(dst) != n {
		return nil, &Error{Kernel: c.kernel.Name, Code: "destination",
			Detail: fmt.Sprintf("the destination of result %d has %d elements, and the result %d", i+1, len(dst), n)}
	}
	return dst, nil
}
