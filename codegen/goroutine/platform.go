package goroutine

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

// Names of the resource levels, as values of execution_resource; a level that uses both has "pool+lane".
const (
	Pool = "pool"
	Lane = "lane"
)

// maxPools is how many levels may use the pool: one, and one nested in it.
const maxPools = 2

// Platform is the table of the goroutine platform: multicore CPUs through a pool of workers and SIMD lanes. It stands
// where the paper has OpenMP, whose parameters it keeps (Surge Table IV).
var Platform = &policy.Platform{
	Name: selector.Host,
	Doc:  "Go on a multicore CPU: a pool of worker goroutines, and the SIMD lanes of each core",
	Levels: []policy.Level{
		{Name: Pool, Doc: "workers that live as long as the process, one a core; regions may nest once"},
		{Name: Lane, Doc: "the elements of a vector register"},
	},
	ScheduleConstraints: []schedule.Constraint{{
		Name: "parallel_levels",
		Doc:  "Every parallel level needs a resource of its own: the pool, a nested region of the pool, or the lanes.",
		Reason: func(_ fuse.Sequence, s schedule.Schedule) string {
			if n := s.ParallelLevels(); n > maxPools+1 {
				return fmt.Sprintf("%d parallel levels, and there are resources for %d: the pool, a nested region of it, and lanes", n, maxPools+1)
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
	value := a.Get("execution_resource", depth)
	return value == resource || value == Pool+"+"+Lane
}

func usesPool(a policy.Assignment, depth int) bool { return uses(a, depth, Pool) }
func usesLane(a policy.Assignment, depth int) bool { return uses(a, depth, Lane) }

// usesVectors reports whether the level at depth holds its elements in vectors of generated code: it runs on lanes, and
// not through the routine for whole rows.
func usesVectors(a policy.Assignment, depth int) bool {
	return usesLane(a, depth) && a.Get("gather_algo", depth) != "row"
}

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

func anyPool(a policy.Assignment, _ int) bool {
	return slices.ContainsFunc(a, func(x policy.Assigned) bool {
		return x.Param.Name == "execution_resource" && strings.HasPrefix(x.Value, Pool)
	})
}

func fixed(values ...string) func(policy.Machine, fuse.Sequence, int) []string {
	return func(policy.Machine, fuse.Sequence, int) []string { return values }
}

// parameters is Surge Table IV's OpenMP half and what SIMD adds to it. The paper's enable_unroll is our unroll of a
// sequential level: 1 is off.
var parameters = []policy.Parameter{
	{
		Name: "num_threads", Paper: "num_threads", Global: true, PerMachine: true,
		Doc:    "workers that take part, the caller included",
		Active: anyPool,
		Values: func(m policy.Machine, _ fuse.Sequence, _ int) []string {
			counts := selector.ThreadCounts(m.Cores)
			values := make([]string, len(counts))
			for i, n := range counts {
				values[i] = strconv.Itoa(n)
			}
			return values
		},
	},
	{
		Name: "enable_nesting", Paper: "enable_nesting", Global: true,
		Doc:    "whether a region inside a region is also divided among workers",
		Active: anyPool,
		Values: fixed("false", "true"),
	},
	{
		Name: "omp_schedule", Paper: "omp_schedule",
		Doc:     "how chunks are handed to workers: static (by position), dynamic (on demand), guided (on demand, shrinking)",
		Applies: parallel, Active: usesPool,
		Values: fixed("static", "dynamic", "guided"),
	},
	{
		Name: "chunk_size", Paper: "chunk_size",
		Doc:     "elements of the level in a chunk, for guided the fewest; 0 is automatic",
		Applies: parallel, Active: usesPool,
		Values: func(_ policy.Machine, seq fuse.Sequence, depth int) []string { return chunkSizes(seq, depth) },
	},
	{
		Name: "shared_chunk",
		Doc: "elements in a chunk that is taken right after the computation before has done the same ones, while what both read lies " +
			"in a cache; 0 is off, and as good as off where the two differ in threads",
		Applies: func(l fuse.Level, e schedule.Element) bool { return e.Parallel() && l.HasTrait(fuse.TraitFollows) },
		Active:  usesPool,
		Values: func(_ policy.Machine, seq fuse.Sequence, depth int) []string {
			if depth == len(seq) {
				return []string{"0", "16384"} // elements are scalars
			}
			return []string{"0", "256", "1024"}
		},
	},
	{
		Name: "execution_resource", Paper: "execution_resource", Code: true,
		Doc:     "what runs the level's elements in parallel",
		Applies: parallel,
		Values:  fixed(Pool, Lane, Pool+"+"+Lane),
	},
	{
		Name: "gather_algo", Code: true,
		Doc: "how a sum of products with gathered elements runs on lanes: strip (elements are gathered a strip at a time, and " +
			"multiplied in vectors) or row (one routine for the whole row)",
		Applies: func(level fuse.Level, e schedule.Element) bool {
			return e.Parallel() && level.HasTrait(fuse.TraitDotGather)
		},
		Active: usesLane,
		Values: fixed("strip", "row"),
	},
	{
		Name: "vector_width", Code: true,
		Doc:     "elements in a vector",
		Applies: parallel, Active: usesVectors,
		Values: fixed("4", "8", "16"),
	},
	{
		Name: "unroll", Code: true,
		Doc: "vectors in flight (elements, on a level without lanes): accumulators of a reduction, parts of a map, tables of a " +
			"histogram with few bins",
		Applies: parallel,
		Active:  func(a policy.Assignment, depth int) bool { return !usesLane(a, depth) || usesVectors(a, depth) },
		Values: func(_ policy.Machine, seq fuse.Sequence, depth int) []string {
			if depth > 1 && tileable(seq, depth-1) {
				return []string{"1", "2"}
			}
			if depth < len(seq) {
				return nil // around another loop it would repeat that loop's code and save nothing
			}
			return inFlight(seq[depth-1])
		},
	},
	{
		Name: "tile", Code: true,
		Doc: "rows that are computed together, so that what they share is loaded once (a register tile, with the vectors in flight " +
			"of the level inside); 1 is off",
		Applies: holdsTile,
		Active:  func(a policy.Assignment, depth int) bool { return depth == 1 || insideLanes(a, depth) },
		Values: func(_ policy.Machine, seq fuse.Sequence, depth int) []string {
			if !tileable(seq, depth) && !insideTileable(seq, depth) {
				return nil
			}
			return []string{"1", "2", "4", "8"}
		},
	},
	{
		Name: "tile_algo", Code: true,
		Doc: "how a register tile adds up products: loop (printed), or routine (one for the whole tile, with more registers than " +
			"the Go compiler uses)",
		Applies: holdsTile,
		Active: func(a policy.Assignment, depth int) bool {
			return tiled(a, depth) && !usesVectors(a, depth)
		},
		Values: func(_ policy.Machine, seq fuse.Sequence, depth int) []string {
			if !tileable(seq, depth) && !insideTileable(seq, depth) || !seq[len(seq)-1].HasTrait(fuse.TraitProducts) {
				return nil
			}
			return []string{"loop", "routine"}
		},
	},
	{
		Name: "scan_algo", Code: true,
		Doc: "how chunks of a scan learn what precedes them: chained (each waits for its predecessor, the input is read " +
			"once) or two_pass (all chunks are reduced first)",
		Applies: func(level fuse.Level, e schedule.Element) bool { return e == schedule.Cooperative && hasScan(level) },
		Active:  usesPool,
		Values:  fixed("chained", "two_pass"),
	},
	{
		Name: "store_algo", Code: true,
		Doc: "how a scan on lanes writes: cached, or stream (past the caches, which saves reading what is overwritten where the " +
			"result does not fit into them)",
		Applies: func(level fuse.Level, e schedule.Element) bool { return e == schedule.Cooperative && hasScan(level) },
		Active:  usesLane,
		Values:  fixed("cached", "stream"),
	},
	{
		Name: "unroll", Paper: "enable_unroll", Code: true,
		Doc:     "elements an iteration of a sequential loop; 1 is off",
		Applies: sequential,
		Values:  func(_ policy.Machine, seq fuse.Sequence, depth int) []string { return inFlight(seq[depth-1]) },
	},
}

// inFlight lists how many vectors, or elements, of a level may be in flight.
func inFlight(level fuse.Level) []string {
	if level.String() == "histogram" {
		return []string{"1", "4"} // two at a time differ little from one
	}
	return []string{"1", "2", "4"}
}

// tileable reports whether the level at depth may be computed in register tiles: it holds a Map around reductions.
func tileable(seq fuse.Sequence, depth int) bool {
	return depth+2 == len(seq) && seq[depth-1].String() == "map" && seq[depth].Has("map") && seq[depth+1].String() == "reduce"
}

// insideTileable reports whether the level at depth is the one inside a level that may be computed in register tiles.
func insideTileable(seq fuse.Sequence, depth int) bool {
	return depth > 1 && depth < len(seq) && tileable(seq, depth-1)
}

// holdsTile reports whether elements of the level may be computed together: it is a Map, or holds one and runs in
// sequence.
func holdsTile(level fuse.Level, e schedule.Element) bool {
	return level.String() == "map" || level.Has("map") && e == schedule.Sequential
}

// insideLanes reports whether a level around the one at depth runs on lanes.
func insideLanes(a policy.Assignment, depth int) bool {
	for d := 1; d < depth; d++ {
		if usesVectors(a, d) {
			return true
		}
	}
	return false
}

// tileAccumulators is how many vectors of a tile are accumulated: more than that do not stay in registers.
const tileAccumulators = 8

// rowsInLanes is how many elements of rows that lie on lanes are computed together: with two vectors of rows these
// are as many sums as stay in registers.
const rowsInLanes = tileAccumulators / 2

// tileInLanes says why a tile of so many elements at depth, inside the lanes of the level around, is not worth a try.
func tileInLanes(c policy.Context, depth, rows int) string {
	if c.Assignment.Get("tile_algo", depth) != "routine" {
		if rows != rowsInLanes {
			return "a register tile of 2 or 8 elements inside lanes: it differs little from one of 4"
		}
		return ""
	}
	width, _ := strconv.Atoi(c.Assignment.Get("vector_width", depth-1))
	bits, most := 8*width*policy.ElementBytes(c.Sequence, depth-1), rowsInLanes
	if bits == 512 {
		most *= 2
	}
	switch {
	case bits < 256:
		return noRoutine
	case !tiled(c.Assignment, depth-1):
		return "a routine for a register tile of one vector of rows: with two it loads less"
	case rows != most:
		return fmt.Sprintf("a routine for a register tile of %d elements inside lanes: it has registers for %d", rows, most)
	}
	return ""
}

// narrowestLane is the size in bytes of the smallest elements that there are vectors of.
const narrowestLane = 4

// noVectors is why a level whose widest elements are smaller than that has no lanes, on whatever CPU.
func noVectors(seq fuse.Sequence, depth int) string {
	for _, level := range seq[depth-1:] {
		if len(level.Kinds) > 0 {
			return fmt.Sprintf("lanes of %s: there are vectors of int, int32, int64, float32 and float64 only", strings.Join(level.Kinds, " and "))
		}
	}
	return "lanes of a level that computes no elements"
}

// noRoutine is why short vectors are not summed by a routine.
const noRoutine = "a routine for a register tile of short vectors: there is none"

func tiled(a policy.Assignment, depth int) bool {
	t := a.Get("tile", depth)
	return t != "" && t != "1"
}

func hasScan(level fuse.Level) bool { return level.Has("scan") || level.Has("inclusive_scan") }

// chunkSizes spreads chunk sizes over what a worker can finish in some ten to some hundred microseconds, the first
// being automatic. Elements of an innermost level are scalars, elements of the others rows. Deeper levels are short
// and get fewer values.
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
		Doc: "Resources go from the outside in: the pool may not be inside lanes, and only one level has the lanes.",
		Reason: func(c policy.Context) string {
			lanes := levelsOn(c, Lane)
			if len(lanes) > 1 {
				return "two levels on lanes: a vector's elements have no lanes of their own"
			}
			if len(lanes) == 0 {
				return ""
			}
			for d := lanes[0] + 1; d <= len(c.Sequence); d++ {
				if usesPool(c.Assignment, d) {
					return "a level on the pool inside one on lanes: a lane cannot start a region"
				}
			}
			return ""
		},
	},
	{
		Name: "pool_levels", Code: true,
		Doc: "Regions nest once.",
		Reason: func(c policy.Context) string {
			if n := len(levelsOn(c, Pool)); n > maxPools {
				return fmt.Sprintf("%d levels on the pool, and regions nest once", n)
			}
			return ""
		},
	},
	{
		Name: "vector_width", Code: true,
		Doc: "This build and this CPU have vectors of that many elements of the level's widest kind.",
		Reason: func(c policy.Context) string {
			for _, d := range levelsOn(c, Lane) {
				if !usesVectors(c.Assignment, d) {
					continue // the routine exists for every machine
				}
				if c.Machine.NoLanes != "" {
					return c.Machine.NoLanes
				}
				bytes := policy.ElementBytes(c.Sequence, d)
				if bytes < narrowestLane {
					return noVectors(c.Sequence, d)
				}
				width, _ := strconv.Atoi(c.Assignment.Get("vector_width", d))
				if !slices.Contains(c.Machine.Lanes[bytes], width) {
					return fmt.Sprintf("this CPU has no %d lanes of %d bytes", width, bytes)
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
				if u := c.Assignment.Get("unroll", d); u != "" && u != "1" && !tiled(c.Assignment, d-1) {
					return "an outer level is unrolled: the loops inside it would be repeated and save nothing"
				}
			}
			return ""
		},
	},
	{
		Name: "tile", Code: true,
		Doc: "A register tile has lanes inside, no other level on them, and not more accumulators than there are registers.",
		Reason: func(c policy.Context) string {
			for d := 1; d < len(c.Sequence); d++ {
				if !tiled(c.Assignment, d) {
					continue
				}
				if !anyPool(c.Assignment, 0) {
					return "a register tile without the pool: one thread of the pool is the same program"
				}
				rows, _ := strconv.Atoi(c.Assignment.Get("tile", d))
				switch {
				case insideLanes(c.Assignment, d):
					if reason := tileInLanes(c, d, rows); reason != "" {
						return reason
					}
					continue
				case usesVectors(c.Assignment, d) && rows == 2:
					if c.Assignment.Get("tile", d+1) == "1" {
						return "two vectors of rows of which one element each is computed: they share too little"
					}
					continue
				case usesVectors(c.Assignment, d):
					return "a register tile of many vectors of rows: more elements of each row save as many loads"
				case rows == 2:
					return "a register tile of two rows: it shares little"
				}
				if !usesVectors(c.Assignment, d+1) || usesPool(c.Assignment, d+1) {
					return "a register tile around a level that is not on lanes alone"
				}
				vectors, _ := strconv.Atoi(c.Assignment.Get("unroll", d+1))
				width, _ := strconv.Atoi(c.Assignment.Get("vector_width", d+1))
				bits := 8 * width * policy.ElementBytes(c.Sequence, d+1)
				limit, routine := tileAccumulators, c.Assignment.Get("tile_algo", d) == "routine"
				switch {
				case routine && bits < 256:
					return noRoutine
				case routine && bits == 512:
					limit *= 2
				}
				if rows*vectors > limit {
					return fmt.Sprintf("a register tile of more than %d vectors: they do not stay in registers", limit)
				}
			}
			return ""
		},
	},
	{
		Name: "unroll_in_lanes", Code: true,
		Doc: "A sequential loop inside lanes is not unrolled: its trip count differs from lane to lane.",
		Reason: func(c policy.Context) string {
			lanes := levelsOn(c, Lane)
			if len(lanes) == 0 {
				return ""
			}
			for d := lanes[0] + 1; d <= len(c.Sequence); d++ {
				if c.Assignment.Get("unroll", d) != "1" {
					return "a sequential loop inside lanes is unrolled: its trip count differs from lane to lane"
				}
			}
			return ""
		},
	},
	{
		Name: "nesting",
		Doc:  "enable_nesting is true exactly when two levels use the pool; otherwise it is the same program.",
		Reason: func(c policy.Context) string {
			nests, enabled := len(levelsOn(c, Pool)) > 1, c.Assignment.Get("enable_nesting", 0)
			switch {
			case nests && enabled == "false":
				return "two levels on the pool without nesting: the inner one would run on one worker, as a sequential level does"
			case !nests && enabled == "true":
				return "nesting without a second level on the pool: the same program as without"
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
			if len(levelsOn(c, Pool)) > 1 {
				return "one thread with nested regions: the same program as with one region"
			}
			for _, d := range levelsOn(c, Pool) {
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
		Doc:  "A chained scan hands its chunks out in order, which static does not.",
		Reason: func(c policy.Context) string {
			if c.Assignment.Get("num_threads", 0) == "1" {
				return ""
			}
			for _, d := range levelsOn(c, Pool) {
				if c.Assignment.Get("scan_algo", d) == "chained" && c.Assignment.Get("omp_schedule", d) == "static" {
					return "a chained scan with a static schedule: workers would wait for chunks that nobody has begun"
				}
			}
			return ""
		},
	},
	{
		Name: "even_bins",
		Doc: "A histogram and a sort on the pool are divided evenly, one part a thread, as each part has memory of its own: static " +
			"with automatic chunks stands for all ways to divide them.",
		Reason: func(c policy.Context) string {
			for _, d := range levelsOn(c, Pool) {
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
		Name: "shared_even",
		Doc:  "Chunks that are shared with the computation before are handed out on demand: static with automatic chunks stands for all ways.",
		Reason: func(c policy.Context) string {
			if shared := c.Assignment.Get("shared_chunk", 1); shared == "" || shared == "0" {
				return ""
			}
			if c.Assignment.Get("omp_schedule", 1) != "static" || c.Assignment.Get("chunk_size", 1) != "0" {
				return "shared chunks with another schedule or chunk size: the same program as static with automatic chunks"
			}
			return ""
		},
	},
	{
		Name: "nested_even",
		Doc:  "Of two nested regions the inner one is divided evenly and both choose their chunks themselves: the outer one balances.",
		Reason: func(c policy.Context) string {
			pools := levelsOn(c, Pool)
			if len(pools) < 2 {
				return ""
			}
			if c.Assignment.Get("omp_schedule", pools[1]) != "static" {
				return "an inner region that is not static: the outer one balances"
			}
			for _, d := range pools {
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
			for _, d := range levelsOn(c, Pool) {
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
