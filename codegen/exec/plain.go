package exec

import (
	"context"
	"fmt"
	"runtime"

	"github.com/surge-ndp/surge/selector"
)

// Plain bounds what a kernel costs as plain Go.
type Plain struct {
	// Work has for each power of the size of an input how many operations there are at most, counted in additions.
	Work []float64
	// Open says that it has loops of which nobody knows whether they end.
	Open bool
}

// plainWork is the number of operations up to which a call runs the kernel itself: binding its arguments and choosing a
// variant takes about as long.
const plainWork = 8000

// RunsPlain reports whether a call of k that binds and runs it once is to run the kernel itself, as plain Go, because so
// little is to be computed that choosing a variant would take longer. size is that of the inputs. It is not where options ask
// for anything besides threads and explanations, where a model was trained for the kernel, or where a context may have to
// stop a loop that does not end.
func (k *Kernel) RunsPlain(ctx context.Context, opts []Option, size int) bool {
	if size < 0 || k.Plain.Open && ctx.Done() != nil || ctx.Err() != nil {
		return false
	}
	work, n := 0.0, float64(size)
	for i := len(k.Plain.Work) - 1; i >= 0; i-- {
		work = work*n + k.Plain.Work[i]
	}
	if work > plainWork {
		return false
	}
	var o Options
	if len(opts) > 0 {
		o = collect(opts)
		if len(o.variants) > 0 || o.platform != "" || o.selector != nil || o.destinations != nil || o.device != "" || o.memory != nil ||
			o.features || o.fixed || o.unchecked || o.settled != nil {
			return false
		}
	}
	t := k.models.trained.Load()
	if t == nil {
		t = (&Call{kernel: k, opts: o}).models()
	}
	if len(t.models) > 0 || t.placing.classifiers[0] != nil {
		return false
	}
	if o.explain != nil {
		fmt.Fprintf(o.explain, "%s: the kernel itself, as plain Go (%s: at most %.3g operations, which is less than choosing among variants for %d cores takes)\n",
			k.Name, selector.Untrained{}.Name(), work, runtime.GOMAXPROCS(0))
	}
	return true
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

// Elements is the size of a sequence of sequences among the inputs of a kernel.
func Elements[S ~[]T, T any](rows []S) int {
	n := len(rows)
	for _, r := range rows {
		n += len(r)
	}
	return n
}
