package openmp

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/policy"
	"github.com/surge-ndp/surge/schedule"
	"github.com/surge-ndp/surge/selector"
)

// Names of the resource levels, as values of execution_resource; a level that uses both has "team+lane".
const (
	Team = "team"
	Lane = "lane"
)

// maxTeams is how many levels may be divided among threads: one, and one nested in it.
const maxTeams = 2

// Platform is the table of the platform: the processors of this machine through C with OpenMP (Surge Table IV).
var Platform = &policy.Platform{
	Name: "openmp",
	Doc:  "C with OpenMP on a multicore CPU: teams of threads, and the lanes of each core, in which the C compiler runs loops",
	Levels: []policy.Level{
		{Name: Team, Doc: "the threads of a team, one a core; regions may nest once"},
		{Name: Lane, Doc: "the elements of a vector register (omp simd)"},
	},
	ScheduleConstraints: []schedule.Constraint{{
		Name: "parallel_levels",
		Doc:  "Every parallel level needs a resource of its own: a team, a team in each thread of another, or the lanes.",
		Reason: func(_ fuse.Sequence, s schedule.Schedule) string {
			if n := s.ParallelLevels(); n > maxTeams+1 {
				return fmt.Sprintf("%d parallel levels, and there are resources for %d: a team, teams inside it, and lanes", n, maxTeams+1)
			}
			return ""
		},
	}, schedule.OneElement},
	Parameters:  parameters,
	Constraints: constraints,
}

func parallel(_ fuse.Level, e schedule.Element) bool { return e.Parallel() }
func sequential(l fuse.Level, e schedule.Element) bool {
	return !e.Parallel() && !l.HasTrait(fuse.TraitOnce)
}

// uses reports whether the level at depth runs on resource.
func uses(a policy.Assignment, depth int, resource string) bool {
	return slices.Contains(strings.Split(a.Get("execution_resource", depth), "+"), resource)
}

func usesTeam(a policy.Assignment, depth int) bool { return uses(a, depth, Team) }
func usesLane(a policy.Assignment, depth int) bool { return uses(a, depth, Lane) }

// levelsOn returns the depths of the levels that run on resource, outermost first.
func levelsOn(c policy.Context, resource string) []int {
	var depths []int
	for d := 1; d <= len(c.Sequence); d++ {
		if uses(c.Assignment, d, resource) {
			depths = append(depths, d)
		}
	}
	return depths
}

func anyTeam(a policy.Assignment, _ int) bool {
	return slices.ContainsFunc(a, func(x policy.Assigned) bool {
		return x.Param.Name == "execution_resource" && strings.HasPrefix(x.Value, Team)
	})
}

func fixed(values ...string) func(policy.Machine, fuse.Sequence, int) []string {
	return func(policy.Machine, fuse.Sequence, int) []string { return values }
}

var parameters = []policy.Parameter{
	{
		Name: "num_threads", Paper: "num_threads", Global: true, PerMachine: true,
		Doc:    "threads of the team, the calling one included",
		Active: anyTeam,
		Values: func(m policy.Machine, _ fuse.Sequence, _ int) []string {
			var values []string
			for _, n := range selector.ThreadCounts(m.Cores) {
				values = append(values, strconv.Itoa(n))
			}
			return values
		},
	},
	{
		Name: "enable_nesting", Paper: "enable_nesting", Global: true,
		Doc:    "whether a loop inside one that is divided is divided too, among the threads that are left over",
		Active: anyTeam,
		Values: fixed("false", "true"),
	},
	{
		Name: "omp_schedule", Paper: "omp_schedule",
		Doc:     "how chunks are handed to threads: static (by position), dynamic (on demand), guided (on demand, shrinking)",
		Applies: parallel, Active: usesTeam,
		Values: fixed("static", "dynamic", "guided"),
	},
	{
		Name: "chunk_size", Paper: "chunk_size",
		Doc:     "elements of the level in a chunk, for guided the fewest; 0 is automatic",
		Applies: parallel, Active: usesTeam,
		Values: func(_ policy.Machine, seq fuse.Sequence, depth int) []string { return chunkSizes(seq, depth) },
	},
	{
		Name: "execution_resource", Paper: "execution_resource", Code: true,
		Doc:     "what runs the level's elements in parallel",
		Applies: parallel,
		Values:  fixed(Team, Lane, Team+"+"+Lane),
	},
	{
		Name: "simdlen", Code: true,
		Doc:     "elements that the compiler is asked to compute at once (omp simd simdlen)",
		Applies: parallel, Active: usesLane,
		Values: fixed("4", "8", "16"),
	},
	{
		Name: "unroll", Code: true,
		Doc:     "elements in flight on a level without lanes: accumulators of a reduction, tables of a histogram with few bins",
		Applies: parallel,
		Active:  func(a policy.Assignment, depth int) bool { return !usesLane(a, depth) },
		Values: func(_ policy.Machine, seq fuse.Sequence, depth int) []string {
			if depth < len(seq) {
				return nil // around another loop it would repeat that loop's code and save nothing
			}
			return inFlight(seq[depth-1])
		},
	},
	{
		Name: "scan_algo", Code: true,
		Doc: "how chunks of a scan learn what precedes them: chained (each waits for its predecessor, the input is read " +
			"once) or two_pass (all chunks are reduced first)",
		Applies: func(level fuse.Level, e schedule.Element) bool { return e == schedule.Cooperative && hasScan(level) },
		Active:  usesTeam,
		Values:  fixed("chained", "two_pass"),
	},
	{
		Name: "unroll", Paper: "enable_unroll", Code: true,
		Doc:     "elements an iteration of a sequential loop; 1 is off",
		Applies: sequential,
		Values:  func(_ policy.Machine, seq fuse.Sequence, depth int) []string { return inFlight(seq[depth-1]) },
	},
}

// inFlight lists how many elements of a level may be in flight. Compilers unroll loops themselves; what they do not
// do is to give a reduction of floats several accumulators, or a histogram several tables.
func inFlight(level fuse.Level) []string {
	if level.Has("reduce") || level.String() == "histogram" {
		return []string{"1", "4"}
	}
	return []string{"1"}
}

func hasScan(level fuse.Level) bool { return level.Has("scan") || level.Has("inclusive_scan") }

// chunkSizes spreads chunk sizes over what a thread can finish in some ten to some hundred microseconds, the first
// being automatic. Elements of an innermost level are scalars, elements of the others rows.
func chunkSizes(seq fuse.Sequence, depth int) []string {
	innermost := depth == len(seq)
	switch {
	case depth == 1 && innermost:
		return []string{"0", "4096", "16384", "65536"}
	case depth == 1:
		return []string{"0", "16", "64", "256", "1024"}
	case innermost:
		return []string{"0", "1024", "16384"}
	}
	return []string{"0", "16", "256"}
}

// constraints prune what cannot run here and what only repeats another point.
var constraints = []policy.Constraint{
	{
		Name: "lanes_inside", Code: true,
		Doc: "Resources go from the outside in: a team may not be inside lanes, and only one level has the lanes.",
		Reason: func(c policy.Context) string {
			lanes := levelsOn(c, Lane)
			if len(lanes) > 1 {
				return "two levels on lanes: what runs in a lane has no lanes of its own"
			}
			if len(lanes) == 0 {
				return ""
			}
			for d := lanes[0] + 1; d <= len(c.Sequence); d++ {
				if usesTeam(c.Assignment, d) {
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
			if n := len(levelsOn(c, Team)); n > maxTeams {
				return fmt.Sprintf("%d levels on a team, and regions nest once", n)
			}
			return ""
		},
	},
	{
		Name: "simdlen", Code: true,
		Doc: "The elements that are computed at once fill a vector register, and not more than two of the largest.",
		Reason: func(c policy.Context) string {
			for _, d := range levelsOn(c, Lane) {
				n, _ := strconv.Atoi(c.Assignment.Get("simdlen", d))
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
				if u := c.Assignment.Get("unroll", d); u != "" && u != "1" {
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
			if lanes := levelsOn(c, Lane); len(lanes) > 0 {
				for d := lanes[0] + 1; d <= len(c.Sequence); d++ {
					if u := c.Assignment.Get("unroll", d); u != "" && u != "1" {
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
			nests, enabled := len(levelsOn(c, Team)) > 1, c.Assignment.Get("enable_nesting", 0)
			switch {
			case nests && enabled == "false":
				return "two levels on a team without nesting: the inner one would run on one thread, as a sequential level does"
			case !nests && enabled == "true":
				return "nesting without a second level on a team: the same program as without"
			}
			return ""
		},
	},
	{
		Name: "one_thread",
		Doc:  "With one thread all ways to divide the work are the same program, and static stands for them.",
		Reason: func(c policy.Context) string {
			if c.Assignment.Get("num_threads", 0) != "1" {
				return ""
			}
			if len(levelsOn(c, Team)) > 1 {
				return "one thread with nested regions: the same program as with one region"
			}
			for _, d := range levelsOn(c, Team) {
				if c.Assignment.Get("omp_schedule", d) != "static" || c.Assignment.Get("chunk_size", d) != "0" {
					return "one thread: the same program as static with automatic chunks"
				}
				if c.Assignment.Get("scan_algo", d) == "two_pass" {
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
			if n, err := strconv.Atoi(c.Assignment.Get("num_threads", 0)); err == nil && n > max(c.Machine.Cores, 1) {
				return fmt.Sprintf("more threads than the %d cores of this machine", c.Machine.Cores)
			}
			return ""
		},
	},
	{
		Name: "chained_order",
		Doc:  "The chunks of a chained scan are begun in order, so that it is never divided by position.",
		Reason: func(c policy.Context) string {
			if c.Assignment.Get("num_threads", 0) == "1" {
				return ""
			}
			for _, d := range levelsOn(c, Team) {
				if c.Assignment.Get("scan_algo", d) == "chained" && c.Assignment.Get("omp_schedule", d) == "static" {
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
			for _, d := range levelsOn(c, Team) {
				if c.Assignment.Get("omp_schedule", d) == "static" && c.Assignment.Get("chunk_size", d) == "0" {
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
			teams := levelsOn(c, Team)
			if len(teams) < 2 {
				return ""
			}
			if c.Assignment.Get("omp_schedule", teams[1]) != "static" {
				return "an inner region that is not static: the outer one balances"
			}
			for _, d := range teams {
				if c.Assignment.Get("chunk_size", d) != "0" {
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
			for _, d := range levelsOn(c, Team) {
				sizes := chunkSizes(c.Sequence, d)
				switch chunk := c.Assignment.Get("chunk_size", d); {
				case chunk == "0":
				case c.Assignment.Get("omp_schedule", d) == "static" && chunk != sizes[len(sizes)-1]:
					return "a static schedule with small chunks: it differs little from a dynamic one and does not balance"
				case c.Assignment.Get("omp_schedule", d) == "guided" && chunk != sizes[1]:
					return "a guided schedule with a large smallest chunk: it differs little from a dynamic one"
				}
			}
			return ""
		},
	},
}
