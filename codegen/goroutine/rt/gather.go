package rt

import (
	"context"
	"sync/atomic"
	"time"
)

// Gather wakes the pool threads that a run of that many threads can use, and returns when they run, at the latest
// after limit. A thread that sleeps can take longer to come than a small run takes as a whole: whoever measures what
// runs cost that follow each other calls Gather before the first.
func Gather(threads int, limit time.Duration) {
	threads = min(clampThreads(threads), global.lookAtProcs())
	g := &gathering{threads: int64(threads), end: time.Now().Add(limit)}
	// The context never ends and meet does not fail, so there is no error.
	_ = Run(context.Background(), threads, g, func(env any, w *Worker) {
		w.For(threads, Loop{Schedule: Dynamic, Chunk: 1, Threads: threads}, meet, env)
	})
}

// gathering is what the workers of a Gather share.
type gathering struct {
	threads int64
	here    atomic.Int64
	end     time.Time
}

// meet is the body of a loop of which each worker executes one chunk: it waits for the others. It does not yield,
// because the system may move who yields to the processor that the thread it waits for is being moved to.
func meet(env any, _ *Worker, _, _, _ int) {
	g := env.(*gathering)
	g.here.Add(1)
	for g.here.Load() < g.threads && time.Now().Before(g.end) {
		pause(pauseLen)
	}
}
