package selector

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/surge-ndp/surge/selector/param"
)

// Untrained chooses without measurements, from the size and shape of the input alone, so that the first run of a
// program is sensible. Its rules and their numbers are the constants below.
type Untrained struct{}

// Name returns "untrained".
func (Untrained) Name() string { return "untrained" }

const (
	// workPerThread is the estimate, in operations, that justifies one more thread: waking it costs a few microseconds.
	// (Measured with some forty kernels: two threads make up for that between 2e4 and 6e4 operations.)
	workPerThread = 1.5e4
	// vectorsPerRow is how many vectors a row needs for each vector that is combined with others, and how many
	// vectors of rows a thread needs for packed ones.
	vectorsPerRow = 4
	// rowsPerThread is the number of rows a thread below which rows are too few to balance.
	rowsPerThread = 4
	// longRow is the number of elements from which one row is worth a parallel region of its own.
	longRow = 2e4
	// unrolledRow is the row length from which a sequential loop over it takes four elements at a time. pairedRow is
	// that from which it takes two where rows differ in length, and evenRow that from which it takes four there too:
	// a processor guesses wrong how many elements four leave. (Measured with sparse matrices of 2 to 67 elements a
	// row: one at a time takes 1.05 to 1.3 of the time of two, four 1.02 to 1.4, more the shorter the rows are. Rows
	// of 8 to 64 numbers, all as long: two take 1.06 to 1.18 of the time of four.)
	unrolledRow = 8
	pairedRow   = 2
	evenRow     = 48
	// assumedRow is the row length of a nest whose features do not tell it.
	assumedRow = 64
	// chainedLength is the number of elements from which a scan reads its input once, chained, instead of twice.
	chainedLength = 1 << 16
	// rowRoutine is the row length from which the routine for a whole sparse row is taken and not a scalar loop over
	// it. What is better depends on how fast a processor gathers: on one (Intel) the routine takes 0.8 of the loop's
	// time for 8 elements and 0.5 for 64, on another (Zen 5) 1.4 for 8 to 16, 1.1 for 16 to 32 and about the same for
	// 32 to 60.
	rowRoutine = 16
	// streamLength is the number of results from which a scan by several threads writes past the caches, streamAlone
	// that of one thread: input and result exceed its second-level cache. (Measured with 2 MiB of that and elements
	// of 8 bytes: at 2^17 elements streaming takes 1.2 of the time, at 2^18 0.75, at 2^20 0.8; two threads share the
	// memory, and up to 2^20 it makes no difference.)
	streamLength = 1 << 21
	streamAlone  = 1 << 18
	// packedRow is the row length up to which rows are packed: what is packed has to stay in the second-level cache.
	packedRow = 8192
	// sharedBlock is up to how many elements are read in a chunk that two computations share: they have to stay in
	// half of a second-level cache. sharedLeast is the number of elements from which chunks are shared: fewer stay in
	// the last cache.
	sharedBlock = 1 << 16
	sharedLeast = 1 << 20
	// combinedWork is the estimate that justifies one more thread where each thread has results of its own that are
	// whole rows, and all are combined at the end. (Measured with a histogram of rows of 32: with 3e3 rows one thread
	// takes 0.8 of the time of two, with 1e4 as much, with 1e5 two are faster.)
	combinedWork = 5e4
	// operationsInFlight is how many operations the vectors in flight have together at most: with more, the Go
	// compiler's 15 vector registers do not hold what they compute, and there is nothing left to wait for.
	operationsInFlight = 32
	// pointless is the penalty of codes that divide work which the plan does not divide, at a cost: they are not ranked
	// while there are others.
	pointless = 5000
	// ranked is how many choices Rank returns at most, besides the last resort.
	ranked = 4
)

// plan is what the rules want: which level uses which resource and how.
type plan struct {
	threads    int
	width      int     // of vectors at laneLevel, where the rules do not leave it to the length of rows
	operations float64 // of an element there
	poolLevel  int     // 0: none
	laneLevel  int     // 0: none
	row        float64
	schedule   param.Schedule // of poolLevel
	scan       param.Scan
	unroll     int  // of the innermost level when it is sequential
	routine    bool // sparse rows go to the routine for whole rows
	stream     bool // a scan writes past the caches
	tile       bool // rows are computed in register tiles
	packed     bool // rows of one length lie packed on the lanes of the level around them
	shared     int  // rows at most in a chunk that is shared with the computation before, 0 for none
	nest       nest // what the plan is for
}

// planner is what the rules of a platform want.
type planner interface {
	// penalty says how far code is from the plan.
	penalty(code *Code) int
	// launch completes code with launch settings.
	launch(code *Code, cores int) Variant
	// worse says why code, which the rules chose, is not taken for all that but the plainest code; "" if it is.
	worse(code, plainest *Code, cores int) string
}

// Rank ranks the codes by how near they are to what the rules want. It returns a few choices and, last, the code that
// uses the fewest resources. It reports an error when no code belongs to the input's computation and platform.
func (Untrained) Rank(in Input) ([]Choice, error) {
	switch in.Question {
	case OfTargets:
		return rankTargets(&in)
	case OfAlgorithms:
		return rankAlgorithms(&in)
	}
	r := rank(&in)
	if r.n == 0 {
		return nil, fmt.Errorf("no variant of computation %q on platform %q among the %d that this program has", in.Computation, in.Platform, len(in.Codes))
	}
	choices := make([]Choice, 0, ranked+2)
	plainest := r.plainest
	if r.worse != "" {
		choices = append(choices, Choice{Variant: r.want.launch(plainest, in.Cores), Code: in.index(plainest), Reason: r.worse + ": " + r.why})
		plainest = nil
	}
	for _, s := range r.best[:r.n] {
		reason := r.why
		if len(choices) > 0 {
			reason = "next best by the same rules: " + r.why
		}
		if s.code == plainest {
			plainest = nil
		}
		choices = append(choices, Choice{Variant: r.want.launch(s.code, in.Cores), Code: in.index(s.code), Reason: reason})
	}
	if plainest != nil {
		choices = append(choices, Choice{Variant: r.want.launch(plainest, in.Cores), Code: in.index(plainest), Reason: "last resort: the plainest code there is"})
	}
	return choices, nil
}

// index returns which of the input's codes one of them is.
func (in *Input) index(code *Code) int {
	for i := range in.Codes {
		if &in.Codes[i] == code {
			return i
		}
	}
	return -1
}

// scored is a code and how far it is from the plan.
type scored struct {
	code    *Code
	penalty int
}

// ranking is what the rules say of an input.
type ranking struct {
	best     [ranked]scored // the first n; of equals the first stays first
	n        int            // 0: there is no code at all
	plainest *Code          // the code that uses the fewest resources: the last one
	worse    string         // why the plainest code is taken and not best[0], "" if that is taken
	want     planner
	why      string
}

// first is the code that is taken.
func (r *ranking) first() *Code {
	if r.worse != "" {
		return r.plainest
	}
	return r.best[0].code
}

// rank applies the rules to an input.
func rank(in *Input) ranking {
	var r ranking
	planned, platform := -1, ""
	for i := range in.Codes {
		code := &in.Codes[i]
		if in.Computation != "" && code.Computation != in.Computation || in.Platform != "" && code.Platform != in.Platform {
			continue
		}
		if depth := strings.Count(code.Schedule, ">") + 1; depth != planned || code.Platform != platform {
			planned, platform = depth, code.Platform
			of := *in
			of.Codes = onPlatform(in.Codes, platform)
			if launches(of.Codes, &param.BlockSizeX.Key, 0) {
				p, reason := decideDevice(&of, depth, code)
				r.want, r.why = &p, reason
			} else {
				p, reason := decide(&of, depth)
				r.want, r.why = &p, reason
			}
		}
		r.plainest = code
		s := scored{code, r.want.penalty(code)}
		at := r.n
		for at > 0 && s.penalty < r.best[at-1].penalty {
			at--
		}
		if at < ranked {
			r.n = min(r.n+1, ranked)
			copy(r.best[at+1:r.n], r.best[at:r.n-1])
			r.best[at] = s
		}
	}
	for r.n > 1 && r.best[r.n-1].penalty >= pointless {
		r.n--
	}
	if r.n > 0 {
		r.worse = r.want.worse(r.best[0].code, r.plainest, in.Cores)
	}
	return r
}

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
	want := plan{row: rows[depth-1], schedule: param.Static, unroll: 1}
	shape := "nest whose row length is not known"
	if ratio, ok := in.Feature(AspectRatio); ok && ratio > 0 {
		shape = "regular nest"
	}
	if average, ok := in.Feature(AverageRowLength); ok && average > 0 {
		// Guided chunks balance too, and there are fewer of them to take.
		shape, want.schedule = "irregular nest", param.Guided
	}
	shape = fmt.Sprintf("%s%s of %.0f rows of %.4g elements", inside, shape, length, around)
	if depth-outer > 1 {
		elements *= want.row
		shape += fmt.Sprintf(", each a row of %.4g", want.row)
	}
	if elements >= sharedLeast && launches(in.Codes, &param.SharedChunk.Key, 1) {
		want.shared = int(sharedBlock / max(want.row, 1))
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
	if depth-outer > 1 {
		packed, tiles = rowsInRegisters(in, depth, rows[depth-2], want.row)
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
	facts := fmt.Sprintf("%s, %.3g operations on %s", shape, work, threadsText(want.threads))
	if want.threads > 1 && length < float64(rowsPerThread*want.threads) && want.row >= longRow {
		want.poolLevel, want.laneLevel, want.schedule = depth, depth, param.Static
		if in.Strided == depth {
			want.laneLevel = 0
			return want, facts + fmt.Sprintf(": fewer than %d rows a thread and each is long, so workers share one row; its elements lie at a distance, and lanes would not pay", rowsPerThread)
		}
		return want, facts + fmt.Sprintf(": fewer than %d rows a thread and each is long, so workers and lanes share one row", rowsPerThread)
	}
	over := "the pool takes rows"
	if want.threads > 1 {
		want.poolLevel = outer
		over += ", " + string(want.schedule)
	} else {
		over = fmt.Sprintf("too little work for a second thread (one for each %.2g operations)", perThread)
		switch {
		case allowed == 1:
			over = "one thread is allowed"
		case limit == 1:
			over = fmt.Sprintf("fewer rows than two threads need for vectors of %d each", width)
		}
	}
	if want.shared > 0 {
		want.poolLevel = outer // chunks are the pool's, where one thread may be all of it
		over += ", in chunks that the computation before has just done"
	}
	want.stream = streams(length*rows[1], want.threads)
	if want.packed {
		// There are tiles on the pool only, where one thread may be all of it.
		want.poolLevel, want.laneLevel, want.tile, want.row = outer, depth-2, true, length/float64(want.threads)
		return want, facts + ": " + over + "; rows of one length are read several times, so vectors of them are packed, a row a lane"
	}
	if tiles {
		want.poolLevel, want.laneLevel, want.tile, want.row = outer, depth-1, true, rows[depth-2]
		return want, facts + ": " + over + "; rows are computed in register tiles, on the lanes of the level inside"
	}
	if want.row >= rowRoutine && hasRoutine(in, depth) {
		want.laneLevel, want.routine = depth, true
		return want, facts + ": " + over + fmt.Sprintf("; rows are long enough for the routine that takes a whole row (%d elements or more)", rowRoutine)
	}
	if lane > 0 {
		want.laneLevel, want.width, want.row, want.operations = lane, width, rows[lane-1], n.operations(lane)
		return want, facts + ": " + over + fmt.Sprintf("; level %d has the lanes, vectors of %d: without them it is %.3g operations", lane, width, n.row(outer, 0, 1))
	}
	_, irregular := in.Feature(AverageRowLength)
	switch {
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
	inner := narrowestLanes(in, depth-1)
	tiles = inner > 0 && around >= float64(inner) && hasTiles(in, depth-2)
	if row <= packedRow && !(hasProducts(in, depth-2) && around >= float64(vectorsPerRow*widestLanes(in, depth-1))) {
		packed = packedLanes(in, depth)
	}
	return packed, tiles
}

// narrowestLanes returns the smallest vector width that a code has at the given level, 0 when none has lanes there.
func narrowestLanes(in *Input, depth int) int {
	least := 0
	for i := range in.Codes {
		if n := lanesAt(&in.Codes[i], depth); n > 0 && (least == 0 || n < least) {
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
	want := plan{threads: threadsFor(work, workPerThread, limit, in.Cores), row: length, schedule: param.Static, unroll: 4, operations: n.operations(outer), nest: n}
	want.stream = streams(length, want.threads)
	facts := fmt.Sprintf("%ssingle level of %.0f elements, %.3g operations on %s: ", inside, length, work, threadsText(want.threads))
	how := "no code here uses lanes"
	switch {
	case lane > 0:
		want.laneLevel, want.width, how = outer, width, fmt.Sprintf("vectors of %d: without lanes it is %.3g operations", width, n.row(outer, 0, 1))
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
	}
	return want, facts + fmt.Sprintf("too little work for a second thread (one for each %.2g operations); ", float64(workPerThread)) + how
}

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

// worse implements [planner]: threads are not started where, by estimate, that takes longer than one thread does.
func (want *plan) worse(code, plainest *Code, cores int) string {
	pool := slices.IndexFunc(code.Policy, onPool)
	if pool < 0 || slices.ContainsFunc(plainest.Policy, onPool) {
		return ""
	}
	v := want.launch(code, cores)
	chosen, alone := want.nest.onThreads(code.Policy[pool].Depth(), param.NumThreads.Or(v.Policy, 0, 1)), want.nest.onThreads(0, 1)
	if !(chosen > alone) {
		return ""
	}
	return fmt.Sprintf("sequential code, by estimate %.3g operations, because what the rules want takes %.3g for its parallel regions", alone, chosen)
}

func threadsText(n int) string {
	if n == 1 {
		return "1 thread"
	}
	return strconv.Itoa(n) + " threads"
}

// penalty says how far code is from the plan; 0 is exactly what the rules want.
func (want *plan) penalty(code *Code) int {
	pool, lane, width, unrollLane, unrollSequential, tile := 0, 0, 0, 0, 0, 1
	total, routine := 0, false
	for i := range code.Policy {
		s := code.Policy[i]
		switch l := s.Depth(); {
		case param.ExecutionResource.Is(s):
			resource := param.ExecutionResource.Value(s)
			if resource.Threads() {
				if pool != 0 {
					total += 500 // nested regions
					if want.threads == 1 {
						total += pointless
					}
				} else {
					pool = l
				}
			}
			if resource.Has(param.Lane) {
				lane = l
			}
		case param.VectorWidth.Is(s), param.Simdlen.Is(s):
			width, _ = param.Lanes(s)
		case param.Unroll.Is(s):
			if l == lane {
				unrollLane = param.Unroll.Value(s)
			} else {
				unrollSequential = param.Unroll.Value(s)
			}
		case param.TileAlgo.Is(s):
			// The routine keeps more sums in registers. For packed rows it took three times as long as the loop on one
			// processor (Intel), and 0.8 of its time on another (AMD): there the loop is the lesser risk.
			if (param.TileAlgo.Value(s) == param.Loop) != want.packed {
				total += 10
			}
		case param.Tile.Is(s):
			if l == lane {
				unrollLane = param.Tile.Value(s) // vectors of rows
			} else {
				tile = param.Tile.Value(s)
			}
		case param.GatherAlgo.Is(s):
			routine = param.GatherAlgo.Value(s) == param.Row
		case param.StoreAlgo.Is(s):
			if (param.StoreAlgo.Value(s) == param.Stream) != want.stream {
				total += 20
			}
		case param.ScanAlgo.Is(s):
			switch algo := param.ScanAlgo.Value(s); {
			case want.threads == 1 && algo == param.TwoPass:
				total += pointless
			case want.scan != "" && algo != want.scan:
				total += 50
			}
		}
	}
	if pool != want.poolLevel {
		total += 1000
	}
	elements := want.row
	if (tile > 1) != want.tile {
		total += 300
	}
	switch {
	case tile > 1 && lane == want.laneLevel:
		// As wide as the row fills, and as many vectors as there may be: several of a row where it has them.
		// Of packed rows there are more: what is left over is computed row by row.
		most := width * max(unrollLane, 1)
		if want.packed {
			most = width * vectorsPerRow
		}
		if float64(most) > elements {
			total += 100
		}
		total += 64/max(width, 1) + 16/(tile*max(unrollLane, 1)) + 4/max(unrollLane, 1)
	case lane != 0 && lane == want.laneLevel && routine:
		if !want.routine {
			total += 100
		}
	case lane != 0 && lane == want.laneLevel:
		if want.routine {
			total += 100
		}
		// As wide as the plan wants, then as deep as the row fills and registers hold: each step too far costs more than a
		// step too few.
		vectors := elements / float64(width)
		if want.width > 0 && width != want.width {
			total += 100
		}
		if unrollLane > 1 && (vectors < float64(vectorsPerRow*unrollLane) || want.operations*float64(unrollLane) > operationsInFlight) {
			total += 40 + unrollLane
		}
		total += 64/max(width, 1) + 8/max(unrollLane, 1)
	case lane != want.laneLevel:
		total += 400
		if lane == 0 {
			total += 8 / max(unrollSequential, 1)
		}
	default:
		if unrollSequential != want.unroll {
			total += 10
		}
	}
	return total
}

// launch completes code with the launch settings that the plan wants, as far as the code's lists allow.
func (want *plan) launch(code *Code, cores int) Variant {
	settings := make(param.Policy, 0, len(code.Launch))
	threads := want.threads
	for _, l := range code.Launch {
		if !param.NumThreads.Opens(l) {
			continue
		}
		if counts := param.NumThreads.Of(l); len(counts) > 0 { // the user narrowed the list
			threads = atMost(counts, want.threads, counts[0])
		}
		settings = append(settings, param.NumThreads.With(0, threads))
	}
	inside := false
	for _, l := range code.Launch {
		if param.SharedChunk.Opens(l) {
			sizes := param.SharedChunk.Of(l)
			if most := atMost(sizes, want.shared, 0); slices.Contains(sizes, most) { // else the user narrowed the list
				settings = append(settings, param.SharedChunk.With(l.Depth(), most))
			}
		}
		if !param.OmpSchedule.Opens(l) || threads <= 1 {
			continue
		}
		value := want.schedule
		switch {
		case inside: // another region, which balances
			value = param.Static
		case param.ScanAlgo.At(code.Policy, l.Depth()) == param.Chained:
			value = param.Dynamic
		}
		inside = true
		if slices.Contains(param.OmpSchedule.Of(l), value) {
			settings = append(settings, param.OmpSchedule.With(l.Depth(), value))
		}
	}
	return code.fill(cores, settings)
}

// atMost returns the largest of the values that is not above limit, and least or more.
func atMost(values []int, limit, least int) int {
	for _, v := range values {
		if v <= limit {
			least = max(least, v)
		}
	}
	return least
}
