package beamrt_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/surge-ndp/surge/codegen/beamrt"
	"github.com/surge-ndp/surge/codegen/cluster"
	"github.com/surge-ndp/surge/codegen/cluster/clustertest"
	"github.com/surge-ndp/surge/training/input"
)

// poolVariable makes the test's program a pool of workers.
const poolVariable = "BEAMRT_TEST_POOL"

// servePool serves until the standard input ends.
func servePool() {
	if os.Getenv(poolVariable) == jobService {
		serveJobs()
	}
	address, stop, err := beamrt.Serve(context.Background(), 0)
	if err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
	fmt.Println(address)
	io.Copy(io.Discard, os.Stdin)
	stop()
	os.Exit(0)
}

// pool starts a pool in a process of its own, with more variables in its environment.
func pool(t *testing.T, environment ...string) (address string, process *os.Process) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = slices.Concat(os.Environ(), []string{poolVariable + "=1"}, environment)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(line), cmd.Process
}

// Processes yields which process did a block, and waits in each.
var Processes = &cluster.Kernel{
	Name: "Processes", Pos: "processes.go:1:6",
	Params: []cluster.Param{{Name: "wait", Kind: "float64", Rank: 1, Cut: true}},
	Cuts:   []cluster.Cut{{Param: 0, By: -1, Times: cluster.Term{Slot: -1, Const: 1}, Lo: cluster.Term{Slot: -1}, Hi: cluster.Term{Slot: -1, Const: 1}}},
	Length: 0, Wholes: 1, Parts: 3,
	Stages: []cluster.Stage{{Block: &cluster.Step{Parts: []int{0}, Out: []int{2},
		Run: func(_ context.Context, _ cluster.Place, _, p []cluster.Value) ([]cluster.Value, error) {
			pids := []int{}
			for _, seconds := range p[0].([]float64) {
				time.Sleep(time.Duration(seconds * float64(time.Second)))
				pids = append(pids, os.Getpid())
			}
			return []cluster.Value{pids}, nil
		}}}},
	Results: []cluster.Result{{Name: "process", Kind: "int", Rank: 1, Block: true, Slot: 2}},
}

// Remove removes the files that its first parameter's shards are, and then would read them.
var Remove = &cluster.Kernel{
	Name: "Remove", Pos: "remove.go:1:6", Params: Processes.Params, Cuts: Processes.Cuts, Length: 0, Wholes: 1, Parts: 3,
	Stages: []cluster.Stage{{
		Whole: &cluster.Step{Run: func(context.Context, cluster.Place, []cluster.Value, []cluster.Value) ([]cluster.Value, error) {
			files, err := filepath.Glob(os.Getenv("BEAMRT_TEST_REMOVE"))
			for _, f := range files {
				os.Remove(f)
			}
			return nil, err
		}},
		Block: Processes.Stages[0].Block,
	}},
	Results: Processes.Results,
}

func init() {
	beamrt.Register(Processes)
	beamrt.Register(Remove)
	beamrt.Register(Tabled)
}

// TestPools runs all kernels on three processes, of which each gets a part of the blocks.
func TestPools(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	var pools []string
	pids := map[int]bool{}
	for range 3 {
		address, process := pool(t)
		pools = append(pools, address)
		pids[process.Pid] = true
	}
	got, err := beamrt.Run(t.Context(), beamrt.Options{Kernel: Processes, Inputs: values(cluster.Slices{make([]float64, 30)}), BlockSize: 1, Pools: pools})
	if err != nil {
		t.Fatal(err)
	}
	count := map[int]int{}
	for _, pid := range got.Values[0].([]int) {
		count[pid]++
		if !pids[pid] {
			t.Errorf("%d is no worker", pid)
		}
	}
	if len(count) != 3 {
		t.Errorf("blocks a process: %v", count)
	}
	for _, c := range clustertest.Cases(100) {
		got, err := beamrt.Run(t.Context(), beamrt.Options{Kernel: c.Kernel, Inputs: shards(t, c.Kernel, c.Inputs, 2), BlockSize: 13, Pools: pools})
		if err != nil {
			t.Fatalf("%s: %v", c.Kernel.Name, err)
		}
		if !reflect.DeepEqual(got.Values, c.Want) {
			t.Errorf("%s: %v, want %v", c.Kernel.Name, got.Values, c.Want)
		}
	}
}

// TestKilledWorker runs again on the workers that are left, with the same results. If there are none it ends in an
// error, and leaves no files.
func TestKilledWorker(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	one, last := pool(t)
	two, victim := pool(t)
	wait := make([]float64, 6)
	for i := range wait {
		wait[i] = 2
	}
	dir := t.TempDir()
	out := filepath.Join(dir, "*.npy")
	run := func(pools ...string) error {
		begin := time.Now()
		_, err := beamrt.Run(t.Context(), beamrt.Options{Kernel: Processes, Inputs: values(cluster.Slices{wait}), BlockSize: 1, Pools: pools,
			Out: map[string]string{"process": out}})
		if took := time.Since(begin); took > time.Minute {
			t.Errorf("a killed worker is noticed after %v", took)
		}
		return err
	}
	time.AfterFunc(1500*time.Millisecond, func() { victim.Kill() })
	if err := run(two, one); err != nil { // the first one does what runs once, too
		t.Fatal(err)
	}
	shards, err := input.OpenShards(out)
	if err != nil {
		t.Fatal(err)
	}
	pids, err := shards.Read(t.Context(), 0, len(wait))
	if want := slices.Repeat([]int64{int64(last.Pid)}, len(wait)); err != nil || !reflect.DeepEqual(pids, want) {
		t.Errorf("blocks were done by %v, %v, want %v", pids, err, want)
	}
	left, _ := os.ReadDir(dir)
	if len(left) != len(wait) {
		t.Errorf("files are left: %v", left)
	}
	for _, f := range left {
		os.Remove(filepath.Join(dir, f.Name()))
	}
	time.AfterFunc(1500*time.Millisecond, func() { last.Kill() })
	if err := run(one); err == nil || !strings.Contains(err.Error(), "Processes: the pipeline failed") || strings.Contains(err.Error(), "\n") {
		t.Errorf("a killed worker: %v", err)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("files are left: %v", left)
	}
}

// TestMissingInput is one message, though workers find it out in the middle.
func TestMissingInput(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a pipeline")
	}
	in := shards(t, Remove, cluster.Slices{make([]float64, 30)}, 2)
	t.Setenv("BEAMRT_TEST_REMOVE", in[0].Shards)
	_, err := beamrt.Run(t.Context(), beamrt.Options{Kernel: Remove, Inputs: in, BlockSize: 10})
	if err == nil || !strings.Contains(err.Error(), "no file has such a name") && !strings.Contains(err.Error(), "no such file") || strings.Contains(err.Error(), "Plan[") {
		t.Errorf("an input that is gone: %v", err)
	}
}
