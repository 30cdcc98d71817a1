package beamrt_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"reflect"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"github.com/surge-ndp/surge/codegen/beamrt"
	"github.com/surge-ndp/surge/codegen/cluster"
	"github.com/surge-ndp/surge/codegen/cluster/clustertest"
)

// jobService, as the value of poolVariable, makes the test's program a job service: Prism by itself.
const jobService = "jobs"

// serveJobs serves until the standard input ends.
func serveJobs() {
	free, err := net.Listen("tcp", "localhost:0")
	if err == nil {
		err = free.Close()
	}
	if err == nil {
		_, err = prism.CreateJobServer(context.Background(), prism.Options{Port: free.Addr().(*net.TCPAddr).Port})
	}
	if err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
	fmt.Println(free.Addr())
	io.Copy(io.Discard, os.Stdin)
	os.Exit(0)
}

// TestJobService runs all kernels as on Flink: this process hands pipelines to a job service, which is another one, and
// workers are in a pool of a third.
func TestJobService(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	service, _ := pool(t, poolVariable+"="+jobService)
	workers, process := pool(t)
	*jobopts.Endpoint, *jobopts.EnvironmentType, *jobopts.EnvironmentConfig = service, "EXTERNAL", workers
	defer func() { *jobopts.Endpoint, *jobopts.EnvironmentType, *jobopts.EnvironmentConfig = "", "", "" }()
	got, err := beamrt.Run(t.Context(), beamrt.Options{Kernel: Processes, Inputs: values(cluster.Slices{make([]float64, 2)}), BlockSize: 1, Runner: "flink"})
	if err != nil || !reflect.DeepEqual(got.Values[0], []int{process.Pid, process.Pid}) {
		t.Fatalf("%v %v, want %d", got, err, process.Pid)
	}
	for _, c := range clustertest.Cases(100) {
		for _, runner := range []string{"flink", "universal"} {
			got, err := beamrt.Run(t.Context(), beamrt.Options{Kernel: c.Kernel, Inputs: shards(t, c.Kernel, c.Inputs, 2), BlockSize: 13, Runner: runner})
			if err != nil {
				t.Fatalf("%s: %v", c.Kernel.Name, err)
			}
			if !reflect.DeepEqual(got.Values, c.Want) {
				t.Errorf("%s: %v, want %v", c.Kernel.Name, got.Values, c.Want)
			}
		}
	}
	o := beamrt.Options{Kernel: Failing, Inputs: values(cluster.Slices{[]float64{0, 2}}), BlockSize: 1, Runner: "flink"}
	fails(t, o, "out of order")
}
