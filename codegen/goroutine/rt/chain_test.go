package rt

import (
	"context"
	"errors"
	"testing"
	"time"
)

// A chained scan computes the same bits as the sequential one over the same
// chunks, on any number of workers.
func TestChainScan(t *testing.T) {
	manyProcs(t, 4)
	type scan struct {
		in, out []int
		chain   Chain[int]
	}
	s := new(scan)
	for _, n := range []int{1, 2, 100, 5000} {
		s.in, s.out = Grow(s.in, n), Grow(s.out, n)
		for i := range s.in {
			s.in[i] = i*i + 1
		}
		for _, l := range loops() {
			if l.Schedule == Static {
				continue
			}
			err := Run(context.Background(), l.Threads, s, func(env any, w *Worker) {
				s := env.(*scan)
				chunks := Chunks(n, l)
				s.chain.Reset(chunks, 7)
				w.For(n, l, func(env any, w *Worker, chunk, lo, hi int) {
					s := env.(*scan)
					sum := 0
					for _, v := range s.in[lo:hi] {
						sum += v
					}
					at, ok := s.chain.Wait(w, chunk)
					if !ok {
						return
					}
					s.chain.Publish(chunk+1, at+sum)
					for i := lo; i < hi; i++ {
						at += s.in[i]
						s.out[i] = at
					}
				}, s)
				if total, ok := s.chain.Wait(w, chunks); !ok || total != s.out[n-1] {
					t.Errorf("total %d, last %d", total, s.out[n-1])
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			at := 7
			for i, v := range s.in {
				if at += v; s.out[i] != at {
					t.Fatalf("n=%d %+v: out[%d] = %d, want %d", n, l, i, s.out[i], at)
				}
			}
		}
	}
}

func TestChainWaitEndsWithTheRun(t *testing.T) {
	stop := errors.New("stop")
	for _, threads := range []int{1, 2} {
		var c Chain[float64]
		err := Run(context.Background(), threads, nil, func(_ any, w *Worker) {
			c.Reset(2, 0)
			w.For(2, Loop{Schedule: Dynamic, Chunk: 1, Threads: threads}, func(_ any, w *Worker, chunk, _, _ int) {
				if chunk == 0 { // fails instead of publishing
					time.Sleep(time.Millisecond)
					w.Fail(stop)
					return
				}
				if _, ok := c.Wait(w, chunk); ok {
					t.Error("prefix of nothing")
				}
			}, nil)
		})
		if err != stop {
			t.Errorf("error %v", err)
		}
	}
}

func TestChainWaitsLong(t *testing.T) {
	var c Chain[int]
	c.Reset(1, 1)
	go func() {
		time.Sleep(20 * time.Millisecond)
		c.Publish(1, 42)
	}()
	Run(context.Background(), 1, nil, func(_ any, w *Worker) {
		if v, ok := c.Wait(w, 1); v != 42 || !ok {
			t.Errorf("got %d, %v", v, ok)
		}
	})
}
