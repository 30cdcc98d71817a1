package selector

import (
	"errors"
	"fmt"
)

// Estimate is what something costs on one thread, in operations as [LevelCost] counts them, and how much of that is
// guessed.
type Estimate struct{ Operations, Guessed float64 }

// An algorithm is clearly faster than the kernel itself where the estimate for it is that much less, and the part of it
// that is guessed is small. (The estimates of kernels with two algorithms are up to 3 times off, mostly to one side for
// both.)
const (
	clearlyLess = 1.2
	clearlyPart = 0.25
)

// What a run on an accelerator takes, in the operations that the processors do meanwhile on one thread. (Measured on
// an H200 beside 16 cores: 35 µs to start and to wait, 12 GB a second both ways. What it computes in the time of an
// operation is what so many cores do.)
const (
	acceleratorStart = 1e5
	copiedByte       = 0.25
	acceleratorCores = 64
)

// rankTargets prefers a platform with an accelerator where arrays stay on it, and where that takes less time than the
// processors by estimate although arrays are copied to it; else the processors.
func rankTargets(in *Input) ([]Choice, error) {
	best, accelerator := -1, -1
	for i := range in.Codes {
		switch p := in.Codes[i].Platform; {
		case p == in.Accelerator:
			if accelerator < 0 {
				accelerator = i
			}
		case best < 0, p == Host && in.Codes[best].Platform != Host:
			best = i
		}
	}
	choice := func(i int, reason string) ([]Choice, error) {
		return []Choice{{Variant: in.Codes[i].Variant, Code: i, Reason: reason}}, nil
	}
	switch {
	case best < 0 && accelerator < 0:
		return nil, errors.New("there is no platform to choose from")
	case accelerator < 0:
		return choice(best, "there is no accelerator")
	case best < 0 || in.Copied < 0:
		return choice(accelerator, "an accelerator is taken for arrays that stay there")
	}
	form, _ := in.leastForm()
	of := in.inForm(form, in.Codes[best].Platform)
	work, threads := of.onThreads()
	host := work / threads
	device := acceleratorStart + copiedByte*in.Copied + work/acceleratorCores
	reason := fmt.Sprintf("by estimate the processors take %.2g operations, and the device what takes as long as %.2g: to copy %.2g bytes there and to compute", host, device, in.Copied)
	if host <= device {
		return choice(best, reason)
	}
	return choice(accelerator, reason)
}

// rankAlgorithms takes another algorithm than the kernel itself, the first of the codes, where estimates say that it is
// clearly faster, the fastest of several.
func rankAlgorithms(in *Input) ([]Choice, error) {
	if len(in.Codes) == 0 || len(in.Estimates) != len(in.Codes) {
		return nil, errors.New("nothing is known of what the algorithms cost")
	}
	own := in.Estimates[0]
	best, least := 0, own.Operations
	for i, e := range in.Estimates {
		if i > 0 && e.Guessed <= clearlyPart*e.Operations && clearlyLess*e.Operations <= own.Operations-own.Guessed && (best == 0 || e.Operations < least) {
			best, least = i, e.Operations
		}
	}
	choice := Choice{Variant: in.Codes[best].Variant, Code: best, Reason: "by estimate no other takes clearly fewer operations"}
	if best > 0 {
		choice.Reason = fmt.Sprintf("by estimate it takes %.3g operations, and %s %.3g", least, in.Codes[0].Form, own.Operations)
	}
	return []Choice{choice}, nil
}

const (
	// turnWork is the number of operations of a turn of a loop up to which the whole loop is one computation where that
	// takes fewer: with more, the computations of a turn are worth threads and schedules of their own.
	turnWork = workPerThread
	// startWork is how many operations take as long as to start a computation.
	startWork = 300
)

// Turn is what a turn of the loops of a kernel costs, in operations on one thread.
type Turn struct {
	Operations   float64 // by the code that is best for each computation
	Plain        float64 // by code without vectors
	Computations int
}

// AsWhole reports whether the loops of a kernel had better be one computation each, whose turns start nothing: share is
// what part vectors leave of the operations that such code takes without them. The reason is for a person.
func (t Turn) AsWhole(share float64) (yes bool, reason string) {
	own, whole := t.Operations+startWork*float64(t.Computations), t.Plain
	if share < 1 {
		whole = max(t.Operations, t.Plain*share)
	}
	if t.Operations > turnWork || whole > own {
		return false, ""
	}
	return true, fmt.Sprintf("a turn of its loops takes about %.3g operations, and starting its computations as long as %.3g", whole, own-t.Operations)
}
