package harness

import (
	"context"
	"testing"
	"time"

	"github.com/surge-ndp/surge/codegen/exec"
)

// together takes 20 ms, three quarters of which are the first one's.
type together struct{}

func (together) Run(context.Context, any) error { return nil }
func (together) RunAfter(context.Context, exec.Launch, any) (bool, float64, error) {
	time.Sleep(20 * time.Millisecond)
	return true, 0.75, nil
}

// TestStopwatchOfPairs divides the time of two computations that share chunks among their stopwatches.
func TestStopwatchOfPairs(t *testing.T) {
	first, second := watchedLaunch{together{}, new(stopwatch)}, watchedLaunch{together{}, new(stopwatch)}
	shared, share, err := second.RunAfter(context.Background(), first, nil)
	if !shared || share != 0.75 || err != nil {
		t.Fatal(shared, share, err)
	}
	a, b := first.watch.total, second.watch.total
	if a < 15*time.Millisecond || b < 5*time.Millisecond || a < 2*b {
		t.Errorf("%v and %v, want three times as much and at least 15 ms and 5 ms", a, b)
	}
	if shared, _, _ := (watchedLaunch{fakeFunc{}, new(stopwatch)}).RunAfter(context.Background(), first, nil); shared {
		t.Error("a launch that cannot share chunks does")
	}
}

// slow is a launch of 2 ms.
type slow struct{}

func (slow) Run(context.Context, any) error { time.Sleep(2 * time.Millisecond); return nil }

// TestUntimed has a stopwatch stand still, and run again.
func TestUntimed(t *testing.T) {
	l := watchedLaunch{slow{}, new(stopwatch)}
	Untimed(true)
	if err := l.Run(context.Background(), nil); err != nil || l.watch.total != 0 {
		t.Errorf("it stands at %v (%v)", l.watch.total, err)
	}
	Untimed(false)
	if err := l.Run(context.Background(), nil); err != nil || l.watch.total < 2*time.Millisecond {
		t.Errorf("it stands at %v (%v)", l.watch.total, err)
	}
}
