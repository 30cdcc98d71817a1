package exec

import (
	"context"
	"slices"
	"time"
	"unsafe"

	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/selector/param"
)

// Start begins a run of a kernel whose computations stand in loops or under conditions: which one comes first is not
// known.
func (c *Call) Start(frame any) error {
	switch m := c.opts.memory; {
	case c.memory != nil:
		c.memory.mu.Lock()
		defer c.memory.mu.Unlock()
		if c.memory.place == nil { // released
			if err := c.reopen(); err != nil {
				return err
			}
		}
		return c.begin(frame, c.memory.place, m != nil)
	case m != nil:
		return m.Fetch()
	}
	return nil
}

// aheadTime is about how long a device works on turns that were handed to it before the host waits for them: what stops
// a run has to wait for it too.
const aheadTime = 10 * time.Millisecond

// ahead is how many turns a device is handed at a time.
type ahead struct {
	turns, most int
	since       time.Time
}

// Turn begins a turn of a loop. Its error is that of ctx.
func (c *Call) Turn(ctx context.Context) error {
	if err := ctx.Err(); err != nil || c.memory == nil {
		return err
	}
	a := &c.ahead
	if a.turns++; a.turns < a.most {
		return nil
	}
	c.memory.mu.Lock()
	defer c.memory.mu.Unlock()
	if err := c.memory.place.Wait(); err != nil {
		return err
	}
	now := time.Now()
	switch took := now.Sub(a.since); {
	case took < aheadTime/2:
		a.most = min(2*max(a.most, 1), 1<<10)
	case took > 2*aheadTime:
		a.most /= 2
	}
	a.turns, a.since = 0, now
	return ctx.Err()
}

// Finish ends what Start began: what the kernel returns is in the frame's memory then.
func (c *Call) Finish(frame any) error {
	switch m := c.opts.memory; {
	case c.memory != nil && m == nil:
		c.memory.mu.Lock()
		defer c.memory.mu.Unlock()
		return c.memory.place.Home(frame, false)
	case c.memory == nil && m != nil:
		return m.Changed()
	}
	return nil
}

// Turns estimates what a turn of the loops of a kernel costs that has two ways: its host program with the loops, and an
// alternative in which each loop is one computation.
type Turns struct {
	call  *Call
	whole int // which alternative
	turn  selector.Turn
	known bool
}

// Turns returns what is to be filled in for the choice between the two ways, where neither the options nor a model has
// made it, after [Call.ChooseAlgorithm]; else nil. whole is the alternative that has each loop as one computation.
func (c *Call) Turns(whole int) *Turns {
	if !c.estimated {
		return nil
	}
	return &Turns{call: c, whole: whole}
}

// Add adds a computation of a turn, with its features that take constant time.
func (t *Turns) Add(computation int, constant ...selector.Feature) {
	comp := t.call.kernel.Computations[computation]
	codes, err := comp.Available()
	if err != nil || len(codes) == 0 {
		return
	}
	best, plain := comp.estimates(codes, constant)
	t.turn.Operations, t.turn.Plain, t.known = t.turn.Operations+best, t.turn.Plain+plain, true
	t.turn.Computations++
}

// estimates returns how many operations a computation takes with the codes, as far as the features say, and without
// those of them that have vectors.
func (c *Computation) estimates(codes []selector.Code, features []selector.Feature) (best, plain float64) {
	in := selector.Input{Strided: c.Strided, Features: features, Costs: c.Costs, Forms: c.Forms, Codes: codes}
	best, _ = in.Estimate()
	in.Codes = slices.DeleteFunc(slices.Clone(codes), func(c selector.Code) bool { return slices.ContainsFunc(c.Policy, param.VectorWidth.Is) })
	if len(in.Codes) == 0 {
		return best, best
	}
	plain, _ = in.Estimate()
	return best, plain
}

// Choose returns the number of the algorithm: that of the alternative where turns are short, else 0.
func (t *Turns) Choose() int {
	c := t.call
	var best, plain float64
	for _, comp := range c.kernel.Alternatives[t.whole-1].Computations {
		if codes, err := comp.Available(); err == nil && len(codes) > 0 {
			x, y := comp.estimates(codes, []selector.Feature{Feature(selector.Length, "elements", 1)})
			best, plain = best+x, plain+y
		}
	}
	yes, reason := t.turn.AsWhole(best / plain)
	if !t.known || !yes {
		return 0
	}
	c.algorithm = Decision{Computation: c.kernel.Name + selector.AlgorithmNumber, Variant: c.kernel.algorithms(selector.Host)[t.whole].Variant,
		Selector: untrained[0].Name(), Reason: "the algorithm: " + reason, Features: c.algorithm.Features}
	if w := c.opts.explain; w != nil {
		explain(w, &c.algorithm)
	}
	return t.whole
}

// ChooseAgain is [Call.Choose] in a loop: it does nothing where the features are those of the choice before.
func (c *Call) ChooseAgain(i int, constant ...selector.Feature) error {
	if c.launches[i] != nil && slices.EqualFunc(c.gather(i, constant), c.decisions[i].Features, sameFeature) {
		return nil
	}
	return c.Choose(i, constant...)
}

func sameFeature(a, b selector.Feature) bool { return a.Name == b.Name && a.Value == b.Value }

// Spare returns memory of c for n elements, of those pieces that own lists: one that none of the sequences in use
// begins in, another one if there is none.
func Spare[T any](c *Call, own *[][]T, n int, inUse ...[]T) []T {
	for i, s := range *own {
		if slices.ContainsFunc(inUse, func(u []T) bool { return cap(u) > 0 && unsafe.SliceData(u) == unsafe.SliceData(s) }) {
			continue
		}
		if cap(s) < n {
			s = Grow(c, s, n)
			(*own)[i] = s
		}
		return s[:n]
	}
	s := Grow(c, []T(nil), n)
	*own = append(*own, s)
	return s
}
