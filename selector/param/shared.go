package param

import "strings"

// Parameters that several platforms have.
var (
	// NumThreads is how many threads take part. Its values depend on the machine that runs the program.
	NumThreads = Int("num_threads", Whole)
	// EnableNesting says whether a region inside a region is divided too.
	EnableNesting = Bool("enable_nesting", Whole)
	// OmpSchedule is how chunks are handed to threads.
	OmpSchedule = Enum("omp_schedule", Level, Static, Dynamic, Guided)
	// ChunkSize is the number of elements in a chunk, 0 for automatic.
	ChunkSize = Int("chunk_size", Level)
	// ExecutionResource is what runs a level in parallel.
	ExecutionResource = Enum[Resource]("execution_resource", Level)
	// Unroll is the number of vectors, or elements, in flight.
	Unroll = Int("unroll", Level)
	// ScanAlgo is how chunks of a scan learn what precedes them.
	ScanAlgo = Enum("scan_algo", Level, Chained, TwoPass)
	// HistAlgo is how threads share bins.
	HistAlgo = Enum("hist_algo", Level, Private, Sorted)
	// StoreAlgo is how a scan writes.
	StoreAlgo = Enum("store_algo", Level, Cached, Stream)
)

// Schedule is a value of [OmpSchedule].
type Schedule string

// How chunks are handed out: by position, on demand, and on demand in chunks that shrink.
const (
	Static  Schedule = "static"
	Dynamic Schedule = "dynamic"
	Guided  Schedule = "guided"
)

// Scan is a value of [ScanAlgo] or [BlockScanAlgo].
type Scan string

// How chunks of a scan learn what precedes them: each waits for the one before, or all are reduced first.
const (
	Chained Scan = "chained"
	TwoPass Scan = "two_pass"
)

// Hist is a value of [HistAlgo].
type Hist string

// How threads share bins: each has its own, and all are combined, or elements are sorted by ranges of bins first, of
// which each thread then has some.
const (
	Private Hist = "private"
	Sorted  Hist = "sorted"
)

// Store is a value of [StoreAlgo].
type Store string

// How results are written: through the caches, or past them.
const (
	Cached Store = "cached"
	Stream Store = "stream"
)

// Resource is a value of [ExecutionResource]: the name of a level of the hardware, or two of them joined by +.
type Resource string

// The levels of the hardware: the pool of workers and the team of threads, the lanes of a core or the work-items of a
// device, and those that work-items form.
const (
	Pool  Resource = "pool"
	Team  Resource = "team"
	Lane  Resource = "lane"
	Grid  Resource = "grid"
	Group Resource = "group"
	Warp  Resource = "warp"
)

// And returns the resource that is both.
func (r Resource) And(other Resource) Resource { return r + "+" + other }

// Parts returns the levels of the hardware that a resource names, outer to inner.
func (r Resource) Parts() []Resource {
	var parts []Resource
	for part := range strings.SplitSeq(string(r), "+") {
		parts = append(parts, Resource(part))
	}
	return parts
}

// Has reports whether one of the parts is the given one.
func (r Resource) Has(part Resource) bool {
	for rest := string(r); ; {
		first, after, more := strings.Cut(rest, "+")
		if first == string(part) {
			return true
		}
		if !more {
			return false
		}
		rest = after
	}
}

// Threads reports whether a level on the resource is divided among threads: the pool of workers, or a team.
func (r Resource) Threads() bool { return r.Has(Pool) || r.Has(Team) }
