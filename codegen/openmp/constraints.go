package openmp

import (
	"fmt"
	"slices"

	"github.com/surge-ndp/surge/policy"
	"github.com/surge-ndp/surge/selector/param"
)

// constraints prune what cannot run here and what only repeats another point.
var constraints = []policy.Constraint{
	{
		Name: "lanes_inside", Code: true,
		Doc: "Resources go from the outside in: a team may not be inside lanes, and only one level has the lanes.",
		Reason: func(c policy.Context) string {
			lanes := levelsOn(c, param.Lane)
			if len(lanes) > 1 {
				return "two levels on lanes: what runs in a lane has no lanes of its own"
			}
			if len(lanes) == 0 {
				return ""
			}
			for d := lanes[0] + 1; d <= len(c.Sequence); d++ {
				if usesTeam(c.Policy, d) {
					return "a level on a team inside one on lanes: a lane cannot start threads"
				}
			}
			return ""
		},
	},
	{
		Name: "team_levels", Code: true,
		Doc: "Regions nest once.",
		Reason: func(c policy.Context) string {
			if n := len(levelsOn(c, param.Team)); n > maxTeams {
				return fmt.Sprintf("%d levels on a team, and regions nest once", n)
			}
			return ""
		},
	},
	{
		Name: "simdlen", Code: true,
		Doc: "The elements that are computed at once fill a vector register, and not more than two of the largest.",
		Reason: func(c policy.Context) string {
			for _, d := range levelsOn(c, param.Lane) {
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
	{
		Name: "unroll_in_lanes", Code: true,
		Doc: "A sequential loop inside lanes is not unrolled: the lanes are what is in flight.",
		Reason: func(c policy.Context) string {
			if lanes := levelsOn(c, param.Lane); len(lanes) > 0 {
				for d := lanes[0] + 1; d <= len(c.Sequence); d++ {
					if param.Unroll.At(c.Policy, d) > 1 {
						return "a sequential loop inside lanes is unrolled: the lanes are what is in flight"
					}
				}
			}
			return ""
		},
	},
	{
		Name: "nesting",
		Doc:  "enable_nesting is true exactly when two levels use a team; otherwise it is the same program.",
		Reason: func(c policy.Context) string {
			nests := len(levelsOn(c, param.Team)) > 1
			enabled, given := param.EnableNesting.Get(c.Policy, 0)
			switch {
			case given && nests && !enabled:
				return "two levels on a team without nesting: the inner one would run on one thread, as a sequential level does"
			case given && !nests && enabled:
				return "nesting without a second level on a team: the same program as without"
			}
			return ""
		},
	},
	{
		Name: "one_thread",
		Doc:  "With one thread all ways to divide the work are the same program, and static stands for them.",
		Reason: func(c policy.Context) string {
			if param.NumThreads.At(c.Policy, 0) != 1 {
				return ""
			}
			if len(levelsOn(c, param.Team)) > 1 {
				return "one thread with nested regions: the same program as with one region"
			}
			for _, d := range levelsOn(c, param.Team) {
				if param.OmpSchedule.At(c.Policy, d) != param.Static || param.ChunkSize.At(c.Policy, d) != 0 {
					return "one thread: the same program as static with automatic chunks"
				}
				if param.ScanAlgo.At(c.Policy, d) == param.TwoPass {
					return "one thread: a two-pass scan would read its input twice for nothing"
				}
			}
			return ""
		},
	},
	{
		Name: "threads",
		Doc:  "No more threads than cores.",
		Reason: func(c policy.Context) string {
			if param.NumThreads.At(c.Policy, 0) > max(c.Machine.Cores, 1) {
				return fmt.Sprintf("more threads than the %d cores of this machine", c.Machine.Cores)
			}
			return ""
		},
	},
	{
		Name: "chained_order",
		Doc:  "The chunks of a chained scan are begun in order, so that it is never divided by position.",
		Reason: func(c policy.Context) string {
			if param.NumThreads.At(c.Policy, 0) == 1 {
				return ""
			}
			for _, d := range levelsOn(c, param.Team) {
				if param.ScanAlgo.At(c.Policy, d) == param.Chained && param.OmpSchedule.At(c.Policy, d) == param.Static {
					return "a chained scan with a static schedule: threads would wait for chunks that nobody has begun"
				}
			}
			return ""
		},
	},
	{
		Name: "even_bins",
		Doc: "A histogram and a sort on a team are divided evenly, one part a thread, as each part has memory of its own: static " +
			"with automatic chunks stands for all ways to divide them.",
		Reason: func(c policy.Context) string {
			for _, d := range levelsOn(c, param.Team) {
				if param.OmpSchedule.At(c.Policy, d) == param.Static && param.ChunkSize.At(c.Policy, d) == 0 {
					continue
				}
				if ops := c.Sequence[d-1].Ops; !slices.ContainsFunc(ops, func(op string) bool { return op != "histogram" && op != "sort_by_key" }) {
					return "a histogram or a sort is divided evenly, one part a thread: the same program as static with automatic chunks"
				}
			}
			return ""
		},
	},
	{
		Name: "nested_even",
		Doc:  "Of two nested regions the inner one is divided evenly and both choose their chunks themselves: the outer one balances.",
		Reason: func(c policy.Context) string {
			teams := levelsOn(c, param.Team)
			if len(teams) < 2 {
				return ""
			}
			if param.OmpSchedule.At(c.Policy, teams[1]) != param.Static {
				return "an inner region that is not static: the outer one balances"
			}
			for _, d := range teams {
				if param.ChunkSize.At(c.Policy, d) != 0 {
					return "nested regions with a chunk size: both choose their chunks themselves"
				}
			}
			return ""
		},
	},
	{
		Name: "chunk_choice",
		Doc: "Static is tried with automatic chunks and with the largest, guided with automatic chunks and with the smallest: " +
			"others differ little from a dynamic schedule.",
		Reason: func(c policy.Context) string {
			for _, d := range levelsOn(c, param.Team) {
				sizes := chunkSizes(c.Sequence, d)
				switch chunk := param.ChunkSize.At(c.Policy, d); {
				case chunk == 0:
				case param.OmpSchedule.At(c.Policy, d) == param.Static && chunk != sizes[len(sizes)-1]:
					return "a static schedule with small chunks: it differs little from a dynamic one and does not balance"
				case param.OmpSchedule.At(c.Policy, d) == param.Guided && chunk != sizes[1]:
					return "a guided schedule with a large smallest chunk: it differs little from a dynamic one"
				}
			}
			return ""
		},
	},
}
