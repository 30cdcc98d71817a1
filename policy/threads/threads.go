package threads

import (
	"fmt"
	"slices"

	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/policy"
	"github.com/surge-ndp/surge/schedule"
	"github.com/surge-ndp/surge/selector/param"
)

// Of is what a platform's threads are.
type Of struct {
	Resource param.Resource // what a level runs on that is divided among them
	The      string         // that resource in texts: "the pool"
	One      string         // one of the threads: "worker"
}

// regions is how many levels may be divided among threads: one, and one nested in it.
const regions = 2

// Parallel reports whether a level's elements run in parallel.
func Parallel(_ fuse.Level, e schedule.Element) bool { return e.Parallel() }

// Sequential reports whether a level is a loop whose turns follow each other.
func Sequential(l fuse.Level, e schedule.Element) bool {
	return !e.Parallel() && !l.HasTrait(fuse.TraitOnce)
}

// Scans reports whether a level is a scan whose parts run in parallel.
func Scans(level fuse.Level, e schedule.Element) bool {
	return e == schedule.Cooperative && (level.Has("scan") || level.Has("inclusive_scan"))
}

// UsesLane reports whether the level at depth runs on lanes.
func UsesLane(a param.Policy, depth int) bool { return uses(a, depth, param.Lane) }

func uses(a param.Policy, depth int, resource param.Resource) bool {
	return param.ExecutionResource.At(a, depth).Has(resource)
}

// Uses reports whether the level at depth is divided among threads.
func (t Of) Uses(a param.Policy, depth int) bool { return uses(a, depth, t.Resource) }

// Any reports whether any level is divided among threads.
func (t Of) Any(a param.Policy, _ int) bool {
	return slices.ContainsFunc(a, func(s param.Setting) bool {
		return param.ExecutionResource.Is(s) && param.ExecutionResource.Value(s).Has(t.Resource)
	})
}

// LevelsOn returns the depths of the levels that run on resource, outermost first.
func LevelsOn(c policy.Context, resource param.Resource) []int {
	var depths []int
	for d := 1; d <= len(c.Sequence); d++ {
		if uses(c.Policy, d, resource) {
			depths = append(depths, d)
		}
	}
	return depths
}

// levels returns the depths of the levels that are divided among threads, outermost first.
func (t Of) levels(c policy.Context) []int { return LevelsOn(c, t.Resource) }

// Schedules are the constraints on schedules.
func (t Of) Schedules(resources string) []schedule.Constraint {
	return []schedule.Constraint{{
		Name: "parallel_levels",
		Doc:  "Every parallel level needs a resource of its own: " + resources + ".",
		Reason: func(_ fuse.Sequence, s schedule.Schedule) string {
			if n := s.ParallelLevels(); n > regions+1 {
				return fmt.Sprintf("%d parallel levels, and there are resources for %d: %s", n, regions+1, resources)
			}
			return ""
		},
	}, schedule.OneElement}
}

// chunkSizes spreads chunk sizes over what a thread can finish in some ten to some hundred microseconds, the first
// being automatic. Elements of an innermost level are scalars, elements of the others rows. Deeper levels are short
// and get fewer values.
func chunkSizes(seq fuse.Sequence, depth int) []int {
	innermost := depth == len(seq)
	switch {
	case depth == 1 && innermost:
		return []int{0, 4096, 16384, 65536}
	case depth == 1:
		return []int{0, 16, 64, 256, 1024}
	case innermost:
		return []int{0, 1024, 16384}
	}
	return []int{0, 16, 256}
}
