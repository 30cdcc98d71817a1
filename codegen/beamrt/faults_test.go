package beamrt_test

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/surge-ndp/surge/codegen/beamrt"
	"github.com/surge-ndp/surge/codegen/cluster"
	"github.com/surge-ndp/surge/codegen/cluster/clustertest"
	"github.com/surge-ndp/surge/training/input"
)

// otherProgram, as the value of poolVariable, makes the pool one of a program that lacks a kernel.
const otherProgram = "other"

// Failing fails where its elements say so.
var Failing = &cluster.Kernel{
	Name: "Failing", Pos: "failing.go:1:6", Params: Processes.Params, Cuts: Processes.Cuts, Length: 0, Wholes: 1, Parts: 3,
	Stages: []cluster.Stage{{Block: &cluster.Step{Parts: []int{0}, Out: []int{2},
		Run: func(_ context.Context, at cluster.Place, _, p []cluster.Value) ([]cluster.Value, error) {
			for _, x := range p[0].([]float64) {
				switch x {
				case 1:
					panic("out of luck")
				case 2:
					return nil, errors.New("Failing: out of order")
				}
			}
			return []cluster.Value{make([]int, at.Count)}, nil
		}}}},
	Results: Processes.Results,
}

// Flaky fails as often as the file that a variable names says, at one element, and makes a folder where the results of
// a block are to be, if another one says so.
var Flaky = &cluster.Kernel{
	Name: "Flaky", Pos: "flaky.go:1:6", Params: Processes.Params, Cuts: Processes.Cuts, Length: 0, Wholes: 1, Parts: 3,
	Stages: []cluster.Stage{{Block: &cluster.Step{Parts: []int{0}, Out: []int{2},
		Run: func(_ context.Context, at cluster.Place, _, p []cluster.Value) ([]cluster.Value, error) {
			if at.Block != 3 {
				return []cluster.Value{make([]int, at.Count)}, nil
			}
			if folder := os.Getenv("BEAMRT_TEST_FOLDER"); folder != "" {
				return []cluster.Value{make([]int, at.Count)}, os.MkdirAll(folder, 0o777)
			}
			times, err := os.ReadFile(os.Getenv("BEAMRT_TEST_TIMES"))
			if err == nil && len(times) > 0 {
				os.WriteFile(os.Getenv("BEAMRT_TEST_TIMES"), times[1:], 0o666)
				panic("out of luck")
			}
			return []cluster.Value{make([]int, at.Count)}, err
		}}}},
	Results: Processes.Results,
}

// Unknown is a kernel that some programs do not have.
var Unknown = &cluster.Kernel{
	Name: "Unknown", Pos: "unknown.go:1:6", Params: Processes.Params, Cuts: Processes.Cuts, Length: 0, Wholes: 1, Parts: 3,
	Stages: Processes.Stages, Results: Processes.Results,
}

func init() {
	beamrt.Register(Failing)
	beamrt.Register(Flaky)
	if os.Getenv(poolVariable) != otherProgram {
		beamrt.Register(Unknown)
	}
}

// fails runs a kernel that must fail with a message on a few lines, with all of the texts in it, and leave nothing.
func fails(t *testing.T, o beamrt.Options, say ...string) {
	t.Helper()
	dir := t.TempDir()
	o.Out = map[string]string{o.Kernel.Results[0].Name: filepath.Join(dir, "y", "*.npy")}
	o.Temp = t.TempDir()
	_, err := beamrt.Run(t.Context(), o)
	if err == nil {
		t.Errorf("it succeeds, and should say %q", say)
		return
	}
	for _, s := range append(say, o.Kernel.Name) {
		if !strings.Contains(err.Error(), s) {
			t.Errorf("%v, want %q", err, s)
		}
	}
	if strings.Contains(err.Error(), "Plan[") || strings.Count(err.Error(), "\n") > 3 || strings.Count(err.Error(), say[0]) > 1 {
		t.Errorf("this is not one message: %v", err)
	}
	for _, d := range []string{filepath.Join(dir, "y"), o.Temp} {
		if left, _ := os.ReadDir(d); len(left) > 0 {
			t.Errorf("files are left: %v", left)
		}
	}
}

// TestFailingBlock is one message, whatever the engine puts around it.
func TestFailingBlock(t *testing.T) {
	x := make([]float64, 20)
	o := beamrt.Options{Kernel: Failing, Inputs: values(cluster.Slices{x}), BlockSize: 3}
	x[10] = 2
	fails(t, o, "out of order")
	x[10] = 1
	fails(t, o, "out of luck", "block 3")
}

// TestTriedAgain does a block that fails once again, and one that fails twice is one message.
func TestTriedAgain(t *testing.T) {
	times := filepath.Join(t.TempDir(), "times")
	t.Setenv("BEAMRT_TEST_TIMES", times)
	o := beamrt.Options{Kernel: Flaky, Inputs: values(cluster.Slices{make([]float64, 20)}), BlockSize: 3}
	for failures := range 3 {
		if err := os.WriteFile(times, make([]byte, failures), 0o666); err != nil {
			t.Fatal(err)
		}
		if failures == 2 {
			fails(t, o, "out of luck", "block 3")
			continue
		}
		got, err := beamrt.Run(t.Context(), o)
		if err != nil || !reflect.DeepEqual(got.Values, []cluster.Value{make([]int, 20)}) || got.Counters["retries"] != int64(failures) {
			t.Errorf("after %d failures: %v, %v", failures, got, err)
		}
	}
}

// TestNamedInPart is a run that fails when some of the results have their names: none is left.
func TestNamedInPart(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("BEAMRT_TEST_FOLDER", filepath.Join(dir, "00000003-of-00000007.npy"))
	_, err := beamrt.Run(t.Context(), beamrt.Options{Kernel: Flaky, Inputs: values(cluster.Slices{make([]float64, 20)}), BlockSize: 3,
		Out: map[string]string{"process": filepath.Join(dir, "*.npy")}})
	if err == nil || !strings.Contains(err.Error(), "Flaky: ") || strings.Contains(err.Error(), "\n") {
		t.Error(err)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("files are left: %v", left)
	}
}

// TestBadShards are found out before anything runs; an empty one is none.
func TestBadShards(t *testing.T) {
	c := clustertest.Cases(100)[4] // a stencil
	write := func(dir, name string, v any, dims ...int) {
		kind, _ := cluster.TypeOf(v)
		k, err := input.ParseKind(kind)
		if err == nil {
			err = input.Write(filepath.Join(dir, name), input.Value{Kind: k, Dims: dims, Data: v})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	x := c.Inputs[0].([]float32)
	for _, bad := range []struct {
		say  string
		make func(dir string)
	}{
		{"no file has such a name", func(string) {}},
		{"x-3.npy follows x-1.npy", func(dir string) { write(dir, "x-3.npy", x[50:], 50) }},
		{"x-2.npy", func(dir string) {
			write(dir, "x-2.npy", x[50:], 50)
			if err := os.Truncate(filepath.Join(dir, "x-2.npy"), 200); err != nil {
				t.Fatal(err)
			}
		}},
		{"the elements are of float64", func(dir string) { write(dir, "x-2.npy", make([]float64, 50), 50) }},
		{"the shape is [25 2]", func(dir string) { write(dir, "x-2.npy", x[50:], 25, 2) }},
		{"x-2.npy", func(dir string) { os.WriteFile(filepath.Join(dir, "x-2.npy"), nil, 0o666) }},
	} {
		dir := t.TempDir()
		if bad.make(dir); !strings.HasPrefix(bad.say, "no file") {
			write(dir, "x-1.npy", x[:50], 50)
		}
		fails(t, beamrt.Options{Kernel: c.Kernel, Inputs: beamrt.Inputs{{Shards: filepath.Join(dir, "x-*.npy")}}, BlockSize: 13}, bad.say)
	}
	dir := t.TempDir()
	write(dir, "x-1.npy", x[:50], 50)
	write(dir, "x-2.npy", x[50:50], 0)
	write(dir, "x-3.npy", x[50:], 50)
	got, err := beamrt.Run(t.Context(), beamrt.Options{Kernel: c.Kernel, Inputs: beamrt.Inputs{{Shards: filepath.Join(dir, "x-*.npy")}}, BlockSize: 13})
	if err != nil || !reflect.DeepEqual(got.Values, c.Want) {
		t.Errorf("with an empty shard: %v, %v", got, err)
	}
}

// TestUnreachable is a cluster that does not answer.
func TestUnreachable(t *testing.T) {
	free, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	*jobopts.Endpoint = free.Addr().String()
	defer func() { *jobopts.Endpoint = "" }()
	if err := free.Close(); err != nil {
		t.Fatal(err)
	}
	for _, runner := range []string{"flink", "spark", "universal"} {
		fails(t, beamrt.Options{Kernel: Failing, Inputs: values(cluster.Slices{make([]float64, 3)}), BlockSize: 2, Runner: runner}, "cannot be reached", runner)
	}
}

// TestOtherProgram is a worker that does not know the kernel.
func TestOtherProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	one, _ := pool(t)
	two, _ := pool(t, poolVariable+"="+otherProgram)
	fails(t, beamrt.Options{Kernel: Unknown, Inputs: values(cluster.Slices{make([]float64, 6)}), BlockSize: 1, Pools: []string{one, two}}, "does not know the kernel")
}

// TestUnwritable is a place for results where none can be.
func TestUnwritable(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "y"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	_, err := beamrt.Run(t.Context(), beamrt.Options{Kernel: Failing, Inputs: values(cluster.Slices{make([]float64, 3)}), BlockSize: 2,
		Out: map[string]string{"process": filepath.Join(dir, "y", "*.npy")}})
	if err == nil || !strings.Contains(err.Error(), "Failing: result process") || strings.Contains(err.Error(), "\n") {
		t.Error(err)
	}
}
