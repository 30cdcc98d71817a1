package rt

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// manyProcs gives the test several threads whatever the machine has, so that
// workers interleave.
func manyProcs(t testing.TB, n int) {
	old := runtime.GOMAXPROCS(n)
	t.Cleanup(func() { runtime.GOMAXPROCS(old) })
}

// sum is a loop that sums i+1 over its iterations by partials.
type sum struct {
	n       int
	loop    Loop
	part    []int
	threads int
	bad     atomic.Int32
	inside  [MaxThreads]atomic.Int32
}

func (s *sum) fn(_ any, w *Worker) {
	s.part = Grow(s.part, Chunks(s.n, s.loop))
	for i := range s.part {
		s.part[i] = -1
	}
	w.For(s.n, s.loop, sumChunk, s)
}

func sumChunk(env any, w *Worker, chunk, lo, hi int) {
	s := env.(*sum)
	if w.ID() < 0 || w.ID() >= s.threads || s.inside[w.ID()].Add(1) != 1 {
		s.bad.Add(1)
	}
	if l, h := Bounds(s.n, s.loop, chunk); l != lo || h != hi {
		s.bad.Add(1)
	}
	v := 0
	for i := lo; i < hi; i++ {
		v += i + 1
	}
	if s.part[chunk] != -1 {
		s.bad.Add(1)
	}
	s.part[chunk] = v
	s.inside[w.ID()].Add(-1)
}

func (s *sum) total() int {
	v := 0
	for _, p := range s.part {
		v += p
	}
	return v
}

func TestSums(t *testing.T) {
	manyProcs(t, 4)
	s := new(sum)
	for _, l := range loops() {
		for _, n := range []int{0, 1, 2, 3, 7, 8, 101, 4097, 200003} {
			for _, threads := range []int{1, l.Threads} {
				if raceEnabled && n > 10000 && l.Chunk < 64 {
					continue
				}
				s.n, s.loop, s.threads = n, l, threads
				if err := Run(context.Background(), threads, nil, s.fn); err != nil {
					t.Fatal(err)
				}
				if got := s.total(); got != n*(n+1)/2 || s.bad.Load() != 0 {
					t.Fatalf("n=%d %+v threads=%d: sum %d, %d violations", n, l, threads, got, s.bad.Load())
				}
			}
		}
	}
}

// nest is a loop of loops of loops; each level has its own schedule.
type nest struct {
	loops [3]Loop
	sizes [3]int
	count []atomic.Int32
	level [MaxThreads][3]atomic.Int32
	bad   atomic.Int32
}

func (x *nest) body(level int) Body {
	return func(env any, w *Worker, chunk, lo, hi int) {
		x := env.(*nestCall)
		if x.level[w.ID()][level].Add(1) != 1 {
			x.bad.Add(1) // a worker entered a frame twice
		}
		for i := lo; i < hi; i++ {
			at := x.base*x.sizes[level] + i
			if level == 2 {
				x.count[at].Add(1)
				continue
			}
			inner := &nestCall{x.nest, at}
			w.For(x.sizes[level+1], x.loops[level+1], x.body(level+1), inner)
		}
		x.level[w.ID()][level].Add(-1)
	}
}

type nestCall struct {
	*nest
	base int
}

func TestNestedRegions(t *testing.T) {
	manyProcs(t, 4)
	for _, nested := range []bool{false, true} {
		for k, schedules := range [][3]Schedule{{Static, Static, Static}, {Dynamic, Guided, Static}, {Guided, Dynamic, Dynamic}, {Static, Dynamic, Guided}} {
			x := &nest{sizes: [3]int{5, 7, 100}}
			for d := range 3 {
				x.loops[d] = Loop{Schedule: schedules[d], Chunk: 1 + d*k, Threads: 4, Nested: nested}
			}
			x.count = make([]atomic.Int32, 5*7*100)
			for round := range 20 {
				err := Run(context.Background(), 4, nil, func(_ any, w *Worker) {
					w.For(x.sizes[0], x.loops[0], x.body(0), &nestCall{x, 0})
				})
				if err != nil {
					t.Fatal(err)
				}
				for i := range x.count {
					if got := int(x.count[i].Load()); got != round+1 {
						t.Fatalf("nested=%v %v: iteration %d ran %d times in %d rounds", nested, schedules, i, got, round+1)
					}
				}
			}
			if x.bad.Load() != 0 {
				t.Fatalf("nested=%v %v: %d frames entered twice", nested, schedules, x.bad.Load())
			}
		}
	}
}

func TestNotNestedStaysOnOneWorker(t *testing.T) {
	manyProcs(t, 4)
	var moved atomic.Int32
	Run(context.Background(), 4, nil, func(_ any, w *Worker) {
		w.For(8, Loop{Schedule: Dynamic, Chunk: 1, Threads: 4}, func(_ any, outer *Worker, _, _, _ int) {
			next := 0
			outer.For(100, Loop{Schedule: Dynamic, Chunk: 3, Threads: 4}, func(_ any, w *Worker, chunk, lo, hi int) {
				if w != outer || chunk != next {
					moved.Add(1)
				}
				next++
			}, nil)
			if next != Chunks(100, Loop{Schedule: Dynamic, Chunk: 3, Threads: 4}) {
				moved.Add(1)
			}
		}, nil)
	})
	if moved.Load() != 0 {
		t.Errorf("%d chunks on another worker or out of order", moved.Load())
	}
}

func TestWorkersShare(t *testing.T) {
	manyProcs(t, 4)
	var ids [4]atomic.Int32
	err := Run(context.Background(), 4, nil, func(_ any, w *Worker) {
		w.For(400, Loop{Schedule: Dynamic, Chunk: 1, Threads: 4}, func(_ any, w *Worker, _, _, _ int) {
			ids[w.ID()].Add(1)
			time.Sleep(100 * time.Microsecond)
		}, nil)
	})
	if err != nil {
		t.Fatal(err)
	}
	for id := range ids {
		if ids[id].Load() == 0 {
			t.Errorf("worker %d had no chunk", id)
		}
	}
}

// A worker that becomes idle helps a nested region that was opened before. On a busy machine both chunks may fall to
// the same worker, because the other one is not let in for so long; nobody is idle then, and the test tries again.
func TestIdleWorkersJoinLate(t *testing.T) {
	manyProcs(t, 2)
	var helped atomic.Int32
	for range 50 {
		Run(context.Background(), 2, nil, func(_ any, w *Worker) {
			w.For(2, Loop{Threads: 2}, func(_ any, outer *Worker, chunk, _, _ int) {
				if chunk == 1 {
					time.Sleep(2 * time.Millisecond)
					return
				}
				outer.For(200, Loop{Schedule: Dynamic, Chunk: 1, Threads: 2, Nested: true}, func(_ any, w *Worker, _, _, _ int) {
					if w != outer {
						helped.Add(1)
					}
					time.Sleep(50 * time.Microsecond)
				}, nil)
			}, nil)
		})
		if helped.Load() > 0 {
			return
		}
	}
	t.Error("nobody helped")
}

func TestConcurrentRuns(t *testing.T) {
	manyProcs(t, 4)
	var group sync.WaitGroup
	for g := range 16 {
		group.Go(func() {
			s := new(sum)
			for i := range 100 {
				s.n, s.loop, s.threads = 1000+g, Loop{Schedule: Schedule(i % 3), Chunk: i % 7, Threads: 1 + i%5}, 1+i%5
				if err := Run(context.Background(), s.threads, nil, s.fn); err != nil {
					t.Error(err)
				}
				if s.total() != s.n*(s.n+1)/2 || s.bad.Load() != 0 {
					t.Errorf("run %d of goroutine %d: sum %d of %d, %d violations", i, g, s.total(), s.n, s.bad.Load())
				}
			}
		})
	}
	group.Wait()
}

func TestRunInsideRun(t *testing.T) {
	manyProcs(t, 4)
	var total atomic.Int64
	err := Run(context.Background(), 2, nil, func(_ any, w *Worker) {
		w.For(20, Loop{Schedule: Dynamic, Threads: 2}, func(_ any, w *Worker, _, lo, hi int) {
			err := Run(context.Background(), 2, nil, func(_ any, w *Worker) {
				w.For(100, Loop{Threads: 2}, func(_ any, w *Worker, _, lo, hi int) { total.Add(int64(hi - lo)) }, nil)
			})
			if err != nil {
				w.Fail(err)
			}
		}, nil)
	})
	if want := int64(100 * Chunks(20, Loop{Schedule: Dynamic, Threads: 2})); err != nil || total.Load() != want {
		t.Errorf("%d iterations of %d, error %v", total.Load(), want, err)
	}
}

func TestPanicIsError(t *testing.T) {
	manyProcs(t, 4)
	cause := errors.New("cause")
	for _, l := range []Loop{{Threads: 1}, {Threads: 4}, {Schedule: Dynamic, Chunk: 1, Threads: 4}, {Schedule: Guided, Threads: 4}} {
		for range 50 {
			err := Run(context.Background(), 4, nil, func(_ any, w *Worker) {
				w.For(1000, l, func(_ any, w *Worker, _, lo, hi int) {
					w.For(hi-lo, Loop{Threads: 4, Nested: true}, func(_ any, w *Worker, _, l, h int) {
						if Scratch[byte](w, 100); lo+h >= 900 {
							panic(cause)
						}
					}, nil)
				}, nil)
				if !w.Stopped() {
					t.Error("not stopped after a panic")
				}
			})
			var p *PanicError
			if !errors.As(err, &p) || !errors.Is(err, cause) || !strings.Contains(string(p.Stack), "rt_test.go") || !strings.Contains(err.Error(), "cause") {
				t.Fatalf("error %v", err)
			}
		}
	}
	err := Run(context.Background(), 1, nil, func(any, *Worker) { var s []int; _ = s[len(s)] })
	var re runtime.Error
	if !errors.As(err, &re) {
		t.Errorf("panic in fn gives %v", err)
	}
	TestSums(t) // the pool is whole
}

func TestGoexitIsError(t *testing.T) {
	manyProcs(t, 4)
	for range 20 {
		var err error
		done := make(chan struct{})
		go func() {
			defer close(done)
			err = Run(context.Background(), 4, nil, func(_ any, w *Worker) {
				w.For(100, Loop{Schedule: Dynamic, Chunk: 1, Threads: 4}, func(_ any, w *Worker, _, _, _ int) {
					time.Sleep(10 * time.Microsecond)
					if w.ID() != 0 {
						runtime.Goexit()
					}
				}, nil)
			})
		}()
		<-done
		if err != nil && !errors.Is(err, errGoexit) {
			t.Fatalf("error %v", err)
		}
	}
	TestWorkersShare(t) // the threads were replaced
}

func TestFailKeepsLowestChunk(t *testing.T) {
	manyProcs(t, 4)
	for range 200 {
		var ran atomic.Int32
		var met sync.WaitGroup
		met.Add(2)
		// Two workers: both are in a failing chunk while the other one waits.
		err := Run(context.Background(), 2, nil, func(_ any, w *Worker) {
			w.For(10000, Loop{Schedule: Dynamic, Chunk: 1, Threads: 2}, func(_ any, w *Worker, chunk, _, _ int) {
				ran.Add(1)
				if chunk == 10 || chunk == 11 {
					met.Done()
					met.Wait()
					w.Fail(fmt.Errorf("chunk %d", chunk))
				}
			}, nil)
		})
		if err == nil || err.Error() != "chunk 10" {
			t.Fatalf("error %v", err)
		}
		if ran.Load() > 13 {
			t.Fatalf("%d chunks ran", ran.Load())
		}
	}
}

// Every run reports the failure of the lowest chunk, whatever the schedule: here those of later chunks come first.
func TestFailureIsTheSameInEveryRun(t *testing.T) {
	manyProcs(t, 4)
	for _, l := range []Loop{{Threads: 4}, {Chunk: 3, Threads: 4}, {Schedule: Dynamic, Chunk: 1, Threads: 4}, {Schedule: Guided, Threads: 4}} {
		for _, nested := range []bool{false, true} {
			for range 30 {
				err := Run(context.Background(), 4, nil, func(_ any, w *Worker) {
					w.For(40, l, func(_ any, w *Worker, _, lo, hi int) {
						for i := lo; i < hi; i++ {
							inner := Loop{Schedule: l.Schedule, Threads: 4, Nested: nested}
							w.For(40, inner, func(_ any, w *Worker, _, lo, hi int) {
								for j := lo; j < hi; j++ {
									if i == 7 && j == 3 {
										time.Sleep(50 * time.Microsecond)
									}
									if i >= 7 && j >= 3 {
										w.Fail(fmt.Errorf("element %d, %d", i, j))
										return
									}
								}
							}, nil)
							if w.Stopped() {
								return
							}
						}
					}, nil)
				})
				if err == nil || err.Error() != "element 7, 3" {
					t.Fatalf("%+v, nested %t: %v", l, nested, err)
				}
			}
		}
	}
}

// A context that ends stops a run that has failed, and whose earlier chunks go on.
func TestCancelAfterFailure(t *testing.T) {
	manyProcs(t, 4)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	err := Run(ctx, 2, nil, func(_ any, w *Worker) {
		var failing sync.WaitGroup
		failing.Add(1)
		w.For(2, Loop{Schedule: Dynamic, Chunk: 1, Threads: 2}, func(_ any, w *Worker, chunk, _, _ int) {
			if chunk == 1 {
				w.Fail(errors.New("chunk 1"))
				failing.Done()
				return
			}
			failing.Wait()
			if w.Stopped() {
				t.Error("a chunk before the one that failed is stopped")
			}
			cancel()
			for !w.Stopped() {
				time.Sleep(time.Microsecond)
			}
		}, nil)
	})
	if err == nil || err.Error() != "chunk 1" {
		t.Errorf("error %v", err)
	}
}

func TestFailPathsOfNestedLoops(t *testing.T) {
	var path []int
	Run(context.Background(), 2, nil, func(_ any, w *Worker) {
		l := Loop{Schedule: Dynamic, Chunk: 1, Threads: 2, Nested: true}
		w.For(3, l, func(_ any, w *Worker, outer, _, _ int) {
			w.For(5, l, func(_ any, w *Worker, inner, _, _ int) {
				if outer == 2 && inner == 4 {
					path = pathOf(w.region, w.chunk)
				}
			}, nil)
		}, nil)
		w.Fail(nil)
		if len(pathOf(w.region, w.chunk)) != 0 || w.Stopped() {
			t.Error("worker is not as before")
		}
	})
	if fmt.Sprint(path) != "[2 4]" {
		t.Errorf("path %v", path)
	}
}

func TestCancel(t *testing.T) {
	manyProcs(t, 4)
	for _, l := range []Loop{{Threads: 4, Chunk: 1}, {Schedule: Dynamic, Chunk: 1, Threads: 4}, {Schedule: Dynamic, Chunk: 1, Threads: 1}} {
		ctx, cancel := context.WithCancel(context.Background())
		var ran atomic.Int64
		time.AfterFunc(5*time.Millisecond, cancel)
		err := Run(ctx, 4, nil, func(_ any, w *Worker) {
			w.For(100_000, l, func(any, *Worker, int, int, int) {
				ran.Add(1)
				time.Sleep(100 * time.Microsecond)
			}, nil)
			w.For(100_000, l, func(any, *Worker, int, int, int) { t.Error("a chunk after the end of the context") }, nil)
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%+v: error %v", l, err)
		}
		if ran.Load() > 90_000 {
			t.Errorf("%+v: stopped after %d chunks", l, ran.Load())
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	for range 1000 { // cancellations do not leak into runs of others
		go cancel()
		Run(ctx, 2, nil, func(_ any, w *Worker) { w.For(2, Loop{Threads: 2}, nothing, nil) })
		if err := Run(context.Background(), 2, nil, func(_ any, w *Worker) { w.For(2, Loop{Threads: 2}, nothing, nil) }); err != nil {
			t.Fatal(err)
		}
		ctx, cancel = context.WithCancel(context.Background())
	}
	cancel()
	if err := Run(ctx, 1, nil, func(any, *Worker) { t.Error("fn called") }); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	ctx, cancel = context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	err := Run(ctx, 1, nil, func(_ any, w *Worker) {
		for !w.Stopped() {
			time.Sleep(10 * time.Microsecond)
		}
	})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
}

func TestSingleProcessor(t *testing.T) {
	manyProcs(t, 4)
	s := new(sum)
	for _, procs := range []int{4, 1, 4, 1} {
		runtime.GOMAXPROCS(procs)
		for i := range 300 {
			s.n, s.loop, s.threads = 1000, Loop{Schedule: Schedule(i % 3), Chunk: i % 5, Threads: 4}, 4
			if err := Run(context.Background(), 4, nil, s.fn); err != nil || s.total() != 500500 {
				t.Fatalf("procs=%d: sum %d, error %v", procs, s.total(), err)
			}
		}
	}
}

// More regions are open at one time than the board has room for.
func TestBoardOverflow(t *testing.T) {
	var depth func(left int) Body
	var leaves atomic.Int32
	l := Loop{Schedule: Dynamic, Chunk: 1, Threads: 2, Nested: true}
	depth = func(left int) Body {
		return func(_ any, w *Worker, chunk, _, _ int) {
			if chunk == 1 || left == 0 {
				leaves.Add(1)
				return
			}
			w.For(2, l, depth(left-1), nil)
		}
	}
	deep := 64*boardWords + 50
	if err := Run(context.Background(), 2, nil, func(_ any, w *Worker) { w.For(2, l, depth(deep), nil) }); err != nil {
		t.Fatal(err)
	}
	if got := int(leaves.Load()); got != deep+2 {
		t.Errorf("%d leaves, want %d", got, deep+2)
	}
	for i := range global.board.taken {
		if b := global.board.taken[i].Load(); b != 0 {
			t.Errorf("slots %b still taken", b)
		}
	}
}

func TestGoroutines(t *testing.T) {
	manyProcs(t, 4)
	TestSums(t)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	time.Sleep(10 * time.Millisecond)
	before := runtime.NumGoroutine()
	for range 1000 {
		Run(ctx, 4, nil, func(_ any, w *Worker) { w.For(10, Loop{Threads: 4}, nothing, nil) })
	}
	deadline := time.Now().Add(5 * time.Second)
	for runtime.NumGoroutine() > before && time.Now().Before(deadline) {
		time.Sleep(time.Millisecond)
	}
	if after := runtime.NumGoroutine(); after > before {
		t.Errorf("%d goroutines before, %d after", before, after)
	}
}

// With nothing to do all threads park.
func TestIdleThreadsPark(t *testing.T) {
	manyProcs(t, 4)
	Run(context.Background(), 4, nil, func(_ any, w *Worker) { w.For(10, Loop{Threads: 4}, nothing, nil) })
	deadline := time.Now().Add(5 * time.Second)
	for global.asleep.Load() != global.size.Load() {
		if time.Now().After(deadline) {
			t.Fatalf("%d of %d threads asleep", global.asleep.Load(), global.size.Load())
		}
		time.Sleep(time.Millisecond)
	}
}

func TestWarmRunsDoNotAllocate(t *testing.T) {
	if raceEnabled {
		t.Skip("sync.Pool forgets at random under the race detector")
	}
	type env struct {
		loops []Loop
		chain Chain[float64]
		total []float64
	}
	e := new(env)
	for _, l := range loops() {
		l.Nested = true
		e.loops = append(e.loops, l)
	}
	k := 0
	body := func(x any, w *Worker, chunk, lo, hi int) {
		s := Scratch[float32](w, 100)
		s[0] = float32(lo)
		w.For(hi-lo, x.(*env).loops[k], nothing, nil)
	}
	scan := func(x any, w *Worker, chunk, lo, hi int) {
		e := x.(*env)
		v, _ := e.chain.Wait(w, chunk)
		e.chain.Publish(chunk+1, v+1)
	}
	fn := func(x any, w *Worker) {
		e := x.(*env)
		w.For(50, e.loops[k], body, e)
		dyn := Loop{Schedule: Dynamic, Threads: 2}
		e.chain.Reset(Chunks(1000, dyn), 0)
		w.For(1000, dyn, scan, e)
		e.total = Grow(e.total, Chunks(1000, dyn))
	}
	var before, after runtime.MemStats
	warm := func() {
		k = (k + 1) % len(e.loops)
		Run(context.Background(), 2, e, fn)
	}
	for range 1000 {
		warm()
	}
	runtime.GC()
	runtime.ReadMemStats(&before)
	if got := testing.AllocsPerRun(10_000, warm); got != 0 {
		t.Errorf("%v allocations a run", got)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 1<<20 {
		t.Errorf("heap grew by %d bytes", grown)
	}
}

// Threads that were woken are counted until they run, whichever way they came.
func TestWokenThreadsCome(t *testing.T) {
	manyProcs(t, 4)
	for i := range 200 {
		if i%4 == 0 {
			time.Sleep(2 * spinFor) // they park
		}
		Run(context.Background(), 4, nil, func(_ any, w *Worker) { w.For(8, Loop{Threads: 4}, nothing, nil) })
		if c := global.coming.Load(); c < 0 || c > global.size.Load() {
			t.Fatalf("%d threads of %d are to come", c, global.size.Load())
		}
	}
	for end := time.Now().Add(10 * time.Second); global.coming.Load() != 0; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d woken threads have not come", global.coming.Load())
		}
	}
}
