package harness

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/selector"
)

// stopwatch adds up the time that a computation takes. It is read and written between and in runs, of which there is
// one at a time.
type stopwatch struct{ total time.Duration }

// equip gives each computation of a kernel a stopwatch, by putting one around the code of every variant. A kernel of
// one computation gets none: the time of the kernel is that of the computation, and reading the clock would be a part
// of it.
func equip(k *exec.Kernel) []*stopwatch {
	if len(k.Computations) < 2 {
		return nil
	}
	watches := make([]*stopwatch, len(k.Computations))
	for i, c := range k.Computations {
		watches[i] = new(stopwatch)
		for j := range c.Codes {
			c.Codes[j].Func = watchedFunc{c.Codes[j].Func, watches[i]}
		}
	}
	return watches
}

// untimed says that stopwatches stand still.
var untimed atomic.Bool

// Untimed has the stopwatches of computations stand still, or run again, where whole runs are compared with plain Go:
// to read the clock twice for each computation takes as long as computing a hundred elements.
func Untimed(stand bool) { untimed.Store(stand) }

type watchedFunc struct {
	exec.Func
	watch *stopwatch
}

func (f watchedFunc) Prepare(v selector.Variant) (exec.Launch, error) {
	l, err := f.Func.Prepare(v)
	if err != nil {
		return nil, err
	}
	if r, ok := l.(exec.Remote); ok {
		return watchedRemote{r, f.watch}, nil
	}
	return watchedLaunch{l, f.watch}, nil
}

// Accelerated implements [exec.Accelerator] where the function within does.
func (f watchedFunc) Accelerated() (workgroup int, ok bool) {
	if a, is := f.Func.(exec.Accelerator); is {
		return a.Accelerated()
	}
	return 0, false
}

// On implements [exec.Placer]; a function that is none runs on the only device that it knows.
func (f watchedFunc) On(device string) (exec.Func, error) {
	p, ok := f.Func.(exec.Placer)
	if !ok {
		return f, nil
	}
	inner, err := p.On(device)
	if err != nil {
		return nil, err
	}
	return watchedFunc{inner, f.watch}, nil
}

// Device implements [exec.Identified] where the function within does.
func (f watchedFunc) Device() string {
	if d, ok := f.Func.(exec.Identified); ok {
		return d.Device()
	}
	return ""
}

type watchedLaunch struct {
	exec.Launch
	watch *stopwatch
}

func (l watchedLaunch) Run(ctx context.Context, frame any) error {
	if untimed.Load() {
		return l.Launch.Run(ctx, frame)
	}
	start := time.Now()
	err := l.Launch.Run(ctx, frame)
	l.watch.total += time.Since(start)
	return err
}

// RunAfter implements [exec.Follower] where the launch within does.
func (l watchedLaunch) RunAfter(ctx context.Context, first exec.Launch, frame any) (shared bool, share float64, err error) {
	f, ok := l.Launch.(exec.Follower)
	before, watched := first.(watchedLaunch)
	if !ok || !watched {
		return false, 0, nil
	}
	start := time.Now()
	shared, share, err = f.RunAfter(ctx, before.Launch, frame)
	if shared {
		took := time.Since(start)
		lead := time.Duration(float64(took) * share)
		before.watch.total += lead
		l.watch.total += took - lead
	}
	return shared, share, err
}

type watchedRemote struct {
	exec.Remote
	watch *stopwatch
}

func (l watchedRemote) RunIn(ctx context.Context, frame any, p exec.Place) error {
	start := time.Now()
	err := l.Remote.RunIn(ctx, frame, p)
	if err == nil {
		err = p.Wait()
	}
	l.watch.total += time.Since(start)
	return err
}
