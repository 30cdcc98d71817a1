package threads

import (
	"fmt"
	"slices"

	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/policy"
	"github.com/surge-ndp/surge/selector/param"
)

// LanesInside keeps threads out of lanes.
func (t Of) LanesInside() policy.Constraint {
	return policy.Constraint{
		Name: "lanes_inside", Code: true,
		Doc: "Resources go from the outside in: " + t.The + " may not be inside lanes, and only one level has the lanes.",
		Reason: func(c policy.Context) string {
			lanes := LevelsOn(c, param.Lane)
			if len(lanes) > 1 {
				return "two levels on lanes: a vector's elements have no lanes of their own"
			}
			if len(lanes) == 0 {
				return ""
			}
			for d := lanes[0] + 1; d <= len(c.Sequence); d++ {
				if t.Uses(c.Policy, d) {
					return "a level on " + t.The + " inside one on lanes: a lane cannot start a region"
				}
			}
			return ""
		},
	}
}

// Regions bounds how deep regions nest.
func (t Of) Regions() policy.Constraint {
	return policy.Constraint{
		Name: string(t.Resource) + "_levels", Code: true,
		Doc: "Regions nest once.",
		Reason: func(c policy.Context) string {
			if n := len(t.levels(c)); n > regions {
				return fmt.Sprintf("%d levels on %s, and regions nest once", n, t.The)
			}
			return ""
		},
	}
}

// ByElements keeps rows that are shared by elements to threads.
func (t Of) ByElements() policy.Constraint {
	return policy.Constraint{
		Name: "by_elements", Code: true,
		Doc: "Rows are shared by elements among threads, in the form flat.",
		Reason: func(c policy.Context) string {
			if byElements(c) && !t.Uses(c.Policy, 1) {
				return "rows that are shared by elements, without " + t.The + ": the same program as the nest"
			}
			return ""
		},
	}
}

// byElements reports whether threads share the elements of rows.
func byElements(c policy.Context) bool {
	return len(c.Sequence) > 0 && c.Sequence[0].HasTrait(fuse.TraitByElements)
}

// Tables keeps several tables to private bins, and to elements without lanes.
func (t Of) Tables() policy.Constraint {
	return policy.Constraint{
		Name: "tables", Code: true,
		Doc: "Elements that are sorted by their bins have one table: there are many bins. So have those of lanes, which wait for each other.",
		Reason: func(c policy.Context) string {
			for d, level := range c.Sequence {
				switch {
				case param.Unroll.Or(c.Policy, d+1, 1) == 1:
				case param.HistAlgo.At(c.Policy, d+1) == param.Sorted:
					return "several tables of bins that elements are sorted by: they are for few bins"
				case UsesLane(c.Policy, d+1) && level.HasTrait(fuse.TraitBins):
					return "several tables of bins for elements on lanes, which go to their bins one after the other"
				}
			}
			return ""
		},
	}
}

// Strips keeps threads out of strips.
func (t Of) Strips() policy.Constraint {
	return policy.Constraint{
		Name: "strips", Code: true,
		Doc: "The elements of a strip of a loop's turns are one thread's: others would take longer to wake.",
		Reason: func(c policy.Context) string {
			for d, level := range c.Sequence {
				if level.HasTrait(fuse.TraitStrip) && t.Uses(c.Policy, d+1) {
					return "a strip of a loop's turns on " + t.The + ": the others would take longer to wake"
				}
			}
			return ""
		},
	}
}

// UnrollInLanes keeps sequential loops inside lanes as they are, for the reason why.
func UnrollInLanes(why string) policy.Constraint {
	return policy.Constraint{
		Name: "unroll_in_lanes", Code: true,
		Doc: "A sequential loop inside lanes is not unrolled: " + why + ".",
		Reason: func(c policy.Context) string {
			if lanes := LevelsOn(c, param.Lane); len(lanes) > 0 {
				for d := lanes[0] + 1; d <= len(c.Sequence); d++ {
					if param.Unroll.Or(c.Policy, d, 1) > 1 {
						return "a sequential loop inside lanes is unrolled: " + why
					}
				}
			}
			return ""
		},
	}
}

// Launches are the constraints on how levels are divided: what they prune only repeats another point.
func (t Of) Launches() []policy.Constraint {
	return []policy.Constraint{
		{
			Name: "nesting",
			Doc:  "enable_nesting is true exactly when two levels use " + t.The + "; otherwise it is the same program.",
			Reason: func(c policy.Context) string {
				nests := len(t.levels(c)) > 1
				enabled, given := param.EnableNesting.Get(c.Policy, 0)
				switch {
				case given && nests && !enabled:
					return fmt.Sprintf("two levels on %s without nesting: the inner one would run on one %s, as a sequential level does", t.The, t.One)
				case given && !nests && enabled:
					return "nesting without a second level on " + t.The + ": the same program as without"
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
				if len(t.levels(c)) > 1 {
					return "one thread with nested regions: the same program as with one region"
				}
				if byElements(c) {
					return "one thread and rows that are shared by elements: the same program as the nest"
				}
				for _, d := range t.levels(c) {
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
			Name: "even_elements",
			Doc: "Rows that are shared by elements have their own chunks, which are handed out on demand: static with automatic chunks " +
				"stands for all ways to divide them.",
			Reason: func(c policy.Context) string {
				if byElements(c) && (param.OmpSchedule.At(c.Policy, 1) != param.Static || param.ChunkSize.At(c.Policy, 1) != 0) {
					return "rows that are shared by elements have chunks of their own: the same program as static with automatic chunks"
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
			Doc:  "A chained scan hands its chunks out in order, which static does not.",
			Reason: func(c policy.Context) string {
				if param.NumThreads.At(c.Policy, 0) == 1 {
					return ""
				}
				for _, d := range t.levels(c) {
					if param.ScanAlgo.At(c.Policy, d) == param.Chained && param.OmpSchedule.At(c.Policy, d) == param.Static {
						return "a chained scan with a static schedule: " + t.One + "s would wait for chunks that nobody has begun"
					}
				}
				return ""
			},
		},
		{
			Name: "even_bins",
			Doc: "A histogram and a sort on " + t.The + " are divided evenly, one part a thread, as each part has memory of its own: static " +
				"with automatic chunks stands for all ways to divide them.",
			Reason: func(c policy.Context) string {
				for _, d := range t.levels(c) {
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
				levels := t.levels(c)
				if len(levels) < 2 {
					return ""
				}
				if param.OmpSchedule.At(c.Policy, levels[1]) != param.Static {
					return "an inner region that is not static: the outer one balances"
				}
				for _, d := range levels {
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
				for _, d := range t.levels(c) {
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
}
