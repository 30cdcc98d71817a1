package exec

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"
	"time"
)

// TestLoops: all turns run once, chunks are put together in order, and a loop that is left, that panics or whose
// context ends says so.
func TestLoops(t *testing.T) {
	for _, threads := range []int{1, 2, 4} {
		for _, n := range []int{0, 1, 2, 1000} {
			var turns atomic.Int64
			var got []int
			l := NewLoops(t.Context(), threads)
			done, err := l.Do(func() {
				parts, least := PartsOf(got), TotalOf(n)
				l.Run(0, 0, n, func(from, to int) {
					some, first := parts.Empty(), least.First()
					for i := from; i < to; i++ {
						turns.Add(1)
						for begin := time.Now(); n == 1000 && i%100 == 0 && time.Since(begin) < 2*soloTime; { // others join
						}
						some, first = append(some, i), min(first, i)
					}
					parts.Add(from, some)
					least.Min(first)
				})
				got = parts.Behind(got)
				if least.Value() != 0 {
					t.Errorf("%d turns, %d threads: the least turn is %d", n, threads, least.Value())
				}
			})
			if !done || err != nil || int(turns.Load()) != n || len(got) != n || !slices.IsSorted(got) {
				t.Errorf("%d turns, %d threads: %d were run, which appended %d elements: %v, %v", n, threads, turns.Load(), len(got), done, err)
			}
		}
		for name, chunk := range map[string]func(*Loops){
			"is left": (*Loops).Leave,
			"panics":  func(*Loops) { panic("no") },
		} {
			l := NewLoops(t.Context(), threads)
			if done, err := l.Do(func() {
				l.Run(0, 0, 100, func(from, to int) {
					if from <= 50 && 50 < to {
						chunk(l)
					}
				})
				t.Errorf("a loop that %s goes on", name)
			}); done || err != nil {
				t.Errorf("a loop that %s: %v, %v", name, done, err)
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		l := NewLoops(ctx, threads)
		if done, err := l.Do(func() { l.Run(0, 0, 100, func(from, to int) { cancel() }); l.Run(1, 0, 1, func(from, to int) {}) }); done || err != context.Canceled {
			t.Errorf("a context that ends: %v, %v", done, err)
		}
	}
}

// TestQuickLoops runs a loop again and again that is not worth a second thread, and then one that is: that is found out
// in time.
func TestQuickLoops(t *testing.T) {
	l := NewLoops(t.Context(), 4)
	var most atomic.Int64
	count := func(long bool) func(from, to int) {
		return func(from, to int) {
			most.Store(max(most.Load(), int64(to-from)))
			if long {
				time.Sleep(time.Duration(to-from) * time.Millisecond)
			}
		}
	}
	for run := range 3 * quickRuns {
		sum := 0
		l.Run(2, 0, 10, func(from, to int) { sum += to - from })
		if sum != 10 {
			t.Fatalf("run %d: %d turns", run, sum)
		}
	}
	if q := l.quick[2]; q.turns != 10 && q.turns != 0 { // zero if the machine was busy
		t.Errorf("%+v", q)
	}
	for range quickRuns + 1 {
		most.Store(0)
		l.Run(2, 0, 10, count(true))
	}
	if most.Load() == 10 || l.quick[2].turns != 0 {
		t.Errorf("a long loop has chunks of %d turns, %+v", most.Load(), l.quick[2])
	}
}

// TestTally adds to elements on several threads.
func TestTally(t *testing.T) {
	for _, size := range []int{1, 100, 1 << 22} {
		for _, turns := range []int{0, 1, 3, 5000} {
			l, s := NewLoops(t.Context(), 4), make([]uint8, size)
			s[0] = 7
			tally := TallyOf(l, s)
			l.Run(0, 0, turns, func(from, to int) {
				own := tally.Take()
				for i := from; i < to; i++ {
					own[i%len(own)] += 3
				}
				tally.Give(own)
			})
			tally.AddUp()
			for i, x := range s {
				want := uint8(3 * ((turns + size - 1 - i) / size))
				if i == 0 {
					want += 7
				}
				if x != want {
					t.Fatalf("%d turns, element %d of %d: %d, want %d", turns, i, size, x, want)
				}
			}
		}
	}
}

// TestSpreadAlone compares calls that have threads in loops with those of the kernel as it stands.
func TestSpreadAlone(t *testing.T) {
	for name, c := range map[string]struct {
		with, alone time.Duration
		threads     int
		skip, rest  int // afterwards
		runs        int // of the kernel as it stands until then
	}{
		"threads lose":         {30 * time.Millisecond, 25 * time.Millisecond, 2, restTurns, 0, trialBlocks},
		"they gain a little":   {30 * time.Millisecond, 35 * time.Millisecond, 2, 0, restTurns, trialBlocks},
		"they gain":            {30 * time.Millisecond, 55 * time.Millisecond, 2, 0, -1, 1},
		"too long to be tried": {time.Second, 0, 16, 0, -1, 0},
	} {
		var w worth
		for range trialBlocks {
			w.took(compiled, c.with, c.threads)
		}
		runs := 0
		for w.skip.Load() > 0 && runs < c.runs {
			runs++
			w.skip.Add(-1)
			w.took(original, c.alone, c.threads)
		}
		if runs != c.runs || int(w.skip.Load()) != c.skip || w.rest != c.rest {
			t.Errorf("%s: %d runs as it stands, then skips %d and rests %d; want %+v", name, runs, w.skip.Load(), w.rest, c)
		}
		if c.skip > 0 {
			for range c.skip {
				w.skip.Add(-1)
				w.took(original, c.alone, c.threads)
			}
			for range trialBlocks {
				w.took(compiled, c.with, c.threads)
			}
			if w.skip.Load() != trialBlocks {
				t.Errorf("%s: skips %d when both are compared again", name, w.skip.Load())
			}
		}
		if c.rest > 0 {
			for range c.rest {
				w.took(compiled, c.with, c.threads)
			}
			if w.rest != 0 || w.calls[compiled] > 0 {
				t.Errorf("%s: rests %d, and has measured %d calls", name, w.rest, w.calls[compiled])
			}
		}
	}
}

// TestSpread counts which calls of a kernel have parallel loops: all while these are worth it, and fewer and fewer
// where they are not; those of other sizes are told apart.
func TestSpread(t *testing.T) {
	var s Spread
	call := func(ctx context.Context, size, loops int, long bool) (had, done bool) {
		l := s.Loops(ctx, 2, size)
		if l == nil {
			return false, false
		}
		done, _ = l.Do(func() {
			for range loops {
				l.Run(0, 0, 10, func(from, to int) {
					if long {
						time.Sleep(time.Millisecond)
					}
				})
			}
		})
		return true, done
	}
	for i := range trialBlocks {
		if had, done := call(t.Context(), 100, 2, true); !had || !done {
			t.Errorf("long, call %d: %v, %v", i, had, done)
		}
	}
	still, had := context.Background(), 0
	for range 100 {
		if spread, _ := call(still, 100, 2*vainRuns, false); spread {
			had++
		}
	}
	if had > 60 { // a few, but for those of a machine that is busy with something else
		t.Errorf("%d of 100 calls had loops that are quick", had)
	}
	if spread, _ := call(still, 1000, 1, true); !spread {
		t.Error("a larger input has no loops")
	}
	var fresh Spread
	for _, c := range []struct {
		took       time.Duration
		runs       int
		want, name string
	}{{time.Second, 1, "loops", "a long call of few loops"}, {time.Second, vainRuns, "none", "one of many"}, {0, 1, "none", "a quick one"}} {
		l := fresh.Loops(still, 2, len(c.name))
		l.runs = c.runs
		l.ended(c.took)
		if got := fresh.Loops(still, 2, len(c.name)) != nil; got != (c.want == "loops") {
			t.Errorf("behind %s there are loops: %v", c.name, got)
		}
		fresh = Spread{}
	}
	if s.Loops(still, 1, 7) != nil {
		t.Error("one thread has loops")
	}
}
