package beamtest

import (
	"context"
	"errors"
	"reflect"
	"strconv"
	"testing"

	"github.com/surge-ndp/surge/codegen/beamrt"
	"github.com/surge-ndp/surge/codegen/cluster"
	"github.com/surge-ndp/surge/codegen/cluster/clustertest"
)

// TestEngine runs all kernels in pipelines of several, and those that fail each by itself.
func TestEngine(t *testing.T) {
	e := &engine{}
	done := 0
	for _, n := range []int{0, 1, 30} {
		for _, size := range []int{1, 7, 1000} {
			for _, c := range clustertest.Cases(n) {
				e.Submit(t.Context(), clustertest.Job{Kernel: c.Kernel, Inputs: c.Inputs, Size: size, Done: func(got []cluster.Value, err error) {
					if done++; err != nil || !reflect.DeepEqual(got, c.Want) {
						t.Errorf("%s of %d in blocks of %d: %v, %v, want %v", c.Kernel.Name, n, size, got, err, c.Want)
					}
				}})
			}
		}
	}
	c := clustertest.Cases(100)[0]
	c.Inputs[1].([]int32)[3] = 60
	e.Submit(t.Context(), clustertest.Job{Kernel: c.Kernel, Inputs: c.Inputs, Size: 7, Done: func(got []cluster.Value, err error) {
		if done++; !errors.As(err, new(*clustertest.NotFound)) {
			t.Errorf("a bad element: %v, %v", got, err)
		}
	}})
	e.Flush(context.Background())
	if done != 3*3*len(clustertest.Kernels())+1 {
		t.Errorf("%d jobs are done", done)
	}
}

// BenchmarkTogether is what a job takes in a pipeline of so many.
func BenchmarkTogether(b *testing.B) {
	for _, n := range []int{1, 24, 48, 96} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			var jobs []clustertest.Job
			for i := range n {
				c := clustertest.Cases(30)[i%6]
				jobs = append(jobs, clustertest.Job{Kernel: c.Kernel, Inputs: c.Inputs, Size: 7})
			}
			for _, j := range jobs {
				beamrt.Register(j.Kernel)
			}
			for range b.N {
				if _, err := pipeline(b.Context(), jobs); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/job")
		})
	}
}
