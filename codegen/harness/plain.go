package harness

import (
	"context"
	"slices"
	"time"

	"github.com/surge-ndp/surge/codegen/exec"
)

// againstPlain serves a PlainRequest: it times plain Go, the bound kernel and whole calls in turn, so that a machine
// that is slow for a while is slow for all three. All of them make new memory for their results, as plain Go does.
func (b *binding) againstPlain(ctx context.Context, req *PlainRequest) (*PlainReply, error) {
	Untimed(true)
	defer Untimed(false)
	opts := slices.Clone(b.checked)
	call := []exec.Option{exec.Threads(b.threads)} // nothing is asked for, where that gives the same choice
	for _, v := range b.variants {
		opts = append(opts, exec.Variant(v))
		call = opts
	}
	var bound Bound
	if err := b.guard(func() (err error) { bound, err = b.kernel.Bind(b.args, opts...); return err }); err != nil {
		return nil, err
	}
	quiet := context.WithoutCancel(ctx) // as in measure
	contenders := []func() error{
		func() error { b.kernel.Reference(b.args); return nil },
		func() error { _, err := bound.Run(quiet); return err },
		func() error { _, err := b.kernel.Call(quiet, b.args, call...); return err },
	}
	reply := &PlainReply{}
	times := []*[]float64{&reply.Plain, &reply.Run, &reply.Call}
	batches := make([]int, len(contenders))
	for i, f := range contenders {
		// The second run counts: the first fills caches and starts workers.
		for range 2 {
			elapsed, err := b.time(f, 1, i == 0)
			if err != nil {
				return nil, err
			}
			batches[i] = int((shortest + elapsed - 1) / max(elapsed, 1))
		}
	}
	begin := time.Now()
	for i := 0; i < max(req.Repeat, 1) && (i == 0 || req.Budget <= 0 || float64(time.Since(begin)) < req.Budget); i++ {
		for j, f := range contenders {
			elapsed, err := b.time(f, batches[j], j == 0)
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return nil, err
			}
			*times[j] = append(*times[j], float64(elapsed)/float64(batches[j]))
		}
	}
	reply.Decisions = decisions(bound.Decisions())
	return reply, nil
}

// time returns how long n runs of f take together, which is plain Go or compiled.
func (b *binding) time(f func() error, n int, plain bool) (elapsed time.Duration, err error) {
	runs := func() error {
		start := time.Now()
		for range n {
			if err := f(); err != nil {
				return err
			}
		}
		elapsed = time.Since(start)
		return nil
	}
	if plain {
		return elapsed, guardedPlain(b.kernel.Exec.Name, func() { runs() })
	}
	return elapsed, b.guard(runs)
}

func (b *binding) guard(f func() error) error { return guarded(b.kernel.Exec.Name, f) }
