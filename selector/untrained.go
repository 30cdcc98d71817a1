package selector

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Untrained chooses without measurements, from the size and shape of the input alone, so that the first run of a
// program is sensible. Its rules and their numbers are the constants below.
type Untrained struct{}

// Name returns "untrained".
func (Untrained) Name() string { return "untrained" }

const (
	// smallWork is the number of element operations below which one thread is used: waking a second one costs a few
	// microseconds, in which one thread does that much.
	smallWork = 2e4
	// workPerThread is the number of element operations that justify one more thread.
	workPerThread = 1e4
	// vectorsPerRow is how many vectors a row needs for its lanes to pay: below it the horizontal sum and the ragged end
	// cost more than the lanes save.
	vectorsPerRow = 4
	// rowsPerThread is the number of rows a thread below which rows are too few to balance.
	rowsPerThread = 4
	// longRow is the number of elements from which one row is worth a parallel region of its own.
	longRow = 2e4
	// unrolledRow is the row length from which an unrolled sequential loop over it pays.
	unrolledRow = 8
	// assumedRow is the row length of a nest whose features do not tell it.
	assumedRow = 64
	// chainedLength is the number of elements from which a scan reads its input once, chained, instead of twice.
	chainedLength = 1 << 16
	// ranked is how many choices Select returns at most, besides the last resort.
	ranked = 4
)

// plan is what the rules want: which level uses which resource and how.
type plan struct {
	threads   int
	poolLevel int // 0: none
	laneLevel int // 0: none
	row       float64
	schedule  string // omp_schedule at poolLevel
	scan      string // scan_algo
	unroll    int    // of the innermost level when it is sequential
}

// Select ranks the codes by how near they are to what the rules want. It returns a few choices and, last, the code that
// uses the fewest resources. It reports an error when no code belongs to the input's computation and platform.
func (Untrained) Select(in Input) ([]Choice, error) {
	type scored struct {
		code    *Code
		penalty int
	}
	var order []scored
	var want plan
	var why string
	planned := -1
	for i := range in.Codes {
		code := &in.Codes[i]
		if in.Computation != "" && code.Computation != in.Computation || in.Platform != "" && code.Platform != in.Platform {
			continue
		}
		if depth := strings.Count(code.Schedule, ">") + 1; depth != planned {
			planned = depth
			want, why = decide(&in, depth)
		}
		order = append(order, scored{code, want.penalty(code)})
	}
	if len(order) == 0 {
		return nil, fmt.Errorf("no variant of computation %q on platform %q among the %d that this program has", in.Computation, in.Platform, len(in.Codes))
	}
	plainest := order[len(order)-1].code
	slices.SortStableFunc(order, func(a, b scored) int { return a.penalty - b.penalty })
	choices := make([]Choice, 0, ranked+1)
	for i, s := range order[:min(ranked, len(order))] {
		reason := why
		if i > 0 {
			reason = "next best by the same rules: " + why
		}
		choices = append(choices, Choice{Variant: want.launch(s.code, in.Cores), Reason: reason})
	}
	if !slices.ContainsFunc(order[:len(choices)], func(s scored) bool { return s.code == plainest }) {
		choices = append(choices, Choice{Variant: want.launch(plainest, in.Cores), Reason: "last resort: the plainest code there is"})
	}
	return choices, nil
}

// decide applies the rules for a nest of the given depth and says which of them fired, with the numbers.
func decide(in *Input, depth int) (plan, string) {
	limit := max(in.Cores, 1)
	if in.Threads > 0 {
		limit = min(limit, in.Threads)
	}
	length, known := in.Feature(Length)
	if !known {
		length = math.Inf(1)
	}
	if depth == 1 {
		return decideFlat(length, limit)
	}
	want := plan{row: assumedRow, schedule: "static", unroll: 1}
	shape := "nest whose row length is not known"
	if ratio, ok := in.Feature(AspectRatio); ok && ratio > 0 {
		want.row, shape = length/ratio, "regular nest"
	}
	if average, ok := in.Feature(AverageRowLength); ok {
		want.row, shape, want.schedule = average, "irregular nest", "dynamic"
	}
	want.threads = threadsFor(length*want.row, limit)
	facts := fmt.Sprintf("%s of %.4g rows of %.4g elements, %.3g operations on %s", shape, length, want.row,
		length*want.row, threadsText(want.threads))
	if want.threads > 1 && length < float64(rowsPerThread*want.threads) && want.row >= longRow {
		want.poolLevel, want.laneLevel, want.schedule = depth, depth, "static"
		return want, facts + fmt.Sprintf(": fewer than %d rows a thread and each is long, so workers and lanes share one row", rowsPerThread)
	}
	over := "the pool takes rows"
	if want.threads > 1 {
		want.poolLevel = 1
		over += ", " + want.schedule
	} else {
		over = fmt.Sprintf("too little work for a second thread (one for each %.0e operations)", float64(workPerThread))
		if limit == 1 {
			over = "one thread is allowed"
		}
	}
	if want.row >= vectorsPerRow*4 {
		want.laneLevel = depth
		return want, facts + ": " + over + fmt.Sprintf("; rows are long enough for lanes (%d vectors or more)", vectorsPerRow)
	}
	if want.row >= unrolledRow {
		want.unroll = 4
	}
	return want, facts + ": " + over + fmt.Sprintf("; rows are too short for lanes (fewer than %d vectors), so each is sequential, unrolled %d", vectorsPerRow, want.unroll)
}

// decideFlat is for computations of a single level.
func decideFlat(length float64, limit int) (plan, string) {
	want := plan{threads: threadsFor(length, limit), laneLevel: 1, row: length, schedule: "static", unroll: 4}
	facts := fmt.Sprintf("single level of %.4g elements on %s", length, threadsText(want.threads))
	if want.threads == 1 {
		if limit == 1 {
			return want, facts + ": one thread is allowed; lanes, with as many accumulators as there are"
		}
		return want, facts + fmt.Sprintf(": too little work for a second thread (one for each %.0e operations); lanes, with as many accumulators as there are", float64(workPerThread))
	}
	want.poolLevel, want.scan = 1, "two_pass"
	if length >= chainedLength {
		want.scan = "chained"
	}
	return want, facts + ": the pool takes equal parts, the widest lanes and the most accumulators run each"
}

func threadsFor(work float64, limit int) int {
	if work < smallWork {
		return 1
	}
	return int(min(float64(limit), max(1, work/workPerThread)))
}

func threadsText(n int) string {
	if n == 1 {
		return "1 thread"
	}
	return strconv.Itoa(n) + " threads"
}

// penalty says how far code is from the plan; 0 is exactly what the rules want.
func (want *plan) penalty(code *Code) int {
	pool, lane, width, unrollLane, unrollSequential := 0, 0, 0, 0, 0
	total := 0
	for i := range code.Policy {
		s := &code.Policy[i]
		l := level(s.Name)
		switch {
		case l == 0:
		case strings.HasPrefix(s.Name, "execution_resource_"):
			if strings.HasPrefix(s.Value, "pool") {
				if pool != 0 {
					total += 500 // nested regions
				} else {
					pool = l
				}
			}
			if strings.HasSuffix(s.Value, "lane") {
				lane = l
			}
		case strings.HasPrefix(s.Name, "vector_width_"):
			width = atoi(s.Value)
		case strings.HasPrefix(s.Name, "unroll_"):
			if l == lane {
				unrollLane = atoi(s.Value)
			} else {
				unrollSequential = atoi(s.Value)
			}
		case strings.HasPrefix(s.Name, "scan_algo_"):
			if want.scan != "" && s.Value != want.scan {
				total += 50
			}
		}
	}
	if pool != want.poolLevel {
		total += 1000
	}
	elements := want.row
	switch {
	case lane != 0 && lane == want.laneLevel:
		// As wide, then as deep, as the row fills: each step too far costs more than a step too few.
		vectors := elements / float64(width)
		if vectors < vectorsPerRow {
			total += 600
		}
		if unrollLane > 1 && vectors < float64(vectorsPerRow*unrollLane) {
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

func atoi(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}

// launch completes code with the launch settings that the plan wants, as far as the code's lists allow.
func (want *plan) launch(code *Code, cores int) Variant {
	settings := make([]Setting, 0, len(code.Launch))
	threads := want.threads
	for i := range code.Launch {
		p := &code.Launch[i]
		if p.Name != NumThreads {
			continue
		}
		if p.Values != nil { // the user narrowed the list
			threads = atoi(p.Values[0])
			for _, v := range p.Values {
				if n := atoi(v); n <= want.threads {
					threads = max(threads, n)
				}
			}
		}
		settings = append(settings, Setting{Name: NumThreads, Value: strconv.Itoa(threads)})
	}
	for i := range code.Launch {
		p := &code.Launch[i]
		if !strings.HasPrefix(p.Name, "omp_schedule_") || threads <= 1 {
			continue
		}
		value := want.schedule
		if algo, _ := get(code.Policy, "scan_algo_"+p.Name[len("omp_schedule_"):]); algo == "chained" {
			value = "dynamic"
		}
		// Inside another region the outer level balances.
		if level(p.Name) > want.poolLevel && want.poolLevel != 0 {
			value = "static"
		}
		if slices.Contains(p.Values, value) {
			settings = append(settings, Setting{Name: p.Name, Value: value})
		}
	}
	return code.fill(cores, settings)
}
