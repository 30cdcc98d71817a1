package threads

import (
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/policy"
	"github.com/surge-ndp/surge/schedule"
	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/selector/param"
)

// Division is how levels are divided among threads: the parameters of OpenMP in Surge Table IV.
func (t Of) Division() []policy.Parameter {
	return []policy.Parameter{
		policy.Of(param.NumThreads, policy.Entry[int]{
			Paper: "num_threads", PerMachine: true,
			Doc:    t.One + "s that take part, the caller included",
			Active: t.Any,
			Values: func(m policy.Machine, _ fuse.Sequence, _ int) []int { return selector.ThreadCounts(m.Cores) },
		}),
		policy.Of(param.EnableNesting, policy.Entry[bool]{
			Paper:  "enable_nesting",
			Doc:    "whether a region inside a region is also divided among " + t.One + "s",
			Active: t.Any,
			Values: policy.Fixed(false, true),
		}),
		policy.Of(param.OmpSchedule, policy.Entry[param.Schedule]{
			Paper:   "omp_schedule",
			Doc:     "how chunks are handed to " + t.One + "s: static (by position), dynamic (on demand), guided (on demand, shrinking)",
			Applies: Parallel, Active: t.Uses,
			Values: policy.Fixed(param.Static, param.Dynamic, param.Guided),
		}),
		policy.Of(param.ChunkSize, policy.Entry[int]{
			Paper:   "chunk_size",
			Doc:     "elements of the level in a chunk, for guided the fewest; 0 is automatic",
			Applies: Parallel, Active: t.Uses,
			Values: func(_ policy.Machine, seq fuse.Sequence, depth int) []int { return chunkSizes(seq, depth) },
		}),
	}
}

// Resources is what runs the elements of a level in parallel.
func (t Of) Resources() policy.Parameter {
	return policy.Of(param.ExecutionResource, policy.Entry[param.Resource]{
		Paper: "execution_resource", Code: true,
		Doc:     "what runs the level's elements in parallel",
		Applies: Parallel,
		Values:  policy.Fixed(t.Resource, param.Lane, t.Resource.And(param.Lane)),
	})
}

// ScanAlgo is how the chunks of a scan fit together.
func (t Of) ScanAlgo() policy.Parameter {
	return policy.Of(param.ScanAlgo, policy.Entry[param.Scan]{
		Code: true,
		Doc: "how chunks of a scan learn what precedes them: chained (each waits for its predecessor, the input is read " +
			"once) or two_pass (all chunks are reduced first)",
		Applies: Scans,
		Active:  t.Uses,
		Values:  policy.Fixed(param.Chained, param.TwoPass),
	})
}

// HistAlgo is how threads share bins.
func (t Of) HistAlgo() policy.Parameter {
	return policy.Of(param.HistAlgo, policy.Entry[param.Hist]{
		Code: true,
		Doc: "how " + t.One + "s share bins: private (each has its own, and all are combined) or sorted (elements are sorted by " +
			"ranges of bins first, of which each " + t.One + " then has some)",
		Applies: func(level fuse.Level, e schedule.Element) bool { return level.HasTrait(fuse.TraitBins) && e.Parallel() },
		Active:  t.Uses,
		Values:  policy.Fixed(param.Private, param.Sorted),
	})
}

// SequentialUnroll is the paper's enable_unroll: what inFlight says of the level's elements, where 1 is off.
func SequentialUnroll(inFlight func(fuse.Level) []int) policy.Parameter {
	return policy.Of(param.Unroll, policy.Entry[int]{
		Paper: "enable_unroll", Code: true,
		Doc:     "elements an iteration of a sequential loop; 1 is off",
		Applies: Sequential,
		Values:  func(_ policy.Machine, seq fuse.Sequence, depth int) []int { return inFlight(seq[depth-1]) },
	})
}
