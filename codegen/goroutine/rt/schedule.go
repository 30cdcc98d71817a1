package rt

import (
	"runtime"

	"github.com/surge-ndp/surge/selector/param"
)

// Schedule says how the iterations of a parallel loop are cut into chunks and
// in which order workers take them: OpenMP's schedule clause.
type Schedule uint8

const (
	// Static gives each thread its own chunks in advance: one contiguous block a
	// thread, or chunks dealt round robin when the loop has a chunk size.
	Static Schedule = iota
	// Dynamic hands out chunks of one size in increasing order.
	Dynamic
	// Guided hands out chunks of decreasing size in increasing order.
	Guided
)

// schedules are the values of the parameter that names them.
var schedules = map[param.Schedule]Schedule{param.Static: Static, param.Dynamic: Dynamic, param.Guided: Guided}

// Loop holds the launch parameters of one parallel level. The zero Loop is a
// static loop over all processors that is not nested.
type Loop struct {
	// Schedule is the level's omp_schedule.
	Schedule Schedule
	// Chunk is the level's chunk_size in iterations: the size of a static or
	// dynamic chunk, the least size of a guided one. 0 chooses one. A size that
	// would give more than MaxChunks chunks is raised.
	Chunk int
	// Threads is the number of threads for which the loop is cut, and at most
	// how many workers execute it. Values below 1 mean GOMAXPROCS as it was when
	// the process started: later changes must not move chunk boundaries between
	// a call of Chunks and the loop. Values above MaxThreads mean MaxThreads.
	Threads int
	// Nested lets the loop be shared among workers although it runs inside the
	// body of a loop that is itself shared (enable_nesting). Without it such a
	// loop executes its chunks, the same ones, in order on the worker that calls
	// For.
	Nested bool

	shared bool // the chunks are also those of another loop: see pair
}

const (
	// MaxChunks bounds the chunks of one loop, and so the memory for partials.
	MaxChunks = 1 << 18
	// MaxThreads bounds the threads of a run and of a loop.
	MaxThreads = 1 << 10
)

// startProcs is GOMAXPROCS when the process started.
var startProcs = runtime.GOMAXPROCS(0)

// clampThreads clamps a requested number of threads to 1..MaxThreads.
func clampThreads(threads int) int {
	if threads <= 0 {
		threads = startProcs
	}
	return min(threads, MaxThreads)
}
