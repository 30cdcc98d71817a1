package rt

import (
	"context"
	"slices"
	"testing"
	"time"
)

func nothing(any, *Worker, int, int, int) {}

func BenchmarkRun(b *testing.B) {
	l := Loop{Threads: 2}
	fn := func(env any, w *Worker) { w.For(2, *env.(*Loop), nothing, nil) }
	b.ReportAllocs()
	for b.Loop() {
		Run(context.Background(), 2, &l, fn)
	}
}

func BenchmarkRunCancellable(b *testing.B) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	l := Loop{Threads: 2}
	fn := func(env any, w *Worker) { w.For(2, *env.(*Loop), nothing, nil) }
	b.ReportAllocs()
	for b.Loop() {
		Run(ctx, 2, &l, fn)
	}
}

// inRun measures f inside a run of two workers.
func inRun(b *testing.B, f func(w *Worker)) {
	b.ReportAllocs()
	Run(context.Background(), 2, nil, func(_ any, w *Worker) {
		for b.Loop() {
			f(w)
		}
	})
}

func BenchmarkFor(b *testing.B) {
	for name, s := range schedules {
		b.Run(string(name), func(b *testing.B) {
			inRun(b, func(w *Worker) { w.For(2, Loop{Schedule: s, Chunk: 1, Threads: 2}, nothing, nil) })
		})
	}
}

// BenchmarkForShared has two chunks of about 10 µs, long enough that both
// workers take part. p50-chunk is the cost of opening the region, reaching the
// second worker, and waiting for it; shared is the portion of regions in which
// it came at all.
func BenchmarkForShared(b *testing.B) {
	type state struct {
		sink [2][16]int
		by   [2]int
	}
	work := func(st *state, chunk int) {
		s := 0
		for i := range 20000 {
			s += i ^ s
		}
		st.sink[chunk][0] = s
	}
	body := func(env any, w *Worker, chunk, lo, hi int) {
		st := env.(*state)
		st.by[chunk] = w.ID()
		work(st, chunk)
	}
	Run(context.Background(), 2, nil, func(_ any, w *Worker) {
		var st state
		var alone, both []time.Duration
		shared := 0
		for b.Loop() {
			t0 := time.Now()
			work(&st, 0)
			t1 := time.Now()
			w.For(2, Loop{Threads: 2}, body, &st)
			t2 := time.Now()
			alone = append(alone, t1.Sub(t0))
			both = append(both, t2.Sub(t1))
			if st.by[0] != st.by[1] {
				shared++
			}
		}
		slices.Sort(alone)
		slices.Sort(both)
		half := len(both) / 2
		b.ReportMetric(float64(alone[half]), "ns-chunk")
		b.ReportMetric(float64(both[half]-alone[half]), "ns-p50-more")
		b.ReportMetric(float64(both[len(both)*9/10]-alone[half]), "ns-p90-more")
		b.ReportMetric(float64(shared)/float64(len(both)), "shared")
	})
}

// BenchmarkCold has pauses between the runs in which the threads park. arrival
// is the median time from Run to the start of the second of two chunks: what
// the Go scheduler and the system take to wake a thread. It is bounded by the
// length of a chunk, 1 ms, after which the caller takes the second one itself.
func BenchmarkCold(b *testing.B) {
	var start time.Time
	var arrival [2]time.Duration
	body := func(env any, w *Worker, chunk, lo, hi int) {
		now := time.Now()
		arrival[chunk] = now.Sub(start)
		for time.Since(now) < time.Millisecond {
		}
	}
	fn := func(_ any, w *Worker) { w.For(2, Loop{Threads: 2}, body, nil) }
	var took []time.Duration
	for b.Loop() {
		time.Sleep(time.Millisecond)
		start = time.Now()
		Run(context.Background(), 2, nil, fn)
		took = append(took, arrival[1])
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2]), "ns-arrival")
}

func BenchmarkClaim(b *testing.B) {
	for schedule, s := range schedules {
		for _, threads := range []int{1, 2} {
			name := string(schedule) + "/one"
			if threads == 2 {
				name = string(schedule) + "/two"
			}
			b.Run(name, func(b *testing.B) {
				const n = 1 << 14
				inRun(b, func(w *Worker) { w.For(n, Loop{Schedule: s, Chunk: 1, Threads: threads}, nothing, nil) })
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/chunk")
			})
		}
	}
}

func BenchmarkNested(b *testing.B) {
	for _, nested := range []bool{false, true} {
		name := "sequential"
		if nested {
			name = "nested"
		}
		b.Run(name, func(b *testing.B) {
			inner := Loop{Threads: 2, Nested: nested}
			outer := func(env any, w *Worker, chunk, lo, hi int) {
				for range 100 {
					w.For(2, *env.(*Loop), nothing, nil)
				}
			}
			inRun(b, func(w *Worker) { w.For(2, Loop{Threads: 2}, outer, &inner) })
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/100, "ns/region")
		})
	}
}

func BenchmarkChain(b *testing.B) {
	var c Chain[float64]
	const n = 1 << 10
	body := func(env any, w *Worker, chunk, lo, hi int) {
		c := env.(*Chain[float64])
		v, ok := c.Wait(w, chunk)
		if ok {
			c.Publish(chunk+1, v+1)
		}
	}
	inRun(b, func(w *Worker) {
		c.Reset(n, 0)
		w.For(n, Loop{Schedule: Dynamic, Chunk: 1, Threads: 2}, body, &c)
	})
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/chunk")
}

func BenchmarkScratch(b *testing.B) {
	inRun(b, func(w *Worker) {
		m := w.Mark()
		Scratch[float64](w, 512)
		w.Release(m)
	})
}
