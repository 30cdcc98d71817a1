package agree_test

import (
	"testing"

	"github.com/surge-ndp/surge/internal/agree"
)

// TestBlocks runs kernels whose elements go from block to block, as on a cluster, against plain Go.
func TestBlocks(t *testing.T) {
	without := []string{"Reads", "Counted"} // one is not cut, and what plain Go panics about in the other one is not read
	if testing.Short() {
		without = append(without, "Kept", "Ordered", "Routed", "Composed", "Sums", "Offsets", "Written", "Most", "Several", "Bits",
			"Means", "Longest", "Pairs", "Within", "Latest", "Peaks", "Inverse", "Routes", "Last", "Unique", "Equals", "Places", "Early")
	}
	p, err := agree.Compile(t.Context(), "../../ops/cut/testdata/scans", agree.Options{Platform: agree.Blocks, Without: without})
	if err != nil {
		t.Fatal(err)
	}
	reports, err := agree.Run(t.Context(), p, agree.Blocks, t.TempDir())
	if err != nil {
		t.Error(err)
	}
	for _, r := range reports {
		for _, f := range r.Failures {
			t.Errorf("%s: %s", r.Kernel, f)
		}
		if r.Runs <= r.Refused {
			t.Errorf("%s: all inputs are refused", r.Kernel)
		}
		t.Logf("%s: %d runs, %d of inputs that are refused", r.Kernel, r.Runs, r.Refused)
	}
	if len(reports) == 0 {
		t.Error("no kernel has run")
	}
}
