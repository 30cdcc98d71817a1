package rt

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/selector"
)

// squares is the frame of two functions: the first stores i*i, and the second adds up what the first stored, chunk by
// chunk, with bins of its own.
type squares struct {
	y, parts     []int
	late         []bool // whether an element was there when it was added
	ahead        []bool // on one thread, whether the element after a chunk was there already
	sum, between int
	fail, broken int // the element at which the first or the second one fails
}

var errSquares = errors.New("an element that cannot be")

func storeSquares(frame any, w *Worker, l *Launch) {
	f := frame.(*squares)
	w.For(len(f.y), l.Loops[0], func(_ any, w *Worker, _, lo, hi int) {
		for i := lo; i < hi; i++ {
			if i == f.fail {
				w.Fail(errSquares)
				return
			}
			Scratch[int](w, 9)[i%9] = i
			f.y[i] = i * i
		}
	}, nil)
	f.between++
}

func addSquares(frame any, w *Worker, l *Launch) {
	f := frame.(*squares)
	n, loop := len(f.y), Even(len(f.y), 3, l.Loops[0])
	f.parts, f.ahead = Grow(f.parts, Chunks(n, loop)), Grow(f.ahead, Chunks(n, loop))
	w.For(n, loop, func(_ any, w *Worker, chunk, lo, hi int) {
		f.parts[chunk] = 0
		f.ahead[chunk] = l.Threads == 1 && hi < n && f.y[hi] != 0
		for i := lo; i < hi; i++ {
			if i == f.broken {
				panic("broken")
			}
			f.late[i] = f.y[i] != i*i
			f.parts[chunk] += f.y[i]
		}
	}, nil)
	if w.Stopped() {
		return
	}
	for _, p := range f.parts {
		f.sum += p
	}
}

func prepare(t *testing.T, fn Func, policy ...string) *Launch {
	t.Helper()
	var v selector.Variant
	for _, s := range policy {
		name, value, _ := strings.Cut(s, "=")
		v.Policy = append(v.Policy, selector.Setting{Name: name, Value: value})
	}
	l, err := fn.Prepare(v)
	if err != nil {
		t.Fatal(err)
	}
	return l.(*Launch)
}

// TestPair shares chunks of all sizes, and refuses to where the two do not fit.
func TestPair(t *testing.T) {
	manyProcs(t, 4)
	ctx := context.Background()
	const static, off = "omp_schedule_1=static", -1
	frame := func(n int) *squares {
		return &squares{y: make([]int, n), late: make([]bool, n), fail: off, broken: off}
	}
	for _, threads := range []string{"num_threads=1", "num_threads=3"} {
		first, plain := prepare(t, storeSquares, threads, static), prepare(t, addSquares, threads, static)
		for _, chunk := range []string{"1", "7", "64", "100000"} {
			second := prepare(t, addSquares, threads, static, "shared_chunk_1="+chunk)
			for _, n := range []int{0, 1, 2, 63, 64, 1000} {
				for range 3 { // launches are used again
					f := frame(n)
					shared, share, err := second.RunAfter(ctx, first, f)
					if want := (n - 1) * n * (2*n - 1) / 6; !shared || err != nil || f.sum != want || slices.Contains(f.late, true) || f.between != 1 || share < 0 || share > 1 {
						t.Fatalf("%s, chunks of %s, %d elements: shared %v, %v, sum %d, want %d, %v of it by the first", threads, chunk, n, shared, err, f.sum, want, share)
					}
					if slices.Contains(f.ahead, true) {
						t.Errorf("chunks of %s: the first one is a chunk ahead", chunk)
					}
					if n == 1000 && chunk == "64" && len(f.parts) != 16 {
						t.Errorf("%d chunks of 64", len(f.parts))
					}
				}
			}
			f := frame(1000)
			f.fail = 500
			if _, _, err := second.RunAfter(ctx, first, f); !errors.Is(err, errSquares) || f.sum != 0 {
				t.Errorf("the first one fails: error %v, sum %d", err, f.sum)
			}
			f = frame(1000)
			f.broken = 500
			var broken *PanicError
			if _, _, err := second.RunAfter(ctx, first, f); !errors.As(err, &broken) {
				t.Errorf("the second one panics: error %v", err)
			}
			f = frame(1000)
			if err := first.Run(ctx, f); err != nil {
				t.Fatal(err)
			}
			if err := second.Run(ctx, f); err != nil || f.sum != 332833500 {
				t.Errorf("one after the other: %v, sum %d", err, f.sum)
			}
			ended, cancel := context.WithCancel(ctx)
			cancel()
			if _, _, err := second.RunAfter(ended, first, frame(10)); !errors.Is(err, context.Canceled) {
				t.Errorf("a context that has ended: %v", err)
			}
			for _, other := range []*Launch{prepare(t, storeSquares, "num_threads=2", static), prepare(t, storeSquares, threads)} {
				f = frame(10)
				if shared, _, err := second.RunAfter(ctx, other, f); shared || err != nil || f.between != 0 {
					t.Errorf("%s: chunks are shared with another number of threads, or with a level that is not divided", threads)
				}
			}
		}
		if shared, _, _ := plain.RunAfter(ctx, first, frame(10)); shared {
			t.Error("chunks are shared though the variant does not say so")
		}
	}
}

// TestPairAlone has a first function that divides nothing: the second one does what it does alone.
func TestPairAlone(t *testing.T) {
	const policy, static = "num_threads=2", "omp_schedule_1=static"
	first := prepare(t, func(frame any, _ *Worker, _ *Launch) {
		f := frame.(*squares)
		for i := range f.y {
			f.y[i] = i * i
		}
	}, policy, static)
	f := &squares{y: make([]int, 100), late: make([]bool, 100), fail: -1, broken: -1}
	shared, _, err := prepare(t, addSquares, policy, static, "shared_chunk_1=8").RunAfter(context.Background(), first, f)
	if !shared || err != nil || f.sum != 328350 {
		t.Errorf("shared %v, %v, sum %d", shared, err, f.sum)
	}
}

// copyDoubled is a function that allocates nothing of its own.
func copyDoubled(frame any, w *Worker, l *Launch) {
	w.For(len(frame.(*[2][]int)[0]), l.Loops[0], copyDoubledBody, frame)
}

func copyDoubledBody(env any, _ *Worker, _, lo, hi int) {
	f := env.(*[2][]int)
	for i := lo; i < hi; i++ {
		f[1][i] = 2 * f[0][i]
	}
}

// TestPairRepeated runs pairs many times: what fails or panics leaves nothing behind, and a warm pair allocates
// nothing and does not grow.
func TestPairRepeated(t *testing.T) {
	manyProcs(t, 4)
	const n, static = 300, "omp_schedule_1=static"
	ctx := context.Background()
	for _, threads := range []string{"num_threads=1", "num_threads=3"} {
		first, second := prepare(t, storeSquares, threads, static), prepare(t, addSquares, threads, static, "shared_chunk_1=8")
		own := second.Loops
		f := &squares{y: make([]int, n), late: make([]bool, n)}
		run := func(fail, broken int) error {
			f.sum, f.fail, f.broken = 0, fail, broken
			_, _, err := second.RunAfter(ctx, first, f)
			return err
		}
		for i := range 300 {
			var panicked *PanicError
			switch i % 3 {
			case 0:
				if err := run(i, -1); !errors.Is(err, errSquares) {
					t.Fatalf("run %d: %v, want that the first one fails", i, err)
				}
			case 1:
				if err := run(-1, i); !errors.As(err, &panicked) {
					t.Fatalf("run %d: %v, want that the second one panics", i, err)
				}
			case 2: // of both the first one to come counts
				if err := run(i, i); !errors.Is(err, errSquares) {
					t.Fatalf("run %d: %v, want that the first one fails", i, err)
				}
			}
			if second.Loops != own {
				t.Fatalf("run %d: the launch keeps the loop that was shared", i)
			}
		}
		x, y := make([]int, n), make([]int, n)
		first, second = prepare(t, copyDoubled, threads, static), prepare(t, copyDoubled, threads, static, "shared_chunk_1=8")
		frame := &[2][]int{x, y}
		if allocs := testing.AllocsPerRun(10_000, func() {
			if shared, _, err := second.RunAfter(ctx, first, frame); !shared || err != nil {
				t.Fatalf("shared %v, error %v", shared, err)
			}
		}); allocs != 0 && !raceEnabled {
			t.Errorf("%s: a pair allocates %v times", threads, allocs)
		}
	}
}

// TestPairWithin has both functions of a pair run others: loops inside chunks, another pair, and a launch after the
// loop.
func TestPairWithin(t *testing.T) {
	manyProcs(t, 4)
	const threads, static, rows, row = "num_threads=3", "omp_schedule_1=static", 40, 50
	ctx := context.Background()
	for _, nested := range []string{"enable_nesting=true", "enable_nesting=false"} {
		sums, total := make([]int, rows), 0
		inner := func(frame any, w *Worker, l *Launch) int {
			parts := make([]int, Chunks(row, l.Loops[1]))
			w.For(row, l.Loops[1], func(_ any, _ *Worker, chunk, lo, hi int) { parts[chunk] = hi - lo }, nil)
			sum := 0
			for _, p := range parts {
				sum += p
			}
			return sum
		}
		first := prepare(t, func(frame any, w *Worker, l *Launch) {
			w.For(rows, l.Loops[0], func(_ any, w *Worker, _, lo, hi int) {
				for i := lo; i < hi; i++ {
					sums[i] = inner(frame, w, l)
				}
			}, nil)
			w.For(rows, l.Loops[0], func(_ any, _ *Worker, _, lo, hi int) { // a loop of its own behind the one that is shared
				for i := lo; i < hi; i++ {
					sums[i]++
				}
			}, nil)
		}, threads, static, "omp_schedule_2=dynamic", "chunk_size_2=7", nested)
		second := prepare(t, func(frame any, w *Worker, l *Launch) {
			seen := make([]int, rows)
			w.For(rows, l.Loops[0], func(_ any, w *Worker, _, lo, hi int) {
				for i := lo; i < hi; i++ {
					seen[i] = sums[i] + inner(frame, w, l)
					f := &squares{y: make([]int, 30), late: make([]bool, 30), fail: -1, broken: -1}
					a, b := prepare(t, storeSquares, threads, static), prepare(t, addSquares, threads, static, "shared_chunk_1=4")
					if shared, _, err := b.RunAfter(ctx, a, f); !shared || err != nil || f.sum != 8555 {
						w.Fail(errSquares)
					}
				}
			}, nil)
			for _, s := range seen {
				total += s
			}
		}, threads, static, "omp_schedule_2=dynamic", "chunk_size_2=3", nested, "shared_chunk_1=3")
		if shared, _, err := second.RunAfter(ctx, first, nil); !shared || err != nil || total != 2*rows*row || slices.Contains(sums, row) {
			t.Errorf("%s: shared %v, %v, total %d, want %d", nested, shared, err, total, 2*rows*row)
		}
	}
}
