package goroutine

import (
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/policy"
	"github.com/surge-ndp/surge/policy/threads"
	"github.com/surge-ndp/surge/schedule"
	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/selector/param"
)

// pool is what the workers are to what platforms of processors share.
var pool = threads.Of{Resource: param.Pool, The: "the pool", One: "worker"}

// Platform is the table of the goroutine platform: multicore CPUs through a pool of workers and SIMD lanes. It stands
// where the paper has OpenMP, whose parameters it keeps (Surge Table IV).
var Platform = &policy.Platform{
	Name: selector.Host,
	Doc:  "Go on a multicore CPU: a pool of worker goroutines, and the SIMD lanes of each core",
	Levels: []policy.Level{
		{Name: param.Pool, Doc: "workers that live as long as the process, one a core; regions may nest once"},
		{Name: param.Lane, Doc: "the elements of a vector register"},
	},
	ScheduleConstraints: pool.Schedules("the pool, a nested region of the pool, or the lanes"),
	Parameters:          parameters,
	Constraints:         constraints,
}

// usesVectors reports whether the level at depth holds its elements in vectors of generated code: it runs on lanes, and
// not through the routine for whole rows.
func usesVectors(a param.Policy, depth int) bool {
	return threads.UsesLane(a, depth) && param.GatherAlgo.At(a, depth) != param.Row
}

// parameters is Surge Table IV's OpenMP half and what SIMD adds to it. The paper's enable_unroll is our unroll of a
// sequential level: 1 is off.
var parameters = append(pool.Division(),
	policy.Of(param.SharedChunk, policy.Entry[int]{
		Doc: "elements in a chunk that is taken right after the computation before has done the same ones, while what both read lies " +
			"in a cache; 0 is off, and as good as off where the two differ in threads",
		Applies: func(l fuse.Level, e schedule.Element) bool {
			return e.Parallel() && l.HasTrait(fuse.TraitFollows) && !l.HasTrait(fuse.TraitByElements)
		},
		Active: pool.Uses,
		Values: func(_ policy.Machine, seq fuse.Sequence, depth int) []int {
			if depth == len(seq) {
				return []int{0, 16384} // elements are scalars
			}
			return []int{0, 256, 1024}
		},
	}),
	pool.Resources(),
	policy.Of(param.GatherAlgo, policy.Entry[param.Gather]{
		Code: true,
		Doc: "how a sum of products with gathered elements runs on lanes: strip (elements are gathered a strip at a time, and " +
			"multiplied in vectors) or row (one routine for the whole row)",
		Applies: func(level fuse.Level, e schedule.Element) bool {
			return e.Parallel() && level.HasTrait(fuse.TraitDotGather)
		},
		Active: threads.UsesLane,
		Values: policy.Fixed(param.Strip, param.Row),
	}),
	policy.Of(param.VectorWidth, policy.Entry[int]{
		Code:    true,
		Doc:     "elements in a vector",
		Applies: threads.Parallel, Active: usesVectors,
		Values: policy.Fixed(4, 8, 16),
	}),
	policy.Of(param.Unroll, policy.Entry[int]{
		Code: true,
		Doc: "vectors in flight (elements, on a level without lanes): accumulators of a reduction, parts of a map, tables of a " +
			"histogram with few bins",
		Applies: func(l fuse.Level, e schedule.Element) bool { return e.Parallel() && !l.HasTrait(fuse.TraitColumns) },
		Active:  func(a param.Policy, depth int) bool { return !threads.UsesLane(a, depth) || usesVectors(a, depth) },
		Values: func(_ policy.Machine, seq fuse.Sequence, depth int) []int {
			if depth > 1 && reduceTileable(seq, depth-1) {
				if seq[depth].HasTrait(fuse.TraitStrided) {
					return []int{1, 2, columnVectors}
				}
				return []int{1, 2}
			}
			if depth < len(seq) {
				return nil // around another loop it would repeat that loop's code and save nothing
			}
			return inFlight(seq[depth-1])
		},
	}),
	policy.Of(param.Unroll, policy.Entry[int]{
		Code:    true,
		Doc:     "vectors in flight whose elements each read a column of rows, in one loop over the rows",
		Applies: func(l fuse.Level, e schedule.Element) bool { return e.Parallel() && l.HasTrait(fuse.TraitColumns) },
		Active:  usesVectors,
		Values: func(_ policy.Machine, seq fuse.Sequence, depth int) []int {
			if !holdsColumns(seq, depth) {
				return nil
			}
			return []int{1, columnVectors}
		},
	}),
	policy.Of(param.Tile, policy.Entry[int]{
		Code: true,
		Doc: "rows that are computed together, so that what they share is loaded once (a register tile, with the vectors in flight " +
			"of the level inside); 1 is off",
		Applies: holdsTile,
		Active:  func(a param.Policy, depth int) bool { return depth == 1 || insideLanes(a, depth) },
		Values: func(_ policy.Machine, seq fuse.Sequence, depth int) []int {
			if !tileable(seq, depth) && !insideTileable(seq, depth) {
				return nil
			}
			return []int{1, 2, 4, 8}
		},
	}),
	policy.Of(param.TileAlgo, policy.Entry[param.TileSum]{
		Code: true,
		Doc: "how a register tile adds up products: loop (printed), or routine (one for the whole tile, with more registers than " +
			"the Go compiler uses)",
		Applies: holdsTile,
		Active: func(a param.Policy, depth int) bool {
			return tiled(a, depth) && !usesVectors(a, depth)
		},
		Values: func(_ policy.Machine, seq fuse.Sequence, depth int) []param.TileSum {
			if !tileable(seq, depth) && !insideTileable(seq, depth) || !seq[len(seq)-1].HasTrait(fuse.TraitProducts) {
				return nil
			}
			return []param.TileSum{param.Loop, param.Routine}
		},
	}),
	pool.ScanAlgo(),
	pool.HistAlgo(),
	policy.Of(param.StoreAlgo, policy.Entry[param.Store]{
		Code: true,
		Doc: "how a scan on lanes writes: cached, or stream (past the caches, which saves reading what is overwritten where the " +
			"result does not fit into them)",
		Applies: threads.Scans,
		Active:  threads.UsesLane,
		Values:  policy.Fixed(param.Cached, param.Stream),
	}),
	threads.SequentialUnroll(inFlight),
)

// inFlight lists how many vectors, or elements, of a level may be in flight.
func inFlight(level fuse.Level) []int {
	if level.String() == "histogram" {
		return []int{1, 4} // two at a time differ little from one
	}
	return []int{1, 2, 4}
}

// tileable reports whether the level at depth may be computed in register tiles: it holds a Map around reductions, or
// around loops of as many turns for all elements, which read the same.
func tileable(seq fuse.Sequence, depth int) bool {
	return reduceTileable(seq, depth) ||
		depth+1 == len(seq) && seq[depth-1].String() == "map" && seq[depth].String() == "map" && seq[depth].HasTrait(fuse.TraitTurns)
}

func reduceTileable(seq fuse.Sequence, depth int) bool {
	return depth+2 == len(seq) && seq[depth-1].String() == "map" && seq[depth].Has("map") && seq[depth+1].String() == "reduce"
}

// holdsColumns reports whether the elements of the level at depth each read a column of rows. With several vectors of
// them in one loop over the rows, more of a cache line, and of a page, is used when it is there.
func holdsColumns(seq fuse.Sequence, depth int) bool {
	return depth+1 >= len(seq) && seq[depth-1].HasTrait(fuse.TraitColumns)
}

// columnVectors is how many vectors of columns are reduced in one loop over the rows.
const columnVectors = 4

// readsColumns reports whether elements of the level at depth read columns, or are the inner ones of such a nest that
// could be tiled.
func readsColumns(seq fuse.Sequence, depth int) bool {
	return holdsColumns(seq, depth) || insideTileable(seq, depth) && seq[depth].HasTrait(fuse.TraitStrided)
}

// insideTileable reports whether the level at depth is the one inside a level whose rows of reductions may be computed
// in register tiles.
func insideTileable(seq fuse.Sequence, depth int) bool {
	return depth > 1 && depth < len(seq) && reduceTileable(seq, depth-1)
}

// holdsTile reports whether elements of the level may be computed together: it is a Map, or holds one and runs in
// sequence.
func holdsTile(level fuse.Level, e schedule.Element) bool {
	return level.String() == "map" || level.Has("map") && e == schedule.Sequential
}

// insideLanes reports whether a level around the one at depth runs on lanes.
func insideLanes(a param.Policy, depth int) bool {
	for d := 1; d < depth; d++ {
		if usesVectors(a, d) {
			return true
		}
	}
	return false
}

func tiled(a param.Policy, depth int) bool {
	return param.Tile.At(a, depth) > 1
}
