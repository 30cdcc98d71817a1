package openmp

import (
	"fmt"
	"slices"

	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/policy"
	"github.com/surge-ndp/surge/schedule"
	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/selector/param"
)

// maxTeams is how many levels may be divided among threads: one, and one nested in it.
const maxTeams = 2

// Platform is the table of the platform: the processors of this machine through C with OpenMP (Surge Table IV).
var Platform = &policy.Platform{
	Name: "openmp",
	Doc:  "C with OpenMP on a multicore CPU: teams of threads, and the lanes of each core, in which the C compiler runs loops",
	Levels: []policy.Level{
		{Name: param.Team, Doc: "the threads of a team, one a core; regions may nest once"},
		{Name: param.Lane, Doc: "the elements of a vector register (omp simd)"},
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
func uses(a param.Policy, depth int, resource param.Resource) bool {
	return param.ExecutionResource.At(a, depth).Has(resource)
}

func usesTeam(a param.Policy, depth int) bool { return uses(a, depth, param.Team) }
func usesLane(a param.Policy, depth int) bool { return uses(a, depth, param.Lane) }

// levelsOn returns the depths of the levels that run on resource, outermost first.
func levelsOn(c policy.Context, resource param.Resource) []int {
	var depths []int
	for d := 1; d <= len(c.Sequence); d++ {
		if uses(c.Policy, d, resource) {
			depths = append(depths, d)
		}
	}
	return depths
}

func anyTeam(a param.Policy, _ int) bool {
	return slices.ContainsFunc(a, func(s param.Setting) bool {
		return param.ExecutionResource.Is(s) && param.ExecutionResource.Value(s).Has(param.Team)
	})
}

var parameters = []policy.Parameter{
	policy.Of(param.NumThreads, policy.Entry[int]{
		Paper: "num_threads", PerMachine: true,
		Doc:    "threads of the team, the calling one included",
		Active: anyTeam,
		Values: func(m policy.Machine, _ fuse.Sequence, _ int) []int { return selector.ThreadCounts(m.Cores) },
	}),
	policy.Of(param.EnableNesting, policy.Entry[bool]{
		Paper:  "enable_nesting",
		Doc:    "whether a loop inside one that is divided is divided too, among the threads that are left over",
		Active: anyTeam,
		Values: policy.Fixed(false, true),
	}),
	policy.Of(param.OmpSchedule, policy.Entry[param.Schedule]{
		Paper:   "omp_schedule",
		Doc:     "how chunks are handed to threads: static (by position), dynamic (on demand), guided (on demand, shrinking)",
		Applies: parallel, Active: usesTeam,
		Values: policy.Fixed(param.Static, param.Dynamic, param.Guided),
	}),
	policy.Of(param.ChunkSize, policy.Entry[int]{
		Paper:   "chunk_size",
		Doc:     "elements of the level in a chunk, for guided the fewest; 0 is automatic",
		Applies: parallel, Active: usesTeam,
		Values: func(_ policy.Machine, seq fuse.Sequence, depth int) []int { return chunkSizes(seq, depth) },
	}),
	policy.Of(param.ExecutionResource, policy.Entry[param.Resource]{
		Paper: "execution_resource", Code: true,
		Doc:     "what runs the level's elements in parallel",
		Applies: parallel,
		Values:  policy.Fixed(param.Team, param.Lane, param.Team.And(param.Lane)),
	}),
	policy.Of(param.Simdlen, policy.Entry[int]{
		Code:    true,
		Doc:     "elements that the compiler is asked to compute at once (omp simd simdlen)",
		Applies: parallel, Active: usesLane,
		Values: policy.Fixed(4, 8, 16),
	}),
	policy.Of(param.Unroll, policy.Entry[int]{
		Code:    true,
		Doc:     "elements in flight on a level without lanes: accumulators of a reduction, tables of a histogram with few bins",
		Applies: parallel,
		Active:  func(a param.Policy, depth int) bool { return !usesLane(a, depth) },
		Values: func(_ policy.Machine, seq fuse.Sequence, depth int) []int {
			if depth < len(seq) {
				return nil // around another loop it would repeat that loop's code and save nothing
			}
			return inFlight(seq[depth-1])
		},
	}),
	policy.Of(param.ScanAlgo, policy.Entry[param.Scan]{
		Code: true,
		Doc: "how chunks of a scan learn what precedes them: chained (each waits for its predecessor, the input is read " +
			"once) or two_pass (all chunks are reduced first)",
		Applies: func(level fuse.Level, e schedule.Element) bool { return e == schedule.Cooperative && hasScan(level) },
		Active:  usesTeam,
		Values:  policy.Fixed(param.Chained, param.TwoPass),
	}),
	policy.Of(param.Unroll, policy.Entry[int]{
		Paper: "enable_unroll", Code: true,
		Doc:     "elements an iteration of a sequential loop; 1 is off",
		Applies: sequential,
		Values:  func(_ policy.Machine, seq fuse.Sequence, depth int) []int { return inFlight(seq[depth-1]) },
	}),
}

// inFlight lists how many elements of a level may be in flight. Compilers unroll loops themselves; what they do not
// do is to give a reduction of floats several accumulators, or a histogram several tables.
func inFlight(level fuse.Level) []int {
	if level.Has("reduce") || level.String() == "histogram" {
		return []int{1, 4}
	}
	return []int{1}
}

func hasScan(level fuse.Level) bool { return level.Has("scan") || level.Has("inclusive_scan") }

// chunkSizes spreads chunk sizes over what a thread can finish in some ten to some hundred microseconds, the first
// being automatic. Elements of an innermost level are scalars, elements of the others rows.
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
