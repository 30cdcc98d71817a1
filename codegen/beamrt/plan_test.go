package beamrt_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/codegen/beamrt"
	"github.com/surge-ndp/surge/codegen/cluster"
	"github.com/surge-ndp/surge/codegen/cluster/clustertest"
	"github.com/surge-ndp/surge/training/input"
)

// TestDry holds the numbers of plans against those of inputs.
func TestDry(t *testing.T) {
	c := clustertest.Cases(100)[2] // int32, 11 counts of int64
	plan, err := beamrt.Dry(t.Context(), beamrt.Options{Kernel: c.Kernel, Inputs: shards(t, c.Kernel, c.Inputs, 2), BlockSize: 30})
	if err != nil {
		t.Fatal(err)
	}
	if w := plan.Work; plan.Blocks() != 4 || w.Elements != 100 || w.Read != 400 || w.Broadcast != 8 || w.Partial != 88 || w.Kept != 0 || w.PerElement <= 0 {
		t.Errorf("%+v", plan)
	}
	for _, say := range []string{"Histogram: 100 elements in 4 blocks of 30", "1 value is combined and 0 values are listed", "workers read parts of", "\n    1 worker ", "\n    1000 workers"} {
		if !strings.Contains(plan.String(), say) {
			t.Errorf("%q is missing in\n%s", say, plan)
		}
	}
	plan, err = beamrt.Dry(t.Context(), beamrt.Options{Kernel: c.Kernel, Inputs: values(c.Inputs), BlockSize: 30})
	if err != nil || plan.Work.Broadcast != 408 {
		t.Errorf("%+v %v", plan, err)
	}
	if plan, err = beamrt.Dry(t.Context(), beamrt.Options{Kernel: c.Kernel, Inputs: values(c.Inputs), BlockSize: 30}, 3); err != nil || len(plan.Estimates) != 1 || plan.Estimates[0].Sent != 3*408 {
		t.Errorf("%+v %v", plan, err)
	}
	for i, c := range clustertest.Cases(100) { // of all kinds of stages
		plan, err := beamrt.Dry(t.Context(), beamrt.Options{Kernel: c.Kernel, Inputs: values(c.Inputs), BlockSize: 30})
		if want := []int{2, 1, 1, 3, 2, 2, 3, 5, 4, 5}[i]; err != nil || plan.Work.Steps != want || plan.Estimates[5].Seconds <= 0 {
			t.Errorf("%s: %+v %v", c.Kernel.Name, plan, err)
		}
	}
	c = clustertest.Cases(100)[7] // what a sort moves is shuffled
	if plan, err = beamrt.Dry(t.Context(), beamrt.Options{Kernel: c.Kernel, Inputs: values(c.Inputs), BlockSize: 30}); err != nil || plan.Work.Moved != 100*8*3 || plan.Estimates[0].Shuffled < 2400 {
		t.Errorf("%+v %v", plan, err)
	}
	c = clustertest.Cases(100)[6] // what is listed of all blocks goes to all of them
	if plan, err = beamrt.Dry(t.Context(), beamrt.Options{Kernel: c.Kernel, Inputs: shards(t, c.Kernel, c.Inputs, 2), BlockSize: 30}); err != nil || plan.Work.Broadcast != 400 || plan.Work.Kept != 400 || plan.Work.Partial != 0 {
		t.Errorf("%+v %v", plan, err)
	}
	if _, err := beamrt.Dry(t.Context(), beamrt.Options{Kernel: c.Kernel, Inputs: values(c.Inputs)}); err == nil {
		t.Error("blocks of no element")
	}
	// Rows are as many bytes as they hold, in shards of two dimensions and as values.
	dir := t.TempDir()
	for _, c = range clustertest.Cases(100) {
		if c.Kernel.Params[0].Rank == 2 {
			break
		}
	}
	for _, name := range []string{"x-1.npy", "x-2.npy"} {
		if err := input.Write(filepath.Join(dir, name), input.Value{Kind: input.Uint8, Dims: []int{50, 3}, Data: make([]uint8, 150)}); err != nil {
			t.Fatal(err)
		}
	}
	for _, in := range []beamrt.Inputs{values(c.Inputs), {{Shards: filepath.Join(dir, "x-*.npy")}}} {
		want := int64(100 * (3 + 8))
		if in[0].Shards == "" {
			want = int64(cluster.Size(c.Inputs[0]))
		}
		if plan, err = beamrt.Dry(t.Context(), beamrt.Options{Kernel: c.Kernel, Inputs: in, BlockSize: 30}); err != nil || plan.Work.Read != want {
			t.Errorf("%+v %v, want %d bytes", plan, err, want)
		}
	}
}
