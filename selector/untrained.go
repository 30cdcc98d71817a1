package selector

import (
	"fmt"
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
	// (Measured with some forty kernels: two threads make up for that from somewhere between 2e4 and 6e4 operations.)
	workPerThread = 3e4
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
	sorted     bool // threads share bins by sorting elements
	tile       bool // rows are computed in register tiles
	packed     bool // rows of one length lie packed on the lanes of the level around them
	divided    bool // long rows are divided among threads beside the rows
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
	plainest *Code          // the code that uses the fewest resources: the last one, as deeply unrolled as the rules want
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
	form, chosen := in.leastForm()
	var last scored
	for i := range in.Codes {
		code := &in.Codes[i]
		if !in.among(code, form, "") {
			continue
		}
		if depth := strings.Count(code.Schedule, ">") + 1; depth != planned || code.Platform != platform {
			planned, platform = depth, code.Platform
			of := in.inForm(form, platform)
			if launches(of.Codes, &param.BlockSizeX.Key, 0) {
				p, reason := decideDevice(&of, depth, code)
				r.want, r.why = &p, chosen+reason
			} else {
				p, reason := decide(&of, depth)
				r.want, r.why = &p, chosen+reason
			}
		}
		s := scored{code, r.want.penalty(code)}
		if last.code == nil || s.penalty < last.penalty || !last.code.Unrolls(code) {
			last = s
		}
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
	r.plainest = last.code
	for r.n > 1 && r.best[r.n-1].penalty >= pointless {
		r.n--
	}
	if r.n > 0 {
		r.worse = r.want.worse(r.best[0].code, r.plainest, in.Cores)
	}
	return r
}
