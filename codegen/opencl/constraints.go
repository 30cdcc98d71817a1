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

// maxLogicalWarp is the widest logical warp: beyond the widest subgroup of any device that is in use there is the
// workgroup.
const maxLogicalWarp = 64

// defaultWorkGroup is the limit on the work-items of a workgroup where no device says otherwise.
const defaultWorkGroup = 1024

// sortExchange is the local memory in bytes that a work-item of a sort by one workgroup needs besides its counters:
// for the least key, the largest one, and a count.
const sortExchange = 3 * 8

// defaultLocalMemory is the local memory of a workgroup in bytes where no device says otherwise: OpenCL's least.
const defaultLocalMemory = 32 << 10

// leastTile and mostTile are how many elements a register tile has: fewer share little, and more need more registers
// than a work-item has.
const (
	leastTile = 16
	mostTile  = 64
)

// tiled reports whether a scan goes from tile to tile.
func tiled(scan param.Scan) bool { return scan != "" && scan != param.Raking }

// resources returns the resource of each parallel level by depth-1, "" for sequential ones.
func resources(c policy.Context) []param.Resource {
	all := make([]param.Resource, len(c.Schedule))
	for i := range all {
		all[i] = param.ExecutionResource.At(c.Policy, i+1)
	}
	return all
}

func rank(resource param.Resource) int {
	return slices.IndexFunc(levels, func(l policy.Level) bool { return l.Name == resource })
}

// noUpdates leaves loops that update arrays where they lie to one work-item, which runs all of the code around them.
var noUpdates = schedule.Constraint{
	Name: "updates",
	Doc:  "Arrays are updated where they lie by one work-item.",
	Reason: func(seq fuse.Sequence, s schedule.Schedule) string {
		for d := range s {
			if s[d].Parallel() && seq[d].Has("update") {
				return fmt.Sprintf("level %d updates arrays where they lie, which one work-item does", d+1)
			}
		}
		return ""
	},
}

var constraints = []policy.Constraint{
	{
		Name: "resources_inwards", Code: true,
		Doc: "Resources go from the outside in: the elements of an outer level are given to larger resources than those of an inner one.",
		Reason: func(c policy.Context) string {
			outer := param.Resource("")
			for _, r := range resources(c) {
				if r == "" {
					continue
				}
				if outer != "" && rank(r) < rank(outer) {
					return fmt.Sprintf("a level on %s inside one on %s: resources go from the outside in", r, outer)
				}
				if outer != "" && r == outer && r != param.Group && r != param.Warp {
					return fmt.Sprintf("two levels on %s: it is used up by the outer one", r)
				}
				outer = r
			}
			return ""
		},
	},
	{
		Name: "resource_fits", Code: true,
		Doc: "An outer independent level whose inner level is parallel gives each element to a workgroup or logical warp, whose work-items run the inner level, and so does a histogram; " +
			"an independent level alone gives each to a work-item of the grid; a cooperative level alone is worked on by the whole grid or by one workgroup.",
		Reason: func(c policy.Context) string {
			var inner param.Resource
			for d := len(c.Schedule); d >= 1; d-- {
				r := param.ExecutionResource.At(c.Policy, d)
				if r == "" {
					continue
				}
				outermost := true
				for o := 1; o < d; o++ {
					outermost = outermost && !c.Schedule[o-1].Parallel()
				}
				if reason := fits(c.Sequence[d-1], c.Schedule[d-1], r, inner, outermost); reason != "" {
					return reason
				}
				inner = r
			}
			return ""
		},
	},
	{
		Name: "subgroups", Code: true,
		Doc: "Subgroup operations are an extension (cl_khr_subgroups).",
		Reason: func(c policy.Context) string {
			for d := 1; d <= len(c.Schedule) && !c.Machine.Subgroups; d++ {
				needs := ""
				if param.BlockReduceAlgo.At(c.Policy, d) == param.ShuffleReduce {
					needs = param.BlockReduceAlgo.Format(param.ShuffleReduce)
				} else if param.BlockScanAlgo.At(c.Policy, d) == param.WarpScans {
					needs = param.BlockScanAlgo.Format(param.WarpScans)
				}
				if needs != "" {
					return needs + " needs subgroup operations (cl_khr_subgroups), which the device does not have"
				}
			}
			return ""
		},
	},
	{
		Name: "in_flight", Code: true,
		Doc: "The work-items of a logical warp, and those of a workgroup that scan tile by tile, have few elements each.",
		Reason: func(c policy.Context) string {
			for d := range c.Schedule {
				if param.InFlight.At(c.Policy, d+1) <= 1 {
					continue
				}
				if param.ExecutionResource.At(c.Policy, d+1) == param.Warp {
					return "several elements in flight in each work-item of a logical warp: that is for short rows"
				}
				if tiled(param.BlockScanAlgo.At(c.Policy, d+1)) {
					return "several elements in flight in a tile: block_scan_grain_size says how many a work-item has"
				}
			}
			return ""
		},
	},
	{
		Name: "scan_grain", Code: true,
		Doc: "Raking gives each work-item one run of neighbours, however long: it has no tiles.",
		Reason: func(c policy.Context) string {
			for d := range c.Schedule {
				g := param.BlockScanGrainSize.At(c.Policy, d+1)
				if param.BlockScanAlgo.At(c.Policy, d+1) == param.Raking && g != 1 {
					return "raking has no tiles that block_scan_grain_size could cut"
				}
			}
			return ""
		},
	},
	{
		Name: "local_tile", Code: true,
		Doc: "Tiles are filled by a workgroup whose work-items have an element each: of the grid, or as lanes of the workgroup.",
		Reason: func(c policy.Context) string {
			for d := 1; d <= len(c.Schedule); d++ {
				if param.LocalTile.At(c.Policy, d) == 0 {
					continue
				}
				inner := param.Resource("")
				for o := 1; o < d; o++ {
					if r := param.ExecutionResource.At(c.Policy, o); r != "" {
						inner = r
					}
				}
				if inner != param.Grid && inner != param.Lane {
					return "a tile of local memory around which no work-items have elements of their own: there is nothing to share"
				}
				if param.ExecutionResource.At(c.Policy, 1) == param.Warp {
					return "a tile of local memory inside a logical warp: the logical warps of a workgroup have rows of their own"
				}
			}
			return ""
		},
	},
	{
		Name: "tile", Code: true,
		Doc: "A register tile has several elements of two levels, that of workgroups and that of their work-items: what is read for one row or one column then serves several of the others.",
		Reason: func(c policy.Context) string {
			rows, columns := param.Tile.Or(c.Policy, 1, 1), param.Tile.Or(c.Policy, 2, 1)
			switch {
			case rows == 1 && columns == 1:
			case rows == 1 || columns == 1:
				return "a register tile of elements of one level: it shares little"
			case rows*columns < leastTile || rows*columns > mostTile:
				return fmt.Sprintf("a register tile of fewer than %d elements, or of more than %d: it shares little, or does not stay in registers", leastTile, mostTile)
			case param.LocalTile.At(c.Policy, 3) != 0:
				return "a register tile around a tile of local memory: what its elements share is in registers"
			case param.Unroll.At(c.Policy, 3) > 1:
				return "a register tile with several elements of its reductions in flight: it has a reduction in flight for each of its own"
			}
			return ""
		},
	},
	{
		Name: "tile_grain",
		Doc:  "A workgroup has one register tile at a time, and takes no more of them than the grid has workgroups for.",
		Reason: func(c policy.Context) string {
			if param.Tile.Or(c.Policy, 1, 1) > 1 && (clrt.GrainSize.At(c.Policy, 1) > 1 || clrt.GrainSize.At(c.Policy, 2) > 1) {
				return "several register tiles one after the other: larger ones share more"
			}
			return ""
		},
	},
	{
		Name: "outer_unroll", Code: true,
		Doc: "Only the innermost level is unrolled: around another loop it would repeat that loop's code and save nothing.",
		Reason: func(c policy.Context) string {
			for d := 1; d < len(c.Schedule); d++ {
				if param.Unroll.At(c.Policy, d) > 1 {
					return "an outer level is unrolled: the loops inside it would be repeated and save nothing"
				}
			}
			return ""
		},
	},
	{
		Name: "workgroup_size",
		Doc:  "A workgroup has block_size_x × block_size_y work-items, and a device limits that number (Surge section 3.3).",
		Reason: func(c policy.Context) string {
			limit := c.Machine.MaxWorkGroup
			if limit == 0 {
				limit = defaultWorkGroup
			}
			if param.BlockSizeX.At(c.Policy, 0)*clrt.BlockSizeY.At(c.Policy, 0) > limit {
				return fmt.Sprintf("block_size_x × block_size_y is more than the %d work-items that a workgroup can have", limit)
			}
			return ""
		},
	},
	{
		Name: "sort_counters",
		Doc:  "Each work-item that sorts counts each digit in local memory, four bytes a counter; a workgroup that sorts alone combines there too what its work-items find.",
		Reason: func(c policy.Context) string {
			limit := c.Machine.LocalMemory
			if limit == 0 {
				limit = defaultLocalMemory
			}
			for d := range c.Schedule {
				bits := param.SortRadixBits.At(c.Policy, d+1)
				each := 4 << bits
				if param.ExecutionResource.At(c.Policy, d+1) != param.Grid {
					each += sortExchange
				}
				if bits > 0 && param.BlockSizeX.At(c.Policy, 0)*clrt.BlockSizeY.At(c.Policy, 0)*each > limit {
					return fmt.Sprintf("a counter for each digit of sort_radix_bits and each work-item of block_size_x × block_size_y take more than the %d bytes of local memory", limit)
				}
			}
			return ""
		},
	},
	{
		Name: "logical_warp_size",
		Doc:  "A logical warp is at most as wide as a subgroup, and block_size_x is a multiple of it.",
		Reason: func(c policy.Context) string {
			warp := param.LogicalWarpSize.At(c.Policy, 0)
			switch x := param.BlockSizeX.At(c.Policy, 0); {
			case warp == 0:
			case warp > maxLogicalWarp:
				return fmt.Sprintf("logical_warp_size is more than %d", maxLogicalWarp)
			case x%warp != 0:
				return "logical_warp_size does not divide block_size_x: a logical warp may not straddle two rows of a workgroup"
			}
			return ""
		},
	},
	{
		Name: "flat_workgroup",
		Doc:  "Elements and logical warps are numbered along x first, so only the product of block_size_x and block_size_y matters.",
		Reason: func(c policy.Context) string {
			if clrt.BlockSizeY.At(c.Policy, 0) > 1 {
				return "work-items are numbered along x first: the same program as with one row of block_size_x × block_size_y work-items"
			}
			return ""
		},
	},
}

// fits says why a level with element e, whose nearest parallel level inside it runs on inner ("" when there is none),
// cannot run on resource.
func fits(level fuse.Level, e schedule.Element, resource, inner param.Resource, outermost bool) string {
	switch {
	case inner != "":
		if e == schedule.Cooperative && !level.Has("histogram") { // that has bins for each team
			return "a cooperative level around a parallel one: the work-items that combine are busy inside"
		}
		if resource != param.Group && resource != param.Warp {
			return fmt.Sprintf("an element of a level with a parallel one inside is given to %s: it takes a workgroup or a logical warp to run the inner level", resource)
		}
	case !outermost:
		// The inner of two parallel levels runs on the work-items of what the outer element was given to.
		if e == schedule.Independent && resource != param.Lane {
			return fmt.Sprintf("the elements of an inner independent level are given to %s: only single work-items are left", resource)
		}
		if e == schedule.Cooperative && resource != param.Group && resource != param.Warp {
			return fmt.Sprintf("an inner cooperative level on %s: the work-items that combine are those of a workgroup or a logical warp", resource)
		}
	case e == schedule.Independent && resource != param.Grid:
		return fmt.Sprintf("an independent level alone on %s: the grid has a work-item for each element", resource)
	case e == schedule.Cooperative && resource != param.Grid && resource != param.Group:
		return fmt.Sprintf("a cooperative level alone on %s: it would leave most of the device idle", resource)
	}
	return ""
}
