package opencl

import (
	"fmt"
	"slices"

	"github.com/surge-ndp/surge/codegen/opencl/clrt"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/policy"
	"github.com/surge-ndp/surge/schedule"
	"github.com/surge-ndp/surge/selector/param"
)

// levels is the resource hierarchy, outer to inner.
var levels = []policy.Level{
	{Name: param.Grid, Doc: "the work-items of a whole kernel launch, which cannot wait for each other"},
	{Name: param.Group, Doc: "workgroups, or the work-items of one: they share local memory and barriers"},
	{Name: param.Warp, Doc: "logical warps: logical_warp_size neighbouring work-items of a workgroup"},
	{Name: param.Lane, Doc: "single work-items"},
}

// maxParallel is how many levels of a nest may be parallel (Surge section 3.2).
const maxParallel = 2

// Platform is the table of the OpenCL platform. It keeps the paper's parameter names of CUDA: a block is a workgroup, a
// thread a work-item, shared memory local memory.
var Platform = &policy.Platform{
	Name:    "opencl",
	Devices: true,
	Doc:     "OpenCL devices: GPUs, and CPUs through POCL",
	Levels:  levels,
	ScheduleConstraints: []schedule.Constraint{{
		Name: "below_level_2",
		Doc:  "A device has two levels of parallelism, workgroups or logical warps and the work-items in them, so what lies deeper is sequential.",
		Reason: func(_ fuse.Sequence, s schedule.Schedule) string {
			for d := maxParallel; d < len(s); d++ {
				if s[d].Parallel() {
					return fmt.Sprintf("level %d is %s: a device has two levels of parallelism, workgroups or logical warps and their work-items, so what lies below nesting level %d is sequential", d+1, s[d], maxParallel)
				}
			}
			return ""
		},
	}, schedule.OneElement, noUpdates},
	Parameters:  parameters,
	Constraints: constraints,
}

func parallel(_ fuse.Level, e schedule.Element) bool    { return e.Parallel() }
func independent(_ fuse.Level, e schedule.Element) bool { return e == schedule.Independent }
func sequential(l fuse.Level, e schedule.Element) bool {
	return !e.Parallel() && !l.HasTrait(fuse.TraitOnce)
}

func reduces(level fuse.Level, e schedule.Element) bool {
	return e == schedule.Cooperative && (level.Has("reduce") || level.Has("reduce_by_key"))
}

func scans(level fuse.Level, e schedule.Element) bool {
	return e == schedule.Cooperative && (level.Has("scan") || level.Has("inclusive_scan"))
}

func sorts(level fuse.Level, e schedule.Element) bool {
	return e == schedule.Cooperative && level.Has("sort_by_key")
}

func parallelCombines(level fuse.Level, e schedule.Element) bool {
	return reduces(level, e) || scans(level, e)
}

func anyParallel(a param.Policy, _ int) bool {
	return slices.ContainsFunc(a, param.ExecutionResource.Is)
}

// usesWarps reports whether some level runs on logical warps: the others do not look at their size.
func usesWarps(a param.Policy, _ int) bool {
	return slices.ContainsFunc(a, func(s param.Setting) bool {
		return param.ExecutionResource.Is(s) && param.ExecutionResource.Value(s) == param.Warp
	})
}

// scansBlocks reports whether the work-items of a level scan runs of neighbours in blocks.
func scansBlocks(a param.Policy, depth int) bool {
	return param.BlockScanAlgo.At(a, depth) == param.Raking && param.InFlight.At(a, depth) != 1
}

// products reports whether a nest is of rows of reductions that read the same for all rows, or for all elements of a
// row, or of rows of such loops: a matrix product is one.
func products(seq fuse.Sequence) bool {
	if len(seq) < 2 || seq[0].String() != "map" || seq[1].String() != "map" {
		return false
	}
	return len(seq) == 2 && seq[1].HasTrait(fuse.TraitTurns) || len(seq) == 3 && seq[2].String() == "reduce" && seq[2].HasTrait(fuse.TraitShared)
}

// tileResource reports whether the level at depth runs on what computes several of its elements together: the outermost
// one on workgroups, and the next one on work-items.
func tileResource(a param.Policy, depth int) bool {
	return param.ExecutionResource.At(a, depth) == map[int]param.Resource{1: param.Group, 2: param.Lane}[depth]
}

// tileSizes are the sizes of register tiles, of the outermost level and of the next one.
var tileSizes = [][]int{{1, 4, 8, 16}, {1, 2, 4, 8}}

// parameters is Surge Table IV's CUDA half. Sizes are constants that a program is built with (-D options), so they do
// not multiply the generated code. The paper's enable_unroll is our unroll: 1 is off.
var parameters = []policy.Parameter{
	policy.Of(param.BlockSizeX, policy.Entry[int]{
		Paper: "block_size_x",
		Doc:   "work-items of a workgroup along x, the direction of neighbouring elements", Active: anyParallel,
		Values: policy.Fixed(32, 64, 128, 256, 512, 1024),
	}),
	policy.Of(clrt.BlockSizeY, policy.Entry[int]{
		Paper: "block_size_y",
		Doc:   "work-items of a workgroup along y", Active: anyParallel,
		Values: policy.Fixed(1, 2, 4, 8),
	}),
	policy.Of(param.LogicalWarpSize, policy.Entry[int]{
		Paper: "logical_warp_size",
		Doc:   "neighbouring work-items that work together as one logical warp", Active: usesWarps,
		Values: policy.Fixed(2, 4, 8, 16, 32, 64),
	}),
	policy.Of(clrt.GrainSize, policy.Entry[int]{
		Paper: "grain_size",
		Doc:   "elements that one resource runs one after the other", Applies: independent,
		Values: policy.Fixed(1, 2, 4),
	}),
	policy.Of(param.ExecutionResource, policy.Entry[param.Resource]{
		Paper: "execution_resource", Code: true,
		Doc: "what each element of the level is given to, or, for a cooperative level, what works on it together", Applies: parallel,
		Values: policy.Fixed(param.Grid, param.Group, param.Warp, param.Lane),
	}),
	policy.Of(param.BlockReduceAlgo, policy.Entry[param.BlockReduce]{
		Paper: "block_reduce_algo", Code: true,
		Doc: "how the work-items combine: tree (in local memory, with a barrier a step), raking (the first one combines what the others have) or shuffle (subgroup operations)", Applies: reduces,
		Values: policy.Fixed(param.TreeReduce, param.RakingReduce, param.ShuffleReduce),
	}),
	policy.Of(param.BlockScanAlgo, policy.Entry[param.Scan]{
		Paper: "block_scan_algo", Code: true,
		Doc: "how the work-items scan: raking (each a run of neighbours, the first one their sums), or tile by tile: hillis_steele (n log n combinations in local memory), blelloch (2 n of them, in twice the steps) or warp_scans (subgroup operations)", Applies: scans,
		Values: policy.Fixed(param.Raking, param.HillisSteele, param.Blelloch, param.WarpScans),
	}),
	policy.Of(param.BlockScanGrainSize, policy.Entry[int]{
		Paper: "block_scan_grain_size", Code: true,
		Doc: "elements of a tile that one work-item scans", Applies: scans,
		Values: policy.Fixed(1, 4, 8),
	}),
	policy.Of(param.SortRadixBits, policy.Entry[int]{
		Code: true,
		Doc:  "bits of the digits that keys are sorted by, at most: each work-item counts each digit in local memory", Applies: sorts,
		Values: policy.Fixed(4, 8),
	}),
	policy.Of(param.InFlight, policy.Entry[int]{
		Code: true,
		Doc:  "elements that one work-item has in flight: accumulators of a reduction, a block of a scan (of 8 at most); 1 is off", Applies: parallelCombines,
		Values: policy.Fixed(1, 8, 32),
	}),
	policy.Of(param.StoreAlgo, policy.Entry[param.Store]{
		Code: true,
		Doc: "how a scan writes its blocks: cached, or stream (past the caches, which on processors saves reading what is overwritten where " +
			"the result does not fit into them)",
		Applies: scans, Active: scansBlocks,
		Values: policy.Fixed(param.Cached, param.Stream),
	}),
	policy.Of(param.LocalTile, policy.Entry[int]{
		Code: true,
		Doc:  "elements that each work-item reads into a tile of local memory, where all work-items of a workgroup read the same ones in a loop; 0 is off",
		Applies: func(level fuse.Level, e schedule.Element) bool {
			return sequential(level, e) && level.HasTrait(fuse.TraitShared)
		},
		Values: policy.Fixed(0, 1, 4),
	}),
	policy.Of(param.Tile, policy.Entry[int]{
		Code: true,
		Doc: "elements that are computed together, so that what they share is read once (a register tile): of a workgroup's level, and " +
			"of that inside it by each work-item; 1 is off",
		Applies: func(level fuse.Level, e schedule.Element) bool {
			return independent(level, e) && level.String() == "map"
		},
		Active: tileResource,
		Values: func(_ policy.Machine, seq fuse.Sequence, depth int) []int {
			if !products(seq) || depth > len(tileSizes) {
				return nil
			}
			return tileSizes[depth-1]
		},
	}),
	policy.Of(param.Unroll, policy.Entry[int]{
		Paper: "enable_unroll", Code: true,
		Doc: "elements an iteration of a sequential loop; 1 is off", Applies: sequential,
		Values: policy.Fixed(1, 4, 8),
	}),
}
