package harness

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/surge-ndp/surge/codegen/exec"
)

// binding is a kernel with arguments.
type binding struct {
	kernel   *Kernel
	args     []any
	bytes    int64 // of all arguments
	largest  int   // elements of the largest argument
	options  []exec.Option
	checked  []exec.Option // options as the client gave them
	trusts   bool          // the client has checks skipped
	threads  int
	variants []string
	features bool // compute all features where no variant is forced, but at most the kernel itself

	// current is the compiled kernel bound with the variants of currentKey.
	current    Bound
	currentKey []string

	// want holds the leaves of the results of plain Go and their time, after the first verification.
	want  []array
	plain time.Duration

	// results is memory that all variants write their results to, so that a timed run does not allocate, nil for a result
	// that is no sequence; it is empty as long as the lengths are unknown.
	results []array

	memory *exec.Memory // of resident runs; nil where arrays are on the host
}

// newBinding binds the kernel once with all checks.
func newBinding(k *Kernel, req *BindRequest, args []array) (*binding, error) {
	b := &binding{kernel: k, variants: req.Variants, features: req.Features, threads: req.Threads}
	var err error
	if b.args, err = assemble(k.Params, args); err != nil {
		if of, ok := err.(*exec.Error); ok {
			of.Kernel, of.Pos = k.Exec.Name, k.Exec.Pos
		}
		return nil, err
	}
	for _, a := range args {
		b.bytes += int64(len(a.raw()))
		for _, level := range a.offsets() {
			b.bytes += int64(8 * len(level))
		}
		b.largest = max(b.largest, a.argument().Count)
	}
	b.options = append(b.options, exec.Threads(req.Threads), exec.Platform(req.Platform))
	b.trusts = req.Unchecked
	if req.Unchecked {
		b.options = append(b.options, exec.Unchecked())
	}
	b.checked = slices.Clone(b.options)
	if err := b.choose(req.Variants); err != nil {
		return nil, err
	}
	if !req.Unchecked {
		b.options = append(b.options, exec.Unchecked()) // the arguments are checked now
	}
	return b, nil
}

// choose binds the compiled kernel with variants, and to the common results if there are any.
func (b *binding) choose(variants []string) error {
	if b.current != nil && slices.Equal(variants, b.currentKey) {
		return nil
	}
	b.current = nil
	opts := slices.Clone(b.options)
	if b.features && (len(variants) == 0 || len(variants) == 1 && variants[0] == b.kernel.Exec.Name) {
		opts = append(opts, exec.Features())
	}
	for _, v := range variants {
		opts = append(opts, exec.Variant(v))
	}
	for i, r := range b.results {
		if r == nil {
			opts = append(opts, exec.Into[byte](nil))
		} else {
			opts = append(opts, b.kernel.Results[i].into(r.first(), r.argument().Count))
		}
	}
	if b.memory != nil {
		opts = append(opts, exec.Resident(b.memory))
	}
	return guarded(b.kernel.Exec.Name, func() error {
		bound, err := b.kernel.Bind(b.args, opts...)
		if err == nil {
			b.current, b.currentKey = bound, slices.Clone(variants)
		}
		return err
	})
}

// reside makes further runs leave arrays on their device, or not.
func (b *binding) reside(resident bool) {
	if resident == (b.memory != nil) {
		return
	}
	b.current = nil
	if resident {
		b.memory = new(exec.Memory)
	} else {
		b.memory.Release()
		b.memory = nil
	}
}

// adopt makes common results of the shapes of like, the leaves of all results, and the next choose use them.
func (b *binding) adopt(like []array) {
	if b.results != nil {
		return
	}
	for _, v := range b.kernel.Results {
		own, _ := v.Leaves()
		var r array
		if v.into != nil {
			r = like[0].fresh()
		}
		b.results, like = append(b.results, r), like[len(own):]
	}
	b.current = nil
}

// spoil overwrites the common results.
func (b *binding) spoil() {
	want := b.want
	for i, v := range b.kernel.Results {
		own, _ := v.Leaves()
		if b.results[i] != nil {
			b.results[i].spoil(want[0])
		}
		want = want[len(own):]
	}
}

// repeat runs the chosen variants n times, and returns the last results and the time of all runs together. That
// of each computation is on its stopwatch.
func (b *binding) repeat(ctx context.Context, n int) (results []any, elapsed time.Duration, err error) {
	for _, w := range b.kernel.watches {
		w.total = 0
	}
	err = guarded(b.kernel.Exec.Name, func() (err error) {
		start := time.Now()
		for range n {
			if len(b.kernel.Exec.Computations) == 0 { // all is computed when it is bound
				b.currentKey, b.current = slices.Clone(b.currentKey), nil
				if err := b.choose(b.currentKey); err != nil {
					return err
				}
			}
			if results, err = b.current.Run(ctx); err != nil {
				return err
			}
		}
		elapsed = time.Since(start)
		return nil
	})
	if err == nil && len(results) != len(b.kernel.Results) {
		err = fmt.Errorf("%d results, and %d are declared", len(results), len(b.kernel.Results))
	}
	return results, elapsed, err
}

// reference runs plain Go, once for each binding.
func (b *binding) reference() error {
	if b.want != nil {
		return nil
	}
	var results []any
	start := time.Now()
	if err := guardedPlain(b.kernel.Exec.Name, func() { results = b.kernel.Reference(b.args) }); err != nil {
		return err
	}
	b.plain = time.Since(start)
	want, err := dismantle(b.kernel.Results, results)
	b.want = want
	return err
}
