package selector

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/selector/param"
)

// What the rules for devices are made of.
const (
	// smallGrid is the number of elements that one workgroup works on alone: below it a second kernel launch, or partial
	// results of more workgroups, cost more than they save.
	smallGrid = 4096
	// smallSort is the number of keys that one workgroup sorts alone where it runs on a processor's core: the grid
	// sorts them in a dozen launches or more.
	smallSort = 1 << 16
	// sortBlock is the size of workgroups that sort by digits of 8 bits, whose counters fill local memory, or a
	// core's cache.
	sortBlock = 32
	// shortRow is the row length up to which a work-item runs a whole row, and longRowGroup that from which a
	// workgroup does; between them a logical warp does.
	shortRow     = 12
	longRowGroup = 1024
	// groupRow is the row length from which a workgroup of the usual size is worth its barriers where no logical warp
	// can run a row: for shorter ones a work-item is.
	groupRow = usualBlock / 2
	// fewRows is the number of rows below which work-items that run a whole row each leave a device idle.
	fewRows = 1024
	// usualMost is how many work-items a workgroup of a GPU has at most where nothing else is said.
	usualMost = 256
	// usualBlock is the size of workgroups where nothing asks for another.
	usualBlock = 128
	// rowBlock is the most work-items of a workgroup of a GPU that have an element of a row each, and fewRowsBlock the
	// same where there are few rows; binsBlock is the size of one whose logical warps have bins.
	rowBlock     = 256
	fewRowsBlock = 512
	binsBlock    = 1024
	// longShare is how many elements of the row that an average element lies in are a work-item's of a logical warp.
	longShare = 8
	// rowGroups is the number of workgroups that rows are divided among, as far as that leaves each a warp of them.
	rowGroups = 64
	// fewInFlight is the most elements in flight of work-items that have few; manyElements is the number of elements from
	// which each work-item of a processor's grid has hundreds.
	fewInFlight  = 8
	manyElements = 1 << 19
	// tileGroups and tileItems are the numbers of workgroups and of work-items in all that keep a device busy where each
	// of them computes several rows together, and tileBlock is the least number of work-items of each workgroup, which
	// compute several elements of each row.
	tileGroups = 64
	tileItems  = 1 << 14
	tileBlock  = 32
	// tileRows and tileElements are the most rows and elements in all that a work-item of a GPU computes together: an H200
	// was slower with more of them (docs/measurements/gpu.md).
	tileRows     = 8
	tileElements = 32
	// rowsPerCore is the number of rows a core from which the cores of a processor each run whole rows.
	rowsPerCore = 4
)

// devicePlan is what the rules want of a device.
type devicePlan struct {
	resource param.Resource // of the outermost parallel level
	inner    string         // schedule of the next level of an independent one: cooperative or sequential
	block    int
	most     int    // work-items of a workgroup
	tile     [2]int // elements of the outermost level and of the next one that are computed together, 1 for none
	warp     int
	unroll   int
	lockstep bool    // work-items run in step: local memory and barriers are cheap
	length   float64 // rows
	row      float64 // length of the rows
	many     bool    // each work-item has more than fewInFlight elements in flight
	stream   bool    // a scan writes past the caches
}

// decideDevice applies the rules for a device to a nest of the given depth, of which code is one.
func decideDevice(in *Input, depth int, code *Code) (devicePlan, string) {
	length, known := in.Feature(Length)
	if !known || math.IsNaN(length) {
		length = math.Inf(1)
	}
	want := devicePlan{block: usualBlock, tile: [2]int{1, 1}, warp: 8, unroll: 4, resource: param.Grid, lockstep: in.Accelerator != "" && in.Accelerator == code.Platform}
	if want.most = in.Workgroup; want.most <= 0 {
		want.most = usualMost
	}
	if depth == 1 {
		few := smallGrid
		if param.SortRadixBits.In(code.Policy, 1) && !want.lockstep {
			few = smallSort
		}
		if length <= float64(few) {
			want.resource = param.Group
			return want, fmt.Sprintf("single level of %.0f elements on a device: few enough for one workgroup (%d or fewer)", length, few)
		}
		if !want.lockstep {
			want.block, want.many, want.stream = 2*usualBlock, length >= manyElements, streams(length, in.Cores)
		}
		return want, fmt.Sprintf("single level of %.0f elements on a device: the grid takes its parts", length)
	}
	row, shape := float64(assumedRow), "nest whose row length is not known"
	if ratio, ok := in.Feature(AspectRatio); ok && ratio > 0 {
		row, shape = length/ratio, "regular nest"
	}
	if average, ok := in.Feature(AverageRowLength); ok {
		row, shape = average, "irregular nest"
	}
	want.length, want.row = length, row
	facts := fmt.Sprintf("%s of %.0f rows of %.4g elements on a device: ", shape, length, row)
	if row < unrolledRow && want.lockstep { // a processor's compiler turns it into vectors
		want.unroll = 1
	}
	rows, elements := min(length/tileGroups, tileRows), min(length*row/tileItems, tileElements)
	if !want.lockstep {
		rows, elements = length/(rowsPerCore*float64(max(in.Cores, 1))), math.Inf(1)
	}
	if tile := largestTile(in, code.Platform, rows, row/tileBlock, elements); tile != want.tile {
		want.inner, want.resource, want.block, want.tile = "cooperative", param.Group, powerOfTwo(row/float64(tile[1]), tileBlock, 256), tile
		return want, facts + fmt.Sprintf("there are enough for register tiles, %d rows of a workgroup and %d elements of each for a work-item", tile[0], tile[1])
	}
	switch {
	case !want.lockstep && length >= rowsPerCore*float64(max(in.Cores, 1)):
		want.inner = "sequential"
		return want, facts + "it is a processor, whose cores run whole rows, a work-item each"
	case row <= shortRow:
		want.inner = "sequential"
		return want, facts + fmt.Sprintf("rows are short (%d elements or fewer), so a work-item runs each", shortRow)
	case row < longRowGroup && length >= fewRows:
		want.inner, want.resource = "cooperative", param.Warp
		long, _ := in.Feature(ElementRowLength)
		want.warp = powerOfTwo(max(row/2, long/longShare), 2, 32)
		switch {
		case !want.lockstep:
		case slices.ContainsFunc(in.Codes, rowsInBins): // an element of a row for each work-item
			want.warp, want.block = powerOfTwo(row, 2, 32), binsBlock
		case want.warp == 32: // the warps of a workgroup would wait for each other
			want.block = want.warp
		}
		return want, facts + fmt.Sprintf("a logical warp of %d work-items runs each", want.warp)
	}
	want.inner, want.resource, want.block = "cooperative", param.Group, powerOfTwo(row/4, 32, 256)
	return want, facts + "rows are long or few, so a workgroup runs each"
}

// largestTile returns the largest register tile of the codes of at most so many rows, elements of each, and elements in
// all, that with the most rows of such of one size.
func largestTile(in *Input, platform string, rows, columns, elements float64) [2]int {
	best := [2]int{1, 1}
	for i := range in.Codes {
		tile := tileOf(&in.Codes[i])
		size, most := tile[0]*tile[1], best[0]*best[1]
		fits := float64(tile[0]) <= rows && float64(tile[1]) <= columns && float64(size) <= elements
		if in.Codes[i].Platform == platform && fits && (size > most || size == most && tile[0] > best[0]) {
			best = tile
		}
	}
	return best
}

// sortsByBytes reports whether a setting is that of a sort by digits of 8 bits.
func sortsByBytes(s param.Setting) bool {
	return param.SortRadixBits.Is(s) && param.SortRadixBits.Value(s) == 8
}

// rowsInBins reports whether a code is that of a histogram of rows, whose elements a team adds up.
func rowsInBins(code Code) bool { return strings.HasPrefix(code.Schedule, "cooperative>independent") }

// tileOf returns how many elements of the outermost level, and of the next one, a code computes together.
func tileOf(code *Code) [2]int {
	return [2]int{param.Tile.Or(code.Policy, 1, 1), param.Tile.Or(code.Policy, 2, 1)}
}

// powerOfTwo returns the largest power of two that is not above x, between low and high.
func powerOfTwo(x float64, low, high int) int {
	n := low
	for n < high && float64(2*n) <= x {
		n *= 2
	}
	return n
}

// penalty says how far code is from the plan; 0 is exactly what the rules want.
func (want *devicePlan) penalty(code *Code) int {
	elements := strings.Split(code.Schedule, ">")
	total := 0
	parallel, first := 0, 0
	for i, e := range elements {
		if e != "sequential" {
			if parallel++; parallel == 1 {
				first = i
			}
		}
	}
	switch {
	case parallel == 0:
		return 2 * pointless // one work-item of the device
	case first > 0:
		total += pointless / 2 // one workgroup
	}
	outer := param.ExecutionResource.At(code.Policy, first+1)
	innerParallel := len(elements) > 1 && elements[1] != "sequential"
	if first == 0 && len(elements) > 1 && (elements[0] == "independent" || innerParallel) {
		// For a nest whose inner level can be parallel the resource follows from how it runs.
		switch {
		case innerParallel != (want.inner == "cooperative"):
			total += 1000
		case innerParallel && want.resource == param.Warp && outer == param.Group && want.row < groupRow:
			total += 1200 // most of the group would have nothing to do
		case innerParallel && outer != want.resource:
			total += 400
		}
	} else {
		if first == 0 && want.inner == "cooperative" {
			total += 500 // of a histogram of rows there are codes for teams, too
		}
		if outer != want.resource && (outer != param.Grid || want.resource == param.Group && len(elements) == 1) {
			total += 600
		}
	}
	if tileOf(code) != want.tile {
		total += 60
	}
	for i := range code.Policy {
		s := code.Policy[i]
		switch {
		case param.Unroll.Is(s):
			if s.Depth() == len(elements) && param.Unroll.Value(s) != want.unroll {
				total += 10
			}
		case param.BlockReduceAlgo.Is(s):
			total += algorithm(want, param.BlockReduceAlgo.Value(s), param.ShuffleReduce, param.TreeReduce, param.RakingReduce)
		case param.BlockScanAlgo.Is(s): // blelloch comes last: slower on processors, not measured elsewhere
			total += algorithm(want, param.BlockScanAlgo.Value(s), param.WarpScans, param.HillisSteele, param.Raking)
		case param.SortRadixBits.Is(s): // the more work-items a group has, the fewer counters has each
			total += algorithm(want, param.SortRadixBits.Value(s), 4, 8)
		case param.InFlight.Is(s):
			switch n := param.InFlight.Value(s); {
			case n == 1:
				total += 10
			case (n > fewInFlight) != want.many:
				total += 5
			}
		case param.StoreAlgo.Is(s):
			if (param.StoreAlgo.Value(s) == param.Stream) != want.stream {
				total += 5
			}
		case param.LocalTile.Is(s): // caches do the same on processors; elsewhere it has to be measured
			if param.LocalTile.Value(s) != 0 {
				total += 50
			}
		case param.BlockScanGrainSize.Is(s):
			if want.lockstep && param.BlockScanGrainSize.Value(s) != 4 {
				total += 5
			}
		}
	}
	return total
}

// algorithm is the penalty of an algorithm of workgroups, of which those given are the better the earlier they stand on
// devices whose work-items run in step, and the better the later on others, where every barrier is a loop.
func algorithm[T comparable](want *devicePlan, chosen T, inStep ...T) int {
	for i, n := range inStep {
		if n == chosen {
			if want.lockstep {
				return 20 * i
			}
			return 20 * (len(inStep) - i)
		}
	}
	return 100
}

// launch completes code with the launch settings that the plan wants, as far as the code's lists allow.
func (want *devicePlan) launch(code *Code, cores int) Variant {
	settings := make(param.Policy, 0, len(code.Launch))
	block := min(want.blockOf(code), want.most)
	for _, l := range code.Launch {
		switch {
		case param.BlockSizeX.Opens(l):
			block = nearestBelow(param.BlockSizeX.Of(l), block)
			settings = append(settings, param.BlockSizeX.With(0, block))
		case param.LogicalWarpSize.Opens(l):
			settings = append(settings, param.LogicalWarpSize.With(0, nearestBelow(param.LogicalWarpSize.Of(l), min(want.warp, block))))
		} // of others what is listed first is the least
	}
	return code.fill(cores, settings)
}

// blockOf returns the size of workgroups that code is to have.
func (want *devicePlan) blockOf(code *Code) int {
	outer := param.ExecutionResource.At(code.Policy, 1)
	switch {
	case slices.ContainsFunc(code.Policy, sortsByBytes):
		return sortBlock
	case !want.lockstep:
	case outer == param.Group && strings.HasPrefix(code.Schedule, "independent>independent") && tileOf(code) == [2]int{1, 1}:
		most := rowBlock // nothing is combined: a work-item for each element
		if want.length < fewRows {
			most = fewRowsBlock
		}
		return powerOfTwo(2*want.row-1, 32, most)
	case outer == param.Grid && want.row > 0 && strings.HasSuffix(code.Schedule, ">sequential"):
		return powerOfTwo(want.length/rowGroups, 32, usualBlock)
	}
	return want.block
}

// worse implements [planner]. What a device's code costs nobody estimates.
func (want *devicePlan) worse(*Code, *Code, int) string { return "" }

// nearestBelow returns the largest of the values that is not above x, or the least of all.
func nearestBelow(values []int, x int) int {
	if len(values) == 0 {
		return x
	}
	return atMost(values, x, slices.Min(values))
}
