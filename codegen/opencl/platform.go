package opencl

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/policy"
	"github.com/surge-ndp/surge/schedule"
)

// Names of the resource levels, as values of execution_resource.
const (
	Grid  = "grid"
	Group = "group"
	Warp  = "warp"
	Lane  = "lane"
)

// levels is the resource hierarchy, outer to inner.
var levels = []policy.Level{
	{Name: Grid, Doc: "the work-items of a whole kernel launch, which cannot wait for each other"},
	{Name: Group, Doc: "workgroups, or the work-items of one: they share local memory and barriers"},
	{Name: Warp, Doc: "logical warps: logical_warp_size neighbouring work-items of a workgroup"},
	{Name: Lane, Doc: "single work-items"},
}

// maxParallel is how many levels of a nest may be parallel (Surge section 3.2).
const maxParallel = 2

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
	}, schedule.OneElement},
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

func anyParallel(a policy.Assignment, _ int) bool {
	return slices.ContainsFunc(a, func(x policy.Assigned) bool { return x.Param.Name == "execution_resource" })
}

// usesWarps reports whether some level runs on logical warps: the others do not look at their size.
func usesWarps(a policy.Assignment, _ int) bool {
	return slices.ContainsFunc(a, func(x policy.Assigned) bool {
		return x.Param.Name == "execution_resource" && x.Value == Warp
	})
}

// scansBlocks reports whether the work-items of a level scan runs of neighbours in blocks.
func scansBlocks(a policy.Assignment, depth int) bool {
	return a.Get("block_scan_algo", depth) == "raking" && a.Get("in_flight", depth) != "1"
}

func fixed(values ...string) func(policy.Machine, fuse.Sequence, int) []string {
	return func(policy.Machine, fuse.Sequence, int) []string { return values }
}

// parameters is Surge Table IV's CUDA half. Sizes are constants that a program is built with (-D options), so they do
// not multiply the generated code. The paper's enable_unroll is our unroll: 1 is off.
var parameters = []policy.Parameter{
	{
		Name: "block_size_x", Paper: "block_size_x", Global: true,
		Doc: "work-items of a workgroup along x, the direction of neighbouring elements", Active: anyParallel,
		Values: fixed("32", "64", "128", "256", "512", "1024"),
	},
	{
		Name: "block_size_y", Paper: "block_size_y", Global: true,
		Doc: "work-items of a workgroup along y", Active: anyParallel,
		Values: fixed("1", "2", "4", "8"),
	},
	{
		Name: "logical_warp_size", Paper: "logical_warp_size", Global: true,
		Doc: "neighbouring work-items that work together as one logical warp", Active: usesWarps,
		Values: fixed("2", "4", "8", "16", "32", "64"),
	},
	{
		Name: "grain_size", Paper: "grain_size",
		Doc: "elements that one resource runs one after the other", Applies: independent,
		Values: fixed("1", "2", "4"),
	},
	{
		Name: "execution_resource", Paper: "execution_resource", Code: true,
		Doc: "what each element of the level is given to, or, for a cooperative level, what works on it together", Applies: parallel,
		Values: fixed(Grid, Group, Warp, Lane),
	},
	{
		Name: "block_reduce_algo", Paper: "block_reduce_algo", Code: true,
		Doc: "how the work-items combine: tree (in local memory, with a barrier a step), raking (the first one combines what the others have) or shuffle (subgroup operations)", Applies: reduces,
		Values: fixed("tree", "raking", "shuffle"),
	},
	{
		Name: "block_scan_algo", Paper: "block_scan_algo", Code: true,
		Doc: "how the work-items scan: raking (each a run of neighbours, the first one their sums), or tile by tile: hillis_steele (n log n combinations in local memory), blelloch (2 n of them, in twice the steps) or warp_scans (subgroup operations)", Applies: scans,
		Values: fixed("raking", "hillis_steele", "blelloch", "warp_scans"),
	},
	{
		Name: "block_scan_grain_size", Paper: "block_scan_grain_size", Code: true,
		Doc: "elements of a tile that one work-item scans", Applies: scans,
		Values: fixed("1", "4", "8"),
	},
	{
		Name: "sort_radix_bits", Code: true,
		Doc: "bits of the digits that keys are sorted by, at most: each work-item counts each digit in local memory", Applies: sorts,
		Values: fixed("4", "8"),
	},
	{
		Name: "in_flight", Code: true,
		Doc: "elements that one work-item has in flight: accumulators of a reduction, a block of a scan (of 8 at most); 1 is off", Applies: parallelCombines,
		Values: fixed("1", "8", "32"),
	},
	{
		Name: "store_algo", Code: true,
		Doc: "how a scan writes its blocks: cached, or stream (past the caches, which on processors saves reading what is overwritten where " +
			"the result does not fit into them)",
		Applies: scans, Active: scansBlocks,
		Values: fixed("cached", "stream"),
	},
	{
		Name: "local_tile", Code: true,
		Doc: "elements that each work-item reads into a tile of local memory, where all work-items of a workgroup read the same ones in a loop; 0 is off",
		Applies: func(level fuse.Level, e schedule.Element) bool {
			return sequential(level, e) && level.HasTrait(fuse.TraitShared)
		},
		Values: fixed("0", "1", "4"),
	},
	{
		Name: "unroll", Paper: "enable_unroll", Code: true,
		Doc: "elements an iteration of a sequential loop; 1 is off", Applies: sequential,
		Values: fixed("1", "4", "8"),
	},
}

// tiled reports whether a scan goes from tile to tile.
func tiled(scan string) bool { return scan != "" && scan != "raking" }

// resources returns the resource of each parallel level by depth-1, "" for sequential ones.
func resources(c policy.Context) []string {
	all := make([]string, len(c.Schedule))
	for i := range all {
		all[i] = c.Assignment.Get("execution_resource", i+1)
	}
	return all
}

func rank(resource string) int {
	return slices.IndexFunc(levels, func(l policy.Level) bool { return l.Name == resource })
}

func number(c policy.Context, name string) int {
	n, _ := strconv.Atoi(c.Assignment.Get(name, 0))
	return n
}

var constraints = []policy.Constraint{
	{
		Name: "resources_inwards", Code: true,
		Doc: "Resources go from the outside in: the elements of an outer level are given to larger resources than those of an inner one.",
		Reason: func(c policy.Context) string {
			outer := ""
			for _, r := range resources(c) {
				if r == "" {
					continue
				}
				if outer != "" && rank(r) < rank(outer) {
					return fmt.Sprintf("a level on %s inside one on %s: resources go from the outside in", r, outer)
				}
				if outer != "" && r == outer && r != Group && r != Warp {
					return fmt.Sprintf("two levels on %s: it is used up by the outer one", r)
				}
				outer = r
			}
			return ""
		},
	},
	{
		Name: "resource_fits", Code: true,
		Doc: "An outer independent level whose inner level is parallel gives each element to a workgroup or logical warp, whose work-items run the inner level; " +
			"an independent level alone gives each to a work-item of the grid; a cooperative level alone is worked on by the whole grid or by one workgroup.",
		Reason: func(c policy.Context) string {
			var inner string
			for d := len(c.Schedule); d >= 1; d-- {
				r := c.Assignment.Get("execution_resource", d)
				if r == "" {
					continue
				}
				outermost := true
				for o := 1; o < d; o++ {
					outermost = outermost && !c.Schedule[o-1].Parallel()
				}
				if reason := fits(c.Schedule[d-1], r, inner, outermost); reason != "" {
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
			for _, x := range c.Assignment {
				if (x.Value == "shuffle" || x.Value == "warp_scans") && !c.Machine.Subgroups {
					return x.Value + " needs subgroup operations (cl_khr_subgroups), which the device does not have"
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
				if f := c.Assignment.Get("in_flight", d+1); f == "" || f == "1" {
					continue
				}
				if c.Assignment.Get("execution_resource", d+1) == Warp {
					return "several elements in flight in each work-item of a logical warp: that is for short rows"
				}
				if tiled(c.Assignment.Get("block_scan_algo", d+1)) {
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
				g := c.Assignment.Get("block_scan_grain_size", d+1)
				if c.Assignment.Get("block_scan_algo", d+1) == "raking" && g != "1" {
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
				if t := c.Assignment.Get("local_tile", d); t == "" || t == "0" {
					continue
				}
				inner := ""
				for o := 1; o < d; o++ {
					if r := c.Assignment.Get("execution_resource", o); r != "" {
						inner = r
					}
				}
				if inner != Grid && inner != Lane {
					return "a tile of local memory around which no work-items have elements of their own: there is nothing to share"
				}
				if c.Assignment.Get("execution_resource", 1) == Warp {
					return "a tile of local memory inside a logical warp: the logical warps of a workgroup have rows of their own"
				}
			}
			return ""
		},
	},
	{
		Name: "outer_unroll", Code: true,
		Doc: "Only the innermost level is unrolled: around another loop it would repeat that loop's code and save nothing.",
		Reason: func(c policy.Context) string {
			for d := 1; d < len(c.Schedule); d++ {
				if u := c.Assignment.Get("unroll", d); u != "" && u != "1" {
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
			if number(c, "block_size_x")*number(c, "block_size_y") > limit {
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
				bits, _ := strconv.Atoi(c.Assignment.Get("sort_radix_bits", d+1))
				each := 4 << bits
				if c.Assignment.Get("execution_resource", d+1) != Grid {
					each += sortExchange
				}
				if bits > 0 && number(c, "block_size_x")*number(c, "block_size_y")*each > limit {
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
			warp := number(c, "logical_warp_size")
			switch x := number(c, "block_size_x"); {
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
			if number(c, "block_size_y") > 1 {
				return "work-items are numbered along x first: the same program as with one row of block_size_x × block_size_y work-items"
			}
			return ""
		},
	},
}

// fits says why a level with element e, whose nearest parallel level inside it runs on inner ("" when there is none),
// cannot run on resource.
func fits(e schedule.Element, resource, inner string, outermost bool) string {
	switch {
	case inner != "":
		if e == schedule.Cooperative {
			return "a cooperative level around a parallel one: the work-items that combine are busy inside"
		}
		if resource != Group && resource != Warp {
			return fmt.Sprintf("an element of a level with a parallel one inside is given to %s: it takes a workgroup or a logical warp to run the inner level", resource)
		}
	case !outermost:
		// The inner of two parallel levels runs on the work-items of what the outer element was given to.
		if e == schedule.Independent && resource != Lane {
			return fmt.Sprintf("the elements of an inner independent level are given to %s: only single work-items are left", resource)
		}
		if e == schedule.Cooperative && resource != Group && resource != Warp {
			return fmt.Sprintf("an inner cooperative level on %s: the work-items that combine are those of a workgroup or a logical warp", resource)
		}
	case e == schedule.Independent && resource != Grid:
		return fmt.Sprintf("an independent level alone on %s: the grid has a work-item for each element", resource)
	case e == schedule.Cooperative && resource != Grid && resource != Group:
		return fmt.Sprintf("a cooperative level alone on %s: it would leave most of the device idle", resource)
	}
	return ""
}
