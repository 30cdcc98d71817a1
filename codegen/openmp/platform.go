package openmp

import (
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/policy"
	"github.com/surge-ndp/surge/policy/threads"
	"github.com/surge-ndp/surge/selector/param"
)

// team is what threads are to what platforms of processors share.
var team = threads.Of{Resource: param.Team, The: "a team", One: "thread"}

// Platform is the table of the platform: the processors of this machine through C with OpenMP (Surge Table IV).
var Platform = &policy.Platform{
	Name: "openmp",
	Doc:  "C with OpenMP on a multicore CPU: teams of threads, and the lanes of each core, in which the C compiler runs loops",
	Levels: []policy.Level{
		{Name: param.Team, Doc: "the threads of a team, one a core; regions may nest once"},
		{Name: param.Lane, Doc: "the elements of a vector register (omp simd)"},
	},
	ScheduleConstraints: team.Schedules("a team, teams inside it, and lanes"),
	Parameters:          parameters,
	Constraints:         constraints,
}

var parameters = append(team.Division(),
	team.Resources(),
	policy.Of(param.Simdlen, policy.Entry[int]{
		Code:    true,
		Doc:     "elements that the compiler is asked to compute at once (omp simd simdlen)",
		Applies: threads.Parallel, Active: threads.UsesLane,
		Values: policy.Fixed(4, 8, 16),
	}),
	policy.Of(param.Unroll, policy.Entry[int]{
		Code:    true,
		Doc:     "elements in flight on a level without lanes: accumulators of a reduction, tables of a histogram with few bins",
		Applies: threads.Parallel,
		Active:  func(a param.Policy, depth int) bool { return !threads.UsesLane(a, depth) },
		Values: func(_ policy.Machine, seq fuse.Sequence, depth int) []int {
			if depth < len(seq) {
				return nil // around another loop it would repeat that loop's code and save nothing
			}
			return inFlight(seq[depth-1])
		},
	}),
	team.ScanAlgo(),
	team.HistAlgo(),
	threads.SequentialUnroll(inFlight),
)

// inFlight lists how many elements of a level may be in flight. Compilers unroll loops themselves; what they do not
// do is to give a reduction of floats several accumulators, or a histogram several tables.
func inFlight(level fuse.Level) []int {
	if level.Has("reduce") || level.String() == "histogram" {
		return []int{1, 4}
	}
	return []int{1}
}
