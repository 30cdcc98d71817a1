package selector

import (
	"slices"

	"github.com/surge-ndp/surge/selector/param"
)

// launch completes code with the launch settings that the plan wants, as far as the code's lists allow.
func (want *plan) launch(code *Code, cores int) Variant {
	settings := make(param.Policy, 0, len(code.Launch))
	threads := want.threads
	for _, l := range code.Launch {
		if !param.NumThreads.Opens(l) {
			continue
		}
		if counts := param.NumThreads.Of(l); len(counts) > 0 { // the user narrowed the list
			threads = atMost(counts, want.threads, counts[0])
		}
		settings = append(settings, param.NumThreads.With(0, threads))
	}
	inside := false
	for _, l := range code.Launch {
		if param.SharedChunk.Opens(l) {
			sizes := param.SharedChunk.Of(l)
			if most := atMost(sizes, want.shared, 0); slices.Contains(sizes, most) { // else the user narrowed the list
				settings = append(settings, param.SharedChunk.With(l.Depth(), most))
			}
		}
		if !param.OmpSchedule.Opens(l) || threads <= 1 {
			continue
		}
		value := want.schedule
		switch {
		case inside: // another region, which balances
			value = param.Static
		case param.ScanAlgo.At(code.Policy, l.Depth()) == param.Chained:
			value = param.Dynamic
		}
		inside = true
		if slices.Contains(param.OmpSchedule.Of(l), value) {
			settings = append(settings, param.OmpSchedule.With(l.Depth(), value))
		}
	}
	return code.fill(cores, settings)
}

// atMost returns the largest of the values that is not above limit, and least or more.
func atMost(values []int, limit, least int) int {
	for _, v := range values {
		if v <= limit {
			least = max(least, v)
		}
	}
	return least
}
