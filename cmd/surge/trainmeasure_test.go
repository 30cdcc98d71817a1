package main

import (
	"testing"
	"time"

	"github.com/surge-ndp/surge/training"
)

// What measuring takes on is estimated from what is measured: the input that is being measured is not.
func TestTimeLeft(t *testing.T) {
	for _, c := range []struct {
		at, total, done, of int
		want                string
	}{
		{1, 1, 0, 100, ""},
		{1, 4, 0, 0, ""},
		{1, 1, 25, 100, "; about 30s left"},
		{2, 3, 0, 0, "; about 20s left"},
		{2, 2, 1, 4, "; about 6s left"},
		{3, 3, 100, 100, "; about 0s left"},
	} {
		p := &training.TrainProgress{BenchProgress: training.BenchProgress{Done: c.done, Total: c.of}}
		if got := timeLeft(10*time.Second, c.at, c.total, p); got != c.want {
			t.Errorf("input %d of %d, %d of %d: %q, want %q", c.at, c.total, c.done, c.of, got, c.want)
		}
	}
}
