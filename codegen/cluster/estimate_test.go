package cluster_test

import (
	"testing"

	"github.com/surge-ndp/surge/codegen/cluster"
)

// TestEstimate holds estimates against sums by hand.
func TestEstimate(t *testing.T) {
	w := cluster.Work{Elements: 1000, Steps: 1, Turns: 1, Broadcast: 100, Read: 8000, Partial: 10, PerElement: 0.01, Once: 0.5}
	m := cluster.Machines{Workers: 4, FanIn: 2, Network: 1000, Disk: 1000, Merge: 1000, Pipeline: 1, Block: 0.1, Schedule: 0.01}
	e := w.Estimate(m, 100)
	// Ten blocks in three rounds, of 0.1 s overhead, 1 s kernel and 0.8 s reading; five groups of two partials in two
	// rounds, then all five.
	near := func(what string, got, want float64) {
		if got < want-1e-9 || got > want+1e-9 {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	if e.Blocks != 10 || e.Sent != 400 || e.Shuffled != 150 || e.Combined != 50 {
		t.Errorf("%+v", e)
	}
	near("send", e.Send, 0.4)
	near("blocks", e.Blocked, 3*1.9)
	near("combine", e.Combine, 2*2*0.02+5*0.02)
	near("all", e.Seconds, 1+0.5+0.4+5.7+0.18)
	if m.AtOnce = 2; w.Estimate(m, 100).Blocked < 5*1.9-1e-9 {
		t.Error("two of four workers have a processor, and that takes no longer")
	}
	if m.Schedule = 10; w.Estimate(m, 100).Blocked != 100 {
		t.Error("an engine that takes 10 s a block does ten in less")
	}
	if none := (cluster.Work{Elements: 0, Steps: 1}).Estimate(m, 5); none.Blocks != 1 {
		t.Errorf("no elements are %d blocks", none.Blocks)
	}
}

// TestBlockSize takes large blocks for one worker, and blocks for all of many.
func TestBlockSize(t *testing.T) {
	w := cluster.Work{Elements: 1 << 20, Steps: 1, Read: 64 << 20, PerElement: 1e-5}
	m := cluster.Machines{Workers: 1, FanIn: 16, Network: 1e9, Disk: 1e9, Merge: 1e9, Block: 0.01}
	if n := w.BlockSize(m, 32<<20); n != 1<<19 {
		t.Errorf("for one worker blocks of %d", n)
	}
	m.Workers = 64
	if blocks := w.Estimate(m, w.BlockSize(m, 32<<20)).Blocks; blocks < 64 {
		t.Errorf("for 64 workers %d blocks", blocks)
	}
	w.PerElement = 0 // nothing to share
	if blocks := w.Estimate(m, w.BlockSize(m, 32<<20)).Blocks; blocks > 64 {
		t.Errorf("a block takes more than it is worth, and there are %d", blocks)
	}
	for _, n := range []int{0, 1, 7} {
		w := cluster.Work{Elements: n, Steps: 1, Read: int64(n) * 100 << 20}
		if size := w.BlockSize(m, 32<<20); size != max(min(1, n), 1) {
			t.Errorf("of %d large elements %d are in a block", n, size)
		}
	}
}
