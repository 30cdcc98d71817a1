package exec

import (
	"context"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/selector"
)

// workOf is what an input costs in these tests.
func workOf(size int) float64 { return 10 + 4*float64(size) }

// TestRunsPlain checks when a call runs the kernel itself.
func TestRunsPlain(t *testing.T) {
	stoppable, stop := context.WithCancel(context.Background())
	defer stop()
	stopped, cancel := context.WithCancel(context.Background())
	cancel()
	still := context.Background()
	closed, open := Plain{}, Plain{Open: true}
	var text strings.Builder
	for _, c := range []struct {
		name  string
		ctx   context.Context
		plain Plain
		size  int
		opts  []Option
		want  bool
	}{
		{"little work", still, closed, 100, nil, true},
		{"nothing", still, closed, 0, nil, true},
		{"much work", still, closed, plainWork, nil, false},
		{"a context that ends", stoppable, closed, 100, nil, true},
		{"a context that ends, and a loop that may not", stoppable, open, 100, nil, false},
		{"a loop that may not end", still, open, 100, nil, true},
		{"a context that has ended", stopped, closed, 100, nil, false},
		{"threads", still, closed, 100, []Option{Threads(1)}, true},
		{"an explanation", still, closed, 100, []Option{Explain(&text)}, true},
		{"a variant", still, closed, 100, []Option{Variant("sequential")}, false},
		{"the processors", still, closed, 100, []Option{Platform("goroutine")}, true},
		{"a device", still, closed, 100, []Option{Platform("opencl")}, false},
		{"a selector", still, closed, 100, []Option{Select(selector.Untrained{})}, false},
		{"a destination", still, closed, 100, []Option{Into([]float64{1})}, false},
		{"resident arrays", still, closed, 100, []Option{Resident(new(Memory))}, false},
		{"all features", still, closed, 100, []Option{Features()}, false},
	} {
		k := &Kernel{Name: "K", Plain: c.plain}
		if got := k.RunsPlain(c.ctx, c.opts, workOf(c.size), 0); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	if want := "K: the kernel itself, as plain Go (untrained: at most 410 operations"; !strings.HasPrefix(text.String(), want) {
		t.Errorf("explained as %q, want %q", text.String(), want)
	}
	k := &Kernel{Name: "K", Plain: closed}
	k.models.trained.Store(&usable{trained: true})
	if k.RunsPlain(still, nil, workOf(100), 0) {
		t.Error("a kernel with a trained model runs as plain Go")
	}
	k = &Kernel{Name: "K", Plain: closed}
	if n := testing.AllocsPerRun(100, func() { k.RunsPlain(still, nil, workOf(100), 0) }); n > 0 {
		t.Errorf("%g allocations", n)
	}
}

// TestRunsPlainAlike checks that code which is no faster on one thread is not bound for little gain, where rows are
// copied or not.
func TestRunsPlainAlike(t *testing.T) {
	stoppable, stop := context.WithCancel(context.Background())
	defer stop()
	still := context.Background()
	for _, c := range []struct {
		name          string
		ctx           context.Context
		alike         bool
		twice         bool
		size, rows, n int // n: threads
		want          bool
	}{
		{"one thread", still, true, false, plainWork, 0, 1, true},
		{"two threads", still, true, false, plainWork, 0, 2, false},
		{"two threads, and short rows to copy", still, true, false, plainWork, plainWork / 8, 2, true},
		{"vectors", still, false, false, plainWork, plainWork / 8, 2, false},
		{"much that cannot be stopped", stoppable, true, false, stoppableWork, stoppableWork / 8, 2, false},
		{"loops that would run twice", still, false, true, stoppableWork, 0, 2, true},
		{"many turns of them that cannot be stopped", stoppable, false, true, stoppableWork, 0, 2, false},
	} {
		k := &Kernel{Name: "K", Plain: Plain{Alike: c.alike, Twice: c.twice}}
		if got := k.RunsPlain(c.ctx, []Option{Threads(c.n)}, workOf(c.size), c.rows); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	k := &Kernel{Name: "K", Plain: Plain{}}
	opts := []Option{Threads(1)}
	if n := testing.AllocsPerRun(100, func() { k.RunsPlain(still, opts, workOf(100), 0) }); n >= 1 {
		t.Errorf("%g allocations", n)
	}
}

// TestBoundRunsPlain checks when runs of what is bound are those of the kernel itself, and that decisions say so.
func TestBoundRunsPlain(t *testing.T) {
	stopped, stop := context.WithCancel(context.Background())
	stop()
	stoppable, later := context.WithCancel(context.Background())
	defer later()
	still := context.Background()
	for _, c := range []struct {
		name   string
		ctx    context.Context
		plain  Plain
		size   int
		opts   []Option
		chosen bool // before it runs
		want   bool
	}{
		{"few elements", still, Plain{}, 10, nil, true, true},
		{"many elements", still, Plain{}, boundWork, nil, true, false},
		{"more where nothing else is faster", still, Plain{Alike: true}, alikeWork / 5, nil, true, true},
		{"any number where loops would run twice", still, Plain{Twice: true}, 1 << 40, nil, true, true},
		{"where they could not be stopped", stoppable, Plain{Twice: true}, 1 << 40, nil, true, false},
		{"a destination", still, Plain{}, 10, []Option{Into([]float64{1})}, true, false},
		{"a variant", still, Plain{}, 10, []Option{Variant("K.1/nest/independent/goroutine/unroll_1=1")}, true, false},
		{"a context that has ended", stopped, Plain{}, 10, nil, true, false},
		{"a loop that may not end", stopped, Plain{Open: true}, 10, nil, true, false},
		{"nothing chosen yet", still, Plain{}, 10, nil, false, false},
	} {
		k := testKernel()
		k.Plain = c.plain
		var call Call
		call.Init(k, c.opts)
		if c.chosen {
			if err := call.Choose(0, Feature(selector.Length, "elements", float64(c.size))); err != nil {
				t.Fatal(err)
			}
		}
		may := call.RunsPlain(workOf(c.size))
		if got := may && call.Plain(c.ctx); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
		if again := may && call.Plain(c.ctx); c.name == "nothing chosen yet" && !again {
			t.Errorf("%s: the second run is compiled, too", c.name)
		}
		if said := c.chosen && strings.Contains(call.Decisions()[0].Reason, "runs take the kernel itself"); said != (may && c.chosen) {
			t.Errorf("%s: %q", c.name, call.Decisions()[0].Reason)
		}
		if said := strings.Contains(call.Decisions()[0].Reason, "does some twice"); c.chosen && said != c.plain.Twice {
			t.Errorf("%s: %q", c.name, call.Decisions()[0].Reason)
		}
	}
}

// TestEstimatedSizes checks that the size of many rows is an estimate near what they have, and which rows are taken
// to be copied.
func TestEstimatedSizes(t *testing.T) {
	rows, words, n := make([][]int8, 5000), make([]string, 5000), 5000
	for i := range rows {
		rows[i], words[i] = make([]int8, i%7), strings.Repeat("a", i%7)
		n += i % 7
	}
	for _, got := range []int{Elements(rows), Letters(words)} {
		if got < n*9/10 || got > n*11/10 {
			t.Errorf("%d elements estimated, %d there are", got, n)
		}
	}
	flat := make([]int8, 12)
	if got := []int{Copied([][]int8{flat[:3], flat[3:5]}), Copied([][]int8{{1}, {2}}), Copied[[]int8](nil)}; got[0] != 0 || got[1] != 2 || got[2] != 0 {
		t.Error(got)
	}
}

// TestSizes checks that sizes of numbers are never negative, nor wrap around in sums.
func TestSizes(t *testing.T) {
	if got := []int{Size(7), Size(0), Size(-8), Size(int8(-128)), Size(uint64(1) << 63), Size(-1 << 63), Elements([][]int{{1}, nil, {2, 3}})}; got[0] != 7 || got[1] != 0 ||
		got[2] != 7 || got[3] != 127 || got[4] != 1<<40 || got[5] != 1<<40 || got[6] != 6 {
		t.Error(got)
	}
}
