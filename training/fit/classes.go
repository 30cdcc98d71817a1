package fit

import (
	"math"
	"slices"

	"github.com/surge-ndp/surge/selector"
)

// Noise is the part of a time that two measurements of the same variant may differ by: variants that are that close are
// equally good, and which of them happened to be the fastest teaches nothing.
const Noise = 0.02

// Bound is the mean regret that the best choice among the classes may have on the training inputs.
const Bound = 0.01

// WorstBound is the regret that the best choice among the classes may have on any of the training inputs: what is
// rare may still be far off.
const WorstBound = 0.15

// unmeasured stands for the regret of a variant on an input that it was not measured on: it was given up as hopeless,
// or a search left it out.
const unmeasured = 4

// loss is the regret that counts for learning: none within the noise, and never infinite.
func (in *Input) loss(v int) float64 {
	r := in.Regret(v)
	switch {
	case math.IsInf(r, 1):
		return unmeasured
	case r <= Noise:
		return 0
	}
	return min(r, unmeasured)
}

// Classes returns the variants that a model chooses among, in the order in which they were found, most useful first:
// each is the one that lowers the mean regret of the best choice most, and the search ends at most classes, or when
// nothing is gained. enough is the number of them that keep the regret within [Bound] and [WorstBound], or all of
// them if none does.
func Classes(t *Table, most int) (classes []int, enough int) {
	least := make([]float64, len(t.Inputs))
	for i := range least {
		least[i] = math.Inf(1)
	}
	mean := func(v int) float64 {
		sum := 0.0
		for i := range t.Inputs {
			sum += min(least[i], t.Inputs[i].loss(v))
		}
		return sum / float64(len(t.Inputs))
	}
	before := math.Inf(1)
	for len(classes) < min(most, selector.MaxClasses) {
		best, lowest, ties := -1, math.Inf(1), 0.0
		for v := range t.Variants {
			if !t.usable(v) {
				continue
			}
			m := mean(v)
			// Of equals, the one that is best in itself: its choice by mistake costs least.
			if own := t.mean(func(in *Input) float64 { return in.loss(v) }); m < lowest-1e-12 || m <= lowest+1e-12 && own < ties {
				best, lowest, ties = v, m, own
			}
		}
		if best < 0 || lowest >= before-1e-4 {
			break
		}
		before = lowest
		classes = append(classes, best)
		for i := range least {
			least[i] = min(least[i], t.Inputs[i].loss(best))
		}
		if enough == 0 && lowest <= Bound && slices.Max(least) <= WorstBound {
			enough = len(classes)
		}
	}
	if enough == 0 {
		enough = len(classes)
	}
	return classes, enough
}

// label returns which of the classes is best for an input: an index into classes.
func (in *Input) label(classes []int) int {
	best, least := 0, math.Inf(1)
	for c, v := range classes {
		if r := in.Regret(v); r < least {
			best, least = c, r
		}
	}
	return best
}
