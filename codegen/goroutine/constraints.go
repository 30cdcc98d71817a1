package goroutine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/policy"
	"github.com/surge-ndp/surge/policy/threads"
	"github.com/surge-ndp/surge/selector/param"
)

// tileAccumulators is how many vectors of a tile are accumulated: more than that do not stay in registers.
const tileAccumulators = 8

// rowsInLanes is how many elements of rows that lie on lanes are computed together: with two vectors of rows these
// are as many sums as stay in registers.
const rowsInLanes = tileAccumulators / 2

// tileInLanes says why a tile of so many elements at depth, inside the lanes of the level around, is not worth a try.
func tileInLanes(c policy.Context, depth, rows int) string {
	if param.TileAlgo.At(c.Policy, depth) != param.Routine {
		if rows != rowsInLanes {
			return "a register tile of 2 or 8 elements inside lanes: it differs little from one of 4"
		}
		return ""
	}
	width := param.VectorWidth.At(c.Policy, depth-1)
	bits, most := 8*width*laneBytes(c.Sequence, depth-1), rowsInLanes
	if bits == 512 {
		most *= 2
	}
	switch {
	case bits < 256:
		return noRoutine
	case !tiled(c.Policy, depth-1):
		return "a routine for a register tile of one vector of rows: with two it loads less"
	case rows != most:
		return fmt.Sprintf("a routine for a register tile of %d elements inside lanes: it has registers for %d", rows, most)
	}
	return ""
}

// narrowestLane is the size in bytes of the smallest lanes: narrower elements are computed in those.
const narrowestLane = 4

// laneBytes is the size in bytes of the widest lanes of a level, 0 if it has none: booleans alone are no numbers.
func laneBytes(seq fuse.Sequence, depth int) int {
	for _, level := range seq[depth-1:] {
		if slices.ContainsFunc(level.Kinds, func(kind string) bool { return kind != "bool" }) {
			return max(policy.ElementBytes(seq, depth), narrowestLane)
		}
	}
	return 0
}

// mixed reports whether a level that computes numbers of 64 bits computes narrower ones, too.
func mixed(seq fuse.Sequence, depth int) bool {
	for _, level := range seq[depth-1:] {
		if len(level.Kinds) > 0 {
			return slices.ContainsFunc(level.Kinds, func(kind string) bool { return kind != "bool" && policy.KindBytes(kind) < 8 })
		}
	}
	return false
}

// noVectors is why a level without numbers has no lanes, on whatever CPU.
func noVectors(seq fuse.Sequence, depth int) string {
	for _, level := range seq[depth-1:] {
		if len(level.Kinds) > 0 {
			return fmt.Sprintf("lanes of %s: there are vectors of numbers only", strings.Join(level.Kinds, " and "))
		}
	}
	return "lanes of a level that computes no elements"
}

// noRoutine is why short vectors are not summed by a routine.
const noRoutine = "a routine for a register tile of short vectors: there is none"

// constraints prune what cannot run here and what only repeats another point.
var constraints = slices.Concat([]policy.Constraint{
	pool.LanesInside(),
	pool.Regions(),
	pool.ByElements(),
	{
		Name: "vector_width", Code: true,
		Doc: "This build and this CPU have vectors of that many elements of the level's widest kind, or half as many where it has narrower kinds too, see Halve.",
		Reason: func(c policy.Context) string {
			for _, d := range threads.LevelsOn(c, param.Lane) {
				if !usesVectors(c.Policy, d) {
					continue // the routine exists for every machine
				}
				if c.Machine.NoLanes != "" {
					return c.Machine.NoLanes
				}
				bytes := laneBytes(c.Sequence, d)
				if bytes == 0 {
					return noVectors(c.Sequence, d)
				}
				width := param.VectorWidth.At(c.Policy, d)
				if !slices.Contains(c.Machine.Lanes[bytes], width) && !(mixed(c.Sequence, d) && width == halvedLanes && slices.Contains(c.Machine.Lanes[4], width)) {
					return fmt.Sprintf("this CPU has no %d lanes of %d bytes", width, bytes)
				}
			}
			return ""
		},
	},
	{
		Name: "unroll_innermost", Code: true,
		Doc: "Only the innermost level is unrolled, and vectors whose reductions share a loop: around another loop it would repeat that " +
			"loop's code and save nothing.",
		Reason: func(c policy.Context) string {
			for d := 1; d < len(c.Sequence); d++ {
				if n := param.Unroll.At(c.Policy, d); n > 1 && !tiled(c.Policy, d-1) && !(usesVectors(c.Policy, d) && readsColumns(c.Sequence, d) && n == columnVectors) {
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
				if !tiled(c.Policy, d) {
					continue
				}
				if !pool.Any(c.Policy, 0) {
					return "a register tile without the pool: one thread of the pool is the same program"
				}
				rows := param.Tile.At(c.Policy, d)
				switch {
				case insideLanes(c.Policy, d):
					if reason := tileInLanes(c, d, rows); reason != "" {
						return reason
					}
					continue
				case usesVectors(c.Policy, d) && rows == 2:
					if param.Tile.At(c.Policy, d+1) == 1 {
						return "two vectors of rows of which one element each is computed: they share too little"
					}
					continue
				case usesVectors(c.Policy, d):
					return "a register tile of many vectors of rows: more elements of each row save as many loads"
				case rows == 2:
					return "a register tile of two rows: it shares little"
				}
				if param.Unroll.At(c.Policy, d+1) == columnVectors {
					return "a register tile of four vectors of columns: two of more rows load less"
				}
				if !usesVectors(c.Policy, d+1) || pool.Uses(c.Policy, d+1) {
					return "a register tile around a level that is not on lanes alone"
				}
				vectors := param.Unroll.At(c.Policy, d+1)
				width := param.VectorWidth.At(c.Policy, d+1)
				bits := 8 * width * laneBytes(c.Sequence, d+1)
				limit, routine := tileAccumulators, param.TileAlgo.At(c.Policy, d) == param.Routine
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
	threads.UnrollInLanes("its trip count differs from lane to lane"),
	pool.Tables(),
	pool.Strips(),
}, pool.Launches(), []policy.Constraint{
	{
		Name: "shared_even",
		Doc:  "Chunks that are shared with the computation before are handed out on demand: static with automatic chunks stands for all ways.",
		Reason: func(c policy.Context) string {
			if param.SharedChunk.At(c.Policy, 1) == 0 {
				return ""
			}
			if param.OmpSchedule.At(c.Policy, 1) != param.Static || param.ChunkSize.At(c.Policy, 1) != 0 {
				return "shared chunks with another schedule or chunk size: the same program as static with automatic chunks"
			}
			return ""
		},
	},
})
