package exec

import (
	"context"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/selector"
)

// TestRunsPlain checks when a call runs the kernel itself.
func TestRunsPlain(t *testing.T) {
	stoppable, stop := context.WithCancel(context.Background())
	defer stop()
	stopped, cancel := context.WithCancel(context.Background())
	cancel()
	still := context.Background()
	closed, open := Plain{Work: []float64{10, 4}}, Plain{Work: []float64{10, 4}, Open: true}
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
		{"a size beyond int", still, closed, -1, nil, false},
		{"a context that ends", stoppable, closed, 100, nil, true},
		{"a context that ends, and a loop that may not", stoppable, open, 100, nil, false},
		{"a loop that may not end", still, open, 100, nil, true},
		{"a context that has ended", stopped, closed, 100, nil, false},
		{"threads", still, closed, 100, []Option{Threads(1)}, true},
		{"an explanation", still, closed, 100, []Option{Explain(&text)}, true},
		{"a variant", still, closed, 100, []Option{Variant("sequential")}, false},
		{"a platform", still, closed, 100, []Option{Platform("goroutine")}, false},
		{"a selector", still, closed, 100, []Option{Select(selector.Untrained{})}, false},
		{"a destination", still, closed, 100, []Option{Into([]float64{1})}, false},
		{"resident arrays", still, closed, 100, []Option{Resident(new(Memory))}, false},
		{"all features", still, closed, 100, []Option{Features()}, false},
	} {
		k := &Kernel{Name: "K", Plain: c.plain}
		if got := k.RunsPlain(c.ctx, c.opts, c.size); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	if want := "K: the kernel itself, as plain Go (untrained: at most 410 operations"; !strings.HasPrefix(text.String(), want) {
		t.Errorf("explained as %q, want %q", text.String(), want)
	}
	k := &Kernel{Name: "K", Plain: closed}
	k.models.trained.Store(&usable{models: []*trained{{}}})
	if k.RunsPlain(still, nil, 100) {
		t.Error("a kernel with a trained model runs as plain Go")
	}
	k = &Kernel{Name: "K", Plain: closed}
	if n := testing.AllocsPerRun(100, func() { k.RunsPlain(still, nil, 100) }); n > 0 {
		t.Errorf("%g allocations", n)
	}
}

// TestSizes checks that sizes of numbers are never negative, nor wrap around in sums.
func TestSizes(t *testing.T) {
	if got := []int{Size(7), Size(0), Size(-8), Size(int8(-128)), Size(uint64(1) << 63), Size(-1 << 63), Elements([][]int{{1}, nil, {2, 3}})}; got[0] != 7 || got[1] != 0 ||
		got[2] != 7 || got[3] != 127 || got[4] != 1<<40 || got[5] != 1<<40 || got[6] != 6 {
		t.Error(got)
	}
}
