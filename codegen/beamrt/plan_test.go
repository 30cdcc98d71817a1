package beamrt_test

import (
	"strings"
	"testing"

	"github.com/surge-ndp/surge/codegen/beamrt"
	"github.com/surge-ndp/surge/codegen/cluster/clustertest"
)

// TestDry holds the numbers of plans against those of inputs.
func TestDry(t *testing.T) {
	c := clustertest.Cases(100)[2] // int32, 11 counts of int64
	plan, err := beamrt.Dry(t.Context(), beamrt.Options{Kernel: c.Kernel, Inputs: shards(t, c.Kernel, c.Inputs, 2), BlockSize: 30})
	if err != nil {
		t.Fatal(err)
	}
	if plan.Blocks != 4 || plan.Elements != 100 || plan.Read != 400 || plan.Broadcast != 8 || plan.Partials != 88 || plan.Kept != 0 {
		t.Errorf("%+v", plan)
	}
	for _, say := range []string{"Histogram: 100 elements in 4 blocks of 30", "1 values are combined and 0 are listed", "workers read parts of"} {
		if !strings.Contains(plan.String(), say) {
			t.Errorf("%q is missing in\n%s", say, plan)
		}
	}
	plan, err = beamrt.Dry(t.Context(), beamrt.Options{Kernel: c.Kernel, Inputs: values(c.Inputs), BlockSize: 30})
	if err != nil || plan.Broadcast != 408 {
		t.Errorf("%+v %v", plan, err)
	}
	if _, err := beamrt.Dry(t.Context(), beamrt.Options{Kernel: c.Kernel, Inputs: values(c.Inputs)}); err == nil {
		t.Error("blocks of no element")
	}
}
