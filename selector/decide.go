package selector

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/selector/param"
)

// decide applies the rules for a nest of the given depth and says which of them fired, with the numbers.
func decide(in *Input, depth int) (plan, string) {
	limit := max(in.Cores, 1)
	if in.Threads > 0 {
		limit = min(limit, in.Threads)
	}
	depth = min(depth, maxLevels)
	length, known := in.Feature(Length)
	if !known || math.IsNaN(length) {
		length = math.Inf(1) // whoever asks without an input is shown what a large one gets
	}
	rows := in.rows(depth)
	rows[0] = length
	outer, inside := in.outermost(depth), ""
	if outer > 1 {
		length = rows[outer-1]
		inside = "inside elements that run one after the other, a "
	}
	if depth == outer {
		return decideFlat(in, rows[:], outer, inside, limit)
	}
	around, elements := rows[outer], length*rows[outer] // around is the length of the rows that hold the innermost ones, where there are such
	want := plan{row: in.usualRow(depth, rows[depth-1]), schedule: param.Static, unroll: 1}
	shape := "nest whose row length is not known"
	if ratio, ok := in.Feature(AspectRatio); ok && ratio > 0 {
		shape = "regular nest"
	}
	if average, ok := in.Feature(AverageRowLength); ok && average > 0 {
		// Guided chunks balance too, and there are fewer of them to take.
		shape, want.schedule = "irregular nest", param.Guided
	}
	shape = fmt.Sprintf("%s%s of %.0f rows of %.4g elements", inside, shape, length, around)
	if want.row > around && outer == 1 {
		shape += fmt.Sprintf(" on average, most of them in rows of %.4g", want.row)
	}
	if depth-outer > 1 {
		elements *= want.row
		shape += fmt.Sprintf(", each a row of %.4g", want.row)
	}
	if elements >= sharedLeast && launches(in.Codes, &param.SharedChunk.Key, 1) {
		want.shared = int(sharedBlock / max(rows[depth-1], 1))
	}
	n := survey(in, depth, rows[:]...)
	n.outer = outer
	lane, width, work := n.best()
	want.nest = n
	perThread := float64(workPerThread)
	if combinesRows(in, outer) {
		perThread = combinedWork
	}
	packed, tiles := 0, false
	tiled := depth - 1 // the level whose elements vectors of a tile hold
	switch {
	case depth-outer > 1:
		packed, tiles = rowsInRegisters(in, depth, rows[depth-2], want.row)
	case hasTiles(in, outer): // of loops
		tiled = depth
		inner := narrowestTiles(in, outer, depth)
		tiles = inner > 0 && want.row >= float64(inner)
	}
	if packed > 0 {
		least := min(work, n.row(outer, depth-2, packed)) / tileShare
		rows := length / float64(threadsFor(least, perThread, limit, in.Cores))
		if want.packed = rows >= float64(vectorsPerRow*packed); want.packed {
			work = least
		}
	}
	if tiles && !want.packed {
		work /= tileShare
	}
	allowed := limit
	if few := length < float64(rowsPerThread*limit) && want.row >= longRow; lane == 1 && !few && !want.packed {
		limit = int(max(min(float64(limit), length/float64(width)), 1)) // a thread without a whole vector of rows has no lanes
	}
	want.threads = threadsFor(work, perThread, limit, in.Cores)
	if length < 2 && lane > 0 && want.row < longRow {
		want.threads = 1 // with the lanes of the one row, which none shares with it
	}
	facts := fmt.Sprintf("%s, %.3g operations on %s", shape, work, threadsText(want.threads))
	want.divided = in.flat
	if !in.flat && want.threads > 1 && length < float64(rowsPerThread*want.threads) && want.row >= longRow {
		want.poolLevel, want.laneLevel, want.schedule = depth, depth, param.Static
		if hasRoutine(in, depth) {
			want.routine = true
			return want, facts + fmt.Sprintf(": fewer than %d rows a thread and each is long, so workers share one row, by the routine that takes a whole row", rowsPerThread)
		}
		one := n // row
		one.outer = depth
		if pays, _, _ := one.best(); pays == 0 {
			want.laneLevel = 0
			if !n.independent[depth-1] {
				want.unroll = 4
			}
			return want, facts + fmt.Sprintf(": fewer than %d rows a thread and each is long, so workers share one row; no lanes would save operations there", rowsPerThread)
		}
		return want, facts + fmt.Sprintf(": fewer than %d rows a thread and each is long, so workers and lanes share one row", rowsPerThread)
	}
	over := "the pool takes rows"
	switch {
	case in.flat:
		want.poolLevel, want.schedule = outer, param.Static
		over = "the pool shares the elements of rows, and parts of long ones"
	case want.threads > 1:
		want.poolLevel = outer
		over += ", " + string(want.schedule)
	default:
		over = fmt.Sprintf("too little work for a second thread (one for each %.2g operations)", perThread)
		switch {
		case allowed == 1:
			over = "one thread is allowed"
		case limit == 1:
			over = fmt.Sprintf("fewer rows than two threads need for vectors of %d each", width)
		case length < 2:
			over = "one row is one thread's"
		}
	}
	if want.shared > 0 {
		want.poolLevel = outer // chunks are the pool's, where one thread may be all of it
		over += ", in chunks that the computation before has just done"
	}
	want.stream = streams(length*rows[1], want.threads)
	if want.sorted = want.threads > 1 && manyBins(in, length); want.sorted {
		facts += binsText
	}
	if want.packed {
		// There are tiles on the pool only, where one thread may be all of it.
		want.poolLevel, want.laneLevel, want.tile, want.row = outer, depth-2, true, length/float64(want.threads)
		return want, facts + ": " + over + "; rows of one length are read several times, so vectors of them are packed, a row a lane"
	}
	if tiles {
		want.poolLevel, want.laneLevel, want.tile, want.row = outer, tiled, true, rows[tiled-1]
		return want, facts + ": " + over + "; rows are computed in register tiles, on the lanes of the level inside"
	}
	if want.row >= rowRoutine && hasRoutine(in, depth) {
		want.laneLevel, want.routine = depth, true
		return want, facts + ": " + over + fmt.Sprintf("; rows are long enough for the routine that takes a whole row (%d elements or more)", rowRoutine)
	}
	if lane > 0 {
		want.laneLevel, want.width, want.row, want.operations = lane, width, in.usualRow(lane, rows[lane-1]), n.operations(lane)
		return want, facts + ": " + over + fmt.Sprintf("; level %d has the lanes, vectors of %d: without them it is %.3g operations", lane, width, n.row(outer, 0, 1))
	}
	_, irregular := in.Feature(AverageRowLength)
	switch {
	case n.independent[depth-1]:
	case irregular && want.row >= pairedRow && want.row < evenRow:
		want.unroll = 2
	case want.row >= unrolledRow:
		want.unroll = 4
	}
	return want, facts + ": " + over + "; no lanes would save operations, so each row is sequential"
}

// rowsInRegisters says how several rows may be computed at once: packed is the least width of vectors of packed rows,
// 0 where rows are not to be packed, and tiles says that the rows around the innermost ones fill vectors for register
// tiles.
func rowsInRegisters(in *Input, depth int, around, row float64) (packed int, tiles bool) {
	inner := narrowestTiles(in, depth-2, depth-1)
	tiles = inner > 0 && around >= float64(inner)
	if row <= packedRow && !(hasProducts(in, depth-2) && around >= float64(vectorsPerRow*widestLanes(in, depth-1))) {
		packed = packedLanes(in, depth)
	}
	return packed, tiles
}

// narrowestTiles returns the smallest width of the vectors, at one level, of register tiles of rows of another one, 0
// when no code has such tiles.
func narrowestTiles(in *Input, rows, lanes int) int {
	least := 0
	for i := range in.Codes {
		n := lanesAt(&in.Codes[i], lanes)
		if n > 0 && param.Tile.Or(in.Codes[i].Policy, rows, 1) != 1 && (least == 0 || n < least) {
			least = n
		}
	}
	return least
}

// leastVectors is how many vectors a row needs for lanes at the given level to pay.
func leastVectors(schedule string, level int) int {
	for ; level > 1; level-- {
		_, schedule, _ = strings.Cut(schedule, ">")
	}
	if strings.HasPrefix(schedule, "independent") {
		return 1
	}
	return vectorsPerRow
}

// widestLanes returns the largest vector width that a code has at the given level, 0 when none has lanes there.
func widestLanes(in *Input, depth int) int {
	most := 0
	for i := range in.Codes {
		most = max(most, lanesAt(&in.Codes[i], depth))
	}
	return most
}

// hasProducts reports whether a code computes rows of the given level in register tiles by the routine for sums of
// products, which beats packed rows where the level inside fills vectors.
func hasProducts(in *Input, depth int) bool {
	return slices.ContainsFunc(in.Codes, func(c Code) bool { return param.TileAlgo.At(c.Policy, depth) == param.Routine })
}

// hasTiles reports whether a code computes rows of the given level in register tiles.
func hasTiles(in *Input, depth int) bool {
	return slices.ContainsFunc(in.Codes, func(c Code) bool { return param.Tile.Or(c.Policy, depth, 1) != 1 })
}

// packedLanes returns the smallest width of vectors of packed rows in a nest of the given depth, 0 when no code packs
// them: only there are vectors of rows computed in register tiles.
func packedLanes(in *Input, depth int) int {
	least := 0
	for i := range in.Codes {
		n := lanesAt(&in.Codes[i], depth-2)
		if n > 0 && param.Tile.At(in.Codes[i].Policy, depth-2) > 1 && (least == 0 || n < least) {
			least = n
		}
	}
	return least
}

// combinesRows reports whether a code combines results that are whole rows of the level inside outer: each thread has
// its own.
func combinesRows(in *Input, outer int) bool {
	prefix := strings.Repeat("sequential>", outer-1) + "cooperative>independent"
	return slices.ContainsFunc(in.Codes, func(c Code) bool { return strings.HasPrefix(c.Schedule, prefix) })
}

// outermost returns the first level that a code divides, the innermost one if none does. The levels around it run one
// element after the other, as does the only element of sequential code at the top of a kernel: what is chosen for the
// levels from this one on counts for each of their runs by itself.
func (in *Input) outermost(depth int) int {
	outer := depth
	for i := range in.Codes {
		code := &in.Codes[i]
		if in.Computation != "" && code.Computation != in.Computation || in.Platform != "" && code.Platform != in.Platform {
			continue
		}
		schedule := code.Schedule
		for l := 1; l < outer; l++ {
			first, rest, _ := strings.Cut(schedule, ">")
			if first != "sequential" {
				outer = l
			}
			schedule = rest
		}
	}
	return outer
}

// hasRoutine reports whether a code runs sparse rows by the routine for whole rows.
func hasRoutine(in *Input, depth int) bool {
	return slices.ContainsFunc(in.Codes, func(c Code) bool { return param.GatherAlgo.At(c.Policy, depth) == param.Row })
}

// decideFlat is for a single level, outer, of rows of the given lengths: the only one, or the innermost one of
// elements that run one after the other, of which inside speaks.
func decideFlat(in *Input, rows []float64, outer int, inside string, limit int) (plan, string) {
	length := rows[outer-1]
	n := survey(in, outer, rows...)
	n.outer = outer
	lane, width, work := n.best()
	threads := threadsFor(work, workPerThread, limit, in.Cores)
	alone := false // elements without lanes, on more threads than would have vectors
	if lane > 0 && length < float64(limit*width) && dividedAlone(in, outer) {
		divided := n
		divided.pool, divided.threads = outer, threadsFor(n.row(outer, 0, 1), workPerThread, limit, in.Cores)
		if divided.row(outer, 0, 1) <= work+regionCost {
			lane, width, threads, alone = 0, 1, divided.threads, divided.threads > 1
		}
	}
	few := false // elements, to fill a vector of each thread: what is left of one is computed one by one
	for ; lane > 0 && threads > 1 && length < float64(threads*width); threads /= 2 {
		few = true
	}
	want := plan{threads: threads, row: length, schedule: param.Static, unroll: 4, operations: n.operations(outer), nest: n}
	if n.independent[outer-1] {
		want.unroll = 1
	}
	want.stream = streams(length, want.threads)
	facts := fmt.Sprintf("%ssingle level of %.0f elements, %.3g operations on %s", inside, length, work, threadsText(want.threads))
	if want.sorted = want.threads > 1 && manyBins(in, length); want.sorted {
		facts += binsText
	}
	facts += ": "
	how := "no code here uses lanes"
	switch {
	case lane > 0:
		want.laneLevel, want.width, how = outer, width, fmt.Sprintf("vectors of %d: without lanes it is %.3g operations", width, n.row(outer, 0, 1))
	case alone:
		how = "there are too few to fill vectors of as many threads"
	case n.lanes[outer-1].widths != 0:
		how = "no lanes would save operations"
	}
	switch {
	case want.threads > 1:
		want.poolLevel, want.scan = outer, param.TwoPass
		if length >= chainedLength {
			want.scan = param.Chained
		}
		return want, facts + "the pool takes its parts; " + how
	case limit == 1:
		return want, facts + "one thread is allowed; " + how
	case few:
		return want, facts + "fewer elements than two threads need to fill vectors; " + how
	}
	return want, facts + fmt.Sprintf("too little work for a second thread (one for each %.2g operations); ", float64(workPerThread)) + how
}

// dividedAlone reports whether a code divides the elements of a level among threads that have no lanes there, and none
// of which waits for another.
func dividedAlone(in *Input, level int) bool {
	return slices.ContainsFunc(in.Codes, func(c Code) bool {
		r := param.ExecutionResource.At(c.Policy, level)
		return r.Threads() && !r.Has(param.Lane) && leastVectors(c.Schedule, level) == 1
	})
}

// manyBins reports whether there are as many bins as elements, or more: a thread then takes longer for bins of its own
// than for sorting elements by their bins. (Measured with counts and sums of 10^6 and 10^7 elements on two threads:
// with half as many bins as elements sorting takes 0.8 to 1.5 of the time, with as many 0.5 to 1.3, with twice as many
// 0.4 to 0.9; with a tenth 1.7 to 4.)
func manyBins(in *Input, length float64) bool {
	bins, ok := in.Feature(Bins)
	return ok && bins >= length && slices.ContainsFunc(in.Codes, func(c Code) bool {
		return slices.ContainsFunc(c.Policy, param.HistAlgo.Is)
	})
}

// binsText says that elements are sorted by their bins.
const binsText = ", with as many bins or more, so elements are sorted by them"

// streams reports whether a scan of so many results writes past the caches.
func streams(length float64, threads int) bool {
	if threads == 1 {
		return length >= streamAlone
	}
	return length >= streamLength
}

// threadsFor returns how many threads the work is worth, one for each perThread operations: a measured count, or the
// limit itself.
func threadsFor(work, perThread float64, limit, cores int) int {
	if !(work >= 2*perThread) {
		return 1
	}
	most := limit
	if n := work / perThread; n < float64(limit) {
		most = int(n)
	}
	if most == limit {
		return limit
	}
	best := 1
	for n := 1; n <= min(most, cores); n *= 2 { // as ThreadCounts
		best = n
	}
	return best
}
