package rt

import (
	"context"
	"runtime"
	"testing"
	"time"
)

// After a Gather the threads of the pool are awake and poll, also if all of them slept before.
func TestGather(t *testing.T) {
	threads := runtime.GOMAXPROCS(0)
	if threads < 2 {
		t.Skip("one processor: nobody to gather")
	}
	asleep := func() bool { return global.asleep.Load() == global.size.Load() && global.size.Load() > 0 }
	fn := func(_ any, w *Worker) {
		w.For(threads, Loop{Threads: threads}, func(any, *Worker, int, int, int) {}, nil)
	}
	if err := Run(context.Background(), threads, nil, fn); err != nil {
		t.Fatal(err)
	}
	for start := time.Now(); !asleep(); time.Sleep(time.Millisecond) {
		if time.Since(start) > 10*time.Second {
			t.Fatal("the pool does not go to sleep")
		}
	}
	const limit = 10 * time.Second
	start := time.Now()
	Gather(threads, limit)
	if d := time.Since(start); d >= limit { // it waits for threads that do not come; whoever came may sleep again by now
		t.Fatalf("it gave up after %v", d)
	}
}

// Gather ends when the time is over if threads do not come because they are busy, and asks for none that cannot exist.
func TestGatherGivesUp(t *testing.T) {
	Gather(1, time.Hour)
	Gather(-1, 0)
	threads := runtime.GOMAXPROCS(0)
	if threads < 2 {
		t.Skip("one processor: nobody to wait for")
	}
	Gather(MaxThreads+1, 10*time.Second) // as many as there are processors
	release, held := make(chan struct{}), make(chan struct{}, threads)
	done := make(chan error)
	go func() {
		done <- Run(context.Background(), threads, nil, func(_ any, w *Worker) {
			w.For(threads, Loop{Schedule: Dynamic, Chunk: 1, Threads: threads}, func(any, *Worker, int, int, int) {
				held <- struct{}{}
				<-release
			}, nil)
		})
	}()
	for range threads {
		<-held
	}
	Gather(threads, 20*time.Millisecond)
	close(release)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}
