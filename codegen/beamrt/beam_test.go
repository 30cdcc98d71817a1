package beamrt_test

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/surge-ndp/surge/codegen/beamrt"
	"github.com/surge-ndp/surge/codegen/cluster"
	"github.com/surge-ndp/surge/codegen/cluster/clustertest"
	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/training/input"
)

func init() {
	for _, k := range clustertest.Kernels() {
		beamrt.Register(k)
	}
}

func TestMain(m *testing.M) {
	flag.Parse()
	beam.Init()
	if os.Getenv(poolVariable) != "" {
		servePool()
	}
	os.Exit(m.Run())
}

// values are inputs in memory.
func values(s cluster.Slices) (in beamrt.Inputs) {
	for _, v := range s {
		in = append(in, beamrt.Input{Value: v})
	}
	return in
}

// shards writes slices as so many .npy files, and returns them as inputs; the others as values.
func shards(t *testing.T, k *cluster.Kernel, s cluster.Slices, pieces int) (in beamrt.Inputs) {
	t.Helper()
	dir := t.TempDir()
	for i, v := range s {
		kind, rank := cluster.TypeOf(v)
		if rank != 1 {
			in = append(in, beamrt.Input{Value: v})
			continue
		}
		number, err := input.ParseKind(kind)
		if err != nil {
			t.Fatal(err)
		}
		for p := range pieces {
			lo, hi := cluster.Len(v)*p/pieces, cluster.Len(v)*(p+1)/pieces
			file := filepath.Join(dir, fmt.Sprintf("%s-%d.npy", k.Params[i].Name, p))
			if err := input.Write(file, input.Value{Kind: number, Dims: []int{hi - lo}, Data: cluster.Slice(v, lo, hi)}); err != nil {
				t.Fatal(err)
			}
		}
		in = append(in, beamrt.Input{Shards: filepath.Join(dir, k.Params[i].Name+"-*.npy")})
	}
	return in
}

// TestRun compares all kernels on Prism with plain Go, with inputs in memory and in shards.
func TestRun(t *testing.T) {
	for _, n := range []int{0, 1, 100} {
		for _, size := range []int{1, 13, 1000} {
			for _, c := range clustertest.Cases(n) {
				for _, in := range []beamrt.Inputs{values(c.Inputs), shards(t, c.Kernel, c.Inputs, 3)} {
					got, err := beamrt.Run(t.Context(), beamrt.Options{Kernel: c.Kernel, Inputs: in, BlockSize: size, FanIn: 4})
					if err != nil {
						t.Fatalf("%s of %d in blocks of %d: %v", c.Kernel.Name, n, size, err)
					}
					if !reflect.DeepEqual(got.Values, c.Want) {
						t.Errorf("%s of %d in blocks of %d: %v, want %v", c.Kernel.Name, n, size, got.Values, c.Want)
					}
					if blocks := int64(max(1, (n+size-1)/size) * len(c.Kernel.Stages)); got.Counters["blocks"] != blocks {
						t.Errorf("%s: %v, and not %d blocks", c.Kernel.Name, got.Counters, blocks)
					}
				}
				if testing.Short() {
					return
				}
			}
		}
	}
}

// TestFiles writes results as shards, which are inputs of another run.
func TestFiles(t *testing.T) {
	c := clustertest.Cases(100)[4]
	dir := t.TempDir()
	out := filepath.Join(dir, "y", "*.npy")
	o := beamrt.Options{Kernel: c.Kernel, Inputs: values(c.Inputs), BlockSize: 7, Out: map[string]string{"y": out}}
	got, err := beamrt.Run(t.Context(), o)
	if err != nil || got.Values[0] != nil {
		t.Fatal(got, err)
	}
	s, err := input.OpenShards(out)
	if err != nil {
		t.Fatal(err)
	}
	if y, err := s.Read(t.Context(), 0, 100); err != nil || !reflect.DeepEqual(y, c.Want[0]) {
		t.Errorf("%v %v, want %v", y, err, c.Want)
	}
	if all, _ := filepath.Glob(filepath.Join(dir, "y", "*")); len(all) != 15 {
		t.Errorf("files %v", all)
	}
	if all, _ := filepath.Glob(filepath.Join(dir, "y", ".*")); len(all) != 0 {
		t.Errorf("temporary files are left: %v", all)
	}
	if _, err := beamrt.Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), "there already") {
		t.Error("results over others:", err)
	}
}

// Tabled reads a table of the program, as a kernel reads package-level variables, and chooses a variant for each block.
var Tabled = &cluster.Kernel{
	Name: "Tabled", Pos: "tabled.go:1:6",
	Params: []cluster.Param{Processes.Params[0], {Name: "table", Kind: "float64", Rank: 1}}, Cuts: Processes.Cuts, Wholes: 2, Parts: 3,
	Stages: []cluster.Stage{{Block: &cluster.Step{Wholes: []int{1}, Parts: []int{0}, Out: []int{2},
		Run: func(ctx context.Context, at cluster.Place, w, p []cluster.Value) ([]cluster.Value, error) {
			var c exec.Call
			c.Init(&tabled, cluster.Options(ctx))
			y := []float64{}
			for _, x := range p[0].([]float64) {
				y = append(y, w[0].([]float64)[int(x)])
			}
			return []cluster.Value{y}, c.Choose(0, exec.Feature(selector.Length, "elements", float64(at.Count)))
		}}}},
	Results: []cluster.Result{{Name: "y", Kind: "float64", Rank: 1, Block: true, Slot: 2}},
	Hidden:  func() cluster.Slices { return cluster.Slices{[]float64{10, 20, 30}} },
}

const onlyVariant = "Tabled.1/nest/independent/goroutine/unroll_1=4"

var tabled = exec.Kernel{Name: "Tabled", Computations: []*exec.Computation{{Name: "Tabled.1", Codes: []exec.Code{{Text: onlyVariant, Func: ready{}}}}}}

// ready is code that can be chosen.
type ready struct{}

func (ready) Available(int) string                          { return "" }
func (ready) Prepare(selector.Variant) (exec.Launch, error) { return nil, nil }

// TestVariables sends variables of the program to workers, unless they are given.
func TestVariables(t *testing.T) {
	in := values(cluster.Slices{[]float64{0, 2, 1, 1, 0}})
	for _, c := range []struct {
		in   beamrt.Inputs
		want []float64
	}{
		{in, []float64{10, 30, 20, 20, 10}},
		{append(in, beamrt.Input{Value: []float64{1, 2, 3}}), []float64{1, 3, 2, 2, 1}},
	} {
		o := beamrt.Options{Kernel: Tabled, Inputs: c.in, BlockSize: 2}
		got, err := beamrt.Run(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got.Values[0], c.want) {
			t.Errorf("%v, want %v", got.Values, c.want)
		}
		if want := map[string]int64{onlyVariant: 3}; !maps.Equal(got.Variants, want) {
			t.Errorf("workers chose %v, want %v", got.Variants, want)
		}
		if want := map[string]int64{"untrained": 3}; !maps.Equal(got.Selectors, want) {
			t.Errorf("what chose is %v, want %v", got.Selectors, want)
		}
		if plan, err := beamrt.Dry(t.Context(), o); err != nil || plan.Work.Broadcast != 5*8+3*8 {
			t.Errorf("%+v %v", plan, err)
		}
	}
}

// TestKernelError is the kernel's own, with the position in the whole input, and leaves no files.
func TestKernelError(t *testing.T) {
	for _, size := range []int{1, 7, 1000} {
		c := clustertest.Cases(100)[0]
		cols := c.Inputs[1].([]int32)
		first := len(cols) / 2
		cols[first], cols[len(cols)-1] = 60, 70
		dir := t.TempDir()
		_, err := beamrt.Run(t.Context(), beamrt.Options{Kernel: c.Kernel, Inputs: values(c.Inputs), BlockSize: size,
			Out: map[string]string{"y": filepath.Join(dir, "*.npy")}})
		want := fmt.Sprintf("spmv.go:1:1: SpMV: cols[%d] = 60 is outside of [0, 50)", first)
		if err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
		if left, _ := os.ReadDir(dir); len(left) > 0 {
			t.Errorf("files are left: %v", left)
		}
	}
}

// TestBadOptions are one message each, before anything runs.
func TestBadOptions(t *testing.T) {
	c := clustertest.Cases(100)[0]
	good := func() beamrt.Options {
		return beamrt.Options{Kernel: c.Kernel, Inputs: values(c.Inputs), BlockSize: 7}
	}
	for _, bad := range []struct {
		say    string
		change func(o *beamrt.Options)
	}{
		{"there is no runner \"flnk\"", func(o *beamrt.Options) { o.Runner = "flnk" }},
		{"blocks of 0 elements", func(o *beamrt.Options) { o.BlockSize = 0 }},
		{"2 inputs for 4 parameters", func(o *beamrt.Options) { o.Inputs = o.Inputs[:2] }},
		{"no value for cols", func(o *beamrt.Options) { o.Inputs[1].Value = nil }},
		{"a []int is not of", func(o *beamrt.Options) { o.Inputs[1].Value = []int{1} }},
		{"no file has such a name", func(o *beamrt.Options) { o.Inputs[1].Shards = filepath.Join(t.TempDir(), "*.npy") }},
		{"there is no such result", func(o *beamrt.Options) { o.Out = map[string]string{"z": "z/*.npy"} }},
		{"has one *", func(o *beamrt.Options) { o.Out = map[string]string{"y": filepath.Join(t.TempDir(), "y.npy")} }},
		{"written as .npy", func(o *beamrt.Options) { o.Out = map[string]string{"y": "y/*.txt"} }},
		{"set the flag --endpoint", func(o *beamrt.Options) { o.Runner = "flink" }},
	} {
		o := good()
		bad.change(&o)
		if _, err := beamrt.Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), bad.say) || !strings.Contains(err.Error(), "SpMV") {
			t.Errorf("%v, want %q", err, bad.say)
		}
	}
}
