package beamrt_test

import (
	"context"
	"os"
	"reflect"
	"testing"

	"github.com/surge-ndp/surge/codegen/beamrt"
	"github.com/surge-ndp/surge/codegen/cluster"
	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/selector"
)

// deviceVariable is the machine that a process takes itself for.
const deviceVariable = "BEAMRT_TEST_DEVICE"

// Chosen chooses a variant for each block, by a model if there is one for the machine.
var Chosen = &cluster.Kernel{
	Name: "Chosen", Pos: "chosen.go:1:6", Params: Processes.Params, Cuts: Processes.Cuts, Length: 0, Wholes: 1, Parts: 3,
	Stages: []cluster.Stage{{Block: &cluster.Step{Parts: []int{0}, Out: []int{2},
		Run: func(ctx context.Context, at cluster.Place, _, p []cluster.Value) ([]cluster.Value, error) {
			var c exec.Call
			c.Init(&chosen, cluster.Options(ctx))
			return []cluster.Value{make([]int, at.Count)}, c.Choose(0, exec.Feature(selector.Length, "elements", float64(at.Count)))
		}}}},
	Results: Processes.Results,
	Steps:   []*exec.Kernel{&chosen},
}

var chosen = exec.Kernel{Name: "ChosenBlock1", Hash: "step", Like: exec.Likeness{Kernel: "Chosen", Hash: "whole"},
	Computations: []*exec.Computation{{Name: "ChosenBlock1.1", Like: "Chosen.1", Sequence: "map", Codes: []exec.Code{
		{Text: "ChosenBlock1.1/nest/independent/goroutine/unroll_1=1", Launch: "num_threads=", Func: onDevice{}},
		{Text: "ChosenBlock1.1/nest/independent/goroutine/unroll_1=4", Launch: "num_threads=", Func: onDevice{}},
	}}}}

// onDevice is code that can be chosen, of the machine that the process takes itself for.
type onDevice struct{ ready }

func (onDevice) Device() string { return os.Getenv(deviceVariable) }

func init() { beamrt.Register(Chosen) }

// TestModels runs a kernel on two workers, of which one has a model for its machine and the other one has none: it
// chooses without, as the counters say, and the results are the same.
func TestModels(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	const device = "a machine with a model"
	var variants []selector.Variant
	for _, unroll := range []string{"4", "1"} {
		v, err := selector.Parse("Chosen.1/nest/independent/goroutine/num_threads=1,unroll_1=" + unroll)
		if err != nil {
			t.Fatal(err)
		}
		variants = append(variants, v)
	}
	text, err := selector.FormatModels([]*selector.Model{{Kernel: "Chosen", Hash: "whole", Platform: selector.Host, Device: device,
		Computations: []*selector.Classifier{{
			Computation: "Chosen.1", Features: []selector.Scaling{{Name: selector.Length, Unit: "elements", Low: 0, High: 100}}, Variants: variants,
			Machine: &selector.SVM{Gamma: 4, Bias: []float64{1}, Support: [][]float64{{0}}, Weights: [][]float64{{0}}},
			Summary: selector.Summary{Inputs: 9, Measurements: "m"},
		}}}})
	if err != nil {
		t.Fatal(err)
	}
	with, _ := pool(t, deviceVariable+"="+device)
	without, _ := pool(t, deviceVariable+"=another machine")
	o := beamrt.Options{Kernel: Chosen, Inputs: values(cluster.Slices{make([]float64, 20)}), BlockSize: 1, Model: string(text)}
	for _, pools := range [][]string{{with}, {without}, {with, without}} {
		o.Pools = pools
		got, err := beamrt.Run(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got.Values, []cluster.Value{make([]int, 20)}) {
			t.Errorf("%v", got.Values)
		}
		svm, untrained := got.Selectors["svm"], got.Selectors["untrained"]
		if svm+untrained != 20 || (svm > 0) != (pools[0] == with) || (untrained > 0) != (pools[len(pools)-1] == without) {
			t.Errorf("%d workers chose by %v", len(pools), got.Selectors)
		}
	}
}
