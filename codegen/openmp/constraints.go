package openmp

import (
	"github.com/surge-ndp/surge/policy"
	"github.com/surge-ndp/surge/policy/threads"
	"github.com/surge-ndp/surge/selector/param"
)

// constraints prune what cannot run here and what only repeats another point.
var constraints = append([]policy.Constraint{
	team.LanesInside(),
	team.Regions(),
	team.ByElements(),
	{
		Name: "simdlen", Code: true,
		Doc: "The elements that are computed at once fill a vector register, and not more than two of the largest.",
		Reason: func(c policy.Context) string {
			for _, d := range threads.LevelsOn(c, param.Lane) {
				n := param.Simdlen.At(c.Policy, d)
				switch bytes := n * max(policy.ElementBytes(c.Sequence, d), 1); {
				case bytes < 16:
					return "fewer elements than the smallest vector register holds"
				case bytes > 64:
					return "more elements than the largest vector register holds"
				}
			}
			return ""
		},
	},
	{
		Name: "unroll_innermost", Code: true,
		Doc: "Only the innermost level is unrolled: around another loop it would repeat that loop's code and save nothing.",
		Reason: func(c policy.Context) string {
			for d := 1; d < len(c.Sequence); d++ {
				if param.Unroll.At(c.Policy, d) > 1 {
					return "an outer level is unrolled: the loops inside it would be repeated and save nothing"
				}
			}
			return ""
		},
	},
	threads.UnrollInLanes("the lanes are what is in flight"),
	team.Tables(),
	team.Strips(),
}, team.Launches()...)
