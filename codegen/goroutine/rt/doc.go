// Package rt is the run time of the goroutine platform: an OpenMP-like pool of
// workers with static, dynamic and guided parallel loops, nested parallel
// regions, chunk partials, chained prefixes and per-worker scratch memory.
// Code that the goroutine platform prints imports it, and the harness, which
// wakes the pool before it times a run; nothing else does.
//
// It takes launch parameters (Loop: schedule, chunk size, threads, nesting;
// the omp_schedule, chunk_size, num_threads and enable_nesting parameters of
// the policy, Surge's Table IV) and loop bodies that execute ranges of
// iterations. It gives the execution of those bodies on a shared pool.
//
// # Determinism
//
// How a loop is cut into chunks is a pure function of the number of
// iterations and of the launch parameters: Chunks and Bounds. Timing decides
// which worker executes a chunk, never what a chunk is. Code that keeps one
// partial a chunk and combines partials in chunk order therefore computes the
// same bits on every run.
//
// # Workers
//
// Run makes the calling goroutine worker 0 of a run. The other workers come
// from a pool that lives as long as the process and that all runs share. A
// pool worker helps any open region; one that is busy elsewhere does not
// help, and no region waits for it: the worker that opened a region can
// always finish it alone. Workers beyond GOMAXPROCS would only take turns on
// the same cores, so at most GOMAXPROCS-1 goroutines of the pool help; asking
// for more threads than that changes the chunks and not their number.
//
// A pool worker without work polls for a short bounded time (see spinFor) and
// then parks, so that a process that runs nothing uses no processor time.
// Pool goroutines are the only goroutines that outlive Run.
//
// # Shared chunks
//
// Two launches of computations over one length may run together (Launch.RunAfter): their outermost loops become one,
// of which each chunk is executed by the first one's body and at once by the second one's. What both read then comes
// from a cache the second time.
//
// # Ownership
//
// A Worker is valid only inside the call that received it. Scratch memory
// belongs to the worker and is valid until the chunk that took it returns, or
// until Release. While a worker waits in a nested region it executes chunks
// of that region only, so frames that a kernel keeps per worker and per level
// are never entered twice.
//
// The package imports the standard library only. It must not import the rest
// of the compiler: generated code links it into the user's program.
package rt
